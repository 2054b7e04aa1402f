"""The real Voila, once for all browser tests, and pages that fail the test in which anything went wrong in them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.driving import PATIENCE_MS, Pages, Profiles, Server, launch, serving
from tests.browser.steps import Table, open_table, shared_pages, untroubled
from tests.lines import DOCUMENTED

expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker("browser")


@pytest.fixture(scope="session")
def server(browser_program: Path) -> Iterator[Server]:
    """`pyramide play`, serving the project's notebooks. Asks for the browser first: without one nothing need start."""
    with serving() as running:
        yield running


@pytest.fixture(scope="module")
def recording(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with records, for one module. It waits for the browser first: without one nothing need start."""
    with serving(PYRAMIDE_DATABASE=str(tmp_path_factory.mktemp("records") / "records.sqlite3")) as running:
        yield running


@pytest.fixture(scope="session")
def browser(browser_program: Path) -> Iterator[Browser]:
    """A headless Chromium."""
    with sync_playwright() as playwright:
        chromium = launch(playwright, browser_program)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def pages(browser: Browser, server: Server) -> Iterator[Pages]:
    """The pages that the tests of a module share; see `open_table`."""
    with shared_pages(browser, server) as pages:
        yield pages


@pytest.fixture(scope="module")
def opened(pages: Pages) -> Table:
    """One page for a module, with the documented deal on it."""
    return open_table(pages, f"?code={DOCUMENTED}")


@pytest.fixture
def table(opened: Table, pages: Pages) -> Iterator[Table]:
    """The module's page, with the documented deal on it anew."""
    with untroubled(pages):
        opened.deal(DOCUMENTED)
        yield opened


@pytest.fixture(scope="session")
def profiles(browser: Browser) -> Profiles:
    """Browser profiles for all tests but those that are about a first visit."""
    return Profiles(browser)


@pytest.fixture
def new_page(browser: Browser, profiles: Profiles | None, server: Server) -> Iterator[Pages]:
    """Open pages: `new_page(viewport=PHONE, color_scheme="dark")`; what `new_page.watch(page)` saw fails the test."""
    pages = Pages(browser, server.address, profiles)
    yield pages
    assert pages.close() == []


@pytest.fixture
def page(new_page: Pages) -> Page:
    """A page in a window of 1280 by 720; see `open_game`."""
    return new_page()
