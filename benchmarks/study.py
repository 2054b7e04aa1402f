"""How fast studies run: verdicts a second, and what a second worker process brings, in one run on one machine.

Aimed at: 1,000,000 verdicts under `pyramide` in less than a minute on 2 cores, and a speed-up from 1 to 2 workers of at
least 1.8. Start-up of the processes is in the first figure and not in the speed-up. Prints figures, never fails on time.
A machine that is busy with other things shows less; the load beside each figure tells.
"""

import argparse
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pyramide_core.study import Study, run  # noqa: E402
from pyramide_core.study.parts import Part  # noqa: E402
from pyramide_core.study.workers import cores  # noqa: E402


def timed(study: Study, workers: int) -> tuple[float, float]:
    """Return the seconds that a study takes in all, and its deals a second once every worker has given a part."""
    begin = time.perf_counter()
    arrived: list[tuple[float, int]] = []

    def note(part: Part) -> None:
        arrived.append((time.perf_counter(), part.count))

    run(study, workers=workers, on_part=note, part_seconds=0.25)
    whole = time.perf_counter() - begin
    # The first parts are small and wait for the processes to start.
    first = min(4 * workers, len(arrived) // 2)
    span = arrived[-1][0] - arrived[first][0]
    return whole, sum(count for _at, count in arrived[first + 1 :]) / span if span else float("nan")


def load() -> str:
    return f"load {os.getloadavg()[0]:.1f} on {cores()} cores" if hasattr(os, "getloadavg") else f"{cores()} cores"


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast studies run.")
    parser.add_argument("--deals", type=int, default=1_000_000, help="deals of the study of verdicts")
    parser.add_argument("--games", type=int, default=4_000, help="deals of the study of players")
    args = parser.parse_args()
    # Not measured: the compiler's work on a machine where it has not been done yet.
    run(Study.of("pyramide,three_passes", 10), workers=1)
    seconds, _rate = timed(Study.of("pyramide", args.deals), cores())
    million = seconds * 1_000_000 / args.deals
    print(f"verdicts, pyramide: {args.deals:,} in {seconds:.1f} s, a million in {million:.0f} s (aim: 60 s); {load()}")
    for name, study in (
        # Long enough that the start and the end of a study, where a worker waits, do not count.
        ("verdicts, pyramide", Study.of("pyramide", 8 * args.deals)),
        ("players, pyramide", Study.of("pyramide", args.games, verdict=False, players=["greedy", "uncover_most"])),
    ):
        rates = [max(timed(study, workers)[1] for _again in range(2)) for workers in (1, 2)]
        print(
            f"{name}: {rates[0]:,.0f} deals a second with 1 worker, {rates[1]:,.0f} with 2:"
            f" {rates[1] / rates[0]:.2f} times as fast (aim: 1.8); {load()}"
        )


if __name__ == "__main__":
    main()
