"""Class sessions: who may do what, what counts, and the live board, in SQLite and PostgreSQL."""

import csv
import io
import multiprocessing
from dataclasses import replace

import pytest

from pyramide_core import VARIANTS, Deal, Rules
from pyramide_core.records.classes import Pupil, Teacher
from pyramide_core.records.errors import NameTakenError, NotYoursError, OverError, RecordsError
from pyramide_core.records.results import Learner, Task, Try, board, line, results_csv
from pyramide_core.records.saved import GameFacts, SavedGame
from pyramide_core.records.store import Records
from tests.records.support import OTHER, TOKEN, a_game, saved, won_game

TEACHER = "teacher-" * 5
DEALS = [Deal.from_seed(18), Deal.from_seed(19)]


@pytest.fixture
def teacher(records: Records) -> Teacher:
    return Teacher(records, TEACHER)


@pytest.fixture
def task(teacher: Teacher) -> Task:
    return teacher.open_class(DEALS, VARIANTS["pyramide"], title="7b", time_limit=600)


def joined(records: Records, task: Task, token: str = TOKEN, name: str = "Ada") -> Pupil:
    pupil = Pupil(records, token, task.code)
    pupil.join(name)
    return pupil


def play(
    records: Records, pupil: Pupil, deal: int, kept: SavedGame, token: str = TOKEN, name: str = "Ada"
) -> SavedGame:
    """Save a game of a class as the recorder does."""
    kept = replace(kept, facts=replace(kept.facts, slot=pupil.slot, player=name))
    records.account(token).save(kept.facts, kept.log, 0, pupil.seat(deal))
    return kept


# Opening -------------------------------------------------------------------------------------------------------------


def test_class_is_opened_and_found_by_its_code(records: Records, task: Task) -> None:
    assert task.deals == ("PY1-N-AAAAAAS", "PY1-N-AAAAAAT")
    assert (task.rules, task.title, task.time_limit, task.hints_allowed) == ("pyramide", "7b", 600, True)
    assert Pupil(records, TOKEN, f" {task.code.lower()} ").task == task
    assert [task.deal(1), task.deal(2)] == DEALS
    assert (task.number("PY1-N-AAAAAAT", "pyramide"), task.number("PY1-N-AAAAAAT", "classic")) == (2, None)


