"""The three questions about a position: can it be won, how fast, and how many cards can go. Chooses the search."""

from pyramide_core.position import Position
from pyramide_core.solver import compiled
from pyramide_core.solver.control import MEMORY, Cancel, Control
from pyramide_core.solver.lines import checked_win, line_of_pairs, removed_count
from pyramide_core.solver.matching import find_pairs
from pyramide_core.solver.model import Model, endless, model_of, order_is_free
from pyramide_core.solver.plain import PlainSearch
from pyramide_core.solver.results import Effort, Kind, Limit, MostRemoved, Solution, Verdict

ENDLESS_LIMIT = 1_000_000
"""Positions that the search for a bound on the most removed cards looks at."""
PLAIN_LIMIT = 2000
"""Positions that the plain search looks at before the compiled one is loaded for the rest: about a second."""


def verdict(
    position: Position,
    *,
    limit: int | None = None,
    memory: int = MEMORY,
    cancel: Cancel | None = None,
    compile_now: bool = True,
) -> Verdict:
    """Tell whether a position can still be won: a proof either way, or UNKNOWN with the limit that was reached.

    `limit` is in positions looked at, `memory` in bytes; once `cancel` is set, in any thread, the search stops. Needs
    no compiler where the order of the talon is free. Elsewhere the compiled search is used when it is loaded or can
    be; without it, or with `compile_now=False` until it is loaded, a plain one.
    """
    control = Control(limit, memory, cancel)
    if position.is_won:
        return Verdict(Kind.WINNABLE, ())
    model = model_of(position)
    if model.total and not model.has_reserve:
        possible, matching = find_pairs(position)
        control.nodes += 1 + matching.tried
        if not possible:
            return Verdict(Kind.UNWINNABLE, effort=control.effort)
        if order_is_free(position):
            line = checked_win(position, line_of_pairs(position, matching.pairs))
            return Verdict(Kind.WINNABLE, line, effort=control.effort)
    if not compiled.is_loaded():
        found = _plain(position, control, compile_now)
        if found is not None:
            return found
    return _compiled(position, control)


def _plain(position: Position, control: Control, compile_now: bool) -> Verdict | None:
    """Return the plain search's verdict, None when the compiled one has to find it."""
    follows = compile_now and compiled.is_available()
    limit = control.limit
    if follows:
        control.limit = PLAIN_LIMIT if limit is None else min(PLAIN_LIMIT, limit)
    found = PlainSearch(position, control).verdict()
    if found.line is not None:
        checked_win(position, found.line)
    if follows and found.reason is Limit.NODES and control.limit != limit:
        control.limit = limit
        return None
    return found


def _compiled(position: Position, control: Control) -> Verdict:
    from pyramide_core.solver.encoding import FIND_WIN

    compiled.load()
    search = compiled.Search(position, FIND_WIN)
    end = search.run(control)
    if end.limit is not None:
        return Verdict(Kind.UNKNOWN, reason=end.limit, effort=control.effort)
    if not end.found:
        return Verdict(Kind.UNWINNABLE, effort=control.effort)
    return Verdict(Kind.WINNABLE, checked_win(position, search.line()), effort=control.effort)


def solve(
    position: Position, *, limit: int | None = None, memory: int = MEMORY, cancel: Cancel | None = None
) -> Solution:
    """Find a win in the fewest moves (removals, draws and recycles): provably a shortest, or no win, or UNKNOWN.

    The limits are those of `verdict`. Needs the compiled search; without it the answer is UNKNOWN unless the matching
    alone proves that there is no win.
    """
    from pyramide_core.solver.encoding import FIND_SHORTEST

    control = Control(limit, memory, cancel)
    if position.is_won:
        return Solution(Kind.WINNABLE, ())
    if _matching_excludes(position):
        return Solution(Kind.UNWINNABLE, effort=control.effort)
    if compiled.load() is None:
        return Solution(Kind.UNKNOWN, reason=Limit.NO_COMPILER, effort=control.effort)
    search = compiled.Search(position, FIND_SHORTEST)
    end = search.run(control)
    if end.limit is not None:
        return Solution(Kind.UNKNOWN, None, search.lower_bound, end.limit, control.effort)
    if not end.found:
        return Solution(Kind.UNWINNABLE, effort=control.effort)
    line = checked_win(position, search.line())
    return Solution(Kind.WINNABLE, line, len(line), effort=control.effort)


def _matching_excludes(position: Position) -> bool:
    model = model_of(position)
    return bool(model.total) and not model.has_reserve and not find_pairs(position)[0]


def max_removable(
    position: Position, *, limit: int | None = None, memory: int = MEMORY, cancel: Cancel | None = None
) -> MostRemoved:
    """Find the most cards of tableau and talon that any line removes; a line ends when it wins.

    The limits are those of `verdict`; when one is reached, the answer holds the best line found and an upper bound.
    Needs the compiled search.
    """
    control = Control(limit, memory, cancel)
    if position.is_won:
        return MostRemoved(0, (), 0)
    most = removable_at_most(position)
    if compiled.load() is None:
        return MostRemoved(0, (), most, Limit.NO_COMPILER, Effort())
    from pyramide_core.solver.encoding import FIND_MOST

    most = _most_with_endless_passes(position, most, control)
    search = compiled.Search(position, FIND_MOST, stop_at=position.remaining.bit_count() - most)
    end = search.run(control)
    line = search.line()
    cards = removed_count(position, line)
    upper = most if end.limit is not None else cards
    return MostRemoved(cards, line, upper, end.limit if cards < upper else None, control.effort)


def _most_with_endless_passes(position: Position, most: int, control: Control) -> int:
    """Return how many cards could go if the passes had no limit, at most `most`: found fast, and seldom more."""
    from pyramide_core.solver.encoding import FIND_MOST

    easier = endless(position)
    if easier is None:
        return most
    limit = ENDLESS_LIMIT if control.limit is None else min(ENDLESS_LIMIT, control.limit // 2)
    part = Control(limit, control.memory, control.cancel)
    search = compiled.Search(easier, FIND_MOST, stop_at=position.remaining.bit_count() - most)
    end = search.run(part)
    control.nodes += part.nodes
    return most if end.limit is not None else position.remaining.bit_count() - search.fewest_left


def removable_at_most(position: Position) -> int:
    """Return a number of cards that no line can exceed: each pair needs two fitting cards, not both of the talon."""
    model = model_of(position)
    if not model.total:
        return position.remaining.bit_count()
    alone = (position.remaining & model.table.alone).bit_count()
    return alone + sum(2 * _most_pairs(model, position, low, high) for low, high in model.classes)


def _most_pairs(model: Model, position: Position, low: int, high: int) -> int:
    tableau, everything = position.tableau, position.remaining
    both = min((everything & model.ranks[low]).bit_count(), (everything & model.ranks[high]).bit_count())
    if model.talon_mates:
        return both
    in_tableau = (tableau & (model.ranks[low] | model.ranks[high])).bit_count()
    a, b = (tableau & model.ranks[low]).bit_count(), (tableau & model.ranks[high]).bit_count()
    ta, tb = (
        (everything & ~tableau & model.ranks[low]).bit_count(),
        (everything & ~tableau & model.ranks[high]).bit_count(),
    )
    return min(both, in_tableau - max(a - tb, b - ta, 0)) if max(a - tb, b - ta, 0) <= min(a, b) else both
