"""Lesson parts: what a notebook needs to read as a lesson and not as code. No rule of the game lives here.

A lesson makes its parts through a `Lesson`; `docs` for authors is `notebooks/README.md`. Texts in notebooks go through
`text` and `counted`.
"""

from pyramide_core.ui.lessons.board import LessonBoard, Pick
from pyramide_core.ui.lessons.course import COURSE, LessonError
from pyramide_core.ui.lessons.game import LessonGame, game_at, small_game
from pyramide_core.ui.lessons.goals import (
    Goal,
    goal_where,
    make_available,
    play_line,
    remove_cards,
    remove_most,
    stock_refused,
    win,
)
from pyramide_core.ui.lessons.lesson import Index, Lesson
from pyramide_core.ui.lessons.plot import PlotBeside
from pyramide_core.ui.lessons.question import Question
from pyramide_core.ui.lessons.search import Explored, most_removed, sets_left, way_to
from pyramide_core.ui.lessons.side_by_side import AnyTwo, SideBySide, differences
from pyramide_core.ui.lessons.task import Find, Task
from pyramide_core.ui.lessons.texts import counted, text, written
from pyramide_core.ui.lessons.walkthrough import Step, Walkthrough, step

__all__ = [
    "COURSE",
    "AnyTwo",
    "Explored",
    "Find",
    "Goal",
    "Index",
    "Lesson",
    "LessonBoard",
    "LessonError",
    "LessonGame",
    "Pick",
    "PlotBeside",
    "Question",
    "SideBySide",
    "Step",
    "Task",
    "Walkthrough",
    "counted",
    "differences",
    "game_at",
    "goal_where",
    "make_available",
    "most_removed",
    "play_line",
    "remove_cards",
    "remove_most",
    "sets_left",
    "small_game",
    "step",
    "stock_refused",
    "text",
    "way_to",
    "win",
    "written",
]
