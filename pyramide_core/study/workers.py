"""Where the parts of a study run: in this process, in processes of this machine, or on a Dask cluster. Knows no tables.

All three take the same tasks and give `concurrent.futures` futures; a process that dies takes no deal with it.
"""

import os
import signal
import threading
import time
from collections.abc import Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pyramide_core import __version__
from pyramide_core.messages import _
from pyramide_core.study.settings import Study, StudyError

if TYPE_CHECKING:
    from numpy.typing import NDArray

CONNECT_SECONDS = 10


@dataclass(frozen=True)
class Answer:
    """What a worker sends back: the arrays, the seconds they took, and the version of the program that made them."""

    arrays: Mapping[str, "NDArray[Any]"]
    seconds: float
    version: str


def work(study: bytes, rules_index: int, first_seed: int, count: int) -> Answer:
    """Measure a part of a study: the function that a worker runs. The study comes pickled, as `pack` makes it."""
    import cloudpickle

    from pyramide_core.study.measure import measure

    what: Study = cloudpickle.loads(study)
    begin = time.perf_counter()
    arrays = measure(what, what.rules[rules_index], first_seed, count)
    return Answer(arrays, time.perf_counter() - begin, __version__)


def pack(study: Study) -> bytes:
    """Return a study as bytes for workers; players defined in a notebook travel with it."""
    import cloudpickle

    packed: bytes = cloudpickle.dumps(study)
    return packed


class Workers:
    """Workers of some kind: `slots` is how many parts they can work on at once. Closed on leaving a `with` block."""

    lost: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError)
    """What a future raises when the process that worked on it has died."""

    def __init__(self) -> None:
        self._executor = self._open()

    def _open(self) -> Executor:
        raise NotImplementedError

    @property
    def slots(self) -> int:
        """How many parts can be worked on at once."""
        return 1

    def submit(self, *task: Any) -> Future[Answer]:
        """Start a task; see `work` for its arguments."""
        return self._executor.submit(work, *task)

    def mend(self) -> None:
        """Replace what a death has broken."""

    def close(self) -> None:
        """End the workers without waiting for what they are at."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


class InThisProcess(Workers):
    """One worker that is a thread of this process."""

    def _open(self) -> Executor:
        return ThreadPoolExecutor(1, thread_name_prefix="pyramide-study")


class LocalProcesses(Workers):
    """Processes of this machine. When one dies, all are replaced."""

    def __init__(self, count: int) -> None:
        self._count = count
        super().__init__()

    def _open(self) -> Executor:
        # loky's processes do not import the program's main module again, so a script needs no guard.
        loky: Any = import_module("loky")
        executor: Executor = loky.ProcessPoolExecutor(self._count, initializer=_start_process, initargs=(os.getpid(),))
        return executor

    @property
    def slots(self) -> int:
        """How many processes there are."""
        return self._count

    def submit(self, *task: Any) -> Future[Answer]:
        """Start a task; one that cannot start because a process died is answered as lost."""
        try:
            return super().submit(*task)
        except BrokenExecutor as error:
            future: Future[Answer] = Future()
            future.set_exception(error)
            return future

    def mend(self) -> None:
        """Replace all processes."""
        self.close()
        self._executor = self._open()

    def close(self) -> None:
        """End the processes at once."""
        loky: Any = self._executor
        loky.shutdown(wait=False, kill_workers=True)


def _start_process(parent: int) -> None:
    # Ctrl+C goes to every process of a terminal; the study's own process answers it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.name == "posix":
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process when its parent has been killed (a page that is closed kills its kernel) and cannot tell it to."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


class DaskCluster(Workers):
    """The workers of a Dask cluster, by its scheduler's address such as `tcp://host:8786`."""

    def __init__(self, address: str) -> None:
        distributed: Any = import_module("distributed")
        try:
            self._client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise StudyError(
                _("No Dask scheduler answers at {address}. An address looks like {example}.").format(
                    address=address, example="tcp://192.0.2.1:8786"
                )
            ) from error
        self._address = address
        self.lost = (*Workers.lost, distributed.KilledWorker, distributed.client.FutureCancelledError)
        super().__init__()

    def _open(self) -> Executor:
        executor: Executor = self._client.get_executor(pure=False)
        return executor

    @property
    def slots(self) -> int:
        """How many threads the workers that are there now have together; at least 1, as more may come."""
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def mend(self) -> None:
        """Dask replaces workers itself; but a scheduler that is gone is gone."""
        if self._client.status != "running":
            raise StudyError(
                _("The Dask scheduler at {address} does not answer any more.").format(address=self._address)
            )

    def close(self) -> None:
        """Leave the cluster, with its tasks of this study cancelled; it goes on for others."""
        self._executor.shutdown(wait=False)
        self._client.close()


def cores() -> int:
    """Return how many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def open_workers(workers: int | None = None, scheduler: str | None = None) -> Workers:
    """Return the workers for a study: a Dask cluster by its scheduler's address, else local ones, by default one a core.

    A single worker is a thread of this process. Raises StudyError when they cannot be had.
    """
    if scheduler is not None:
        if workers is not None:
            raise StudyError(_("A cluster has its own number of workers: give a scheduler or workers, not both."))
        return DaskCluster(scheduler)
    count = cores() if workers is None else workers
    if count < 1:
        raise StudyError(_("There must be at least 1 worker, not {count}.").format(count=count))
    return InThisProcess() if count == 1 else LocalProcesses(count)
