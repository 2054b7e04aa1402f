"""The lessons in a real browser: each one as a page, one worked through in JupyterLab, progress, links, presentation."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from pyramide_core.ui.lessons import COURSE
from tests.browser.driving import PHONE, ROOT, Pages, screenshot, wait_for_lesson
from tests.lesson_notebooks import LESSONS
from tests.test_lessons_notebooks import ANSWERS, FINDS, GAMES

PROJECTOR = {"width": 1920, "height": 1080}
LAPTOP = {"width": 1366, "height": 768}
EXERCISES = {info.name: info.exercises for info in COURSE}
LAB = "from pyramide_core import serve; raise SystemExit(serve.lab(port=0, open_browser=False))"


def open_lesson(page: Page, name: str, query: str = "") -> Page:
    """Open a lesson as a page and wait until all of it is there."""
    page.goto(f"/voila/render/{name}.ipynb{query}", wait_until="commit")
    wait_for_lesson(page)
    return page


def exercise(page: Page, name: str) -> Locator:
    """Return an exercise: the part of a question, or the head of a task with its board."""
    head = page.locator(f"[data-exercise='{name}']")
    board = page.locator(".py-exercise").filter(has=head)
    return board if name in GAMES or name in FINDS else head


def click_card(board: Locator, card: str) -> None:
    board.locator(f".pyramide-table [data-card='{card}']").click()


def solve(page: Page, name: str) -> None:
    """Solve an exercise with the mouse, and wait until the page says so."""
    part = exercise(page, name)
    if name in ANSWERS:
        part.locator(f"[data-choice='{ANSWERS[name]}']").click()
    elif name in FINDS:
        for card in FINDS[name][0].split():
            click_card(part, card)
    else:
        for word in GAMES[name].split():
            move, _, times = word.partition("*")
            for _time in range(int(times or 1)):
                if move == "D":
                    part.locator(".py-k-stock").click()
                else:
                    for card in move.split("+"):
                        click_card(part, card)
    expect(part.locator(".py-badge")).to_have_text(re.compile("^✓ (Done|Answered)$"))


# Every lesson as a page -----------------------------------------------------------------------------------------------


def check_page(page: Page, name: str) -> None:
    """Check what every page of a lesson has, at the size of its window, and take a picture."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the window"
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('button')].filter(button => button.offsetParent
             && !(button.getAttribute('aria-label') || button.textContent).trim()).map(button => button.outerHTML)"""
    )
    assert nameless == []
    screenshot(page, f"lesson-{name}-{(page.viewport_size or {})['width']}")


@pytest.mark.parametrize("name", ["00_index", *LESSONS])
def test_every_lesson_is_a_page_that_can_be_worked_through(new_page: Pages, name: str) -> None:
    """The page tells of any console error itself: see `new_page`."""
    page = open_lesson(new_page(viewport=LAPTOP), name)
    assert page.title()
    assert page.locator("pre:has-text('import ')").count() == 0, "no code is shown"
    assert page.locator("[data-exercise]").count() == len(EXERCISES.get(name, ()))
    for size in (PHONE, PROJECTOR, LAPTOP):
        page.set_viewport_size(size)
        check_page(page, name)
    names = EXERCISES.get(name, ())
    for done, each in enumerate(names, 1):
        solve(page, each)
        expect(page.locator(".py-part-head [data-role=progress]")).to_have_text(
            f"{done} of {len(names)} exercises done"
        )


def test_a_lesson_is_dark_as_a_whole_and_printed_light(new_page: Pages) -> None:
    lightness = """selector => {
      const { backgroundColor, color } = getComputedStyle(document.querySelector(selector));
      return [backgroundColor, color].map(text => Math.max(...text.match(/\\d+/g).slice(0, 3)) > 127 ? "light" : "dark");
    }"""
    parts = ("body", ".py-part-question", ".pyramide-table")

    def looks(page: Page) -> list[list[str]]:
        return [page.evaluate(lightness, part) for part in parts]

    by_system = open_lesson(new_page(color_scheme="dark"), "05_score_and_time")
    assert looks(by_system) == [["dark", "light"]] * 3
    screenshot(by_system, "lesson-dark")
    by_system.emulate_media(media="print")
    assert looks(by_system) == [["light", "dark"]] * 3
    # What the player has chosen in the options of the game goes first.
    by_system.evaluate("localStorage.setItem('pyramide.preferences', JSON.stringify({theme: 'light'}))")
    by_system.emulate_media(media="screen")
    assert looks(open_lesson(by_system, "05_score_and_time")) == [["light", "dark"]] * 3


def test_any_two_rule_sets_are_laid_side_by_side(new_page: Pages) -> None:
    page = open_lesson(new_page(viewport=LAPTOP), "07_variants")
    both = page.locator(".py-exercise:has(> .py-menus)")
    both.get_by_label("Second rule set").select_option(label="Triangle")
    right = both.locator(".pyramide-table.py-ready").nth(1)
    expect(both.locator("[data-role=note]").nth(1)).to_have_text(re.compile("^Triangle: "))
    # The tip is the last card that is laid: the 28th, 7♠ in this deal.
    expect(right.locator("[data-card='7S']")).to_have_attribute("data-state", "a")
    screenshot(page, "lesson-any-two")


def test_a_lesson_on_a_phone(new_page: Pages) -> None:
    page = open_lesson(new_page(viewport=PHONE), "07_variants")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    solve(page, "three-piles")
    exercise(page, "three-piles").scroll_into_view_if_needed()
    screenshot(page, "lesson-phone")


# What a learner does --------------------------------------------------------------------------------------------------


def test_wrong_answers_and_help_are_shown_and_spoken(new_page: Pages) -> None:
    page = open_lesson(new_page(viewport=LAPTOP), "01_the_table")
    question = exercise(page, "how-many-cover")
    question.locator("[data-choice='2']").click()
    feedback = question.locator("[data-role=feedback]")
    expect(feedback).to_contain_text("A♦ K♠")
    assert feedback.get_attribute("role") == "status"
    expect(question.locator("[data-choice='2']")).to_have_attribute("data-verdict", "wrong")
    expect(question.locator(".py-badge")).to_have_text("")

    find = exercise(page, "find-exposed")
    click_card(find, "KH")
    expect(find.locator("[data-role=message]")).to_contain_text("K♥ is still covered by")

    task = exercise(page, "free-the-ten")
    for words in ("Two cards lie upon", "One of the two is a king", "The next move"):
        task.locator("[data-role=hint]").click()
        expect(task.locator("[data-role=help]")).to_contain_text(words)
    expect(task.locator(".py-lit").first).to_be_visible()


def test_walkthroughs_by_keyboard(new_page: Pages) -> None:
    page = open_lesson(new_page(viewport=LAPTOP), "01_the_table")
    walk = page.locator(".py-part-walkthrough").first
    walk.locator("[data-role=walk-next]").focus()
    for _step in range(3):
        page.keyboard.press("ArrowRight")
    expect(walk.locator(".py-step-place")).to_have_text("Step 4 of 6")
    assert walk.locator(".py-lit").count() == 7
    page.keyboard.press("ArrowLeft")
    expect(walk.locator("[data-role=caption]")).to_contain_text("second row")
    for _step in range(9):
        page.keyboard.press("ArrowRight")
    expect(walk.locator(".py-step-place")).to_have_text("Step 6 of 6")
    expect(walk.locator("[data-role=walk-previous]")).to_be_focused()


def test_progress_survives_and_shows_on_the_map(new_page: Pages, tmp_path: Path) -> None:
    page = open_lesson(new_page(viewport=LAPTOP), "02_pairs")
    solve(page, "partner-of-five")
    solve(page, "both-kings")
    open_lesson(page, "02_pairs")
    expect(page.locator(".py-part-head [data-role=progress]")).to_have_text("2 of 5 exercises done")
    expect(exercise(page, "both-kings").locator(".py-badge")).to_have_text("✓ Solved before")

    page.locator(".py-part-end").get_by_text("Map of the course").click()
    wait_for_lesson(page)
    figure = page.locator("[data-lesson='02_pairs'] [data-role=progress]")
    expect(figure).to_have_text("2 of 5 done")
    screenshot(page, "lessons-map")

    # As a file to another computer: here, what is forgotten and read again.
    with page.expect_download() as download:
        page.locator("[data-role=save]").click()
    file = tmp_path / "progress.json"
    download.value.save_as(file)
    saved = json.loads(file.read_text(encoding="utf-8"))
    assert set(saved["progress"]["02_pairs"]) == {"partner-of-five", "both-kings"}
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("[data-role=forget]").click()
    expect(figure).to_have_text("0 of 5 done")
    page.locator("input[type=file]").set_input_files(file)
    expect(figure).to_have_text("2 of 5 done")
    file.write_text('{"other": 1}', encoding="utf-8")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator("[data-role=said]")).to_have_text("This file holds no progress of Pyramide.")

    page.locator("[data-lesson='03_stock_and_waste'] a").click()
    wait_for_lesson(page)
    assert "03_stock_and_waste" in page.url


# What a teacher does --------------------------------------------------------------------------------------------------


def test_a_link_to_one_task_with_one_deal(new_page: Pages) -> None:
    page = new_page(viewport=LAPTOP, permissions=["clipboard-read", "clipboard-write"])
    open_lesson(page, "02_pairs", "?task=without-the-stock&code=PY1-N-AAAAAAB")
    task = exercise(page, "without-the-stock")
    expect(task.locator("[data-card='7H']")).to_have_attribute("aria-label", re.compile("row 1 of 7"))
    expect(page.locator("[data-exercise]:visible")).to_have_count(1)
    screenshot(page, "lesson-one-task")

    task.locator("summary").click()
    task.locator("[data-role=link]").click()
    copied = task.locator("[data-role=copied]")
    expect(copied).to_contain_text("task=without-the-stock&code=PY1-N-AAAAAAB")
    assert page.evaluate("navigator.clipboard.readText()") == copied.inner_text().removeprefix("Copied: ")
    page.locator("[data-role=whole]").click()
    expect(page.locator("[data-exercise]:visible")).to_have_count(5)


def test_a_sheet_to_print(new_page: Pages, tmp_path: Path) -> None:
    page = open_lesson(new_page(viewport=LAPTOP), "02_pairs")
    task = exercise(page, "without-the-stock")
    task.locator("summary").click()
    for role, name, start in (
        ("sheet", "without-the-stock.pdf", b"%PDF-"),
        ("solved_sheet", "without-the-stock-solution.pdf", b"%PDF-"),
        ("sheet_png", "without-the-stock.png", b"\x89PNG"),
    ):
        with page.expect_download() as download:
            task.locator(f"[data-role={role}]").click()
        assert download.value.suggested_filename == name
        download.value.save_as(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)


def present(page: Page) -> None:
    """Go through a presentation with the keyboard and take pictures."""
    place = page.locator("[data-role=presentation-step]")
    page.locator("[data-role=present]").click()
    expect(place).to_have_text(re.compile(r"Part 1 of \d+"))
    shown = page.locator(".jp-Cell:not(.py-step-hidden):visible")
    while page.locator(".py-part-walkthrough:visible").count() == 0:
        page.keyboard.press("ArrowRight")
    walk = page.locator(".py-part-walkthrough:visible")
    before = place.inner_text()
    page.keyboard.press("ArrowRight")
    expect(walk.locator(".py-step-place")).to_have_text("Step 2 of 6")
    expect(place).to_have_text(before)
    assert shown.count() <= 4, "one section at a time"
    assert walk.locator("[data-role=caption]").evaluate("node => parseFloat(getComputedStyle(node).fontSize)") >= 22
    page.keyboard.press("PageDown")
    expect(walk.locator(".py-step-place")).to_have_text("Step 3 of 6")


def test_presentation_for_a_projector(new_page: Pages) -> None:
    page = open_lesson(new_page(viewport=PROJECTOR), "01_the_table")
    present(page)
    screenshot(page, "lesson-presentation")
    # On to the first exercise: a touch on a card works as ever, and arrow keys move among the cards there.
    while not page.locator("[data-exercise='find-covers']").is_visible():
        page.keyboard.press("PageDown")
    page.wait_for_timeout(300)
    screenshot(page, "lesson-presentation-find")
    solve(page, "find-covers")
    page.keyboard.press("Escape")
    expect(page.locator(".py-presentation")).to_have_count(0)
    expect(page.locator("[data-exercise]:visible")).to_have_count(5)
    expect(page.locator("[data-role=present]")).to_be_focused()


# JupyterLab -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def lab(browser_program: Path, tmp_path: Path) -> Iterator[str]:
    """`pyramide lab` with settings of its own; the address of a notebook's folder with the token."""
    process = subprocess.Popen(
        [sys.executable, "-c", LAB],
        cwd=tmp_path,
        env={
            **os.environ,
            "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime"),
            "JUPYTER_CONFIG_DIR": str(tmp_path / "config"),
            "JUPYTER_DATA_DIR": str(tmp_path / "data"),
            "JUPYTERLAB_WORKSPACES_DIR": str(tmp_path / "workspaces"),
            "JUPYTERLAB_SETTINGS_DIR": str(tmp_path / "settings"),
            "PYTHONPATH": str(ROOT),
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    try:
        said = []
        for line in process.stdout or ():
            said.append(line)
            if found := re.search(r"http://127\.0\.0\.1:\d+/lab\?token=\w+", line):
                break
        else:
            raise RuntimeError("JupyterLab did not start:\n" + "".join(said))
        yield found[0]
    finally:
        process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(20)
        process.kill()


def test_a_lesson_worked_through_in_jupyterlab(browser: Browser, lab: str) -> None:
    pages = Pages(browser, lab)
    page = pages(viewport=LAPTOP)
    page.goto(lab.replace("/lab?", "/lab/tree/01_the_table.ipynb?"), wait_until="commit")
    page.locator(".jp-Notebook .jp-MarkdownCell").first.click()
    page.wait_for_selector("[data-status='idle']", state="attached")
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    wait_for_lesson(page)
    page.locator(".py-part-head").scroll_into_view_if_needed()
    screenshot(page, "lesson-lab")
    for done, name in enumerate(EXERCISES["01_the_table"], 1):
        solve(page, name)
        expect(page.locator(".py-part-end [data-role=progress]")).to_have_text(f"{done} of 5 exercises done")
    page.locator(".py-part-head").scroll_into_view_if_needed()
    present(page)
    screenshot(page, "lesson-lab-presentation")
    page.keyboard.press("Escape")
    expect(page.locator(".py-presentation")).to_have_count(0)
    expect(page.locator(".jp-Notebook .jp-InputArea").first).to_be_visible()
    assert pages.close() == []
