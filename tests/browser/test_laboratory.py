"""The laboratory page in the browser: a study by keyboard alone, the interval shrinking, stopping, plots, saving."""

import io
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Download, Page, expect

from tests.browser.driving import PHONE, Pages, screenshot

ADDRESS = "/voila/render/laboratory.ipynb"
BAND = ".py-lab-band >> nth=0"


def open_laboratory(page: Page) -> Page:
    page.goto(ADDRESS)
    page.get_by_role("button", name="Start").wait_for()
    return page


@pytest.fixture
def laboratory(page: Page) -> Page:
    return open_laboratory(page)


def choose(page: Page, **fields: Any) -> None:
    """Tick just these boxes of the groups named, and fill the other fields."""
    for group in ("rules", "measures", "players"):
        for box in page.locator(f"input[name={group}]").all():
            box.set_checked(box.get_attribute("value") in fields.get(group, []))
    for name in ("more", "deals", "seed"):
        page.locator(f"input[name={name}]").fill(str(fields.get(name, "")))


def run_study(page: Page, **fields: Any) -> None:
    choose(page, **fields)
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("status")).to_contain_text("Done.")


def saved(page: Page, label: str) -> tuple[str, bytes]:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=label).click()
    download: Download = waiting.value
    return download.suggested_filename, Path(download.path()).read_bytes()


def row(page: Page, table: str, name: str) -> list[str]:
    return page.get_by_role("table", name=table).get_by_role("row", name=name).locator("td").all_inner_texts()


def test_a_study_by_keyboard_alone(laboratory: Page) -> None:
    page = laboratory
    page.get_by_label("Number of deals").focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("300")
    # Backwards through the fields to the players, and Greedy on.
    greedy = page.get_by_role("checkbox", name="Greedy")
    for _step in range(20):
        if greedy.evaluate("node => node === document.activeElement"):
            break
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Done. Deals in the table: 600.")
    expect(page.locator("[data-role=progress]")).to_have_text("600 of 600 deals")
    cells = row(page, "How many deals can be won", "Pyramide")
    assert cells[0] == "300"
    assert int(cells[1]) + int(cells[2]) + int(cells[3]) == 300
    # The documented shares of both rule sets lie far within three standard errors of 300 deals.
    assert 0.55 < int(cells[1]) / 300 < 0.78
    assert len(row(page, "How the players did", "Thirteen Greedy")) > 5
    screenshot(page, "laboratory")


def test_the_interval_shrinks_while_the_study_runs_and_stops_when_told(laboratory: Page) -> None:
    page = laboratory
    choose(page, rules=["pyramide"], players=["look_ahead"], deals=100_000, seed=0)
    page.get_by_role("button", name="Start").click()
    widths = []
    for _look in range(240):
        page.wait_for_timeout(250)
        band = page.locator(BAND)
        if band.count():
            widths.append(float(band.evaluate("node => parseFloat(node.style.width)")))
        if len(set(widths)) >= 3:
            break
    assert len(set(widths)) >= 3
    assert widths[-1] < widths[0]
    expect(page.get_by_role("button", name="Start")).to_be_disabled()
    # The page answers while the study runs: another plot is chosen.
    page.get_by_label("Plot").select_option(label="Where games get stuck")
    expect(page.get_by_role("img", name="Where games get stuck; Pyramide; Look ahead; row 1:")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("status")).to_contain_text("Stopped.")
    expect(page.get_by_role("button", name="Start")).to_be_enabled()


def test_rule_sets_are_compared_and_saved(laboratory: Page) -> None:
    page = laboratory
    run_study(
        page, rules=["pyramide", "giza"], more="thirteen,passes=2", players=["greedy", "random"], deals=40, seed=7
    )
    table = page.get_by_role("table", name="How the players did")
    # The line of heads, and three rule sets with two players each.
    expect(table.get_by_role("row")).to_have_count(7)
    name, content = saved(page, "Table as CSV")
    assert name == "pyramide-study.csv"
    frame = pd.read_csv(io.BytesIO(content))
    assert len(frame) == 3 * 40
    assert set(frame["rules"]) == {"pyramide", "giza", "mix,draws_at_start=0,passes=2"}
    assert sorted(set(frame["seed"])) == list(range(7, 47))
    name, content = saved(page, "Table as Parquet")
    again = pq.read_table(io.BytesIO(content)).to_pandas()
    assert again["greedy_won"].tolist() == frame["greedy_won"].tolist()
    page.get_by_label("Plot").select_option(label="Cards left at the end")
    page.get_by_label("Rule set", exact=True).select_option(label="Giza")
    expect(page.get_by_role("img", name="Cards left at the end; Giza")).to_be_visible()
    name, content = saved(page, "Plot as PNG")
    assert (name, content[:8]) == ("cards_left.png", b"\x89PNG\r\n\x1a\n")
    name, content = saved(page, "Plot as SVG")
    assert name == "cards_left.svg"
    assert b"<svg" in content
    screenshot(page, "laboratory-compare")


WRONG = [
    ({"rules": ["pyramide"], "players": ["greedy"], "deals": "many"}, "The number of deals is a number from 1 to"),
    ({"rules": [], "players": ["greedy"], "deals": 5}, "A study needs a rule set."),
    ({"rules": ["pyramide"], "deals": 5}, "A study must measure something"),
    ({"rules": ["pyramide"], "more": "patience", "players": ["greedy"], "deals": 5}, "There is no rule set “patience”"),
]


def test_what_is_wrong_is_said_and_the_page_fits_a_phone(new_page: Pages) -> None:
    page = open_laboratory(new_page(viewport=PHONE))
    for fields, complaint in WRONG:
        choose(page, **{"seed": 0, **fields})
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_role("status")).to_contain_text(complaint)
    run_study(page, rules=["pyramide"], players=["greedy"], deals=20, seed=0)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    screenshot(page, "laboratory-phone")
    assert nameless(page) == []


def nameless(page: Page) -> list[str]:
    """Return the controls of the page that have no accessible name."""
    controls = page.locator(".py-lab :is(input, select, button, img, progress, table)")
    found: list[str] = controls.evaluate_all(
        """nodes => nodes.filter(node => !(node.labels?.length || node.ariaLabel || node.alt ||
             (node.tagName === "BUTTON" && node.textContent) || node.caption)).map(node => node.outerHTML)"""
    )
    return found
