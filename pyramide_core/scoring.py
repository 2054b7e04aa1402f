"""Scoring: the points of a removal under a rule set, from data. Knows no history, time or player."""

from pyramide_core.position import Position


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
