"""The classroom: a teacher's page. It opens a class, shows its live board, gives the results, and replays games.

The page asks for news every two seconds while it is looked at; nothing runs here in between. No rule lives here.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qs

import anywidget
import ipywidgets as widgets
import traitlets

from pyramide_core.deals import Deal, read_deal
from pyramide_core.errors import PyramideError
from pyramide_core.explain import title
from pyramide_core.messages import (
    _,
    available_languages,
    first_available,
    folder_language,
    language,
    ngettext,
    set_language,
    shorten,
)
from pyramide_core.records import exchange
from pyramide_core.records.daily import deal_of_the_day
from pyramide_core.records.errors import RecordsError
from pyramide_core.records.recorder import Recorder
from pyramide_core.records.results import Learner, Line, State, Task, board, results_csv
from pyramide_core.rules import VARIANTS, Rules
from pyramide_core.ui.dashboard import DEFAULT_RULES, Dashboard
from pyramide_core.wording import duration
from pyramide_core.wording import number as written_number

if TYPE_CHECKING:
    from pyramide_core.records.classes import Teacher

_HERE = Path(__file__).parent
MOST_MINUTES = 24 * 60
TODAY = "today"


class ClassroomPage(anywidget.AnyWidget):
    """What the teacher's page shows, ready to be shown."""

    _esm = _HERE / "classroom.js"
    _css = _HERE / "classroom.css"

    texts = traitlets.Dict().tag(sync=True)
    form = traitlets.Dict().tag(sync=True)
    """The fields for a new class, and the teacher's classes so far."""
    task = traitlets.Dict().tag(sync=True)
    """The class that is open on the page; empty while there is none."""
    lines = traitlets.Dict().tag(sync=True)
    """The live board: a summary, the names of the columns, and the rows."""
    games: traitlets.List = traitlets.List().tag(sync=True)
    """The games to walk through: key and label."""
    said = traitlets.Dict().tag(sync=True)
    """The line of message: text and kind."""


class WalkThrough(Dashboard):
    """A table on which a learner's game is replayed; it deals nothing and records nothing of its own."""

    def __init__(self) -> None:
        super().__init__(page=False, records="off")
        self.layout.display = "none"

    def _ready(self, content: dict[str, Any]) -> None:
        self._opened = True
        super()._ready(content)

    def _hear_replay(self, content: dict[str, Any]) -> None:
        if content.get("do") == "leave":
            self.layout.display = "none"
        else:
            super()._hear_replay(content)


def page_texts() -> dict[str, str]:
    """Return the fixed texts of the page, in the language in force, and which languages there are."""
    return {
        "lang": language(),
        "languages": " ".join(available_languages()),
        "open": _("Open the class"),
        "classes": _("Your classes"),
        "code": _("Code of the class:"),
        "link": _("Link for the learners:"),
        "local": _(
            "This link works on this computer only. For a class, start “pyramide play --network” and open this page at"
            " the address that it says."
        ),
        "board": _("Live board"),
        "names": _("Show the names"),
        "no_names": _("Hide the names"),
        "by_time": _("Rank by time"),
        "by_moves": _("Rank by moves"),
        "csv": _("Results as CSV"),
        "transcripts": _("Games as transcripts"),
        "close": _("Close the class"),
        "reopen": _("Let the class go on"),
        "delete": _("Delete the class…"),
        "delete_now": _("Delete this class and its board? Learners keep their games. This cannot be undone."),
        "other": _("Another class"),
        "walk": _("Walk through"),
        "walk_label": _("A game to walk through together:"),
    }


def state_label(state: State) -> str:
    """Return what a learner is doing, in words."""
    labels: dict[State, str] = {
        "waiting": _("has not begun"),
        "playing": _("playing"),
        "finished": _("finished"),
        "dead-end": _("at a dead end"),
        "time-over": _("time is over"),
        "closed": _("class is closed"),
    }
    return labels[state]


