"""The lesson: the head of a notebook, its progress, and the maker of its parts; and the index of all lessons.

The head is the one part that speaks with the page as a whole: presentation, the link that opened it, what the browser
remembers. Parts that count for progress are made through it.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from pyramide_core.cards import Card
from pyramide_core.messages import _, folder_language, ngettext, set_language
from pyramide_core.ui.lessons.board import USUAL, LessonBoard
from pyramide_core.ui.lessons.course import COURSE, GAME_FILE, INDEX_FILE, LessonError, LessonInfo, lesson_info
from pyramide_core.ui.lessons.game import LessonGame
from pyramide_core.ui.lessons.goals import Goal
from pyramide_core.ui.lessons.part import HERE, Part
from pyramide_core.ui.lessons.question import Question, Reasons
from pyramide_core.ui.lessons.scene import PILES, Light
from pyramide_core.ui.lessons.task import Find, Task
from pyramide_core.ui.lessons.walkthrough import Step, Walkthrough

Exercise = Question | Task | Find
STYLE = "\n".join(file.read_text(encoding="utf-8") for file in (HERE.parent / "style.css", HERE / "lesson.css"))


def _speak_as_asked() -> None:
    """Take the language of a translated notebook's folder, else that of the link where Voila gives it: `?lang=fr`."""
    asked = parse_qs(os.environ.get("QUERY_STRING", "")).get("lang", [""])
    if code := folder_language() or asked[-1]:
        set_language(code)


def _head_texts() -> dict[str, Any]:
    return {
        "present": _("Present"),
        "leave": _("Leave the presentation"),
        "next": _("On"),
        "previous": _("Back"),
        "step": _("Part {number} of {count}"),
        "map": _("Map of the course"),
        "progress": _("Your progress"),
        "done": _("Done"),
        "whole": _("Show the whole lesson"),
        "play": _("Play"),
    }


class Lesson(Part):
    """The head of a lesson, and its maker of parts: `lesson = Lesson("01_the_table")`.

    The style of all parts comes with it, so it is made and shown before any other.
    """

    _css = STYLE

    def __init__(self, name: str) -> None:
        self.info = lesson_info(name)
        self.exercises: dict[str, Exercise] = {}
        self._remembered: set[str] = set()
        _speak_as_asked()
        count = len(self.info.exercises)
        super().__init__(
            kind="head",
            name=name,
            data={
                **_place_in_course(self.info),
                "exercises": list(self.info.exercises),
                "index": INDEX_FILE,
                # The game stands outside of the folders of languages; as a page it is led to by its plain name.
                "play": {"lab": f"../{GAME_FILE}" if folder_language() else GAME_FILE, "page": GAME_FILE},
                "labels": [
                    ngettext("{done} of {n} exercise done", "{done} of {n} exercises done", count, done=done)
                    for done in range(count + 1)
                ],
            },
            texts=_head_texts(),
            shown={"finished": []},
        )

    # Making parts ----------------------------------------------------------------------------------------------

    def board(self, game: LessonGame, show: str | Iterable[str] = USUAL, light: Light = "") -> LessonBoard:
        """Return a board to play on freely."""
        return LessonBoard(game, show, light)

    def walkthrough(
        self, game: LessonGame, steps: Iterable[Step], show: str | Iterable[str] = PILES, *, rows: bool = False
    ) -> Walkthrough:
        """Return captioned steps over a game."""
        return Walkthrough(game, steps, show, rows=rows)

    def question(
        self, name: str, prompt: str, choices: Sequence[Any] | Mapping[Any, str], right: Any, because: Reasons
    ) -> Question:
        """Return a question; see Question."""
        return self._register(name, Question(prompt, choices, right, because, name=name, lesson=self))

    def task(
        self,
        name: str,
        prompt: str,
        game: LessonGame,
        goal: Callable[[LessonGame], Goal],
        hints: Iterable[str] = (),
        show: str | Iterable[str] = USUAL,
    ) -> Task:
        """Return a task; see Task."""
        return self._register(name, Task(prompt, game, goal, hints, show, name=name, lesson=self))

    def find(
        self,
        name: str,
        prompt: str,
        game: LessonGame,
        wanted: int,
        why: Callable[[Card], str],
        show: str | Iterable[str] = (),
    ) -> Find:
        """Return an exercise in which the right cards are touched; see Find."""
        return self._register(name, Find(prompt, game, wanted, why, show, name=name, lesson=self))

    def end(self) -> "LessonEnd":
        """Return the foot of the lesson: what is done, and the way to the next lesson."""
        return LessonEnd(self)

    def _register(self, name: str, exercise: Any) -> Any:
        if name not in self.info.exercises:
            raise LessonError(
                _("“{name}” is no exercise of this lesson. There are: {names}.").format(
                    name=name, names=", ".join(self.info.exercises)
                )
            )
        # A cell that is run again makes its exercise again.
        self.exercises[name] = exercise
        _part_of(exercise).solved_before = name in self._remembered
        return exercise

    # Progress and links ----------------------------------------------------------------------------------------

    def note_done(self, name: str) -> None:
        """Note that an exercise is done; the browser remembers it."""
        if name not in self.shown["finished"]:
            self.show(finished=[*self.shown["finished"], name])

    def hear(self, event: str, content: dict[str, Any]) -> None:
        """Hear the page: it is there, with what it remembers and the link that opened it."""
        if event != "ready":
            return
        self._remembered = {name for name in self.info.exercises if name in (content.get("remembered") or [])}
        for name, exercise in self.exercises.items():
            _part_of(exercise).solved_before = name in self._remembered
        self.show(
            finished=[name for name in self.info.exercises if name in {*self.shown["finished"], *self._remembered}]
        )
        asked = {name: values[-1] for name, values in parse_qs(str(content.get("query") or "").lstrip("?")).items()}
        linked = self.exercises.get(asked.get("task", ""))
        if isinstance(linked, Task | Find) and "code" in asked:
            linked.open_link(asked["code"])


