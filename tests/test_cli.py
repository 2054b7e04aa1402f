"""The command line: what it answers, in which form, and how it says that something is wrong."""

import argparse
import ast
import inspect
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyramide_core import VARIANTS, Deal, __version__, cli, cli_options, messages, serve
from pyramide_core.cards import DECK

Run = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).resolve().parent.parent
DOCUMENTED_ROWS = [
    ["JD"],
    ["6C", "7H"],
    ["AS", "4D", "QS"],
    ["5H", "3D", "6H", "8S"],
    ["KH", "KC", "AD", "KS", "9C"],
    ["QC", "2C", "8D", "10D", "10S", "JS"],
    ["7C", "10C", "3H", "4H", "3S", "KD", "7S"],
]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    yield
    messages.set_language("en")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in this process: exit code, output, error output."""

    def run(*arguments: str) -> tuple[int, str, str]:
        code = cli.main(arguments)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def start(*arguments: str, **options: object) -> subprocess.Popen[bytes]:
    """Start the program as a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **options.pop("env", {})}  # type: ignore[dict-item]
    return subprocess.Popen(
        [sys.executable, "-m", "pyramide_core", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        **options,  # type: ignore[call-overload]
    )


def check_refused(result: tuple[int, str, str]) -> str:
    """Check that bad input was refused in one sentence, and return the sentence."""
    code, output, sentence = result
    assert (code, output) == (2, "")
    assert sentence.startswith("pyramide: ")
    assert sentence.endswith("\n")
    assert sentence[:-1].isprintable()
    assert len(sentence) < 1100
    assert "Traceback" not in sentence
    return sentence


def flat(lists: list[list[Any]]) -> list[Any]:
    return [*chain.from_iterable(lists)]


# deal -----------------------------------------------------------------------------------------------------------------


def test_deal_as_json(run: Run) -> None:
    code, output, complaints = run("deal", "PY1-N-AAAAAAS", "--json")
    assert (code, complaints, output.count("\n")) == (0, "", 1)
    values = json.loads(output)
    assert [*values] == ["code", "rules", "pyramid", "waste", "stock"]
    assert (values["code"], values["rules"], values["waste"]) == ("PY1-N-AAAAAAS", "pyramide", ["7D"])
    assert values["pyramid"] == DOCUMENTED_ROWS
    assert len(values["stock"]) == 23
    everything = [*flat(DOCUMENTED_ROWS), "7D", *values["stock"]]
    assert sorted(everything) == sorted(map(str, DECK))
    # The stock's next card comes first: it is the one that the first draw turns.
    assert everything == [*map(str, Deal.from_seed(18).cards)]


def test_deal_from_cards_has_a_long_code_that_deals_it_again(run: Run) -> None:
    deck = " ".join(card.symbol for card in Deal.from_seed(18).cards)
    values = json.loads(run("deal", "--deck", deck, "--json")[1])
    assert values["pyramid"] == DOCUMENTED_ROWS
    assert values["code"].startswith("PY1-X-")
    assert json.loads(run("deal", values["code"].lower(), "--json")[1]) == values


def test_deal_for_people(run: Run) -> None:
    code, output, complaints = run("deal", "py1 n aaaaaas")
    assert (code, complaints) == (0, "")
    lines = output.splitlines()
    assert lines[0] == "PY1-N-AAAAAAS (pyramide)"
    rows = [line.split() for line in lines[2:9]]
    symbols = [[text.translate(str.maketrans("CDHS", "♣♦♥♠")) for text in row] for row in DOCUMENTED_ROWS]
    assert rows == symbols
    # Each card stands between the two that cover it: one gap is four letters, half of it two.
    centres = [[line.index(face) + len(face) for face in row] for line, row in zip(lines[2:9], symbols, strict=True)]
    for upper, lower in pairwise(centres):
        assert upper == [(left + right) / 2 for left, right in pairwise(lower)]
    assert lines[10:12] == ["Waste: 7♦", lines[11]]
    assert lines[11].startswith("Stock: 2♦ J♣ 5♣ ")
    assert len(lines) == 12


@pytest.mark.parametrize("name", VARIANTS)
def test_deal_under_every_rule_set_tells_every_card_once(run: Run, name: str) -> None:
    values = json.loads(run("deal", "PY1-N-PYRAMID", "--rules", name, "--json")[1])
    assert values["rules"] == name
    reserve = flat(values.get("reserve", []))
    told = [*flat(values["pyramid"]), *reserve, *values["waste"], *values["stock"]]
    assert sorted(told) == sorted(map(str, DECK))
    output = run("deal", "PY1-N-PYRAMID", "--rules", name)[1]
    faces = [face for line in output.splitlines()[1:] for face in line.split() if face[-1] in "♣♦♥♠"]
    assert sorted(faces) == sorted(card.symbol for card in DECK)


def test_deal_with_a_reserve(run: Run) -> None:
    values = json.loads(run("deal", "PY1-N-AAAAAAS", "--rules", "giza", "--json")[1])
    assert values["pyramid"] == DOCUMENTED_ROWS
    assert [len(column) for column in values["reserve"]] == [3] * 8
    assert (values["waste"], values["stock"]) == ([], [])


def test_deal_with_several_pyramids(run: Run) -> None:
    values = json.loads(run("deal", "PY1-N-AAAAAAS", "--rules", "pharaohs", "--json")[1])
    assert [[len(row) for row in rows] for rows in values["pyramids"]] == [
        [1, 2],
        [1, 2, 3, 4, 5, 6, 7],
        [1, 2, 3, 4, 5, 6],
    ]
    assert values["pyramid"] == flat(values["pyramids"])


def test_deal_with_several_waste_piles(run: Run) -> None:
    rules = "thirteen_three_piles,draws_at_start=2"
    values = json.loads(run("deal", "PY1-N-AAAAAAS", "--rules", rules, "--json")[1])
    turned = [*map(str, Deal.from_seed(18).cards[28:34])]
    assert values["waste"] == turned
    assert values["waste_piles"] == [turned[0::3], turned[1::3], turned[2::3]]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["PY1-N-AAAA"], ["too short", "7", "4"]),
        (["PY1-N-AAAAAA1"], ["“1”", "letter 7"]),
        (["PY9-N-AAAAAAA"], ["PY9-N-AAAAAAA", "PY1-N-"]),
        ([""], ["empty"]),
        (["--deck", ""], ["no cards"]),
        (["--deck", "KD KD"], ["K♦", "twice", "1", "2"]),
        (["--deck", "KD QX"], ["“QX”", "2"]),
        (["--deck", "KD"], ["52", "Missing", "A♣"]),
        (["--deck", "PY1-N-AAAAAAS"], ["PY1-N-AAAAAAS", "Card 1"]),
        (["PY1-N-AAAAAAS", "--rules", "poker"], ["poker", "pyramide", "classic"]),
        (["PY1-N-AAAAAAS", "--rules", "mix,passes=0"], ["passes", "0"]),
        (["PY1-N-AAAAAAS", "--rules", ""], ["pyramide"]),
        ([], ["CODE", "--deck", "pyramide deal --help"]),
        (["PY1-N-AAAAAAS", "--deck", "KD"], ["--deck", "CODE"]),
        (["PY1-N-AAAAAAS", "--jso"], ["--jso"]),
        (["PY1-N-AAAAAAS", "again"], ["again"]),
        (["--deck"], ["--deck", "expected one argument"]),
        (["PY1-N-AAAAAAS", "more"], ["unrecognized arguments: more", "see pyramide deal --help"]),
        (["PY1-N-AAAAAAS", "--lang", "xx"], ["“xx”", "en"]),
        (["PY1-N-AAAAAAS", "--lang=../fr"], ["“../fr”", "en"]),
        (["PY1-N-AAAAAAS", "--lang"], ["--lang"]),
        (["A" * 100_000], ["AAA"]),
        (["PY1-N-AAAAAAS", "B" * 100_000], ["BBB"]),
        (["--deck", "K" * 100_000], ["KKK"]),
        (["PY1-N-AAAAAAS", "--rules", "C" * 100_000], ["CCC"]),
        (["PY1-N-AAAAAAS", "--rules", "mix," + "D" * 100_000], ["DDD"]),
        (["PY1-N-AAAAAAS", "--rules", "mix,passes=" + "9" * 100_000], ["999"]),
        (["PY1-N-AAAAAAS", "--" + "e" * 100_000], ["eee"]),
        (["\x1b[2J\n\udcff"], ["�"]),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, list) else None,
)
def test_deal_refuses_bad_input(run: Run, arguments: list[str], words: list[str]) -> None:
    sentence = check_refused(run("deal", *arguments))
    for word in words:
        assert word in sentence


