"""The recorder: nothing of a game is lost, whatever happens to the program, the database or the page."""

import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from pyramide_core import VARIANTS, Deal, Game
from pyramide_core.records.errors import RecordsError
from pyramide_core.records.memory import read_memory, write_memory
from pyramide_core.records.recorder import Recorder, Worker
from pyramide_core.records.saved import SavedGame
from pyramide_core.records.store import Records
from tests.records.support import OTHER, TOKEN, a_game, play_by_chance, saved, won_game

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 50


class Clock:
    """A time of day and a clock that stand still until they are moved."""

    def __init__(self) -> None:
        self.time = 1_000.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "r.sqlite3")


def recorder(setting: str, clock: Clock | None = None, token: str = TOKEN) -> Recorder:
    clock = clock or Clock()
    made = Recorder(setting, wall=clock, now=clock)
    made.identify(token)
    return made


def played(to: Recorder, actions: int = 10, seed: int = 18, rules: str = "pyramide") -> Game:
    """Play a game with a recorder, action by action."""
    game = Game(Deal.from_seed(seed), VARIANTS[rules], now=to.now)
    to.begin(game)
    play_on(to, game, actions)
    return game


def play_on(to: Recorder, game: Game, actions: int, seed: int = 1) -> None:
    for number in range(len(game.log), actions):
        play_by_chance(game, number + 1, seed=seed * 1000 + number)
        to.save(game)
    assert to.wait(60)


# Killed --------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_killed_at_any_moment_loses_the_action_in_flight_at_most(path: str, tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "tests.records.killed", path, TOKEN, str(tmp_path), *map(str, range(ROUNDS))],
        cwd=ROOT,
        check=True,
        timeout=250,
    )
    acted = 0
    expected: tuple[str, list[str]] | None = None
    for number in range(ROUNDS):
        lines = (tmp_path / f"{number}.txt").read_text(encoding="utf-8").splitlines()
        # The game that this round came back to is the one that the round before was killed in.
        code, *log = lines[0].split()[1:]
        if expected is not None:
            last_code, last_log = expected
            if code == last_code:
                done = last_log[: len(log)]
                assert log[: len(done)] == done
                assert len(last_log) - 1 <= len(log) <= len(last_log) + 1
            else:
                # Only a won game is not come back to, and a deal with nothing played in it may be dealt anew.
                assert is_won(last_code, last_log) or len(last_log) <= 1
        for line in lines[1:]:
            if line.startswith("done "):
                log.append(line[5:])
                acted += 1
            elif line.startswith("open "):
                code, log = line[5:].split()[0], []
        expected = code, log
    # It was no idle play.
    assert acted > 2 * ROUNDS
    records = Records.open(path)
    for kept in records.account(TOKEN).saved_games():
        game = kept.restore(now=lambda: 0.0)
        facts = kept.facts
        assert (game.score, game.moves, game.undos) == (facts.score, facts.moves, facts.undos)
        assert (len(game.log), game.removed) == (facts.entries, len(game.position.foundation))
    records.close()


def is_won(code: str, log: list[str]) -> bool:
    """Whether a game is won after its log, or could be by one action more, which the kill has kept from the journal."""
    game = Game(Deal.from_code(code), VARIANTS["pyramide"])
    game.replay(log)
    after = [game.position.apply(move) for move in game.position.legal_moves()]
    return game.position.is_won or any(position.is_won for position in after)


# Coming back ---------------------------------------------------------------------------------------------------------


def test_game_comes_back_at_the_same_point(path: str) -> None:
    clock = Clock()
    first = recorder(path, clock)
    game = played(first, 3)
    clock.time += 7
    play_on(first, game, 8)
    game.clock.hold("paused")
    first.save(game)
    first.wait(60)
    resumed = recorder(path, clock).resume()
    assert resumed is not None
    back = resumed.game
    assert (back.log, back.position, back.score, back.moves, back.undos) == (
        game.log, game.position, game.score, game.moves, game.undos,
    )  # fmt: skip
    assert back.clock.elapsed == game.clock.elapsed == 7.0
    assert back.clock.holds == {"paused"}
    assert game.deal.code in resumed.message


