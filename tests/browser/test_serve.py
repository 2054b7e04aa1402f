"""How the game opens, what it sends, and what a page says when something breaks: real server, real browser."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Browser, Page, Request, expect

from pyramide_core.serve import answers, listen
from tests.browser.driving import (
    DESKTOP,
    PHONE,
    ROOT,
    Pages,
    Server,
    boxes,
    open_game,
    screenshot,
    serving,
    wait_for_game,
)

KERNEL_ID = "JSON.parse(document.getElementById('jupyter-config-data').textContent).kernelId"
FIRST_DEAL = "PY1-N-AAAAAAS"


@pytest.fixture
def profiles() -> None:
    """Every page here is that of a first visitor: the browser has loaded nothing of it before."""


def without_page_code(page: Page) -> None:
    """Keep Voila's script away, so that only what needs no script is left; the page then says that it failed."""
    page.route("**/voila.js", lambda route: route.abort())


# Opening --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_picture_of_the_table_needs_no_script(new_page: Pages, size: dict[str, int], scheme: str) -> None:
    page = new_page(java_script_enabled=False, viewport=size, color_scheme=scheme)
    page.goto("/")
    expect(page.get_by_role("status")).to_have_text("Pyramide is opening…")
    expect(page.locator("#pyramide-opening .po-tableau i")).to_have_count(28)
    for card in page.locator("#pyramide-opening i").all():
        box = card.bounding_box()
        assert box
        assert 0 <= box["x"] <= box["x"] + box["width"] <= size["width"]
        assert 0 <= box["y"] <= box["y"] + box["height"] <= size["height"]
    screenshot(page, f"opening-{size['width']}-{scheme}")


def test_page_without_scripts_says_what_it_needs(new_page: Pages) -> None:
    """Chromium's switch for scripts leaves `noscript` out, so its text is looked for in what is sent."""
    text = new_page().request.get("/").text()
    assert re.search(r"<noscript>.*Pyramide needs JavaScript\..*</noscript>", text)


def test_picture_comes_before_a_kernel_is_asked_for(server: Server, new_page: Pages) -> None:
    page = new_page()
    page.goto("/")
    whole = page.content()
    wait_for_game(page)
    assert whole.index('id="pyramide-opening"') < whole.index("pyramide:head") < whole.index("jupyter-config-data")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_jumps_when_the_table_takes_the_place_of_its_picture(new_page: Pages, size: dict[str, int]) -> None:
    page = new_page(viewport=size)
    without_page_code(page)
    new_page.watch(page).forgive("voila.js", "ERR_FAILED")
    page.goto(f"/?code={FIRST_DEAL}&rules=pyramide")
    cards = boxes(page, "#pyramide-opening .po-tableau i")
    piles = boxes(page, "#pyramide-opening .po-piles i")
    page.unroute("**/voila.js")
    open_game(page, f"?code={FIRST_DEAL}&rules=pyramide")
    expect(page.locator("#pyramide-opening")).to_have_count(0)
    assert len(cards) == 28
    for drawn, real in zip(cards, boxes(page, ".py-place"), strict=True):
        assert drawn == pytest.approx(real, abs=2)
    real_piles = [box for pile in ("stock", "waste", "foundation") for box in boxes(page, f"button[data-pile={pile}]")]
    for drawn, real in zip(piles, real_piles, strict=True):
        assert drawn == pytest.approx(real, abs=3)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_picture_has_the_colours_of_the_table(new_page: Pages, scheme: str) -> None:
    page = new_page(color_scheme=scheme)
    colour = "selector => getComputedStyle(document.querySelector(selector)).backgroundColor"
    page.goto("/", wait_until="commit")
    page.wait_for_selector("#pyramide-opening .po-tableau i", state="attached")
    table, card = page.evaluate(colour, "#pyramide-opening"), page.evaluate(colour, ".po-tableau i")
    wait_for_game(page)
    assert table == page.evaluate(colour, ".pyramide-table")
    assert card == page.evaluate(colour, "[data-card][data-state=b]")


def test_own_choice_of_theme_holds_for_the_picture(new_page: Pages) -> None:
    page = new_page(color_scheme="light")
    page.add_init_script("localStorage.setItem('pyramide.preferences', JSON.stringify({theme: 'dark'}))")
    page.goto("/", wait_until="commit")
    page.wait_for_selector("#pyramide-opening .po-tableau i", state="attached")
    colour = page.evaluate("getComputedStyle(document.querySelector('#pyramide-opening')).backgroundColor")
    wait_for_game(page)
    assert colour == "rgb(22, 32, 28)"


