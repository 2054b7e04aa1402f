"""Goals of tasks: when one is reached, what is still missing, which moves are out of bounds, and a way there.

A goal asks the engine and never knows an answer itself. Knows no widget.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from pyramide_core.cards import Card
from pyramide_core.game import Game
from pyramide_core.messages import _, ngettext
from pyramide_core.moves import Move, Remove
from pyramide_core.position import Position
from pyramide_core.ui.lessons.game import LessonGame, spelled_out
from pyramide_core.ui.lessons.search import Refuse, most_removed, nothing_refused, way_to
from pyramide_core.wording import card_face

Plan = Callable[[Position], tuple[Move, ...] | None]
"""Returns a line of moves from a position to the goal, or None when none leads there any more."""


@dataclass(frozen=True)
class Goal:
    """What a task wants.

    `reached` tells whether a game is there, and `missing` says in a sentence what it lacks. `refuse` says why a legal
    move is out of bounds (empty when it is not). `plan` finds a way from a position, for hints and printed solutions;
    None means that there is no way any more.
    """

    reached: Callable[[Game], bool]
    missing: Callable[[Game], str]
    plan: Plan
    refuse: Refuse = nothing_refused

    def without_stock(self) -> "Goal":
        """Return the same goal with the stock out of bounds. Make goals that count what is possible with it instead."""
        return replace(self, refuse=stock_refused)


def stock_refused(_position: Position, move: Move) -> str:
    """Refuse draws and recycles."""
    return "" if isinstance(move, Remove) else _("This task goes without the stock.")


def goal_where(
    fits: Callable[[Position], bool], missing: Callable[[Position], str], refuse: Refuse = nothing_refused
) -> Goal:
    """Return the goal of any position that fits; the way there is found by looking at all positions near first."""
    return Goal(
        reached=lambda game: fits(game.position),
        missing=lambda game: missing(game.position),
        plan=lambda position: way_to(position, fits, refuse),
        refuse=refuse,
    )


def remove_most(start: Position, *, stock: bool = False) -> Goal:
    """Return the goal of removing as many cards as can go from a position on, without the stock unless `stock`."""
    refuse = nothing_refused if stock else stock_refused
    before, most = len(start.foundation), most_removed(start, refuse)

    def missing(position: Position) -> str:
        return ngettext(
            "{n} card can go in all; you have removed {removed}.",
            "{n} cards can go in all; you have removed {removed}.",
            most,
            removed=len(position.foundation) - before,
        )

    return goal_where(lambda position: len(position.foundation) >= before + most, missing, refuse)


def remove_cards(*cards: Card, stock: bool = True) -> Goal:
    """Return the goal of removing certain cards."""

    def left(position: Position) -> list[Card]:
        return [card for card in cards if position.remaining >> position.deal.place_of[card] & 1]

    def missing(position: Position) -> str:
        return _("Still there: {cards}.").format(cards=" ".join(map(card_face, left(position))))

    return goal_where(lambda position: not left(position), missing, nothing_refused if stock else stock_refused)


def make_available(card: Card, *, stock: bool = True) -> Goal:
    """Return the goal of making a card available: exposed in the pyramid, or on top of the waste."""

    def missing(_position: Position) -> str:
        return _("{card} is not available yet.").format(card=card_face(card))

    return goal_where(
        lambda position: position.is_available(card), missing, nothing_refused if stock else stock_refused
    )


def win() -> Goal:
    """Return the goal of winning, for small pyramids and ends of games; give a goal of your own `plan` for more."""

    def missing(position: Position) -> str:
        left = (position.remaining & position.table.goal).bit_count()
        return ngettext("{n} card is still in the way.", "{n} cards are still in the way.", left)

    return goal_where(lambda position: position.is_won, missing)


def play_line(start: LessonGame, moves: str) -> Goal:
    """Return the goal of playing just these moves, in the notation of transcripts, as from a sheet of paper."""
    line = tuple(move for move in spelled_out(moves) if not isinstance(move, str))
    before = len(start.line)
    positions = [start.position]
    for move in line:
        positions.append(positions[-1].apply(move))

    def missing(game: Game) -> str:
        played = game.line[before:]
        if played != line[: len(played)]:
            return _("That is not what stands there. Take the last move back.")
        return _("Move {number} of {count} comes next: {move}").format(
            number=len(played) + 1, count=len(line), move=line[len(played)]
        )

    def plan(position: Position) -> tuple[Move, ...] | None:
        return line[positions.index(position) :] if position in positions else None

    return Goal(reached=lambda game: game.line[before:] == line, missing=missing, plan=plan)
