"""Plain searches for the small questions of lessons: a way to a goal, the most cards that can go. Knows no widget.

They look at every position once, so they suit small pyramids, ends of games, and play without the stock. The exact
solver is for whole games.
"""

from collections import deque
from collections.abc import Callable, Iterator

from pyramide_core.messages import _
from pyramide_core.moves import Move
from pyramide_core.position import Position
from pyramide_core.rules import Rules
from pyramide_core.tableau import bits
from pyramide_core.ui.lessons.course import LessonError

Refuse = Callable[[Position, Move], str]
"""Returns why a task does not allow a legal move, or an empty text."""

MOST_POSITIONS = 200_000


def nothing_refused(_position: Position, _move: Move) -> str:
    """Allow every move."""
    return ""


class Explored:
    """Every position that can be reached from a start, nearest first, with a shortest way to each.

    Iterating looks further only as far as it goes, and raises LessonError when there are more than `limit` positions.
    """

    def __init__(self, start: Position, refuse: Refuse = nothing_refused, limit: int = MOST_POSITIONS) -> None:
        self._came: dict[Position, tuple[Position, Move] | None] = {start: None}
        self._todo = deque([start])
        self._refuse = refuse
        self._limit = limit

    def __iter__(self) -> Iterator[Position]:
        while self._todo:
            position = self._todo.popleft()
            yield position
            for move in position.legal_moves():
                following = position.apply(move)
                if following not in self._came and not self._refuse(position, move):
                    if len(self._came) >= self._limit:
                        raise LessonError(
                            _("There are more than {limit} positions to look at.").format(limit=self._limit)
                        )
                    self._came[following] = position, move
                    self._todo.append(following)

    def way(self, position: Position) -> tuple[Move, ...]:
        """Return a shortest line of moves to a position that was looked at."""
        moves: list[Move] = []
        step = self._came[position]
        while step is not None:
            before, move = step
            moves.append(move)
            step = self._came[before]
        return tuple(reversed(moves))


def way_to(
    start: Position, reached: Callable[[Position], bool], refuse: Refuse = nothing_refused, limit: int = MOST_POSITIONS
) -> tuple[Move, ...] | None:
    """Return a shortest line of moves to a position that fits, or None when there is none; LessonError as `Explored`."""
    explored = Explored(start, refuse, limit)
    for position in explored:
        if reached(position):
            return explored.way(position)
    return None


def most_removed(start: Position, refuse: Refuse = nothing_refused) -> int:
    """Return how many more cards than now can be removed, at most; LessonError as `Explored`."""
    return max(len(position.foundation) for position in Explored(start, refuse)) - len(start.foundation)


def sets_left(start: Position) -> frozenset[int]:
    """Return every set of cards, as masks, that can be left from a position on.

    How far the stock is turned is left out: where one card at a time is turned onto one pile, without limit, any card
    of stock and waste can come to the top, whatever was played. LessonError for rules under which that is not so.
    """
    table, rules = start.table, start.rules
    if not turns_freely(rules):
        raise LessonError(_("Under these rules it matters how far the stock is turned."))
    seen, todo = {start.remaining}, [start.remaining]
    while todo:
        left = todo.pop()
        exposed = table.tableau.exposed(left & table.tableau.full)
        for place in bits(exposed | left & table.talon):
            removals = [1 << place] if table.alone >> place & 1 else []
            # One card of a pair comes from the pyramid: two cards of the talon never pair under these rules.
            removals += [1 << place | 1 << other for other in bits(table.partners[place] & exposed)]
            for removal in removals:
                if left & ~removal not in seen:
                    if len(seen) >= MOST_POSITIONS:
                        raise LessonError(
                            _("There are more than {limit} positions to look at.").format(limit=MOST_POSITIONS)
                        )
                    seen.add(left & ~removal)
                    todo.append(left & ~removal)
    return frozenset(seen)


def turns_freely(rules: Rules) -> bool:
    """Tell whether any card of stock and waste can come to the top at any time, and pairs with the pyramid only."""
    turning = rules.draw_count == rules.waste_piles == 1 and rules.passes is None
    return turning and not (rules.stock_playable or rules.talon_pairs or rules.drawn_pairs or rules.cover_pairs)
