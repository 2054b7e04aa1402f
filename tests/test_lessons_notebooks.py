"""The lesson notebooks: how they are written, that every exercise can be solved by clicks, and what wrong answers get.

The right answers here are typed in from the rules and from games played by hand; the notebooks compute theirs.
"""

import ast
import re
from typing import Any

import pytest

from pyramide_core.cards import Card
from pyramide_core.ui.lessons import COURSE, Find, Question, Task
from tests.lesson_notebooks import (
    CHECKED,
    IGNORED,
    LESSONS,
    NOTEBOOKS,
    action,
    click_through,
    code_cells,
    markdown_cells,
    notebook,
    run,
    touch,
    words_of,
)

# The answers of questions, counted from 0.
ANSWERS = {
    "cards-left-over": 1,
    "how-many-cover": 1,
    "partner-of-five": 1,
    "why-not-sevens": 2,
    "what-can-pair": 1,
    "order-after-recycle": 0,
    "won-or-not": 0,
    "which-ending": 0,
    "stuck-deal": 1,
    "points-of-a-pair": 1,
    "after-undo": 1,
    "why-280": 2,
    "other-cards": 2,
    "wrong-letter": 3,
    "read-a-game": 1,
    "one-pass": 1,
    "strict-goal": 1,
    "which-ten": 1,
    "first-pair": 1,
    "count-strict": 1,
    "seven-of-ten": 1,
    "half-the-width": 1,
    "what-95-means": 2,
    "player-or-deal": 1,
    "what-to-forget": 0,
    "shapes-of-three": 1,
    "path-of-shape": 1,
    "why-bounds": 1,
    "contradiction": 1,
    "which-helps": 1,
    "one-at-a-time": 2,
}
# Games that solve the tasks.
GAMES = {
    "free-the-ten": "KD 10C+3S",
    "both-kings": "QD+AC KH 7H+6C 8S+5D KS",
    "without-the-stock": "10C+3S KD 10S+3H",
    "draw-a-partner": "D*6",
    "dig-it-out": "10H+3S",
    "use-the-waste": "D*10 9H+4H",
    "win-small": "7H+6C QD+AC 8S+5D KH KS D*2 9D+4H D 9C+4S",
    "fifty-in-three": "KD 10C+3S 10S+3H",
    "play-from-paper": "KD 10C+3S 10S+3H D*2 JC+2C",
    "three-piles": "D JC+2D",
    "cover-pair": "QD+AC KH 7H+6C 8S+5D KS 9C+4H",
    "keep-the-four": "KH 9C+4H KD 9D+4S KS",
    "make-the-path": "QD+AC KH 7H+6C",
    "play-small": "KD 9S+4H KC 8S+5D",
}
# Moves that do not solve them: the task says what is missing, or refuses the move.
FALSE_STARTS = {
    "free-the-ten": "KD",
    "both-kings": "QD+AC",
    "without-the-stock": "KD 10C+3H",
    "draw-a-partner": "D*5",
    "dig-it-out": "3S",
    "use-the-waste": "D*5",
    "win-small": "D",
    "fifty-in-three": "KD 10C+3S 10S D",
    "play-from-paper": "10C+3S",
    "three-piles": "D 2D KD",
    "cover-pair": "QD+AC",
    "keep-the-four": "9C+4S KH",
    "make-the-path": "QD+AC",
    "play-small": "KD",
}
# The right cards and a wrong one.
FINDS = {
    "find-covers": ("2C 8D", "QC"),
    "find-exposed": ("7C 3H 4H 7S 10S", "10D"),
    "find-partners": ("3D 3H 3S", "4H"),
    "find-locked": ("5D", "10H"),
}

written = pytest.mark.parametrize("name", LESSONS)


@pytest.fixture(scope="module")
def lessons() -> dict[str, dict[str, Any]]:
    """The names of each lesson after running it."""
    return {name: run(name) for name in LESSONS}


# How the notebooks are written ----------------------------------------------------------------------------------------


def test_every_notebook_is_a_lesson_of_the_course() -> None:
    assert set(LESSONS) <= {info.name for info in COURSE}
    assert [info.name for info in COURSE][: len(LESSONS)] == LESSONS


