"""Find the browser that the browser tests drive, and install one where there is none.

`make test` and `make bench` run it. In order: the program that PYRAMIDE_BROWSER names, a Chromium or Chrome of this
machine, Playwright's own; if none of them runs, Debian's package (as root or with a sudo that asks nothing), then
Playwright's download. It ends well in any case and says in one line what came of it: whether tests without a browser are
skipped or failed is decided in tests/conftest.py, which uses `find_browser` too.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_PROGRAM = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
# The suits on the cards are letters of a font, and a bare machine has none.
DEBIAN_PACKAGES = ("chromium", "fonts-dejavu-core")
INSTALL_SECONDS = 600


def runs(command: list[str], seconds: float = 30, environment: dict[str, str] | None = None) -> bool:
    """Return whether a command can be started, ends in time and reports success; it gets no input."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
            env=environment,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def playwright_program() -> Path | None:
    """Return the path at which Playwright would keep its own Chromium, or None without Playwright."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        return None
    try:
        with sync_playwright() as playwright:
            return Path(playwright.chromium.executable_path)
    except Error:
        return None


def candidates() -> Iterator[Path]:
    """Yield the programs to try, the most wanted first; a named one excludes the others."""
    named = os.environ.get("PYRAMIDE_BROWSER")
    if named:
        yield Path(named)
        return
    yield from (Path(found) for program in PROGRAMS if (found := shutil.which(program)))
    yield MAC_PROGRAM
    own = playwright_program()
    if own:
        yield own


def find_browser() -> Path | None:
    """Return the first browser that really starts (Ubuntu's chromium-browser may only point to a snap), or None."""
    return next((program for program in candidates() if runs([str(program), "--version"])), None)


def install_debian_package() -> bool:
    """Install Debian's Chromium if that can be done without asking anybody; return whether it was."""
    if not shutil.which("apt-get"):
        return False
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return runs([*as_root, "apt-get", "update"], INSTALL_SECONDS, quiet) and runs(
        [*as_root, "apt-get", "install", "--yes", "--no-install-recommends", *DEBIAN_PACKAGES],
        INSTALL_SECONDS,
        quiet,
    )


def install_playwright_browser() -> bool:
    """Let Playwright download its own Chromium; return whether it did."""
    return runs([sys.executable, "-m", "playwright", "install", "chromium"], INSTALL_SECONDS)


def main() -> None:
    """Find or install a browser and say which."""
    browser = find_browser()
    if browser is None and not os.environ.get("PYRAMIDE_BROWSER"):
        print("pyramide: no Chromium or Chrome found, trying to install one", flush=True)
        for install in (install_debian_package, install_playwright_browser):
            if install():
                browser = find_browser()
            if browser:
                break
    if browser:
        print(f"pyramide: browser tests use {browser}")
    else:
        print(
            "pyramide: no browser for the browser tests and none could be installed; "
            "install Chromium or Chrome, or name one with PYRAMIDE_BROWSER=..."
        )


if __name__ == "__main__":
    main()