words_of_a_line = st.one_of(
    st.sampled_from(
        ["deal", "replay", "rules", "--json", "--rules", "--deck", "--lang", "-", "--", "-h", "mix", "en", ""]
    ),
    st.text(alphabet=st.characters(exclude_categories=()), max_size=20),
)


@given(st.lists(words_of_a_line, max_size=6))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_command_line_is_answered_or_refused_in_one_sentence(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.setattr(serve, "play", lambda **_options: 0)
    monkeypatch.setattr(serve, "lab", lambda **_options: 0)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    result = run(*arguments)
    if result[0] != 0:
        check_refused(result)
    else:
        assert result[1] or {"play", "lab"} & {*arguments}


# replay ---------------------------------------------------------------------------------------------------------------


def transcript(tmp_path: Path, content: str | bytes) -> str:
    path = tmp_path / "game.txt"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def test_replay_of_the_documented_opening(run: Run, tmp_path: Path) -> None:
    path = transcript(tmp_path, "PY1-N-AAAAAAS\nKD 10C+3S D D U\n")
    code, output, complaints = run("replay", path, "--json")
    assert (code, complaints) == (0, "")
    # K♦ and a pair of the pyramid: 30 points, 3 cards. Two draws are moves, the undo of one is none.
    assert json.loads(output) == {"outcome": "unfinished", "score": 30, "moves": 4, "removed": 3}
    code, output, complaints = run("replay", path)
    assert output.splitlines() == ["Result: unfinished", "Score: 30", "Moves: 4", "Cards removed: 3"]


def test_replay_under_other_rules(run: Run, tmp_path: Path) -> None:
    # In `classic` the undo is a move, and no card is on the waste at the start.
    path = transcript(tmp_path, "PY1-N-AAAAAAS\nKD 10C+3S D D U\n")
    assert json.loads(run("replay", path, "--rules", "classic", "--json")[1])["moves"] == 5
    assert "“poker”" in check_refused(run("replay", path, "--rules", "poker", "--json"))


def test_replay_of_a_won_game(run: Run, tmp_path: Path) -> None:
    from tests.plain_pyramide import win

    deal = Deal.from_seed(10)
    line = win(tuple(map(str, deal.cards)))
    assert line is not None
    removed = sum(1 + move.count("+") for move in line if move not in "DR")
    path = transcript(tmp_path, f"Code: {deal.code}\nRules: pyramide\nResult: won\nScore: 280\n\n{' '.join(line)}\n")
    code, output, complaints = run("replay", path, "--json")
    assert (code, complaints) == (0, "")
    assert json.loads(output) == {"outcome": "won", "score": 280, "moves": len(line), "removed": removed}


def test_replay_of_a_dead_end(run: Run, tmp_path: Path) -> None:
    # Of Pharaohs, which has no stock, every game that cannot go on is a dead end; so is this one after no move at all:
    # the bottom rows hold only low cards.
    cards = sorted(DECK, key=lambda card: card.rank, reverse=True)
    low = [card for card in cards if card.rank <= 6]
    ends = {1, 2, *range(3 + 21, 3 + 28), *range(31 + 15, 31 + 21)}
    order = []
    high = [card for card in cards if card.rank > 6]
    for place in range(52):
        order.append(low.pop() if place in ends else (high.pop() if high else low.pop()))
    deal = Deal.of(order)
    path = transcript(tmp_path, f"{deal.code} pharaohs\n")
    assert json.loads(run("replay", path, "--json")[1]) == {"outcome": "dead end", "score": 0, "moves": 0, "removed": 0}


def test_replay_from_the_standard_input() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pyramide_core", "replay", "-", "--json"],
        input="\ufeffpy1-n-aaaaaas\r\nkd 10♣+3♠\r\n".encode(),
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == {"outcome": "unfinished", "score": 30, "moves": 2, "removed": 3}


def test_replay_tells_where_the_header_is_wrong(run: Run, tmp_path: Path) -> None:
    path = transcript(tmp_path, "Code: PY1-N-AAAAAAS\nResult: won\nScore: 40\n\nKD\n")
    code, output, complaints = run("replay", path, "--json")
    assert code == 0
    assert json.loads(output) == {"outcome": "unfinished", "score": 10, "moves": 1, "removed": 1}
    first, second = complaints.splitlines()
    assert "won" in first
    assert "40" in second


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", ["no code"]),
        ("PY1-N-AAAAAAS\nKD KD\n", ["Move 2", "K♦"]),
        ("PY1-N-AAAAAAS\nKD 7C+7S\n", ["Move 2", "7C+7S", "13"]),
        ("PY1-N-AAAAAAS\n\nKD XYZ\n", ["Line 3", "XYZ"]),
        ("PY1-N-AAAA\nKD\n", ["Line 1", "too short"]),
        (b"PY1-N-AAAAAAS\nKD \xff\n", ["UTF-8", "18", "FF"]),
        (b"\xff\xfeP\0Y\0001\0", ["UTF-8"]),
        (b"\0" * 100, ["Line 1"]),
        (b"KD " * 400_000, ["1000000"]),
    ],
    ids=["empty", "twice", "sum", "no move", "short code", "not UTF-8", "UTF-16", "null bytes", "too long"],
)
def test_replay_refuses_bad_files(run: Run, tmp_path: Path, content: str | bytes, words: list[str]) -> None:
    sentence = check_refused(run("replay", transcript(tmp_path, content)))
    for word in words:
        assert word in sentence


