"""Games played at random, many of them fast: what the measure of difficulty counts. Knows no words and no levels.

The functions that play run as they stand in plain Python and, where there is a compiler, compiled: both give the same
numbers, as every choice comes from one small generator, the "minimal standard" of Park and Miller (1988),
x -> 48271 x mod (2^31 - 1). They take arrays of whole numbers and use only what both ways of running them have.
"""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from math import frexp
from typing import Any

from pyramide_core.position import Position
from pyramide_core.solver.compiled import is_available
from pyramide_core.solver.model import USEFUL_RECYCLES, recycles_left

ROOM = 128
"""The most pairs that can be possible at once: half of 16 available cards by 15, and some that still cover another."""

# The places of the numbers that say what is played, and by which rules.
TABLEAU, STOCK, GOAL, ALONE, DRAW_COUNT, PILES, RECYCLES, PLAYABLE, TALON_PAIRS, DRAWN_PAIRS, COVER_PAIRS = range(11)


def play_many(numbers: Any, waste: Any, partners: Any, covered_by: Any, pairs: Any, seed: int, games: int) -> int:
    """Play so many games at random and return how many of them were won.

    A game removes whatever can be removed: cards that go alone at once, else one of the possible pairs, each equally
    likely. It turns the stock only when nothing can go, and ends when it is won or when turning brings nothing more.
    `waste` holds the piles at the start after as many numbers of room, `pairs` is room for ROOM masks.
    """
    chance = seed
    won = 0
    piles = numbers[PILES]
    for _game in range(games):
        tableau = numbers[TABLEAU]
        stock = numbers[STOCK]
        recycles = numbers[RECYCLES]
        for w in range(piles):
            waste[w] = waste[piles + w]
        idle = 0
        while True:
            if is_won(numbers, waste, tableau, stock):
                won += 1
                break
            exposed = exposed_cards(covered_by, tableau)
            talon = talon_tops(numbers, waste, stock)
            alone = (exposed | talon) & numbers[ALONE]
            gone = alone & -alone
            if gone == 0:
                count = possible_pairs(numbers, waste, partners, covered_by, tableau, exposed, talon, pairs)
                if count > 0:
                    chance = chance * 48271 % 2147483647
                    gone = pairs[chance % count]
            if gone != 0:
                tableau &= ~gone
                stock &= ~gone
                for w in range(piles):
                    waste[w] &= ~gone
                idle = 0
            elif stock != 0:
                stock = drawn(numbers, waste, stock)
            else:
                stock = recycled(numbers, waste)
                idle += 1
                if stock == 0 or recycles == 0 or idle > 1:
                    break
                recycles -= 1
    return won


def is_won(numbers: Any, waste: Any, tableau: int, stock: int) -> bool:
    """Tell whether no card of the goal is left."""
    rest = tableau | stock
    for w in range(numbers[PILES]):
        rest |= waste[w]
    return bool((rest & numbers[GOAL]) == 0)


def place_of(mask: int) -> int:
    """Return the highest place in a mask of up to 52 places, exactly: a double holds 53 bits."""
    return frexp(mask)[1] - 1


def exposed_cards(covered_by: Any, tableau: int) -> int:
    """Return the mask of the tableau cards that no card covers."""
    exposed = 0
    left = tableau
    while left != 0:
        low = left & -left
        left ^= low
        if covered_by[place_of(low)] & tableau == 0:
            exposed |= low
    return exposed


def talon_tops(numbers: Any, waste: Any, stock: int) -> int:
    """Return the mask of the available talon cards."""
    tops = 0
    for w in range(numbers[PILES]):
        if waste[w] != 0:
            tops |= 1 << place_of(waste[w])
    if numbers[PLAYABLE] != 0:
        tops |= stock & -stock
    return tops


