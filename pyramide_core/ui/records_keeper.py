"""The keeper: what a dashboard has to do with records and classes. It decides nothing about the rules.

The dashboard tells it when the page is there, which game is on the table, and what has happened in it; the keeper lets
the recorder save that, brings games back, and answers the dialogs of records and classes.
"""

import asyncio
import functools
import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar
from urllib.parse import parse_qs

from pyramide_core.deals import Deal
from pyramide_core.errors import PyramideError
from pyramide_core.game import Event, Game
from pyramide_core.messages import _, ngettext
from pyramide_core.records import exchange
from pyramide_core.records.daily import deal_of_the_day, today
from pyramide_core.records.errors import NotYoursError, OverError, RecordsError
from pyramide_core.records.recorder import Recorder
from pyramide_core.records.tokens import read_name
from pyramide_core.rules import VARIANTS, Rules
from pyramide_core.ui import records_dialogs as windows
from pyramide_core.wording import day

if TYPE_CHECKING:
    from pyramide_core.records.classes import Pupil
    from pyramide_core.records.store import Account
    from pyramide_core.ui.dashboard import Dashboard

LOG = logging.getLogger(__name__)
Answer = Callable[[dict[str, Any]], None]
WARNING_SECONDS = 60.0
"""How long before the end of the time for a class a learner is told."""
T = TypeVar("T")
P = ParamSpec("P")


def harmless(act: Callable[P, T]) -> Callable[P, T | None]:
    """Let whatever goes wrong while a game is kept be logged: the game itself goes on."""

    @functools.wraps(act)
    def done(*args: P.args, **kwargs: P.kwargs) -> T | None:
        try:
            return act(*args, **kwargs)
        except Exception:
            LOG.exception("the keeper of the records failed")
            return None

    return done


