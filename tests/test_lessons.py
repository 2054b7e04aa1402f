"""The parts of lessons: what each refuses, what it shows, and what it hears from the page."""

import io
import json
import logging
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from notebook_texts import extract

from pyramide_core.cards import Card
from pyramide_core.deals import Deal
from pyramide_core.errors import PyramideError
from pyramide_core.position import Outcome, Position
from pyramide_core.rules import VARIANTS, Rules
from pyramide_core.ui.lessons import (
    COURSE,
    AnyTwo,
    Explored,
    Goal,
    Index,
    Lesson,
    LessonBoard,
    LessonError,
    Pick,
    PlotBeside,
    Question,
    SideBySide,
    Task,
    Walkthrough,
    counted,
    differences,
    game_at,
    goal_where,
    make_available,
    most_removed,
    play_line,
    remove_cards,
    remove_most,
    sets_left,
    small_game,
    step,
    stock_refused,
    text,
    way_to,
    win,
)
from tests.lesson_notebooks import action, click_through, touch
from tests.plain_pyramide import UPON, free

CODE = "PY1-N-AAAAAAS"
# A pyramid of four rows that can be followed on paper; see lesson 2.
SMALL = "9C / KS 4H / 5D KH 8S / 6C QD AC 7H"


@pytest.fixture(autouse=True)
def no_logged_error(caplog: pytest.LogCaptureFixture) -> Any:
    """What a handler raises reaches nobody but the log."""
    yield
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


# Games and texts ------------------------------------------------------------------------------------------------------


def test_a_game_begun_by_a_lesson_starts_there() -> None:
    game = game_at(CODE, "KD 10C+3S D*2")
    assert (game.score, game.moves, game.removed, game.can_undo) == (0, 0, 3, False)
    assert game.position.deal.cards[game.position.waste_tops[0] or 0] == Card.parse("JC")
    game.play("D")
    assert game.can_undo
    again = game.again()
    assert again.position == game.start
    assert again.moves == 0


def test_a_counted_game_counts_what_was_before() -> None:
    game = game_at(CODE, "KD 10C+3S", counted=True)
    assert (game.score, game.moves, game.can_undo) == (30, 2, True)


