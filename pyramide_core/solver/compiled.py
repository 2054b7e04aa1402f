"""Drives the compiled search: loads it when it is first needed, gives it room, stops it, and reads lines out of it."""

import importlib
import importlib.util
import os
import subprocess
import sys
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pyramide_core.moves import DRAW, RECYCLE, Move
from pyramide_core.position import Position
from pyramide_core.solver.control import Control
from pyramide_core.solver.lines import line_of_removals, removal
from pyramide_core.solver.results import Limit

if TYPE_CHECKING:
    from numpy.typing import NDArray

KERNEL = "pyramide_core.solver.kernel"
CHUNK = 4000
"""States between two looks at the limits: about a hundredth of a second."""
FIRST_ROOM = 1 << 13
"""States that a search has room for at first."""
STATE_BYTES = 2 + 2 + 2 + 1 + 4 + 2 * 4 + 2 * 8
"""Memory for each state besides its words: moves, bound, priority, closed, parent, two slots, two list entries."""

_loading = threading.Lock()
_ready = threading.Event()


@cache
def is_available() -> bool:
    """Tell whether the compiled search can be loaded: numba is installed. Looked up once."""
    return all(importlib.util.find_spec(name) is not None for name in ("numba", "numpy"))


def is_loaded() -> bool:
    """Tell whether the compiled search is at hand without any wait."""
    return _ready.is_set()


def load() -> ModuleType | None:
    """Return the compiled search, compiled in this process if need be; None where there is no compiler.

    The first time on a machine this takes some ten seconds; later the code is read from the compiler's cache.
    """
    if not is_available():
        return None
    with _loading:
        kernel = importlib.import_module(KERNEL)
        if not _ready.is_set():
            _call_once()
            _ready.set()
    return kernel


def _call_once() -> None:
    """Run each entry point, so that all is compiled."""
    from pyramide_core.deals import Deal
    from pyramide_core.rules import VARIANTS
    from pyramide_core.solver.bulk import Batch

    rules = VARIANTS["thirteen"]
    search = Search(Position.start(Deal.from_seed(0), rules), 0)
    search.run(Control(limit=1))
    search.grow()
    Batch(rules, room=FIRST_ROOM).run([0], 1)


def warm_up(*, wait: bool = False) -> threading.Thread:
    """Make the compiled search ready in the background, and return the thread that does it.

    Compiling happens in a process of its own, which leaves its result in the compiler's cache, so that this one stays
    quick to answer meanwhile.
    """

    def work() -> None:
        if is_available() and not is_loaded():
            subprocess.run(
                [sys.executable, "-c", f"from {__name__} import load; load()"],  # not a text
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )
            load()

    thread = threading.Thread(target=work, name="pyramide-warm-up", daemon=True)
    thread.start()
    if wait:
        thread.join()
    return thread


def new_store(room: int, words: int) -> tuple[Any, ...]:
    """Return an empty store with room for so many states."""
    import numpy as np

    return (
        np.zeros(room * words, np.int64),
        np.zeros(room, np.int16),
        np.zeros(room, np.int16),
        np.zeros(room, np.int16),
        np.zeros(room, np.int8),
        np.zeros(room, np.int32),
        np.full(2 * room, -1, np.int32),
    )


def new_queue(room: int) -> tuple[Any, ...]:
    """Return empty lists of open states with so many entries."""
    import numpy as np

    from pyramide_core.solver.encoding import BUCKETS

    return np.full(BUCKETS, -1, np.int32), np.zeros(room, np.int32), np.zeros(room, np.int32)


@dataclass(frozen=True)
class End:
    """How a search ended: found, exhausted (neither found nor limited), or at a limit."""

    found: bool
    limit: Limit | None = None


class Search:
    """One search from a position; `run` it, then ask for what it found."""

    def __init__(self, position: Position, purpose: int, *, stop_at: int = 0) -> None:
        import numpy as np

        from pyramide_core.solver import encoding

        self.position = position
        self.table = encoding.table_of(position)
        self.options = encoding.options_of(position, purpose)
        self.start = encoding.state_of(position)
        self.words = int(self.options[encoding.WORDS])
        self.room = FIRST_ROOM
        self.store = new_store(self.room, self.words)
        self.queue = new_queue(2 * self.room)
        self.counters = np.zeros(encoding.COUNTERS, np.int64)
        self.counters[encoding.SPARE_ENTRY] = self.counters[encoding.FOUND] = -1
        self.counters[encoding.FEWEST_LEFT] = 64
        self.counters[encoding.STOP_AT] = stop_at

    def run(self, control: Control) -> End:
        """Search until the answer is there or a limit is reached."""
        from pyramide_core.solver import encoding

        kernel: Any = importlib.import_module(KERNEL)
        while True:
            limit = control.exceeded()
            if limit:
                return End(False, limit)
            chunk = CHUNK if control.limit is None else min(CHUNK, control.limit - control.nodes)
            before = int(self.counters[encoding.EXPANDED])
            state = kernel.search(self.start, self.table, self.options, self.store, self.queue, self.counters, chunk)
            control.nodes += int(self.counters[encoding.EXPANDED]) - before
            if state == encoding.FULL:
                # While it is copied, the store is there twice, the new one twice as large.
                if 3 * self.room * (STATE_BYTES + 8 * self.words) > control.memory:
                    return End(False, Limit.MEMORY)
                self.grow()
            elif state != encoding.RUNNING:
                return End(state == encoding.SUCCESS)

    def grow(self) -> None:
        """Double the room."""
        from pyramide_core.solver import encoding

        kernel: Any = importlib.import_module(KERNEL)
        number = int(self.counters[encoding.STATES])
        self.room *= 2
        store = new_store(self.room, self.words)
        for new, old in zip(store[:-1], self.store[:-1], strict=True):
            new[: len(old)] = old
        kernel.enter(store[0], self.words, number, store[-1])
        heads, *entries = self.queue
        queue = new_queue(2 * self.room)
        for new, old in zip(queue[1:], entries, strict=True):
            new[: len(old)] = old
        self.store, self.queue = store, (heads, *queue[1:])

    @property
    def lower_bound(self) -> int:
        """The fewest moves that a win can take, as far as a search for the shortest has come."""
        from pyramide_core.solver import encoding

        bucket = int(self.counters[encoding.BUCKET])
        return bucket if bucket < encoding.BUCKETS else 0

    @property
    def fewest_left(self) -> int:
        """The fewest cards left in any state that was met."""
        from pyramide_core.solver import encoding

        return int(self.counters[encoding.FEWEST_LEFT])

    def line(self) -> tuple[Move, ...]:
        """Return the line to the state that was found."""
        from pyramide_core.solver import encoding

        keys, parents = self.store[0], self.store[5]
        words = self._first_words(keys, parents, int(self.counters[encoding.FOUND]))
        cards = (1 << encoding.CARD_BITS) - 1
        gone = [before & cards & ~after for before, after in pairwise(words)]
        if self.options[encoding.ORDER_FREE]:
            return line_of_removals(self.position, gone)
        return tuple(self._moves(gone))

    def _first_words(self, keys: "NDArray[Any]", parents: "NDArray[Any]", state: int) -> list[int]:
        words = []
        while state >= 0:
            words.append(int(keys[state * self.words]))
            state = int(parents[state])
        return words[::-1]

    def _moves(self, gone: Iterable[int]) -> Iterable[Move]:
        position = self.position
        for mask in gone:
            move = removal(position, mask) if mask else DRAW if position.can_draw else RECYCLE
            yield move
            position = position.apply(move)
