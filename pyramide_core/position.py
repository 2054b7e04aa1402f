"""Positions: an immutable state of play, its legal moves, and what a move makes of it. Knows no history, score or time.

A position is four small values over one numbering of the cards, their places in dealing order (tableau first, then
talon): the masks of the cards left in the tableau, in the stock, and in each waste pile, and how often the stock was
recycled. That is the whole state because a recycle keeps the order of the talon: the stock's next card is always its
lowest place and a waste pile's top its highest.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property, lru_cache

from pyramide_core.cards import Card
from pyramide_core.deals import Deal
from pyramide_core.errors import DealError, IllegalMoveError
from pyramide_core.messages import _
from pyramide_core.moves import DRAW, RECYCLE, Draw, Move, Recycle, Remove
from pyramide_core.rules import Rules
from pyramide_core.tableau import Tableau, bits


class Outcome(Enum):
    """How a game has ended."""

    WON = "won"
    DEAD_END = "dead end"


@dataclass(frozen=True)
class Table:
    """A deal laid out under a rule set, and what follows from the two: computed once, shared by all positions."""

    deal: Deal
    rules: Rules

    def __post_init__(self) -> None:
        if len(self.deal.cards) < len(self.tableau):
            raise DealError(
                _("This layout needs {wanted} cards; the deal has {found}.").format(
                    wanted=len(self.tableau), found=len(self.deal.cards)
                )
            )

    @property
    def tableau(self) -> Tableau:
        """The layout's tableau: places 0 to n - 1."""
        return self.rules.tableau

    @cached_property
    def talon(self) -> int:
        """The mask of the talon's places: n to 51."""
        return (1 << len(self.deal.cards)) - 1 & ~self.tableau.full

    @cached_property
    def alone(self) -> int:
        """The mask of the cards that go alone."""
        rule = self.rules.pair_rule
        return sum(1 << p for p, card in enumerate(self.deal.cards) if rule.alone(card.rank))

    @cached_property
    def partners(self) -> tuple[int, ...]:
        """`partners[p]`: the mask of the cards whose rank pairs with that of card p (p itself left out)."""
        rule, cards = self.rules.pair_rule, self.deal.cards
        return tuple(
            sum(1 << q for q, b in enumerate(cards) if q != p and rule.pairs(a.rank, b.rank))
            for p, a in enumerate(cards)
        )

    @cached_property
    def goal(self) -> int:
        """The mask of the cards that must go for a win."""
        return self.tableau.pyramid if self.rules.goal == "pyramid" else self.tableau.full | self.talon

    def cards(self, mask: int) -> tuple[Card, ...]:
        """Return the cards of a mask, in dealing order."""
        return tuple(self.deal.cards[p] for p in bits(mask))


@lru_cache(maxsize=64)
def _table(deal: Deal, rules: Rules) -> Table:
    return Table(deal, rules)