def test_game_that_came_back_is_saved_on(path: str) -> None:
    played(recorder(path), 5)
    second = recorder(path)
    resumed = second.resume()
    assert resumed is not None
    play_on(second, resumed.game, 12, seed=2)
    third = recorder(path).resume()
    assert third is not None
    assert third.game.log == resumed.game.log
    records = Records.open(path)
    assert len(records.account(TOKEN).games()) == 1
    records.close()


def test_untouched_deal_comes_back(path: str) -> None:
    game = played(recorder(path), 0)
    resumed = recorder(path).resume()
    assert resumed is not None
    assert resumed.game.deal == game.deal
    assert resumed.game.log == []


def test_nothing_to_come_back_to(path: str) -> None:
    assert recorder(path).resume() is None
    assert recorder(path, token=OTHER).resume() is None


def test_link_brings_back_its_own_deal_only(path: str) -> None:
    first = recorder(path)
    left, current = played(first, 5, seed=1), played(first, 5, seed=2)
    for game in (left, current):
        resumed = recorder(path).resume(code=game.deal.code, rules="pyramide")
        assert resumed is not None
        assert resumed.game.log == game.log
    assert recorder(path).resume(code=Deal.from_seed(3).code, rules="pyramide") is None
    assert recorder(path).resume(code=left.deal.code, rules="classic") is None


def test_hints_are_kept(path: str) -> None:
    first = recorder(path)
    game = played(first, 5)
    first.hint_used(game)
    first.hint_used(game)
    first.wait(60)
    second = recorder(path)
    assert second.resume() is not None
    assert second.hints == 2


def test_games_out_of_a_replay_are_kept_whole(path: str) -> None:
    game = a_game(4, actions=9)
    first = recorder(path)
    first.begin(game)
    play_on(first, game, 14)
    resumed = recorder(path).resume()
    assert resumed is not None
    assert resumed.game.log == game.log


def test_game_without_a_code_is_not_kept(path: str) -> None:
    first = recorder(path)
    game = Game(Deal.of(Deal.from_seed(1).cards[:40]), VARIANTS["pyramide"])
    first.begin(game)
    game.play("D")
    first.save(game)
    first.wait(60)
    assert first.memory == ""
    assert recorder(path).resume() is None
    assert first.notice() == ""


# The browser's memory ------------------------------------------------------------------------------------------------


def test_browser_brings_the_game_back_where_there_is_no_database() -> None:
    clock = Clock()
    first = Recorder("off", wall=clock, now=clock)
    game = played(first, 10)
    clock.time += 5
    second = Recorder("off", wall=clock, now=clock)
    resumed = second.resume(first.memory)
    assert resumed is not None
    assert (resumed.game.log, resumed.game.moves) == (game.log, game.moves)
    assert second.notice() == first.notice() == ""
    # And it is kept on from there.
    play_on(second, resumed.game, 12, seed=3)
    third = Recorder("off").resume(second.memory)
    assert third is not None
    assert third.game.log == resumed.game.log


def test_browser_that_is_further_than_the_database_fills_it_up(path: str) -> None:
    first = recorder(path)
    game = played(first, 6)
    behind = SavedGame(replace(first.facts, entries=8), (*map(str, game.log), "D", "U"))  # type: ignore[type-var]
    second = recorder(path)
    resumed = second.resume(write_memory(behind))
    assert resumed is not None
    second.wait(60)
    assert tuple(map(str, resumed.game.log)) == behind.log
    third = recorder(path).resume()
    assert third is not None
    assert third.game.log == resumed.game.log


def test_database_counts_where_the_two_differ(path: str) -> None:
    first = recorder(path)
    game = played(first, 6)
    assert first.facts is not None
    log = (*map(str, game.log[:4]), "U", "U", "D", "D")
    other = SavedGame(replace(first.facts, entries=len(log), updated_at=9e9), log)
    resumed = recorder(path).resume(write_memory(other))
    assert resumed is not None
    assert resumed.game.log == game.log


