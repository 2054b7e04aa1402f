"""The dashboard: a board with everything around a game, as `notebooks/play.ipynb` shows it. No rule lives here.

It deals new games, reads the link that opened the page, and opens the dialogs.
"""

import importlib
from collections.abc import Callable
from dataclasses import fields
from typing import Any
from urllib.parse import parse_qs

import ipywidgets as widgets

from pyramide_core.cards import Card
from pyramide_core.clock import Clock
from pyramide_core.deals import Deal, read_deal
from pyramide_core.errors import PyramideError
from pyramide_core.explain import summary, title
from pyramide_core.game import UNDO, Event, EventKind, Game
from pyramide_core.messages import N_, _, first_available, folder_language, language, set_language, shorten
from pyramide_core.position import Outcome
from pyramide_core.rules import VARIANTS, Rules
from pyramide_core.solver.reviewing import Review
from pyramide_core.transcript import Transcript
from pyramide_core.ui import dialogs
from pyramide_core.ui.advice import Advice
from pyramide_core.ui.board import Board
from pyramide_core.ui.records_keeper import Keeper

DEFAULT_RULES = "pyramide"


class Dashboard(Board):
    """A table with new games, dialogs, pause and the switches of the player.

    Nothing is dealt before the page asks for it, so that a page prepared in advance is a new game for every visitor.
    `records` says where its games are kept, as PYRAMIDE_DATABASE does.
    """

    def __init__(self, *, page: bool = True, records: str | None = None) -> None:
        self.preferences: dict[str, Any] = dict(dialogs.PREFERENCES)
        self._opened = False
        self._replay: Transcript | None = None
        self._left: Game | None = None
        self._review: Review | None = None
        super().__init__(page=page)
        # The database takes a while to import: that happens while the page is prepared, not when a player waits.
        importlib.import_module("pyramide_core.records.store")
        self.keeper = Keeper(self, records)
        self.advice = Advice(self, self.keeper.hint_used)
        self.on_event(self.keeper.saw)

    # Building --------------------------------------------------------------------------------------------------

    def _actions(self) -> list[widgets.Button]:
        self._undo = self._action("undo", N_("Undo"), self.undo)
        self._pause = self._action("pause", N_("Pause"), self.pause, quiet=True)
        return [
            self._undo,
            self._action("hint", N_("Hint"), self.hint),
            self._action("new_game", N_("New game"), self.ask_new_game),
            self._action("restart", N_("Restart"), self.restart, quiet=True),
            self._pause,
            self._action("rules", N_("Rules"), self.show_rules, quiet=True),
            self._action("records", N_("Records"), lambda: self.keeper.show(), quiet=True),
            self._action("transcript", N_("Transcript"), self.show_transcript, quiet=True),
            self._action("options", N_("Options"), self.ask_options, quiet=True),
        ]

    def _sync_actions(self) -> None:
        game = self.game
        self._undo.disabled = game is None or not game.can_undo
        self._pause.disabled = game is None or not game.clock.is_started or game.outcome is not None
        self.companion.paused = game is not None and "paused" in game.clock.holds

    # Games -----------------------------------------------------------------------------------------------------

    def new_game(self, deal: Deal | None = None, rules: Rules | None = None, message: str = "") -> None:
        """Deal a game: these cards, or a random deal; these rules, or those of the game before."""
        if deal is None and rules is None:
            deal, rules = self.keeper.next_game() or (None, None)
        rules = rules or (self.game.rules if self.game else VARIANTS[DEFAULT_RULES])
        game = Game(deal or Deal.random(), rules, error_help=self.preferences["error_help"])
        self._put(game, message or _("A new game: {code}").format(code=shorten(game.deal.code, 20)))

    def _put(self, game: Game, message: str) -> None:
        """Put a game on the table in place of whatever is there: a game, a replay, a dialog."""
        self._replay = None
        self.close_dialog()
        with self.companion.hold_sync():
            self.companion.replay = {}
            self.companion.title = title(game.rules)
            self.show(game, message)
            self.keeper.took(game)
        rules = "" if game.rules == VARIANTS[DEFAULT_RULES] else game.rules.text
        self.companion.send({"do": "address", "values": {"code": game.deal.code, "rules": rules}})

    def restart(self) -> None:
        """Deal the same cards again under the same rules."""
        if self.game:
            self.new_game(self.game.deal, self.game.rules, _("The same deal from the start."))

    def pause(self) -> None:
        """Let the clock stand still with the cards hidden, or go on."""
        if self.game is None or not self.game.clock.is_started or self.game.outcome is not None:
            return
        clock = self.game.clock
        if "paused" in clock.holds:
            clock.release("paused")
            self.say(_("The game goes on."))
        else:
            clock.hold("paused")
            self.say(_("The game is paused."))
        self.sync()
        self.keeper.save()

    def show(self, game: Game, message: str = "", *, warning: bool = False) -> None:
        """Put a game on the table, as it stands."""
        super().show(game, message, warning=warning)
        self.advice.changed(game, self._is_verdict_shown)

    @property
    def _is_verdict_shown(self) -> bool:
        """Whether the player wants the verdict, and may have it: in a class without hints nobody gets it."""
        return bool(self.preferences["verdict"]) and bool(self.keeper.hints_allowed)

    def hint(self) -> None:
        """Give a hint: at the first press which cards, at the second why, at the third the move itself."""
        if self._at_rest() or self.game is None:
            return
        if self.game.outcome is not None:
            self.say(_("The game is over."))
        elif not self.keeper.hints_allowed:
            self.say(_("This class plays without hints."), warning=True)
        else:
            self.advice.hint(self.game)

    def open_link(self, query: str = "") -> None:
        """Open the game of a link: `?code=…&rules=…&lang=…`. What is wrong in it is said beside a game to play."""
        values = {name: texts[-1] for name, texts in parse_qs(query.lstrip("?")).items()}
        problems = []
        deal = rules = None
        try:
            rules = Rules.parse(values["rules"]) if "rules" in values else VARIANTS[DEFAULT_RULES]
        except PyramideError as error:
            problems.append(str(error))
        try:
            deal = Deal.from_code(values["code"]) if "code" in values else None
        except PyramideError as error:
            problems.append(str(error))
        self.new_game(deal, rules)
        if problems:
            self.say(" ".join([*problems, _("This is a new deal instead.") if deal is None else ""]), warning=True)

    def speak(self, code: str) -> None:
        """Change the language of everything on the page; the game stays as it is."""
        if code == language():
            return
        set_language(code)
        with self.companion.hold_sync():
            self.translate()
            if self.game:
                self.companion.title = title(self.game.rules)
                self.say(_("This page speaks English now."))

    # Replays ---------------------------------------------------------------------------------------------------

    def watch(self, transcript: Transcript, at: int = 0) -> None:
        """Show a transcript move by move; the game on the table waits. Raises IllegalMoveError for a wrong move."""
        transcript.replay()
        self.close_dialog()
        if self._replay is None:
            self._left = self.game
            if self._left:
                self._left.clock.hold("replay")
        self._replay = transcript
        self._watch_to(at)

    def _watch_to(self, at: int) -> None:
        transcript = self._replay
        if transcript is None:
            return
        game = Game(transcript.deal, transcript.rules)
        event = None
        for entry in transcript.entries[:at]:
            event = game.undo() if entry == UNDO else game.play(entry)
        game.clock = Clock()
        with self.companion.hold_sync():
            self.companion.replay = {"count": len(transcript.entries), "at": at}
            self.companion.title = title(transcript.rules)
            self.show(game, self.describe_in(game, event) if event else _("The deal."))

    def _hear_replay(self, content: dict[str, Any]) -> None:
        transcript = self._replay
        if transcript is None:
            return
        if content.get("do") == "leave" and self._left is not None:
            self._left.clock.release("replay")
            self._put(self._left, _("Back in the game."))
        elif content.get("do"):
            game = self.game
            if game is not None:
                game.error_help = self.preferences["error_help"]
                self._put(game, _("The game is yours from here."))
        else:
            self._watch_to(max(0, min(len(transcript.entries), int(content.get("at") or 0))))

    # Events ----------------------------------------------------------------------------------------------------

    def touch(self, card: Card) -> Event | None:
        """Touch a card; not in a replay or a pause."""
        return self._at_rest() or super().touch(card)

    def touch_stock(self) -> Event | None:
        """Touch the stock; not in a replay or a pause."""
        return self._at_rest() or super().touch_stock()

    def undo(self) -> Event | None:
        """Take back the last action; not in a replay or a pause."""
        return self._at_rest() or super().undo()

    def _at_rest(self) -> Event | None:
        """What a touch comes to in a replay, which is only watched, and in a pause, which hides the cards."""
        if self._replay is not None:
            self.say(_("This is a replay. “{button}” makes it your game.").format(button=_("Play on from here")))
        elif self.game is not None and "paused" in self.game.clock.holds:
            self.say(_("The game is paused."))
        else:
            return None
        return Event(EventKind.NOTHING)

    def _done(self, event: Event) -> Event:
        done = super()._done(event)
        if done.is_action:
            self.advice.changed(self.game, self._is_verdict_shown)
        if self.game and done.outcome is Outcome.WON:
            self.companion.dialog = dialogs.won(self.game)
        elif self.game and done.outcome is Outcome.DEAD_END:
            self.companion.dialog = dialogs.dead_end(self.game)
        return done

    def _hide(self, hidden: bool) -> None:
        super()._hide(hidden)
        if hidden:
            self.keeper.save()

    def hear(self, event: str, content: dict[str, Any]) -> None:
        """Answer the page: it is there, a dialog was answered, a replay moves."""
        if event == "ready":
            self._ready(content)
        elif event == "replay":
            self._hear_replay(content)
        elif event == "dialog":
            self._answer(str(content.get("action")), dict(content.get("values") or {}))

    def _ready(self, content: dict[str, Any]) -> None:
        """The page is there: the first one opens the game that its address asks for."""
        self._prefer(dict(content.get("preferences") or {}))
        asked = parse_qs(str(content.get("query") or "").lstrip("?")).get("lang", [])
        browser = [str(code) for code in content.get("languages") or []]
        self.speak(first_available([*asked, folder_language(), self.preferences["language"], *browser]))
        if not self._opened:
            self._opened = True
            self.keeper.meet(content)
            query = str(content.get("query") or "")
            if self.game is None and not self.keeper.open(query):
                self.open_link(query)

    # Dialogs ---------------------------------------------------------------------------------------------------

    def ask_new_game(self) -> None:
        """Open the New game window; in a class, that of its deals."""
        if self.keeper.show_class():
            return
        rules = self.game.rules if self.game else VARIANTS[DEFAULT_RULES]
        self._open_dialog(dialogs.new_game(rules))

    def ask_options(self) -> None:
        """Open the switches of the player."""
        self._open_dialog(dialogs.options(self.preferences))

    def show_rules(self) -> None:
        """Open the explanation of the rules being played."""
        if self.game:
            self._open_dialog(dialogs.explanation(self.game.rules))

    def close_dialog(self) -> None:
        """Close whatever dialog is open."""
        self._open_dialog({})

    def _open_dialog(self, dialog: dict[str, Any]) -> None:
        with self.companion.hold_sync():
            self.companion.problem = {}
            self.companion.dialog = dialog

    def _show_problem(self, field: str, text: str) -> None:
        """Say in the open dialog what is wrong with a field; everything typed stays."""
        self._spoken += 1
        self.companion.problem = {"field": field, "text": text, "number": self._spoken}

    def _answer(self, action: str, values: dict[str, Any]) -> None:
        """Do what a button of a dialog stands for."""
        answers: dict[str, Callable[[dict[str, Any]], None]] = {
            "deal": self._deal_asked,
            "undo": lambda _values: self._undo_dead_end(),
            "new": lambda _values: self.new_game(),
            "ask_new": lambda _values: self.ask_new_game(),
            "restart": lambda _values: self.restart(),
            "review": lambda _values: self.show_review(),
            "watch_shortest": lambda _values: self._watch_shortest(),
            "custom": self._mix_asked,
            "play_custom": self._mix_played,
            "read_custom": self._mix_read,
            "replay": self._replay_asked,
            "copy_transcript": lambda values: self.companion.send({"do": "copy", "text": values.get("transcript")}),
            "save_transcript": self._save_transcript,
            **{f"change:{field.name}": self._mix_changed for field in fields(Rules)},
            **{f"change:{name}": self._set_options for name in dialogs.PREFERENCES},
            **self.keeper.answers(),
        }
        answers.get(action, lambda _values: self.close_dialog())(values)

    def _undo_dead_end(self) -> None:
        self.close_dialog()
        self.undo()

    def _deal_asked(self, values: dict[str, Any]) -> None:
        """Deal what the New game window asks for; a wrong code or deck keeps it open and says what is wrong."""
        text = str(values.get("code") or "").strip()
        try:
            rules = Rules.parse(str(values.get("rules") or DEFAULT_RULES))
            deal = read_deal(text) if text else None
        except PyramideError as error:
            self._show_problem("code", str(error))
            return
        wanted = str(values.get("wanted") or "any")
        if deal is None and wanted in ("winnable", "easy", "medium", "hard"):
            self.close_dialog()
            self.say(_("Looking for such a deal…"))
            self.advice.find_deal(rules, wanted, lambda found: self._deal_found(rules, found))
        else:
            self.new_game(deal, rules)

    def _deal_found(self, rules: Rules, deal: Deal | None) -> None:
        """Deal what was looked for, or say that there was none among a thousand."""
        if deal is None:
            self.say(_("No such deal was found; the game on the table goes on."), warning=True)
        else:
            self.new_game(deal, rules)

    # The review --------------------------------------------------------------------------------------------------

    def show_review(self) -> None:
        """Open the review of the game on the table; it comes when the solver has looked at every move."""
        if self.game is None:
            return
        self._review = None
        self._open_dialog(dialogs.review(None, self.move_name))
        self.advice.review(self.game, self._reviewed)

    def _reviewed(self, found: Review) -> None:
        self._review = found
        if self.companion.dialog.get("id") == "review":
            self._open_dialog(dialogs.review(found, self.move_name))

    def _watch_shortest(self) -> None:
        if self._review is not None and self._review.shortest.line is not None:
            self.watch(Transcript(self._review.deal, self._review.rules, self._review.shortest.line))

    # Rules of one's own ------------------------------------------------------------------------------------------

    def _mix_asked(self, values: dict[str, Any]) -> None:
        """Open the panel of rules, starting from those chosen in the New game window."""
        self._open_dialog(dialogs.custom_rules(Rules.parse(str(values.get("rules") or DEFAULT_RULES))))

    def _mix(self, values: dict[str, Any]) -> Rules | None:
        """Read the panel; choices that cannot be together are explained there, and None is returned."""
        choices = ",".join(f"{field.name}={values[field.name]}" for field in fields(Rules) if field.name in values)
        try:
            return Rules.parse(f"mix,{choices}")
        except PyramideError as error:
            self._show_problem("mix", str(error))
            return None

    def _mix_changed(self, values: dict[str, Any]) -> None:
        """Say at once what the choices make, and what they contradict; the choices themselves stay as they are."""
        rules = self._mix(values)
        if rules:
            self._spoken += 1
            self.companion.problem = {
                "field": "mix",
                "text": " ".join(rules.contradictions()),
                "number": self._spoken,
                "values": {"text": rules.text},
                "texts": {"summary": summary(rules)},
            }

    def _mix_played(self, values: dict[str, Any]) -> None:
        rules = self._mix(values)
        if rules:
            self.new_game(None, rules)

    def _mix_read(self, values: dict[str, Any]) -> None:
        try:
            rules = Rules.parse(str(values.get("text") or ""))
        except PyramideError as error:
            self._show_problem("text", str(error))
            return
        self._open_dialog(dialogs.custom_rules(rules))

    # Transcripts -------------------------------------------------------------------------------------------------

    def show_transcript(self) -> None:
        """Open the window with the game as text."""
        if self.game:
            self._open_dialog(dialogs.transcript(self.game))

    def _replay_asked(self, values: dict[str, Any]) -> None:
        try:
            transcript = Transcript.parse(str(values.get("transcript") or ""))
            self.watch(transcript)
        except PyramideError as error:
            self._show_problem("transcript", str(error))
            return
        wrong = transcript.mismatches(transcript.replay())
        if wrong:
            self.say(" ".join(wrong), warning=True)

    def _save_transcript(self, values: dict[str, Any]) -> None:
        name = f"{self.game.deal.code if self.game else 'pyramide'}.txt"
        self.companion.send({"do": "save", "name": name, "text": str(values.get("transcript") or "")})

    # Options -----------------------------------------------------------------------------------------------------

    def _set_options(self, values: dict[str, Any]) -> None:
        self._prefer(values)
        self.companion.preferences = dict(self.preferences)
        self.advice.changed(self.game, self._is_verdict_shown)
        if self.preferences["language"] not in ("", language()):
            self.speak(self.preferences["language"])
            # A language in the link would bring its own back with the next load.
            self.companion.send({"do": "address", "values": {"lang": ""}})
            self.ask_options()

    def _prefer(self, values: dict[str, Any]) -> None:
        """Take over the player's choices; what has no such type or name is left as it was."""
        for name, plain in dialogs.PREFERENCES.items():
            if isinstance(values.get(name), type(plain)):
                self.preferences[name] = values[name]
        if self.game:
            self.game.error_help = self.preferences["error_help"]
