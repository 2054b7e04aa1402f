"""The laboratory: a page that runs studies. The interval of each share shrinks while the deals are played and solved.

The study runs in the background on processes of their own, so the page always answers. No rule and no statistics
live here: `pyramide_core.study` has both.
"""

import base64
import logging
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import anywidget
import traitlets

from pyramide_core.deals import SEED_COUNT
from pyramide_core.errors import PyramideError
from pyramide_core.explain import TITLES, summary
from pyramide_core.messages import N_, _, first_available, folder_language, language, set_language
from pyramide_core.rules import VARIANTS
from pyramide_core.study.cli import check_extra
from pyramide_core.study.labels import rules_label
from pyramide_core.study.parts import Part, Parts
from pyramide_core.study.players import PLAYERS, player_title
from pyramide_core.study.settings import Study, StudyError
from pyramide_core.wording import number

_HERE = Path(__file__).parent
_log = logging.getLogger(__name__)
MOST_DEALS = 10_000_000
PART_SECONDS = 0.3
TABLE_SECONDS = 0.25
PICTURE_SECONDS = 2.0
FIRST_CHOICE = {"rules": ["pyramide", "thirteen"], "measures": ["verdict"], "players": [], "deals": "2000", "seed": "0"}
MEASURES = {
    "verdict": (N_("Which deals can be won"), N_("The solver's proof for each deal.")),
    "shortest": (N_("The shortest win"), N_("Takes longer: every shorter way must be ruled out.")),
    "most": (N_("The most cards that can go"), N_("Takes longer, above all where the whole pyramid cannot go.")),
}
_EXPORTS = {
    "csv": (N_("Table as CSV"), "text/csv"),
    "parquet": (N_("Table as Parquet"), "application/vnd.apache.parquet"),
    "png": (N_("Plot as PNG"), "image/png"),
    "svg": (N_("Plot as SVG"), "image/svg+xml"),
}


class LaboratoryPage(anywidget.AnyWidget):
    """What the page shows, ready to be shown, in the language in force."""

    _esm = _HERE / "laboratory.js"
    _css = _HERE / "laboratory.css"

    texts = traitlets.Dict().tag(sync=True)
    form = traitlets.Dict().tag(sync=True)
    """The choices: `rules`, `measures`, `players` as groups of value, label and note; `values` are the first ones."""
    state = traitlets.Dict().tag(sync=True)
    """Whether a study runs, `done` and `total` deals, and a line of text on its progress."""
    tables: traitlets.List = traitlets.List().tag(sync=True)
    """The summaries: title, heads, rows of texts; `bars` with share, low and high where a row has an interval."""
    picture = traitlets.Dict().tag(sync=True)
    """The plot: its address as data, its words, and the choices of plot, rule set and player."""
    said = traitlets.Dict().tag(sync=True)
    """The line of message: text and kind."""


def page_texts() -> dict[str, Any]:
    """Return the fixed texts of the page by name, in the language in force."""
    return {
        "lang": language(),
        "title": _("Laboratory"),
        "intro": _("Choose rules, let many deals be solved and played, and watch how surely the figures are known."),
        "rules": _("Rule sets"),
        "more": _("Other rule sets"),
        "more_help": _("With commas between; options follow a name, such as: classic,passes=2"),
        "measures": _("What is measured"),
        "players": _("Players"),
        "deals": _("Number of deals"),
        "seed": _("Seed of the first deal"),
        "seed_help": _("The same seeds give the same deals, and so the same table."),
        "start": _("Start"),
        "stop": _("Stop"),
        "progress": _("Progress of the study"),
        "plot": _("Plot"),
        "of_rules": _("Rule set"),
        "of_player": _("Player"),
        "save": _("Save"),
        "interval": _("from {low} to {high} percent"),
        "exports": {name: _(label) for name, (label, _kind) in _EXPORTS.items()},
    }


def form() -> dict[str, Any]:
    """Return the choices of the page in words, in the language in force."""
    return {
        "rules": [
            {"value": name, "label": _(TITLES[name]), "note": summary(rules)} for name, rules in VARIANTS.items()
        ],
        "measures": [{"value": name, "label": _(label), "note": _(note)} for name, (label, note) in MEASURES.items()],
        "players": [{"value": name, "label": player_title(name), "note": ""} for name in PLAYERS],
        "values": FIRST_CHOICE,
    }


