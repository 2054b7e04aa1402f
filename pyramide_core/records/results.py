"""Results of a class: what learners have done at its deals, as a board and as CSV. Knows no database and no screen.

Of a learner's tries at a deal one counts: of the won ones that with the fewest moves (then the fastest), and while none
is won the latest.
"""

from dataclasses import dataclass
from typing import Literal

from pyramide_core.deals import Deal
from pyramide_core.messages import _
from pyramide_core.records.exchange import csv_text, safe_cell
from pyramide_core.records.saved import GameFacts
from pyramide_core.rules import Rules

State = Literal["waiting", "playing", "finished", "dead-end", "time-over", "closed"]


@dataclass(frozen=True)
class Task:
    """What a class plays. `deals` are codes, `rules` is the short form, `time_limit` is in seconds for each learner."""

    code: str
    rules: str
    deals: tuple[str, ...]
    title: str = ""
    time_limit: int | None = None
    hints_allowed: bool = True
    is_anonymous: bool = False
    opened_at: float = 0.0
    closed_at: float | None = None

    @property
    def rule_set(self) -> Rules:
        """The rules."""
        return Rules.parse(self.rules)

    def deal(self, number: int) -> Deal:
        """Return a deal by its number from 1."""
        return Deal.from_code(self.deals[number - 1])

    def number(self, code: str, rules: str) -> int | None:
        """Return the number of a deal under these rules, None when the class does not play it."""
        return self.deals.index(code) + 1 if rules == self.rules and code in self.deals else None


@dataclass(frozen=True)
class Try:
    """A game at a deal of the class, by the number of the deal from 1."""

    deal: int
    facts: GameFacts


@dataclass(frozen=True)
class Learner:
    """Somebody in a class: the number by order of joining, the name, when they joined, and all tries."""

    number: int
    name: str
    joined_at: float
    tries: tuple[Try, ...] = ()

    def best(self, deal: int) -> GameFacts | None:
        """Return the try at a deal that counts, None when there is none."""
        games = [made.facts for made in self.tries if made.deal == deal]
        won = [game for game in games if game.is_won]
        if won:
            return min(won, key=lambda game: (game.moves, game.seconds))
        return games[-1] if games else None


@dataclass(frozen=True)
class Line:
    """A learner's line on the live board; moves and seconds are of the tries that count, all deals together."""

    number: int
    name: str
    state: State
    solved: int
    deals: int
    cards_left: int
    moves: int
    seconds: float
    hints: int


def line(task: Task, learner: Learner, now: float) -> Line:
    """Return a learner's line at a time; the cards of deals not begun count as left."""
    games = [learner.best(number) for number in range(1, len(task.deals) + 1)]
    begun = [game for game in games if game is not None]
    rules = task.rule_set
    all_cards = len(rules.tableau) + rules.talon_size if rules.goal == "all" else rules.tableau.pyramid.bit_count()
    solved = sum(game.is_won for game in begun)
    return Line(
        number=learner.number,
        name=_("Learner {number}").format(number=learner.number) if task.is_anonymous else learner.name,
        state=_state(task, learner, begun, solved, now),
        solved=solved,
        deals=len(games),
        cards_left=sum(all_cards if game is None else game.cards_left for game in games),
        moves=sum(game.moves for game in begun),
        seconds=sum(game.seconds for game in begun),
        hints=sum(game.hints for game in begun),
    )


def _state(task: Task, learner: Learner, begun: list[GameFacts], solved: int, now: float) -> State:
    if solved == len(task.deals):
        return "finished"
    if task.closed_at is not None:
        return "closed"
    if task.time_limit is not None and now > learner.joined_at + task.time_limit:
        return "time-over"
    if not any(game.entries for game in begun):
        return "waiting"
    latest = max(begun, key=lambda game: game.updated_at)
    return "dead-end" if latest.result == "dead-end" else "playing"


def board(task: Task, learners: list[Learner], now: float, by: Literal["time", "moves"] = "time") -> list[Line]:
    """Return the lines of the live board, the best first: most deals solved, then the fewest cards left, then `by`."""

    def key(shown: Line) -> tuple[float, ...]:
        figures = (shown.seconds, shown.moves) if by == "time" else (shown.moves, shown.seconds)
        # Who has not played yet has no time and no moves, which is no merit.
        return (-shown.solved, shown.cards_left, shown.state == "waiting", *figures, shown.number)

    return sorted((line(task, learner, now) for learner in learners), key=key)


HEAD = "class learner deal code rules result tries cards_left score moves undos hints seconds started finished".split()


def results_csv(task: Task, learners: list[Learner]) -> str:
    """Return the results as CSV: for each learner and deal the try that counts; an empty result is an unbegun deal."""
    rows: list[list[object]] = []
    for learner in learners:
        for number, code in enumerate(task.deals, 1):
            game = learner.best(number)
            tries = sum(made.deal == number for made in learner.tries)
            head: list[object] = [task.code, safe_cell(learner.name), number, code, task.rules]
            rows.append(head + (_figures(game, tries) if game is not None else ["", 0, *[""] * 8]))
    return csv_text(HEAD, rows)


def _figures(game: GameFacts, tries: int) -> list[object]:
    ended = game.ended.isoformat() if game.result else ""
    return [
        game.result or "unfinished",
        tries,
        game.cards_left,
        game.score,
        game.moves,
        game.undos,
        game.hints,
        round(game.seconds, 1),
        game.started.isoformat(),
        ended,
    ]
