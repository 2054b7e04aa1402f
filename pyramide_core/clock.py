"""A game's clock: starts at the first action, stands still while anything holds it, stops at the end.

Knows nothing of games or pages; the source of time is given, so that tests need not wait.
"""

import time
from collections.abc import Callable


class Clock:
    """Seconds of play. Several reasons can hold it at once (`"paused"`, `"hidden"`); it runs when none does.

    A clock made with seconds on it belongs to a game that is taken up again: it stands there until the next action.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic, elapsed: float = 0.0) -> None:
        self._now = now
        self._before = elapsed
        self._since: float | None = None
        self._started = self._stopped = elapsed > 0
        self._holds: set[str] = set()

    @property
    def elapsed(self) -> float:
        """Seconds of play so far."""
        return self._before + (self._now() - self._since if self._since is not None else 0.0)

    @property
    def is_running(self) -> bool:
        """Whether the clock moves now."""
        return self._since is not None

    @property
    def is_started(self) -> bool:
        """Whether the first action has been made."""
        return self._started

    def start(self) -> None:
        """Let the clock run from now on; a clock that was stopped runs again."""
        self._started, self._stopped = True, False
        self._update()

    def stop(self) -> None:
        """Stop the clock at the end of the game."""
        self._stopped = True
        self._update()

    def hold(self, reason: str) -> None:
        """Let the clock stand still until this reason is released."""
        self._holds.add(reason)
        self._update()

    def release(self, reason: str) -> None:
        """End a reason to stand still; a reason that does not hold is ignored."""
        self._holds.discard(reason)
        self._update()

    @property
    def holds(self) -> frozenset[str]:
        """The reasons for which the clock stands still."""
        return frozenset(self._holds)

    def _update(self) -> None:
        runs = self._started and not self._stopped and not self._holds
        if runs and self._since is None:
            self._since = self._now()
        elif not runs and self._since is not None:
            self._before, self._since = self.elapsed, None
