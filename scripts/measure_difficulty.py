#!/usr/bin/env python
"""Measures what the levels of difficulty are worth: prints the table of docs/difficulty.md.

    python scripts/measure_difficulty.py [DEALS]

Looks at so many deals (by default 600, from seed 0 on) under the `pyramide` rules.
"""

import sys

from pyramide_core import VARIANTS, Deal, Position, Remove
from pyramide_core.solver import Kind, Level, difficulty, solve, verdict
from pyramide_core.solver.playouts import games_won, load
from pyramide_core.study.players import greedy_player, look_ahead_player, uncover_most_player
from pyramide_core.study.referee import play

RULES = VARIANTS["pyramide"]
PLAYERS = (greedy_player, uncover_most_player, look_ahead_player)
LEVELS = (Level.EASY, Level.MEDIUM, Level.HARD)


def losing_choices(position: Position) -> int:
    """Return how many other removals along a shortest win would lose the game."""
    count = 0
    for move in solve(position).line or ():
        for other in position.legal_moves():
            if other != move and isinstance(other, Remove):
                count += verdict(position.apply(other)).kind is Kind.UNWINNABLE
        position = position.apply(move)
    return count


def main(deals: int) -> None:
    """Print one line for each level, and how well the measure repeats itself."""
    load()
    rows: dict[Level, list[tuple[float, ...]]] = {level: [] for level in LEVELS}
    same = unwinnable = 0
    for seed in range(deals):
        deal = Deal.from_seed(seed)
        level = difficulty(deal, RULES).level
        if level is Level.UNWINNABLE:
            unwinnable += 1
            continue
        start = Position.start(deal, RULES)
        again = games_won(start, 200, seed=99) / 200
        same += level is (Level.EASY if again >= 0.75 else Level.MEDIUM if again >= 0.25 else Level.HARD)
        won = [play(deal, RULES, player).won for player in PLAYERS]
        rows[level].append((losing_choices(start), *won))
    winnable = deals - unwinnable
    print(f"{deals} deals, {winnable} winnable; same level with other random games: {same / winnable:.1%}")
    for level, found in rows.items():
        means = [sum(column) / len(found) for column in zip(*found, strict=True)]
        shares = " ".join(f"{mean:6.1%}" for mean in means[1:])
        print(f"{level.value:8} {len(found) / winnable:6.1%} of the winnable; losing choices {means[0]:.2f}; {shares}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 600)
