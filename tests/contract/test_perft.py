"""Golden counts of all move sequences to a fixed depth, made by the second implementation: both must give them."""

import json
from functools import cache

import pytest

from pyramide_core.deals import Deal
from pyramide_core.moves import parse_move
from pyramide_core.position import Position
from pyramide_core.rules import VARIANTS, Rules
from tests.contract.mixes import OPTIONS
from tests.naive import GOLDEN, RULE_SETS, NaiveGame, unspell

CASES = json.loads(GOLDEN.read_text(encoding="utf-8"))
each_case = pytest.mark.parametrize(
    "case", CASES, ids=[f"{case['rules']}-{len(case['played'].split())}" for case in CASES]
)


@cache
def count_sequences(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    if position.is_won:
        return 0
    return sum(count_sequences(position.apply(move), depth - 1) for move in position.legal_moves())


@each_case
def test_the_engine_gives_the_golden_counts(case):
    position = Position.start(Deal.from_text(case["cards"]), Rules.parse(case["rules"]))
    for word in case["played"].split():
        position = position.apply(parse_move(word))
    assert [count_sequences(position, depth) for depth in range(len(case["counts"]))] == case["counts"]


@each_case
def test_the_second_implementation_gives_the_golden_counts(case):
    base, _, change = case["rules"].partition(",")
    options = RULE_SETS["pyramide" if base == "mix" else base]
    if change:
        name, _, word = change.partition("=")
        options = options | {name: {"yes": True}.get(word, int(word) if word.isdigit() else word)}
    game = NaiveGame(case["cards"].split(), options)
    for word in case["played"].split():
        game.play(unspell(word))
    assert [game.count_sequences(depth) for depth in range(len(case["counts"]))] == case["counts"]


def test_every_rule_set_and_every_option_of_play_has_golden_counts():
    told = {case["rules"] for case in CASES}
    assert set(VARIANTS) <= told
    # Two options only change what is seen, three only what is said, kept or counted; the rest comes with the named sets.
    seen_only = {"face_down", "stock_face_up", "dead_end", "undo_limit", "undo_counts"}
    turned = {change.partition("=")[0] for rules in map(Rules.parse, sorted(told)) for change in rules.differences()}
    assert set(OPTIONS) - seen_only <= turned