class Classroom(widgets.VBox):
    """The teacher's page: a form or a class with its live board, and below it the table for walking through games."""

    def __init__(self, setting: str | None = None) -> None:
        self.recorder = Recorder(setting)
        self.page = ClassroomPage(texts=page_texts())
        self.page.on_msg(self._receive)
        self.table = WalkThrough()
        self.by: Literal["time", "moves"] = "time"
        self._teacher: Teacher | None = None
        self._code = ""
        self._problem: tuple[str, str] = ("", "")
        super().__init__([self.page, self.table])
        self._show_form()

    # Messages of the page --------------------------------------------------------------------------------------

    def _receive(self, _widget: object, content: dict[str, Any], _buffers: object) -> None:
        answers: dict[str, Callable[[dict[str, Any]], None]] = {
            "ready": self._ready,
            "open": self._open,
            "news": lambda _content: self.refresh(),
            "choose": self._choose,
            "close": lambda _content: self._change("close_class", said=_("This class is closed.")),
            "reopen": lambda _content: self._change("reopen_class", said=_("The class is open.")),
            "delete": lambda _content: self._delete(),
            "anonymous": lambda content: self._change("set_anonymous", bool(content.get("value")), said=""),
            "sort": self._sort,
            "csv": lambda _content: self._save_csv(),
            "transcripts": lambda _content: self._save_transcripts(),
            "walk": self._walk,
        }
        answer = answers.get(str(content.get("event")))
        if answer is None:
            return
        try:
            answer(content)
        except PyramideError as error:
            self.say(str(error), warning=True)

    def say(self, text: str, *, warning: bool = False) -> None:
        """Show a text in the line of message."""
        self.page.said = {"text": text, "kind": "warning" if warning else "info"}

    def _ready(self, content: dict[str, Any]) -> None:
        query = parse_qs(str(content.get("query") or "").lstrip("?"))
        asked = query.get("lang", [])
        chosen = dict(content.get("preferences") or {}).get("language") or ""
        browser = [str(code) for code in content.get("languages") or []]
        set_language(first_available([*asked, folder_language(), str(chosen), *browser]))
        self.page.texts = page_texts()
        # Both speak the one language of the program, which the table has not seen change.
        self.table.translate()
        records = self.recorder.records
        if records is None:
            self._show_form()
            raise RecordsError(_("{problem} A class needs records.").format(problem=self.recorder.failure))
        # Imported here, as everything that needs the database.
        from pyramide_core.records.classes import Teacher

        self._teacher = Teacher(records, str(content.get("token") or ""))
        self._show_form()
        if "board" in query:
            # A page that is loaded again shows the class that it showed before.
            self._code = self._teacher.task(query["board"][-1]).code
        self.refresh()

    @property
    def teacher(self) -> "Teacher":
        """The teacher whose browser this is; raises RecordsError before that is known."""
        if self._teacher is None:
            raise RecordsError(_("There are no records here, and a class needs them."))
        return self._teacher

    # A new class -----------------------------------------------------------------------------------------------

    def _show_form(self) -> None:
        field, problem = self._problem
        fields = self._fields()
        for shown in fields:
            if shown["name"] == field:
                shown["problem"] = problem
        classes = self._teacher.classes() if self._teacher is not None else []
        self.page.form = {"fields": fields, "classes": [(task.code, _label(task)) for task in classes]}

    @staticmethod
    def _fields() -> list[dict[str, Any]]:
        return [
            {"kind": "text", "name": "title", "label": _("Title"), "value": ""},
            {
                "kind": "long",
                "name": "deals",
                "label": _("Deals"),
                "value": "",
                "help": _("One code a line; “{today}” is the deal of the day. Empty: random deals.").format(
                    today=_("today")
                ),
            },
            {"kind": "number", "name": "count", "label": _("Number of random deals"), "value": "1"},
            {
                "kind": "select",
                "name": "rules",
                "label": _("Rules"),
                "options": [(name, title(rules)) for name, rules in VARIANTS.items()],
                "value": DEFAULT_RULES,
            },
            {
                "kind": "number",
                "name": "minutes",
                "label": _("Time in minutes"),
                "value": "",
                "help": _("For each learner, from joining on. Empty: without limit."),
            },
            {"kind": "switch", "name": "hints", "label": _("Hints are allowed"), "value": True},
            {"kind": "switch", "name": "anonymous", "label": _("The live board shows no names"), "value": False},
        ]

    def _open(self, content: dict[str, Any]) -> None:
        values = dict(content.get("values") or {})
        try:
            deals = self._read("deals", lambda: read_deals(str(values.get("deals") or ""), values.get("count")))
            rules = self._read("rules", lambda: Rules.parse(str(values.get("rules") or DEFAULT_RULES)))
            limit = self._read("minutes", lambda: read_minutes(str(values.get("minutes") or "")))
            task = self._read(
                "title",
                lambda: self.teacher.open_class(
                    deals,
                    rules,
                    title=str(values.get("title") or ""),
                    time_limit=limit,
                    hints_allowed=bool(values.get("hints", True)),
                    is_anonymous=bool(values.get("anonymous")),
                ),
            )
        except PyramideError:
            self._show_form()
            return
        self._problem = ("", "")
        self._code = task.code
        self.say(_("The class is open."))
        self.refresh()

    def _read(self, field: str, read: Callable[[], Any]) -> Any:
        """Read a field; what is wrong with it is noted, to be shown beside it."""
        try:
            return read()
        except PyramideError as error:
            self._problem = (field, str(error))
            raise

    def _choose(self, content: dict[str, Any]) -> None:
        self._code = str(content.get("code") or "")
        self._problem = ("", "")
        self.say("")
        self.table.layout.display = "none"
        self._show_form()
        self.refresh()

    # The class that is open ------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Bring the page up to date; only what differs is sent."""
        if not self._code:
            self.page.task, self.page.lines, self.page.games = {}, {}, []
            return
        task = self.teacher.task(self._code)
        learners = self.teacher.learners(self._code)
        now = self.teacher.records.wall()
        with self.page.hold_sync():
            self.page.task = {
                "code": task.code,
                "title": task.title or _("Class {code}").format(code=task.code),
                "about": _about(task),
                "anonymous": task.is_anonymous,
                "closed": task.closed_at is not None,
                "by": self.by,
            }
            self.page.lines = _lines(task, board(task, learners, now, self.by))
            self.page.games = _games(task, learners)

    def _sort(self, content: dict[str, Any]) -> None:
        self.by = "moves" if content.get("by") == "moves" else "time"
        self.refresh()

    def _change(self, name: str, *values: Any, said: str) -> None:
        getattr(self.teacher, name)(self._code, *values)
        self.say(said)
        self.refresh()

    def _delete(self) -> None:
        self.teacher.delete_class(self._code)
        self._choose({})
        self.say(_("The class is deleted."))

    def _save_csv(self) -> None:
        text = results_csv(self.teacher.task(self._code), self.teacher.learners(self._code))
        text = exchange.BYTE_ORDER_MARK + text
        self.page.send({"do": "save", "name": f"pyramide-class-{self._code}.csv", "text": text})

    def _save_transcripts(self) -> None:
        games = self.teacher.games(self._code)
        text = exchange.write_transcripts(game for _name, _deal, game in games if game.log)
        self.page.send({"do": "save", "name": f"pyramide-class-{self._code}.txt", "text": text})

    def _walk(self, content: dict[str, Any]) -> None:
        """Show a learner's game on the table below, from the deal on."""
        key = str(content.get("key"))
        for _name, _deal, game in self.teacher.games(self._code):
            if game.facts.key == key:
                self.table.layout.display = ""
                self.table.watch(game.transcript())
                return
        raise RecordsError(_("There is no such game."))


