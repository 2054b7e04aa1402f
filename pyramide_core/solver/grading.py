"""How hard a deal is to win: easy, medium or hard by random games, or proved unwinnable. Plays and shows nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from pyramide_core.deals import Deal
from pyramide_core.messages import _, ngettext
from pyramide_core.position import Position
from pyramide_core.rules import Rules
from pyramide_core.solver.answers import verdict
from pyramide_core.solver.control import Cancel
from pyramide_core.solver.playouts import games_won, warm_up
from pyramide_core.solver.results import Kind

GAMES = 200
EASY_FROM, HARD_BELOW = 0.75, 0.25
"""Thirds of the winnable deals under the `pyramide` rules, near enough, and quarters that one can say in words."""
VERDICT_LIMIT = 200_000


class Level(Enum):
    """How hard a deal is."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    UNWINNABLE = "unwinnable"
    UNKNOWN = "unknown"

    @property
    def text(self) -> str:
        """The level as a word."""
        return {
            Level.EASY: _("easy"),
            Level.MEDIUM: _("medium"),
            Level.HARD: _("hard"),
            Level.UNWINNABLE: _("cannot be won"),
            Level.UNKNOWN: _("not known"),
        }[self]


@dataclass(frozen=True)
class Difficulty:
    """How hard a deal is: the `level`, and how many of `games` random games `won`; games that are won prove a win."""

    level: Level
    won: int
    games: int = GAMES

    @property
    def measure(self) -> float:
        """The share of the random games that are won, from 0 to 1; the higher, the easier."""
        return self.won / self.games

    @property
    def text(self) -> str:
        """The level and the measure, explained in words."""
        if self.level is Level.UNWINNABLE:
            return _("This deal cannot be won: a search has proved it.")
        counted = ngettext(
            "Of {games} games played at random, {n} was won.",
            "Of {games} games played at random, {n} were won.",
            self.won,
            games=self.games,
        )
        level = {
            Level.EASY: _("This deal is easy."),
            Level.MEDIUM: _("This deal is of medium difficulty."),
            Level.HARD: _("This deal is hard."),
            Level.UNKNOWN: _("Whether this deal can be won is not known."),
        }[self.level]
        return f"{level} {counted}"


def measure_text() -> str:
    """Return what the measure of difficulty is, in words."""
    return _(
        "The measure: {games} games are played at random. Each takes any pair that can go, whichever it is, and turns "
        "the stock only when nothing can go. A deal is easy when at least three quarters of these games are won, and "
        "hard when fewer than a quarter are; whether a deal can be won at all is proved by a search."
    ).format(games=GAMES)


def difficulty(deal: Deal, rules: Rules, *, cancel: Cancel | None = None) -> Difficulty:
    """Return how hard a deal is under a rule set; the same answer every time.

    A deal that no random game wins is looked at by the solver, within a limit. Takes some thousandths of a second once
    the games are compiled (`pyramide_core.solver.playouts.warm_up`), and some tenths without.

    >>> from pyramide_core import VARIANTS
    >>> difficulty(Deal.from_code("PY1-N-AAAAAAJ"), VARIANTS["pyramide"]).level.value
    'unwinnable'
    """
    start = Position.start(deal, rules)
    won = games_won(start, GAMES)
    if won == 0:
        kind = verdict(start, limit=VERDICT_LIMIT, cancel=cancel).kind
        if kind is not Kind.WINNABLE:
            return Difficulty(Level.UNWINNABLE if kind is Kind.UNWINNABLE else Level.UNKNOWN, won)
    share = won / GAMES
    level = Level.EASY if share >= EASY_FROM else Level.MEDIUM if share >= HARD_BELOW else Level.HARD
    return Difficulty(level, won)


def find_deal(
    rules: Rules,
    levels: frozenset[Level],
    *,
    tries: int = 1000,
    cancel: Cancel | None = None,
    deals: Callable[[], Deal] = Deal.random,
) -> Deal | None:
    """Return a random deal of one of these levels, or None when none was found in so many tries or before `cancel`.

    >>> from pyramide_core import VARIANTS
    >>> seeds = iter(range(100))
    >>> find_deal(VARIANTS["classic"], frozenset({Level.EASY}), deals=lambda: Deal.from_seed(next(seeds))).code
    'PY1-N-AAAAAAA'
    """
    warm_up()
    for _try in range(tries):
        if cancel is not None and cancel.is_set():
            return None
        deal = deals()
        if difficulty(deal, rules, cancel=cancel).level in levels:
            return deal
    return None