class Laboratory(LaboratoryPage):
    """The page with its study. `workers` and `scheduler` are those of `study.run`: by default one process a core."""

    def __init__(self, *, workers: int | None = None, scheduler: str | None = None) -> None:
        super().__init__(texts=page_texts(), form=form(), state={"running": False, "done": 0, "total": 0, "text": ""})
        self._where = {"workers": workers, "scheduler": scheduler}
        self._lock = threading.RLock()
        self._cancel = threading.Event()
        self._thread: threading.Thread | None = None
        self._study: Study | None = None
        self._parts: list[Parts] = []
        self._chosen: dict[str, str] = {}
        self._began = self._table_due = self._picture_due = 0.0
        self.on_msg(self._receive)

    # Messages of the page --------------------------------------------------------------------------------------------

    def _receive(self, _widget: object, content: dict[str, Any], _buffers: object) -> None:
        answers: dict[str, Callable[[dict[str, Any]], None]] = {
            "ready": self._ready,
            "start": lambda content: self.start(content.get("values") or {}),
            "stop": lambda _content: self.stop(),
            "plot": self._choose_plot,
            "save": lambda content: self.save(str(content.get("kind"))),
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
        self.said = {"text": text, "kind": "warning" if warning else "info"}

    def _ready(self, content: dict[str, Any]) -> None:
        asked = parse_qs(str(content.get("query") or "").lstrip("?")).get("lang", [])
        chosen = dict(content.get("preferences") or {}).get("language") or ""
        browser = [str(code) for code in content.get("languages") or []]
        set_language(first_available([*asked, folder_language(), str(chosen), *browser]))
        with self._lock:
            self.texts, self.form = page_texts(), form()
            self._show_tables()
            self._show_picture()

    def _choose_plot(self, content: dict[str, Any]) -> None:
        with self._lock:
            self._chosen = {key: str(content.get(key) or "") for key in ("plot", "rules", "player")}
            self._show_picture()

    # Running ---------------------------------------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        """Whether a study runs now."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, values: dict[str, Any]) -> None:
        """Start the study that the page asks for; raises the error that says what is wrong with it."""
        if self.is_running:
            raise StudyError(_("A study is running already; stop it first."))
        check_extra()
        study = read_study(values)
        with self._lock:
            self._study = study
            self._parts = [Parts(study.first_seed, study.deals) for _rules in study.rules]
            self._began = time.monotonic()
            self._table_due = self._picture_due = 0.0
        self._cancel.clear()
        self.say(_("The study has begun."))
        self._show_state(running=True)
        self._thread = threading.Thread(target=self._run, args=(study,), name="pyramide-laboratory", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Let the study end with the deals that are done."""
        self._cancel.set()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the study has ended, at most so many seconds."""
        if self._thread is not None:
            self._thread.join(seconds)

    def _run(self, study: Study) -> None:
        from pyramide_core.study.running import run

        said, warning = "", False
        try:
            run(study, cancel=self._cancel, on_part=self._took, part_seconds=PART_SECONDS, **self._where)  # type: ignore[arg-type]
        except PyramideError as error:
            said, warning = str(error), True
        except Exception:
            _log.exception("a study in the laboratory failed")
            said, warning = _("The study has ended by a mistake in Pyramide."), True
        with self._lock:
            done = sum(parts.count for parts in self._parts)
            self._show_tables()
            self._show_picture()
            self._show_state(running=False)
        counted = _("Deals in the table: {count}.").format(count=number(done))
        first = _("Stopped.") if self._cancel.is_set() else _("Done.")
        self.say(said or f"{first} {counted}", warning=warning)

    def _took(self, part: Part) -> None:
        """Take a part of the study in, and show it unless the page was just told."""
        with self._lock:
            self._parts[part.rules_index].add(part)
            now = time.monotonic()
            if now < self._table_due:
                return
            self._show_state(running=True)
            self._show_tables()
            if now >= self._picture_due:
                self._show_picture()
                # A picture of many deals takes longer; the study must not wait for it most of the time.
                self._picture_due = time.monotonic() + PICTURE_SECONDS + 5 * (time.monotonic() - now)
            self._table_due = time.monotonic() + TABLE_SECONDS + 2 * (time.monotonic() - now)

    # Showing ---------------------------------------------------------------------------------------------------------

    @property
    def results(self) -> Any:
        """The results so far (`study.Results`); raises StudyError before there are any."""
        from pyramide_core.study.table import Results

        with self._lock:
            if self._study is None or not any(parts.count for parts in self._parts):
                raise StudyError(_("There are no results yet."))
            return Results.of_parts(self._study.settings, self._parts)

    def _show_state(self, *, running: bool) -> None:
        done = sum(parts.count for parts in self._parts)
        total = sum(parts.end - parts.first for parts in self._parts)
        self.state = {
            "running": running,
            "done": done,
            "total": total,
            "text": progress_text(done, total, time.monotonic() - self._began, running),
        }

    def _show_tables(self) -> None:
        try:
            results = self.results
        except StudyError:
            self.tables = []
            return
        from pyramide_core.study.summaries import summary as summaries
        from pyramide_core.study.summaries import text_tables

        shown = []
        for (title, heads, rows), frame in zip(text_tables(results), summaries(results).values(), strict=True):
            table: dict[str, Any] = {"title": title, "heads": heads, "rows": rows}
            if "low" in frame:
                ends = frame[["share", "low", "high"]].fillna(0.0)
                table["bars"] = [[float(value) for value in row] for row in ends.to_numpy()]
            shown.append(table)
        self.tables = shown

    def _show_picture(self) -> None:
        try:
            results = self.results
        except StudyError:
            self.picture = {}
            return
        from pyramide_core.study.figures import PLOTS, applicable, described, figure, image

        name, options = self._picture_choice()
        content = image(figure(name, results, **options), "svg")
        settings = results.settings
        self.picture = {
            "source": "data:image/svg+xml;base64," + base64.b64encode(content).decode(),
            "words": described(name, results, **options),
            "plots": [[plot, _(PLOTS[plot].title)] for plot in applicable(settings)],
            "rules": _labelled(settings.rules) if PLOTS[name].per_rules else [],
            "players": [[player, player_title(player)] for player in settings.players]
            if PLOTS[name].per_player
            else [],
            "chosen": {"plot": name, "rules": options.get("rules", ""), "player": options.get("player", "")},
        }

    def _picture_choice(self) -> tuple[str, dict[str, Any]]:
        """Return the plot to show and its options: what was chosen as far as this study has it, else the first."""
        from pyramide_core.study.figures import PLOTS, applicable

        settings = self.results.settings
        names = applicable(settings)
        name = self._chosen.get("plot", "") if self._chosen.get("plot") in names else names[0]
        options = {}
        for option, wanted, there in (
            ("rules", PLOTS[name].per_rules, settings.rules),
            ("player", PLOTS[name].per_player, settings.players),
        ):
            if wanted:
                options[option] = self._chosen[option] if self._chosen.get(option) in there else there[0]
        return name, options

    # Saving ----------------------------------------------------------------------------------------------------------

    def save(self, kind: str) -> None:
        """Let the page save the table (`csv`, `parquet`) or the plot (`png`, `svg`)."""
        if kind not in _EXPORTS:
            return
        with self._lock:
            results = self.results
            if kind in ("csv", "parquet"):
                name = "pyramide-study"
                content = results.to_csv().encode() if kind == "csv" else results.to_parquet()
            else:
                from pyramide_core.study.figures import figure, image

                name, options = self._picture_choice()
                content = image(figure(name, results, **options), kind)
        self.send({"do": "save", "name": f"{name}.{kind}", "type": _EXPORTS[kind][1]}, buffers=[content])


def read_study(values: dict[str, Any]) -> Study:
    """Return the study that the values of the page's form ask for; raises the error that says what is wrong."""
    rules = [str(name) for name in values.get("rules") or []]
    more = str(values.get("more") or "").strip()
    measures = {str(name) for name in values.get("measures") or []}
    return Study.of(
        [*rules, *([more] if more else [])],
        _number(values.get("deals"), _("The number of deals"), 1, MOST_DEALS),
        first_seed=_number(values.get("seed"), _("The seed"), 0, SEED_COUNT - 1),
        players=[str(name) for name in values.get("players") or []],
        **{name: name in measures for name in MEASURES},
    )


def _number(value: object, what: str, first: int, last: int) -> int:
    plain = str(value if value is not None else "").strip()
    if not (plain.isascii() and plain.isdigit() and len(plain) < 20 and first <= int(plain) <= last):
        raise StudyError(
            _("{what} is a number from {first} to {last}.").format(what=what, first=number(first), last=number(last))
        )
    return int(plain)


def _labelled(texts: Sequence[str]) -> list[list[str]]:
    return [[text, rules_label(text)] for text in texts]


def progress_text(done: int, total: int, seconds: float, running: bool) -> str:
    """Return a line on how far a study is: deals done, and while it runs deals a second and the time left.

    >>> progress_text(500, 2000, 2.0, True)
    '500 of 2,000 deals · 250 a second · 6 s left'
    """
    if not total:
        return ""
    parts = [_("{done} of {total} deals").format(done=number(done), total=number(total))]
    if running and done and seconds > 0:
        rate = done / seconds
        parts.append(_("{rate} a second").format(rate=number(rate, 0 if rate >= 10 else 1)))
        parts.append(_("{time} left").format(time=_time_text((total - done) / rate)))
    return " · ".join(parts)


def _time_text(seconds: float) -> str:
    if seconds < 60:
        return _("{n} s").format(n=round(seconds))
    return _("{n} min").format(n=round(seconds / 60))