def test_later_game_comes_back_of_two(path: str) -> None:
    clock = Clock()
    played(recorder(path, clock), 4, seed=1)
    for moved, seed in ((100, 2), (-200, 1)):
        elsewhere = Recorder("off", wall=clock, now=clock)
        clock.time += moved
        game = played(elsewhere, 4, seed=2)
        here = recorder(path, clock)
        resumed = here.resume(elsewhere.memory)
        here.wait(60)
        assert resumed is not None
        assert resumed.game.deal == Deal.from_seed(seed)
        if seed == 2:
            assert resumed.game.log == game.log
            # It is in the database now; the other one is put back in its place for the second round.
            again = recorder(path, clock)
            assert again.resume(code=Deal.from_seed(1).code, rules="pyramide") is not None
            again.wait(60)


def test_game_won_elsewhere_does_not_come_back_from_the_browser(path: str) -> None:
    game = won_game()
    first = recorder(path)
    begun = Game(game.deal, game.rules, now=lambda: 0.0)
    first.begin(begun)
    begun.replay(game.log[:-1])
    first.save(begun)
    memory = first.memory
    begun.replay(game.log[-1:])
    first.save(begun)
    first.wait(60)
    assert recorder(path).resume(memory) is None
    assert recorder(path).resume(first.memory) is None


@pytest.mark.parametrize(
    ("shown", "after", "expected"),
    [(9.0, 60, 9.0), (2.0, 60, 5.0), (500.0, 60, 5.0), ("x", 60, 5.0), (True, 60, 5.0), (None, 60, 5.0)],
)
def test_clock_of_the_page_counts_when_it_can_be(path: str, shown: object, after: float, expected: float) -> None:
    clock = Clock()
    first = recorder(path, clock)
    game = played(first, 1)
    clock.time += 5
    play_on(first, game, 2)
    clock.time += after
    resumed = recorder(path, clock).resume(first.memory, elapsed=shown)
    assert resumed is not None
    assert resumed.game.clock.elapsed == expected


def changed(**values: object) -> str:
    text = write_memory(saved(a_game()))
    return json.dumps({**json.loads(text), **values})


@pytest.mark.parametrize(
    "memory",
    [
        "nonsense",
        "[]",
        "7",
        "[" * 100_000,
        '{"version": 1}',
        "x" * 2_000_000,
        changed(version=2),
        changed(key="../../etc"),
        changed(code="PY1-N-AAAAAA1"),
        changed(rules="nonsense"),
        changed(log="KD KD"),
        changed(log=7),
        changed(seconds=-1),
        changed(seconds=float("nan")),
        changed(seconds="1"),
        changed(hints=1e300),
        changed(player="\x1b[2J"),
        changed(at=True),
    ],
)
def test_memory_that_cannot_be_read_is_told_and_harmless(memory: str) -> None:
    with pytest.raises(RecordsError):
        read_memory(memory)
    to = Recorder("off")
    assert to.resume(memory) is None
    assert "cannot be read" in to.notice()
    assert to.notice() == ""


def test_memory_round_trip() -> None:
    for seed, rules in enumerate(VARIANTS):
        kept = saved(a_game(seed, 15, rules), hints=seed, at=12.5)
        found = read_memory(write_memory(kept))
        assert found == replace(kept, facts=replace(kept.facts, is_current=True))
    assert read_memory("") is None


# Failures ------------------------------------------------------------------------------------------------------------


def test_damaged_database_is_told_once_and_the_game_goes_on(path: str) -> None:
    Path(path).write_bytes(b"this is no database" * 100)
    to = recorder(path)
    game = played(to, 10)
    assert len(game.log) == 10
    said = to.notice()
    assert "damaged" in said
    assert said.endswith("The game goes on without records.")
    assert to.notice() == ""
    assert Path(path).read_bytes() == b"this is no database" * 100
    # The browser has the game all the same.
    resumed = recorder(path).resume(to.memory)
    assert resumed is not None
    assert resumed.game.log == game.log


