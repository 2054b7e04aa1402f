"""Searches in the background: the table never waits for the solver, and an outdated question is called off.

Knows no widget: who asks gives a function to run and a function that takes its answer.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from typing import TypeVar

LOG = logging.getLogger(__name__)
T = TypeVar("T")
LATE_SECONDS = 0.25


class Searches:
    """The searches of one table, at most one of a kind: asking again calls the one before off.

    An answer is given in the kernel's own loop where there is one, so that it never meets a move half made; without
    a loop, as in a script, it comes in the thread of the search.
    """

    def __init__(self) -> None:
        self._running: dict[str, tuple[threading.Event, threading.Thread]] = {}

    def start(
        self,
        kind: str,
        work: Callable[[threading.Event], T],
        done: Callable[[T], None],
        late: Callable[[], None] | None = None,
    ) -> None:
        """Run `work` with an event that is set when it is called off, and give its answer to `done`.

        `late` is called when there is no answer after a moment: what is quick needs no word that it is under way.
        """
        self.cancel(kind)
        off = threading.Event()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            loop = None

        if loop is not None and late is not None:
            waiting = late

            def still() -> None:
                if thread.is_alive() and not off.is_set():
                    waiting()

            loop.call_later(LATE_SECONDS, still)

        def deliver(answer: T) -> None:
            if not off.is_set():
                done(answer)

        def run() -> None:
            try:
                answer = work(off)
            except Exception:
                if not off.is_set():
                    LOG.exception("a search in the background failed")
                return
            if loop is None:
                deliver(answer)
            elif not loop.is_closed():
                loop.call_soon_threadsafe(deliver, answer)

        thread = threading.Thread(target=run, name=f"pyramide-{kind}", daemon=True)
        self._running[kind] = off, thread
        thread.start()

    def cancel(self, *kinds: str) -> None:
        """Call off the searches of these kinds, or all of them."""
        for kind in kinds or tuple(self._running):
            if kind in self._running:
                self._running.pop(kind)[0].set()

    def wait(self, seconds: float = 60) -> None:
        """Wait until every search has ended: for scripts and tests."""
        for _off, thread in tuple(self._running.values()):
            thread.join(seconds)