@dataclass(frozen=True)
class Position:
    """A state of play; equal when the same cards lie in the same places under the same rules.

    `tableau`, `stock` and each entry of `waste` are masks of places; `recycles` counts the recycles made, and stays 0
    where their number is not limited, as it then changes nothing.
    """

    table: Table = field(repr=False)
    tableau: int
    stock: int
    waste: tuple[int, ...]
    recycles: int = 0

    @classmethod
    def start(cls, deal: Deal, rules: Rules) -> "Position":
        """Return the position after the deal, with the dealer's own draws made."""
        table = _table(deal, rules)
        position = cls(table, table.tableau.full, table.talon, (0,) * rules.waste_piles)
        for _draw in range(rules.draws_at_start):
            if position.stock:
                position = position._drawn()
        return position

    # What lies where -------------------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.table.rules

    @property
    def deal(self) -> Deal:
        """The deal."""
        return self.table.deal

    @property
    def remaining(self) -> int:
        """The mask of all cards still in play."""
        return self.tableau | self.stock | self.wasted

    @property
    def wasted(self) -> int:
        """The mask of all waste cards."""
        return sum(self.waste)

    @property
    def waste_tops(self) -> tuple[int | None, ...]:
        """The place of each waste pile's top card, None for an empty pile."""
        return tuple(pile.bit_length() - 1 if pile else None for pile in self.waste)

    @property
    def foundation(self) -> tuple[Card, ...]:
        """The removed cards, in dealing order."""
        everything = self.table.tableau.full | self.table.talon
        return self.table.cards(everything & ~self.remaining)

    @property
    def hidden(self) -> int:
        """The mask of the cards that lie face down."""
        rules = self.rules
        covered = self.tableau & ~self.exposed if rules.face_down else 0
        if rules.stock_face_up:
            return covered
        return covered | (self.stock & self.stock - 1 if rules.stock_playable else self.stock)

    @property
    def is_cleared(self) -> bool:
        """Whether the pyramid is empty."""
        return not self.tableau & self.table.tableau.pyramid

    # What can be played ----------------------------------------------------------------------------------------

    @property
    def exposed(self) -> int:
        """The mask of the tableau cards that no card covers."""
        return self.table.tableau.exposed(self.tableau)

    @property
    def available_talon(self) -> int:
        """The mask of the available talon cards: waste tops, and the stock's top where it is playable."""
        mask = 0
        for pile in self.waste:
            if pile:
                mask |= 1 << pile.bit_length() - 1
        if self.rules.stock_playable:
            mask |= self.stock & -self.stock
        return mask

    @property
    def available(self) -> int:
        """The mask of all available cards."""
        return self.exposed | self.available_talon

    def is_available(self, card: Card) -> bool:
        """Tell whether a card is available."""
        place = self.deal.place_of.get(card)
        return place is not None and bool(self.available >> place & 1)

    def removals(self) -> Iterator[int]:
        """Yield the mask of each legal removal: one card or two."""
        table = self.table
        partners = table.partners
        exposed, talon = self.exposed, self.available_talon
        available = exposed | talon
        for p in bits(available & table.alone):
            yield 1 << p
        for p in bits(available):
            others = partners[p] & available & -(2 << p)
            if talon >> p & 1 and not self.rules.talon_pairs:
                others &= exposed
            for q in bits(others):
                yield 1 << p | 1 << q
        if self.rules.drawn_pairs:
            for pile in self.waste:
                top = pile.bit_length() - 1
                beneath = (pile & ~(1 << top)).bit_length() - 1 if pile else -1
                if beneath >= 0 and partners[top] >> beneath & 1:
                    yield 1 << top | 1 << beneath
        if self.rules.cover_pairs:
            covered_by = table.tableau.covered_by
            for p in bits(self.tableau & ~exposed):
                upper = covered_by[p] & self.tableau
                if upper & exposed == upper and not upper & (upper - 1) and partners[p] & upper:
                    yield 1 << p | upper

    @property
    def can_draw(self) -> bool:
        """Whether the stock holds a card."""
        return self.stock != 0

    @property
    def can_recycle(self) -> bool:
        """Whether the stock is empty, the waste is not, and a pass is left."""
        passes = self.rules.passes
        return not self.stock and self.wasted != 0 and (passes is None or self.recycles + 1 < passes)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return every legal move: removals, then the draw or the recycle."""
        moves: list[Move] = [Remove(*self.table.cards(mask)) for mask in self.removals()]
        if self.can_draw:
            moves.append(DRAW)
        elif self.can_recycle:
            moves.append(RECYCLE)
        return tuple(moves)

    def is_legal(self, move: Move) -> bool:
        """Tell whether a move is legal here."""
        if isinstance(move, Draw):
            return self.can_draw
        if isinstance(move, Recycle):
            return self.can_recycle
        return self._mask(move) in self.removals()

    def _mask(self, move: Remove) -> int:
        """Return a removal's mask, 0 when a card of it is not in the deal."""
        places = [self.deal.place_of.get(card) for card in move.cards]
        return sum(1 << place for place in places if place is not None) if None not in places else 0

    # What a move makes of it -----------------------------------------------------------------------------------

    def _drawn(self) -> "Position":
        stock, waste = self.stock, list(self.waste)
        for number in range(self.rules.draw_count):
            card = stock & -stock
            stock ^= card
            waste[number % len(waste)] |= card
        return replace(self, stock=stock, waste=tuple(waste))

    def _recycled(self) -> "Position":
        recycles = 0 if self.rules.passes is None else self.recycles + 1
        return replace(self, stock=self.wasted, waste=(0,) * len(self.waste), recycles=recycles)

    def removed(self, mask: int) -> "Position":
        """Return the position without the cards of a mask; whether the rules allow it is not checked."""
        return replace(
            self,
            tableau=self.tableau & ~mask,
            stock=self.stock & ~mask,
            waste=tuple(pile & ~mask for pile in self.waste),
        )

    def apply(self, move: Move) -> "Position":
        """Return the position after a move; raises IllegalMoveError naming the move and the reason."""
        if not self.is_legal(move):
            raise IllegalMoveError(
                _("{move} is not possible here: {reason}").format(move=move, reason=self.why_illegal(move))
            )
        if isinstance(move, Draw):
            return self._drawn()
        if isinstance(move, Recycle):
            return self._recycled()
        return self.removed(self._mask(move))

    def why_illegal(self, move: Move) -> str:
        """Return a sentence that says why a move is not legal here; empty for a legal one."""
        if self.is_legal(move):
            return ""
        if isinstance(move, Draw):
            return _("The stock is empty.")
        if isinstance(move, Recycle):
            if self.stock:
                return _("The stock is not empty yet.")
            return _("The waste is empty.") if not self.wasted else _("No pass is left.")
        for card in move.cards:
            place = self.deal.place_of.get(card)
            if place is None or not self.remaining >> place & 1:
                return _("{card} is not in play any more.").format(card=card.symbol)
        for card in move.cards:
            if not self.is_available(card):
                return _("{card} is not available.").format(card=card.symbol)
        rule = self.rules.pair_rule
        if move.second is None:
            return _("{card} does not go alone.").format(card=move.first.symbol)
        if not rule.pairs(move.first.rank, move.second.rank):
            return self.pair_message
        return _("Two cards of stock and waste do not pair under these rules.")

    @property
    def pair_message(self) -> str:
        """What two cards must do to go together, as one sentence."""
        if self.rules.pair_rule.total is None:
            return _("The ranks must be equal or neighbours")
        return _("The sum must be {total}").format(total=self.rules.pair_rule.total)

    # How it ends -----------------------------------------------------------------------------------------------

    @property
    def is_won(self) -> bool:
        """Whether the goal is reached."""
        return not self.remaining & self.table.goal

    def outcome(self) -> Outcome | None:
        """Return how the game has ended here, or None while a move is left.

        A dead end is a position without any legal move: with a card to draw or to recycle the game goes on.
        """
        if self.is_won:
            return Outcome.WON
        if self.can_draw or self.can_recycle or next(self.removals(), None) is not None:
            return None
        return Outcome.DEAD_END
