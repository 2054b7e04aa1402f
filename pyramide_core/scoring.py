"""Scoring: the points of a removal, and what a won game can be worth, from data. Knows no history, time or player."""

from collections.abc import Iterable

from pyramide_core.cards import DECK
from pyramide_core.position import Position
from pyramide_core.rules import Rules
from pyramide_core.tableau import Tableau, bits


def removal_points(before: Position, after: Position) -> int:
    """Return the points that the move between two positions of one game gives.

    Waste cards, draws and recycles give nothing by themselves (sources 000 and 004: 10 points for each card that
    leaves the pyramid). A row bonus counts when the row's last card goes.
    """
    points = before.rules.points
    pyramid = before.table.tableau.pyramid
    cards = ((before.tableau & ~after.tableau) & pyramid).bit_count()
    total = points.pyramid_card * cards
    if before.remaining != after.remaining:
        total += points.removal
    for rows in before.table.tableau.pyramids:
        for row, bonus in zip(reversed(rows), points.row_bonus, strict=False):
            if before.tableau & row and not after.tableau & row:
                total += bonus
    return total


def score_range(rules: Rules) -> tuple[int, int]:
    """Return the least and the most that a won game of 52 cards can be worth.

    Bounds that follow from the rules alone; a deal may not let a game reach them.

    >>> from pyramide_core.rules import VARIANTS
    >>> score_range(VARIANTS["pyramide"]), score_range(VARIANTS["three_passes"])
    ((280, 280), (1225, 1290))
    """
    points, tableau = rules.points, rules.tableau
    fixed = points.pyramid_card * tableau.pyramid.bit_count()
    fixed += sum(sum(points.row_bonus[: len(rows)]) for rows in tableau.pyramids)
    return fixed + points.removal * least_removals(rules), fixed + points.removal * most_removals(rules)


def most_removals(rules: Rules) -> int:
    """Return how many removals take all 52 cards away: no game can have more.

    >>> most_removals(Rules()), most_removals(Rules(pairing="neighbours"))
    (28, 26)
    """
    alone = sum(rules.pair_rule.alone(card.rank) for card in DECK)
    return alone + (len(DECK) - alone) // 2


def least_removals(rules: Rules) -> int:
    """Return a number of removals that no won game of 52 cards can do without.

    Where all cards must go it is their number. Else the cards of the pyramid go two at a time at best; but a card
    under which all others lie, the apex, goes last and so with no other pyramid card, unless the rules let it pair
    with its last cover: 28 cards take 15 removals, not 14.

    >>> least_removals(Rules()), least_removals(Rules(cover_pairs=True)), least_removals(Rules(goal="all"))
    (15, 14, 28)
    """
    tableau = rules.tableau
    cards = tableau.pyramid.bit_count()
    if rules.goal == "all" or cards == len(DECK):
        return most_removals(rules)
    if _has_apex(tableau) and not rules.cover_pairs:
        return 1 + cards // 2
    return (cards + 1) // 2


def _has_apex(tableau: Tableau) -> bool:
    """Whether one card of the pyramid lies under all the others, directly or not."""
    for place in bits(tableau.pyramid):
        above = reached = 1 << place
        while above:
            above = _union(tableau.covered_by[p] for p in bits(above)) & ~reached
            reached |= above
        if reached == tableau.pyramid:
            return True
    return False


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union
