"""Transcripts: a game as text that people can read, type and send, and that replays. Knows no file and no screen.

A transcript is header lines, an empty line, and the moves in the notation of `pyramide_core.moves`:

    Program: Pyramide 0.1.0
    Code: PY1-N-AAAAAAS
    Rules: pyramide
    Date: 2026-11-30T08:13:00+00:00
    Result: unfinished
    Score: 30
    Moves: 5
    Time: 1:07

    1. KD 10C+3S D*2 U R

`U` is an undo and `D*2` is `D D` (draws and undos only). A number with a dot counts the entries for the reader and is
not checked; `#` starts a comment that ends with the line. Only the code is needed, with `Code:` or without: a code,
the rules before or after it unless they are `pyramide`, and the moves are a transcript too. Header names and the
results `won`, `dead-end` and `unfinished` are the same in every language.
"""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Literal, get_args

import pyramide_core
from pyramide_core.clock import Clock
from pyramide_core.deals import Deal
from pyramide_core.errors import PyramideError
from pyramide_core.game import UNDO, Game
from pyramide_core.messages import _, shorten
from pyramide_core.moves import Draw, Move, parse_move
from pyramide_core.position import Outcome, Position
from pyramide_core.rules import MIX, VARIANTS, Rules
from pyramide_core.wording import duration

Result = Literal["won", "dead-end", "unfinished"]
_RESULT_OF: dict[Outcome | None, Result] = {None: "unfinished", Outcome.WON: "won", Outcome.DEAD_END: "dead-end"}

HEADERS = ("Program", "Code", "Rules", "Date", "Result", "Score", "Moves", "Time")
ENTRIES_PER_LINE = 10
MOST_REPEATED = 9_999
MOST_ENTRIES = 100_000


class TranscriptError(PyramideError):
    """A text that is no transcript; the message names the line and the word."""


@dataclass(frozen=True)
class Step:
    """A moment of a replay: how many entries are played, the last of them, and what they have led to."""

    number: int
    entry: Move | str | None
    position: Position
    score: int
    moves: int


