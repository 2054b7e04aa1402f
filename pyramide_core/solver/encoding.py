"""How a position, its rules and a search look as arrays: the names of rows, options, counters and states of a search.

The compiled search and its callers share these numbers. Knows neither.
"""

from typing import TYPE_CHECKING

import numpy as np

from pyramide_core.position import Position
from pyramide_core.solver.model import every_card_comes, model_of, recycles_left

if TYPE_CHECKING:
    from numpy.typing import NDArray

# What a search is after.
FIND_WIN, FIND_SHORTEST, FIND_MOST = range(3)

# Rows of the table, by place: who covers it, whom it covers, which places must be empty before it, cards of a rank
# that fits, tableau cards of a rank that fits and that the layout lets it meet, its rank; and by rank: its cards.
COVERED_BY, COVERS, BEFORE, PARTNERS, MEETS, RANK, OF_RANK = range(7)
ROWS = 7

# Options: masks, numbers and truths (0 or 1).
(
    CARDS,
    TABLEAU,
    TALON,
    ALONE,
    GOAL,
    TOTAL,
    DRAW_COUNT,
    PILES,
    STOCK_PLAYABLE,
    TALON_PAIRS,
    DRAWN_PAIRS,
    COVER_PAIRS,
    EVERYTHING,
    UNLIMITED,
    WORDS,
    PURPOSE,
    ORDER_FREE,
    FOLLOWERS_PAIR,
    TIMED,
) = range(19)
OPTIONS = 19

# A state's first word: the remaining cards, the place of the stock's top card (the number of cards when there is
# none), the recycles left. Its other words: for each bit of the pile numbers the waste cards whose number has it.
CARD_BITS, PLACE_BITS = 52, 6
PILE_WORDS = 3

# Counters of a search.
STATES, BUCKET, EXPANDED, SPARE_ENTRY, ENTRIES, FOUND, FEWEST_LEFT, STOP_AT = range(8)
COUNTERS = 8
# How a search stands.
RUNNING, SUCCESS, EXHAUSTED, FULL = range(4)

UNREACHABLE = 30_000
"""A bound that says that the goal is out of reach."""
BUCKETS = 4096
"""More than any shortest way to a state is long: 28 removals, each after at most two turns of at most 49 cards."""
MOVES_AT_MOST = 600
"""More moves than any position has."""


def table_of(position: Position) -> "NDArray[np.int64]":
    """Return the table of a position's deal and rules."""
    model = model_of(position)
    tableau = model.table.tableau
    table = np.zeros((ROWS, 64), np.int64)
    size = len(tableau)
    table[COVERED_BY, :size] = tableau.covered_by
    table[COVERS, :size] = tableau.covers
    table[BEFORE, :size] = model.before
    count = len(position.deal.cards)
    table[PARTNERS, :count] = model.table.partners
    table[MEETS, :count] = model.meets
    table[RANK, :count] = [card.rank for card in position.deal.cards]
    table[OF_RANK, : len(model.ranks)] = model.ranks
    return table


def options_of(position: Position, purpose: int) -> "NDArray[np.int64]":
    """Return the options of a search from a position."""
    table, rules, model = position.table, position.rules, model_of(position)
    options = np.zeros(OPTIONS, np.int64)
    options[CARDS] = len(position.deal.cards)
    options[TABLEAU] = table.tableau.full
    options[TALON] = table.talon
    options[ALONE] = table.alone
    options[GOAL] = table.goal
    options[TOTAL] = model.total
    options[DRAW_COUNT] = rules.draw_count
    options[PILES] = rules.waste_piles
    options[STOCK_PLAYABLE] = rules.stock_playable
    options[TALON_PAIRS] = rules.talon_pairs and model.talon_mates
    options[DRAWN_PAIRS] = rules.drawn_pairs
    options[COVER_PAIRS] = rules.cover_pairs
    options[EVERYTHING] = rules.goal == "all"
    options[UNLIMITED] = recycles_left(position) is None
    options[WORDS] = 1 + (rules.waste_piles - 1).bit_length()
    options[PURPOSE] = purpose
    _free_the_order(options, position)
    has_talon = bool(position.stock or position.wasted)
    options[TIMED] = has_talon and rules.draw_count == 1 and not options[ORDER_FREE]
    return options


def _free_the_order(options: "NDArray[np.int64]", position: Position) -> None:
    """Say where a state needs only the remaining cards, because each talon card can be made available at any time.

    Not for a shortest win, which counts the draws. Pairs within the talon never help to clear the pyramid; for the
    other purposes they are any two cards that follow each other in one pile, and depend on more with several piles.
    """
    rules, model = position.rules, model_of(position)
    if options[PURPOSE] == FIND_SHORTEST or not every_card_comes(position):
        return
    if options[PURPOSE] == FIND_WIN and rules.goal == "pyramid":
        options[ORDER_FREE] = 1
        options[TALON_PAIRS] = options[DRAWN_PAIRS] = 0
    elif rules.waste_piles == 1 or not model.talon_mates:
        options[ORDER_FREE] = 1
        options[FOLLOWERS_PAIR] = model.talon_mates


def state_of(position: Position) -> "NDArray[np.int64]":
    """Return the words of a position's state."""
    words = np.zeros(1 + PILE_WORDS, np.int64)
    stock = position.stock
    place = (stock & -stock).bit_length() - 1 if stock else len(position.deal.cards)
    left = recycles_left(position) or 0
    words[0] = position.remaining | place << CARD_BITS | left << CARD_BITS + PLACE_BITS
    for number, pile in enumerate(position.waste):
        for bit in range(PILE_WORDS):
            if number >> bit & 1:
                words[1 + bit] |= pile
    return words
