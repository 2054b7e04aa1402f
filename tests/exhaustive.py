"""A search without any idea: every order of every move of a deal, each position once. For draw one onto one waste pile.

It shares nothing with the solver but the shuffle, and prunes nothing but kings, which may always go at once. Compiled, so
that whole decks can be searched to the end.
"""

import numpy as np
from numba import njit

from pyramide_core import Deal, Rules

ROOM = 1 << 22
LOST, WON, OPEN = range(3)


def judge(seeds: range, rules: Rules, limit: int = ROOM // 2) -> list[int]:
    """Return for each seed whether its deal is lost (0), won (1), or has more positions than `limit` (2)."""
    tableau = rules.tableau
    table, stack = np.zeros(ROOM, np.int64), np.zeros((4096, 3), np.int64)
    covered_by = np.array([*tableau.covered_by, *[0] * (52 - len(tableau))], np.int64)
    goal = tableau.pyramid if rules.goal == "pyramid" else (1 << 52) - 1
    options = (rules.stock_playable, rules.talon_pairs, rules.cover_pairs)
    first = len(tableau) + rules.draws_at_start
    found = []
    for seed in seeds:
        ranks = np.array([card.rank for card in Deal.from_seed(seed).cards], np.int64)
        table[:] = 0
        start = (len(tableau), first, rules.passes - 1)
        found.append(_search(ranks, covered_by, goal, start, options, table, stack, limit))
    return found


@njit(cache=True)
def _search(ranks, covered_by, goal, start, options, table, stack, limit):  # type: ignore[no-untyped-def]  # noqa: C901
    size, first, recycles = start
    stock_playable, talon_pairs, cover_pairs = options
    present = (1 << 52) - 1
    stack[0] = present, first, recycles
    waiting, positions = 1, 0
    while waiting:
        waiting -= 1
        present, next_card, left = stack[waiting]
        while next_card < 52 and not present >> next_card & 1:
            next_card += 1
        if present & goal == 0:
            return WON
        key = (present | next_card << 52 | left << 58) + 1
        slot = (key * 0x9E3779B97F4A7C1 >> 20) % ROOM
        while table[slot] not in (0, key):
            slot = (slot + 1) % ROOM
        if table[slot] == key:
            continue
        table[slot] = key
        positions += 1
        if positions > limit:
            return OPEN
        top = next_card - 1
        while top >= size and not present >> top & 1:
            top -= 1
        playable = [place for place in range(size) if present >> place & 1 and covered_by[place] & present == 0]
        exposed = len(playable)
        if top >= size:
            playable.append(top)
        if stock_playable and next_card < 52:
            playable.append(next_card)
        kings = [place for place in playable if ranks[place] == 13]
        if len(kings):
            stack[waiting] = present ^ 1 << kings[0], next_card, left
            waiting += 1
            continue
        # What comes last here is tried first.
        if next_card < 52:
            stack[waiting] = present, next_card + 1, left
            waiting += 1
        elif left and top >= size:
            stack[waiting] = present, size, left - 1
            waiting += 1
        for one in range(len(playable)):
            for two in range(one):
                fits = ranks[playable[one]] + ranks[playable[two]] == 13
                if fits and (talon_pairs or two < exposed):
                    stack[waiting] = present ^ 1 << playable[one] ^ 1 << playable[two], next_card, left
                    waiting += 1
        if cover_pairs:
            for place in range(size):
                covers = covered_by[place] & present
                if not present >> place & 1 or covers == 0 or covers & (covers - 1):
                    continue
                for cover in playable[:exposed]:
                    if covers == 1 << cover and ranks[place] + ranks[cover] == 13:
                        stack[waiting] = present ^ 1 << place ^ 1 << cover, next_card, left
                        waiting += 1
    return LOST
