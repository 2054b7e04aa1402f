"""The verdict that decides each pair once agrees with the search over orders, under every rule set that it answers for."""

import numpy as np
import pytest

from pyramide_core import VARIANTS, Deal, Position, Rules
from pyramide_core.cards import RANKS
from pyramide_core.deals import BASE_ORDER
from pyramide_core.solver import Kind, decided, verdict
from pyramide_core.solver.model import before

KINDS = (Kind.UNWINNABLE, Kind.WINNABLE, Kind.UNKNOWN)
BOTH_TOPS = "mix,draws_at_start=0,stock_playable=yes,talon_pairs=yes"
DEALS = 24
RULE_SETS = [
    "thirteen",
    "three_passes",
    "pyramid_thirteen",
    f"{BOTH_TOPS},passes=1",
    f"{BOTH_TOPS},passes=1,goal=all",
    f"{BOTH_TOPS},passes=1,cover_pairs=yes",
    "classic,passes=3",
    "pyramide,passes=2",
    "pyramide,passes=1,draws_at_start=5",
    "pyramide,passes=2,cover_pairs=yes,goal=all",
    "three_passes,passes=2,layout=triangle",
    "thirteen,layout=pyramid_5,stock_playable=yes",
    "three_passes,layout=pyramid_5,passes=4",
]


def verdicts_of(rules: Rules, seeds: range, budget: int = 10**7) -> list[int]:
    base = np.array([card.rank for card in BASE_ORDER], np.int64)
    answers = np.zeros(len(seeds), np.int8)
    decided.Judge(rules, base, before(rules.tableau)).run(np.array(seeds, np.int64), budget, answers)
    return answers.tolist()


@pytest.mark.parametrize("text", RULE_SETS)
def test_agrees_with_the_search_over_orders(text: str) -> None:
    rules = Rules.parse(text)
    assert decided.fits(rules)
    found = verdicts_of(rules, range(DEALS))
    compared = 0
    for seed in range(DEALS):
        wanted = verdict(Position.start(Deal.from_seed(seed), rules), limit=100_000).kind
        if wanted is not Kind.UNKNOWN:
            assert KINDS[found[seed]] is wanted, f"{text}, deal {seed}"
            compared += 1
    assert compared > DEALS / 2


def test_each_deal_is_judged_by_itself() -> None:
    """What is remembered of one deal must not speak for the next one, nor for the next call."""
    rules = VARIANTS["thirteen"]
    together = verdicts_of(rules, range(200))
    assert [verdicts_of(rules, range(seed, seed + 1))[0] for seed in range(40)] == together[:40]
    assert len(set(together)) == 2


def test_budget_leaves_answers_open() -> None:
    rules = Rules.parse(f"{BOTH_TOPS},passes=1")
    short, long = verdicts_of(rules, range(60), 20), verdicts_of(rules, range(60))
    assert 2 in short
    assert 2 not in long
    assert all(a in (2, b) for a, b in zip(short, long, strict=True))


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("pyramide", False),
        ("tuts_tomb,passes=1", False),
        ("apophis", False),
        ("cheops", False),
        ("giza,passes=1", False),
        ("thirteen,drawn_pairs=yes", False),
        ("pyramid", True),
        ("relaxed_pyramid", True),
    ],
)
def test_only_rules_for_which_the_order_does_not_matter_fit(text: str, fits: bool) -> None:
    assert decided.fits(Rules.parse(text)) is fits


def test_tables_say_which_rows_can_be_served() -> None:
    """Against Hall's condition: rows have columns of their own when no set of them has fewer columns than rows."""
    served, turned = decided.tables()
    for matrix in np.random.default_rng(1).integers(0, 1 << 16, 300).tolist():
        rows = [matrix >> 4 * row & 15 for row in range(4)]
        for wanted in range(16):
            subsets = [s for s in range(1, 16) if s & wanted == s]
            union = dict.fromkeys(subsets, 0)
            for s in subsets:
                for row in range(4):
                    if s >> row & 1:
                        union[s] |= rows[row]
            hall = all(union[s].bit_count() >= s.bit_count() for s in subsets)
            assert bool(served[matrix] >> wanted & 1) == hall
        bits = {(row, column) for row in range(4) for column in range(4) if rows[row] >> column & 1}
        flipped = {(row, column) for row in range(4) for column in range(4) if turned[matrix] >> 4 * row + column & 1}
        assert flipped == {(column, row) for row, column in bits}
    assert RANKS[-1] == decided.KING
