"""The verdict without a compiler for rules under which the talon's order binds: a depth-first search on positions.

Slower than the compiled search by a factor of some hundred and written apart from it, on the same two ideas: a card
that goes alone goes at once where that loses nothing, and a state that the matching proves lost is dropped.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from pyramide_core.moves import DRAW, RECYCLE, Move
from pyramide_core.position import Position
from pyramide_core.solver.control import Control
from pyramide_core.solver.lines import line_of_removals, removal
from pyramide_core.solver.matching import find_pairs
from pyramide_core.solver.model import every_card_comes, model_of, recycles_left
from pyramide_core.solver.results import Kind, Verdict
from pyramide_core.tableau import bits

Key = tuple[int, int, tuple[int, ...], int]


@dataclass
class _Step:
    """A position on the way, what is left to try from it, and what was removed to come here (0: the stock turned)."""

    position: Position
    moves: Iterator[int]
    removed: int


class PlainSearch:
    """A depth-first search for a win; `pyramid_pairs_only` where pairs within the talon cannot help."""

    def __init__(self, start: Position, control: Control) -> None:
        self.start = start
        self.control = control
        self.model = model_of(start)
        self.order_free = every_card_comes(start) and (
            start.rules.goal == "pyramid" or start.rules.waste_piles == 1 or not self.model.talon_mates
        )
        self.by_matching = bool(self.model.total) and not self.model.has_reserve
        self.known: set[Key] = set()

    def verdict(self) -> Verdict:
        """Search until a win is found, all is seen, or a limit is reached."""
        steps = [self._step(self.start, 0)]
        while steps:
            limit = self.control.exceeded()
            if limit:
                return Verdict(Kind.UNKNOWN, reason=limit, effort=self.control.effort)
            step = steps[-1]
            if step.position.is_won:
                return Verdict(Kind.WINNABLE, self._line(steps), effort=self.control.effort)
            mask = next(step.moves, None)
            if mask is None:
                steps.pop()
                continue
            following = self._turned(step.position) if mask == 0 else step.position.removed(mask)
            if self._is_new(following):
                self.control.nodes += 1
                if mask == 0 or not self._is_lost(following):
                    steps.append(self._step(following, mask))
        return Verdict(Kind.UNWINNABLE, effort=self.control.effort)

    def _step(self, position: Position, removed: int) -> _Step:
        return _Step(position, self._moves(position), removed)

    def _is_new(self, position: Position) -> bool:
        if self.order_free:
            key: Key = (position.remaining, 0, (), 0)
        else:
            key = (position.tableau, position.stock, position.waste, recycles_left(position) or 0)
        if key in self.known:
            return False
        self.known.add(key)
        return True

    def _is_lost(self, position: Position) -> bool:
        return self.by_matching and not find_pairs(position)[0]

    @staticmethod
    def _turned(position: Position) -> Position:
        return position.apply(DRAW if position.can_draw else RECYCLE)

    def _moves(self, position: Position) -> Iterator[int]:
        """Yield the removals to try, then 0 for the stock where it is part of the state."""
        if self.order_free:
            yield from self._free_removals(position)
            return
        removals = tuple(position.removals())
        alone = [mask for mask in removals if mask & self.model.table.alone]
        if position.rules.draw_count > 1:
            alone = [mask for mask in alone if mask & position.tableau]
        if alone:
            yield alone[0]
            return
        yield from sorted(removals, key=lambda mask: -(mask & position.tableau).bit_count())
        if position.can_draw or position.can_recycle:
            yield 0

    def _free_removals(self, position: Position) -> Iterator[int]:
        """Yield the removals where every talon card can be made available: of equal ranks the first one only."""
        table, model = self.model.table, self.model
        talon = position.stock | position.wasted
        exposed = position.exposed
        follow = position.rules.goal == "all" and model.neighbours_meet and model.talon_mates
        at_hand = talon if follow else sum((talon & cards) & -(talon & cards) for cards in model.ranks)
        alone = (exposed | at_hand) & table.alone
        if alone:
            yield alone & -alone
            return
        for p in bits(exposed):
            for q in bits(table.partners[p] & (exposed & -(2 << p) | at_hand)):
                yield 1 << p | 1 << q
        if position.rules.cover_pairs:
            yield from (mask for mask in position.removals() if not mask & ~position.tableau)
        if follow:
            places = tuple(bits(talon))
            for p, q in pairwise(places):
                if table.partners[p] >> q & 1:
                    yield 1 << p | 1 << q

    def _line(self, steps: list[_Step]) -> tuple[Move, ...]:
        if self.order_free:
            return line_of_removals(self.start, (step.removed for step in steps[1:]))
        line: list[Move] = []
        for before, after in pairwise(steps):
            turn = DRAW if before.position.can_draw else RECYCLE
            line.append(removal(before.position, after.removed) if after.removed else turn)
        return tuple(line)
