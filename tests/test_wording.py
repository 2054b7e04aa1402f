"""Names of cards and times for people."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from hypothesis import given
from hypothesis import strategies as st

from pyramide_core import messages, wording
from pyramide_core.cards import DECK, Card, Suit


@pytest.fixture
def french(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The French of cards, as the sources write them: R is the king, D the queen, V the jack."""
    catalogue = Catalog(locale="fr", domain=messages.DOMAIN)
    for letter, french_letter in {"J": "V", "Q": "D", "K": "R", "A": "A"}.items():
        catalogue.add(letter, french_letter, context="card corner")
    for text, translation in {"{rank} of {suit}": "{rank} de {suit}", "queen": "dame", "hearts": "cœur"}.items():
        catalogue.add(text, translation)
    folder = tmp_path / "fr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    (folder / f"{messages.DOMAIN}.mo").write_bytes(compiled.getvalue())
    monkeypatch.setattr(messages, "LOCALE_DIR", tmp_path)
    messages.set_language("fr")
    yield
    messages.set_language("en")


def test_faces_and_names_in_english() -> None:
    faces = [wording.card_face(Card(rank, Suit.DIAMONDS)) for rank in range(1, 14)]
    assert faces == "A♦ 2♦ 3♦ 4♦ 5♦ 6♦ 7♦ 8♦ 9♦ 10♦ J♦ Q♦ K♦".split()
    assert wording.card_name(Card.parse("KD")) == "king of diamonds"
    assert wording.card_name(Card.parse("10C")) == "10 of clubs"
    assert wording.card_name(Card.parse("AS")) == "ace of spades"
    assert wording.card_name(Card.parse("JH")) == "jack of hearts"
    assert [wording.rank_name(rank) for rank in (1, 2, 10, 11, 12, 13)] == ["ace", "2", "10", "jack", "queen", "king"]


def test_every_card_has_a_face_and_a_name_of_its_own() -> None:
    assert len({wording.card_face(card) for card in DECK}) == 52
    assert len({wording.card_name(card) for card in DECK}) == 52


def test_faces_in_english_are_read_as_cards() -> None:
    assert [Card.parse(wording.card_face(card)) for card in DECK] == list(DECK)


def test_french_cards_say_v_d_r_and_are_read_as_cards(french: None) -> None:
    assert [wording.rank_letter(rank) for rank in (1, 10, 11, 12, 13)] == ["A", "10", "V", "D", "R"]
    assert wording.card_face(Card.parse("KD")) == "R♦"
    assert [Card.parse(wording.card_face(card)) for card in DECK] == list(DECK)
    assert wording.card_name(Card.parse("QH")) == "dame de cœur"
    # The plain name is the same in every language: codes, transcripts and JSON have it.
    assert str(Card.parse("R♦")) == "KD"


def test_sentence() -> None:
    assert wording.sentence("king of diamonds") == "King of diamonds"
    assert wording.sentence("10 of clubs") == "10 of clubs"
    assert wording.sentence("") == ""
    assert wording.sentence("їжак") == "Їжак"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00"), (0.99, "0:00"), (59.999, "0:59"), (60, "1:00"), (187.9, "3:07"), (3599, "59:59"), (3600, "1:00:00")],
)
def test_duration(seconds: float, text: str) -> None:
    assert wording.duration(seconds) == text


@given(st.floats(0, 10**7))
def test_a_duration_tells_the_whole_seconds(seconds: float) -> None:
    parts = [int(part) for part in wording.duration(seconds).split(":")]
    assert len(parts) == (3 if seconds >= 3600 else 2)
    hours, minutes, rest = [0, *parts][-3:]
    assert hours * 3600 + minutes * 60 + rest == int(seconds)
    assert max(minutes, rest) < 60