def test_replay_refuses_what_is_no_readable_file(run: Run, tmp_path: Path) -> None:
    assert "There is no file" in check_refused(run("replay", str(tmp_path / "missing.txt")))
    assert "There is no file" in check_refused(run("replay", "a\0b"))
    assert "“”" in check_refused(run("replay", ""))
    assert "folder" in check_refused(run("replay", str(tmp_path)))
    assert "FILE" in check_refused(run("replay"))
    long_name = "x" * 5000
    assert len(check_refused(run("replay", long_name))) < 200


@pytest.mark.parametrize(
    ("error", "words"), [(PermissionError(13, "x"), "may not be read"), (OSError(5, "x"), "cannot be read")]
)
def test_replay_refuses_a_file_that_the_system_withholds(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: OSError, words: str
) -> None:
    def refuse(*_arguments: object) -> None:
        raise error

    monkeypatch.setattr(Path, "open", refuse)
    sentence = check_refused(run("replay", "game.txt"))
    assert words in sentence
    assert "“game.txt”" in sentence


def test_replay_without_an_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert "no code" in check_refused(run("replay", "-"))


# rules ----------------------------------------------------------------------------------------------------------------


def test_rules_lists_every_rule_set(run: Run) -> None:
    code, output, complaints = run("rules")
    assert (code, complaints) == (0, "")
    assert [line for line in output.splitlines() if not line.startswith(" ")] == [*VARIANTS]
    entries = json.loads(run("rules", "--json")[1])
    assert [entry["name"] for entry in entries] == [*VARIANTS]
    assert all(entry["title"] and entry["summary"] for entry in entries)