class Keeper:
    """Keeps the games of a dashboard. `slot` is the recorder's: "" for the dashboard of the project."""

    def __init__(self, dashboard: "Dashboard", setting: str | None = None, slot: str = "") -> None:
        self.dashboard = dashboard
        self.recorder = Recorder(setting, slot=slot)
        self.pupil: Pupil | None = None
        self._home_slot = slot
        self._token = ""
        self._memory: object = ""
        self._elapsed: object = None
        self._kept: Game | None = None
        self._seen = {"player": "", "rules": windows.ALL}
        self._chosen = ""
        self._timer: asyncio.TimerHandle | None = None
        dashboard.companion.memory = {"slot": slot, "text": ""}

    # The page and its game -------------------------------------------------------------------------------------

    @harmless
    def meet(self, content: Mapping[str, Any]) -> None:
        """Take in what the page says of its browser: the token, and the game that the browser has kept."""
        self._token = str(content.get("token") or "")
        if self._token:
            self.recorder.identify(self._token)
        self._memory = content.get("memory")
        self._elapsed = content.get("elapsed")

    @harmless
    def open(self, query: str) -> bool:
        """Put the game on the table that the page comes back to, or open the class of its link; say whether there is one.

        A link with a code brings back an unfinished game of that deal only.
        """
        values = {name: texts[-1] for name, texts in parse_qs(query.lstrip("?")).items()}
        if "class" in values and self.open_class(values["class"]):
            return True
        try:
            code = Deal.from_code(values["code"]).code if "code" in values else ""
            rules = Rules.parse(values["rules"]).text if "rules" in values else VARIANTS["pyramide"].text
        except PyramideError:
            return False
        if "rules" in values and not code:
            return False
        return self._resume(code, rules if code else "")

    def _resume(self, code: str = "", rules: str = "") -> bool:
        resumed = self.recorder.resume(self._memory, code, rules, self._elapsed)
        if resumed is None:
            # What there is to say is said with the game that is dealt instead.
            return False
        self._put(resumed.game, resumed.message)
        return True

    def _put(self, game: Game, message: str) -> None:
        """Put a game on the table that the recorder has taken up already."""
        game.error_help = self.dashboard.preferences["error_help"]
        self._kept = game
        self.dashboard._put(game, message)
        self._remember()
        self._tell()

    @harmless
    def took(self, game: Game) -> None:
        """A game is on the table: keep it from now on, unless it is the one being kept."""
        if game is self._kept:
            return
        self._kept = game
        self._place(game)
        self.recorder.begin(game)
        self._remember()
        self._tell()

    def _place(self, game: Game) -> None:
        """Find out whether a game belongs to the class, and on which table it is kept."""
        number = self.pupil.task.number(game.deal.code, game.rules.text) if self.pupil else None
        if self.pupil is not None and number is not None:
            self.recorder.gate, self.recorder.slot = self.pupil.seat(number), self.pupil.slot
        else:
            self.recorder.gate, self.recorder.slot = None, self._home_slot

    @harmless
    def saw(self, event: Event) -> None:
        """Something has happened on the table: keep an action, and say what the player must know."""
        if event.is_action:
            self.save()
        self._tell()

    @harmless
    def save(self) -> None:
        """Keep the game as it stands: after an action, when it is paused, when its page is hidden."""
        if self._kept is not None and self._kept is self.dashboard.game:
            self.recorder.save(self._kept)
            self._remember()

    @harmless
    def hint_used(self) -> None:
        """Mark the game: a hint was given."""
        if self._kept is not None:
            self.recorder.hint_used(self._kept)
            self._remember()

    @property
    def hints_allowed(self) -> bool:
        """Whether the class, if the game on the table belongs to one, allows hints."""
        game = self.dashboard.game
        if self.pupil is None or game is None or self.pupil.task.number(game.deal.code, game.rules.text) is None:
            return True
        return self.pupil.task.hints_allowed

    def _remember(self) -> None:
        """Let the browser keep the game too. A game of a class is kept by its server alone."""
        if self.recorder.gate is None:
            self.dashboard.companion.memory = {"slot": self._home_slot, "text": self.recorder.memory}

    def _tell(self) -> None:
        """Add to the message what has happened to the records."""
        notice = self.recorder.notice()
        if notice:
            said = str(self.dashboard.companion.message.get("text", ""))
            # What ends in the code of a deal is no sentence that another one could follow.
            game = self.dashboard.game
            link = " · " if game and game.deal.code and said.endswith(game.deal.code) else " "
            self.dashboard.say(f"{said}{link}{notice}".strip(), warning=True)

    # Dialogs ---------------------------------------------------------------------------------------------------

    def answers(self) -> dict[str, Answer]:
        """Return what the buttons of the dialogs of records and classes stand for, by their actions."""
        plain: dict[str, Answer] = {
            "records": self._show_statistics,
            "change:seen_player": self._show_statistics,
            "change:seen_rules": self._show_statistics,
            "records_charts": self._show_charts,
            "records_games": self._show_games,
            "records_resume": self._resume_chosen,
            "records_players": self._show_players,
            "records_play": self._choose_player,
            "records_rename": self._rename_player,
            "records_delete": self._ask_delete,
            "records_delete_now": self._delete_now,
            "records_files": self._show_files,
            "records_csv": self._save_csv,
            "records_transcripts": self._save_transcripts,
            "records_import": self._import,
            "today": self._deal_today,
            "class_ask": lambda _values: self.dashboard._open_dialog(windows.ask_class()),
            "class_find": self._find_class,
            "class_join": self._join,
            "class_play": self._play_deal,
            "class_other": self._ask_other_learner,
            "class_leave": lambda _values: self.leave_class(),
            "close": lambda _values: self._close(),
        }
        return {action: self._safely(answer) for action, answer in plain.items()}

    def _safely(self, answer: Answer) -> Answer:
        """Let a failure of the records be said in the dialog's place."""

        def answered(values: dict[str, Any]) -> None:
            try:
                answer(values)
            except RecordsError as error:
                self.dashboard.close_dialog()
                self.dashboard.say(str(error), warning=True)

        return answered

    def _close(self) -> None:
        """Close a dialog; who does not join the class that the page has opened for gets a game all the same."""
        if self.dashboard.game is None:
            self.leave_class()
        else:
            self.dashboard.close_dialog()

    def show(self) -> None:
        """Open the window of statistics, for whoever plays and the rules being played."""
        game = self.dashboard.game
        self._seen = {"player": self.recorder.player, "rules": game.rules.text if game else windows.ALL}
        self._safely(self._show_statistics)({})

    def _account(self) -> "Account":
        account = self.recorder.account
        if account is None:
            raise RecordsError(self.recorder.failure or _("This browser keeps no key, so nothing is recorded."))
        return account

    def _show_statistics(self, values: dict[str, Any]) -> None:
        account = self._account()
        names = account.players()
        player = str(values.get("seen_player", self._seen["player"]))
        if player not in names:
            player = self.recorder.player
        self._seen = {"player": player, "rules": str(values.get("seen_rules") or self._seen["rules"])}
        games = account.games(player)
        self.dashboard._open_dialog(
            windows.statistics(games, names, player, self._seen["rules"], self.recorder.failure)
        )

    def _show_charts(self, _values: dict[str, Any]) -> None:
        rules = self._seen["rules"]
        games = self._account().games(self._seen["player"], None if rules == windows.ALL else rules)
        if not games:
            games = self._account().games(self._seen["player"])
            rules = windows.ALL
        self.dashboard._open_dialog(windows.charts(games, self._seen["player"], rules))

    def _show_games(self, _values: dict[str, Any]) -> None:
        games = [game for game in self._account().games(self.recorder.player) if game.slot == self._home_slot]
        self.dashboard._open_dialog(windows.games_to_go_on_with(games))

    def _resume_chosen(self, values: dict[str, Any]) -> None:
        saved = self._account().game(str(values.get("game")))
        self._leave()
        self._memory = None
        resumed = self.recorder.take_up(saved)
        self._put(resumed.game, resumed.message)

    # Players ---------------------------------------------------------------------------------------------------

    def _show_players(self, _values: dict[str, Any]) -> None:
        self.dashboard._open_dialog(windows.players(self._account().players(), self.recorder.player))

    def _name_in(self, values: dict[str, Any]) -> str | None:
        """Return the typed name, or say what is wrong with it beside its field."""
        try:
            return read_name(str(values.get("name") or ""))
        except RecordsError as error:
            self.dashboard._show_problem("name", str(error))
            return None

    def _choose_player(self, values: dict[str, Any]) -> None:
        chosen = str(values.get("player", windows.NEW_PLAYER))
        typed = str(values.get("name") or "").strip()
        # Who types a name means it, whatever is chosen above.
        name = self._name_in(values) if chosen == windows.NEW_PLAYER or typed else chosen
        if name is None:
            return
        before = self.recorder.player
        self.recorder.player = self._account().choose(name)
        self.dashboard.close_dialog()
        self._memory = None
        if self.recorder.player == before:
            return
        self._leave()
        resumed = self.recorder.resume(player=self.recorder.player)
        if resumed is not None:
            self._put(resumed.game, resumed.message)
        else:
            self.dashboard.new_game()
        self.dashboard.say(_("{player} plays now.").format(player=windows.player_label(self.recorder.player)))

    def _rename_player(self, values: dict[str, Any]) -> None:
        old = str(values.get("player", ""))
        name = self._name_in(values)
        if name is None:
            return
        if old == windows.NEW_PLAYER:
            self.dashboard._show_problem("name", _("Choose above who gets the name."))
            return
        try:
            self._account().rename(old, name)
        except RecordsError as error:
            self.dashboard._show_problem("name", str(error))
            return
        if self.recorder.player == old:
            self.recorder.renamed(name)
        self._show_players({})

    def _ask_delete(self, values: dict[str, Any]) -> None:
        self._chosen = str(values.get("player", ""))
        if self._chosen == windows.NEW_PLAYER:
            self.dashboard._show_problem("name", _("Choose above whom to delete."))
            return
        games = [game for game in self._account().games(self._chosen) if game.entries]
        self.dashboard._open_dialog(windows.confirm_delete(self._chosen, len(games)))

    def _delete_now(self, _values: dict[str, Any]) -> None:
        self._account().delete(self._chosen)
        self.dashboard.close_dialog()
        if self.recorder.player == self._chosen:
            self._leave()
            self.recorder.player = next(iter(self._account().players()), "")
            self.dashboard.new_game()
        self.dashboard.say(_("Everything about {player} is deleted.").format(player=windows.player_label(self._chosen)))

    # Files -----------------------------------------------------------------------------------------------------

    def _show_files(self, _values: dict[str, Any], note: str = "") -> None:
        games = [game for game in self._account().games() if game.entries]
        self.dashboard._open_dialog(windows.files(len(games), note))

    def _save_csv(self, _values: dict[str, Any]) -> None:
        self._send_file("pyramide-games.csv", exchange.BYTE_ORDER_MARK + exchange.write_csv(self._all_games()))

    def _save_transcripts(self, _values: dict[str, Any]) -> None:
        self._send_file("pyramide-games.txt", exchange.write_transcripts(self._all_games()))

    def _all_games(self) -> list[Any]:
        return [saved for saved in self._account().saved_games() if saved.log]

    def _send_file(self, name: str, text: str) -> None:
        self.dashboard.companion.send({"do": "save", "name": name, "text": text})

    def _import(self, values: dict[str, Any]) -> None:
        try:
            games = exchange.read_games(str(values.get("games") or ""))
        except PyramideError as error:
            self.dashboard._show_problem("games", str(error))
            return
        added, known = self._account().add_games(games)
        note = ngettext("{n} game was added.", "{n} games were added.", added)
        if known:
            here = ngettext("{n} was here already.", "{n} were here already.", known)
            note = f"{note} {here}"
        self._show_files({}, note)

    # Classes ---------------------------------------------------------------------------------------------------

    def open_class(self, code: str) -> bool:
        """Open the class of a code: ask for a name, or let in again who has joined; say whether it is there."""
        # Imported here, as everything that needs the database.
        from pyramide_core.records.classes import Pupil

        try:
            account = self._account()
            self.pupil = Pupil(account.records, self._token, code)
            name = self.pupil.name()
        except RecordsError as error:
            self.pupil = None
            self.recorder.add_notice(str(error))
            return False
        if name:
            self._enter(name)
        else:
            self.dashboard._open_dialog(windows.join_class(self.pupil.task, self.recorder.player))
        return True

    def _deal_today(self, values: dict[str, Any]) -> None:
        """Deal the deal of the day under the rules chosen in the New game window."""
        try:
            rules = Rules.parse(str(values.get("rules") or "pyramide"))
        except PyramideError as error:
            self.dashboard._show_problem("code", str(error))
            return
        date = today()
        deal = deal_of_the_day(date)
        message = _("The deal of the day {day}: {code}").format(day=day(date), code=deal.code)
        self.dashboard.new_game(deal, rules, message)

    def _find_class(self, values: dict[str, Any]) -> None:
        """Open the class whose code was typed; a wrong one is explained beside its field."""
        if not self.open_class(str(values.get("class") or "")):
            self.dashboard._show_problem("class", self.recorder.notice())

    def _ask_other_learner(self, _values: dict[str, Any]) -> None:
        """Let somebody else who sits at this browser join the class, or come back to it, by name."""
        if self.pupil is not None:
            self.dashboard._open_dialog(windows.join_class(self.pupil.task, is_other=True))

    def _join(self, values: dict[str, Any]) -> None:
        if self.pupil is None:
            return
        try:
            name = self.pupil.join(str(values.get("name") or ""))
        except OverError:
            raise
        except RecordsError as error:
            self.dashboard._show_problem("name", str(error))
            return
        self._enter(name)

    def _enter(self, name: str) -> None:
        """Go on in the class: with the game begun there, else with the next deal."""
        pupil = self.pupil
        if pupil is None:
            return
        self.recorder.player = name
        self._start_timer(pupil.seconds_left())
        self.recorder.slot, self.recorder.gate = pupil.slot, pupil.seat(1)
        self._memory = None
        resumed = self.recorder.resume(player=name)
        if resumed is None:
            self._deal(self._next_deal() or 1)
            return
        self._place(resumed.game)
        self.recorder.reseat()
        self._put(resumed.game, resumed.message)

    def _start_timer(self, seconds: float | None) -> None:
        """Tell the learner at the moment when the time is over; without a loop, as in a script, saving tells it."""
        self._stop_timer()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        if seconds is None:
            return
        if seconds > WARNING_SECONDS:
            self._timer = loop.call_later(seconds - WARNING_SECONDS, self._time_short)
        else:
            self._timer = loop.call_later(seconds, self._time_over)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_short(self) -> None:
        """Say in good time that the time for the class is nearly over."""
        self._start_timer(WARNING_SECONDS)
        if self.recorder.gate is not None:
            self.dashboard.say(_("There is one minute left for the class."), warning=True)

    def _time_over(self) -> None:
        self.save()
        if self.recorder.gate is not None:
            sentence = _("The time is over: what you play now is not recorded for the class.")
            self.dashboard._open_dialog(windows.class_over(sentence))

    def _next_deal(self) -> int | None:
        """Return the number of the first deal of the class that is not won yet, None when all are."""
        if self.pupil is None:
            return None
        self.recorder.wait()
        tries = self.pupil.tries()
        numbers = range(1, len(self.pupil.task.deals) + 1)
        return next((number for number in numbers if not windows.is_solved(tries, number)), None)

    def next_game(self) -> tuple[Deal, Rules] | None:
        """Return the deal that follows in the class; None outside of a class, and when all its deals are won."""
        if self.pupil is None or self.recorder.gate is None:
            return None
        try:
            number = self._next_deal()
        except RecordsError as error:
            self._miss_class(error)
            return None
        return None if number is None else (self.pupil.task.deal(number), self.pupil.task.rule_set)

    def _deal(self, number: int) -> None:
        if self.pupil is not None:
            task = self.pupil.task
            message = _("Deal {number} of {count} of the class.").format(number=number, count=len(task.deals))
            self.dashboard.new_game(task.deal(number), task.rule_set, message)

    def show_class(self) -> bool:
        """Open the window of the class, if there is one; say whether there is."""
        if self.pupil is None or self.recorder.gate is None:
            return False
        self.recorder.wait()
        try:
            tries, left = self.pupil.tries(), self.pupil.seconds_left()
        except RecordsError as error:
            self._miss_class(error)
            return False
        solved = sum(windows.is_solved(tries, number) for number in range(1, len(self.pupil.task.deals) + 1))
        note = _("All deals of the class are solved.") if solved == len(self.pupil.task.deals) else ""
        self.dashboard._open_dialog(windows.class_deals(self.pupil.task, tries, left, note))
        return True

    def _miss_class(self, error: RecordsError) -> None:
        """Say why the class cannot be read; one that is deleted is left."""
        if isinstance(error, NotYoursError):
            self._leave()
        self.dashboard.say(str(error), warning=True)

    def _play_deal(self, values: dict[str, Any]) -> None:
        if self.pupil is not None:
            text = str(values.get("deal"))
            number = int(text) if text.isascii() and text.isdigit() else 1
            self._deal(max(1, min(number, len(self.pupil.task.deals))))

    def leave_class(self) -> None:
        """Play without the class from now on, with the game that waits on the dashboard or a new one."""
        self._leave()
        self.dashboard.close_dialog()
        self.dashboard.companion.send({"do": "address", "values": {"class": ""}})
        if not self._resume():
            self.dashboard.new_game()

    def _leave(self) -> None:
        """Go back to the dashboard's own table."""
        self._stop_timer()
        self.pupil = None
        self.recorder.gate, self.recorder.slot = None, self._home_slot
