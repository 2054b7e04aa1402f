"""Statistics and rankings of kept games: pure functions of their facts. Knows no database and no picture.

A game counts when something was played in it and it is over: won, at a dead end, or left for another one. A game with
hints is marked, and ranked apart.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from pyramide_core.records.saved import GameFacts


@dataclass(frozen=True)
class Statistics:
    """Figures of a list of games. Best and mean values are of won games, None without one; times are seconds.

    `mean_cards_left` is of the games that were not won.
    """

    games: int = 0
    won: int = 0
    dead_ends: int = 0
    left: int = 0
    current_streak: int = 0
    best_streak: int = 0
    best_seconds: float | None = None
    mean_seconds: float | None = None
    best_moves: int | None = None
    mean_moves: float | None = None
    mean_cards_left: float | None = None
    undos: int = 0
    hints: int = 0
    hinted_games: int = 0

    @property
    def share_won(self) -> float | None:
        """Won games by games, None without a game."""
        return self.won / self.games if self.games else None


def played(games: Iterable[GameFacts]) -> list[GameFacts]:
    """Return the games that count, in the order in which they ended."""
    return sorted((game for game in games if game.is_played), key=lambda game: (game.updated_at, game.started_at))


def unaided(games: Iterable[GameFacts]) -> list[GameFacts]:
    """Return the games without hints, in the order given."""
    return [game for game in games if not game.hints]


def hinted(games: Iterable[GameFacts]) -> list[GameFacts]:
    """Return the games with hints, in the order given."""
    return [game for game in games if game.hints]


def streaks(games: Sequence[GameFacts]) -> tuple[int, int]:
    """Return how many games in a row were won at the end of a list, and at best."""
    current = best = 0
    for game in games:
        current = current + 1 if game.is_won else 0
        best = max(best, current)
    return current, best


def summarise(games: Iterable[GameFacts]) -> Statistics:
    """Return the figures of those games that count."""
    counted = played(games)
    won = [game for game in counted if game.is_won]
    lost = [game for game in counted if not game.is_won]
    current, best = streaks(counted)
    return Statistics(
        games=len(counted),
        won=len(won),
        dead_ends=sum(game.result == "dead-end" for game in counted),
        left=sum(game.is_left for game in counted),
        current_streak=current,
        best_streak=best,
        best_seconds=min((game.seconds for game in won), default=None),
        mean_seconds=fmean(game.seconds for game in won) if won else None,
        best_moves=min((game.moves for game in won), default=None),
        mean_moves=fmean(game.moves for game in won) if won else None,
        mean_cards_left=fmean(game.cards_left for game in lost) if lost else None,
        undos=sum(game.undos for game in counted),
        hints=sum(game.hints for game in counted),
        hinted_games=sum(game.hints > 0 for game in counted),
    )


def by_time(games: Iterable[GameFacts], most: int = 10) -> list[GameFacts]:
    """Return the fastest won games; of two equal ones that with fewer moves stands first, then the earlier one."""
    won = (game for game in games if game.is_won)
    return sorted(won, key=lambda game: (game.seconds, game.moves, game.updated_at))[:most]


def by_moves(games: Iterable[GameFacts], most: int = 10) -> list[GameFacts]:
    """Return the won games with the fewest moves; of two equal ones the faster stands first, then the earlier one."""
    won = (game for game in games if game.is_won)
    return sorted(won, key=lambda game: (game.moves, game.seconds, game.updated_at))[:most]
