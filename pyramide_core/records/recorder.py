"""The recorder: saves a game while it is played, and finds the game to come back to. Knows no widget.

Every action goes to a thread of its own, so that no click waits for a disk. Only one save is on its way at a time: the
next action waits until the one before it is kept, which it has long been when a person plays. So a program that is
killed at any moment loses the action in flight at most. A save that fails is made up for by the next one.

Imports the database when it is first opened, in that thread.
"""

import atexit
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pyramide_core.game import Game
from pyramide_core.messages import _
from pyramide_core.records.errors import ConflictError, NotYoursError, OffError, OverError, RecordsError
from pyramide_core.records.memory import read_memory, write_memory
from pyramide_core.records.saved import GameFacts, SavedGame, facts_of, make_key
from pyramide_core.records.tokens import hash_token

if TYPE_CHECKING:
    from pyramide_core.records.store import Account, Gate, Records

LOG = logging.getLogger(__name__)
PATIENCE_SECONDS = 5.0
"""How long an action waits for the save before it. A database that takes longer makes nobody wait again until it has
caught up: then more than one action is on its way, and the browser's memory alone has them all."""
CLOSING_SECONDS = 5.0
OPENING_SECONDS = 60.0
"""How long a page waits for the database to be opened: as long as a very busy machine may take to start thirty kernels."""


class Worker:
    """A thread that does one thing after the other, in the order given. It starts with the first thing to do."""

    def __init__(self) -> None:
        self._tasks: queue.SimpleQueue[tuple[Callable[[], object], threading.Event]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._last = threading.Event()
        self._last.set()

    def do(self, task: Callable[[], object]) -> threading.Event:
        """Put a task at the end of the line, and return the event that it will set when it is done."""
        done = self._last = threading.Event()
        self._tasks.put((task, done))
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._run, name="pyramide-records", daemon=True)
            self._thread.start()
            # Threads of this kind are cut off when the program ends; what is on its way gets its time.
            atexit.register(self.wait, CLOSING_SECONDS)
        return done

    def wait(self, seconds: float) -> bool:
        """Wait until everything is done, for so many seconds at most, and return whether it is."""
        return self._last.wait(seconds)

    def _run(self) -> None:
        while True:
            task, done = self._tasks.get()
            try:
                task()
            except Exception:
                LOG.exception("saving failed")
            finally:
                done.set()


@dataclass
class Saving:
    """A game on its way into the database: all that is to be kept, and how much of it is.

    Only the worker's thread changes it after it is made.
    """

    facts: GameFacts
    gate: "Gate | None" = None
    log: list[str] = field(default_factory=list)
    saved: int = 0
    is_over: bool = False
    """Nothing of this game can be saved now: its class is closed, or the time for it is over."""


@dataclass(frozen=True)
class Resumed:
    """A game that comes back, and the sentence to show with it."""

    game: Game
    message: str