# Addresses ------------------------------------------------------------------------------------------------------------


def test_link_at_the_root_opens_its_deal(page: Page) -> None:
    open_game(page, f"?code={FIRST_DEAL}&rules=pyramide")
    expect(page.locator("[data-role=code]")).to_contain_text(FIRST_DEAL)
    expect(page.locator("[data-card=JD]")).to_be_visible()


def test_wrong_link_says_so_and_deals(page: Page) -> None:
    open_game(page, "?code=PY1-N-AAAA0AS")
    expect(page.locator("[data-role=message]")).to_contain_text("0")
    expect(page.locator("[data-card][data-pile=pyramid]")).to_have_count(28)


def test_same_notebook_is_a_page_under_its_own_name(page: Page) -> None:
    page.goto(f"/voila/render/play.ipynb?code={FIRST_DEAL}")
    wait_for_game(page)
    expect(page.locator("[data-role=code]")).to_contain_text(FIRST_DEAL)


def test_every_visitor_has_a_kernel_and_a_game(new_page: Pages) -> None:
    first, second = open_game(new_page()), open_game(new_page())
    assert first.evaluate(KERNEL_ID) != second.evaluate(KERNEL_ID)
    codes = [page.locator("[data-role=code]").inner_text() for page in (first, second)]
    assert codes[0] != codes[1]
    first.locator("button[data-pile=stock]").click()
    expect(first.locator("[data-role=moves]")).to_have_text("1")
    expect(second.locator("[data-role=moves]")).to_have_text("0")


@pytest.mark.parametrize(
    "path",
    [
        "/voila/files/play.ipynb",
        "/voila/files/../pyramide_core/cli.py",
        "/voila/files/..%2Fpyproject.toml",
        "/voila/render/../README.md",
        "/voila/render/..%2Fpyproject.toml",
        "/voila/render/..%2Fnotebooks%2Fno-such.ipynb",
        "/voila/render/no-such.ipynb",
        "/voila/static/../../../conf.json",
        "/voila/labextensions/..%2F..%2F..%2Fpyvenv.cfg",
    ],
)
def test_nothing_but_pages_is_served(new_page: Pages, path: str) -> None:
    page = new_page()
    answer = page.request.get(path)
    assert answer.status in {403, 404}
    assert "Traceback" not in answer.text()


@pytest.mark.parametrize("address", ["/voila/render/no-such.ipynb", "/no-such-page", "/play.ipynb"])
def test_page_that_does_not_exist_says_so_and_leads_to_the_game(new_page: Pages, server: Server, address: str) -> None:
    page = new_page()
    new_page.watch(page).forgive("404")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_text("This page does not exist.")).to_be_visible()
    page.get_by_role("link", name="To the game").click()
    wait_for_game(page)
    assert [url for url in asked if not url.startswith((server.address, "data:", "blob:"))] == []


def test_other_names_of_this_computer_are_refused(new_page: Pages) -> None:
    """A page of another site that has its name point here must not get at the game (DNS rebinding)."""
    answer = new_page().request.get("/", headers={"Host": "example.org"})
    assert answer.status == 403


# What is sent ---------------------------------------------------------------------------------------------------------


def test_all_comes_compressed_from_this_server_and_is_kept(new_page: Pages, server: Server) -> None:
    page = new_page()
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request))
    open_game(page)
    assert len(requests) > 20
    for request in requests:
        assert request.url.startswith((server.address, "data:", "blob:")), request.url
        answer = request.response()
        if (
            answer
            and re.search(r"\.(js|css)(\?|$)|:\d+/$", request.url)
            and int(answer.headers.get("content-length", "9999")) > 1024
        ):
            assert answer.headers.get("content-encoding") == "gzip", request.url
    again = new_page(context=page.context)
    open_game(again)
    sent = again.evaluate(
        """performance.getEntriesByType('resource')
             .filter(entry => /\\.(js|css)/.test(entry.name) && entry.transferSize > 0).map(entry => entry.name)"""
    )
    assert sent == []


def test_page_holds_no_source(new_page: Pages) -> None:
    text = new_page().request.get("/").text()
    notebook = json.loads((ROOT / "notebooks" / "play.ipynb").read_text(encoding="utf-8"))
    lines = [line.strip() for cell in notebook["cells"] if cell["cell_type"] == "code" for line in cell["source"]]
    assert [line for line in lines if len(line) > 12]
    assert not [line for line in lines if len(line) > 12 and line in text]


