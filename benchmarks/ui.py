"""How fast the game opens and answers, beside a bare Voila page with 28 plain buttons, in one run on one machine.

The bare page is Voila as it comes, with its kernel started in advance as ours is. Both are opened in turns, each with an
empty and with a filled browser cache. Prints medians and what was aimed at; fails only when something does not work.
"""

import argparse
import contextlib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
from playwright.sync_api import BrowserContext, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from setup_browser import find_browser  # noqa: E402

from pyramide_core.serve import LOOPBACK, answers, listen  # noqa: E402
from tests.browser.driving import DESKTOP, launch, serving  # noqa: E402

BARE = ROOT / "benchmarks" / "bare"
DEAL = "?code=PY1-N-AAAAAAS&rules=pyramide"
KERNEL_ID = "JSON.parse(document.getElementById('jupyter-config-data').textContent).kernelId"
# Longer than a kernel needs to take the place of one just used, so that every page finds one ready.
REFILL_SECONDS = 8
DRAWS = 20

PLAYABLE = "document.querySelectorAll('.pyramide-table.py-ready [data-card][data-pile=pyramid]').length >= 28"
BARE_READY = "document.querySelectorAll('button.jupyter-button').length >= 28"
# Looks after every change of the page, and remembers when the condition was true first and the picture was painted.
WATCH_OPENING = """
  window.bench = {};
  new MutationObserver((changes, observer) => {
    if (!(%s)) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (window.bench.ready = performance.now())));
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
"""
# From the click (the browser's own time of it) to the frame after the one in which the text changed.
WATCH_CLICK = """selector => {
  const target = document.querySelector(selector);
  window.bench.click = null;
  let start;
  addEventListener("click", event => (start = event.timeStamp), { capture: true, once: true });
  new MutationObserver((changes, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (window.bench.click = performance.now() - start)));
  }).observe(target, { subtree: true, childList: true, attributes: true, characterData: true });
}"""


