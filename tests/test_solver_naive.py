"""The solver against the plain search of the second implementation: small games under all rules, from mid-play too.

Verdict, length of a shortest win and most removable cards must be equal, whichever way the answer was found.
"""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pyramide_core.position import Position
from pyramide_core.rules import VARIANTS
from pyramide_core.solver import Kind, compiled, max_removable, solve, verdict
from pyramide_core.solver.answers import removable_at_most
from pyramide_core.solver.control import Control
from pyramide_core.solver.lines import replay
from pyramide_core.solver.plain import PlainSearch
from tests.solver_support import Truth, late_case, random_case, search

SEEDS = st.integers(0, 2**40)


@pytest.fixture(scope="module", autouse=True)
def _kernel() -> None:
    assert compiled.load() is not None


def check(position: Position, truth: Truth) -> None:
    kind = Kind.UNWINNABLE if truth.shortest is None else Kind.WINNABLE
    judged, solved, most = verdict(position), solve(position), max_removable(position)
    assert judged.kind is kind
    assert solved.kind is kind
    assert solved.length == truth.shortest
    assert most.is_exact
    assert most.cards == truth.most <= removable_at_most(position)
    assert replay(position, most.line).remaining.bit_count() == position.remaining.bit_count() - truth.most
    for line in (judged.line, solved.line):
        assert (line is not None) is (kind is Kind.WINNABLE)
        assert line is None or replay(position, line).is_won


@settings(max_examples=2500)
@given(SEEDS)
def test_any_rules(seed: int) -> None:
    game, position = random_case(seed)
    truth = search(game)
    assume(truth is not None)
    check(position, truth)


@pytest.mark.parametrize("name", [name for name in VARIANTS if VARIANTS[name].talon_size and name != "triangle"])
@settings(max_examples=60)
@given(SEEDS, st.sampled_from(["pyramid_3", "pyramid_4", "pyramid_5"]))
def test_named_rules_on_a_small_pyramid(name: str, seed: int, layout: str) -> None:
    game, position = random_case(seed, replace(VARIANTS[name], layout=layout))
    truth = search(game)
    assume(truth is not None)
    check(position, truth)


FULL = {name: rules for name, rules in VARIANTS.items() if rules.layout != "pyramid"} | {
    "pyramide": VARIANTS["pyramide"],
    "giza, pyramid": replace(VARIANTS["giza"], goal="pyramid"),
    "giza, cover pairs": replace(VARIANTS["giza"], goal="pyramid", cover_pairs=True),
    "pharaohs, cover pairs": replace(VARIANTS["pharaohs"], cover_pairs=True),
}


@pytest.mark.parametrize("name", FULL)
@settings(max_examples=60)
@given(SEEDS)
def test_late_in_a_full_game(name: str, seed: int) -> None:
    game, position = late_case(seed, FULL[name])
    truth = search(game)
    assume(truth is not None)
    check(position, truth)


@settings(max_examples=800)
@given(SEEDS)
def test_plain_search(seed: int) -> None:
    game, position = random_case(seed)
    truth = search(game)
    assume(truth is not None)
    judged = PlainSearch(position, Control()).verdict()
    assert judged.kind is (Kind.UNWINNABLE if truth.shortest is None else Kind.WINNABLE)
    assert judged.line is None or replay(position, judged.line).is_won
