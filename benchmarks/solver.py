"""How fast the solver answers, as distributions beside what was aimed at, in one run on one machine.

Prints the median, the 95th percentile and the worst of each question, the ratio of the plain to the compiled verdict
and the peak of memory. Seconds are those of the processor, so that other programs that run meanwhile count little; a
search uses one core. Fails only on a wrong answer. How many deals can be won, beside published figures, is what
`scripts/write_results.py` finds.
"""

import argparse
import csv
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pyramide_core import VARIANTS, Deal, Position, Rules  # noqa: E402
from pyramide_core.solver import compiled, max_removable, solve, verdict, verdicts  # noqa: E402
from pyramide_core.solver.bulk import Batch  # noqa: E402

PYRAMIDE, THREE_PASSES = VARIANTS["pyramide"], VARIANTS["three_passes"]
LOAD = "from pyramide_core.solver import compiled; compiled.load(); import time; print(time.process_time())"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=300, help="deals for each question but the 300 decks")
    args = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    loading()
    compiled.load()
    questions(args.deals)
    many(1_000_000)
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB (aim: under 1 GB)")


def loading() -> None:
    """Time the first use on a machine, and the next one in another process."""
    with tempfile.TemporaryDirectory() as cache:
        for what in ("compiled for the first time", "loaded from the compiler's cache"):
            done = subprocess.run(
                [sys.executable, "-c", LOAD],
                cwd=ROOT,
                env=os.environ | {"NUMBA_CACHE_DIR": cache},
                capture_output=True,
                encoding="utf-8",
                check=True,
            )
            print(f"{what}: {float(done.stdout):.1f} s")


def row(name: str, seconds: list[float], aim: str) -> float:
    """Print a distribution in the unit that fits and return its median in seconds."""
    ordered = sorted(seconds)
    median = statistics.median(ordered)
    unit, factor = ("µs", 1e6) if median < 1e-3 else ("ms", 1e3)
    values = [median, ordered[math.ceil(0.95 * len(ordered)) - 1], ordered[-1]]
    shown = "  ".join(
        f"{word} {value * factor:9.1f} {unit}" for word, value in zip(("median", "95 %", "worst"), values, strict=True)
    )
    print(f"{name:34} {len(ordered):5} deals: {shown}   aim: {aim}")
    return median


def timed(positions: Iterable[Position], ask: Callable[[Position], object]) -> list[float]:
    """Return the seconds that each position took."""
    seconds = []
    for position in positions:
        begin = time.process_time()
        ask(position)
        seconds.append(time.process_time() - begin)
    return seconds


def starts(rules: Rules, deals: int) -> list[Position]:
    return [Position.start(Deal.from_seed(seed), rules) for seed in range(deals)]


def decks() -> Iterator[tuple[Position, int]]:
    text = (ROOT / "tests" / "data" / "three_passes_shortest.csv").read_text(encoding="utf-8")
    for line in csv.DictReader(line for line in text.splitlines() if not line.startswith("#")):
        yield Position.start(Deal.from_text(line["deck"]), THREE_PASSES), int(line["shortest"])


def questions(deals: int) -> None:
    """Print how long each question about one deal takes."""
    plain = row("verdict, pyramide, plain Python", timed(starts(PYRAMIDE, deals), verdict), "median 5 ms")
    batch = Batch(PYRAMIDE)
    batch.run([0], 1)
    seconds = []
    for seed in range(deals):
        begin = time.process_time()
        batch.run([seed], 1 << 40)
        seconds.append(time.process_time() - begin)
    fast = row("verdict, pyramide, compiled", seconds, "median 20 µs (shuffle and call included)")
    print(f"plain : compiled = {plain / fast:.0f} : 1 (plain builds and replays a winning line too)")
    known = list(decks())

    def ask(position: Position) -> None:
        lengths.append(solve(position).length or 0)

    lengths: list[int] = []
    row("shortest, three_passes, 300 decks", timed((deck for deck, _length in known), ask), "median 30 ms, worst 1 s")
    if lengths != [length for _deck, length in known]:
        raise SystemExit("A shortest win differs from the public solver's.")
    row("shortest, pyramide", timed(starts(PYRAMIDE, deals), solve), "median 50 ms")
    for name in ("pyramide", "thirteen", "giza"):
        row(f"most cards, {name}", timed(starts(VARIANTS[name], deals // 3), most), "-")
    for name in VARIANTS:
        row(f"verdict, {name}", timed(starts(VARIANTS[name], deals // 3), limited), "-")


def most(position: Position) -> None:
    max_removable(position, limit=200_000)


def limited(position: Position) -> None:
    verdict(position, limit=300_000)


def many(deals: int) -> None:
    """Print how long a million verdicts take."""
    begin = time.perf_counter()
    share = verdicts(range(deals), PYRAMIDE).mean()
    seconds = time.perf_counter() - begin
    print(f"{deals:,} verdicts, pyramide: {seconds:.1f} s on the clock, {100 * share:.2f} % winnable   aim: under 60 s")


if __name__ == "__main__":
    main()
