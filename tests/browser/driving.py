"""What the browser tests and benchmarks/ui.py share: the real server, a browser that tells what went wrong, the board."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, Playwright, Request, Response

ROOT = Path(__file__).resolve().parents[2]
SCREENSHOTS = Path(__file__).parent / "screenshots"
PICTURES = ROOT / "docs" / "images"
DESKTOP = {"width": 1280, "height": 720}
PHONE = {"width": 360, "height": 740}
BROWSER_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
START_SECONDS = 60
# Generous, as the machine may be busy with other tests: a test waits only as long as it must.
PATIENCE_MS = 60_000

ANY_PORT = "from pyramide_core import serve; raise SystemExit(serve.play(port=0, open_browser=False))"
"""The program that serves the game on a port that the system picks."""


@dataclass
class Server:
    """A running `pyramide play`."""

    process: subprocess.Popen[str]
    address: str
    folder: Path

    @property
    def log(self) -> str:
        """What the server logged so far."""
        files = (self.folder / "runtime").glob("pyramide-play-*.log")
        return "".join(file.read_text(encoding="utf-8") for file in files)

    def stop(self) -> int:
        """End the server as Ctrl-C does and return its exit code."""
        if self.process.poll() is None:
            # Windows has no way to send Ctrl-C to one process of a console.
            self.process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


@contextlib.contextmanager
def serving(program: str = ANY_PORT, **environment: str) -> Iterator[Server]:
    """Run a program that serves the game, from a folder that has nothing to do with the project, and end it at last."""
    folder = Path(tempfile.mkdtemp(prefix="pyramide-test-"))
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "JUPYTER_RUNTIME_DIR": str(folder / "runtime"), "PYTHONPATH": str(ROOT), **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    try:
        yield Server(process, read_address(process), folder)
    finally:
        Server(process, "", folder).stop()
        shutil.rmtree(folder, ignore_errors=True)


def read_address(process: subprocess.Popen[str]) -> str:
    """Return the address that a server says it is at; raise RuntimeError with what it said instead."""
    said = []
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        line = process.stdout.readline() if process.stdout else ""
        if not line:
            break
        said.append(line)
        if found := re.search(r"http://127\.0\.0\.1:\d+/", line):
            return found[0]
    raise RuntimeError("the server did not start:\n" + "".join(said))


def launch(playwright: Playwright, program: Path) -> Browser:
    """Start the browser."""
    return playwright.chromium.launch(executable_path=program, args=BROWSER_FLAGS)


@dataclass
class Watch:
    """What went wrong in a page. `forgive` names, as patterns, what a test brings about itself."""

    page: Page
    troubles: list[str] = field(default_factory=list)
    forgiven: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.troubles.append(f"script error: {error}"))
        self.page.on("requestfailed", self._failed)
        self.page.on("response", self._answered)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.troubles.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _failed(self, request: Request) -> None:
        # What is still on its way when a page is left is given up by the browser.
        if request.failure != "net::ERR_ABORTED":
            self.troubles.append(f"failed: {request.url}: {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.troubles.append(f"status {response.status}: {response.url}")

    def forgive(self, *patterns: str) -> None:
        """Let troubles go by that match a pattern."""
        self.forgiven.extend(patterns)

    @property
    def left(self) -> list[str]:
        """The troubles that nothing forgives."""
        return [text for text in self.troubles if not any(re.search(pattern, text) for pattern in self.forgiven)]


class Profiles:
    """Browser profiles that tests use one after another: empty each time, but for the files that the browser keeps.

    In such a profile a page opens in half the time.
    """

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._idle: dict[str, list[BrowserContext]] = {}

    def take(self, options: Mapping[str, Any]) -> BrowserContext:
        """Return a profile with these options of Playwright's `new_context`, among them `base_url`."""
        idle = self._idle.get(repr(options))
        return idle.pop() if idle else self.browser.new_context(**options)

    def give_back(self, context: BrowserContext, options: Mapping[str, Any]) -> None:
        """Close the pages of a profile and forget what they kept; where its server has gone, close it instead."""
        for page in context.pages:
            page.close()
        context.clear_cookies()
        page = context.new_page()
        try:
            page.goto("/voila/templates/pyramide/static/icon.svg")
        except Error:
            context.close()
            return
        page.evaluate("localStorage.clear()")
        page.close()
        self._idle.setdefault(repr(options), []).append(context)


