"""What a player may know of a game: a `View` holds the cards seen so far and nothing that was never face up.

Knows no strategy and no solver. Two games that have shown the same cards give equal views, whatever lies hidden.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TypeVar

from pyramide_core.cards import DECK, Card
from pyramide_core.deals import Deal, shuffle, splitmix64
from pyramide_core.moves import Move, Remove
from pyramide_core.position import Position, Table
from pyramide_core.rules import Rules

_T = TypeVar("_T")


class Dice:
    """A player's own chance: the same `key` throws the same numbers on every machine and in every version of Python.

    The key is hashed, so that nothing in it (such as the seed of a deal) can be read back from the numbers.

    >>> Dice("a", 1).below(6) == Dice("a", 1).below(6)
    True
    """

    def __init__(self, *key: object) -> None:
        text = "\x1f".join(map(str, key))
        self._following = splitmix64(int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big"))

    def below(self, count: int) -> int:
        """Return a whole number from 0 to count - 1, each equally likely."""
        limit = (1 << 64) - (1 << 64) % count
        number = self._following()
        while number >= limit:
            number = self._following()
        return number % count

    def choice(self, items: Sequence[_T]) -> _T:
        """Return one of the items, each equally likely."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[_T]) -> tuple[_T, ...]:
        """Return the items in a random order."""
        return shuffle(items, self._following())


@dataclass(frozen=True)
class View:
    """What a player with a good memory knows: places and masks as in `Position`, but cards only where they were seen.

    `cards[p]` is the card dealt to place p, or None as long as it has never been face up. A stock card that has been
    turned once is known after a recycle, as a recycle keeps the order. `moves` are the legal moves; none names a card
    that was never seen. `unseen` are the cards that were never face up, in the order of a new deck: which they are is
    known, not where they lie. `dice` is the player's chance, and no part of what is known.
    """

    rules: Rules
    cards: tuple[Card | None, ...]
    tableau: int
    stock: int
    waste: tuple[int, ...]
    recycles: int
    moves: tuple[Move, ...]
    unseen: tuple[Card, ...]
    dice: Dice = field(compare=False, repr=False, default_factory=Dice)

    @classmethod
    def of(cls, position: Position, seen: int, dice: Dice | None = None) -> "View":
        """Return the view of a position for a player who has seen the cards of the mask `seen` so far.

        Cards that lie face up now are seen in any case.
        """
        seen |= position.remaining & ~position.hidden
        cards = tuple(card if seen >> p & 1 else None for p, card in enumerate(position.deal.cards))
        known = frozenset(cards)
        moves = tuple(
            move for move in position.legal_moves() if not isinstance(move, Remove) or known.issuperset(move.cards)
        )
        return cls(
            position.rules,
            cards,
            position.tableau,
            position.stock,
            position.waste,
            position.recycles,
            moves,
            tuple(card for card in DECK if card not in known and card in position.deal.place_of),
            dice or Dice(),
        )

    @property
    def removals(self) -> tuple[Remove, ...]:
        """The legal removals."""
        return tuple(move for move in self.moves if isinstance(move, Remove))

    @property
    def stock_move(self) -> Move | None:
        """The legal draw or recycle, None where there is neither."""
        return next((move for move in self.moves if not isinstance(move, Remove)), None)

    def mask(self, move: Remove) -> int:
        """Return the mask of the places of a removal's cards."""
        return sum(1 << self.cards.index(card) for card in move.cards)

    def newly_exposed(self, move: Remove) -> int:
        """Return the mask of the tableau places that a removal would expose."""
        tableau = self.rules.tableau
        after = self.tableau & ~self.mask(move)
        return tableau.exposed(after) & ~tableau.exposed(self.tableau)

    def imagine(self) -> Position:
        """Return a full position that agrees with all that is known: the unseen cards lie in some random order.

        Without unseen cards it is the position itself.
        """
        return self._filled(iter(self.dice.shuffled(self.unseen)))

    def imagine_plainly(self) -> Position:
        """Return a position as `imagine` does, but with the unseen cards in the order of a new deck.

        For questions whose answer does not depend on where the unseen cards lie.
        """
        return self._filled(iter(self.unseen))

    def _filled(self, hidden: Iterator[Card]) -> Position:
        cards = tuple(card or next(hidden) for card in self.cards)
        return Position(Table(Deal(cards), self.rules), self.tableau, self.stock, self.waste, self.recycles)
