"""What the solver says at a table: whether the game can still be won, hints, the review. It moves no card by itself.

Every question runs in the background (`Searches`); an answer to a position that is no longer on the table is dropped.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from pyramide_core.deals import Deal
from pyramide_core.game import Game
from pyramide_core.messages import N_, _
from pyramide_core.moves import Draw, Move, Recycle
from pyramide_core.position import Position
from pyramide_core.rules import Rules
from pyramide_core.solver import Kind, Verdict, is_loaded, verdict, warm_up
from pyramide_core.tableau import bits
from pyramide_core.ui.board import Board
from pyramide_core.ui.searches import Searches

if TYPE_CHECKING:
    from pyramide_core.solver.hints import Hint
    from pyramide_core.solver.reviewing import Review

_WORDS = {
    Kind.WINNABLE: ("winnable", N_("can be won")),
    Kind.UNWINNABLE: ("lost", N_("cannot be won")),
    Kind.UNKNOWN: ("unknown", N_("not known")),
}
T = TypeVar("T")


@dataclass(frozen=True)
class Judgement:
    """What is known of a position: the verdict, and for a lost one the move that lost it and a reason in words."""

    verdict: Verdict
    culprit: Move | None = None
    reason: str = ""


def judge(deal: Deal, rules: Rules, line: tuple[Move, ...], off: threading.Event) -> Judgement:
    """Return the judgement of the position after a line: for a lost one also which move of the line lost it."""
    positions = [Position.start(deal, rules)]
    for move in line:
        positions.append(positions[-1].apply(move))
    found = verdict(positions[-1], cancel=off, compile_now=False)
    if found.kind is not Kind.UNWINNABLE:
        return Judgement(found)
    from pyramide_core.solver.reasons import explain_unwinnable

    reason = explain_unwinnable(positions[-1], known=found, cancel=off).text
    # Nothing that comes after a lost position wins again, so the move that lost it is found by halving.
    low, high = 0, len(positions) - 1
    while low < high:
        middle = (low + high) // 2
        if verdict(positions[middle], cancel=off, compile_now=False).kind is Kind.UNWINNABLE:
            high = middle
        else:
            low = middle + 1
    return Judgement(found, line[low - 1] if low else None, reason)


class Advice:
    """The solver's side of one table."""

    def __init__(self, board: Board, hint_used: Callable[[], None]) -> None:
        self.board = board
        self._hint_used = hint_used
        self.searches = Searches()
        self.judgement: Judgement | None = None
        self._hint: tuple[Position, Hint] | None = None
        self._step = 0

    # Can it still be won? --------------------------------------------------------------------------------------

    def changed(self, game: Game | None, show: bool) -> None:
        """The position on the table has changed: forget what was said of the old one and judge the new one."""
        self.searches.cancel("verdict", "hint")
        self._hint, self._step = None, 0
        always = game is not None and game.rules.dead_end == "lost"
        if game is None or game.outcome is not None or not (show or always):
            self.judgement = None
            self._say_verdict({})
            return
        deal, rules, line = game.deal, game.rules, game.line
        self.searches.start(
            "verdict",
            lambda off: judge(deal, rules, line, off),
            lambda judgement: self._judged(game, judgement, always),
            self._judging_takes_long,
        )

    def _judging_takes_long(self) -> None:
        """Say so, and have the compiled search ready for the next position."""
        self._say_verdict({"kind": "searching", "text": _("looking")})
        if not is_loaded():
            warm_up()

    def _say_verdict(self, verdict: dict[str, str]) -> None:
        self.board.companion.verdict = verdict

    def _judged(self, game: Game, judgement: Judgement, always: bool) -> None:
        before, self.judgement = self.judgement, judgement
        kind, text = _WORDS[judgement.verdict.kind]
        self._say_verdict({"kind": kind, "text": _(text)})
        is_lost = judgement.verdict.kind is Kind.UNWINNABLE
        was_lost = before is not None and before.verdict.kind is Kind.UNWINNABLE
        if always and is_lost and not was_lost:
            self.board.say(self.lost_sentence(judgement), warning=True)

    def lost_sentence(self, judgement: Judgement) -> str:
        """Return the sentence that says that a game is lost, by which move and why."""
        if judgement.culprit is None:
            text = _("This deal cannot be won.")
        else:
            move = self.board.move_name(judgement.culprit)
            text = _("The game can no longer be won. The move that lost it: {move}.").format(move=move)
        return f"{text} {judgement.reason}".strip()

    # Hints -----------------------------------------------------------------------------------------------------

    def hint(self, game: Game) -> None:
        """Go one step further with the hint: which cards, then why, then the move itself."""
        if self._hint is not None and self._hint[0] == game.position:
            self._show_hint(game)
            return
        from pyramide_core.solver.hints import hint

        position = game.position
        self.searches.start(
            "hint",
            lambda off: _ready(lambda: hint(position, cancel=off)),
            lambda found: self._found(game, position, found),
            lambda: self.board.say(_("Looking for a good move…")),
        )

    def _found(self, game: Game, position: Position, hint: "Hint") -> None:
        if game.position != position:
            return
        self._hint_used()
        self._hint, self._step = (position, hint), 0
        self._show_hint(game)

    def _show_hint(self, game: Game) -> None:
        if self._hint is None:
            return
        hint = self._hint[1]
        self._step += 1
        if hint.move is None:
            self.board.say(hint.text, warning=True)
        elif self._step == 1:
            with self.board.companion.hold_sync():
                self.board.companion.lit = self.keys(game.position, hint.move)
                self.board.say(_("A hint: {move}.").format(move=self.board.move_name(hint.move)))
        elif self._step == 2:
            self.board.say(hint.text)
        else:
            self.board.play(hint.move)

    @staticmethod
    def keys(position: Position, move: Move) -> list[str]:
        """Return the keys of the buttons that a move concerns."""
        if isinstance(move, Draw | Recycle):
            return ["stock"]
        return [key for card in move.cards for key in _key(position, position.deal.place_of[card])]

    # Reviews and deals of a difficulty -------------------------------------------------------------------------

    def review(self, game: Game, done: "Callable[[Review], None]") -> None:
        """Judge every move of a game as it stands, and give the review to `done`."""
        from pyramide_core.solver.reviewing import review

        deal, rules, line = game.deal, game.rules, game.line
        self.searches.start("review", lambda off: _ready(lambda: review(deal, rules, line, cancel=off)), done)

    def find_deal(self, rules: Rules, wanted: str, done: Callable[[Deal | None], None]) -> None:
        """Look for a random deal that is as `wanted`: a level of difficulty, or `winnable` for any of them."""
        from pyramide_core.solver.grading import Level, find_deal

        can_be_won = frozenset((Level.EASY, Level.MEDIUM, Level.HARD))
        levels = can_be_won if wanted == "winnable" else frozenset((Level(wanted),))
        self.searches.start("deal", lambda off: find_deal(rules, levels, cancel=off), done)


def _ready(work: Callable[[], T]) -> T:
    """Do work that needs the compiled search, made ready in a process of its own so that the table stays quick."""
    if not is_loaded():
        warm_up(wait=True)
    return work()


def _key(position: Position, place: int) -> list[str]:
    if place < len(position.table.tableau):
        return [f"t{place}"]
    for number, pile in enumerate(position.waste):
        if pile >> place & 1:
            return [f"waste{number}" if pile >> place == 1 else f"under{number}"]
    return ["next"] if position.stock >> place & 1 and place == next(bits(position.stock)) else []