# Texts ---------------------------------------------------------------------------------------------------------------


def _label(task: Task) -> str:
    name = f"{task.code} {task.title}".strip()
    return _("{name} (closed)").format(name=name) if task.closed_at is not None else name


def _about(task: Task) -> str:
    parts = [title(task.rule_set), ngettext("{n} deal", "{n} deals", len(task.deals))]
    if task.time_limit is not None:
        parts.append(ngettext("{n} minute", "{n} minutes", max(1, round(task.time_limit / 60))))
    parts.append(_("hints are allowed") if task.hints_allowed else _("without hints"))
    return " · ".join(parts)


def _lines(task: Task, lines: list[Line]) -> dict[str, Any]:
    several = len(task.deals) > 1
    solved = [_("Solved")] if several else []
    head = [_("Place"), _("Name"), _("State"), *solved, _("Cards left"), _("Moves"), _("Time"), _("Hints")]
    rows = []
    for place, line in enumerate(lines, 1):
        done = [_("{solved} of {deals}").format(solved=line.solved, deals=line.deals)] if several else []
        left, moves, hints = map(written_number, (line.cards_left, line.moves, line.hints))
        figures = [left, moves, duration(line.seconds), hints]
        rows.append({"state": line.state, "cells": [str(place), line.name, state_label(line.state), *done, *figures]})
    finished = sum(line.state == "finished" for line in lines)
    learners = ngettext("{n} learner", "{n} learners", len(lines))
    summary = _("{learners}, {finished} finished").format(learners=learners, finished=finished)
    return {"summary": summary, "head": head, "rows": rows}


def _games(task: Task, learners: list[Learner]) -> list[tuple[str, str]]:
    games = []
    for learner in learners:
        name = _("Learner {number}").format(number=learner.number) if task.is_anonymous else learner.name
        for made in learner.tries:
            if made.facts.entries:
                label = _("{name}, deal {deal}: {moves}, {cards}").format(
                    name=name,
                    deal=made.deal,
                    moves=ngettext("{n} move", "{n} moves", made.facts.moves),
                    cards=ngettext("{n} card left", "{n} cards left", made.facts.cards_left),
                )
                games.append((made.facts.key, label))
    return games


def read_deals(text: str, count: object = "1") -> list[Deal]:
    """Return the deals of a text with one code (or the cards) a line, or so many random ones where there is none.

    Raises RecordsError naming the line that cannot be read.
    """
    lines = [line.strip() for line in re.split(r"[\n,;]+", text) if line.strip()]
    if not lines:
        plain = str(count or "1").strip()
        if not (plain.isascii() and plain.isdigit() and 1 <= int(plain[:4]) <= 100):
            raise RecordsError(_("The number of random deals is from 1 to {most}.").format(most=100))
        return [Deal.random() for _number in range(int(plain[:4]))]
    deals = []
    for number, line in enumerate(lines, 1):
        try:
            deal = deal_of_the_day() if line.lower() in (TODAY, _("today")) else read_deal(line)
            if deal in deals:
                raise RecordsError(_("The deal {code} is there twice.").format(code=shorten(deal.code, 20)))
            deals.append(deal)
        except PyramideError as error:
            raise RecordsError(_("Line {line}: {reason}").format(line=number, reason=error)) from error
    return deals


def read_minutes(text: str) -> int | None:
    """Return a time limit typed in minutes as seconds, None for an empty text; raises RecordsError."""
    plain = text.strip()
    if not plain:
        return None
    if not (plain.isascii() and plain.isdigit() and 1 <= int(plain[:6]) <= MOST_MINUTES):
        raise RecordsError(_("The time is a number of minutes from 1 to {most}, or nothing.").format(most=MOST_MINUTES))
    return 60 * int(plain[:6])
