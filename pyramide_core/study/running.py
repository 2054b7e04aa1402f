"""Running a study: parts go out to workers and come back as one table, whatever the workers and in whatever order.

Knows no measure and no kind of worker. The table depends on the study alone, so a study that was interrupted, or ran
on other machines, ends in the same table.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from pyramide_core import __version__
from pyramide_core.messages import _
from pyramide_core.study.parts import Folder, Part, Parts, check_same
from pyramide_core.study.settings import Settings, Study, StudyError
from pyramide_core.study.table import Results
from pyramide_core.study.workers import Answer, Workers, open_workers, pack

PART_SECONDS = 1.0
FIRST_PART = 16
GROWTH = 8
TRIES = 5
_POLL_SECONDS = 0.2

Task = tuple[int, int, int]
"""The index of a rule set, the first seed, the number of deals."""
PartCallback = Callable[[Part], None]


class Planner:
    """Cuts what is missing into tasks that take a worker about `seconds` each, taking the rule sets in turn."""

    def __init__(self, parts: Sequence[Parts], seconds: float) -> None:
        self._ranges = [list(each.missing()) for each in parts]
        self._left = [sum(end - first for first, end in ranges) for ranges in self._ranges]
        self._size = [FIRST_PART] * len(parts)
        self._seconds = seconds
        self._turn = 0
        self._again: list[Task] = []

    def next(self, slots: int) -> Task | None:
        """Return the next task, None when all are given out. Towards the end tasks get smaller, so that all end together."""
        if self._again:
            return self._again.pop()
        for _rule_set in self._ranges:
            index = self._turn
            self._turn = (index + 1) % len(self._ranges)
            if self._left[index]:
                size, share = self._size[index], -(-self._left[index] // (2 * slots))
                return self._cut(index, max(1, size // 8, min(size, share)))
        return None

    def _cut(self, index: int, size: int) -> Task:
        first, end = self._ranges[index][0]
        count = min(size, end - first)
        self._left[index] -= count
        if first + count == end:
            del self._ranges[index][0]
        else:
            self._ranges[index][0] = (first + count, end)
        return index, first, count

    def learn(self, task: Task, seconds: float) -> None:
        """Take in how long a task took: the next ones under its rule set follow it."""
        index, _first, count = task
        wanted = int(count * self._seconds / max(seconds, 1e-6))
        self._size[index] = max(1, min(wanted, self._size[index] * GROWTH))

    def put_back(self, task: Task) -> None:
        """Take back a task whose worker has died."""
        self._again.append(task)


class Run:
    """One run of a study: what is done, what is out, and what waits for its turn to be told."""

    def __init__(self, study: Study, out: Path | None, on_part: PartCallback | None) -> None:
        self.study, self.settings = study, study.settings
        self.parts = [Parts(study.first_seed, study.deals) for _rules in study.rules]
        self.folder = Folder(out, self.settings) if out else None
        self._told = [study.first_seed] * len(study.rules)
        self._on_part = on_part
        for part in self._kept(out):
            if part.rules_index < len(self.parts):
                self.parts[part.rules_index].add(part)
        self.tell()

    def _kept(self, out: Path | None) -> Iterator[Part]:
        if out is None or self.folder is None:
            return
        if not out.parent.is_dir():
            raise StudyError(_("There is no folder {folder}.").format(folder=out.parent))
        if out.exists():
            found = Results.load(out)
            check_same(found.settings, self.settings, out)
            yield from found.parts()
        if self.missing:
            yield from self.folder.open()

    @property
    def missing(self) -> int:
        """How many deals are to be measured, all rule sets together."""
        return sum(end - first for each in self.parts for first, end in each.missing())

    def add(self, part: Part) -> None:
        """Take in a part that a worker has measured."""
        self.parts[part.rules_index].add(part)
        if self.folder:
            self.folder.add(part)
        self.tell()

    def tell(self) -> None:
        """Hand each part on, those of a rule set in the order of their seeds, as `Parts.unbroken` says why."""
        if self._on_part is None:
            return
        for index, each in enumerate(self.parts):
            for part in each.unbroken():
                if part.first_seed >= self._told[index]:
                    self._told[index] = part.end
                    self._on_part(part)

    def work(self, workers: Workers, planner: Planner, bar: Any, cancel: threading.Event | None) -> None:
        """Keep the workers busy until nothing is missing or `cancel` is set."""
        packed = pack(self.study)
        out: dict[Future[Answer], Task] = {}
        tries: dict[Task, int] = {}
        while not (cancel and cancel.is_set()):
            slots = workers.slots
            while len(out) < 2 * slots and (task := planner.next(slots)):
                out[workers.submit(packed, *task)] = task
            if not out:
                return
            done, _waiting = wait(out, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
            lost = False
            for future in done:
                task = out.pop(future)
                try:
                    answer = future.result()
                except workers.lost as error:
                    lost = True
                    tries[task] = tries.get(task, 0) + 1
                    _check_tries(tries[task], task, error)
                    planner.put_back(task)
                else:
                    _check_version(answer)
                    planner.learn(task, answer.seconds)
                    self.add(Part(*task, answer.arrays))
                    bar.update(task[2])
            if lost:
                workers.mend()


def _check_tries(tries: int, task: Task, error: BaseException) -> None:
    if tries >= TRIES:
        raise StudyError(
            _("Workers died {n} times on the deals from seed {first} to {last}; perhaps they lack memory.").format(
                n=tries, first=task[1], last=task[1] + task[2] - 1
            )
        ) from error


def _check_version(answer: Answer) -> None:
    if answer.version != __version__:
        raise StudyError(
            _("A worker runs version {theirs} of Pyramide, this program {ours}; a study needs the same one.").format(
                theirs=answer.version, ours=__version__
            )
        )


def _bar(show: bool, settings: Settings, missing: int) -> AbstractContextManager[Any]:
    total = settings.deals * len(settings.rules)
    if not show:
        return nullcontext(_NoBar())
    from tqdm.auto import tqdm

    bar: AbstractContextManager[Any] = tqdm(
        total=total, initial=total - missing, unit=_("deals"), smoothing=0.05, dynamic_ncols=True
    )
    return bar


class _NoBar:
    def update(self, count: int) -> None:
        """Show nothing."""


def run(
    study: Study,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: bool = False,
    cancel: threading.Event | None = None,
    on_part: PartCallback | None = None,
    part_seconds: float = PART_SECONDS,
) -> Results:
    """Run a study and return its results; the same study gives the same table wherever and however it runs.

    `workers` are processes of this machine (by default one a core; 1 works in this process); `scheduler` is the address
    of a Dask scheduler, whose workers are used instead. With `out` the results are saved there as Parquet, and what is
    measured is kept beside it at once: after an interruption the same call goes on where it stopped, and with more
    deals it goes on from the finished file. `progress` shows a bar with rate and time left, in a terminal or a
    notebook. When `cancel` is set the run stops and returns what it has. `on_part` is called in this thread with each
    finished part, those of a rule set in the order of their seeds; `part_seconds` is about how long a part takes.

    A script that starts processes calls this under `if __name__ == "__main__":`. Raises StudyError when the study
    cannot be run.
    """
    path = Path(out) if out is not None else None
    this = Run(study, path, on_part)
    if this.missing:
        with _bar(progress, this.settings, this.missing) as bar, open_workers(workers, scheduler) as pool:
            this.work(pool, Planner(this.parts, part_seconds), bar, cancel)
    results = Results.of_parts(this.settings, this.parts)
    if path is not None and this.folder is not None and not this.missing:
        results.save(path)
        this.folder.remove()
    return results