def test_a_small_game_has_its_cards_and_an_empty_waste() -> None:
    game = small_game(3, "KS / QS AS / 2S JS 3S", "4H 5H")
    assert len(game.deal.cards) == 8
    assert game.position.waste == (0,)
    assert game.position.stock.bit_count() == 2


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: game_at("PY1-N-AAAA"), "too short"),
        (lambda: game_at(CODE, "KD*x"), "number after the star"),
        (lambda: game_at(CODE, "QC+AD"), "not available"),
        (lambda: game_at(CODE, rules="whist"), "whist"),
        (lambda: small_game(4, "KS QS"), "10 cards"),
        (lambda: Lesson("12_more"), "12_more"),
        (lambda: LessonBoard(game_at(CODE), show="stock talon"), "talon"),
        (lambda: Walkthrough(game_at(CODE), []), "at least one step"),
        (lambda: Pick(game_at(CODE), 0, str), "no right card"),
        (lambda: Question("Which?", [1, 2], 3, {1: "one", 2: "two"}), "right choice"),
        (lambda: Question("Which?", [1, 2], lambda value: True, {1: "one", 2: "two"}), "wrong one"),
        (lambda: Question("Which?", [1, 2], 1, {1: "one"}), "“2” has no feedback"),
        (lambda: Lesson("01_the_table").question("other", "Which?", [1, 2], 1, {1: "a", 2: "b"}), "other"),
        (lambda: list(Explored(game_at(CODE).position, limit=50)), "50 positions"),
        (lambda: sets_left(game_at(CODE, rules="thirteen").position), "how far the stock"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(make: Any, says: str) -> None:
    with pytest.raises(PyramideError, match=re.escape(says)):
        make()


def test_lesson_errors_are_errors_of_the_project() -> None:
    assert issubclass(LessonError, PyramideError)


def test_texts_write_cards_and_moves_as_people_do() -> None:
    move = game_at(CODE, "10C+3S").line[0]
    cards = [Card.parse("QH"), Card.parse("AS")]
    assert text("{move}; {cards}; {n}", move=move, cards=cards, n=3) == "10♣ + 3♠; Q♥ A♠; 3"
    assert counted("{n} card of {of}", "{n} cards of {of}", 1, of=cards) == "1 card of Q♥ A♠"


# Searches and goals ---------------------------------------------------------------------------------------------------


def plain_most(values: dict[int, int], pyramid: frozenset[int], waste: frozenset[int] = frozenset()) -> int:
    """Return how many cards can go without drawing, by trying everything: written anew for this test.

    The waste has one card or none; two cards of it never meet.
    """
    best = 0
    playable = [*free(pyramid), *waste]
    for first in playable:
        for second in playable:
            gone = {first, second}
            if (first == second and values[first] == 13) or (first < second and values[first] + values[second] == 13):
                best = max(best, len(gone) + plain_most(values, pyramid - gone, waste - gone))
    return best


@pytest.mark.parametrize("letter", "ABCDEFHS")
def test_most_removed_without_the_stock(letter: str) -> None:
    position = Position.start(Deal.from_code(f"PY1-N-AAAAAA{letter}"), Rules(draws_at_start=0))
    values = {place: card.rank for place, card in enumerate(position.deal.cards)}
    assert len(UPON) == 28
    assert most_removed(position, stock_refused) == plain_most(values, frozenset(range(28)))


def test_the_shortest_way_is_found_and_no_way_is_none() -> None:
    start = small_game(4, SMALL).position
    assert [str(move) for move in way_to(start, lambda p: p.tableau.bit_count() == 8) or ()] in ([["QD+AC"], ["7H+6C"]])
    # 4♥ covers 9♣: the two add up to 13 and never go.
    assert way_to(start, lambda p: p.is_won) is None


def test_the_stuck_deal_has_its_known_number_of_cards() -> None:
    start = game_at("PY1-N-AAAAAAJ").position
    left = sets_left(start)
    assert max(52 - cards.bit_count() for cards in left) == 14
    assert all(cards & start.tableau for cards in left)


def test_sets_left_agrees_with_all_positions_of_a_small_game() -> None:
    for deal in ("9C / KS 4H / 5D KH 8S / 6C QD AC 7H", "AS / QS JS / 2S KS 3S / 10S 4S 9S 5S"):
        start = small_game(4, deal, "2H 9D 4D JH KC").position
        assert sets_left(start) == {position.remaining for position in Explored(start)}


def test_a_goal_is_reached_or_says_what_is_missing() -> None:
    game = game_at(CODE)
    goals: dict[str, tuple[Goal, str]] = {
        "5 cards can go in all; you have removed 0.": (remove_most(game.position), "KD 10C+3S 10S+3H"),
        "10♠ is not available": (make_available(Card.parse("10S")), "KD 10C+3S"),
        "Still there: K♦": (remove_cards(Card.parse("KD")), "KD"),
        "28 cards are still": (win(), ""),
        "Move 1 of 2 comes next: KD": (play_line(game, "KD D"), "KD D"),
    }
    for says, (goal, moves) in goals.items():
        played = game.again()
        assert says in goal.missing(played)
        assert not goal.reached(played)
        for move in moves.split():
            played.play(move)
        assert goal.reached(played) == bool(moves)


def test_a_goal_out_of_reach_has_no_plan() -> None:
    assert win().plan(small_game(4, SMALL).position) is None
    goal = play_line(game_at(CODE), "KD D")
    astray = game_at(CODE)
    astray.play("D")
    assert goal.plan(astray.position) is None
    assert "Take the last move back" in goal.missing(astray)


# Boards ---------------------------------------------------------------------------------------------------------------


def test_a_board_shows_only_its_parts() -> None:
    board = LessonBoard(game_at(CODE), show="waste undo")
    hidden = {name for name in board._dom_classes if name.startswith("py-no-")}
    assert hidden == {"py-no-stock", "py-no-foundation", "py-no-figures", "py-no-code", "py-no-again"}
    assert len(board.actions_box.children) == 1
    board.buttons["stock"].click()
    assert board.game.moves == 0, "the stock is not shown, so nothing touches it"


def test_a_light_is_where_the_cards_are() -> None:
    game = game_at(CODE, "D*2")
    board = LessonBoard(game, light="QC JC 5C stock")
    assert board.companion.lit == ["stock", "t15", "waste0"]
    board.light(lambda position: position.exposed)
    assert board.companion.lit == [f"t{place}" for place in range(21, 28)]


def test_start_again_goes_back_to_the_lessons_position() -> None:
    board = LessonBoard(game_at(CODE, "KD"))
    click_through(board, "10C+3S D")
    action(board, "again").click()
    assert board.game.removed == 1
    assert board.game.moves == 0


def test_a_pick_is_undone_by_a_second_touch_and_by_start_again() -> None:
    game = game_at(CODE)
    pick = Pick(game, 0b110, lambda card: f"not {card}", show="again")
    touch(pick, "6C")
    assert pick.marked == 0b010
    assert pick.companion.state[1] == "s"
    touch(pick, "6C")
    assert pick.marked == 0
    touch(pick, "7H")
    action(pick, "again").click()
    assert pick.marked == 0
    touch(pick, "KD")
    assert pick.companion.message == {"text": "not KD", "kind": "warning", "number": pick._spoken}
    assert pick.game.removed == 0


# Walkthroughs, questions, side by side, plots -------------------------------------------------------------------------


def test_a_walkthrough_shows_the_position_after_each_step() -> None:
    walk = Walkthrough(game_at(CODE), [step("deal"), step("king", play="KD", light="10S"), step("pair", play="10C+3S")])
    steps = walk.data["steps"]
    assert [one["caption"] for one in steps] == ["deal", "king", "pair"]
    assert [one["state"].count(".") for one in steps] == [0, 1, 3]
    assert steps[1]["lit"] == ["t19"]
    # 10♠ is covered by 3♠ and K♦.
    assert [one["state"][19] for one in steps] == ["b", "b", "a"]
    assert walk.caption == "deal"
    walk.next()
    walk.next()
    walk.next()
    assert (walk.at, walk.caption) == (2, "pair")
    walk.previous()
    assert walk.caption == "king"


def test_a_walkthrough_tells_face_down_cards_and_piles() -> None:
    walk = Walkthrough(game_at(CODE, rules="pyramid_thirteen"), [step("deal")])
    assert walk.data["steps"][0]["state"] == 21 * "d" + 7 * "a"
    piles = {pile["key"]: pile for pile in Walkthrough(game_at(CODE), [step("deal")]).data["steps"][0]["piles"]}
    assert piles["stock"]["count"] == 23
    assert piles["waste0"]["card"] == "7D"
    assert [
        pile["key"] for pile in Walkthrough(game_at(CODE, rules="giza"), [step("d")]).data["steps"][0]["piles"]
    ] == ["foundation"]


def test_a_question_ignores_what_is_no_answer() -> None:
    question = Question("Which?", ["a", "b"], "b", {"a": "not a", "b": "yes"})
    for content in ({"event": "answer", "choice": 7}, {"event": "answer"}, {"event": "answer", "choice": "1"}, {}):
        question._receive(question, content, [])
    assert question.shown["given"] == []
    assert question.answer(0) is False
    assert question.answer(0) is False
    assert [given["choice"] for given in question.shown["given"]] == [0]


def test_side_by_side_makes_one_touch_on_both() -> None:
    pair = SideBySide(CODE, VARIANTS["pyramide"], VARIANTS["classic"])
    left, right = pair.boards
    touch(left, "KD")
    assert (left.game.removed, right.game.removed) == (1, 1)
    right.buttons["stock"].click()
    assert left.game.position.stock.bit_count() == 22
    assert right.game.position.stock.bit_count() == 23
    action(right, "undo").click()
    assert (left.game.moves, right.game.moves) == (2, 3), "an undo counts under classic, and is not passed on"
    # Removals: 10♣ or nothing with 3♥ and 3♠; the draw.
    assert [board.companion.texts["table"] for board in pair.boards] == ["Pyramide", "Classic"], "told apart by ear"
    assert [note.shown["text"] for note in pair.notes] == [
        "Pyramide: 3 moves are possible now",
        "Classic: 3 moves are possible now",
    ]


def test_side_by_side_apart() -> None:
    pair = SideBySide(CODE, VARIANTS["pyramide"], VARIANTS["thirteen"], together=False)
    touch(pair.boards[0], "KD")
    assert pair.boards[1].game.removed == 0
    assert pair.head.data["rows"] == [
        ["Draws before the first move", "1", "0"],
        ["Passes through the stock", "without limit", "1"],
    ]
    assert differences(Rules(), Rules()) == ()


def test_any_two_rule_sets_are_chosen_from_menus() -> None:
    both = AnyTwo(CODE, VARIANTS.values(), "pyramide", "classic")
    assert [menu.value for menu in both.menus] == ["pyramide", "classic"]
    assert [label for label, _name in both.menus[0].options][:3] == ["Pyramide", "Classic", "Thirteen"]
    first = both.pair
    both.menus[1].value = "giza"
    assert both.pair is not first
    assert both.children == (both.chosen, both.pair)
    assert both.pair.names == ("Pyramide", "Giza")
    # Giza lays all 52 cards: 28 of the pyramid and eight columns of three. Its king of diamonds is free as well.
    left, right = both.pair.boards
    assert right.game.position.tableau.bit_count() == 52
    touch(right, "KD")
    assert (left.game.removed, right.game.removed) == (0, 1), "each table is played by itself"
    both.menus[0].value = "giza"
    assert both.pair.head.data["rows"] == []
    with pytest.raises(LessonError, match="no rule set “whist” to choose"):
        AnyTwo(CODE, VARIANTS.values(), "pyramide", "whist")


def test_piles_stand_below_a_pyramid_that_is_upside_down() -> None:
    below = {
        rules: Walkthrough(game_at(CODE, rules=rules), [step("all")]).data["piles_below"]
        for rules in ("pyramide", "triangle", "giza", "pharaohs")
    }
    assert below == {"pyramide": False, "triangle": True, "giza": False, "pharaohs": False}


def test_a_plot_is_drawn_when_the_page_asks() -> None:
    drawn = []
    plot = PlotBeside(lambda axes: drawn.append(axes.plot([1, 2])), "A line.", ["x", "y"], [(1, 2), (3, 4)])
    assert not drawn
    plot._receive(plot, {"event": "ready"}, [])
    assert len(drawn) == 1
    assert plot.shown["picture"].startswith("data:image/svg+xml;base64,")
    assert plot.data["rows"] == [["1", "2"], ["3", "4"]]
    plot._receive(plot, {"event": "ready"}, [])
    assert len(drawn) == 1, "a second view shows the same picture"


def test_a_plot_that_fails_says_so(caplog: pytest.LogCaptureFixture) -> None:
    plot = PlotBeside(lambda axes: 1 / 0, "Nothing.", ["x"], [(1,)])
    plot._receive(plot, {"event": "ready"}, [])
    assert "Something went wrong" in plot.shown["problem"]
    assert "ZeroDivisionError" in caplog.text
    caplog.clear()


# Tasks ----------------------------------------------------------------------------------------------------------------


def a_task(lesson: Lesson | None = None, **options: Any) -> Task:
    return Task(
        "Remove what you can.",
        game_at(CODE),
        lambda game: remove_most(game.position),
        name="free-the-ten",
        lesson=lesson,
        **options,
    )


def test_a_task_refuses_what_is_out_of_bounds_and_leaves_the_game_alone() -> None:
    task = a_task()
    task.board.buttons["stock"].click()
    assert task.game.moves == 0
    assert task.board.companion.message["text"] == "This task goes without the stock."


def test_help_comes_in_three_levels() -> None:
    task = a_task(hints=["A word.", "Another."])
    said = []
    for _level in range(4):
        task.hint()
        said.append(task.head.shown["help"])
    assert said[:2] == ["A word.", "Another."]
    assert said[2] == said[3]
    assert said[2].startswith("The next move: ")
    click_through(task.board, "KD")
    assert task.head.shown["help"] == "", "after a move the help begins anew"
    task.hint()
    assert task.head.shown["help"] == "A word."


def test_help_says_when_it_is_too_late() -> None:
    # 10♣ with 3♥ leaves 3♠ without a partner: K♦ and that pair are all that goes.
    task = a_task()
    click_through(task.board, "10C+3H KD")
    task.hint()
    assert "cannot be done any more" in task.head.shown["help"]
    task.board.undo()
    task.board.undo()
    task.hint()
    assert "cannot be done any more" not in task.head.shown["help"]


def test_a_link_gives_a_task_another_deal_and_its_own_goal() -> None:
    lesson = Lesson("01_the_table")
    task = a_task(lesson)
    lesson.exercises["free-the-ten"] = task
    lesson._receive(lesson, {"event": "ready", "query": "?task=free-the-ten&code=py1-n-aaaaaad"}, [])
    assert task.game.deal == Deal.from_code("PY1-N-AAAAAAD")
    values = {place: card.rank for place, card in enumerate(task.game.deal.cards)}
    most = plain_most(values, frozenset(range(28)), frozenset([28]))
    assert f"{most} cards can go in all" in task.head.shown["status"]


def test_help_with_another_deal_says_nothing_of_the_cards_of_the_own_one() -> None:
    task = a_task(hints=["A word on K♦.", "Another."])
    task.open_link("PY1-N-AAAAAAD")
    said = []
    for _level in range(3):
        task.hint()
        said.append(task.head.shown["help"])
    assert said[0].startswith("Look at ")
    assert said[1] == said[2]
    assert said[1].startswith("The next move: ")


def test_a_wrong_link_is_explained_and_the_task_stays() -> None:
    lesson = Lesson("01_the_table")
    task = a_task(lesson)
    lesson.exercises["free-the-ten"] = task
    for query in ("?task=free-the-ten&code=PY1-N-A", "?task=nothing&code=PY1-N-AAAAAAB", "?task=", "%%%"):
        lesson._receive(lesson, {"event": "ready", "query": query}, [])
        assert task.game.deal == Deal.from_code(CODE)
    assert "too short" in task.board.companion.message["text"]


def test_a_deal_in_which_a_task_cannot_be_done_is_refused() -> None:
    """Without the stock only the pyramid and the first card of the waste can come free."""
    own, other = Deal.from_code(CODE), Deal.from_code("PY1-N-AAAAAAB")
    waste = own.cards[28]
    assert other.place_of[waste] > 28, "it lies in the stock there"
    task = Task("Free it.", game_at(CODE, "D"), lambda game: make_available(waste, stock=False))
    task.open_link("PY1-N-AAAAAAB")
    assert task.game.deal == own
    assert task.board.companion.message["text"] == (
        "The deal PY1-N-AAAAAAB does not suit this task; the task keeps its own deal."
    )
    # Reached before anything is done: the last card of the pyramid is free from the start, in any deal.
    task = Task("Free it.", game_at(CODE), lambda game: make_available(game.deal.cards[27], stock=False))
    task.open_link("PY1-N-AAAAAAB")
    assert task.game.deal == own


@pytest.mark.parametrize(("form", "start"), [("pdf", b"%PDF-"), ("png", b"\x89PNG")])
@pytest.mark.parametrize("solution", [False, True])
def test_a_task_gives_its_sheet(form: str, start: bytes, solution: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    task = a_task()
    sent: list[Any] = []
    monkeypatch.setattr(task.head, "send", lambda content, buffers: sent.append((content, buffers)))
    task.head._receive(task.head, {"event": "sheet", "form": form, "solution": solution}, [])
    task.head._receive(task.head, {"event": "sheet", "form": "exe"}, [])
    ((content, (file,)),) = sent
    assert file.startswith(start)
    assert content["name"] == f"free-the-ten{'-solution' if solution else ''}.{form}"


def test_what_fails_in_a_part_is_said_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    question = Question("Which?", ["a", "b"], "b", {"a": "not a", "b": "yes"})
    question.because = ()
    question._receive(question, {"event": "answer", "choice": 0}, [])
    assert "Something went wrong" in question.shown["problem"]
    assert "IndexError" in caplog.text
    caplog.clear()


# Lesson, progress, index ----------------------------------------------------------------------------------------------


def answers(lesson: Lesson, name: str) -> Question:
    return lesson.question(name, "Which?", ["a", "b"], "b", {"a": "not a", "b": "yes"})


def test_progress_is_what_is_done_and_what_the_browser_remembers() -> None:
    lesson = Lesson("01_the_table")
    first, second = answers(lesson, "how-many-cover"), answers(lesson, "cards-left-over")
    end = lesson.end()
    lesson._receive(lesson, {"event": "ready", "remembered": ["cards-left-over", "of another version"]}, [])
    assert (first.solved_before, second.solved_before) == (False, True)
    assert lesson.shown["finished"] == ["cards-left-over"]
    first.answer(1)
    first.answer(1)
    assert sorted(lesson.shown["finished"]) == ["cards-left-over", "how-many-cover"]
    assert end.shown["finished"] == lesson.shown["finished"]
    # A cell that is run again makes its exercise again, and what is remembered stays.
    assert answers(lesson, "cards-left-over").solved_before


def test_the_course_is_in_order_and_every_name_stands_once() -> None:
    assert [info.number for info in COURSE] == list(range(1, 12))
    names = [name for info in COURSE for name in info.exercises]
    assert len(names) == len(set(names))
    assert all(10 <= info.minutes <= 20 for info in COURSE)


def test_the_index_shows_the_lessons_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "02_pairs.ipynb").touch()
    index = Index(tmp_path)
    (lesson,) = index.data["lessons"]
    assert (lesson["number"], lesson["title"]) == (2, "Pairs to thirteen")
    assert lesson["labels"][-1] == "5 of 5 done"


def test_a_lesson_takes_the_language_of_the_link(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setenv("QUERY_STRING", "task=x&lang=fr")
    monkeypatch.setattr("pyramide_core.ui.lessons.lesson.set_language", asked.append)
    Lesson("01_the_table")
    assert asked == ["fr"]


def test_opening_a_lesson_imports_neither_matplotlib_nor_numba() -> None:
    program = (
        "import sys; from pyramide_core.ui.lessons import *; Lesson('01_the_table');"
        "print([name for name in ('matplotlib', 'numba', 'numpy', 'sqlalchemy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# Texts of notebooks for translators -----------------------------------------------------------------------------------


def test_babel_finds_the_texts_of_a_notebook() -> None:
    from babel.messages.extract import DEFAULT_KEYWORDS

    cells = [
        {"cell_type": "markdown", "id": "a", "source": ["# Title\n", "\n", "One idea."]},
        {"cell_type": "code", "id": "b", "source": ['text("Hello {card}", card=x)\n', 'counted("{n} a", "{n} b", 2)']},
        {"cell_type": "code", "id": "c", "source": ['print("not a text")']},
    ]
    file = io.BytesIO(json.dumps({"cells": cells}).encode())
    found = list(extract(file, DEFAULT_KEYWORDS, (), {}))
    assert [(number, message) for number, _name, message, _comments in found] == [
        (1, "# Title\n\nOne idea."),
        (2, "Hello {card}"),
        (2, ("{n} a", "{n} b")),
    ]
    assert [name for _number, name, _message, _comments in found] == [None, "_", "ngettext"]


def test_goals_of_ones_own() -> None:
    """Lessons with a solver give their own plan: any function of a position."""
    goal = Goal(
        reached=lambda game: game.outcome is Outcome.WON,
        missing=lambda game: "not yet",
        plan=lambda position: position.legal_moves()[:1] or None,
    )
    task = Task("Win.", small_game(3, "KS / QS AS / JS 2S 3S"), lambda game: goal)
    task.hint()
    assert task.head.shown["help"]
    assert goal_where(lambda p: True, lambda p: "").plan(task.game.position) == ()
