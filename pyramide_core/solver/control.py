"""What bounds a search: how many positions, how much memory, and whether it is called off."""

import time
from dataclasses import dataclass, field
from typing import Protocol

from pyramide_core.solver.results import Effort, Limit

MEMORY = 512 * 1024 * 1024
"""Bytes that a search may take when nothing else is said."""


class Cancel(Protocol):
    """What calls a search off once it is set, such as a threading.Event; it can be set in another thread."""

    def is_set(self) -> bool:
        """Tell whether the search is called off."""


@dataclass
class Control:
    """The bounds of one search, and what it has cost so far."""

    limit: int | None = None
    """The most positions that it may look at, None without limit."""
    memory: int = MEMORY
    cancel: Cancel | None = None
    nodes: int = 0
    started: float = field(default_factory=time.perf_counter)

    @property
    def effort(self) -> Effort:
        """The cost so far."""
        return Effort(self.nodes, time.perf_counter() - self.started)

    def exceeded(self) -> Limit | None:
        """Return the bound that is reached, None when the search may go on."""
        if self.cancel is not None and self.cancel.is_set():
            return Limit.CANCELLED
        return Limit.NODES if self.limit is not None and self.nodes >= self.limit else None
