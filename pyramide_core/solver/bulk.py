"""Verdicts for many deals at once, from the shuffle on in compiled code, on all cores. Knows no single deal's story."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pyramide_core.cards import RANKS
from pyramide_core.deals import BASE_ORDER, Deal
from pyramide_core.messages import _
from pyramide_core.position import Position
from pyramide_core.rules import Rules
from pyramide_core.solver.control import MEMORY, Cancel, Control
from pyramide_core.solver.model import before, order_is_free

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

UNWINNABLE, WINNABLE, UNKNOWN = range(3)
"""The numbers in an array of verdicts."""
PIECE = 2000
"""Deals that a thread takes at once."""
ROOM = 1 << 17
PAIR_STATES = 16
"""How many states of the search over pairs take about the time of one of the other search."""


class Batch:
    """What the compiled code needs to judge deals of one rule set one after the other: for one thread."""

    def __init__(self, rules: Rules, *, room: int = ROOM) -> None:
        import numpy as np

        from pyramide_core.solver import compiled, decided, encoding

        position = Position.start(Deal.from_seed(0), rules)
        tableau = rules.tableau
        self.base = np.array([card.rank for card in BASE_ORDER], np.int64)
        self.fits = np.zeros(14, np.int64)
        for rank in RANKS:
            self.fits[rank] = sum(1 << other for other in rules.pair_rule.partners[rank])
        self.layout = np.full(len(BASE_ORDER), tableau.full, np.int64)
        self.layout[: len(tableau)] = [_may_meet(rules, place) for place in range(len(tableau))]
        self.by_matching = order_is_free(position)
        self.start = encoding.state_of(position)
        self.table = encoding.table_of(position)
        self.options = encoding.options_of(position, encoding.FIND_WIN)
        words = int(self.options[encoding.WORDS])
        by_pairs = decided.fits(rules) and not self.by_matching
        room = compiled.FIRST_ROOM if self.by_matching or by_pairs else room
        self.store = compiled.new_store(room, words)
        self.queue = compiled.new_queue(2 * room)
        self.counters = np.zeros(encoding.COUNTERS, np.int64)
        self.judge = decided.Judge(rules, self.base, before(tableau)) if by_pairs else None
        # Who cannot clear the pyramid with passes without limit cannot do more with fewer; that is found much faster.
        endless = Batch(replace(rules, passes=None, goal="pyramid")) if by_pairs else None
        self.endless = endless if endless is not None and endless.by_matching else None

    def run(self, seeds: "ArrayLike", limit: int) -> "NDArray[np.int8]":
        """Return the verdicts of the deals of these seeds, each after at most so many states."""
        import numpy as np

        from pyramide_core.solver import kernel

        numbers = np.ascontiguousarray(seeds, np.int64)
        answers = np.zeros(len(numbers), np.int8)
        if self.judge is not None:
            hopeful = (
                np.ones(len(numbers), bool) if self.endless is None else self.endless.run(numbers, limit) == WINNABLE
            )
            judged = np.zeros(np.count_nonzero(hopeful), np.int8)
            # Its states take a fraction of the time, and no room that lasts.
            self.judge.run(numbers[hopeful], limit if limit < ROOM else PAIR_STATES * ROOM, judged)
            answers[hopeful] = judged
            return answers
        kernel.many(
            numbers,
            self.base,
            self.fits,
            self.layout,
            self.by_matching,
            self.start,
            self.table,
            self.options,
            self.store,
            self.queue,
            self.counters,
            limit,
            answers,
        )
        return answers


def _may_meet(rules: Rules, place: int) -> int:
    """Return the mask of the tableau places whose cards can go together with that of a place."""
    tableau = rules.tableau
    earlier = before(tableau)
    after = sum(1 << other for other, mask in enumerate(earlier) if mask >> place & 1)
    mask = tableau.full & ~(earlier[place] | after)
    if rules.cover_pairs:
        mask |= tableau.covered_by[place] | tableau.covers[place]
    return mask


def verdicts(
    seeds: "Sequence[int] | NDArray[np.int64]",
    rules: Rules,
    *,
    limit: int | None = None,
    memory: int = MEMORY,
    cancel: Cancel | None = None,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> "NDArray[np.int8]":
    """Return the verdict of the deal of each seed under a rule set: 0 unwinnable, 1 winnable, 2 unknown.

    A verdict is unknown where `limit` states or `memory` bytes did not suffice, and for all deals not reached when
    `cancel` was set. `workers` threads share the work, by default one for each core; `progress` is told how many
    deals are done. Raises RuntimeError where there is no compiler.
    """
    import numpy as np

    from pyramide_core.solver import compiled

    if compiled.load() is None:
        raise RuntimeError(_("Verdicts on many deals need the compiled solver, and numba is not installed."))
    numbers = np.ascontiguousarray(seeds, np.int64)
    answers = np.full(len(numbers), UNKNOWN, np.int8)
    threads = workers or os.cpu_count() or 1
    batches = [Batch(rules) for _thread in range(threads)]
    pieces = iter([slice(at, at + PIECE) for at in range(0, len(numbers), PIECE)])
    first_limit = ROOM if limit is None else min(limit, ROOM)

    def work(batch: Batch) -> None:
        for piece in pieces:
            if cancel is not None and cancel.is_set():
                return
            found = batch.run(numbers[piece], first_limit)
            for number in np.flatnonzero(found == UNKNOWN):
                found[number] = _one(int(numbers[piece][number]), rules, limit, memory, cancel)
            answers[piece] = found
            if progress is not None:
                progress(len(found))

    if threads == 1:
        work(batches[0])
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, batches))
    return answers


def _one(seed: int, rules: Rules, limit: int | None, memory: int, cancel: Cancel | None) -> int:
    """Return the verdict of a deal that needs more room."""
    from pyramide_core.solver.compiled import Search
    from pyramide_core.solver.encoding import FIND_WIN

    end: Any = Search(Position.start(Deal.from_seed(seed), rules), FIND_WIN).run(Control(limit, memory, cancel))
    if end.limit is not None:
        return UNKNOWN
    return WINNABLE if end.found else UNWINNABLE