@contextlib.contextmanager
def bare_voila() -> Iterator[str]:
    """Serve the bare page with Voila as it comes and yield its address."""
    with listen(0, 0) as listener:
        port = listener.getsockname()[1]
    command = [sys.executable, "-m", "voila", "buttons.ipynb", "--no-browser", f"--Voila.ip={LOOPBACK}"]
    process = subprocess.Popen(
        [*command, f"--port={port}", "--preheat_kernel=True"],
        cwd=BARE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        address = f"http://{LOOPBACK}:{port}/"
        if not answers(f"{address}voila/static/voila.js"):
            raise RuntimeError("the bare Voila did not start")
        yield address
    finally:
        process.terminate()
        process.wait()


def open_page(context: BrowserContext, address: str, condition: str) -> tuple[Page, dict[str, float]]:
    """Open a page and return it with its times in seconds: first paint, ready, and the bytes it took."""
    page = context.new_page()
    page.add_init_script(WATCH_OPENING % condition)
    page.goto(address, wait_until="commit")
    page.wait_for_function("window.bench.ready", timeout=120_000)
    times = page.evaluate(
        """() => ({
          paint: performance.getEntriesByName("first-contentful-paint")[0].startTime / 1000,
          ready: window.bench.ready / 1000,
          kilobytes: performance.getEntriesByType("resource").reduce((sum, one) => sum + one.transferSize, 0) / 1000,
          requests: performance.getEntriesByType("resource").filter(one => one.transferSize).length,
        })"""
    )
    return page, times


def clicks(page: Page, target: Callable[[int], str], watched: str, count: int) -> list[float]:
    """Click and return for each click the milliseconds until the new picture was painted."""
    times = []
    for number in range(count):
        page.evaluate(WATCH_CLICK, watched)
        page.click(target(number))
        page.wait_for_function("window.bench.click !== null")
        times.append(page.evaluate("window.bench.click"))
    return times


class Wire:
    """Counts what goes over a page's websockets."""

    def __init__(self, page: Page) -> None:
        self.sent = self.received = 0
        page.on("websocket", self._follow)

    def _follow(self, socket: object) -> None:
        socket.on("framesent", lambda frame: self._count("sent", frame))
        socket.on("framereceived", lambda frame: self._count("received", frame))

    def _count(self, way: str, frame: str | bytes) -> None:
        size = len(frame.encode() if isinstance(frame, str) else frame)
        setattr(self, way, getattr(self, way) + size)

    def during(self, page: Page, card: str) -> tuple[int, int]:
        """Touch a card and return the bytes sent and received until all is quiet again."""
        self.sent = self.received = 0
        page.click(f"[data-card='{card}']")
        page.wait_for_timeout(1000)
        return self.sent, self.received


def play(page: Page) -> int:
    """Play until nothing goes any more, as the cards allow, and return the number of clicks."""
    ranks = {"A": 1, "J": 11, "Q": 12, "K": 13}
    clicked = 0
    for _turn in range(200):
        if page.query_selector("dialog[open]"):
            break
        cards = page.evaluate(
            "[...document.querySelectorAll('[data-card][data-state=a]')].map(card => card.dataset.card)"
        )
        values = {card: ranks.get(card[:-1]) or int(card[:-1]) for card in cards}
        found = next(([card] for card, value in values.items() if value == 13), None) or next(
            ([one, other] for one, first in values.items() for other, second in values.items() if first + second == 13),
            None,
        )
        before = page.inner_text("[data-role=moves]")
        for target in [f"[data-card='{card}']" for card in found] if found else ["button[data-pile=stock]"]:
            page.click(target)
            clicked += 1
        with contextlib.suppress(Exception):
            page.wait_for_function(
                f"document.querySelector('[data-role=moves]').textContent !== '{before}'", timeout=3000
            )
            continue
        break
    return clicked


def memory(page: Page) -> float:
    """Return the resident memory of the kernel behind a page, in megabytes."""
    kernel = page.evaluate(KERNEL_ID)
    (process,) = [
        process for process in psutil.process_iter(["cmdline"]) if kernel in " ".join(process.info["cmdline"] or [])
    ]
    return process.memory_info().rss / 1e6


def median(values: list[float]) -> float:
    return statistics.median(values)


def say(name: str, ours: str, bare: str = "", aim: str = "") -> None:
    print(f"{name:<44}{ours:>14}{bare:>14}   {aim}")


def report_opening(openings: dict[tuple[str, str], list[dict[str, float]]]) -> None:
    say("", "Pyramide", "bare Voila", "aim")
    for cache in ("empty", "filled"):
        ours, bare = openings["ours", cache], openings["bare", cache]
        paint, bare_paint = (median([one["paint"] for one in every]) for every in (ours, bare))
        ready, bare_ready = (median([one["ready"] for one in every]) for every in (ours, bare))
        say(f"first picture, {cache} cache", f"{paint:.2f} s", f"{bare_paint:.2f} s", "below 0.5 s")
        say(f"playable, {cache} cache", f"{ready:.2f} s", f"{bare_ready:.2f} s")
        say("  as a ratio to the bare page", f"{ready / bare_ready:.2f}", "1", "below 1.2")
        say(
            "  sent to the browser",
            f"{ours[-1]['kilobytes']:.0f} kB in {ours[-1]['requests']:.0f}",
            f"{bare[-1]['kilobytes']:.0f} kB in {bare[-1]['requests']:.0f}",
        )


def report_play(page: Page, wire: Wire, bare_page: Page) -> None:
    # A page behind another one paints once a second.
    page.bring_to_front()
    draws = clicks(page, lambda _n: "button[data-pile=stock]", "[data-role=moves]", DRAWS)
    bare_page.bring_to_front()
    plain = clicks(bare_page, lambda number: f"button >> nth={number}", "#rendered_cells", DRAWS)
    say("click to new picture, median", f"{median(draws):.0f} ms", f"{median(plain):.0f} ms", "below 100 ms")
    worst, worst_plain = (sorted(times)[int(len(times) * 0.95)] for times in (draws, plain))
    say("click to new picture, 95 of 100", f"{worst:.0f} ms", f"{worst_plain:.0f} ms")
    page.bring_to_front()
    for name, card in (("a king removed", "KD"), ("first card of a pair", "10C"), ("second card, pair removed", "3H")):
        sent, received = wire.during(page, card)
        say(f"{name}: bytes sent and received", f"{sent} + {received}", "", "together below 4000")
    clicked = play(page)
    say(
        f"kernel's memory after {DRAWS + 3 + clicked} clicks",
        f"{memory(page):.0f} MB",
        f"{memory(bare_page):.0f} MB",
        "below 90 MB",
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="how often each page is opened (default: 5)")
    rounds = parser.parse_args().rounds
    program = find_browser()
    if program is None:
        print("no Chromium or Chrome runs here; name one with PYRAMIDE_BROWSER=...", file=sys.stderr)
        return 1
    start = time.monotonic()
    with contextlib.ExitStack() as running:
        server = running.enter_context(serving())
        say("command to answering server", f"{time.monotonic() - start:.1f} s")
        bare_address = running.enter_context(bare_voila())
        playwright = running.enter_context(sync_playwright())
        browser = launch(playwright, program)
        pages = {"ours": (server.address + DEAL, PLAYABLE), "bare": (bare_address, BARE_READY)}
        openings: dict[tuple[str, str], list[dict[str, float]]] = {}
        for _round in range(rounds):
            contexts = {name: browser.new_context(viewport=DESKTOP) for name in pages}
            for cache in ("empty", "filled"):
                for name, (address, condition) in pages.items():
                    time.sleep(REFILL_SECONDS / 2)
                    page, times = open_page(contexts[name], address, condition)
                    openings.setdefault((name, cache), []).append(times)
                    page.close(run_before_unload=True)
            for context in contexts.values():
                context.close()
        report_opening(openings)
        time.sleep(REFILL_SECONDS)
        context = browser.new_context(viewport=DESKTOP)
        page = context.new_page()
        wire = Wire(page)
        page.add_init_script("window.bench = {}")
        page.goto(server.address + DEAL)
        page.wait_for_function(PLAYABLE, timeout=120_000)
        bare_page, _times = open_page(context, bare_address, BARE_READY)
        report_play(page, wire, bare_page)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
