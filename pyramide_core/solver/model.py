"""What follows from a deal and rules for the solver: masks by rank and by order of play. Knows no search.

Plain Python: the compiled search takes its arrays from here too.
"""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from pyramide_core.cards import RANKS
from pyramide_core.position import Position, Table
from pyramide_core.tableau import Tableau, bits

# More recycles than this cannot be used: every turn of the stock that is of use removes something, and 52 cards go in
# at most 28 removals.
USEFUL_RECYCLES = 30


@lru_cache(maxsize=16)
def before(tableau: Tableau) -> tuple[int, ...]:
    """Return for each place the mask of the places that must be empty before its card is exposed."""
    masks: list[int | None] = [None] * len(tableau)

    def mask(place: int) -> int:
        found = masks[place]
        if found is None:
            found = tableau.covered_by[place]
            for upper in bits(tableau.covered_by[place]):
                found |= mask(upper)
            masks[place] = found
        return found

    return tuple(mask(place) for place in range(len(tableau)))


@dataclass(frozen=True)
class Model:
    """A table as the solver sees it."""

    table: Table

    @cached_property
    def total(self) -> int:
        """The sum that two ranks must make, 0 where ranks pair otherwise."""
        return self.table.rules.pair_rule.total or 0

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """`ranks[r]`: the mask of the cards of rank r."""
        cards = self.table.deal.cards
        return (0, *(sum(1 << p for p, card in enumerate(cards) if card.rank == rank) for rank in RANKS))

    @cached_property
    def classes(self) -> tuple[tuple[int, int], ...]:
        """The pairs of ranks that make the total: (1, 12), (2, 11), ... ; empty where ranks pair otherwise."""
        return tuple((rank, self.total - rank) for rank in range(1, (self.total + 1) // 2))

    @cached_property
    def before(self) -> tuple[int, ...]:
        """For each place of the tableau the places that must be empty before."""
        return before(self.table.tableau)

    @cached_property
    def meets(self) -> tuple[int, ...]:
        """For each card the tableau cards of a fitting rank that it could go with as far as the layout allows."""
        table, tableau, earlier = self.table, self.table.tableau, self.before
        after = tuple(sum(1 << q for q, mask in enumerate(earlier) if mask >> p & 1) for p in range(len(tableau)))
        masks = []
        for p, partners in enumerate(table.partners):
            mask = partners & tableau.full
            if p < len(tableau):
                mask &= ~(earlier[p] | after[p])
                if table.rules.cover_pairs:
                    mask |= partners & (tableau.covered_by[p] | tableau.covers[p])
            masks.append(mask)
        return tuple(masks)

    @cached_property
    def has_reserve(self) -> bool:
        """Whether tableau cards exist that need not go."""
        return bool(self.table.tableau.full & ~self.table.goal)

    @cached_property
    def talon_mates(self) -> bool:
        """Whether two cards of the talon can ever pair."""
        rules = self.table.rules
        several = rules.waste_piles > 1 or rules.stock_playable
        return bool(self.table.talon) and (rules.drawn_pairs or (rules.talon_pairs and several))

    @cached_property
    def neighbours_meet(self) -> bool:
        """Whether with one waste pile two talon cards pair when they follow each other."""
        rules = self.table.rules
        return rules.drawn_pairs or (rules.talon_pairs and rules.stock_playable)


@lru_cache(maxsize=64)
def _model(table: Table) -> Model:
    return Model(table)


def model_of(position: Position) -> Model:
    """Return the model of a position's table."""
    return _model(position.table)


def recycles_left(position: Position) -> int | None:
    """Return how many recycles are left, None when more than can be of use."""
    passes = position.rules.passes
    left = None if passes is None else passes - 1 - position.recycles
    return None if left is None or left > USEFUL_RECYCLES else left


def every_card_comes(position: Position) -> bool:
    """Tell whether every talon card can be made available at any time, whatever was played before.

    True when recycles do not run out and each card of a draw lands on a pile of its own: the stock can be turned
    until the wanted card comes, and nothing forces a removal on the way. Also true where no talon is left.
    """
    if not position.stock and not position.wasted:
        return True
    rules = position.rules
    return recycles_left(position) is None and rules.draw_count == rules.waste_piles


def order_is_free(position: Position) -> bool:
    """Tell whether the talon's order changes nothing about what can be won here, so that the matching decides.

    Every talon card must come (`every_card_comes`), all tableau cards must be part of the goal, and pairs within the
    talon must not matter. They never help to clear the pyramid: a line without them has more cards at hand at each
    step. To clear all cards they matter.
    """
    model = model_of(position)
    if not model.total or model.has_reserve or not every_card_comes(position):
        return False
    if position.rules.goal == "pyramid" or not (position.stock or position.wasted):
        return True
    return not model.talon_mates


def endless(position: Position) -> Position | None:
    """Return the position under rules by which every talon card comes again and again, or None.

    Whatever can be done in the position can be done there as well. None where it is so already, and where several waste
    piles take turns.
    """
    rules = position.rules
    if every_card_comes(position) or rules.waste_piles not in (1, rules.draw_count):
        return None
    easier = replace(rules, passes=None, draw_count=rules.waste_piles)
    return Position(Position.start(position.deal, easier).table, position.tableau, position.stock, position.waste)
