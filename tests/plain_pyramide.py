"""The `pyramide` rules once more, as plainly as can be: what tests compare the package with. Uses nothing of it.

A deal is the names of its cards, such as `KD`, and a card is its number in dealing order. A position is (cards left in
the pyramid, stock with the next card first, waste with the top card last).
"""

from collections.abc import Iterator
from functools import cache

Deal = tuple[str, ...]
Position = tuple[frozenset[int], tuple[int, ...], tuple[int, ...]]

FACES = {"A": 1, "J": 11, "Q": 12, "K": 13}
PLACES = [(row, column) for row in range(7) for column in range(row + 1)]
UPON = [
    {PLACES.index(upper) for upper in ((row + 1, column), (row + 1, column + 1)) if upper in PLACES}
    for row, column in PLACES
]
START: Position = (frozenset(range(28)), tuple(range(29, 52)), (28,))


@cache
def values(deal: Deal) -> tuple[int, ...]:
    """Return what the cards of a deal count."""
    return tuple(FACES.get(card[:-1]) or int(card[:-1]) for card in deal)


@cache
def free(pyramid: frozenset[int]) -> tuple[int, ...]:
    """Return the cards of a pyramid that no other card lies upon."""
    return tuple(sorted(card for card in pyramid if not UPON[card] & pyramid))


def removals(value: tuple[int, ...], position: Position) -> Iterator[tuple[int, ...]]:
    """Yield each king and each pair that can go."""
    pyramid, _stock, waste = position
    playable = [*free(pyramid), *waste[-1:]]
    for number, card in enumerate(playable):
        if value[card] == 13:
            yield (card,)
        for other in playable[number + 1 :]:
            if value[card] + value[other] == 13:
                yield (card, other)


def without(position: Position, cards: tuple[int, ...]) -> Position:
    """Return the position after a removal."""
    pyramid, stock, waste = position
    return pyramid - set(cards), stock, tuple(card for card in waste if card not in cards)


def turned(position: Position) -> Position:
    """Return the position after a touch on the stock."""
    pyramid, stock, waste = position
    return (pyramid, stock[1:], (*waste, stock[0])) if stock else (pyramid, waste, ())


def following(deal: Deal, position: Position) -> Iterator[tuple[str, Position]]:
    """Yield every move from a position, as text, with the position that it leads to."""
    for cards in removals(values(deal), position):
        yield "+".join(deal[card] for card in cards), without(position, cards)
    if position[1] or position[2]:
        yield ("D" if position[1] else "R"), turned(position)


def longest_line(deal: Deal) -> tuple[int, list[str]]:
    """Return how many cards can go at most, and moves that do it: every position that can be reached is visited."""
    came_from: dict[Position, tuple[str, Position] | None] = {START: None}
    best, most = START, 0
    todo = [START]
    while todo:
        position = todo.pop()
        for move, after in following(deal, position):
            if after not in came_from:
                came_from[after] = (move, position)
                todo.append(after)
                gone = len(deal) - sum(map(len, after))
                if gone > most:
                    best, most = after, gone
    return most, _line(came_from, best)


def win(deal: Deal, limit: int = 200_000) -> list[str] | None:
    """Return moves that win a deal, or None when none were found among so many positions; deepest first."""
    came_from: dict[Position, tuple[str, Position] | None] = {START: None}
    todo = [START]
    while todo and len(came_from) < limit:
        position = todo.pop()
        if not position[0]:
            return _line(came_from, position)
        # The removals are looked at first: they stand last.
        for move, after in reversed(list(following(deal, position))):
            if after not in came_from:
                came_from[after] = (move, position)
                todo.append(after)
    return None


def _line(came_from: dict[Position, tuple[str, Position] | None], position: Position) -> list[str]:
    line = []
    while (step := came_from[position]) is not None:
        move, position = step
        line.append(move)
    return line[::-1]
