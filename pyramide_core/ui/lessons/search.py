"""Plain searches for the small questions of lessons: a way to a goal, the most cards that can go. Knows no widget.

They look at every position once, so they suit small pyramids, ends of games, and play without the stock. The exact
solver is for whole games.
"""

from collections import deque
from collections.abc import Callable, Iterator

from pyramide_core.messages import _
from pyramide_core.moves import Move
from pyramide_core.position import Position
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
