"""Exchange: games as CSV and as transcripts, written for other programs and read back. Knows no database and no file.

CSV has one line a game, with its log, so that nothing is lost; a file of transcripts has the games one after the other,
each after a line `# Game 3`, which also names the player and the hints used. Whatever is read is replayed first: a line
whose figures its moves do not bear out is refused with its number.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from pyramide_core.errors import PyramideError
from pyramide_core.messages import _, shorten
from pyramide_core.records.errors import ExchangeError
from pyramide_core.records.saved import GameFacts, SavedGame, facts_of, make_key
from pyramide_core.records.tokens import read_name
from pyramide_core.transcript import Transcript

COLUMNS = "player started code rules result score moves seconds undos hints cards_left log".split()
LARGEST = 50_000_000
BYTE_ORDER_MARK = "\ufeff"
"""What the CSV that a page saves begins with: without it spreadsheets take the letters of most names for others."""
_MARK = re.compile(r"# Game (\d+)(?: · hints (\d{1,6}))?(?: · (.*))?")
_LATEST = 1e11
# What a spreadsheet would run as a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV with a line of names above them."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


def safe_cell(text: str) -> str:
    """Return a text that people have typed so that no spreadsheet takes it for a formula.

    >>> safe_cell("=1+1"), safe_cell("Ada")
    ("'=1+1", 'Ada')
    """
    return f"'{text}" if text.startswith((*_FORMULA, "'")) else text


def _plain_cell(text: str) -> str:
    """Undo `safe_cell`."""
    return text[1:] if text.startswith("'") and text[1:].startswith((*_FORMULA, "'")) else text


# Writing -------------------------------------------------------------------------------------------------------------


def write_csv(games: Iterable[SavedGame]) -> str:
    """Return games as CSV, which `read_csv` reads."""
    return csv_text(COLUMNS, (_row(saved.facts, saved.log) for saved in games))


def _row(facts: GameFacts, log: Sequence[str]) -> list[object]:
    return [
        safe_cell(facts.player),
        facts.started.isoformat(),
        facts.code,
        facts.rules,
        facts.result or "unfinished",
        facts.score,
        facts.moves,
        facts.seconds,
        facts.undos,
        facts.hints,
        facts.cards_left,
        " ".join(log),
    ]


def write_transcripts(games: Iterable[SavedGame]) -> str:
    """Return games as transcripts, which `read_transcripts` reads."""
    parts = []
    for number, saved in enumerate(games, 1):
        hints = f" · hints {saved.facts.hints}" if saved.facts.hints else ""
        player = f" · {saved.facts.player}" if saved.facts.player else ""
        parts.append(f"# Game {number}{hints}{player}\n{saved.transcript().write()}")
    return "\n".join(parts)


# Reading -------------------------------------------------------------------------------------------------------------


def read_games(text: str) -> list[SavedGame]:
    """Return the games of a text that is either CSV or transcripts, whichever it looks like."""
    if len(text) > LARGEST:
        raise ExchangeError(_("The file is longer than {limit} bytes.").format(limit=LARGEST))
    text = text.removeprefix(BYTE_ORDER_MARK)
    if "\0" in text or "\ufffd" in text:
        raise ExchangeError(_("This is no file of games: it has something else than text in it."))
    first = text.lstrip().partition("\n")[0]
    return read_csv(text) if "," in first and not first.startswith("#") else read_transcripts(text)


def read_csv(text: str) -> list[SavedGame]:
    """Return the games of a CSV text; raises ExchangeError naming the line that cannot be read."""
    reader = csv.reader(io.StringIO(text.removeprefix(BYTE_ORDER_MARK)), strict=True)
    games = []
    try:
        head = next(reader, [])
        missing = [name for name in COLUMNS if name not in head]
        if missing:
            raise ExchangeError(_("The first line must name the columns {names}.").format(names=", ".join(missing)))
        for cells in reader:
            if cells:
                games.append(_read_row(head, cells))
    except (csv.Error, PyramideError) as error:
        if reader.line_num <= 1:
            raise ExchangeError(str(error)) from error
        raise ExchangeError(_("Line {line}: {reason}").format(line=reader.line_num, reason=error)) from error
    return games


def _read_row(head: Sequence[str], cells: Sequence[str]) -> SavedGame:
    if len(cells) != len(head):
        raise ExchangeError(_("There are {found} values, not {wanted}.").format(found=len(cells), wanted=len(head)))
    values = dict(zip(head, cells, strict=True))
    text = f"Code: {values['code']}\nRules: {values['rules']}\n\n{values['log']}"
    try:
        transcript = Transcript.parse(text)
    except PyramideError as error:
        # The line number within the text made here means nothing to the reader.
        raise ExchangeError(str(error.__cause__ or error)) from error
    facts = GameFacts(
        key=make_key(),
        rules=transcript.rules.text,
        code=transcript.deal.code,
        player=read_name(_plain_cell(values["player"]), needed=False),
        is_current=False,
        started_at=_started(values["started"]),
    )
    saved = _replayed(transcript, facts, _amount(values, "seconds"), int(_amount(values, "hints")))
    made = dict(zip(COLUMNS, map(str, _row(saved.facts, saved.log)), strict=True))
    for name in ("result", "score", "moves", "undos", "cards_left"):
        if values[name].strip() != made[name]:
            raise ExchangeError(
                _("{name} is “{claimed}”, but the moves lead to {found}.").format(
                    name=name, claimed=shorten(values[name]), found=made[name]
                )
            )
    return saved


def _replayed(transcript: Transcript, facts: GameFacts, seconds: float, hints: int) -> SavedGame:
    game = transcript.replay(now=lambda: 0.0)
    facts = facts_of(game, facts, hints=hints, at=facts.started_at + seconds)
    return SavedGame(replace(facts, seconds=seconds), tuple(map(str, transcript.entries)))


def _started(text: str) -> float:
    try:
        return _seconds_of(datetime.fromisoformat(text.strip()))
    except ValueError:
        raise ExchangeError(
            _("started is “{text}”; a date is written like 2026-11-30T08:13:00+00:00.").format(text=shorten(text))
        ) from None


def _seconds_of(date: datetime) -> float:
    """Return the seconds since 1970; raises ValueError for what no game was played at."""
    seconds = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    if not 0 <= seconds <= _LATEST:
        raise ValueError(date)
    return seconds


def _amount(values: dict[str, str], name: str) -> float:
    text = values[name].strip()
    if not re.fullmatch(r"\d{1,8}(\.\d{1,9})?", text, re.ASCII) or (name == "hints" and "." in text):
        raise ExchangeError(_("{name} is “{text}”, which is no number.").format(name=name, text=shorten(text)))
    return float(text)


def _parts(text: str) -> Iterator[tuple[int, re.Match[str] | None, str]]:
    """Yield each transcript of a text: the number of the line before it, the mark on that line, and its lines."""
    start: int = 0
    mark: re.Match[str] | None = None
    lines: list[str] = []
    for number, line in enumerate(text.removeprefix(BYTE_ORDER_MARK).splitlines(), 1):
        found = _MARK.fullmatch(line.strip())
        if found:
            if any(map(str.strip, lines)):
                yield start, mark, "\n".join(lines)
            start, mark, lines = number, found, []
        else:
            lines.append(line)
    if any(map(str.strip, lines)) or mark:
        yield start, mark, "\n".join(lines)


def read_transcripts(text: str) -> list[SavedGame]:
    """Return the games of a text of one or more transcripts; raises ExchangeError naming the game that is wrong."""
    games = []
    for number, (start, mark, part) in enumerate(_parts(text), 1):
        try:
            games.append(_read_part(mark, part))
        except PyramideError as error:
            raise ExchangeError(
                _("Game {number}, from line {line}: {reason}").format(number=number, line=start + 1, reason=error)
            ) from error
    if not games:
        raise ExchangeError(_("There is no game in the text."))
    return games


def _read_part(mark: re.Match[str] | None, part: str) -> SavedGame:
    transcript = Transcript.parse(part)
    try:
        started = _seconds_of(transcript.date) if transcript.date is not None else 0.0
    except ValueError:
        raise ExchangeError(_("No game was played on the day {date}.").format(date=transcript.date)) from None
    facts = GameFacts(
        key=make_key(),
        rules=transcript.rules.text,
        code=transcript.deal.code,
        player=read_name(mark[3] or "", needed=False) if mark else "",
        is_current=False,
        started_at=started,
    )
    wrong = transcript.mismatches(transcript.replay(now=lambda: 0.0))
    if wrong:
        raise ExchangeError(" ".join(wrong))
    return _replayed(transcript, facts, float(transcript.seconds or 0), int(mark[2] or 0) if mark else 0)
