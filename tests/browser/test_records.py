"""Nothing is lost in the real page: reloads, killed kernels, a restarted server; and a class in several browsers."""

import signal
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import psutil
import pytest
from playwright.sync_api import Browser, expect

from pyramide_core.serve import CLASSROOM
from tests.browser.driving import Pages, Server, open_game, screenshot, serving, wait_for_game
from tests.browser.steps import Table, shared_pages, untroubled
from tests.lines import DOCUMENTED

GOES_ON = f"Your game goes on: {DOCUMENTED}"


@pytest.fixture(scope="module")
def shared(browser: Browser, recording: Server) -> Iterator[Pages]:
    with shared_pages(browser, recording) as pages:
        yield pages


@pytest.fixture
def pages(shared: Pages) -> Iterator[Pages]:
    with untroubled(shared):
        yield shared


@pytest.fixture(scope="module")
def opened(shared: Pages) -> Table:
    return Table(open_game(shared(), f"?code={DOCUMENTED}"))


@pytest.fixture
def table(opened: Table, pages: Pages) -> Table:
    """The one page of most tests here, with the documented opening played on it."""
    opened.deal(DOCUMENTED)
    opened.play("KD 10C+3S")
    return opened


def reload(table: Table) -> None:
    table.page.reload(wait_until="commit")
    wait_for_game(table.page)


def test_reload_goes_on_with_history_and_clock(table: Table) -> None:
    table.play("D")
    expect(table.role("time")).not_to_have_text("0:00")
    reload(table)
    expect(table.message).to_have_text(GOES_ON)
    table.expect_figures(30, 3)
    expect(table.role("time")).not_to_have_text("0:00")
    expect(table.card("KD")).to_have_count(0)
    # The undo history is there, and play goes on and is kept again.
    for left in (30, 10, 0):
        table.role("undo").click()
        expect(table.role("score")).to_have_text(str(left))
    table.play("KD")
    table.page.goto("/", wait_until="commit")
    wait_for_game(table.page)
    expect(table.message).to_have_text(GOES_ON)
    table.expect_figures(10, 4)


def test_another_browser_sees_nothing_of_it(table: Table, pages: Pages) -> None:
    table.expect_figures(30, 2)
    other = Table(open_game(pages(), f"?code={DOCUMENTED}"))
    other.expect_figures(0, 0)
    other.open("records")
    expect(other.dialog).to_contain_text("There is no won game yet.")


def test_two_windows_keep_their_own_games(table: Table, pages: Pages) -> None:
    window = Table(open_game(pages(table.page.context), "?code=PY1-N-AAAAAAB"))
    window.play("D D D")
    reload(table)
    table.expect_figures(30, 2)
    reload(window)
    window.expect_figures(0, 3)
    window.page.close()


def test_killed_kernel_loses_nothing(table: Table, pages: Pages, recording: Server) -> None:
    page = table.page
    kernel = page.evaluate("JSON.parse(document.getElementById('jupyter-config-data').textContent).kernelId")
    process = next(
        child
        for child in psutil.Process(recording.process.pid).children(recursive=True)
        if any(kernel in word for word in child.cmdline())
    )
    process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    pages.watch(page).forgive("WebSocket", "kernel", "status 404", "404", "Connection")
    reload(table)
    expect(table.message).to_have_text(GOES_ON)
    table.expect_figures(30, 2)


def test_restarted_server_loses_nothing(browser: Browser, tmp_path: Path) -> None:
    database = str(tmp_path / "records.sqlite3")
    with serving(PYRAMIDE_DATABASE=database) as first, shared_pages(browser, first) as pages:
        page = pages()
        table = Table(open_game(page, f"?code={DOCUMENTED}"))
        table.play("KD 10C+3S")
        pages.watch(page).forgive("")
        children = psutil.Process(first.process.pid).children(recursive=True)
        first.process.kill()
        first.process.wait()
        for child in children:
            child.kill()
        port = urlsplit(first.address).port
        again = f"from pyramide_core import serve; raise SystemExit(serve.play(port={port}, open_browser=False))"
        with serving(again, PYRAMIDE_DATABASE=database):
            reload(table)
            expect(table.message).to_have_text(GOES_ON)
            table.expect_figures(30, 2)


def test_browser_keeps_the_game_where_the_server_keeps_nothing(new_page: Pages) -> None:
    """As on Binder: the server of the other tests has no records."""
    table = Table(open_game(new_page(), f"?code={DOCUMENTED}"))
    table.play("KD 10C+3S")
    expect(table.role("time")).not_to_have_text("0:00")
    reload(table)
    expect(table.message).to_have_text(GOES_ON)
    table.expect_figures(30, 2)
    expect(table.role("time")).not_to_have_text("0:00")
    table.role("records").click()
    expect(table.message).to_have_text("Records are switched off here.")


