"""The command `pyramide study`: what it prints, saves and refuses, as a program of its own and by its functions."""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pyramide_core import VARIANTS, Deal, messages
from pyramide_core.errors import PyramideError
from pyramide_core.study import PLOTS, Results, Study, play, run
from pyramide_core.study.cli import add_commands, aligned, check_extra, read_study
from pyramide_core.study.players import PLAYERS

ROOT = Path(__file__).resolve().parent.parent
GAMES = ["--no-verdict", "--players", "greedy,random", "--workers", "1"]


@pytest.fixture(autouse=True)
def english() -> None:
    messages.set_language("en")


def command(*words: str) -> tuple[argparse.Namespace, Any]:
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers())
    args = parser.parse_args(["study", *words])
    return args, args.run


def study(*words: str) -> int:
    args, run_command = command(*words)
    return int(run_command(args))


def test_summary_is_printed_in_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert study("--rules", "pyramide,thirteen", "--deals", "12", "--seed", "40", *GAMES) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.startswith("12 deals from seed 40 on, Pyramide ")
    table = [line for line in lines if line.startswith(("Rules", "Pyramide", "Thirteen"))]
    assert len(table) == 5
    starts = [re.search(r"\bPlayer|Greedy|Random", line) for line in table]
    ends = {match.end() for match in starts if match}
    assert len(ends) == 1
    won = sum(play(Deal.from_seed(seed), VARIANTS["pyramide"], PLAYERS["greedy"]).won for seed in range(40, 52))
    (greedy,) = [line.split("  ") for line in table if line.startswith("Pyramide") and "Greedy" in line]
    assert [cell.strip() for cell in greedy if cell.strip()][2:4] == ["12", str(won)]


def test_json_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert study("--rules", "pyramide,classic,passes=2", "--deals", "6", *GAMES, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["deals"] == 6
    assert data["first_seed"] == 0
    assert data["rules"] == ["pyramide", VARIANTS["classic"].text.replace("classic", data["rules"][1])]
    assert len(data["players"]) == 4
    greedy = data["players"][0]
    won = sum(play(Deal.from_seed(seed), VARIANTS["pyramide"], PLAYERS["greedy"]).won for seed in range(6))
    assert (greedy["player"], greedy["won"], greedy["share"]) == ("greedy", won, won / 6)
    assert greedy["low"] < greedy["share"] < greedy["high"]
    # Nothing was asked about verdicts, so this share does not exist; JSON has no NaN.
    assert greedy["of_winnable"] is None


def test_table_and_plots_are_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, plots = tmp_path / "x.parquet", tmp_path / "plots"
    words = ("--rules", "giza", "--deals", "5", *GAMES, "--out", str(out), "--plots", str(plots))
    assert study(*words) == 0
    first = capsys.readouterr().out
    wanted = run(Study.of("giza", 5, verdict=False, players=["greedy", "random"]), workers=1)
    assert Results.load(out).table.equals(wanted.table)
    names = {path.name for path in plots.iterdir()}
    assert {"stuck_map_giza_greedy.svg", "stuck_map_giza_random.png", "strategies_giza.png"} <= names
    assert len(names) % 2 == 0
    assert study(*words) == 0
    assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--rules", "patience"), "There is no rule set “patience”"),
        (("--players", "cheater"), "There is no player “cheater”"),
        (("--no-verdict",), "A study must measure something"),
        (("--seed", "34359738367", "--deals", "2"), "there are 1 to 1 deals to study"),
        ((*GAMES, "--scheduler", "tcp://127.0.0.1:9"), "give a scheduler or workers, not both"),
        ((*GAMES, "--plots", __file__), "is a file, not a folder"),
        ((*GAMES, "--out", "no/such/folder/x.parquet"), "There is no folder"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(words: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(PyramideError) as caught:
        study(*words)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("words", [("--deals", "0"), ("--deals", "x"), ("--seed", "-1"), ("--workers", "0")])
def test_numbers_are_checked(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command(*words)
    assert "is not a number from" in capsys.readouterr().err


def test_missing_extra_is_named() -> None:
    with pytest.raises(PyramideError, match="Studies need no_such_package; install Pyramide with its extra “study”"):
        check_extra(("json", "no_such_package"))


def test_everything_that_is_asked_for_gets_into_the_study() -> None:
    args, _run = command("--shortest", "--most", "--limit", "77", "--players", "greedy, look-ahead", "--deals", "3")
    asked = read_study(args)
    assert asked.settings.players == ("greedy", "look_ahead")
    assert (asked.verdict, asked.shortest, asked.most) == (True, True, True)
    assert (asked.verdict_limit, asked.search_limit) == (77, 77)


def test_columns_are_aligned() -> None:
    assert aligned([["a", "b"], ["long", "1"], ["x", "22"]]) == ["a      b", "long   1", "x     22"]


def program(*words: str) -> subprocess.Popen[str]:
    code = (
        "import argparse, sys\n"
        "from pyramide_core.study.cli import add_commands\n"
        "parser = argparse.ArgumentParser()\n"
        "add_commands(parser.add_subparsers())\n"
        "args = parser.parse_args(sys.argv[1:])\n"
        "sys.exit(args.run(args))\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code, "study", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent in another way here")
def test_interrupted_command_says_how_to_go_on_and_does(tmp_path: Path) -> None:
    out = tmp_path / "games.parquet"
    words = ("--deals", "150", "--no-verdict", "--players", "look_ahead", "--workers", "2", "--out", str(out))
    with program(*words) as first:
        kept = tmp_path / "games.parquet.parts"
        while first.poll() is None and len(list(kept.glob("*.npz"))) < 2:
            time.sleep(0.02)
        first.send_signal(signal.SIGINT)
        _said, complaint = first.communicate(timeout=60)
    assert first.returncode == 130
    assert complaint == (f"Interrupted. What is done is kept beside {out}; the same command goes on from there.\n")
    done = sum(int(path.stem.split("-")[2]) for path in kept.glob("*.npz"))
    assert 0 < done < 150
    with program(*words) as second:
        said, complaint = second.communicate(timeout=120)
    assert (second.returncode, complaint) == (0, "")
    assert "150 deals from seed 0 on" in said
    assert Results.load(out).is_complete
    assert not kept.exists()


def test_asking_for_help_loads_nothing_heavy() -> None:
    code = (
        "import argparse, sys\n"
        "from pyramide_core.study.cli import add_commands\n"
        "add_commands(argparse.ArgumentParser().add_subparsers())\n"
        "print(*sys.modules)\n"
    )
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    assert not {"pandas", "pyarrow", "numpy", "matplotlib", "distributed", "numba"} & set(said.stdout.split())


def test_plots_by_name_have_titles() -> None:
    assert all(plot.title[0].isupper() for plot in PLOTS.values())