@written
def test_opens_with_goals_and_words_and_ends_with_a_summary(name: str) -> None:
    prose = markdown_cells(name)
    assert prose[0].startswith(f"# {int(name[:2])} · ")
    assert prose[1].startswith("**After this lesson you can**")
    assert prose[2].startswith("| Word | What it means |")
    assert prose[-1].startswith("## What you know now")
    assert "**Next:**" in prose[-1] or name == COURSE[-1].name
    assert code_cells(name)[-1].source == "lesson.end()"


@written
def test_every_code_cell_is_checked_or_ignored_and_checked_cells_keep_their_counts(name: str) -> None:
    checked = 0
    for cell in code_cells(name):
        tags = set(cell.metadata.get("tags", ()))
        assert len(tags & {CHECKED, IGNORED}) == 1, cell.id
        if CHECKED in tags:
            checked += 1
            assert cell.execution_count, f"{cell.id} would not be compared: run scripts/run_notebooks.py"
            assert any(output.get("text") for output in cell.outputs), cell.id
        else:
            assert not cell.outputs, cell.id
            assert cell.execution_count is None, cell.id
    assert checked >= 2
    assert [cell.execution_count for cell in code_cells(name) if cell.execution_count] == [
        number for number, cell in enumerate(code_cells(name), 1) if cell.execution_count
    ]


@written
def test_the_code_is_worth_reading(name: str) -> None:
    for cell in code_cells(name):
        assert not re.search(r"^\s*[%!]|\bpip\b", cell.source, re.M), cell.id
        tree = ast.parse(cell.source)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                assert node.names[0].name != "*", cell.id
            if isinstance(node, ast.FunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 25, (cell.id, node.name)
                assert ast.get_docstring(node), (cell.id, node.name)


@written
def test_texts_in_code_go_through_the_catalogue(name: str) -> None:
    """A sentence in code is an argument of text or counted, a docstring, a game, or a rule set."""
    for cell in code_cells(name):
        tree = ast.parse(cell.source)
        inside = {
            id(part)
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("text", "counted")
            for part in ast.walk(node)
        }
        docstrings = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and isinstance(node.body[0], ast.Expr)
        }
        # What parts of a board to show, what to light, what to play.
        words = {
            id(node.value) for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg in ("show", "light")
        }
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in inside | docstrings | words
            ):
                assert not re.search(r"[a-z]{3,} [a-z]{2,} [a-z]{2,}", node.value), (cell.id, node.value)


@written
def test_markdown_cells_are_short(name: str) -> None:
    for source in markdown_cells(name):
        prose = [line for line in source.splitlines() if not line.startswith(("|", "-", "#"))]
        assert len(words_of(" ".join(prose))) <= 90, source[:60]


def test_the_index_links_every_lesson_there_is() -> None:
    source = "\n".join(markdown_cells("00_index"))
    assert [name for name in re.findall(r"\]\((\d\d_\w+)\.ipynb\)", source) if name != "00_index"] == LESSONS


# Exercises ------------------------------------------------------------------------------------------------------------


@written
def test_a_lesson_makes_the_exercises_that_the_course_names(name: str, lessons: dict[str, dict[str, Any]]) -> None:
    lesson = lessons[name]["lesson"]
    info = next(info for info in COURSE if info.name == name)
    assert tuple(lesson.exercises) == info.exercises
    assert 10 <= info.minutes <= 20


def exercises(kind: type) -> list[tuple[str, str]]:
    known = {Question: ANSWERS, Task: GAMES, Find: FINDS}[kind]
    return [(info.name, exercise) for info in COURSE for exercise in info.exercises if exercise in known]


def test_every_exercise_is_solved_below() -> None:
    ours = {exercise for info in COURSE[: len(LESSONS)] for exercise in info.exercises}
    assert ours == {*ANSWERS, *GAMES, *FINDS}
    assert FALSE_STARTS.keys() == GAMES.keys()