def test_rules_explains_one(run: Run) -> None:
    output = run("rules", "pyramide")[1]
    assert "13" in output
    values = json.loads(run("rules", "classic,passes=3", "--json")[1])
    assert values["options"]["passes"] == 3
    assert values["text"] == "mix,draws_at_start=0,passes=3,dead_end=lost,undo_limit=unlimited,undo_counts=yes"
    assert "poker" in check_refused(run("rules", "poker"))


# play and lab ---------------------------------------------------------------------------------------------------------


def test_play_and_lab_pass_on_what_is_asked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, dict[str, object]]] = []
    monkeypatch.setattr(serve, "play", lambda **options: calls.append(("play", options)) or 0)
    monkeypatch.setattr(serve, "lab", lambda **options: calls.append(("lab", options)) or 7)
    assert run("play") == (0, "", "")
    assert run("play", "py1naaaaaas", "--rules", "mix", "--port", "8899", "--no-browser", "--network") == (
        0,
        "",
        "",
    )
    assert run("lab", "--port", "1", "--no-browser") == (7, "", "")
    assert run("lab") == (7, "", "")
    assert calls == [
        ("play", {"port": None, "open_browser": True, "code": None, "rules": None, "network": False}),
        (
            "play",
            {"port": 8899, "open_browser": False, "code": "PY1-N-AAAAAAS", "rules": "pyramide", "network": True},
        ),
        ("lab", {"port": 1, "open_browser": False}),
        ("lab", {"port": None, "open_browser": True}),
    ]