@pytest.mark.parametrize(
    ("deals", "limit", "words"),
    [([], None, "from 1 to 100"), (DEALS * 60, None, "from 1 to 100"), (DEALS, 0, "longer than nothing")],
)
def test_class_that_cannot_be_is_refused(teacher: Teacher, deals: list[Deal], limit: int | None, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        teacher.open_class(deals, Rules(), time_limit=limit)


def test_deal_without_a_code_is_refused(teacher: Teacher) -> None:
    with pytest.raises(RecordsError, match="52 cards"):
        teacher.open_class([Deal.of(DEALS[0].cards[:40])], Rules())


def test_code_that_is_taken_is_made_anew(teacher: Teacher, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = iter(["AAAAAA", "AAAAAA", "AAAAAA", "BBBBBB"])
    monkeypatch.setattr("pyramide_core.records.classes.make_class_code", lambda: next(codes))
    assert [teacher.open_class(DEALS, Rules()).code for _number in range(2)] == ["AAAAAA", "BBBBBB"]


def test_class_that_is_not_there(records: Records) -> None:
    with pytest.raises(NotYoursError, match="no class “ABCDEF”"):
        Pupil(records, TOKEN, "abcdef")


def test_only_its_teacher_sees_and_changes_a_class(records: Records, task: Task) -> None:
    other = Teacher(records, OTHER)
    assert other.classes() == []
    for act in (other.task, other.learners, other.games, other.close_class, other.reopen_class):
        with pytest.raises(NotYoursError):
            act(task.code)
    with pytest.raises(NotYoursError):
        other.set_anonymous(task.code, True)
    assert Teacher(records, TEACHER).task(task.code) == task


# Joining -------------------------------------------------------------------------------------------------------------


def test_learners_join_once_and_come_back(records: Records, teacher: Teacher, task: Task) -> None:
    first = joined(records, task)
    second = joined(records, task, OTHER, "Bob")
    assert first.join("Ada") == "Ada"
    assert (first.name(), second.name()) == ("Ada", "Bob")
    assert Pupil(records, "x" * 40, task.code).name() == ""
    assert [learner.name for learner in teacher.learners(task.code)] == ["Ada", "Bob"]


@pytest.mark.parametrize("name", ["Ada", "ADA", " ada "])
def test_name_of_somebody_else_is_refused(records: Records, task: Task, name: str) -> None:
    joined(records, task)
    with pytest.raises(NameTakenError):
        joined(records, task, OTHER, name)
    assert Pupil(records, OTHER, task.code).name() == ""


def join_at_once(setting: str, code: str, number: int, barrier: object) -> None:
    records = Records.open(setting)
    pupil = Pupil(records, f"{number:040d}", code)
    barrier.wait()  # type: ignore[attr-defined]
    try:
        pupil.join("Ada")
    except NameTakenError:
        pupil.join(f"Ada {number}")
    records.close()


def test_learners_who_join_at_once_under_one_name(records: Records, setting: str, teacher: Teacher, task: Task) -> None:
    records.close()
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods else None)
    barrier = context.Barrier(6)
    learners = [context.Process(target=join_at_once, args=(setting, task.code, n, barrier)) for n in range(6)]
    for learner in learners:
        learner.start()
    for learner in learners:
        learner.join(120)
    assert [learner.exitcode for learner in learners] == [0] * 6
    names = [learner.name for learner in teacher.learners(task.code)]
    assert len(names) == len(set(names)) == 6
    assert "Ada" in names


# Playing -------------------------------------------------------------------------------------------------------------


def test_games_of_a_class_are_its_teachers_to_see(records: Records, teacher: Teacher, task: Task) -> None:
    pupil = joined(records, task)
    kept = play(records, pupil, 1, saved(a_game(18)))
    (learner,) = teacher.learners(task.code)
    assert learner.tries == (Try(1, kept.facts),)
    assert pupil.tries() == [Try(1, kept.facts)]
    assert teacher.games(task.code) == [("Ada", 1, kept)]
    # What else a learner plays is not.
    private = saved(a_game(3))
    records.account(TOKEN).save(private.facts, private.log, 0)
    assert teacher.games(task.code) == [("Ada", 1, kept)]
    # And a learner sees nothing of the others.
    assert joined(records, task, OTHER, "Bob").tries() == []


def test_who_has_not_joined_saves_nothing(records: Records, teacher: Teacher, task: Task) -> None:
    stranger = Pupil(records, OTHER, task.code)
    with pytest.raises(NotYoursError):
        play(records, stranger, 1, saved(a_game(18)), OTHER)
    assert records.account(OTHER).games() == []
    assert teacher.games(task.code) == []


def test_closed_class_records_nothing_more(records: Records, teacher: Teacher, task: Task) -> None:
    pupil = joined(records, task)
    kept = play(records, pupil, 1, saved(a_game(18)))
    assert teacher.close_class(task.code).closed_at == 5_000.0
    on = replace(kept.facts, entries=21)
    with pytest.raises(OverError, match="closed"):
        records.account(TOKEN).save(on, ["D"], 20, pupil.seat(1))
    with pytest.raises(OverError):
        joined(records, task, OTHER, "Bob")
    assert teacher.games(task.code) == [("Ada", 1, kept)]
    teacher.reopen_class(task.code)
    records.account(TOKEN).save(on, ["D"], 20, pupil.seat(1))
    assert teacher.learners(task.code)[0].tries[0].facts == on


def test_deal_that_is_there_twice_is_refused(teacher: Teacher) -> None:
    with pytest.raises(RecordsError, match="PY1-N-AAAAAAS is there twice"):
        teacher.open_class([*DEALS, DEALS[0]], Rules())


def test_deleted_class_leaves_the_games_to_their_learners(records: Records, teacher: Teacher, task: Task) -> None:
    other = teacher.open_class(DEALS, Rules())
    mine, second = joined(records, task), joined(records, other)
    kept = [play(records, mine, 1, saved(a_game(18))), play(records, second, 1, saved(a_game(18)))]
    with pytest.raises(NotYoursError):
        Teacher(records, OTHER).delete_class(task.code)
    teacher.delete_class(task.code)
    assert [left.code for left in teacher.classes()] == [other.code]
    with pytest.raises(NotYoursError):
        teacher.games(task.code)
    with pytest.raises(NotYoursError):
        Pupil(records, TOKEN, task.code)
    assert teacher.games(other.code) == [("Ada", 1, kept[1])]
    assert {game.key for game in records.account(TOKEN).games()} == {game.facts.key for game in kept}


def test_time_is_each_learners_own(records: Records, teacher: Teacher, task: Task) -> None:
    pupil = joined(records, task)
    records.wall = lambda: 5_400.0
    late = joined(records, task, OTHER, "Bob")
    assert (pupil.seconds_left(), late.seconds_left()) == (200.0, 600.0)
    kept = play(records, pupil, 1, saved(a_game(18)))
    # A move made in time may arrive a little later.
    records.wall = lambda: 5_602.0
    records.account(TOKEN).save(replace(kept.facts, entries=21), ["D"], 20, pupil.seat(1))
    records.wall = lambda: 5_604.0
    with pytest.raises(OverError, match="time is over"):
        records.account(TOKEN).save(replace(kept.facts, entries=22), ["D"], 21, pupil.seat(1))
    play(records, late, 1, saved(a_game(18)), OTHER, "Bob")
    assert (pupil.seconds_left(), late.seconds_left()) == (0.0, 396.0)
    states = [line(task, learner, 5_604.0).state for learner in teacher.learners(task.code)]
    assert states == ["time-over", "playing"]


def test_deleted_learner_is_gone_from_the_class(records: Records, teacher: Teacher, task: Task) -> None:
    play(records, joined(records, task), 1, saved(a_game(18)))
    records.account(TOKEN).delete()
    assert teacher.learners(task.code) == []


# Results -------------------------------------------------------------------------------------------------------------


def facts(**values: object) -> GameFacts:
    plain = GameFacts(key="0" * 32, rules="pyramide", code="PY1-N-AAAAAAS", entries=5, cards_left=9)
    return replace(plain, **values)  # type: ignore[arg-type]


def test_best_try_counts() -> None:
    slow = facts(result="won", moves=40, seconds=90.0, cards_left=0)
    fast = facts(result="won", moves=40, seconds=80.0, cards_left=0)
    short = facts(result="won", moves=30, seconds=500.0, cards_left=0)
    lost, later = facts(result="dead-end", moves=3), facts(moves=4)
    other = Try(2, facts(moves=1))
    assert Learner(1, "Ada", 0.0, (Try(1, slow), Try(1, short), Try(1, fast), Try(1, lost), other)).best(1) == short
    assert Learner(1, "Ada", 0.0, (Try(1, slow), Try(1, fast))).best(1) == fast
    assert Learner(1, "Ada", 0.0, (Try(1, lost), Try(1, later), other)).best(1) == later
    assert Learner(1, "Ada", 0.0).best(1) is None


def test_board_ranks_by_what_is_solved_then_by_time_or_moves() -> None:
    task = Task("ABCDEF", "pyramide", ("PY1-N-AAAAAAS",))

    def learner(number: int, name: str, **values: object) -> Learner:
        return Learner(number, name, 0.0, (Try(1, facts(**values)),) if values else ())

    everybody = [
        learner(1, "Ada", moves=9, seconds=1.0, cards_left=3),
        learner(2, "Bob", result="won", moves=50, seconds=60.0, cards_left=0),
        learner(3, "Cleo"),
        learner(4, "Dora", result="won", moves=40, seconds=70.0, cards_left=0, hints=2),
        learner(5, "Emil", result="dead-end", moves=5, cards_left=3, seconds=2.0),
        learner(6, "Fay", entries=0, cards_left=28),
    ]
    by_time = board(task, everybody, 0.0, "time")
    assert [shown.name for shown in by_time] == ["Bob", "Dora", "Ada", "Emil", "Cleo", "Fay"]
    by_moves = board(task, everybody, 0.0, "moves")
    assert [shown.name for shown in by_moves] == ["Dora", "Bob", "Emil", "Ada", "Cleo", "Fay"]
    assert [shown.state for shown in by_time] == [
        "finished", "finished", "playing", "dead-end", "waiting", "waiting",
    ]  # fmt: skip
    assert [shown.cards_left for shown in by_time] == [0, 0, 3, 3, 28, 28]
    assert by_time[1].hints == 2


def test_board_without_names_shows_none() -> None:
    task = Task("ABCDEF", "pyramide", ("PY1-N-AAAAAAS",), is_anonymous=True)
    assert [shown.name for shown in board(task, [Learner(1, "Ada", 0.0), Learner(2, "Bob", 0.0)], 0.0)] == [
        "Learner 1",
        "Learner 2",
    ]


def test_cards_of_deals_not_begun_count_as_left() -> None:
    two = ("PY1-N-AAAAAAS", "PY1-N-AAAAAAT")
    begun = Learner(1, "Ada", 0.0, (Try(1, facts(cards_left=5)),))
    assert line(Task("ABCDEF", "pyramide", two), begun, 0.0).cards_left == 5 + 28
    assert line(Task("ABCDEF", "pyramid", two), begun, 0.0).cards_left == 5 + 52


def test_results_as_csv(records: Records, teacher: Teacher, task: Task) -> None:
    pupil = joined(records, task, name="=Ada")
    play(records, pupil, 1, saved(a_game(18)), name="=Ada")
    won = play(records, pupil, 1, saved(won_game(18)), name="=Ada")
    joined(records, task, OTHER, "Bob")
    # Names are in the results even while the board shows none.
    teacher.set_anonymous(task.code, True)
    rows = list(csv.DictReader(io.StringIO(results_csv(teacher.task(task.code), teacher.learners(task.code)))))
    assert [(row["learner"], row["deal"], row["result"], row["tries"]) for row in rows] == [
        ("'=Ada", "1", "won", "2"),
        ("'=Ada", "2", "", "0"),
        ("Bob", "1", "", "0"),
        ("Bob", "2", "", "0"),
    ]
    assert rows[0]["moves"] == str(won.facts.moves)
    assert rows[0]["score"] == "280"
    assert {row["class"] for row in rows} == {task.code}
