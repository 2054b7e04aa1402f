"""Many deals at once, as arrays: the shuffle of `pyramide_core.deals` for a whole range of seeds. Knows no rules.

numpy is imported when it is first needed.
"""

from typing import TYPE_CHECKING

from pyramide_core.cards import DECK
from pyramide_core.deals import BASE_ORDER, shuffle
from pyramide_core.tableau import Tableau

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def deals_of_seeds(seeds: "NDArray[np.int64]") -> "NDArray[np.int8]":
    """Return the deals of seeds: an array of shape (seeds, 52) that holds each card's place in DECK, in dealing order."""
    import numpy as np

    base = np.array([DECK.index(card) for card in BASE_ORDER], dtype=np.int8)
    order = np.tile(base, (len(seeds), 1))
    state = np.asarray(seeds).astype(np.uint64)
    rows = np.arange(len(seeds))
    again = np.zeros(len(seeds), dtype=bool)
    for i in range(len(DECK) - 1, 0, -1):
        state = state + np.uint64(0x9E3779B97F4A7C15)
        z = state ^ (state >> np.uint64(30))
        z = z * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
        # The generator is called again for a number so large that it would favour small remainders: once in 10**17.
        again |= z > np.uint64((1 << 64) - 1 - (1 << 64) % (i + 1))
        j = (z % np.uint64(i + 1)).astype(np.int64)
        order[rows, i], order[rows, j] = order[rows, j], order[rows, i].copy()
    for row in np.flatnonzero(again):
        order[row] = [DECK.index(card) for card in shuffle(BASE_ORDER, int(seeds[row]))]
    return order


def ranks_of_seeds(seeds: "NDArray[np.int64]") -> "NDArray[np.int8]":
    """Return the ranks, 1 to 13, of the deals of seeds: shape (seeds, 52), in dealing order."""
    import numpy as np

    ranks = np.array([card.rank for card in DECK], dtype=np.int8)
    return ranks[deals_of_seeds(seeds)]


def cards_of_rank_in_rows(seeds: "NDArray[np.int64]", tableau: Tableau, rank: int, rows: int) -> "NDArray[np.int64]":
    """Return for each seed how many cards of a rank lie in the first so many rows of the (first) pyramid."""
    import numpy as np

    mask = sum(tableau.rows[:rows])
    places = np.array([p for p in range(len(tableau)) if mask >> p & 1])
    count: NDArray[np.int64] = (ranks_of_seeds(seeds)[:, places] == rank).sum(axis=1)
    return count
