"""Games as CSV and transcripts: what is written reads back, and what does not replay is refused with its line."""

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramide_core import VARIANTS
from pyramide_core.records.errors import ExchangeError
from pyramide_core.records.exchange import (
    COLUMNS,
    read_csv,
    read_games,
    read_transcripts,
    safe_cell,
    write_csv,
    write_transcripts,
)
from pyramide_core.records.saved import SavedGame
from tests.records.support import a_game, saved, won_game


def some_games() -> list[SavedGame]:
    games = [
        saved(a_game(seed, 5 + seed, rules), player=f"Ada, “{seed}”", at=100.0 * seed, hints=seed % 3)
        for seed, rules in enumerate(VARIANTS)
    ]
    games.append(saved(won_game(), player="=SUM(A1)", at=86_400.0))
    return [
        replace(game, facts=replace(game.facts, seconds=float(n), is_current=False)) for n, game in enumerate(games)
    ]


def plain(games: list[SavedGame]) -> list[tuple[object, ...]]:
    """What must come back of games: all but the key, which is made anew, and the time of the last save."""
    return [
        (
            game.log,
            replace(game.facts, key="", updated_at=0.0, is_current=False),
        )
        for game in games
    ]


def test_csv_round_trip() -> None:
    games = some_games()
    found = read_csv(write_csv(games))
    assert plain(found) == plain(games)
    assert len({game.facts.key for game in found}) == len(games)
    assert [game.facts.updated_at for game in found] == [game.facts.started_at + game.facts.seconds for game in found]


def test_transcripts_round_trip() -> None:
    games = some_games()
    found = read_transcripts(write_transcripts(games))
    assert plain(found) == plain(games)


def test_other_programs_read_the_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(write_csv(some_games()))))
    assert list(rows[0]) == COLUMNS
    assert rows[-1]["result"] == "won"
    assert rows[-1]["score"] == "280"
    assert rows[-1]["cards_left"] == "0"
    assert rows[-1]["started"] == "1970-01-02T00:00:00+00:00"
    # A spreadsheet must not take a name for a formula.
    assert rows[-1]["player"] == "'=SUM(A1)"


@given(st.text(max_size=20))
def test_no_cell_starts_a_formula(text: str) -> None:
    assert not safe_cell(text).startswith(("=", "+", "-", "@", "\t", "\r"))


def test_either_form_is_recognised() -> None:
    games = some_games()[:3]
    for text in (write_csv(games), write_transcripts(games), "\ufeff" + write_csv(games)):
        assert plain(read_games(text)) == plain(games)


def test_one_transcript_typed_by_hand_is_a_game() -> None:
    (game,) = read_games("PY1-N-AAAAAAS KD 10C+3S D U")
    assert game.log == ("KD", "10C+3S", "D", "U")
    assert game.facts.score == 30
    assert game.facts.rules == "pyramide"


def lines() -> list[str]:
    return write_csv(some_games()[:3]).splitlines()


def with_cell(name: str, value: str) -> str:
    rows = list(csv.reader(lines()))
    rows[2][COLUMNS.index(name)] = value
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("code", "PY1-N-AAAAAA1", "cannot stand in a code"),
        ("rules", "nonsense", "no rule set"),
        ("log", "KD KD KD", "Move"),
        ("log", "KD XX", "XX"),
        ("score", "9999", "score is “9999”, but the moves lead to"),
        ("moves", "1", "moves is “1”"),
        ("undos", "77", "undos"),
        ("result", "won", "result is “won”, but the moves lead to unfinished"),
        ("cards_left", "0", "cards_left"),
        ("seconds", "-3", "no number"),
        ("seconds", "nan", "no number"),
        ("seconds", "1e9", "no number"),
        ("seconds", "٣", "no number"),
        ("hints", "1.5", "no number"),
        ("hints", "", "no number"),
        ("started", "yesterday", "a date is written like"),
        ("started", "0001-01-01T00:00:00+14:00", "a date is written like"),
        ("player", "a" * 60, "too long"),
        ("player", "\x07", "cannot be shown"),
    ],
)
def test_wrong_cell_is_told_with_its_line(name: str, value: str, words: str) -> None:
    with pytest.raises(ExchangeError, match=words) as raised:
        read_csv(with_cell(name, value))
    assert str(raised.value).startswith("Line 3: ")
    assert "\n" not in str(raised.value)


def test_wrong_shape_is_told() -> None:
    with pytest.raises(ExchangeError, match="columns player, started"):
        read_csv("a,b,c\n1,2,3\n")
    with pytest.raises(ExchangeError, match="columns"):
        read_csv("")
    with pytest.raises(ExchangeError, match="Line 2: There are 2 values, not 12"):
        read_csv(",".join(COLUMNS) + "\na,b\n")
    with pytest.raises(ExchangeError, match="Line"):
        read_csv(",".join(COLUMNS) + '\n"open,b\n')


def test_columns_may_stand_in_any_order_and_more_are_ignored() -> None:
    rows = list(csv.reader(lines()))
    order = list(reversed(range(len(COLUMNS))))
    turned = [[*(row[place] for place in order), "more"] for row in rows]
    out = io.StringIO()
    csv.writer(out).writerows(turned)
    assert plain(read_csv(out.getvalue())) == plain(read_csv("\n".join(lines())))


def test_wrong_transcript_is_told_with_its_game() -> None:
    text = write_transcripts(some_games()[:2]).replace("Score: ", "Score: 9", 1)
    with pytest.raises(ExchangeError, match="Game 1, from line 2: The header says that the score"):
        read_transcripts(text)
    with pytest.raises(ExchangeError, match="no game"):
        read_games("\n\n")
    with pytest.raises(ExchangeError, match="Game 1"):
        read_games("this is a letter to my aunt")
    with pytest.raises(ExchangeError, match="No game was played"):
        read_games("Code: PY1-N-AAAAAAS\nDate: 1066-10-14\n\nKD")


@pytest.mark.parametrize(
    "content", [b"PK\x03\x04\x14\0\0", b"\x89PNG\r\n", "Код".encode("utf-16"), "é,à".encode("latin-1")]
)
def test_file_that_is_no_text_is_told(content: bytes) -> None:
    """The page reads a file as UTF-8, as `decode` does here."""
    with pytest.raises(ExchangeError, match=r"^This is no file of games"):
        read_games(content.decode("utf-8", "replace"))


@given(st.text(max_size=300))
def test_any_text_is_read_or_told(text: str) -> None:
    for candidate in (text, ",".join(COLUMNS) + "\n" + text):
        try:
            found = read_games(candidate)
        except ExchangeError:
            continue
        assert plain(read_games(write_csv(found))) == plain(found)