class Recorder:
    """Keeps the game of one table. `slot` names the table: "" is the dashboard, a lesson gives its boards other names.

    The database is opened in the background when the recorder is made; until a token is known, nothing is saved there.
    What goes wrong is said once by `notice`.
    """

    def __init__(
        self,
        setting: str | None = None,
        *,
        slot: str = "",
        wall: Callable[[], float] = time.time,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.slot = slot
        self.player = ""
        self.wall = wall
        self.now = now
        self.hints = 0
        self.memory = ""
        """The game as text, for the browser to keep; see `pyramide_core.records.memory`."""
        self.gate: Gate | None = None
        """What the next game belongs to: a deal of a class, or nothing."""
        self._setting = setting
        self._records: Records | None = None
        self._account: Account | None = None
        self._worker = Worker()
        self._saving: Saving | None = None
        self._facts: GameFacts | None = None
        self._sent = 0
        self._is_late = False
        self._notice = ""
        self._failure = ""
        self._is_open = self._worker.do(self._open)

    # The database ----------------------------------------------------------------------------------------------

    def _open(self) -> None:
        try:
            # Imported here, in the background: it takes a second on a busy machine.
            from pyramide_core.records.store import Records

            self._records = Records.open(self._setting, self.wall)
        except OffError as error:
            self._failure = str(error)
        except RecordsError as error:
            self._fail(str(error))
        except ImportError as error:
            self._fail(_("The records need a package that is not installed: {package}.").format(package=error.name))

    def _fail(self, sentence: str) -> None:
        """Note a failure, to be said once until something is saved again."""
        if sentence != self._failure:
            self._failure = sentence
            self._notice = _("{problem} The game goes on without records.").format(problem=sentence)

    @property
    def failure(self) -> str:
        """Why nothing is recorded at present; empty when all is well."""
        return self._failure

    def notice(self) -> str:
        """Return what the player should be told now, each thing once; usually nothing."""
        notice, self._notice = self._notice, ""
        return notice

    def add_notice(self, sentence: str) -> None:
        """Let the player be told something of the records."""
        self._notice = sentence

    def wait(self, seconds: float = CLOSING_SECONDS) -> bool:
        """Wait until everything is saved, for so many seconds at most, and return whether it is."""
        return self._worker.wait(seconds)

    @property
    def records(self) -> "Records | None":
        """The open database; None when there is none. Waits until it is known."""
        if not self._is_open.wait(OPENING_SECONDS):
            self._fail(_("The records take too long to open."))
        return self._records

    @property
    def account(self) -> "Account | None":
        """The records as this browser sees them, with everything saved first; None without database or token."""
        self._worker.wait(CLOSING_SECONDS)
        return self._account

    def identify(self, token: object) -> None:
        """Say whose browser this is: from now on games are saved under its token."""
        try:
            hash_token(token)
            records = self.records
            if records is not None:
                self._account = records.account(str(token))
                self.player = next(iter(self._account.players()), "")
        except RecordsError as error:
            self._account = None
            self._fail(str(error))

    # Coming back -----------------------------------------------------------------------------------------------

    def resume(
        self,
        memory: object = "",
        code: str = "",
        rules: str = "",
        elapsed: object = None,
        player: str | None = None,
    ) -> Resumed | None:
        """Return the game to come back to, from the database or from what the browser has kept, whichever is further.

        With a code and rules only a game of that deal comes back, with a player only one of theirs. `elapsed` is the
        time of play that the page showed last. Returns None when there is nothing to come back to; what went wrong is
        said by `notice`.
        """
        stored = self._stored(code, rules, player)
        kept = self._kept(memory, code, rules)
        saved, fresh = _further(stored, kept)
        if saved is None:
            return None
        if kept is not None and saved.facts.key == kept.facts.key:
            saved = replace(saved, facts=replace(saved.facts, seconds=self._seconds(saved.facts, kept.facts, elapsed)))
        try:
            return self.take_up(saved, 0 if stored is None or fresh else len(stored.log))
        except RecordsError as error:
            self._notice = str(error)
            return None

    def take_up(self, saved: SavedGame, already: int | None = None) -> Resumed:
        """Go on with a saved game, of whose entries the database has so many `already`: by default, all.

        Raises RecordsError when its log does not fit its deal.
        """
        game = saved.restore(self.now)
        self.hints = saved.facts.hints
        self.player = saved.facts.player
        self._take_up(game, saved, len(saved.log) if already is None else already)
        return Resumed(game, _("Your game goes on: {code}").format(code=game.deal.code))

    def _stored(self, code: str, rules: str, player: str | None) -> SavedGame | None:
        account = self.account
        if account is None:
            return None
        try:
            if code:
                return account.unfinished_game(code, rules, self.slot)
            return account.current_game(player, self.slot)
        except RecordsError as error:
            self._fail(str(error))
            return None

    def _kept(self, memory: object, code: str, rules: str) -> SavedGame | None:
        """Return the browser's game if it is one to come back to. In a class only the database counts."""
        if self.gate is not None:
            return None
        try:
            kept = read_memory(memory if isinstance(memory, str) else "")
        except RecordsError as error:
            self.add_notice(str(error))
            return None
        if kept is None or kept.facts.slot != self.slot or kept.facts.is_won:
            return None
        if code and (kept.facts.code, kept.facts.rules) != (code, rules):
            return None
        return None if self._is_over(kept) else kept

    def _is_over(self, kept: SavedGame) -> bool:
        """Whether the database knows that the browser's game was won or left meanwhile."""
        try:
            known = self._account.game(kept.facts.key) if self._account is not None else None
        except RecordsError:
            return False
        return known is not None and (known.facts.is_won or (not known.facts.is_current and not kept.extends(known)))

    def _seconds(self, saved: GameFacts, kept: GameFacts, elapsed: object) -> float:
        """Return the time of play: the page's own, when it is later and no more than has passed since."""
        times = [saved.seconds, kept.seconds]
        if isinstance(elapsed, int | float) and not isinstance(elapsed, bool) and saved.entries:
            since = max(0.0, self.wall() - kept.updated_at)
            if kept.seconds <= elapsed <= kept.seconds + since + 1:
                times.append(float(elapsed))
        return max(times)

    def _take_up(self, game: Game, saved: SavedGame, already: int) -> None:
        facts = replace(saved.facts, slot=self.slot, is_current=True)
        self._facts = facts
        self._saving = Saving(facts, self.gate, list(saved.log), already)
        self._sent = len(saved.log)
        self.memory = write_memory(SavedGame(facts, saved.log))
        if already < len(saved.log) or not saved.facts.is_current:
            self._save(game)

    def reseat(self) -> None:
        """Let the game that came back belong to what `gate` says now."""
        if self._saving is not None:
            self._saving.gate = self.gate

    def renamed(self, name: str) -> None:
        """Note that the player has another name now."""
        self.player = name
        if self._facts is not None:
            self._facts = replace(self._facts, player=name)

    # Saving ----------------------------------------------------------------------------------------------------

    def begin(self, game: Game) -> None:
        """Keep a game from now on: one just dealt, or one with actions already, such as out of a replay."""
        self.hints = 0
        at = self.wall()
        facts = GameFacts(
            key=make_key(),
            rules=game.rules.text,
            code=game.deal.code,
            player=self.player,
            slot=self.slot,
            started_at=at,
        )
        self._facts = facts
        self._saving = Saving(facts, self.gate)
        self._sent = 0
        self._save(game)

    @property
    def facts(self) -> GameFacts | None:
        """What is known of the game being kept, as of the last save; None when none is."""
        return self._facts

    def save(self, game: Game) -> None:
        """Keep what has happened in the game: an action, a hint, a pause. Does nothing for a game without a code."""
        if self._saving is not None and game.deal.code:
            self._save(game)

    def hint_used(self, game: Game) -> None:
        """Note that a hint was given: the game is marked."""
        self.hints += 1
        self.save(game)

    def _save(self, game: Game) -> None:
        saving, old = self._saving, self._facts
        if saving is None or old is None or not game.deal.code:
            return
        new = tuple(map(str, game.log[self._sent :]))
        facts = self._facts = facts_of(game, replace(old, key=saving.facts.key), hints=self.hints, at=self.wall())
        self._sent = len(game.log)
        self.memory = write_memory(SavedGame(facts, tuple(map(str, game.log))))
        # The save before this one comes first; see the module's page.
        self._is_late = not self._worker.wait(0 if self._is_late else PATIENCE_SECONDS)
        self._worker.do(lambda: self._write(saving, facts, new))

    def _write(self, saving: Saving, facts: GameFacts, new: Sequence[str]) -> None:
        """Bring the database up to date: everything that it does not have yet. Runs in the worker's thread."""
        saving.log.extend(new)
        saving.facts = replace(facts, key=saving.facts.key)
        account = self._account
        if account is None:
            return
        try:
            self._write_to(account, saving)
        except OverError as error:
            # Said once; the next save asks again, as a teacher can let a closed class go on.
            if not saving.is_over:
                saving.is_over = True
                self._notice = str(error)
        except RecordsError as error:
            self._fail(str(error))
        else:
            if self._failure or saving.is_over:
                self._failure = ""
                saving.is_over = False
                self._notice = _("The game is recorded again.")

    def _write_to(self, account: "Account", saving: Saving) -> None:
        try:
            account.save(saving.facts, saving.log[saving.saved :], saving.saved, saving.gate)
        except ConflictError:
            self._settle(account, saving)
            account.save(saving.facts, saving.log[saving.saved :], saving.saved, saving.gate)
        saving.saved = len(saving.log)

    def _settle(self, account: "Account", saving: Saving) -> None:
        """Find out what the database has of a game that was changed elsewhere.

        What it has is part of this game: then the rest follows. Otherwise this is another course of the game, which is
        kept as a game of its own, so that nothing of either is lost.
        """
        try:
            stored = account.game(saving.facts.key)
        except NotYoursError:
            stored = None
        if stored is not None and tuple(saving.log[: len(stored.log)]) == stored.log:
            saving.saved = len(stored.log)
            return
        saving.facts = replace(saving.facts, key=make_key())
        saving.saved = 0
        if stored is not None:
            self._notice = _("This game was played on in another window too: both are kept.")


def _further(stored: SavedGame | None, kept: SavedGame | None) -> tuple[SavedGame | None, bool]:
    """Return the game that is further, and whether the database does not have it at all.

    Of one game the longer log counts, but where the two have gone different ways the database; of two games the one
    played last.
    """
    if kept is None or stored is None:
        return (kept, True) if stored is None else (stored, False)
    if kept.facts.key == stored.facts.key:
        return (kept, False) if kept.extends(stored) else (stored, False)
    return (kept, True) if kept.facts.updated_at > stored.facts.updated_at else (stored, False)
