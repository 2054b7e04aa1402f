"""Every position that can be reached, by plain search through the rules: what the solver's answers are compared with."""

import random
from dataclasses import replace

from pyramide_core.cards import Card, Suit
from pyramide_core.deals import Deal
from pyramide_core.moves import Move
from pyramide_core.position import Position
from pyramide_core.rules import Rules


class Explored:
    """All positions reachable from one, each with its shortest distance to a win (None: it cannot be won)."""

    def __init__(self, start: Position, most: int = 60_000) -> None:
        self.moves: dict[Position, list[tuple[Move, Position]]] = {}
        todo = [start]
        while todo:
            position = todo.pop()
            if position in self.moves:
                continue
            if len(self.moves) >= most:
                raise TooManyPositionsError
            legal = () if position.is_won else position.legal_moves()
            self.moves[position] = [(move, position.apply(move)) for move in legal]
            todo += [after for _move, after in self.moves[position]]
        self.distance = self._distances()

    def _distances(self) -> dict[Position, int]:
        came_from: dict[Position, list[Position]] = {position: [] for position in self.moves}
        for position, moves in self.moves.items():
            for _move, after in moves:
                came_from[after].append(position)
        level = [position for position in self.moves if position.is_won]
        distance = dict.fromkeys(level, 0)
        while level:
            level = [before for position in level for before in came_from[position] if before not in distance]
            level = list(dict.fromkeys(level))
            steps = 1 + max(distance.values())
            distance.update(dict.fromkeys(level, steps))
        return distance

    def is_winnable(self, position: Position) -> bool:
        return position in self.distance

    def most_removed(self, start: Position) -> int:
        """How many cards can go at most from the position that was explored from."""
        return start.remaining.bit_count() - min(position.remaining.bit_count() for position in self.moves)


class TooManyPositionsError(Exception):
    """There are more positions than a test can wait for."""


OPTIONS: dict[str, tuple[object, ...]] = {
    "layout": ("pyramid_3", "pyramid_3", "pyramid_4"),
    "draws_at_start": (0, 1),
    "draw_count": (1, 1, 2, 3),
    "waste_piles": (1, 1, 2, 3),
    "passes": (None, 1, 1, 2, 3),
    "stock_playable": (False, True),
    "talon_pairs": (False, True),
    "drawn_pairs": (False, False, True),
    "cover_pairs": (False, False, True),
    "pairing": ("thirteen", "thirteen", "neighbours"),
    "goal": ("pyramid", "all"),
}


def small_rules(chance: random.Random) -> Rules:
    """Return a mix of all options that change what can be played, on a small pyramid."""
    values = {option: chance.choice(choices) for option, choices in OPTIONS.items()}
    if values["draw_count"] % values["waste_piles"]:  # type: ignore[operator]
        values["waste_piles"] = 1
    return replace(Rules(), **values)  # type: ignore[arg-type]


def small_deal_for(rules: Rules, chance: random.Random, talon: int = 6) -> Deal:
    """Return a deal of a few ranks, so that cards often lie in each other's way, with a talon of so many at most."""
    ranks = chance.choice([(5, 8), (5, 8, 6, 7), (5, 8, 13), (4, 9, 5, 8, 6, 7), (1, 12, 2, 11, 3, 10, 13)])
    if rules.pairing == "neighbours":
        ranks = chance.choice([(1, 3, 4, 6), (2, 5, 8, 9, 12), (3, 4, 5), tuple(range(1, 14))])
    deck = [Card(rank, suit) for rank in ranks for suit in Suit]
    chance.shuffle(deck)
    size = len(rules.tableau)
    while len(deck) < size:
        deck = [Card(rank, suit) for rank in range(1, 14) for suit in Suit]
        chance.shuffle(deck)
    return Deal.of(deck[: size + chance.randrange(talon + 1)])
