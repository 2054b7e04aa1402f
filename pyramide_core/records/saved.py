"""A game as it is kept: its facts and its entries, made from a live game and turned back into one. Knows no database.

What is kept is the log; position, counters and undo history follow from replaying it, so that a kept game cannot be in
a state that play does not lead to. The figures beside the log serve statistics.
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from pyramide_core.clock import Clock
from pyramide_core.deals import Deal
from pyramide_core.errors import PyramideError
from pyramide_core.game import UNDO, Game
from pyramide_core.messages import _
from pyramide_core.moves import Move, parse_move
from pyramide_core.position import Outcome
from pyramide_core.records.errors import RecordsError
from pyramide_core.rules import Rules
from pyramide_core.transcript import Transcript

Result = Literal["", "won", "dead-end"]
RESULT_OF: dict[Outcome | None, Result] = {None: "", Outcome.WON: "won", Outcome.DEAD_END: "dead-end"}
PAUSED = "paused"


def make_key() -> str:
    """Return a new name for a game, which no one can guess."""
    return secrets.token_hex(16)


def cards_left(game: Game) -> int:
    """Return how many of the cards that must go for a win are still there."""
    return (game.position.remaining & game.position.table.goal).bit_count()


@dataclass(frozen=True)
class GameFacts:
    """What is known of a kept game without its entries. Times of day are seconds since 1970 UTC, `seconds` is play.

    `slot` names the table on which it is played ("" is the dashboard), of which each player has one current game.
    """

    key: str
    rules: str
    code: str
    player: str = ""
    slot: str = ""
    result: Result = ""
    is_current: bool = True
    entries: int = 0
    score: int = 0
    moves: int = 0
    undos: int = 0
    hints: int = 0
    cards_left: int = 0
    seconds: float = 0.0
    is_paused: bool = False
    started_at: float = 0.0
    updated_at: float = 0.0

    @property
    def is_won(self) -> bool:
        """Whether the game is won."""
        return self.result == "won"

    @property
    def is_left(self) -> bool:
        """Whether another game was begun before this one had ended."""
        return not self.result and not self.is_current

    @property
    def is_played(self) -> bool:
        """Whether the game counts in statistics: something was played in it, and it is over or left."""
        return self.entries > 0 and (self.result != "" or not self.is_current)

    @property
    def started(self) -> datetime:
        """When the cards were dealt, to the second."""
        return datetime.fromtimestamp(int(self.started_at), UTC)

    @property
    def ended(self) -> datetime:
        """When the last thing happened in the game, to the second."""
        return datetime.fromtimestamp(int(self.updated_at), UTC)


def facts_of(game: Game, old: GameFacts, *, hints: int, at: float) -> GameFacts:
    """Return the facts of a live game; key, player, slot and start are those of the old facts."""
    return replace(
        old,
        rules=game.rules.text,
        code=game.deal.code,
        result=RESULT_OF[game.outcome],
        entries=len(game.log),
        score=game.score,
        moves=game.moves,
        undos=game.undos,
        hints=hints,
        cards_left=cards_left(game),
        seconds=round(game.clock.elapsed, 3),
        is_paused=PAUSED in game.clock.holds,
        updated_at=at,
    )


def read_entry(text: str) -> Move | str:
    """Return an entry of a log from its text; raises MoveTextError."""
    return UNDO if text == UNDO else parse_move(text)


@dataclass(frozen=True)
class SavedGame:
    """A kept game with its whole log, as text entry by entry."""

    facts: GameFacts
    log: tuple[str, ...] = ()

    def restore(self, now: Callable[[], float] = time.monotonic) -> Game:
        """Return the game at the point where it was left: position, undo history, counters, clock, pause.

        Raises RecordsError when the log does not fit the deal: then the kept data is wrong.
        """
        facts = self.facts
        try:
            game = Game(Deal.from_code(facts.code), Rules.parse(facts.rules), now=now)
            game.replay(read_entry(text) for text in self.log)
        except PyramideError as error:
            raise RecordsError(_("The saved game cannot be brought back: {reason}").format(reason=error)) from error
        # The clock stands until the next action, as for every game that is taken up again.
        game.clock = Clock(now, facts.seconds)
        if facts.is_paused:
            game.clock.hold(PAUSED)
        return game

    def transcript(self) -> Transcript:
        """Return the game as a transcript; raises RecordsError when the log does not fit the deal."""
        game = self.restore(now=lambda: 0.0)
        made = Transcript.from_game(game, date=self.facts.started)
        return replace(made, seconds=int(self.facts.seconds))

    def extends(self, other: "SavedGame") -> bool:
        """Whether this is the other game, played on or at the same point."""
        return self.facts.key == other.facts.key and self.log[: len(other.log)] == other.log