def possible_pairs(
    numbers: Any, waste: Any, partners: Any, covered_by: Any, tableau: int, exposed: int, talon: int, pairs: Any
) -> int:
    """Write the masks of the possible pairs into `pairs` and return how many there are."""
    count = 0
    left = exposed | talon
    while left != 0:
        low = left & -left
        left ^= low
        others = partners[place_of(low)] & left
        if talon & low != 0 and numbers[TALON_PAIRS] == 0:
            others &= exposed
        while others != 0:
            other = others & -others
            others ^= other
            pairs[count] = low | other
            count += 1
    if numbers[DRAWN_PAIRS] != 0:
        for w in range(numbers[PILES]):
            beneath = 0
            if waste[w] != 0:
                top = place_of(waste[w])
                beneath = waste[w] ^ (1 << top)
            if beneath != 0 and (partners[top] >> place_of(beneath)) & 1 != 0:
                pairs[count] = (1 << top) | (1 << place_of(beneath))
                count += 1
    if numbers[COVER_PAIRS] != 0:
        left = tableau & ~exposed
        while left != 0:
            low = left & -left
            left ^= low
            upper = covered_by[place_of(low)] & tableau
            if upper & exposed == upper and upper & (upper - 1) == 0 and partners[place_of(low)] & upper != 0:
                pairs[count] = low | upper
                count += 1
    return count


def drawn(numbers: Any, waste: Any, stock: int) -> int:
    """Turn the cards of one draw onto the waste and return the stock that is left."""
    for number in range(numbers[DRAW_COUNT]):
        low = stock & -stock
        stock ^= low
        waste[number % numbers[PILES]] |= low
    return stock


def recycled(numbers: Any, waste: Any) -> int:
    """Empty the waste and return its cards as the stock."""
    stock = 0
    for w in range(numbers[PILES]):
        stock |= waste[w]
        waste[w] = 0
    return stock


_HELPERS = (is_won, place_of, exposed_cards, talon_tops, possible_pairs, drawn, recycled)
_lock = threading.Lock()
_compiled: list[Callable[..., int]] = []
_warming: list[threading.Thread] = []


def load() -> bool:
    """Make the compiled form ready in this process and tell whether there is one.

    The first time on a machine this takes some seconds; later the code is read from the compiler's cache.
    """
    if not is_available():
        return False
    with _lock:
        if not _compiled:
            import numba
            from numba.extending import register_jitable

            for helper in _HELPERS:
                register_jitable(helper)
            play = numba.njit(cache=True, nogil=True)(play_many)
            play(*_as_arrays([[0] * (COVER_PAIRS + 1), [0], [0], [0], [0]]), 1, 1)
            _compiled.append(play)
    return True


def warm_up() -> threading.Thread:
    """Make the compiled form ready in the background, once, and return the thread that does it.

    Compiling happens in a process of its own, so that this one stays quick to answer.
    """

    def work() -> None:
        if is_available() and not _compiled:
            program = f"from {__name__} import load; load()"  # not a text
            subprocess.run([sys.executable, "-c", program], check=False)
            load()

    with _lock:
        if not _warming:
            _warming.append(threading.Thread(target=work, name="pyramide-warm-up-playouts", daemon=True))
            _warming[0].start()
    return _warming[0]


def _as_arrays(lists: Iterable[Sequence[int]]) -> list[Any]:
    import numpy as np

    return [np.array(numbers, np.int64) for numbers in lists]


def games_won(position: Position, games: int, seed: int = 1) -> int:
    """Return how many of so many random games from a position are won; the same number every time.

    `seed`, from 1 to 2147483646, is the generator's first number. The compiled form plays when it is loaded.
    """
    table, rules = position.table, position.rules
    recycles = recycles_left(position)
    numbers = [0] * (COVER_PAIRS + 1)
    numbers[TABLEAU], numbers[STOCK] = position.tableau, position.stock
    numbers[GOAL], numbers[ALONE] = table.goal, table.alone
    numbers[DRAW_COUNT], numbers[PILES] = rules.draw_count, rules.waste_piles
    numbers[RECYCLES] = USEFUL_RECYCLES if recycles is None else recycles
    numbers[PLAYABLE], numbers[TALON_PAIRS] = int(rules.stock_playable), int(rules.talon_pairs)
    numbers[DRAWN_PAIRS], numbers[COVER_PAIRS] = int(rules.drawn_pairs), int(rules.cover_pairs)
    waste = [0] * rules.waste_piles + list(position.waste)
    partners, covered_by, pairs = list(table.partners), list(table.tableau.covered_by), [0] * ROOM
    if not _compiled:
        return play_many(numbers, waste, partners, covered_by, pairs, seed, games)
    return int(_compiled[0](*_as_arrays((numbers, waste, partners, covered_by, pairs)), seed, games))
