"""Hints: a best move with its reason. Whoever follows them wins every game that can be won. Moves no card itself.

A hint follows a line that was found once and is kept: a shortest win where one was proved, else the win that the
verdict found; in a lost game a line that removes the most cards.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from pyramide_core.cards import Card
from pyramide_core.messages import _, ngettext
from pyramide_core.moves import Draw, Move, Recycle, Remove
from pyramide_core.position import Position
from pyramide_core.solver.answers import max_removable, solve, verdict
from pyramide_core.solver.control import Cancel
from pyramide_core.solver.hint_reasons import HintReason, Judged, draw_reason, removal_reason
from pyramide_core.solver.reasons import explain_unwinnable
from pyramide_core.solver.results import Kind, Verdict

VERDICT_LIMIT = 1_000_000
"""Positions that the search for any win may look at: seconds at the most."""
SHORTEST_LIMIT = 400_000
"""Positions that the search for a shortest win may look at before the win of the verdict is followed instead."""
MOST_LIMIT = 200_000
CHOICE_LIMIT = 50_000
"""Positions that the search may look at for each other choice that a hint compares its move with."""
KEPT_POSITIONS = 4000


@dataclass(frozen=True)
class Hint:
    """A move to make, the `cards` to light for it, and the reason in words.

    `verdict` is what is known of the position; `moves_left` is how many moves the line takes that the hint follows,
    None in a game that is not known to be winnable. Without any move that helps `move` is None.
    """

    move: Move | None
    cards: tuple[Card, ...]
    reason: HintReason
    text: str
    verdict: Kind
    moves_left: int | None = None


class _Purpose(Enum):
    WIN = "win"
    MOST = "most"


class _Lines:
    """Lines found before, by each position that they pass: what is begun is carried on."""

    def __init__(self) -> None:
        self._tails: OrderedDict[tuple[Position, _Purpose], tuple[Move, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, position: Position, purpose: _Purpose) -> tuple[Move, ...] | None:
        with self._lock:
            tail = self._tails.get((position, purpose))
            if tail is not None:
                self._tails.move_to_end((position, purpose))
            return tail

    def keep(self, position: Position, purpose: _Purpose, line: Sequence[Move]) -> tuple[Move, ...]:
        """Keep a line without its detours, and return it."""
        positions = [position]
        for move in line:
            positions.append(positions[-1].apply(move))
        last_visit = {visited: number for number, visited in enumerate(positions)}
        straight: list[tuple[Position, Move]] = []
        number = 0
        while number < len(line):
            number = last_visit[positions[number]]
            if number < len(line):
                straight.append((positions[number], line[number]))
                number += 1
        moves = tuple(move for _position, move in straight)
        with self._lock:
            for number, (visited, _move) in enumerate(straight):
                self._tails[visited, purpose] = moves[number:]
                self._tails.move_to_end((visited, purpose))
            while len(self._tails) > KEPT_POSITIONS:
                self._tails.popitem(last=False)
        return moves

    def clear(self) -> None:
        with self._lock:
            self._tails.clear()


_LINES = _Lines()


def forget_lines() -> None:
    """Forget the lines that hints follow, so that the next one searches anew."""
    _LINES.clear()


def hint(position: Position, *, cancel: Cancel | None = None) -> Hint:
    """Return a best move in a position, and why it is one.

    Once `cancel` is set, in any thread, the search stops and the hint is no more than a sensible move.
    """
    if position.is_won:
        return Hint(None, (), HintReason.WON, _("The game is won."), Kind.WINNABLE, 0)
    line = _LINES.get(position, _Purpose.WIN)
    if line is None:
        found = verdict(position, limit=VERDICT_LIMIT, cancel=cancel)
        if found.kind is Kind.UNWINNABLE:
            return _lost(position, found, cancel)
        if found.kind is Kind.UNKNOWN or found.line is None:
            return _unknown(position, found, cancel)
        shortest = solve(position, limit=SHORTEST_LIMIT, cancel=cancel)
        line = _LINES.keep(position, _Purpose.WIN, found.line if shortest.line is None else shortest.line)
    return _winning(position, line, cancel)


def _winning(position: Position, line: tuple[Move, ...], cancel: Cancel | None) -> Hint:
    move = line[0]
    judged = judge_choices(position, move, cancel)
    if isinstance(move, Remove):
        reason, text = removal_reason(position, move, judged)
        return Hint(move, move.cards, reason, text, Kind.WINNABLE, len(line))
    reason, text = draw_reason(position, line, judged)
    return Hint(move, (), reason, text, Kind.WINNABLE, len(line))


def judge_choices(position: Position, move: Move, cancel: Cancel | None = None) -> Judged:
    """Return what the other choices lead to: of what a search with a limit leaves open nothing is claimed."""
    lost: list[Move] = []
    kept: list[Move] = []
    opened: list[Move] = []
    lists = {Kind.UNWINNABLE: lost, Kind.WINNABLE: kept, Kind.UNKNOWN: opened}
    for other in position.legal_moves():
        if other != move:
            lists[verdict(position.apply(other), limit=CHOICE_LIMIT, cancel=cancel).kind].append(other)
    return Judged(tuple(lost), tuple(kept), tuple(opened))


def _lost(position: Position, found: Verdict, cancel: Cancel | None) -> Hint:
    """Return the hint in a lost game: the way to the most cards."""
    why = explain_unwinnable(position, known=found, cancel=cancel).text
    texts = [_("The game can no longer be won."), why]
    line = _LINES.get(position, _Purpose.MOST)
    if line is None:
        most = max_removable(position, limit=MOST_LIMIT, cancel=cancel)
        cards = most.cards
        is_exact = most.is_exact
        line = _LINES.keep(position, _Purpose.MOST, most.line) if is_exact else most.line
    else:
        cards, is_exact = sum(len(move.cards) for move in line if isinstance(move, Remove)), True
    if is_exact and not cards:
        return Hint(None, (), HintReason.LOST, " ".join([*texts, _("No more cards can go.")]), Kind.UNWINNABLE)
    move = line[0] if line else sensible_move(position, cancel)
    if move is None:
        return Hint(None, (), HintReason.LOST, " ".join(texts), Kind.UNWINNABLE)
    if is_exact:
        texts.append(
            ngettext(
                "This way {n} more card goes, the most that can.",
                "This way {n} more cards go, the most that can.",
                cards,
            )
        )
    elif cards:
        texts.append(ngettext("This way {n} more card goes.", "This way {n} more cards go.", cards))
    return Hint(move, _lit(move), HintReason.LOST, " ".join(texts), Kind.UNWINNABLE)


def _unknown(position: Position, found: Verdict, cancel: Cancel | None) -> Hint:
    move = sensible_move(position, cancel)
    texts = [found.text]
    if move is not None:
        texts.append(_("This move is only a sensible one: it frees what it can and is not known to lose."))
    return Hint(move, _lit(move), HintReason.UNKNOWN, " ".join(texts), Kind.UNKNOWN)


def _lit(move: Move | None) -> tuple[Card, ...]:
    return move.cards if isinstance(move, Remove) else ()


def sensible_move(position: Position, cancel: Cancel | None = None) -> Move | None:
    """Return a move that is likely to be good and not known to lose, without any proof; None without a move.

    Cards that go alone first, then what frees most cards and takes most cards of the goal, then the stock.
    """
    goal, exposed = position.table.goal, position.exposed

    def worth(move: Move) -> tuple[int, ...]:
        if isinstance(move, Draw | Recycle):
            return (0, 0, 0)
        after = position.apply(move)
        freed = (after.exposed & ~exposed).bit_count()
        taken = (position.remaining & ~after.remaining & goal).bit_count()
        return (1 + (move.second is None), freed, taken)

    moves = sorted(position.legal_moves(), key=worth, reverse=True)
    for move in moves:
        if verdict(position.apply(move), limit=CHOICE_LIMIT, cancel=cancel).kind is not Kind.UNWINNABLE:
            return move
    return moves[0] if moves else None
