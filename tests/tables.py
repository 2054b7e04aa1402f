"""Tables laid by hand for tests: a deal that has certain cards in certain places."""

from collections.abc import Iterable

from pyramide_core.cards import DECK, Card
from pyramide_core.deals import Deal
from pyramide_core.moves import parse_move
from pyramide_core.position import Position
from pyramide_core.rules import Rules

ROW_STARTS = (0, 1, 3, 6, 10, 15, 21)


def deal_with(rows: dict[int, str] | None = None, *, talon: str = "", places: dict[int, str] | None = None) -> Deal:
    """Return a deal of 52 cards with these cards at the left of rows 1 to 7, at the talon's start, or in places.

    The other places are filled with the other cards in the order of DECK.
    """
    wanted = {place: Card.parse(text) for place, text in (places or {}).items()}
    for row, text in (rows or {}).items():
        wanted |= {ROW_STARTS[row - 1] + place: Card.parse(word) for place, word in enumerate(text.split())}
    wanted |= {28 + place: Card.parse(word) for place, word in enumerate(talon.split())}
    others = (card for card in DECK if card not in wanted.values())
    return Deal.of(wanted[place] if place in wanted else next(others) for place in range(52))


def small_deal(text: str) -> Deal:
    """Return a deal of just these cards."""
    return Deal.of(map(Card.parse, text.split()))


def after(deal: Deal, rules: Rules, moves: str) -> Position:
    """Return the position after moves in their notation; `D*3` is three draws."""
    position = Position.start(deal, rules)
    for move in spelled_out(moves):
        position = position.apply(parse_move(move))
    return position


def spelled_out(moves: str) -> Iterable[str]:
    for word in moves.split():
        move, _, times = word.partition("*")
        yield from [move] * int(times or 1)


def moves_of(position: Position) -> set[str]:
    return {str(move) for move in position.legal_moves()}


def cards_of(position: Position, mask: int) -> str:
    return " ".join(map(str, position.table.cards(mask)))
