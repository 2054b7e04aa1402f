"""The course as data: its lessons in order, and the exercises by which progress is counted. Knows no widget.

An exercise is named here and made in its lesson's notebook under the same name; a test compares the two.
"""

from dataclasses import dataclass

from pyramide_core.errors import PyramideError
from pyramide_core.messages import N_, _


class LessonError(PyramideError):
    """A lesson part that cannot be made as written: for the author of a lesson, who reads it while writing."""


@dataclass(frozen=True)
class LessonInfo:
    """A lesson: its notebook's name without the ending, its title, and what it has.

    `name` starts with the two digits of the lesson's number; `minutes` is the time it takes; `about` says in one
    sentence what is learned; `exercises` are the names of its tasks and questions.
    """

    name: str
    title: str
    about: str
    minutes: int
    exercises: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """The lesson's number, from 1."""
        return int(self.name[:2])

    @property
    def file(self) -> str:
        """The file name of the lesson's notebook."""
        return f"{self.name}.ipynb"


INDEX_FILE = "00_index.ipynb"
GAME_FILE = "play.ipynb"

COURSE: tuple[LessonInfo, ...] = (
    LessonInfo(
        "01_the_table",
        N_("The table"),
        N_("Where the cards lie, who covers whom, and which cards can be played."),
        15,
        ("cards-left-over", "how-many-cover", "find-covers", "find-exposed", "free-the-ten"),
    ),
    LessonInfo(
        "02_pairs",
        N_("Pairs to thirteen"),
        N_("Which two cards go together, why a king goes alone, and what the messages say."),
        15,
        ("partner-of-five", "find-partners", "why-not-sevens", "both-kings", "without-the-stock"),
    ),
    LessonInfo(
        "03_stock_and_waste",
        N_("Stock and waste"),
        N_("Drawing, putting the waste back, and why only the top card counts."),
        15,
        ("draw-a-partner", "what-can-pair", "dig-it-out", "use-the-waste", "order-after-recycle"),
    ),
    LessonInfo(
        "04_how_it_ends",
        N_("How a game ends"),
        N_("Winning, dead ends, and a deal that goes on for ever."),
        20,
        ("won-or-not", "win-small", "which-ending", "stuck-deal"),
    ),
    LessonInfo(
        "05_score_and_time",
        N_("Points, moves and time"),
        N_("What a card is worth, what counts as a move, and what undo takes back."),
        15,
        ("points-of-a-pair", "fifty-in-three", "after-undo", "why-280"),
    ),
    LessonInfo(
        "06_codes",
        N_("Codes and transcripts"),
        N_("The same deal for the whole class, and a game written down."),
        15,
        ("other-cards", "wrong-letter", "read-a-game", "play-from-paper"),
    ),
    LessonInfo(
        "07_variants",
        N_("Variants"),
        N_("The same cards under other rules: what each rule changes."),
        20,
        ("one-pass", "three-piles", "strict-goal", "cover-pair"),
    ),
    LessonInfo(
        "08_strategy",
        N_("Strategy"),
        N_("Which pair first? Positions in which one choice wins and the other loses."),
        20,
        ("which-ten", "keep-the-four", "first-pair", "find-locked", "count-strict"),
    ),
    LessonInfo(
        "09_chance",
        N_("Chance"),
        N_("How often can a game be won? Experiments, and how sure they make us."),
        20,
        ("seven-of-ten", "half-the-width", "what-95-means", "player-or-deal"),
    ),
    LessonInfo(
        "10_the_solver",
        N_("Inside the solver"),
        N_("States, the 1,430 shapes of a pyramid, and how a search finds the truth."),
        20,
        ("what-to-forget", "shapes-of-three", "path-of-shape", "make-the-path", "why-bounds"),
    ),
    LessonInfo(
        "11_own_rules",
        N_("Rules of your own"),
        N_("Build a rule set, play it, and study what it does to the game."),
        20,
        ("contradiction", "play-small", "which-helps", "one-at-a-time"),
    ),
)
"""All lessons, in order."""


def lesson_info(name: str) -> LessonInfo:
    """Return the lesson of a name such as `01_the_table`; raises LessonError when there is none."""
    for info in COURSE:
        if info.name == name:
            return info
    raise LessonError(
        _("There is no lesson “{name}”. There are: {names}.").format(
            name=name, names=", ".join(info.name for info in COURSE)
        )
    )
