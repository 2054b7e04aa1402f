"""The earliest moment at which each card can go if no card were ever used up. Knows no words and no search.

A generous play: a card that has gone once counts as gone where it covers another and as still there where a partner
is wanted. So whatever can go in a real line of play can go here, no later; what cannot go here never can.
"""

from dataclasses import dataclass

from pyramide_core.position import Position
from pyramide_core.tableau import bits


@dataclass(frozen=True)
class Moment:
    """A moment of the generous play: how often the waste was recycled, and the card of the talon turned last."""

    recycle: int
    turned: int = -1


@dataclass(frozen=True)
class Schedule:
    """`gone` is the mask of the cards that can go at all, `freed[p]` the moment from which a tableau card is free."""

    gone: int
    freed: dict[int, Moment]


class _Play:
    """The generous play of one position."""

    def __init__(self, position: Position) -> None:
        self.table, self.rules = position.table, position.rules
        self.tableau = position.tableau
        self.talon = position.stock | position.wasted
        self.stock = position.stock
        self.piles = list(position.waste)
        self.is_certain = True
        """Whether it is known which pile each card lies on and after which cards a draw ends."""
        self.gone = 0
        self.freed: dict[int, Moment] = {}
        self.now = Moment(0)

    def run(self, recycles: int | None) -> Schedule:
        """Play on as long as something new can go."""
        several = self.rules.waste_piles > 1 or self.rules.draw_count > 1
        while True:
            before = self.gone
            self.is_certain = not several or (self.now.recycle == 0 and not self.rules.stock_playable)
            self._settle()
            while self.stock:
                self._turn()
                self._settle()
            # The first pass may have begun in its midst: only a whole one without anything new is like all later ones.
            idle = self.gone == before and self.now.recycle > 0
            if idle or (recycles is not None and self.now.recycle >= recycles):
                return Schedule(self.gone, self.freed)
            self.now = Moment(self.now.recycle + 1)
            self.stock, self.piles = self.talon, [0] * len(self.piles)

    def _turn(self) -> None:
        """Turn one card, or a whole draw where it is certain after which cards a draw ends."""
        for number in range(self.rules.draw_count if self.is_certain else 1):
            card = self.stock & -self.stock
            if card:
                self.stock ^= card
                self.piles[number % len(self.piles)] |= card
                self.now = Moment(self.now.recycle, card.bit_length() - 1)

    def _within_reach(self) -> tuple[int, ...]:
        """Return for each pile the cards on its top or under cards that can have gone; then the stock's top."""
        if not self.is_certain and len(self.piles) > 1:
            # Which pile a card lies on is not known: any card turned may lie on top of one.
            reach = [sum(self.piles)] * len(self.piles)
        else:
            reach = []
            for pile in self.piles:
                stuck = (pile & ~self.gone).bit_length() - 1
                reach.append(pile & ~((1 << stuck) - 1) if stuck >= 0 else pile)
        if self.rules.stock_playable:
            reach.append(self.stock & -self.stock)
        return tuple(reach)

    def _settle(self) -> None:
        """Let everything go that can at this moment."""
        while True:
            before = self.gone
            self._let_go()
            if self.gone == before:
                return

    def _let_go(self) -> None:
        table, rules, partners = self.table, self.rules, self.table.partners
        free = table.tableau.exposed(self.tableau & ~self.gone) | self.tableau & self.gone
        for p in bits(free):
            self.freed.setdefault(p, self.now)
        reach = self._within_reach()
        talon = 0
        for mask in reach:
            talon |= mask
        self.gone |= (free | talon) & table.alone
        self._pair(free, free | talon)
        if rules.talon_pairs:
            for number, mask in enumerate(reach):
                for other in reach[number + 1 :]:
                    self._pair(mask, other)
        if rules.drawn_pairs:
            self._pair_drawn(reach)
        if rules.cover_pairs:
            for p in bits(self.tableau & ~free):
                covers = table.tableau.covered_by[p] & self.tableau & ~self.gone
                for q in bits(table.tableau.covered_by[p] & partners[p] & free):
                    if not covers & ~(1 << q):
                        self.gone |= 1 << p | 1 << q

    def _pair(self, one: int, other: int) -> None:
        for p in bits(one):
            met = self.table.partners[p] & other
            if met:
                self.gone |= 1 << p | met

    def _pair_drawn(self, reach: tuple[int, ...]) -> None:
        """Let a card within reach go with one below it when what lies between can have gone."""
        for number, pile in enumerate(self.piles):
            if not self.is_certain and len(self.piles) > 1:
                self._pair(pile, sum(self.piles))
                continue
            for top in bits(reach[number]):
                below = pile & (1 << top) - 1
                stuck = (below & ~self.gone).bit_length() - 1
                self._pair(1 << top, below & ~((1 << stuck) - 1) if stuck >= 0 else below)


def schedule(position: Position) -> Schedule:
    """Return what can go at all, and from when on each tableau card is free, if no card were ever used up."""
    passes = position.rules.passes
    return _Play(position).run(None if passes is None else passes - 1 - position.recycles)