def test_failure_is_made_up_for(path: str) -> None:
    to = recorder(path)
    game = played(to, 5)
    records = to.records
    assert records is not None
    working = records.database.engine
    records.database.engine = broken(working)
    play_on(to, game, 9)
    assert "cannot be used" in to.notice()
    assert to.failure
    play_on(to, game, 11)
    assert to.notice() == ""
    records.database.engine = working
    play_on(to, game, 12)
    assert to.notice() == "The game is recorded again."
    assert to.failure == ""
    resumed = recorder(path).resume()
    assert resumed is not None
    assert resumed.game.log == game.log


def broken(engine: object) -> object:
    """Return an engine that cannot connect, with the look of a working one."""
    from sqlalchemy import create_engine

    del engine
    return create_engine("sqlite:////nowhere/at/all.sqlite3")


@pytest.mark.parametrize("token", ["", "short", None, 7, {"a": 1}])
def test_browser_without_a_key_plays_without_records(path: str, token: object) -> None:
    to = Recorder(path)
    to.identify(token)
    played(to, 5)
    assert "The game goes on without records." in to.notice()
    records = Records.open(path)
    assert records.all_games() == []
    records.close()


def test_two_windows_of_one_game_lose_nothing(path: str) -> None:
    first = recorder(path)
    game = played(first, 6)
    second = recorder(path)
    resumed = second.resume()
    assert resumed is not None
    play_on(second, resumed.game, 9, seed=2)
    play_on(first, game, 10, seed=3)
    assert "both are kept" in first.notice()
    assert second.notice() == ""
    play_on(first, game, 11, seed=4)
    play_on(second, resumed.game, 12, seed=5)
    records = Records.open(path)
    logs = {kept.log for kept in records.account(TOKEN).saved_games()}
    assert logs == {tuple(map(str, game.log)), tuple(map(str, resumed.game.log))}
    records.close()


def test_deleted_player_plays_on(path: str) -> None:
    to = recorder(path)
    game = played(to, 6)
    assert to.account is not None
    to.account.delete()
    play_on(to, game, 8)
    resumed = recorder(path).resume()
    assert resumed is not None
    assert resumed.game.log == game.log


# The worker ----------------------------------------------------------------------------------------------------------


def test_saves_keep_their_order_and_only_one_is_on_its_way() -> None:
    worker = Worker()
    done: list[int] = []
    for number in range(50):
        worker.do(lambda number=number: (time.sleep(0.001), done.append(number)))
    assert worker.wait(30)
    assert done == list(range(50))


def test_action_waits_for_the_save_before_it(path: str) -> None:
    to = recorder(path)
    game = played(to, 3)
    held = threading.Event()
    to._worker.do(lambda: held.wait(30))
    threading.Timer(0.2, held.set).start()
    before = len(game.log)
    play_by_chance(game, before + 1, seed=9)
    to.save(game)
    # When `save` returns, everything before this action is in the database or on its way alone.
    assert held.is_set()
    assert to.wait(60)


def test_database_that_hangs_makes_one_action_wait_and_no_more(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyramide_core.records.recorder.PATIENCE_SECONDS", 0.2)
    to = recorder(path)
    game = played(to, 3)
    waits: list[float] = []
    wait = to._worker.wait
    monkeypatch.setattr(to._worker, "wait", lambda seconds: (waits.append(seconds), wait(seconds))[1])
    held = threading.Event()
    to._worker.do(lambda: held.wait(30))
    for number in range(4, 8):
        play_by_chance(game, number, seed=number)
        to.save(game)
    assert waits == [0.2, 0, 0, 0]
    held.set()
    assert wait(30)
    # All of it is caught up with.
    resumed = recorder(path).resume()
    assert resumed is not None
    assert resumed.game.log == game.log


def test_failing_task_does_not_stop_the_worker(caplog: pytest.LogCaptureFixture) -> None:
    worker = Worker()
    done: list[int] = []
    worker.do(lambda: 1 // 0)
    worker.do(lambda: done.append(1))
    assert worker.wait(30)
    assert done == [1]
    assert "saving failed" in caplog.text