class Pages:
    """Opens pages, each watched and in a profile of its own unless it is given one: a new one, or one of `profiles`."""

    def __init__(self, browser: Browser, address: str, profiles: Profiles | None = None) -> None:
        self.browser = browser
        self.address = address
        self.profiles = profiles
        self.watches: list[Watch] = []
        self.contexts: list[tuple[BrowserContext, Mapping[str, Any]]] = []

    def __call__(self, context: BrowserContext | None = None, **options: Any) -> Page:
        """Return a new page; `options` are those of Playwright's `new_context`."""
        if context is None:
            options = {"viewport": DESKTOP, "base_url": self.address, "locale": "en-US", **options}
            context = self.profiles.take(options) if self.profiles else self.browser.new_context(**options)
            context.set_default_timeout(PATIENCE_MS)
            self.contexts.append((context, options))
        page = context.new_page()
        self.watches.append(Watch(page))
        return page

    def watch(self, page: Page) -> Watch:
        """Return the watch of a page."""
        return next(watch for watch in self.watches if watch.page == page)

    def close(self) -> list[str]:
        """Close all pages and return what went wrong in them."""
        left = [text for watch in self.watches for text in watch.left]
        for context, options in self.contexts:
            if self.profiles:
                self.profiles.give_back(context, options)
            else:
                context.close()
        return left


def open_game(page: Page, query: str = "") -> Page:
    """Open the game at the root address with a query such as `?code=PY1-N-AAAAAAS` and wait until it can be played."""
    page.goto(f"/{query}", wait_until="commit")
    wait_for_game(page)
    return page


def wait_for_game(page: Page) -> None:
    """Wait until cards are dealt and can be touched."""
    page.wait_for_selector(".pyramide-table.py-ready")
    page.wait_for_function("document.querySelector('[data-role=code]')?.textContent.includes('PY1-')")
    page.wait_for_selector("[data-card][data-pile=pyramid] >> nth=0")


def wait_for_lesson(page: Page) -> None:
    """Wait until the last part of a lesson is there, and the tables and plots before it."""
    page.wait_for_selector(".py-part-end, .py-part-index", state="attached")
    page.wait_for_function("document.querySelectorAll('.pyramide-table:not(.py-ready)').length === 0")
    page.wait_for_function("[...document.querySelectorAll('.py-plot img')].every(image => image.complete && image.src)")


def boxes(page: Page, selector: str) -> list[tuple[float, float, float, float]]:
    """Return the place and size of all elements that a selector finds, in CSS pixels: x, y, width, height."""
    found = page.evaluate(
        """selector => [...document.querySelectorAll(selector)].map(node => {
             const box = node.getBoundingClientRect();
             return [box.x, box.y, box.width, box.height];
           })""",
        selector,
    )
    return [tuple(box) for box in found]


def screenshot(page: Page, name: str) -> Path:
    """Take a picture of the window into the folder of screenshots, which git ignores, and return its path."""
    SCREENSHOTS.mkdir(exist_ok=True)
    path = SCREENSHOTS / f"{name}.png"
    # Cards that are still moving would make a picture of no state at all.
    page.screenshot(path=path, animations="disabled")
    return path


def readme_picture(page: Page, name: str) -> Path:
    """Take a screenshot; with PYRAMIDE_PICTURES=1 also into docs/images, where the README finds it."""
    path = screenshot(page, name)
    if os.environ.get("PYRAMIDE_PICTURES"):
        PICTURES.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, PICTURES / path.name)
    return path