def _part_of(exercise: Exercise) -> Part:
    return exercise if isinstance(exercise, Part) else exercise.head


def _place_in_course(info: LessonInfo) -> dict[str, Any]:
    around = {lesson.number: {"file": lesson.file, "title": _(lesson.title)} for lesson in COURSE}
    return {
        "file": info.file,
        "title": _(info.title),
        "place": _("Lesson {number} of {count}").format(number=info.number, count=len(COURSE)),
        "minutes": ngettext("about {n} minute", "about {n} minutes", info.minutes),
        "previous": around.get(info.number - 1),
        "next": around.get(info.number + 1),
    }


class LessonEnd(Part):
    """The foot of a lesson: how many exercises are done, and the way on."""

    def __init__(self, lesson: Lesson) -> None:
        following = lesson.data["next"]
        super().__init__(
            kind="end",
            name=lesson.name,
            data=lesson.data,
            texts={
                **_head_texts(),
                "following": _("Next lesson: {title}").format(title=following["title"]) if following else "",
            },
            shown=lesson.shown,
        )
        lesson.observe(lambda change: self.show(**change["new"]), "shown")


class Index(Part):
    """The map of the course: all lessons, what each is about, and the learner's finished exercises.

    What the browser remembers can be saved as a file, read on another computer, or forgotten.
    """

    _css = STYLE

    def __init__(self, folder: str | Path = ".") -> None:
        _speak_as_asked()
        there = [info for info in COURSE if (Path(folder) / info.file).is_file()]
        super().__init__(
            kind="index",
            data={
                "lessons": [
                    {
                        "name": info.name,
                        "number": info.number,
                        "file": info.file,
                        "title": _(info.title),
                        "about": _(info.about),
                        "minutes": ngettext("{n} minute", "{n} minutes", info.minutes),
                        "exercises": list(info.exercises),
                        "labels": [
                            _("{done} of {all} done").format(done=done, all=len(info.exercises))
                            for done in range(len(info.exercises) + 1)
                        ],
                    }
                    for info in there
                ],
            },
            texts={
                "label": _("Map of the course"),
                "save": _("Save my progress as a file"),
                "load": _("Read a progress file"),
                "forget": _("Forget my progress"),
                "sure": _("Forget everything? This cannot be taken back."),
                "loaded": _("The progress of the file has been added."),
                "not_loaded": _("This file holds no progress of Pyramide."),
                "forgotten": _("All progress is forgotten."),
                "unsaved": _("This browser keeps nothing, so progress lasts until the page is closed."),
            },
        )