@pytest.mark.parametrize(("name", "exercise"), exercises(Question))
def test_questions(name: str, exercise: str, lessons: dict[str, dict[str, Any]]) -> None:
    lesson = lessons[name]["lesson"]
    question = lesson.exercises[exercise]
    assert isinstance(question, Question)
    right = ANSWERS[exercise]
    said = set()
    for number in range(len(question.values)):
        if number != right:
            # As the page sends it.
            question._receive(question, {"event": "answer", "choice": number}, [])
            assert question.shown["given"][-1]["right"] is False
            assert not question.done
            said.add(question.feedback)
    question._receive(question, {"event": "answer", "choice": right}, [])
    assert question.shown["given"][-1]["right"] is True
    assert question.done
    assert exercise in lesson.shown["finished"]
    said.add(question.feedback)
    assert len(said) == len(question.values), "every answer has a feedback of its own"
    assert all(len(text) > 10 for text in said)


@pytest.mark.parametrize(("name", "exercise"), exercises(Task))
def test_tasks_by_clicks(name: str, exercise: str, lessons: dict[str, dict[str, Any]]) -> None:
    lesson = lessons[name]["lesson"]
    task = lesson.exercises[exercise]
    assert isinstance(task, Task)
    start = task.game.position

    for word in FALSE_STARTS[exercise].split():
        click_through(task.board, word) if "+" in word or word[0] == "D" else touch(task.board, word)
    assert not task.is_done
    assert task.head.shown["state"] == "open"
    assert task.head.shown["status"], "it says what is missing"
    action(task.board, "again").click()
    assert task.game.position == start

    for level in (1, 2, 3):
        action(task.board, "hint").click()
        assert task.level == level
        assert task.head.shown["help"]
    assert task.board.companion.lit, "the third level lights the move"

    click_through(task.board, GAMES[exercise])
    assert task.is_done
    assert task.head.shown["state"] == "done"
    assert exercise in lesson.shown["finished"]
    action(task.board, "hint").click()
    assert "done" in task.head.shown["help"]


@pytest.mark.parametrize(("name", "exercise"), exercises(Task))
def test_the_hints_of_a_task_lead_to_its_goal(name: str, exercise: str, lessons: dict[str, dict[str, Any]]) -> None:
    task = lessons[name]["lesson"].exercises[exercise]
    game = task.game.again()
    solution = task.solution()
    assert solution
    for move in solution:
        assert not task.goal.reached(game)
        assert task.goal.refuse(game.position, move) == ""
        game.play(move)
    assert task.goal.reached(game)


@pytest.mark.parametrize(("name", "exercise"), exercises(Find))
def test_finding_cards_by_clicks(name: str, exercise: str, lessons: dict[str, dict[str, Any]]) -> None:
    lesson = lessons[name]["lesson"]
    find = lesson.exercises[exercise]
    assert isinstance(find, Find)
    right, wrong = FINDS[exercise]
    touch(find.board, wrong)
    assert find.board.marked == 0
    assert find.board.companion.message["kind"] == "warning"
    assert Card.parse(wrong).symbol in find.board.companion.message["text"], "the reason names the card"
    action(find.board, "hint").click()
    assert len(find.board.companion.lit) == 1
    for card in right.split():
        assert not find.is_done
        touch(find.board, card)
    assert find.is_done
    assert exercise in lesson.shown["finished"]


# Prose ----------------------------------------------------------------------------------------------------------------


def prose_of(name: str) -> str:
    texts = markdown_cells(name)
    for cell in code_cells(name):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("text", "counted"):
                texts += [part.value for part in node.args if isinstance(part, ast.Constant)]
    return "\n".join(texts)


@pytest.mark.parametrize("name", ["00_index", *LESSONS, "README"])
def test_spelling(name: str) -> None:
    spellchecker = pytest.importorskip("spellchecker", reason="pyspellchecker is not installed")
    checker = spellchecker.SpellChecker(language="en", distance=1)
    known = (NOTEBOOKS.parent / "tests" / "data" / "lesson_words.txt").read_text(encoding="utf-8").split()
    checker.word_frequency.load_words(known)
    prose = (NOTEBOOKS / "README.md").read_text(encoding="utf-8") if name == "README" else prose_of(name)
    words = {word.replace("’", "'") for word in words_of(prose) if len(word) > 2}
    assert checker.unknown({word.removesuffix("'s") for word in words}) == set()


def test_notebooks_are_kept_as_the_script_writes_them() -> None:
    import run_notebooks

    for name in ["00_index", *LESSONS]:
        kept = notebook(name).copy()
        run_notebooks.normalise(kept)
        text = (run_notebooks.NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8")
        assert run_notebooks.text_of(kept) == text, name
