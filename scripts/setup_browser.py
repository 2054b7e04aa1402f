"""Find the browser that the browser tests drive, and install one where there is none.

`make test` and `make bench` run it. In order: the program that PYRAMIDE_BROWSER names, a Chromium or Chrome of this
machine, Playwright's own; if none of them runs, Debian's package (as root or with a sudo that asks nothing), then
Playwright's download. Playwright's driver, which steers it, must run too. The script ends well in any case and says in
one line what came of it: whether tests without a browser are skipped or failed is decided in tests/conftest.py, which
uses `find_browser` too.

With `--missing` it installs nothing and names the Debian packages that it would install, one a line, for .ci/run.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from ctypes.util import find_library
from pathlib import Path

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_PROGRAM = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
# The suits on the cards are letters of a font, and a bare machine has none; the other one has the Thai letters.
BROWSER_PACKAGES = ("chromium", "fonts-dejavu-core", "fonts-thai-tlwg")
# The driver's Node.js is linked against it, and a bare machine has none either.
DRIVER_PACKAGES = ("libatomic1",)
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


def driver_runs() -> bool:
    """Return whether Playwright is installed and its driver runs on this machine."""
    return runs([sys.executable, "-m", "playwright", "--version"])


def playwright_program() -> Path | None:
    """Return the path at which Playwright would keep its own Chromium, or None if its driver does not run."""
    if not driver_runs():
        return None
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path)


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


def install_debian_packages(*names: str) -> bool:
    """Install packages of Debian's if that can be done without asking anybody; return whether it was."""
    if not shutil.which("apt-get"):
        return False
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = [*as_root, "apt-get", "install", "--yes", "--no-install-recommends", *names]
    return runs([*as_root, "apt-get", "update"], INSTALL_SECONDS, quiet) and runs(install, INSTALL_SECONDS, quiet)


def install_playwright_browser() -> bool:
    """Let Playwright download its own Chromium; return whether it did."""
    return runs([sys.executable, "-m", "playwright", "install", "chromium"], INSTALL_SECONDS)


def install_browser() -> Path | None:
    """Install a browser in one of the ways that this machine allows, and return it, or None."""
    print("pyramide: no Chromium or Chrome found, installing one", flush=True)
    if install_debian_packages(*BROWSER_PACKAGES) and (browser := find_browser()):
        return browser
    return find_browser() if install_playwright_browser() else None


def missing_packages() -> tuple[str, ...]:
    """Return Debian's packages that will be wanted, as far as that can be known while Playwright is not installed."""
    browser = () if find_browser() or os.environ.get("PYRAMIDE_BROWSER") else BROWSER_PACKAGES
    return browser + (() if find_library("atomic") else DRIVER_PACKAGES)


def main() -> None:
    """See to the driver and the browser, and say what there is."""
    if sys.argv[1:] == ["--missing"]:
        print(*missing_packages(), sep="\n", end="")
        return
    driver = driver_runs() or (install_debian_packages(*DRIVER_PACKAGES) and driver_runs())
    browser = find_browser()
    if browser is None and not os.environ.get("PYRAMIDE_BROWSER"):
        browser = install_browser()
    if browser is None:
        print(
            "pyramide: no browser for the browser tests and none could be installed; "
            "install Chromium or Chrome, or name one with PYRAMIDE_BROWSER=..."
        )
    elif not driver:
        print(
            f"pyramide: {browser} is there, but Playwright cannot steer it; "
            "`.venv/bin/python -m playwright --version` says why"
        )
    else:
        print(f"pyramide: browser tests use {browser}")


if __name__ == "__main__":
    main()
