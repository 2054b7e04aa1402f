"""The review of a game: the shortest win beside the moves that were made, and which of them gave something away.

Knows no clock, no undo and no widget: it is given a deal, rules and the moves that count.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pyramide_core.deals import Deal
from pyramide_core.messages import _, ngettext
from pyramide_core.moves import Draw, Move, Remove
from pyramide_core.position import Position
from pyramide_core.rules import Rules
from pyramide_core.solver.answers import solve, verdict
from pyramide_core.solver.control import Cancel
from pyramide_core.solver.reasons import explain_unwinnable
from pyramide_core.solver.results import Kind, Solution
from pyramide_core.wording import card_name

SECONDS = 20.0
VERDICT_LIMIT = 500_000
SHORTEST_LIMIT = 400_000
MOST_SAID = 5
"""How many of the moves that made the way longer are named one by one."""


@dataclass(frozen=True)
class ReviewedMove:
    """One move of the game, numbered from 1: what was known before and after it.

    `shortest_before` and `shortest_after` are how many moves the shortest win took, None where that is not known or
    there was none.
    """

    number: int
    move: Move
    before: Kind
    after: Kind
    shortest_before: int | None = None
    shortest_after: int | None = None

    @property
    def is_losing(self) -> bool:
        """Whether the game could be won before the move, and not after it."""
        return self.before is Kind.WINNABLE and self.after is Kind.UNWINNABLE

    @property
    def wasted(self) -> int | None:
        """By how many moves it made the shortest win longer: 0 for a best move, None where it is not known."""
        if self.shortest_before is None or self.shortest_after is None:
            return None
        return self.shortest_after + 1 - self.shortest_before

    @property
    def name(self) -> str:
        """The move in words."""
        if isinstance(self.move, Remove):
            first, *second = (card_name(card) for card in self.move.cards)
            return _("{first} and {second}").format(first=first, second=second[0]) if second else first
        return _("draw") if isinstance(self.move, Draw) else _("recycle")


@dataclass(frozen=True)
class Review:
    """What there is to say of a game: the `shortest` win of the deal, and each move as it was judged."""

    deal: Deal
    rules: Rules
    shortest: Solution
    moves: tuple[ReviewedMove, ...]
    won: bool
    reason: str = field(default="", repr=False)
    """Why the game was lost after the first move that lost it, or from the deal on; empty when it was not."""

    @property
    def first_losing(self) -> ReviewedMove | None:
        """The move that lost the game, None when none did or it is not known which."""
        return next((move for move in self.moves if move.is_losing), None)

    @property
    def wasteful(self) -> tuple[ReviewedMove, ...]:
        """The moves that made the shortest win longer, as far as that is known."""
        return tuple(move for move in self.moves if move.wasted)

    @property
    def unknown(self) -> int:
        """After how many of the moves it is not known whether the game could be won."""
        return sum(move.after is Kind.UNKNOWN for move in self.moves)

    @property
    def texts(self) -> tuple[str, ...]:
        """The review in words, a sentence or two in each line."""
        return tuple(_sentences(self))


def review(
    deal: Deal, rules: Rules, line: Sequence[Move], *, cancel: Cancel | None = None, seconds: float = SECONDS
) -> Review:
    """Return the review of a line of play from a deal on; raises IllegalMoveError when the line is not legal.

    What does not come out within `seconds`, or before `cancel` is set, stays unknown.
    """
    until = time.monotonic() + seconds
    positions = [Position.start(deal, rules)]
    for move in line:
        positions.append(positions[-1].apply(move))
    shortest = solve(positions[0], limit=SHORTEST_LIMIT, cancel=cancel)
    kinds = _Judge(positions, shortest.kind, cancel, until).kinds()
    lengths = _lengths(positions, kinds, line, shortest, cancel, until)
    moves = tuple(
        ReviewedMove(i + 1, move, kinds[i], kinds[i + 1], lengths[i], lengths[i + 1]) for i, move in enumerate(line)
    )
    lost = next((i for i, kind in enumerate(kinds) if kind is Kind.UNWINNABLE), None)
    reason = explain_unwinnable(positions[lost], cancel=cancel).text if lost is not None else ""
    return Review(deal, rules, shortest, moves, positions[-1].is_won, reason)


class _Judge:
    """Finds which positions of a line can be won: they come first, and those that cannot come last."""

    def __init__(self, positions: Sequence[Position], start: Kind, cancel: Cancel | None, until: float) -> None:
        self.positions, self.cancel, self.until = positions, cancel, until
        self._known: dict[int, Kind] = {}
        if start is not Kind.UNKNOWN:
            self._known[0] = start

    def kinds(self) -> list[Kind]:
        """Return what is known of each position."""
        last = len(self.positions) - 1
        # The end first: a game that can still be won there could be won all along.
        self._fill(-1, last + 1, last)
        first_lost = min((i for i, kind in self._known.items() if kind is Kind.UNWINNABLE), default=last + 1)
        last_won = max((i for i, kind in self._known.items() if kind is Kind.WINNABLE), default=-1)
        return [
            Kind.WINNABLE if i <= last_won else Kind.UNWINNABLE if i >= first_lost else Kind.UNKNOWN
            for i in range(last + 1)
        ]

    def _kind(self, i: int) -> Kind:
        if i not in self._known:
            if time.monotonic() > self.until:
                return Kind.UNKNOWN
            self._known[i] = verdict(self.positions[i], limit=VERDICT_LIMIT, cancel=self.cancel).kind
        return self._known[i]

    def _fill(self, won: int, lost: int, middle: int) -> None:
        """Look into the positions after `won` and before `lost`, first at the one in the `middle`."""
        if lost - won <= 1:
            return
        kind = self._kind(middle)
        if kind is not Kind.WINNABLE:
            self._fill(won, middle, (won + middle) // 2)
        if kind is not Kind.UNWINNABLE:
            self._fill(middle, lost, (middle + lost) // 2)


def _lengths(
    positions: Sequence[Position],
    kinds: Sequence[Kind],
    line: Sequence[Move],
    shortest: Solution,
    cancel: Cancel | None,
    until: float,
) -> list[int | None]:
    """Return how many moves the shortest win takes from each position, None where there is none or it is not known."""
    lengths: list[int | None] = [shortest.length]
    best = shortest.line
    for i in range(1, len(positions)):
        before = lengths[-1]
        if kinds[i] is not Kind.WINNABLE:
            lengths.append(None)
        elif best and best[0] == line[i - 1]:
            best = best[1:]
            lengths.append(len(best))
        elif before is not None and positions[-1].is_won and len(line) - i == before - 1:
            # The player's own game goes on as fast as can be.
            best = tuple(line[i:])
            lengths.append(len(best))
        elif time.monotonic() > until or (cancel is not None and cancel.is_set()):
            best = None
            lengths.append(None)
        else:
            best = solve(positions[i], limit=SHORTEST_LIMIT, cancel=cancel).line
            lengths.append(None if best is None else len(best))
    return lengths


def _sentences(found: Review) -> Iterator[str]:
    """Yield the lines of a review."""
    if found.shortest.kind is Kind.UNWINNABLE:
        yield " ".join([_("This deal cannot be won."), found.reason])
        return
    yield found.shortest.text
    if found.won:
        yield " ".join(_own_win(found))
    losing = found.first_losing
    if losing is not None:
        yield _("Move {number} lost the game ({move}): before it the game could still be won. {why}").format(
            number=losing.number, move=losing.name, why=found.reason
        )
    elif found.reason:
        yield _("At the end the game could no longer be won. {why}").format(why=found.reason)
    elif found.moves and not found.won and found.moves[-1].after is Kind.WINNABLE:
        yield _("As it stands, the game can still be won.")
    yield from _wasteful(found)
    if found.unknown:
        yield ngettext(
            "After {n} move it is not known whether the game could still be won.",
            "After {n} of the moves it is not known whether the game could still be won.",
            found.unknown,
        )


def _own_win(found: Review) -> Iterator[str]:
    yield ngettext("Your win took {n} move.", "Your win took {n} moves.", len(found.moves))
    if found.shortest.length is not None:
        more = len(found.moves) - found.shortest.length
        if more:
            yield ngettext("That is {n} move more than the fewest.", "That is {n} moves more than the fewest.", more)
        else:
            yield _("There is no shorter win.")


def _wasteful(found: Review) -> Iterator[str]:
    moves = found.wasteful
    for move in moves[:MOST_SAID]:
        yield ngettext(
            "Move {number} made the way {n} move longer ({move}).",
            "Move {number} made the way {n} moves longer ({move}).",
            move.wasted or 0,
            number=move.number,
            move=move.name,
        )
    rest = moves[MOST_SAID:]
    if rest:
        yield ngettext(
            "{n} other move made the way longer: {numbers}.",
            "{n} other moves made the way longer: {numbers}.",
            len(rest),
            numbers=", ".join(str(move.number) for move in rest),
        )