@dataclass(frozen=True)
class Transcript:
    """A recorded game: its deal, rules and entries (moves, and UNDO for an undo), and what its header claims.

    What a header does not say is None, or "" for the program; `seconds` is the time of play.
    """

    deal: Deal
    rules: Rules
    entries: tuple[Move | str, ...] = ()
    program: str = ""
    date: datetime | None = None
    result: Result | None = None
    score: int | None = None
    moves: int | None = None
    seconds: int | None = None

    @classmethod
    def from_game(cls, game: Game, date: datetime | None = None) -> "Transcript":
        """Record a game as it stands; without a date the present time is written down."""
        return cls(
            game.deal,
            game.rules,
            tuple(game.log),
            f"Pyramide {pyramide_core.__version__}",
            date or datetime.now(UTC).replace(microsecond=0),
            _RESULT_OF[game.outcome],
            game.score,
            game.moves,
            int(game.clock.elapsed),
        )

    # Text ------------------------------------------------------------------------------------------------------

    def write(self) -> str:
        """Return the text that `parse` reads; raises TranscriptError for a deal that has no code.

        >>> print(Transcript.parse("PY1-N-AAAAAAS kd D D U").write(), end="")
        Code: PY1-N-AAAAAAS
        Rules: pyramide
        <BLANKLINE>
        1. KD D*2 U
        """
        if not self.deal.code:
            raise TranscriptError(_("Only a deal of 52 cards has a code, and a transcript needs one."))
        values = {
            "Program": " ".join(self.program.split()).replace("#", "") or None,
            "Code": self.deal.code,
            "Rules": self.rules.text,
            "Date": None if self.date is None else self.date.isoformat(timespec="seconds"),
            "Result": self.result,
            "Score": self.score,
            "Moves": self.moves,
            "Time": None if self.seconds is None else duration(self.seconds),
        }
        lines = [f"{name}: {values[name]}" for name in HEADERS if values[name] is not None]
        return "\n".join([*lines, "", *_move_lines(self.entries)]).rstrip() + "\n"

    @classmethod
    def parse(cls, text: str) -> "Transcript":
        """Read a transcript; raises TranscriptError naming the line and the word that cannot be read."""
        reader = _Reader()
        for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
            try:
                reader.read(line.partition("#")[0].strip())
            except PyramideError as error:
                raise TranscriptError(_("Line {line}: {reason}").format(line=number, reason=error)) from error
        if reader.deal is None:
            raise TranscriptError(_("There is no code in the transcript, so its deal is not known."))
        claims = reader.claims
        return cls(
            reader.deal,
            reader.rules or Rules(),
            tuple(reader.entries),
            reader.program,
            claims.date,
            claims.result,
            claims.score,
            claims.moves,
            claims.seconds,
        )

    # Replay ----------------------------------------------------------------------------------------------------

    def replay(self, now: Callable[[], float] = time.monotonic) -> Game:
        """Return the game after all entries, its clock standing at the recorded time.

        Raises IllegalMoveError naming the number of the first entry that is not possible, and why.
        """
        game = Game(self.deal, self.rules, now=now)
        game.replay(self.entries)
        game.clock = Clock(now, float(self.seconds or 0))
        return game

    def steps(self) -> tuple[Step, ...]:
        """Return every moment of the game, the deal first; raises IllegalMoveError like `replay`."""
        self.replay()
        game = Game(self.deal, self.rules)
        steps = [Step(0, None, game.position, 0, 0)]
        for number, entry in enumerate(self.entries, 1):
            game.replay([entry])
            steps.append(Step(number, entry, game.position, game.score, game.moves))
        return tuple(steps)

    def mismatches(self, game: Game) -> tuple[str, ...]:
        """Return a sentence for each claim of the header that its replayed game does not bear out."""
        sentences = []
        if self.result not in (None, _RESULT_OF[game.outcome]):
            sentences.append(
                _("The header says that the result is {claimed}, but the moves lead to: {found}.").format(
                    claimed=self.result, found=_RESULT_OF[game.outcome]
                )
            )
        if self.score not in (None, game.score):
            sentences.append(
                _("The header says that the score is {claimed}, but the moves give {found}.").format(
                    claimed=self.score, found=game.score
                )
            )
        if self.moves not in (None, game.moves):
            sentences.append(
                _("The header says that there were {claimed} moves, but {found} are recorded.").format(
                    claimed=self.moves, found=game.moves
                )
            )
        return tuple(sentences)


def _move_lines(entries: tuple[Move | str, ...]) -> Iterator[str]:
    """Yield the lines of moves, each with the number of its first entry."""
    words: list[str] = []
    first = number = 1
    for word, count in _runs(entries):
        words.append(word if count == 1 else f"{word}*{count}")
        number += count
        if len(words) == ENTRIES_PER_LINE:
            yield f"{first}. {' '.join(words)}"
            words, first = [], number
    if words:
        yield f"{first}. {' '.join(words)}"


def _runs(entries: tuple[Move | str, ...]) -> Iterator[tuple[str, int]]:
    """Yield each entry's text and how often it is repeated; only draws and undos are put together."""
    for word, group in groupby(map(str, entries)):
        count = sum(1 for _entry in group)
        most = MOST_REPEATED if word in _REPEATABLE else 1
        for done in range(0, count, most):
            yield word, min(most, count - done)


_REPEATABLE = (str(Draw()), UNDO)
_HEADER = re.compile(r"([A-Za-z]+)\s*:\s*(.*)")
_NUMBER = re.compile(r"\d+\.+")
_TIME = re.compile(r"(?:(\d{1,6}):(\d\d?)|(\d{1,6})):(\d\d)")


@dataclass
class _Claims:
    """What the header says of the game besides its deal and rules."""

    date: datetime | None = None
    result: Result | None = None
    score: int | None = None
    moves: int | None = None
    seconds: int | None = None


