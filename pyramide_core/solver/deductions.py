"""Deductions: which card must go before which, until one is found that can never go. Knows no words and no search.

Every fact here holds in every line of play that reaches the goal, so a contradiction proves that there is none. The
order of the talon is used only where it binds: in the last pass, where a waste card waits for those upon it.

"x waits for w" means: whenever x goes, w has gone before. Where the rules let a card go together with the one that
covers it, w may also go together with x.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations

from pyramide_core.position import Position
from pyramide_core.solver.control import Cancel
from pyramide_core.solver.facts import UNSAID, Cases, Fact, Refutation, Why
from pyramide_core.solver.model import model_of
from pyramide_core.tableau import bits

ROUNDS = 12
LARGEST_GROUP = 4


_FREE = -1
"""The number of a fact that the layout shows."""


class Knowledge:
    """What is known of a position: for each card left its possible partners, and the cards that it waits for."""

    def __init__(self, position: Position) -> None:
        table, rules = position.table, position.rules
        size = len(position.deal.cards)
        self.ranks = tuple(card.rank for card in position.deal.cards)
        self.remaining = position.remaining
        self.alone = table.alone
        self.playable = rules.stock_playable
        self.may_go_together = rules.cover_pairs or rules.drawn_pairs
        self.talon = position.remaining & table.talon
        self.before = [0] * size
        self.upon = [0] * size
        """Cards that lie upon a card and may yet go together with it."""
        self._lay_tableau(position)
        self.pile_of = self._lay_talon(position)
        self.needed = self.remaining & table.goal
        for x in bits(self.needed):
            self.needed |= self.before[x]
        self.partners = [0] * size
        """The cards left that fit a card by rank and by the rules on the talon."""
        mates = model_of(position).talon_mates
        for x in bits(self.remaining & ~self.alone):
            self.partners[x] = table.partners[x] & self.remaining
            if self.talon >> x & 1 and not mates:
                self.partners[x] &= ~self.talon
        self.layout = tuple(self.before)
        self.options = list(self.partners)
        self.facts: list[Fact] = []
        self.why_before = {(x, w): _FREE for x in bits(self.remaining) for w in bits(self.before[x])}
        self.why_not: dict[tuple[int, int], int] = {}
        by_rank: dict[int, list[int]] = {}
        for x in bits(self.needed & ~self.alone):
            by_rank.setdefault(self.ranks[x], []).append(x)
        self.groups = tuple(tuple(group) for group in by_rank.values())

    def _lay_tableau(self, position: Position) -> None:
        tableau = position.table.tableau
        earlier = model_of(position).before
        for x in bits(position.tableau):
            self.before[x] = earlier[x] & position.tableau
            if position.rules.cover_pairs:
                self.upon[x] = tableau.covered_by[x] & position.tableau

    def _lay_talon(self, position: Position) -> dict[int, int]:
        """Let waste cards wait in the last pass, and return the pile that each talon card is or comes to lie on."""
        rules = position.rules
        if rules.passes is None or position.recycles + 1 < rules.passes:
            return {}
        pile_of = {}
        for number, pile in enumerate(position.waste):
            for x in bits(pile):
                pile_of[x] = number
                self.before[x] |= pile & -(2 << x)
        if len(position.waste) == 1 or not rules.stock_playable:
            for number, x in enumerate(bits(position.stock)):
                pile_of[x] = number % rules.draw_count % len(position.waste)
        if rules.drawn_pairs:
            for x in bits(self.talon):
                self.upon[x] |= self.talon & -(2 << x)
        return pile_of

    def copy(self) -> "Knowledge":
        """Return knowledge of its own that begins with the same facts."""
        twin = object.__new__(Knowledge)
        twin.__dict__.update(self.__dict__)
        twin.before, twin.options, twin.facts = list(self.before), list(self.options), list(self.facts)
        twin.why_before, twin.why_not = dict(self.why_before), dict(self.why_not)
        return twin

    def after_layout(self) -> "Knowledge":
        """Return it after the first look at the layout: without partners that lie over or under each other."""
        self._separate()
        return self

    def assume(self, x: int, y: int) -> None:
        """Take it that two cards go together."""
        for card, mate in ((x, y), (y, x)):
            for other in bits(self.options[card] & ~(1 << mate)):
                self._part(card, other, _FREE)

    # Facts -----------------------------------------------------------------------------------------------------

    def _fact(self, why: Why, card: int, other: int, parents: Iterable[int], options: int = 0, above: int = -1) -> int:
        """Enter a fact and return its number; what only restates the layout is free."""
        given = tuple(sorted(set(parents) - {_FREE}))
        if not given and why in UNSAID:
            return _FREE
        self.facts.append(Fact(why, card, other, options, above, given))
        return len(self.facts) - 1

    def _part(self, x: int, y: int, number: int) -> None:
        """Note that two cards cannot go together."""
        self.options[x] &= ~(1 << y)
        self.options[y] &= ~(1 << x)
        self.why_not[x, y] = self.why_not[y, x] = number

    def _missing(self, cards: Iterable[int], left: int) -> Iterator[int]:
        """Yield the facts by which cards have no other partners than those left."""
        for x in cards:
            for y in bits(self.partners[x] & ~left):
                yield self.why_not[x, y]

    def _wait(self, x: int, w: int, number: int) -> None:
        self.before[x] |= 1 << w
        self.why_before[x, w] = number

    # Rules of deduction ----------------------------------------------------------------------------------------

    def _separate(self) -> None:
        """Part two cards when one of them waits for the other, or waits for what can never go."""
        for x in bits(self.remaining & ~self.alone):
            for y in bits(self.options[x]):
                parents = self._apart(x, y)
                if parents is not None:
                    self._part(x, y, self._fact(Why.APART, x, y, parents))
                    continue
                buried = self._buried(x, y)
                if buried is not None:
                    self._part(x, y, self._fact(Why.BURIED, x, y, buried[1:], above=buried[0]))
        for x in bits(self.remaining & ~self.alone & ~self.needed):
            stuck = [w for w in bits(self.before[x] & ~self.alone) if not self.options[w]] if self.options[x] else ()
            if stuck:
                parents = (self.why_before[x, stuck[0]], *self._missing(stuck[:1], 0))
                number = self._fact(Why.NEVER, x, stuck[0], parents)
                for y in bits(self.options[x]):
                    self._part(x, y, number)

    def _apart(self, x: int, y: int) -> tuple[int, ...] | None:
        """Return the facts by which x cannot go with y, which it waits for; None when it can."""
        if not self.before[x] >> y & 1:
            return None
        if not self.may_go_together or not self.upon[x] >> y & 1:
            return (self.why_before[x, y],)
        for z in bits(self.before[x]):
            if self.before[z] >> y & 1:
                return self.why_before[x, z], self.why_before[z, y]
        return None

    def _buried(self, x: int, y: int) -> tuple[int, ...] | None:
        """Return a card under which the talon card y stays once x is free, then the facts by which it does.

        x waits for a later card of the talon, so that all cards between have been turned upon y; one of these cannot
        go before the two.
        """
        if y not in self.pile_of or x in self.pile_of:
            return None
        late = self.before[x] & self.talon
        last = late.bit_length() - 1
        if last <= y:
            return None
        for q in bits(self.talon & -(2 << y) & (1 << last) - 1):
            if self.pile_of.get(q) != self.pile_of[y] or self.alone >> q & 1:
                continue
            for mate in (x, y):
                if self.before[q] >> mate & 1 and not self.may_go_together:
                    return q, self.why_before[x, last], self.why_before[q, mate]
            if not self.options[q] & ~(1 << x) and not self.may_go_together:
                return (q, self.why_before[x, last], *self._missing((q,), 1 << x))
        return None

    def _take(self) -> bool:
        """Keep partners for cards that need all of them: as many cards as partners."""
        changed = False
        for cards, left in self._hands():
            if left.bit_count() != len(cards):
                continue
            own = sum(1 << x for x in cards)
            parted = [(y, z) for y in bits(left) for z in bits(self.options[y] & ~own)]
            if parted:
                changed = True
                number = self._fact(Why.TAKEN, cards[0], own, self._missing(cards, left), left)
                for y, z in parted:
                    self._part(y, z, number)
        return changed

    def _hands(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield every choice of needed cards of one rank with their possible partners."""
        for group in self.groups:
            for size in range(1, min(len(group), LARGEST_GROUP) + 1):
                for cards in combinations(group, size):
                    left = 0
                    for x in cards:
                        left |= self.options[x]
                    yield cards, left

    def _order(self, banned: frozenset[tuple[int, int]]) -> bool:
        """Find cards that must wait for others, and what follows from that at once."""
        new: list[tuple[int, int, int]] = []
        for x in bits(self.remaining & ~self.alone):
            if not self.options[x]:
                continue
            later = -1
            for y in bits(self.options[x]):
                later &= self.before[y]
            for w in bits(later & ~self.before[x] & ~(1 << x)):
                if (x, w) not in banned:
                    parents = [self.why_before[y, w] for y in bits(self.options[x])]
                    parents += self._missing((x,), self.options[x])
                    new.append((x, w, self._fact(Why.PARTNERS, x, w, parents, self.options[x])))
        new += self._between(banned)
        found = self._enter(new)
        # What follows from the partners themselves is easier to follow, so it comes first.
        return self._enter(self._with_or_after(banned)) or found

    def _enter(self, new: Iterable[tuple[int, int, int]]) -> bool:
        """Note that cards wait for others, with all that follows; return whether any of it is new."""
        changed = False
        for x, w, number in list(new):
            if not self.before[x] >> w & 1:
                changed = True
                self._wait(x, w, number)
        if changed:
            self._chain()
        return changed

    def _with_or_after(self, banned: frozenset[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
        """Yield what a card waits for because a card z that must go before goes together with it, or after it."""
        goes_after: dict[int, int] = {}
        for z in bits(self.remaining & ~self.alone):
            if self.options[z]:
                mask = -1
                for y in bits(self.options[z]):
                    mask &= self.before[y] | 1 << y
                # What all of them wait for, z waits for itself.
                if mask & self.options[z]:
                    goes_after[z] = mask & self.options[z]
        decided = sum(1 << z for z in goes_after)
        for x in bits(self.remaining):
            found = self.before[x] | 1 << x
            for z in bits(self.before[x] & decided):
                for w in bits(goes_after[z] & ~found):
                    if (x, w) in banned or (self.may_go_together and self.options[x] >> w & 1):
                        continue
                    found |= 1 << w
                    parents = [self.why_before[y, w] for y in bits(self.options[z]) if y != w]
                    parents += [self.why_before[x, z], *self._missing((z,), self.options[z])]
                    yield x, w, self._fact(Why.ONE_ABOVE, x, w, parents, self.options[z], z)

    def _between(self, banned: frozenset[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
        """Yield what a talon card waits for in the last pass because it waits for one that is turned later still."""
        for x in self.pile_of:
            last = (self.before[x] & self.talon).bit_length() - 1
            for q in bits(self.talon & -(2 << x) & (1 << last) - 1 & ~self.before[x]) if last > x else ():
                if self.pile_of.get(q) == self.pile_of[x] and (x, q) not in banned:
                    yield x, q, self._fact(Why.BETWEEN, x, q, (self.why_before[x, last],), 0, last)

    def _chain(self) -> None:
        """Let cards wait for what the cards wait for that they wait for."""
        again = True
        while again:
            again = False
            for x in bits(self.remaining):
                for z in bits(self.before[x]):
                    for w in bits(self.before[z] & ~self.before[x] & ~(1 << x)):
                        again = True
                        parents = (self.why_before[x, z], self.why_before[z, w])
                        self._wait(x, w, self._fact(Why.CHAIN, x, w, parents))

    # Refutations -----------------------------------------------------------------------------------------------

    def _contradiction(self) -> Refutation | None:
        """Return the contradiction that takes fewest facts, of those that the facts found so far make."""
        found = []
        for cards, left in self._hands():
            if left.bit_count() < len(cards):
                found.append(Refutation(cards, left, self._grounds(self._missing(cards, left))))
        for x in bits(self.needed):
            for z in bits(self.before[x] & ~((1 << x) - 1)):
                if self.before[z] >> x & 1 and not self._may_pair(x, z):
                    grounds = self._grounds((self.why_before[x, z], self.why_before[z, x]))
                    found.append(Refutation((x, z), 0, grounds, is_circle=True))
        return min(found, key=lambda one: (one.cost, len(one.cards)), default=None)

    def _may_pair(self, x: int, z: int) -> bool:
        return self.may_go_together and bool(self.options[x] >> z & 1)

    def _grounds(self, numbers: Iterable[int]) -> tuple[Fact, ...]:
        """Return the facts to be said that others rest on, each after its own."""
        seen: set[int] = set()
        todo = [number for number in numbers if number != _FREE]
        while todo:
            number = todo.pop()
            if number not in seen:
                seen.add(number)
                todo += self.facts[number].parents
        return tuple(self.facts[number] for number in sorted(seen) if self.facts[number].why not in UNSAID)

    def refute(self, banned: frozenset[tuple[int, int]] = frozenset()) -> Refutation | None:
        """Return a contradiction, or None when deducing comes to no end; of the facts named as banned none is used."""
        for _round in range(ROUNDS):
            self._separate()
            found = self._contradiction()
            if found is not None:
                return found
            changed = self._take()
            changed = self._order(banned) or changed
            if not changed:
                return None
        return None


def refutation(start: Knowledge) -> Refutation | None:
    """Return a contradiction with as few facts as can be found by doing without each of them in turn."""
    best = start.copy().refute()
    banned: frozenset[tuple[int, int]] = frozenset()
    tried: set[tuple[int, int]] = set()
    while best is not None and best.cost > 1:
        untried = [fact for fact in best.facts if (fact.card, fact.other) not in tried]
        if not untried:
            break
        without = banned | {(untried[-1].card, untried[-1].other)}
        tried |= without
        found = start.copy().refute(without)
        if found is not None and found.cost <= best.cost:
            best, banned = found, without
    return best


def by_cases(start: Knowledge, most_options: int = 3, *, cancel: Cancel | None = None) -> Cases | None:
    """Return the card whose possible partners all lead to contradictions in the fewest sentences, or None.

    Takes up to a second; once `cancel` is set it stops with the best found so far.
    """
    start = start.copy().after_layout()
    best: Cases | None = None
    for x in bits(start.needed & ~start.alone):
        if cancel is not None and cancel.is_set():
            break
        options = start.options[x]
        if not 1 < options.bit_count() <= most_options:
            continue
        cases = []
        for y in bits(options):
            twin = start.copy()
            twin.assume(x, y)
            found = twin.refute()
            if found is None:
                break
            cases.append((y, found))
        if len(cases) == options.bit_count():
            one = Cases(x, tuple(cases))
            if best is None or one.cost < best.cost:
                best = one
    return best
