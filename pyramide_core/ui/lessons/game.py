"""Games for lessons: a game that starts in the middle, from any position. Knows no widget."""

from collections.abc import Iterable, Iterator
from typing import Any

from pyramide_core.cards import Card
from pyramide_core.deals import Deal, read_deal
from pyramide_core.errors import MoveTextError
from pyramide_core.game import UNDO, Game
from pyramide_core.messages import _
from pyramide_core.moves import Move, parse_move
from pyramide_core.rules import Rules


class LessonGame(Game):
    """A game that a lesson has begun: the moves before it are made and cannot be undone, points and moves start at 0.

    With `counted` those moves count like the player's own.
    """

    def __init__(self, deal: Deal, rules: Rules, before: Iterable[Move | str] = (), *, counted: bool = False) -> None:
        super().__init__(deal, rules, error_help=True)
        self.before = tuple(before)
        self.counted = counted
        self.replay(self.before)
        if not counted:
            self._past.clear()
            self.moves = self.score = self.undos = 0
        # The clock of a lesson starts with the learner's first touch.
        self.clock = type(self.clock)()
        self.start = self.position

    def again(self, deal: Deal | None = None) -> "LessonGame":
        """Return the same game from its start, or the same beginning of another deal."""
        return LessonGame(deal or self.deal, self.rules, () if deal else self.before, counted=self.counted)


def game_at(deal: str | Deal, moves: str = "", rules: str | Rules = "pyramide", *, counted: bool = False) -> LessonGame:
    """Return a game after some moves: `game_at("PY1-N-AAAAAAS", "KD 10C+3S D*2")`.

    A deal is a code, or cards from the apex down (then the stock), with `/` where you like: fewer than 52 are allowed
    where `rules` lay a smaller pyramid. `D*2` is two draws. Raises what the engine says of wrong texts.

    >>> game_at("PY1-N-AAAAAAS", "KD 10C+3S").removed
    3
    """
    laid = rules if isinstance(rules, Rules) else Rules.parse(rules)
    return LessonGame(deal if isinstance(deal, Deal) else _deal(deal), laid, spelled_out(moves), counted=counted)


def small_game(rows: int, cards: str, stock: str = "", rules: str = "pyramide", **options: Any) -> LessonGame:
    """Return a game on a pyramid of 3 to 6 rows: its cards from the apex down, then the stock, next card first.

    No card lies on the waste at first. More keyword arguments go to `game_at`.
    """
    mix = rules if rules.startswith("mix") or "," in rules else f"{rules},draws_at_start=0"
    return game_at(f"{cards} {stock}", rules=f"{mix},layout=pyramid_{rows}", **options)


def spelled_out(moves: str) -> Iterator[Move | str]:
    """Yield the moves of a text in the notation of transcripts, `D*3` as three draws."""
    for word in moves.split():
        one, star, times = word.partition("*")
        if star and not (times.isascii() and times.isdigit()):
            raise MoveTextError(_("“{text}” cannot be read: write a number after the star.").format(text=word))
        for _time in range(int(times) if star else 1):
            yield UNDO if one == UNDO else parse_move(one)


def _deal(text: str) -> Deal:
    words = text.replace("/", " ").split()
    return read_deal(text) if len(words) == 1 else Deal.of(map(Card.parse, words))