def test_statistics_players_and_files(table: Table) -> None:
    table.open("records")
    table.answer_to("records_players")
    table.field("name").fill("Ada")
    table.answer("records_play")
    expect(table.message).to_have_text("Ada plays now.")
    table.expect_figures(0, 0)
    table.open("records")
    table.answer_to("records_files")
    with table.page.expect_download() as download:
        table.action("records_csv").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert f",{DOCUMENTED},pyramide,unfinished,30,2," in text
    table.field("games").fill(f"{DOCUMENTED} KD D D")
    table.action("records_import").click()
    expect(table.dialog).to_contain_text("1 game was added.")
    table.field("games").fill("nonsense")
    table.action("records_import").click()
    expect(table.problem("games")).to_contain_text("Game 1")
    table.answer_to("records")
    table.answer_to("records_charts")
    expect(table.dialog.locator("img")).to_have_js_property("complete", True)
    assert table.dialog.locator("img").evaluate("image => image.naturalWidth") > 100
    screenshot(table.page, "records-charts")


@pytest.mark.parametrize(("network", "status"), [("True", 200), ("False", 403)])
def test_other_computers_play_only_when_they_may(network: str, status: int) -> None:
    """Asked for under a name that another computer knows this one by."""
    program = (
        "from pyramide_core import serve; serve.network_address = lambda: serve.LOOPBACK;"
        f"raise SystemExit(serve.play(port=0, open_browser=False, network={network}))"
    )
    with serving(program) as server:
        asked = Request(f"{server.address}{CLASSROOM}", headers={"Host": "teacher.example"})
        try:
            with urlopen(asked, timeout=60) as answer:
                found = answer.status
        except HTTPError as error:
            found = error.code
    assert found == status


@pytest.mark.parametrize(
    ("path", "language"), [("play.ipynb", "th"), ("fr/play.ipynb", "fr"), ("fr/play.ipynb?lang=uk", "uk")]
)
def test_link_of_a_class_is_one_for_all_languages(pages: Pages, path: str, language: str) -> None:
    """The teacher's page speaks French, the learner's browser Thai; a link may have lost its way into a folder."""
    teacher = pages(locale="fr")
    teacher.goto("/voila/render/fr/classroom.ipynb", wait_until="commit")
    teacher.locator("[data-do=open]").click()
    link = teacher.locator("[data-role=class-link]")
    expect(link).to_be_visible()
    address = link.get_attribute("href") or ""
    assert urlsplit(address).path == "/voila/render/play.ipynb"
    code = urlsplit(address).query
    learner = pages(locale="th")
    learner.goto(f"/voila/render/{path}{'&' if '?' in path else '?'}{code}", wait_until="commit")
    table = Table(learner)
    expect(table.field("name")).to_be_visible()
    assert code in learner.url
    expect(learner.locator("html")).to_have_attribute("lang", language)
    # Another teacher finds the page from the game.
    table.answer("class_leave")
    table.open("records")
    table.answer_to("class_ask")
    table.dialog.locator("a").click()
    expect(learner.locator("[data-do=open]")).to_be_visible()
    for page in (teacher, learner):
        page.close()


def test_two_browsers_in_one_class(pages: Pages) -> None:
    teacher = pages()
    teacher.goto("/voila/render/classroom.ipynb", wait_until="commit")
    teacher.locator("[name=deals]").fill(DOCUMENTED)
    teacher.locator("[name=title]").fill("7b")
    teacher.locator("[data-do=open]").click()
    link = teacher.locator("[data-role=class-link]")
    expect(link).to_be_visible()
    address = link.get_attribute("href") or ""
    tables = []
    for name in ("Ada", "Bob"):
        page = pages()
        page.goto(address, wait_until="commit")
        table = Table(page)
        expect(table.field("name")).to_be_visible()
        if name == "Bob":
            table.field("name").fill("ADA")
            table.action("class_join").click()
            expect(table.problem("name")).to_contain_text("called “ADA” already")
        table.field("name").fill(name)
        table.answer("class_join")
        expect(table.card("KD")).to_be_visible()
        tables.append(table)
    ada, bob = tables
    ada.play("KD 10C+3S D")
    bob.play("KD")
    rows = teacher.locator(".py-class-board tbody tr")
    expect(rows.nth(0)).to_contain_text("Ada")
    expect(rows.nth(0).locator("td").nth(2)).to_have_text("25")
    expect(rows.nth(1)).to_contain_text("Bob")
    expect(rows.nth(1).locator("td").nth(2)).to_have_text("27")
    screenshot(teacher, "class-board")
    reload(ada)
    ada.expect_figures(30, 3)
    teacher.locator("[data-do=no_names]").click()
    expect(rows.nth(0)).to_contain_text("Learner 1")
    expect(teacher.locator(".py-class-board")).not_to_contain_text("Bob")
    with teacher.expect_download() as download:
        teacher.locator("[data-do=csv]").click()
    assert ",Ada,1," in Path(download.value.path()).read_text(encoding="utf-8")
    # The board comes back when its page is loaded again.
    teacher.reload(wait_until="commit")
    expect(rows.nth(0)).to_contain_text("Learner 1")
    teacher.locator("[data-do=close]").click()
    expect(teacher.locator("[data-do=reopen]")).to_be_visible()
    bob.play("D D")
    expect(bob.message).to_contain_text("The class is closed")
    expect(rows.nth(1).locator("td").nth(2)).to_have_text("27")