# Trouble --------------------------------------------------------------------------------------------------------------


def test_kernel_that_died_is_said_and_reload_brings_a_new_game(new_page: Pages) -> None:
    page = open_game(new_page())
    kernel = page.evaluate(KERNEL_ID)
    (process,) = [
        process for process in psutil.process_iter(["cmdline"]) if kernel in " ".join(process.info["cmdline"] or [])
    ]
    process.kill()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("The game has been stopped on the server.")
    screenshot(page, "stopped")
    alert.get_by_role("button", name="Reload").click()
    page.wait_for_function("!document.querySelector('[data-trouble]')")
    wait_for_game(page)
    page.locator("button[data-pile=stock]").click()
    expect(page.locator("[data-role=moves]")).to_have_text("1")


def test_lost_server_is_said(browser: Browser, new_page: Pages) -> None:
    with serving() as server:
        pages = Pages(browser, server.address)
        page = open_game(pages())
        pages.watch(page).forgive(
            "WebSocket", "ERR_CONNECTION_REFUSED", "api/kernels", "Failed to fetch", "Connection lost"
        )
        assert server.stop() == 0
        expect(page.get_by_role("alert")).to_contain_text("The connection to the game is lost.")
        assert pages.close() == []


def test_script_that_does_not_come_is_said(new_page: Pages) -> None:
    page = new_page()
    new_page.watch(page).forgive("voila.js", "ERR_FAILED")
    without_page_code(page)
    page.goto("/")
    expect(page.get_by_role("alert")).to_contain_text("This page could not be opened.")
    expect(page.get_by_role("button", name="Reload")).to_be_visible()
    expect(page.get_by_text("Pyramide is opening…")).to_have_count(0)


