"""Moves and their notation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramide_core.cards import DECK, Card
from pyramide_core.errors import MoveTextError
from pyramide_core.moves import DRAW, RECYCLE, Remove, parse_move

cards = st.sampled_from(DECK)
removals = st.builds(Remove, cards) | st.lists(cards, min_size=2, max_size=2, unique=True).map(lambda two: Remove(*two))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("KD", "KD"),
        ("kd", "KD"),
        ("10C+3S", "10C+3S"),
        ("3S+10C", "10C+3S"),
        ("3♠+T♣", "10C+3S"),
        # The sources write the letters of French cards: R, D, V for king, queen, jack.
        ("R♦", "KD"),
        ("A♣+D♥", "QH+AC"),
        ("V♠ + 2♠", "JS+2S"),
        # Equal ranks, which Cheops pairs, stand in the order of the suits.
        ("7S+7C", "7C+7S"),
        ("D", "D"),
        (" d ", "D"),
        ("r", "R"),
    ],
)
def test_a_move_is_read_in_any_form_and_written_in_one(text, plain):
    assert str(parse_move(text)) == plain


def test_a_letter_alone_is_a_draw_or_a_recycle_but_with_a_suit_a_french_card():
    assert parse_move("D") == DRAW
    assert parse_move("R") == RECYCLE
    assert parse_move("DC") == Remove(Card.parse("QC"))
    assert parse_move("RC") == Remove(Card.parse("KC"))


@given(removals)
def test_the_text_of_a_removal_reads_back(move):
    assert parse_move(str(move)) == move


@given(st.lists(cards, min_size=2, max_size=2, unique=True))
def test_a_removal_is_the_same_whichever_card_is_named_first(two):
    assert Remove(*two) == Remove(*reversed(two))
    assert hash(Remove(*two)) == hash(Remove(*reversed(two)))
    assert set(Remove(*two).cards) == set(two)


@pytest.mark.parametrize("text", ["", "+", "K", "KD+", "KD+KD", "1X", "10C+3S+KD", "10C 3S", "draw", "D+R", "U", "♠"])
def test_what_is_no_move_is_refused_by_its_text(text):
    with pytest.raises(MoveTextError) as refusal:
        parse_move(text)
    assert f"“{text}”" in str(refusal.value)
    assert len(str(refusal.value)) < 200


def test_a_card_is_no_pair_with_itself():
    with pytest.raises(MoveTextError, match="two different cards, not K♦ twice"):
        Remove(Card.parse("KD"), Card.parse("KD"))


def test_a_refusal_quotes_no_more_than_a_line():
    with pytest.raises(MoveTextError) as refusal:
        parse_move("KD " * 1000)
    assert len(str(refusal.value)) < 200


@given(st.text(max_size=12))
def test_any_text_is_a_move_or_refused(text):
    try:
        move = parse_move(text)
    except MoveTextError:
        return
    assert parse_move(str(move)) == move
