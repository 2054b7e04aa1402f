"""What every test shares: how hypothesis searches, and the browser of the browser tests."""

import os
import signal
from pathlib import Path

import hypothesis
import pytest
from setup_browser import find_browser

IN_CI = bool(os.environ.get("CI"))

# No test writes into the records of whoever runs it: those that are about records name a database of their own.
os.environ["PYRAMIDE_DATABASE"] = "off"

# What a shell runs in the background ignores Ctrl-C, and so would every program that a test starts and interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)

# No deadline: a busy machine is no bug. In CI the search is the same every time, so that a red run can be repeated.
hypothesis.settings.register_profile("local", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("ci" if IN_CI else "local")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the browser tests last: the quick ones speak first, and Playwright's event loop runs until its last test."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.fixture(scope="session")
def browser_program() -> Path:
    """Return the Chromium to drive. Without one the test is skipped, but in CI it fails: there, silence would hide it."""
    program = find_browser()
    if program is None:
        reason = "no Chromium or Chrome runs here; install one, or name it with PYRAMIDE_BROWSER=..."
        (pytest.fail if IN_CI else pytest.skip)(reason)
    return program
