"""A game being played: a deal and rules, the history, the clock, and what a touch means.

The only mutable state of the core. Knows nothing of how it is shown: every touch answers with an Event whose message
comes from the catalogue.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from pyramide_core.cards import Card
from pyramide_core.clock import Clock
from pyramide_core.deals import Deal
from pyramide_core.errors import IllegalMoveError, MoveTextError
from pyramide_core.messages import _
from pyramide_core.moves import DRAW, RECYCLE, Draw, Move, Recycle, Remove, parse_move
from pyramide_core.position import Outcome, Position
from pyramide_core.rules import Rules
from pyramide_core.scoring import removal_points

UNDO = "U"


class EventKind(Enum):
    """What a touch, a move or an undo came to."""

    SELECTED = "selected"
    RELEASED = "released"
    REMOVED = "removed"
    DREW = "drew"
    RECYCLED = "recycled"
    UNDONE = "undone"
    WRONG_PAIR = "wrong pair"
    BLOCKED = "blocked"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Event:
    """An answer of the game: what happened, the move made or undone, its points, and the message to show (or "")."""

    kind: EventKind
    move: Move | None = None
    points: int = 0
    message: str = ""
    outcome: Outcome | None = None

    @property
    def is_action(self) -> bool:
        """Whether the position changed."""
        return self.move is not None


@dataclass(frozen=True)
class _Past:
    """One action that can be undone: the position before it, the move, and the points it gave."""

    position: Position
    move: Move
    points: int


class Game:
    """A game of a deal under a rule set.

    `moves` counts removals, draws and recycles, and undos where the rules say so; an undo never lowers it. `log`
    holds every action since the deal, undos as UNDO: the transcript. With `error_help` a touch on a blocked card is
    explained.

    >>> from pyramide_core.rules import VARIANTS
    >>> game = Game(Deal.from_code("PY1-N-AAAAAAS"), VARIANTS["pyramide"])
    >>> for card in ("KD", "10C", "3S"): event = game.touch(Card.parse(card))
    >>> game.score, game.moves, str(event.move)
    (30, 2, '10C+3S')
    """

    def __init__(
        self, deal: Deal, rules: Rules, *, error_help: bool = False, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.rules = rules
        self.deal = deal
        self.position = Position.start(deal, rules)
        self.clock = Clock(now)
        self.error_help = error_help
        self.selected: Card | None = None
        self.moves = 0
        self.score = 0
        self.undos = 0
        self.log: list[Move | str] = []
        self._past: deque[_Past] = deque(maxlen=rules.undo_limit)

    # Reading ---------------------------------------------------------------------------------------------------

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended, or None while it goes on."""
        return self.position.outcome()

    @property
    def can_undo(self) -> bool:
        """Whether an action can be taken back: none after a won game."""
        return bool(self._past) and not self.position.is_won

    @property
    def line(self) -> tuple[Move, ...]:
        """The moves that led here, without those taken back."""
        moves: list[Move] = []
        for entry in self.log:
            if isinstance(entry, str):
                moves.pop()
            else:
                moves.append(entry)
        return tuple(moves)

    @property
    def recycles(self) -> int:
        """How often the waste was recycled on the way here."""
        return sum(isinstance(move, Recycle) for move in self.line)

    @property
    def removed(self) -> int:
        """How many cards are removed, from the pyramid and from the talon."""
        return len(self.position.foundation)

    # Touching --------------------------------------------------------------------------------------------------

    def touch(self, card: Card) -> Event:
        """Touch a card of the tableau or the talon, and return what came of it (rules: sources 000 and 004).

        A card that goes alone is removed at once; the selected card is let go; a card that pairs with the selected one
        goes with it; another available card becomes the selected one. A blocked card changes nothing. The selected card
        stays selected over draws, recycles, undos and other removals as long as it can be played.
        """
        if self.outcome is not None or card not in self.deal.place_of:
            return Event(EventKind.NOTHING)
        if card == self.selected:
            self.selected = None
            return Event(EventKind.RELEASED)
        if self.position.is_legal(Remove(card)):
            return self._make(Remove(card))
        if self.selected is not None and self.position.is_legal(Remove(self.selected, card)):
            return self._make(Remove(self.selected, card))
        if not self._can_select(card):
            return self._blocked(card)
        before, self.selected = self.selected, card
        if before is None:
            return Event(EventKind.SELECTED)
        return Event(EventKind.WRONG_PAIR, message=self._why_no_pair(before, card))

    def touch_stock(self) -> Event:
        """Touch the stock: draw, or recycle when it is empty. Says why where neither is possible."""
        if self.outcome is not None:
            return Event(EventKind.NOTHING)
        if self.position.can_draw:
            return self._make(DRAW)
        if self.position.can_recycle:
            return self._make(RECYCLE)
        return Event(EventKind.NOTHING, message=self.position.why_illegal(RECYCLE))

    def _can_select(self, card: Card) -> bool:
        """A card that the rules let pair while it is still covered can be selected like an available one."""
        if self.position.is_available(card):
            return True
        bit = 1 << self.deal.place_of[card]
        return any(mask & bit for mask in self.position.removals())

    def _keep_selection(self) -> None:
        """Keep a card selected while it can be played, so that a player can draw until its partner comes."""
        if self.selected is not None and (self.outcome is not None or not self._can_select(self.selected)):
            self.selected = None

    def _blocked(self, card: Card) -> Event:
        if not self.position.remaining >> self.deal.place_of[card] & 1:
            return Event(EventKind.NOTHING)
        return Event(EventKind.BLOCKED, message=self.blocked_message if self.error_help else "")

    @property
    def blocked_message(self) -> str:
        """What the error help says of a card that cannot be played yet."""
        return _("This card is blocked by another card")

    def _why_no_pair(self, first: Card, second: Card) -> str:
        if not self.rules.pair_rule.pairs(first.rank, second.rank):
            return self.position.pair_message
        if not (self.position.is_available(first) and self.position.is_available(second)):
            return self.blocked_message
        return self.position.why_illegal(Remove(first, second))

    # Moving ----------------------------------------------------------------------------------------------------

    def play(self, move: Move | str) -> Event:
        """Make a move, as a value or as text; on MoveTextError or IllegalMoveError nothing has changed."""
        if isinstance(move, str):
            move = parse_move(move)
        if self.position.is_won:
            raise IllegalMoveError(
                _("{move} is not possible here: {reason}").format(move=move, reason=_("The game is won."))
            )
        return self._make(move)

    def _make(self, move: Move) -> Event:
        after = self.position.apply(move)
        points = removal_points(self.position, after)
        self._past.append(_Past(self.position, move, points))
        self.position = after
        self._keep_selection()
        self.moves += 1
        self.score += points
        self.log.append(move)
        self.clock.start()
        outcome = self.outcome
        if outcome is not None:
            self.clock.stop()
        return Event(_KIND_OF[type(move)], move, points, self._end_message(outcome), outcome)

    def _end_message(self, outcome: Outcome | None) -> str:
        if outcome is Outcome.DEAD_END:
            return _("No more moves can be made")
        return _("You have won!") if outcome is Outcome.WON else ""

    def undo(self) -> Event:
        """Take back the last action: its cards return, its points are taken off, the move counter stays."""
        if not self.can_undo:
            return Event(EventKind.NOTHING, message=_("There is nothing to undo."))
        past = self._past.pop()
        self.position = past.position
        self._keep_selection()
        self.score -= past.points
        self.undos += 1
        self.moves += self.rules.undo_counts
        self.log.append(UNDO)
        self.clock.start()
        return Event(EventKind.UNDONE, past.move, -past.points)

    def replay(self, log: Iterable[Move | str]) -> None:
        """Play a log from another game of this deal: moves, and UNDO for each undo.

        Raises IllegalMoveError naming the number of the first entry that is not possible; those before it stay played.
        """
        for number, entry in enumerate(log, 1):
            try:
                if entry == UNDO:
                    event = self.undo()
                    if not event.is_action:
                        raise IllegalMoveError(event.message)
                else:
                    self.play(entry)
            except (IllegalMoveError, MoveTextError) as error:
                raise type(error)(_("Move {number}: {reason}").format(number=number, reason=error)) from error


_KIND_OF: dict[type, EventKind] = {
    Remove: EventKind.REMOVED,
    Draw: EventKind.DREW,
    Recycle: EventKind.RECYCLED,
}
