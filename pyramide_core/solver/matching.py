"""The matching behind a win: which tableau cards must pair with each other, and whether they can. Knows no search tree.

Suppose every talon card is at hand at any time. A tableau card then goes with a tableau card or with a talon card of
the partner rank. Of two ranks that make the total, with a and b cards in the tableau and ta and tb in the talon, at
least k = max(a - tb, b - ta, 0) pairs must be made within the tableau, and k are enough: the rest finds a partner in
the talon. Fewer pairs are never worse, since a pair only adds a condition: both cards must be exposed together.

So the tableau can be cleared just when k pairs of each class can be chosen that do not wait for each other in a
circle. This module searches for such a choice. Where the talon's order binds, the same search is still a proof that
nothing can be won: it allows more than the rules do.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pyramide_core.position import Position
from pyramide_core.solver.model import Model, model_of
from pyramide_core.tableau import bits


@dataclass(frozen=True)
class Needs:
    """For each class of ranks: its tableau cards of either rank, and how many pairs of them must be made."""

    classes: tuple[tuple[int, int, int], ...]
    impossible: int = -1
    """The index of a class whose counts alone rule a win out, -1 when there is none."""


def needs(model: Model, tableau: int, talon: int, *, empty: bool = False, apart: bool = False) -> Needs:
    """Return what must be paired within the tableau.

    `empty`: the talon cards must go too; `apart`: and none of them goes with another of the talon.
    """
    found = []
    impossible = -1
    for index, (low, high) in enumerate(model.classes):
        a, b = tableau & model.ranks[low], tableau & model.ranks[high]
        na, nb = a.bit_count(), b.bit_count()
        ta, tb = (talon & model.ranks[low]).bit_count(), (talon & model.ranks[high]).bit_count()
        pairs = max(na - tb, nb - ta, 0)
        uneven = empty and (na + ta != nb + tb or (apart and (tb > na or ta > nb)))
        if impossible < 0 and (uneven or pairs > min(na, nb)):
            impossible = index
        found.append((a, b, pairs))
    return Needs(tuple(found), impossible)


@dataclass
class Matching:
    """The search for the pairs. `pairs` is the choice found; `tried` counts the choices that were looked at."""

    model: Model
    tableau: int
    pairs: list[tuple[int, int]] = field(default_factory=list)
    tried: int = 0

    def exists(self, classes: Iterable[tuple[int, int, int]]) -> bool:
        """Search for pairs that do not wait for each other, for classes as in Needs."""
        open_classes = [entry for entry in classes if entry[2]]
        if not open_classes:
            return True
        earlier = {p: self.model.before[p] & self.tableau for p in bits(self.tableau)}
        return self._extend(earlier, open_classes)

    def _extend(self, earlier: dict[int, int], classes: list[tuple[int, int, int]]) -> bool:
        choice = self._tightest(earlier, classes)
        if choice is None:
            return False
        index, card, others, may_skip = choice
        a, b, wanted = classes[index]
        rest = classes[:index] + classes[index + 1 :]
        for other in bits(others):
            self.tried += 1
            both = 1 << card | 1 << other
            self.pairs.append((card, other))
            left = [*rest, (a & ~both, b & ~both, wanted - 1)] if wanted > 1 else rest
            if not left or self._extend(_joined(earlier, card, other), left):
                return True
            self.pairs.pop()
        return may_skip and self._extend(earlier, [*rest, (a & ~(1 << card), b, wanted)])

    def _tightest(
        self, earlier: dict[int, int], classes: list[tuple[int, int, int]]
    ) -> tuple[int, int, int, bool] | None:
        """Return the class and card with the fewest choices, its partners, and whether it may stay unpaired.

        None when a class cannot get its pairs any more.
        """
        best: tuple[int, int, int, bool] | None = None
        fewest = 1000
        for index, (a, b, wanted) in enumerate(classes):
            options = {card: mask for card in bits(a) if (mask := self.partners(earlier, card, b))}
            hit = 0
            for mask in options.values():
                hit |= mask
            if len(options) < wanted or hit.bit_count() < wanted:
                return None
            may_skip = len(options) > wanted
            for card, mask in options.items():
                choices = mask.bit_count() + may_skip
                if choices < fewest:
                    fewest, best = choices, (index, card, mask, may_skip)
            if may_skip and hit.bit_count() == wanted:
                for card in bits(hit):
                    mask = sum(1 << other for other, partners in options.items() if partners >> card & 1)
                    if mask.bit_count() < fewest:
                        fewest, best = mask.bit_count(), (index, card, mask, False)
        return best

    def partners(self, earlier: dict[int, int], card: int, others: int) -> int:
        """Return the cards of a mask that a card can still meet: neither has to go before the other."""
        bit = 1 << card
        mask = 0
        for other in bits(others & ~earlier[card]):
            if not earlier[other] & bit:
                mask |= 1 << other
        if self.model.table.rules.cover_pairs:
            tableau = self.model.table.tableau
            for other in bits(others & (tableau.covered_by[card] | tableau.covers[card]) & ~mask):
                upper, under = (other, card) if tableau.covered_by[card] >> other & 1 else (card, other)
                between = tableau.covered_by[under] & self.tableau & ~(1 << upper)
                waits = any(earlier[place] >> upper & 1 for place in bits(between))
                if not waits and not earlier[upper] >> under & 1:
                    mask |= 1 << other
        return mask


def _joined(earlier: dict[int, int], card: int, other: int) -> dict[int, int]:
    """Return what goes before each card once two cards must go together."""
    both = 1 << card | 1 << other
    first = (earlier[card] | earlier[other]) & ~both
    joined = {place: mask | first | both if mask & both else mask for place, mask in earlier.items()}
    joined[card] = joined[other] = first
    return joined


def needs_of(position: Position) -> Needs:
    """Return what a position needs when every talon card is at hand."""
    model = model_of(position)
    empty = position.rules.goal == "all"
    talon = position.stock | position.wasted
    return needs(model, position.tableau, talon, empty=empty, apart=not model.talon_mates)


def find_pairs(position: Position) -> tuple[bool, Matching]:
    """Search for the pairs that a position needs when every talon card is at hand.

    False is a proof that the goal cannot be reached, under any rules with a total and without a reserve. True is a
    proof that it can be where `order_is_free`.
    """
    matching = Matching(model_of(position), position.tableau)
    wanted = needs_of(position)
    return wanted.impossible < 0 and matching.exists(wanted.classes), matching