class _Reader:
    """Reads a transcript line by line, comments taken off. Its errors do not name the line yet."""

    def __init__(self) -> None:
        self.deal: Deal | None = None
        self.rules: Rules | None = None
        self.program = ""
        self.claims = _Claims()
        self.entries: list[Move | str] = []
        self._seen: set[str] = set()

    def read(self, line: str) -> None:
        """Read one line: a header line, or words that are a code, rules or moves."""
        header = _HEADER.fullmatch(line)
        if header:
            self._header(header[1].capitalize(), header[2].strip())
            return
        for word in re.sub(r"\s*([+*])\s*", r"\1", line).split():
            self._word(word)

    def _header(self, name: str, value: str) -> None:
        if name not in HEADERS:
            raise TranscriptError(
                _("There is no header “{name}”. There are: {names}.").format(
                    name=shorten(name), names=", ".join(HEADERS)
                )
            )
        if name in self._seen:
            raise TranscriptError(_("The header “{name}” stands twice.").format(name=name))
        if self.entries:
            raise TranscriptError(_("The header “{name}” must stand before the moves.").format(name=name))
        self._seen.add(name)
        try:
            self._set(name, value)
        except PyramideError as error:
            raise TranscriptError(
                _("{name} “{value}”: {reason}").format(name=name, value=shorten(value), reason=error)
            ) from error

    def _set(self, name: str, value: str) -> None:
        claims = self.claims
        if name == "Program":
            self.program = value
        elif name == "Code":
            self._set_deal(value)
        elif name == "Rules":
            self._set_rules(value)
        elif name == "Date":
            claims.date = _date(value)
        elif name == "Result":
            claims.result = _result(value)
        elif name == "Score":
            claims.score = _count(value)
        elif name == "Moves":
            claims.moves = _count(value)
        else:
            claims.seconds = _seconds(value)

    def _set_deal(self, text: str) -> None:
        if self.deal is not None:
            raise TranscriptError(_("There is already a code."))
        self.deal = Deal.from_code(text)

    def _set_rules(self, text: str) -> None:
        if self.rules is not None:
            raise TranscriptError(_("There are already rules."))
        self.rules = Rules.parse(text)

    def _word(self, word: str) -> None:
        if word.upper().startswith("PY1") and not self.entries:
            self._set_deal(word)
            return
        is_rules = word.partition(",")[0].lower() in (MIX, *VARIANTS)
        if self.deal is None and (_is_entry(word) or self.rules is not None):
            raise TranscriptError(_("The code must stand before “{word}”.").format(word=shorten(word)))
        if not self.entries and (is_rules or self.deal is None):
            self._set_rules(word)
            return
        for part in filter(None, re.split(r"[,;]", word)):
            self._entry(_NUMBER.sub("", part, count=1) if _NUMBER.match(part) else part)

    def _entry(self, text: str) -> None:
        if not text:
            return
        word, star, times = text.partition("*")
        entry = _read_entry(word)
        count = 1
        if star:
            if str(entry) not in _REPEATABLE or not (times.isascii() and times.isdigit()):
                raise TranscriptError(
                    _("“{text}” cannot be read: only D and U can be repeated, such as D*5.").format(text=shorten(text))
                )
            count = int(times[:6])
        if not 1 <= count <= MOST_REPEATED or len(self.entries) + count > MOST_ENTRIES:
            raise TranscriptError(
                _("“{text}”: a repetition is from 1 to {most}, and a transcript has at most {all} moves.").format(
                    text=shorten(text), most=MOST_REPEATED, all=MOST_ENTRIES
                )
            )
        self.entries += [entry] * count


def _read_entry(word: str) -> Move | str:
    return UNDO if word.upper() == UNDO else parse_move(word)


def _is_entry(word: str) -> bool:
    """Whether a word is a number, a move or an undo."""
    try:
        _read_entry(_NUMBER.sub("", word, count=1).partition("*")[0] or UNDO)
    except PyramideError:
        return False
    return True


def _date(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise TranscriptError(_("A date is written like 2026-11-30 or 2026-11-30T08:13:00+00:00.")) from None


def _result(text: str) -> Result:
    for result in get_args(Result):
        if text.lower() == result:
            return result  # type: ignore[no-any-return]
    raise TranscriptError(_("A result is one of: {results}.").format(results=", ".join(get_args(Result))))


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise TranscriptError(_("This must be a whole number."))
    return int(text)


def _seconds(text: str) -> int:
    match = _TIME.fullmatch(text)
    if not match or int(match[4]) > 59 or int(match[2] or 0) > 59:
        raise TranscriptError(_("A time is written like 3:07 or 1:03:07."))
    hours, minutes = (int(match[1]), int(match[2])) if match[1] else (0, int(match[3]))
    return 3600 * hours + 60 * minutes + int(match[4])
