"""Scoring: the sources' ten a card, and the five points a removal with points for rows."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramide_core.deals import SEED_COUNT, Deal
from pyramide_core.game import Game
from pyramide_core.position import Position
from pyramide_core.rules import SCORINGS, VARIANTS, Rules
from pyramide_core.scoring import least_removals, most_removals, score_range
from tests.naive import DECK, rank
from tests.tables import deal_with, small_deal, spelled_out

DOCUMENTED = Deal.from_code("PY1-N-AAAAAAS")


def score_of(deal, rules, moves):
    game = Game(deal, rules)
    return [game.play(move).points for move in spelled_out(moves)]


def test_a_pyramid_card_gives_ten_and_a_waste_card_nothing():
    # Two pyramid cards 20, pyramid and waste 10, pyramid king 10 (sources 000 and 004).
    deal = deal_with({7: "KD 10C 3S 4H 5H 5C 5D"}, talon="9D KH")
    assert score_of(deal, Rules(), "KD 10C+3S 9D+4H D KH") == [10, 20, 10, 0, 0]


def test_draws_and_recycles_cost_nothing():
    assert score_of(DOCUMENTED, Rules(), "D*23 R D") == [0] * 25


@settings(max_examples=50)
@given(st.integers(0, SEED_COUNT - 1), st.randoms(use_true_random=False))
def test_the_score_is_ten_for_each_pyramid_card_that_is_gone(seed, chance):
    game = Game(Deal.from_seed(seed), Rules())
    for _number in range(100):
        if game.outcome is None:
            game.play(chance.choice(game.position.legal_moves()))
    assert game.score == 10 * (28 - game.position.tableau.bit_count())


# A deal that three_passes clears to the last card: the kings stand at the ends of rows 7, 5, 3 and 1, every row is made
# of pairs besides, and so is the talon.
PAIRS = iter([(a, b) for a in DECK for b in DECK if rank(a) + rank(b) == 13 and a[-1] == b[-1] and rank(a) < rank(b)])
KINGS = iter(["KC", "KD", "KH", "KS"])
ROWS = {
    row: [card for _pair in range(row // 2) for card in next(PAIRS)] + ([next(KINGS)] if row % 2 else [])
    for row in range(7, 0, -1)
}
TALON = [card for pair in PAIRS for card in pair]
CLEAN = deal_with({row: " ".join(cards) for row, cards in ROWS.items()}, talon=" ".join(TALON))
# Draw the first of two and it goes with the second, which lies on top of the stock.
TALON_LINE = " ".join(f"D {a}+{b}" for a, b in zip(TALON[::2], TALON[1::2], strict=True))


def pyramid_line():
    for row in range(7, 0, -1):
        cards = ROWS[row]
        yield from (f"{a}+{b}" for a, b in zip(cards[: row // 2 * 2 : 2], cards[1::2], strict=True))
        if row % 2:
            yield cards[-1]


def test_rows_give_their_points_from_the_bottom_row_up():
    points = score_of(CLEAN, VARIANTS["three_passes"], " ".join(pyramid_line()))
    # The last removal of each row: 4 of row 7, 3 of row 6, 3, 2, 2, 1, 1.
    assert points == [5, 5, 5, 30, 5, 5, 55, 5, 5, 80, 5, 105, 5, 155, 255, 505]


def test_1290_is_reached_when_all_52_cards_go_and_the_apex_last():
    game = Game(CLEAN, VARIANTS["three_passes"])
    for move in [*TALON_LINE.split(), *pyramid_line()]:
        game.play(move)
    assert game.position.is_won
    assert game.removed == 52
    assert game.score == 1290 == 28 * 5 + 25 + 50 + 75 + 100 + 150 + 250 + 500


def test_the_documented_rows_and_removals_are_data():
    assert SCORINGS["rows"].row_bonus == (25, 50, 75, 100, 150, 250, 500)
    assert SCORINGS["rows"].removal == 5
    assert SCORINGS["ten_a_card"].pyramid_card == 10


def test_rows_of_several_pyramids_count_from_their_own_bottom_row():
    # The 2-row pyramid of Pharaohs: places 1 and 2 are its bottom row, 0 its apex.
    deal = deal_with(places={0: "KD", 1: "6C", 2: "7C"})
    assert score_of(deal, Rules(layout="pharaohs", draws_at_start=0, scoring="rows"), "6C+7C KD") == [30, 55]


@pytest.mark.parametrize(
    ("rules", "wanted"),
    [
        (VARIANTS["pyramide"], (280, 280)),  # sources 000 and 004: a won game is always worth 280
        (VARIANTS["three_passes"], (1225, 1290)),  # 1,150 for the rows, 15 to 28 removals
        (VARIANTS["giza"], (280, 280)),
        (VARIANTS["pharaohs"], (520, 520)),
        (Rules(scoring="rows", goal="all"), (1290, 1290)),
        (Rules(layout="pyramid_3"), (60, 60)),
    ],
)
def test_what_a_won_game_can_be_worth(rules, wanted):
    assert score_range(rules) == wanted


def test_52_cards_are_28_removals_or_26_when_kings_do_not_go_alone():
    assert most_removals(Rules()) == 4 + 24
    assert most_removals(VARIANTS["cheops"]) == 26


def fewest_removals(deal, rules):
    """The fewest removals of a won game, tried out over every removal in every order; draws are free. None: no win."""
    reached = {Position.start(deal, rules)}
    seen = set(reached)
    for removals in range(len(deal.cards)):
        waiting, reached = list(reached), set()
        while waiting:
            here = waiting.pop()
            if here.is_won:
                return removals
            for after in map(here.apply, here.legal_moves()):
                if after not in seen:
                    seen.add(after)
                    (waiting.append if after.remaining == here.remaining else reached.add)(after)
    return None


SMALL = Rules(layout="pyramid_3", draws_at_start=0)


@pytest.mark.parametrize(
    ("deal", "rules", "wanted"),
    [
        # 8+5, a king, Q+A, and a king as the apex.
        ("KC QC AC 8C 5C KD 2C", SMALL, 4),
        # 8+5 and Q+A; 7 and then 6 go with cards of the stock, as the apex 6 may not go with the 7 that covers it ...
        ("6C QC 7C 8C 5C AC 6D 7D", SMALL, 4),
        # ... unless the rules let it.
        ("6C QC 7C 8C 5C AC 6D 7D", replace(SMALL, cover_pairs=True), 3),
    ],
)
def test_the_least_number_of_removals_is_reached_on_a_small_pyramid(deal, rules, wanted):
    assert fewest_removals(small_deal(deal), rules) == least_removals(rules) == wanted


@settings(max_examples=40)
@given(st.permutations(DECK), st.booleans())
def test_no_small_pyramid_is_cleared_with_fewer_removals(deck, cover_pairs):
    rules = replace(SMALL, cover_pairs=cover_pairs)
    fewest = fewest_removals(small_deal(" ".join(deck[:11])), rules)
    assert fewest is None or fewest >= least_removals(rules)


def test_the_usual_pyramid_takes_fifteen_removals_not_fourteen():
    """The apex goes when both its covers are gone, and then it is the last card: no pyramid card can be its partner.

    Of the 27 others, an odd number, at least one more has none either: 13 pairs and 2 removals are 15. (Source 002 says
    14.) With the apex and one other king, 13 pairs and the stock untouched, 15 moves are enough:
    """
    pairs = [[a, b] for a in DECK for b in DECK if rank(a) + rank(b) == 13 and a[-1] == b[-1] and rank(a) < rank(b)]
    row_7, rows_below = [*pairs[:3], ["KC"]], pairs[3:13]
    removals = [*row_7, *rows_below, ["KD"]]
    # Laid from the last place up to the apex, each pair of neighbours is free when those after it are gone.
    laid = [card for cards in removals for card in cards]
    deal = deal_with(places={27 - number: card for number, card in enumerate(laid)})
    game = Game(deal, VARIANTS["classic"])
    for cards in removals:
        game.play("+".join(cards))
    assert game.position.is_won
    assert game.moves == 15 == least_removals(VARIANTS["classic"]) == least_removals(VARIANTS["pyramide"])
    assert least_removals(Rules(cover_pairs=True)) == 14