def notebooks(folder: Path, **cells: list[dict[str, object]]) -> str:
    """Write notebooks and return a program that serves them in place of the project's."""
    (folder / "notebooks").mkdir()
    (folder / "voila.json").write_text((ROOT / "voila.json").read_text(encoding="utf-8"), encoding="utf-8")
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    for name, content in cells.items():
        whole = {"cells": content, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
        (folder / "notebooks" / f"{name.replace('_', '-')}.ipynb").write_text(json.dumps(whole), encoding="utf-8")
    return (
        "import pathlib; from pyramide_core import serve\n"
        f"serve.data_folders = lambda: [{str(ROOT)!r}]\n"
        f"serve.find_home = lambda: serve.Home(pathlib.Path({str(folder)!r}), is_checkout=False)\n"
        "raise SystemExit(serve.play(port=0, open_browser=False))\n"
    )


def code(source: str, name: str = "code") -> dict[str, object]:
    return {"cell_type": "code", "id": name, "metadata": {}, "outputs": [], "execution_count": None, "source": source}


def test_cell_that_fails_is_said_without_a_traceback(browser: Browser, tmp_path: Path) -> None:
    with serving(notebooks(tmp_path, play=[code("secret = 7\nraise ValueError('inner workings')")])) as server:
        pages = Pages(browser, server.address)
        page = pages()
        page.goto("/")
        expect(page.get_by_role("alert")).to_contain_text("This page could not be opened.")
        for word in ("Traceback", "ValueError", "inner workings", "secret", "show_tracebacks"):
            assert word not in page.content()
        assert pages.close() == []


def test_notebook_that_shows_nothing_is_said(browser: Browser, tmp_path: Path) -> None:
    with serving(notebooks(tmp_path, play=[code("table = 1")])) as server:
        pages = Pages(browser, server.address)
        page = pages()
        page.goto("/")
        expect(page.get_by_role("alert")).to_contain_text("This page could not be opened.")
        assert pages.close() == []


def test_kernel_that_cannot_start_is_said(browser: Browser, tmp_path: Path) -> None:
    program = notebooks(tmp_path, play=[code("1")]).replace(
        "raise SystemExit",
        "import jupyter_client.provisioning.local_provisioner as local\n"
        "async def refuse(*arguments, **options): raise RuntimeError('no more processes')\n"
        "local.LocalProvisioner.launch_kernel = refuse\n"
        "raise SystemExit",
    )
    with serving(program) as server:
        pages = Pages(browser, server.address)
        page = pages()
        page.goto("/")
        expect(page.get_by_role("alert")).to_contain_text("This page could not be opened.")
        assert "no more processes" not in page.content()
        assert "no more processes" in server.log
        assert pages.close() == []


def test_lesson_is_a_page_with_texts_widgets_and_no_code(browser: Browser, tmp_path: Path) -> None:
    lesson = [
        {"cell_type": "markdown", "id": "text", "metadata": {}, "source": "# Thirteen\n\nTwo cards make **13**."},
        code(
            "import ipywidgets as widgets\n"
            "button = widgets.Button(description='press me')\n"
            "def pressed(button):\n    button.description = 'pressed'\n"
            "button.on_click(pressed)\n"
            "button"
        ),
        code("print('said by', 6 * 7)", "second"),
    ]
    with serving(notebooks(tmp_path, play=[code("1")], **{"01_sums": lesson})) as server:
        pages = Pages(browser, server.address)
        page = pages()
        page.goto("/voila/render/01-sums.ipynb")
        expect(page.get_by_role("heading", name="Thirteen")).to_be_visible()
        expect(page.get_by_text("said by 42")).to_be_visible()
        page.get_by_role("button", name="press me").click()
        expect(page.get_by_role("button", name="pressed")).to_be_visible()
        assert "description=" not in page.content()
        assert page.locator("#pyramide-opening").count() == 0
        screenshot(page, "lesson")
        assert pages.close() == []


def test_more_visitors_than_kernels_in_waiting(browser: Browser) -> None:
    """Pages opened at once, one more than are kept ready, all become games of their own."""
    with serving() as server:
        pages = Pages(browser, server.address)
        opened = [pages() for _visitor in range(3)]
        for page in opened:
            page.goto("/", wait_until="commit")
        for page in opened:
            wait_for_game(page)
        assert len({page.evaluate(KERNEL_ID) for page in opened}) == 3
        assert pages.close() == []


def test_closed_page_ends_its_kernel(browser: Browser) -> None:
    with serving() as server:
        pages = Pages(browser, server.address)
        page = open_game(pages())
        other = open_game(pages())
        pages.watch(other).forgive("404")
        kernel = page.evaluate(KERNEL_ID)
        assert other.request.get(f"/api/kernels/{kernel}").status == 200
        page.close(run_before_unload=True)
        end = time.monotonic() + 30
        while other.request.get(f"/api/kernels/{kernel}").status != 404:
            assert time.monotonic() < end
            time.sleep(0.2)
        assert pages.close() == []


# Served by others -----------------------------------------------------------------------------------------------------

OTHER_SERVERS = {
    # As Binder does, with the configuration that binder/ gives to Jupyter.
    "jupyter": (
        ["jupyter_server", "--IdentityProvider.token=secret", "--allow-root", "--ServerApp.port={port}"],
        "/voila/render/notebooks/play.ipynb?token=secret&",
    ),
    "voila": (["voila", "notebooks/play.ipynb", "--port={port}", "--Voila.port_retries=0"], "/?"),
}


@pytest.mark.parametrize("name", OTHER_SERVERS)
def test_other_servers_of_the_notebook(browser: Browser, tmp_path: Path, name: str) -> None:
    arguments, address = OTHER_SERVERS[name]
    with listen(0, 0) as free:
        port = free.getsockname()[1]
    shutil.copy(ROOT / "jupyter_config.json", tmp_path)
    folders = {"CONFIG_PATH": tmp_path, "RUNTIME_DIR": tmp_path, "PATH": ROOT / "share" / "jupyter"}
    process = subprocess.Popen(
        [sys.executable, "-m", *(argument.format(port=port) for argument in arguments), "--no-browser"],
        cwd=ROOT,
        env={**os.environ, **{f"JUPYTER_{folder}": str(path) for folder, path in folders.items()}},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert answers(f"http://127.0.0.1:{port}/voila/templates/pyramide/static/icon.svg")
        pages = Pages(browser, f"http://127.0.0.1:{port}/")
        page = pages()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{address}code={FIRST_DEAL}", wait_until="commit")
        page.wait_for_selector("#pyramide-opening .po-tableau i", state="attached")
        wait_for_game(page)
        expect(page.locator("[data-role=code]")).to_contain_text(FIRST_DEAL)
        assert [url for url in asked if not url.startswith((f"http://127.0.0.1:{port}/", "data:", "blob:"))] == []
        assert "Dashboard(" not in page.content()
        assert pages.close() == []
    finally:
        process.terminate()
        process.wait()
