"""Positions: the rules of the game move by move, on tables laid by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramide_core.cards import DECK, Card
from pyramide_core.deals import Deal
from pyramide_core.errors import DealError, IllegalMoveError
from pyramide_core.moves import DRAW, RECYCLE, parse_move
from pyramide_core.position import Outcome, Position
from pyramide_core.rules import VARIANTS, Rules
from tests.contract.mixes import deals
from tests.tables import after, cards_of, deal_with, moves_of, small_deal

DOCUMENTED = Deal.from_code("PY1-N-AAAAAAS")
PYRAMIDE = VARIANTS["pyramide"]


def why(position, move):
    return position.why_illegal(parse_move(move))


# The start ---------------------------------------------------------------------------------------------------------


def test_the_documented_deal_lies_as_the_rules_page_shows_it():
    start = Position.start(DOCUMENTED, PYRAMIDE)
    rows = [cards_of(start, row) for row in start.table.tableau.rows]
    assert rows == [
        "JD",
        "6C 7H",
        "AS 4D QS",
        "5H 3D 6H 8S",
        "KH KC AD KS 9C",
        "QC 2C 8D 10D 10S JS",
        "7C 10C 3H 4H 3S KD 7S",
    ]
    assert [cards_of(start, pile) for pile in start.waste] == ["7D"]
    assert start.stock.bit_count() == 23


def test_at_the_start_only_the_bottom_row_and_the_waste_top_are_available():
    start = Position.start(DOCUMENTED, PYRAMIDE)
    assert cards_of(start, start.available) == "7C 10C 3H 4H 3S KD 7S 7D"
    assert moves_of(start) == {"KD", "10C+3H", "10C+3S", "D"}


def test_the_documented_play():
    position = after(DOCUMENTED, PYRAMIDE, "KD 10C+3S")
    assert cards_of(position, position.table.tableau.rows[6] & position.tableau) == "7C 3H 4H 7S"
    assert position.stock.bit_count() == 23
    assert cards_of(position, position.wasted) == "7D"
    assert set(map(str, position.foundation)) == {"KD", "10C", "3S"}


def test_a_deal_too_small_for_the_layout_is_refused():
    with pytest.raises(DealError, match="needs 28 cards; the deal has 3"):
        Position.start(small_deal("KC KD KH"), PYRAMIDE)


# Removing ----------------------------------------------------------------------------------------------------------


def test_every_pair_of_thirteen_goes_whatever_the_suits():
    for bottom in ("AC QD 2C JD 3C 10D KC", "4C 9D 5C 8D 6C 7D KC", "AC QC 2C JC 3C 10C KC"):
        position = Position.start(deal_with({7: bottom}), PYRAMIDE)
        pairs = bottom.split()
        for low, high in zip(pairs[:6:2], pairs[1:6:2], strict=True):
            assert f"{high}+{low}" in moves_of(position)
        assert "KC" in moves_of(position)


def test_a_covered_card_is_free_when_both_its_covers_are_gone():
    # QC covers nothing it pairs with; 7C and 6C lie upon it.
    deal = deal_with({6: "QC", 7: "7C 6C AC"}, talon="2C 6D")
    assert why(Position.start(deal, PYRAMIDE), "QC+AC") == "Q♣ is not available."
    assert why(after(deal, PYRAMIDE, "D 7C+6D"), "QC+AC") == "Q♣ is not available."
    assert "QC+AC" in moves_of(after(deal, PYRAMIDE, "7C+6C"))


def test_a_card_never_pairs_with_a_card_that_covers_it():
    deal = deal_with({6: "QC", 7: "KC AC"})
    position = after(deal, PYRAMIDE, "KC")
    assert why(position, "QC+AC") == "Q♣ is not available."


def test_only_the_top_of_the_waste_is_available_and_it_uncovers_the_card_below():
    deal = deal_with({7: "AC 2C 3C 4C"}, talon="QD JD 10D")
    position = after(deal, PYRAMIDE, "D D")
    assert cards_of(position, position.available_talon) == "10D"
    assert why(position, "JD+2C") == "J♦ is not available."
    assert "JD+2C" in moves_of(position.apply(parse_move("10D+3C")))


def test_a_king_goes_alone_from_the_waste_too():
    deal = deal_with({7: "KC"}, talon="KD")
    assert {"KC", "KD"} <= moves_of(Position.start(deal, PYRAMIDE))


def test_a_drawn_card_does_not_pair_with_the_waste_card_it_covers():
    position = after(deal_with(talon="6C 7C"), PYRAMIDE, "D")
    assert why(position, "6C+7C") == "6♣ is not available."


# Drawing and recycling -----------------------------------------------------------------------------------------------


def test_a_recycle_brings_the_same_cards_in_the_same_order():
    position = after(DOCUMENTED, PYRAMIDE, "D*23")
    assert not position.stock
    assert why(position, "D") == "The stock is empty."
    turned = cards_of(position, position.wasted)
    again = position.apply(RECYCLE)
    assert cards_of(again, again.stock) == turned
    assert not again.wasted
    order = []
    for _draw in range(24):
        again = again.apply(DRAW)
        order.append(str(again.table.deal.cards[again.waste_tops[0]]))
    assert " ".join(order) == turned


def test_recycling_is_not_limited_and_leads_back_to_the_same_position():
    start = after(DOCUMENTED, PYRAMIDE, "D*23 R")
    position = start
    for _pass in range(5):
        position = after(DOCUMENTED, PYRAMIDE, "D*23 R " + "D*24 R " * (_pass + 1))
        assert position == start


def test_a_recycle_waits_for_an_empty_stock_and_needs_a_waste_card():
    start = Position.start(DOCUMENTED, PYRAMIDE)
    assert why(start, "R") == "The stock is not empty yet."
    bare = after(small_deal("6C 7C 8C KC 2C 5C KD"), Rules(layout="pyramid_3", draws_at_start=0), "D KD")
    assert why(bare, "R") == "The waste is empty."


# What a refusal says -------------------------------------------------------------------------------------------------


def test_a_refused_move_says_what_is_wrong_with_it():
    position = after(DOCUMENTED, PYRAMIDE, "KD")
    assert why(position, "7C+7S") == "The sum must be 13"
    assert why(position, "10C") == "10♣ does not go alone."
    assert why(position, "KD") == "K♦ is not in play any more."
    assert why(position, "10C+3S") == ""
    with pytest.raises(IllegalMoveError, match=r"^7C\+7S is not possible here: The sum must be 13$"):
        position.apply(parse_move("7C+7S"))
    neighbours = Position.start(DOCUMENTED, Rules(pairing="neighbours"))
    assert why(neighbours, "7C+3S") == "The ranks must be equal or neighbours"


# The end -------------------------------------------------------------------------------------------------------------


def test_the_game_is_won_at_once_when_the_pyramid_is_empty():
    rules = Rules(layout="pyramid_3", draws_at_start=0)
    position = after(small_deal("KC KD KH AC QC KS 5C 6C"), rules, "AC+QC KS KD KH")
    assert position.outcome() is None
    won = position.apply(parse_move("KC"))
    assert won.outcome() is Outcome.WON
    assert won.is_cleared
    assert won.stock.bit_count() == 2


def test_it_is_a_dead_end_only_when_stock_and_waste_are_empty_and_nothing_goes():
    rules = Rules(layout="pyramid_3", draws_at_start=0)
    deal = small_deal("AC 2C 3C 4C 5C 6C KC")
    assert after(deal, rules, "").outcome() is None
    assert after(deal, rules, "D").outcome() is None
    stuck = after(deal, rules, "D KC")
    assert stuck.legal_moves() == ()
    assert stuck.outcome() is Outcome.DEAD_END


def test_the_game_goes_on_while_a_card_can_be_drawn_though_none_can_be_removed():
    stuck = Deal.from_code("PY1-N-AAAAAAJ")
    position = after(stuck, PYRAMIDE, "D*23 R D*24")
    assert position.outcome() is None


# Equality ------------------------------------------------------------------------------------------------------------


def test_positions_reached_in_another_order_are_equal():
    one, other = after(DOCUMENTED, PYRAMIDE, "KD 10C+3S D"), after(DOCUMENTED, PYRAMIDE, "D 10C+3S KD")
    assert one == other
    assert hash(one) == hash(other)
    assert one != after(DOCUMENTED, VARIANTS["thirteen"], "D KD 10C+3S D")


def test_limited_passes_tell_otherwise_equal_positions_apart():
    rules = Rules(passes=3)
    assert after(DOCUMENTED, rules, "D*23 R") != after(DOCUMENTED, rules, "D*23 R D*24 R")


@given(deals)
def test_all_cards_are_on_the_table_at_the_start(deal):
    for rules in VARIANTS.values():
        start = Position.start(deal, rules)
        assert set(start.table.cards(start.remaining)) == set(DECK)
        assert start.foundation == ()
        assert start.tableau.bit_count() + start.stock.bit_count() + start.wasted.bit_count() == 52


@given(deals, st.sampled_from(DECK))
def test_a_card_is_available_where_the_mask_says_so(deal, card):
    start = Position.start(deal, PYRAMIDE)
    assert start.is_available(card) == (card in start.table.cards(start.available))


def test_a_card_of_no_deal_is_not_available():
    start = Position.start(small_deal("AC 2C 3C 4C 5C 6C"), Rules(layout="pyramid_3", draws_at_start=0))
    assert not start.is_available(Card.parse("KC"))
    assert why(start, "KC") == "K♣ is not in play any more."


# What is seen --------------------------------------------------------------------------------------------------------


def test_all_but_the_stock_is_seen_unless_the_rules_say_otherwise():
    start = Position.start(DOCUMENTED, PYRAMIDE)
    assert start.hidden == start.stock
    assert Position.start(DOCUMENTED, Rules(stock_face_up=True)).hidden == 0
    playable = Position.start(DOCUMENTED, Rules(stock_playable=True))
    assert playable.hidden == playable.stock & ~playable.available


def test_covered_cards_that_lie_face_down_turn_up_when_nothing_covers_them():
    deal = deal_with({6: "QC", 7: "7C 6C"})
    rules = Rules(face_down=True)
    start = Position.start(deal, rules)
    assert start.hidden == start.stock | sum(start.table.tableau.rows[:6])
    bit = 1 << deal.place_of[Card.parse("QC")]
    assert start.hidden & bit
    assert not after(deal, rules, "7C+6C").hidden & bit
