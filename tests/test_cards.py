"""Cards: every way to write one, and nothing else."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramide_core.cards import DECK, Card, Suit
from pyramide_core.errors import CardError, PyramideError

# Written out here, not taken from the package: what each rank and suit may be called.
RANK_WORDS = {
    1: ("A", "1"),
    **{rank: (str(rank),) for rank in range(2, 10)},
    10: ("10", "T"),
    11: ("J", "V"),
    12: ("Q", "D"),
    13: ("K", "R"),
}
SUIT_WORDS = {
    Suit.CLUBS: ("C", "♣", "♧", "♣\ufe0f", "♣\ufe0e"),
    Suit.DIAMONDS: ("D", "♦", "♢", "♦\ufe0f", "♦\ufe0e"),
    Suit.HEARTS: ("H", "♥", "♡", "♥\ufe0f", "♥\ufe0e"),
    Suit.SPADES: ("S", "♠", "♤", "♠\ufe0f", "♠\ufe0e"),
}
SPELLINGS = [
    (rank_word + suit_word, rank, suit)
    for rank, rank_words in RANK_WORDS.items()
    for suit, suit_words in SUIT_WORDS.items()
    for rank_word in rank_words
    for suit_word in suit_words
]


def test_deck_is_every_rank_of_every_suit_once() -> None:
    assert {(card.rank, card.suit) for card in DECK} == {(rank, suit) for rank in range(1, 14) for suit in Suit}
    assert len(DECK) == 52


@pytest.mark.parametrize(("text", "rank", "suit"), SPELLINGS)
def test_every_spelling_in_both_cases(text: str, rank: int, suit: Suit) -> None:
    for written in (text, text.lower(), f" {text}\n"):
        assert Card.parse(written) == Card(rank, suit)


def test_the_letter_d_is_queen_or_diamonds_by_its_place() -> None:
    assert Card.parse("DD") == Card(12, Suit.DIAMONDS)
    assert Card.parse("d♣") == Card(12, Suit.CLUBS)
    assert Card.parse("rd") == Card(13, Suit.DIAMONDS)


def test_text_forms() -> None:
    assert [str(card) for card in DECK[:13]] == "AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC".split()
    assert Card(10, Suit.HEARTS).symbol == "10♥"
    assert str(Card(13, Suit.DIAMONDS)) == "KD"


@pytest.mark.parametrize("card", DECK, ids=str)
def test_text_forms_are_read_back(card: Card) -> None:
    assert Card.parse(str(card)) == card
    assert Card.parse(card.symbol) == card
    assert eval(repr(card), {"Card": Card}) == card


def test_red_suits() -> None:
    assert [suit.is_red for suit in Suit] == [False, True, True, False]


WRONG = ["", " ", "K", "D", "♦", "10", "11D", "0D", "14C", "KDD", "K D", "DK", "1OD", "XX", "K?", "-1D", "T", "A♠♠"]


@pytest.mark.parametrize("text", WRONG)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(CardError) as caught:
        Card.parse(text)
    assert f"“{text.strip()}”" in str(caught.value)


# Letters that Unicode turns into a card's letters, digits that are no ASCII digits, and the like.
TRAPS = "\u017f \u212a \u0131 \u00b2 \u2460 \u0663 \uff15 \uff2b \u00df \ufb00 \u0149 \u01f0 \u0410 \u0421".split()


@pytest.mark.parametrize("trap", TRAPS, ids=unicodedata.name)
def test_look_alikes_are_no_cards(trap: str) -> None:
    for text in (trap, trap + "D", "K" + trap, trap + trap):
        with pytest.raises(CardError):
            Card.parse(text)


@given(st.text())
def test_any_text_is_a_card_or_refused(text: str) -> None:
    known = {word.replace("\ufe0e", "").replace("\ufe0f", "") for word, _rank, _suit in SPELLINGS}
    bare = "".join(chr(ord(c) - 32) if "a" <= c <= "z" else c for c in text if c not in "\ufe0e\ufe0f").strip()
    if bare in known:
        assert Card.parse(text) in DECK
    else:
        with pytest.raises(PyramideError):
            Card.parse(text)


def test_a_long_text_is_not_quoted_whole() -> None:
    with pytest.raises(CardError) as caught:
        Card.parse("K" * 100_000)
    assert len(str(caught.value)) < 200


def test_characters_that_do_not_show_are_not_quoted() -> None:
    with pytest.raises(CardError) as caught:
        Card.parse("\x1b[2JK\u202e\udc80")
    assert str(caught.value).isprintable()
