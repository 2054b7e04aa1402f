"""Running studies: the same table whatever the workers, interruptions, deaths, files."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import pyramide_core
from pyramide_core import VARIANTS, Deal, Move
from pyramide_core.cards import DECK, KING
from pyramide_core.deals import SEED_COUNT
from pyramide_core.errors import RulesError
from pyramide_core.study import Results, Study, StudyError, View, play, run, running
from pyramide_core.study.deck import cards_of_rank_in_rows, deals_of_seeds, ranks_of_seeds
from pyramide_core.study.parts import Folder, Part, Parts
from pyramide_core.study.players import PLAYERS, player_named
from pyramide_core.study.running import Planner
from pyramide_core.study.settings import Settings
from pyramide_core.study.workers import DaskCluster, LocalProcesses, Workers, open_workers, pack, work

ROOT = Path(__file__).resolve().parent.parent
GAMES = Study.of("pyramide,thirteen", 60, first_seed=1000, verdict=False, players=["greedy", "random"])


def same(first: Results, second: Results) -> bool:
    return first.to_parquet() == second.to_parquet()


@pytest.fixture(scope="module")
def games() -> Results:
    """The results of GAMES, one worker."""
    return run(GAMES, workers=1)


# What is in the table -----------------------------------------------------------------------------------------------


def test_table_says_what_the_games_were(games: Results) -> None:
    table = games.table
    assert list(table["rules"]) == ["pyramide"] * 60 + ["thirteen"] * 60
    assert list(table["seed"]) == [*range(1000, 1060)] * 2
    for row in (table.iloc[7], table.iloc[77]):
        for name in ("greedy", "random"):
            played = play(Deal.from_seed(int(row["seed"])), VARIANTS[row["rules"]], PLAYERS[name])
            found = [row[f"{name}_{column}"] for column in ("won", "moves", "removed", "left")]
            assert found == [played.won, len(played.line), played.removed, played.position.tableau]


def test_file_holds_settings_and_version_and_reads_back(games: Results, tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    games.save(file)
    note = json.loads(pq.read_schema(file).metadata[b"pyramide"])
    assert note["version"] == pyramide_core.__version__
    assert note["rules"] == ["pyramide", "thirteen"]
    assert (note["first_seed"], note["deals"], note["players"]) == (1000, 60, ["greedy", "random"])
    again = Results.load(file)
    assert again.settings == games.settings == GAMES.settings
    assert again.table.equals(games.table)
    assert again.is_complete
    assert [rules.name for rules in again.rules] == ["pyramide", "thirteen"]


def test_csv_has_a_line_for_each_row(games: Results) -> None:
    head, *lines = games.to_csv().splitlines()
    assert head.startswith("rules,seed,greedy_won,greedy_moves")
    assert len(lines) == 120
    assert lines[0].startswith("pyramide,1000,")


# The same table ----------------------------------------------------------------------------------------------------


def test_table_does_not_depend_on_processes_or_the_size_of_parts(games: Results) -> None:
    assert same(run(GAMES, workers=2, part_seconds=0.05), games)
    assert same(run(GAMES, workers=1, part_seconds=0.001), games)


def test_a_range_of_seeds_is_part_of_a_larger_one(games: Results) -> None:
    later = run(Study.of("thirteen", 10, first_seed=1020, verdict=False, players=["greedy", "random"]), workers=1)
    table = games.table
    wanted = table[(table["rules"] == "thirteen") & table["seed"].between(1020, 1029)].drop(columns="rules")
    assert later.table.drop(columns="rules").equals(wanted.reset_index(drop=True))


def test_player_of_ones_own_goes_to_other_processes() -> None:
    favourite = 1

    def my_player(view: View) -> Move | None:
        return view.moves[min(favourite, len(view.moves) - 1)]

    study = Study.of("pyramide", 12, verdict=False, players=[my_player])
    results = run(study, workers=2)
    assert results.settings.players == ("my",)
    assert same(results, run(study, workers=1))


# Deaths -------------------------------------------------------------------------------------------------------------


def kill_soon(pids: Any, killed: list[int]) -> threading.Thread:
    """Kill one of the processes, without any warning to it, as soon as it is at work."""

    def kill() -> None:
        for _try in range(200):
            time.sleep(0.05)
            if found := pids():
                time.sleep(0.5)
                os.kill(found[0], signal.SIGKILL)
                killed.append(found[0])
                return

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


def worker_pids(parent: int) -> list[int]:
    """Return the processes that a process has started for studies."""
    import psutil

    found = []
    for child in psutil.Process(parent).children():
        with contextlib.suppress(psutil.Error):
            if "LokyProcess" in " ".join(child.cmdline()):
                found.append(child.pid)
    return found


@pytest.mark.skipif(os.name != "posix", reason="a process whose parent is gone cannot tell here")
def test_processes_end_with_the_program_that_is_killed() -> None:
    """In a script without any guard of its main module."""
    import psutil

    script = """if True:
        from pyramide_core.study import Study, run
        study = Study.of("pyramide", 10**6, verdict=False, players=["greedy"])
        run(study, workers=2, on_part=lambda part: print(part.count, flush=True))
    """
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=ROOT) as program:
        assert program.stdout is not None
        program.stdout.readline()
        workers = [psutil.Process(pid) for pid in worker_pids(program.pid)]
        assert len(workers) == 2
        program.kill()
    _gone, alive = psutil.wait_procs(workers, timeout=30)
    assert alive == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed in another way here")
def test_killed_process_loses_no_deal() -> None:
    study = Study.of("pyramide", 150, verdict=False, players=["look_ahead"])
    killed: list[int] = []
    parts: list[Part] = []
    killer = kill_soon(lambda: worker_pids(os.getpid()) if parts else [], killed)
    results = run(study, workers=2, part_seconds=0.3, on_part=parts.append)
    killer.join()
    assert len(killed) == 1
    assert results.is_complete
    assert same(results, run(study, workers=1))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A real Dask cluster of three worker processes on this machine."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as running_cluster:
        yield running_cluster


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed in another way here")
def test_killed_dask_worker_loses_no_deal(cluster: Any) -> None:
    study = Study.of("pyramide", 150, verdict=False, players=["look_ahead"])
    killed: list[int] = []
    parts: list[Part] = []
    pids = {nanny.pid for nanny in cluster.workers.values()}
    killer = kill_soon(lambda: sorted(pids) if parts else [], killed)
    results = run(study, scheduler=cluster.scheduler_address, part_seconds=0.3, on_part=parts.append)
    killer.join()
    assert len(killed) == 1
    assert results.is_complete
    assert same(results, run(study, workers=1))


def test_cluster_gives_the_same_table(cluster: Any, games: Results) -> None:
    assert same(run(GAMES, scheduler=cluster.scheduler_address), games)


def test_no_scheduler_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyramide_core.study.workers.CONNECT_SECONDS", 1)
    with pytest.raises(StudyError, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:9\. An address looks like"):
        DaskCluster("tcp://127.0.0.1:9")
    with pytest.raises(StudyError, match="No Dask scheduler answers at nonsense"):
        DaskCluster("nonsense://")


class Dying(LocalProcesses):
    """Workers of which every one dies."""

    def submit(self, *_task: Any) -> Any:
        return self._executor.submit(os._exit, 3)


def test_part_that_kills_every_worker_ends_the_study(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "open_workers", lambda *_choice: Dying(1))
    with pytest.raises(StudyError, match="Workers died 5 times on the deals from seed 1000 to 10"):
        run(GAMES)


def test_worker_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyramide_core.study.workers.__version__", "0.0.9")
    with pytest.raises(StudyError, match=r"A worker runs version 0\.0\.9 of Pyramide, this program"):
        run(GAMES, workers=1)


def test_workers_are_chosen() -> None:
    assert open_workers(1).slots == 1
    with open_workers(3) as three:
        assert three.slots == 3
    with pytest.raises(StudyError, match="at least 1 worker, not 0"):
        open_workers(0)
    with pytest.raises(StudyError, match="give a scheduler or workers, not both"):
        open_workers(2, "tcp://127.0.0.1:1")


# Interruptions ------------------------------------------------------------------------------------------------------


class BreakError(Exception):
    """What a test interrupts a study with."""


def interrupted(study: Study, out: Path, after: int) -> list[Part]:
    """Run a study and break off when so many parts have come, as a crash would; return these."""
    parts: list[Part] = []

    def count(part: Part) -> None:
        parts.append(part)
        if len(parts) == after:
            raise BreakError

    with pytest.raises(BreakError):
        run(study, workers=1, out=out, part_seconds=0.01, on_part=count)
    return parts


def test_interrupted_study_goes_on_where_it_stopped(
    games: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "games.parquet"
    done = sum(part.count for part in interrupted(GAMES, out, 4))
    assert not out.exists()
    kept = sum(int(path.stem.split("-")[2]) for path in (tmp_path / "games.parquet.parts").glob("*.npz"))
    assert kept >= done > 0
    measured: list[int] = []
    original = Workers.submit

    def counting(workers: Workers, *task: Any) -> Any:
        measured.append(task[3])
        return original(workers, *task)

    monkeypatch.setattr(Workers, "submit", counting)
    told: list[Part] = []
    results = run(GAMES, workers=1, out=out, on_part=told.append)
    assert sum(measured) == 120 - kept
    assert sum(part.count for part in told) == 120
    assert same(results, games)
    assert same(Results.load(out), games)
    assert [path.name for path in tmp_path.iterdir()] == ["games.parquet"]
    # Once more: all is there, nothing runs.
    assert same(run(GAMES, workers=1, out=out), games)
    assert sum(measured) == 120 - kept


def test_finished_study_grows(games: Results, tmp_path: Path) -> None:
    out = tmp_path / "games.parquet"
    run(GAMES.with_deals(25), workers=1, out=out)
    interrupted(GAMES.with_deals(40), out, 3)
    assert same(run(GAMES, workers=1, out=out), games)
    with pytest.raises(StudyError, match=r"holds a study of 60 deals already, which is more than is asked for\."):
        run(GAMES.with_deals(59), workers=1, out=out)


def test_damaged_part_is_measured_again(games: Results, tmp_path: Path) -> None:
    out = tmp_path / "games.parquet"
    interrupted(GAMES, out, 5)
    first, second, third, *_others = sorted((tmp_path / "games.parquet.parts").glob("*.npz"))
    first.write_bytes(first.read_bytes()[:100])
    second.write_bytes(os.urandom(300))
    third.write_bytes(b"")
    (tmp_path / "games.parquet.parts" / "notes.npz").write_bytes(b"not a part")
    assert same(run(GAMES, workers=1, out=out), games)


def test_other_study_in_the_same_place_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "games.parquet"
    run(GAMES, workers=1, out=out)
    other = Study.of("pyramide", 60, first_seed=0, verdict=False, players=["greedy", "random"])
    with pytest.raises(StudyError, match=r"rules: pyramide, thirteen / pyramide; first_seed: 1000 / 0"):
        run(other, workers=1, out=out)
    interrupted(other, tmp_path / "other.parquet", 1)
    with pytest.raises(StudyError, match="belongs to another study"):
        run(GAMES, workers=1, out=tmp_path / "other.parquet")


def test_places_that_cannot_be_used_are_named(games: Results, tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="There is no folder"):
        run(GAMES, workers=1, out=tmp_path / "nowhere" / "games.parquet")
    text = tmp_path / "text.parquet"
    text.write_text("no table")
    with pytest.raises(StudyError, match="is no file of a study's results"):
        Results.load(text)
    games.table.to_parquet(text)
    with pytest.raises(StudyError, match="is no file of a study's results"):
        Results.load(text)
    with pytest.raises(StudyError, match="There is no file"):
        Results.load(tmp_path / "none.parquet")
    with pytest.raises(StudyError, match="cannot be written"):
        games.save(tmp_path)
    (tmp_path / "blocked.parts").write_text("a file")
    with pytest.raises(StudyError, match=r"The folder .*blocked\.parts cannot be written"):
        run(GAMES, workers=1, out=tmp_path / "blocked")


def test_cancelled_study_returns_an_unbroken_beginning() -> None:
    cancel = threading.Event()
    told: list[Part] = []

    def tell(part: Part) -> None:
        told.append(part)
        if len(told) == 3:
            cancel.set()

    results = run(GAMES, workers=2, part_seconds=0.01, cancel=cancel, on_part=tell)
    assert not results.is_complete
    for name in GAMES.settings.rules:
        seeds = results.table.loc[results.table["rules"] == name, "seed"]
        assert list(seeds) == list(range(1000, 1000 + len(seeds)))
    assert sum(part.count for part in told) == len(results.table)


def test_cancelled_before_it_begins() -> None:
    cancel = threading.Event()
    cancel.set()
    results = run(GAMES, workers=1, cancel=cancel)
    assert len(results.table) == 0
    assert list(results.table.columns)[:3] == ["rules", "seed", "greedy_won"]


def test_progress_bar_counts_deals(capsys: pytest.CaptureFixture[str]) -> None:
    run(GAMES, workers=1, progress=True)
    assert "120/120" in capsys.readouterr().err


# The parts ----------------------------------------------------------------------------------------------------------


def part(first: int, count: int) -> Part:
    return Part(0, first, count, {"x": np.arange(first, first + count)})


def test_parts_know_gaps_and_take_no_deal_twice() -> None:
    parts = Parts(10, 20)
    parts.add(part(15, 5))
    assert list(parts.missing()) == [(10, 15), (20, 30)]
    assert parts.unbroken() == []
    parts.add(part(12, 12))
    parts.add(part(0, 12))
    assert list(parts.missing()) == [(24, 30)]
    assert np.concatenate([piece.arrays["x"] for piece in parts.unbroken()]).tolist() == list(range(10, 24))
    parts.add(part(24, 100))
    assert list(parts.missing()) == []
    assert parts.count == 20


def test_planner_gives_every_deal_out_once() -> None:
    two = [Parts(0, 1000), Parts(0, 7)]
    two[0].add(part(100, 50))
    planner = Planner(two, 1.0)
    given: list[tuple[int, int, int]] = []
    while task := planner.next(2):
        given.append(task)
        planner.learn(task, 0.001)
    covered = [(index, seed) for index, first, count in given for seed in range(first, first + count)]
    assert sorted(covered) == [(0, s) for s in range(1000) if not 100 <= s < 150] + [(1, s) for s in range(7)]
    # The rule sets take turns, so that all their shares are known better at the same time.
    assert [index for index, _first, _count in given[:2]] == [0, 1]
    planner.put_back(given[0])
    assert planner.next(2) == given[0]
    assert planner.next(2) is None


def test_planner_follows_the_speed() -> None:
    planner = Planner([Parts(0, 10**6)], 2.0)
    first = planner.next(2)
    assert first is not None
    planner.learn(first, 0.01 * first[2])
    second = planner.next(2)
    assert second is not None
    assert second[2] == min(200, 8 * first[2])


def test_folder_keeps_parts(tmp_path: Path) -> None:
    settings = Study.of("pyramide", 100, verdict=False, most=True).settings
    folder = Folder(tmp_path / "x", settings)
    assert folder.open() == []
    folder.add(Part(0, 3, 2, {"most": np.array([1, 2], dtype=np.int8)}))
    (kept,) = Folder(tmp_path / "x", settings).open()
    assert (kept.rules_index, kept.first_seed, kept.count) == (0, 3, 2)
    assert kept.arrays["most"].tolist() == [1, 2]
    folder.remove()
    assert list(tmp_path.iterdir()) == []


def test_worker_measures_what_it_is_asked_for() -> None:
    answer = work(pack(GAMES), 1, 1005, 3)
    deal = play(Deal.from_seed(1006), VARIANTS["thirteen"], PLAYERS["greedy"])
    assert answer.arrays["greedy_moves"][1] == len(deal.line)
    assert {array.shape for array in answer.arrays.values()} == {(3,)}


# What can be asked for ----------------------------------------------------------------------------------------------


def test_study_reads_names() -> None:
    study = Study.of(["classic,passes=3,pyramide", VARIANTS["giza"]], 5, players=["greedy", player_named("random")])
    assert [rules.passes for rules in study.rules] == [3, None, None]
    assert study.settings.players == ("greedy", "random")
    assert Settings.from_json(study.settings.to_json()) == study.settings


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ({"deals": 0}, f"From seed 0 on there are 1 to {SEED_COUNT} deals to study, not 0."),
        ({"first_seed": SEED_COUNT - 1, "deals": 2}, "there are 1 to 1 deals to study, not 2."),
        ({"first_seed": -1}, f"The first seed must be from 0 to {SEED_COUNT - 1}, not -1."),
        ({"rules": "pyramide,classic,pyramide"}, "The rule set pyramide stands twice."),
        ({"rules": []}, "A study needs a rule set."),
        ({"players": ["greedy", "Greedy"]}, "Two players are called greedy."),
        ({"verdict": False}, "A study must measure something"),
        ({"patience": 0}, "patience must be at least 1, not 0."),
    ],
)
def test_impossible_study_is_refused(asked: dict[str, Any], complaint: str) -> None:
    with pytest.raises(StudyError) as caught:
        Study.of(**{"rules": "pyramide", "deals": 5, **asked})
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unknown_rule_set_is_named() -> None:
    with pytest.raises(RulesError, match="There is no rule set “patience”"):
        Study.of("pyramide,patience", 5)


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"rules": 3}'])
def test_settings_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(StudyError, match="cannot be read"):
        Settings.from_json(text)


# Many deals at once -------------------------------------------------------------------------------------------------


def test_deals_as_arrays_are_the_deals() -> None:
    seeds = np.array([0, 1, 9, 18, 12345, SEED_COUNT - 1])
    order, ranks = deals_of_seeds(seeds), ranks_of_seeds(seeds)
    for row, seed in enumerate(seeds.tolist()):
        deal = Deal.from_seed(seed)
        assert [DECK[card] for card in order[row]] == list(deal.cards)
        assert ranks[row].tolist() == [card.rank for card in deal.cards]


def test_kings_in_the_top_rows() -> None:
    # The documented deal has three kings in row 5 and one in row 7.
    tableau = VARIANTS["pyramide"].tableau
    assert [cards_of_rank_in_rows(np.array([18]), tableau, KING, rows)[0] for rows in (4, 5, 6, 7)] == [0, 3, 3, 4]