@pytest.mark.parametrize("port", ["0", "65536", "-1", "x", "", "8.5", "٣", "9" * 5000, "1e3", "²"])
def test_a_wrong_port_is_refused(run: Run, port: str) -> None:
    for command in ("play", "lab"):
        sentence = check_refused(run(command, f"--port={port}"))
        assert "--port" in sentence
        assert "1" in sentence
        assert "65535" in sentence


@pytest.mark.parametrize("arguments", [["PY1-N-A"], ["--rules", "poker"]])
def test_play_refuses_a_wrong_game_before_it_starts(
    run: Run, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "play", lambda **_options: pytest.fail("it started"))
    check_refused(run("play", *arguments))


def test_interrupted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(**_options: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(serve, "play", interrupted)
    assert run("play") == (130, "", "")


# The program as a whole -----------------------------------------------------------------------------------------------


def test_version_and_help(run: Run) -> None:
    assert run("--version") == (0, f"pyramide {__version__}\n", "")
    for arguments in (["--help"], ["deal", "-h"], ["play", "--help"]):
        code, output, complaints = run(*arguments)
        assert (code, complaints) == (0, "")
        assert output.startswith("usage: pyramide")
    for command in ("play", "lab", "deal", "replay", "rules"):
        assert f"\n    {command} " in run("--help")[1]


def test_no_command_and_an_unknown_one(run: Run) -> None:
    assert "--help" in check_refused(run())
    assert "dael" in check_refused(run("dael"))
    check_refused(run("--json"))


def test_a_mistake_of_the_program_is_said_in_one_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_options: object) -> int:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(serve, "play", broken)
    monkeypatch.delenv("PYRAMIDE_DEBUG", raising=False)
    code, output, complaint = run("play")
    assert (code, output, complaint.count("\n")) == (1, "", 1)
    assert "ZeroDivisionError" in complaint
    monkeypatch.setenv("PYRAMIDE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run("play")


def test_it_runs_as_a_module_and_as_a_command_with_one_entry() -> None:
    process = start("deal", "PY1-N-AAAAAAS", "--json")
    output, complaints = process.communicate()
    assert (process.returncode, complaints) == (0, b"")
    assert json.loads(output)["waste"] == ["7D"]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_output_into_a_pipe_is_utf_8_whatever_the_system_says(encoding: str) -> None:
    process = start("deal", "PY1-N-AAAAAAS", env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"})
    output, complaints = process.communicate()
    assert (process.returncode, complaints) == (0, b"")
    assert "K♦" in output.decode("utf-8")
    process = start("deal", "KÉ", env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "1"})
    _output, complaints = process.communicate()
    assert process.returncode == 2
    assert "“KÉ”" in complaints.decode("utf-8")


posix = pytest.mark.skipif(os.name != "posix", reason="pipes, signals and /dev are those of POSIX")


@posix
def test_a_closed_pipe_ends_it_quietly() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "pyramide_core", "rules", "--json"],
        cwd=ROOT,
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@posix
def test_without_any_output_it_still_works() -> None:
    command = f'"{sys.executable}" -m pyramide_core deal PY1-N-AAAAAAS >&- 2>&-'
    assert subprocess.run(["sh", "-c", command], cwd=ROOT, check=False).returncode == 0
    command = f'"{sys.executable}" -m pyramide_core deal XX >&- 2>&-'
    assert subprocess.run(["sh", "-c", command], cwd=ROOT, check=False).returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_said() -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        done = subprocess.run(
            [sys.executable, "-m", "pyramide_core", "rules"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1
    assert done.stderr.startswith(b"pyramide: ")


@posix
def test_ctrl_c_ends_it_without_a_word() -> None:
    # It waits for its input, which never comes.
    process = subprocess.Popen(
        [sys.executable, "-m", "pyramide_core", "replay", "-"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    wait_until_it_reads(process.pid)
    process.send_signal(signal.SIGINT)
    output, complaints = process.communicate()
    assert (process.returncode, output, complaints) == (130, b"", b"")


def wait_until_it_reads(pid: int) -> None:
    """Wait until a process sleeps in a read of a pipe, where the system can tell; else give it two seconds."""
    waiting = Path(f"/proc/{pid}/syscall")
    for _attempt in range(600):
        try:
            if waiting.read_text(encoding="ascii").split()[:2] == ["0", "0x0"]:
                return
        except OSError:
            time.sleep(2)
            return
        time.sleep(0.05)


# Languages ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def upper_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A made-up French: every text of argparse and some of ours, in capitals."""
    ours = ["Waste: {cards}", "Waste:", "{problem} (see {command} --help)", "unrecognized arguments: {words}"]
    texts = [*cli.ARGPARSE_TEXTS, *ours]
    catalogue = Catalog(locale="fr", domain=messages.DOMAIN)
    for text in texts:
        catalogue.add(text, capitals(text))
    folder = tmp_path / "fr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    (folder / f"{messages.DOMAIN}.mo").write_bytes(compiled.getvalue())
    monkeypatch.setattr(messages, "LOCALE_DIR", tmp_path)
    return "fr"


def capitals(text: str) -> str:
    """Return a text in capitals, its placeholders as they are."""
    import re

    return "".join(
        part if part.startswith(("%", "{")) else part.upper()
        for part in re.split(r"(%\(\w+\)[sr]|%[sr]|\{\w+\})", text)
    )


def test_a_language_is_chosen_by_option(run: Run, upper_case: str) -> None:
    assert "WASTE: 7♦" in run("--lang", upper_case, "deal", "PY1-N-AAAAAAS")[1]
    assert "WASTE: 7♦" in run("deal", "PY1-N-AAAAAAS", "--lang=fr-CA")[1]
    assert "Waste: 7♦" in run("deal", "PY1-N-AAAAAAS", "--lang", "en_GB")[1]
    assert "en, fr" in check_refused(run("deal", "PY1-N-AAAAAAS", "--lang", "de"))


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"LANG": "fr_CA.UTF-8"}, "WASTE:"),
        ({"LANG": "fr"}, "WASTE:"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C.UTF-8"}, "Waste:"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "fr_FR"}, "WASTE:"),
        ({"LANGUAGE": "de:fr:en", "LANG": "en_US.UTF-8"}, "WASTE:"),
        ({"LANGUAGE": "en:fr", "LANG": "fr_FR"}, "Waste:"),
        ({"LANG": "de_DE.UTF-8"}, "Waste:"),
        ({"LANG": ""}, "Waste:"),
        ({}, "Waste:"),
    ],
)
def test_a_language_is_chosen_by_the_environment(
    run: Run, upper_case: str, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: str
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    before = dict(os.environ)
    assert f"{expected} 7♦" in run("deal", "PY1-N-AAAAAAS")[1]
    assert dict(os.environ) == before
    # The option goes before the environment.
    assert "Waste: 7♦" in run("deal", "PY1-N-AAAAAAS", "--lang", "en")[1]


def test_argparse_speaks_the_language_too(run: Run, upper_case: str) -> None:
    help_text = run("deal", "--help", "--lang", upper_case)[1]
    for words in ("USAGE: ", "POSITIONAL ARGUMENTS:", "OPTIONS:", "SHOW THIS HELP MESSAGE AND EXIT"):
        assert words in help_text
    for arguments, words in {
        ("replay",): "THE FOLLOWING ARGUMENTS ARE REQUIRED: FILE",
        ("deal",): "ONE OF THE ARGUMENTS CODE --deck IS REQUIRED",
        ("deal", "X", "--deck", "Y"): "ARGUMENT --deck: NOT ALLOWED WITH ARGUMENT CODE",
        ("deal", "X", "y"): "UNRECOGNIZED ARGUMENTS: y",
        ("deal", "--deck"): "ARGUMENT --deck: EXPECTED ONE ARGUMENT",
        ("deal", "X", "--json=1"): "ARGUMENT --json: IGNORED EXPLICIT ARGUMENT '1'",
        ("dael",): "ARGUMENT COMMAND: INVALID CHOICE: 'dael' (CHOOSE FROM ",
    }.items():
        sentence = check_refused(run("--lang", upper_case, *arguments))
        assert words in sentence
        assert "(SEE pyramide" in sentence
    # And English again in the next run.
    assert "usage: " in run("deal", "--help")[1]


# Texts that only a programmer's mistake brings up, or kinds of arguments that no command has.
NOT_FOR_PEOPLE = (
    "conflicting subparser",
    "unknown parser",
    'argument "-" with mode',
    "can't open",
    "cannot merge actions",
    "'required' is an invalid",
    "invalid option string",
    "dest= is required",
    "invalid conflict_resolution",
    "conflicting option string",
    "mutually exclusive arguments must",
    "cannot have multiple subparser",
    "is not callable",
    ".__call__() not defined",
    "subcommands",
    "expected %s argument",
    "%(heading)s:",
    "show program's version",
    "(default: %(default)s)",
    "is deprecated",
    "%(prog)s: ",
)


def test_every_text_of_argparse_that_people_can_meet_is_in_the_catalogue() -> None:
    for call in ast.walk(ast.parse(inspect.getsource(argparse))):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("_", "ngettext"):
            if not isinstance(call.args[0], ast.Constant):
                continue  # a plural form inside
            text = call.args[0].value
            assert text in cli.ARGPARSE_TEXTS or any(words in text for words in NOT_FOR_PEOPLE), text


# Options for other commands -------------------------------------------------------------------------------------------


def test_shared_options() -> None:
    parser = cli.Parser(prog="x")
    cli_options.add_deal_arguments(parser)
    cli_options.add_rules_argument(parser)
    cli_options.add_json_argument(parser)
    args = parser.parse_args(["PY1-N-AAAAAAS", "--rules", "classic"])
    assert cli_options.read_deal_argument(args) == Deal.from_seed(18)
    assert cli_options.read_rules_argument(args) == VARIANTS["classic"]
    assert args.json is False
    with pytest.raises(cli_options.UsageError):
        parser.parse_args(["PY1-N-AAAAAAS", "--deck", "KD"])


def test_commands_of_this_module_load_nothing_of_the_solver() -> None:
    code = (
        "import sys; from pyramide_core.cli import main; main(['deal', 'PY1-N-AAAAAAS', '--json']); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    modules = done.stdout.splitlines()[1].split()
    assert not [name for name in modules if name.startswith("pyramide_core.solver")]
    assert "numpy" not in modules


MORE = """
from pyramide_core.cli_options import add_deal_arguments, read_deal_argument, write_line

def add_commands(subparsers):
    parser = subparsers.add_parser("count", help="count the cards")
    add_deal_arguments(parser)
    parser.set_defaults(run=count)

def count(args):
    write_line(str(len(read_deal_argument(args).cards)))
    return 0
"""


def test_a_module_adds_commands(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "more_commands_of_a_test"
    package.mkdir()
    (package / "cli.py").write_text(MORE, encoding="utf-8")
    (package / "broken.py").write_text("import a_module_that_is_not_there", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(cli, "MORE_COMMANDS", (f"{package.name}.cli", f"{package.name}.missing", "missing.cli"))
    assert run("count", "PY1-N-AAAAAAS") == (0, "52\n", "")
    assert run("--lang", "en", "count", "PY1-N-AAAAAAS", "--lang=en") == (0, "52\n", "")
    assert "too short" in check_refused(run("count", "PY1-N-AAAA"))
    assert "pyramide count --help" in check_refused(run("count"))
    assert "\n    count " in run("--help")[1]
    # A module that is there but cannot be imported is a mistake of the installation, and is said.
    monkeypatch.setattr(cli, "MORE_COMMANDS", (f"{package.name}.broken",))
    code, _output, complaint = run("count")
    assert code == 1
    assert "a_module_that_is_not_there" in complaint
    assert run("deal", "PY1-N-AAAAAAS", "--json")[0] == 0
