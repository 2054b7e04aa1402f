"""Games as text in the real page: copied, saved, opened, pasted, watched move by move, and played on."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.driving import DESKTOP, PHONE, Pages, screenshot
from tests.browser.steps import Table, open_table, untroubled
from tests.lines import DOCUMENTED, DOCUMENTED_ROWS, KNOWN, WON_CODE, WON_LINE

LINE = f"{KNOWN.code}\n\n1. KD 10C+3S D*4 U\n5. D"
"""Eight entries: two removals, four draws, an undo, a draw."""


@pytest.fixture(scope="module")
def opened(pages: Pages) -> Table:
    return open_table(pages, f"?code={DOCUMENTED}", permissions=["clipboard-read", "clipboard-write"])


@pytest.fixture
def table(opened: Table, pages: Pages) -> Iterator[Table]:
    """The one page of this module, with the documented deal and two removals on it."""
    with untroubled(pages):
        opened.deal(DOCUMENTED)
        opened.play("KD 10C+3S")
        yield opened


def place(table: Table) -> tuple[int, int]:
    """Where the replay stands: entries played, entries in all."""
    at, count = table.role("replay-place").inner_text().split(" / ")
    return int(at), int(count)


def expect_place(table: Table, at: int, count: int = 8) -> None:
    expect(table.role("replay-place")).to_have_text(f"{at} / {count}")
    expect(table.role("replay-slider")).to_have_js_property("value", str(at))


def test_a_game_is_copied_and_saved_as_text(table: Table, tmp_path: Path) -> None:
    table.play("D")
    table.role("undo").click()
    expect(table.message).to_have_text("Taken back: draw.")
    table.open("transcript")
    text = table.field("transcript").input_value()
    header, moves = text.split("\n\n")
    fields = dict(line.split(": ", 1) for line in header.splitlines())
    assert (fields["Code"], fields["Rules"], fields["Result"]) == (DOCUMENTED, "pyramide", "unfinished")
    assert (fields["Score"], fields["Moves"]) == ("30", "3")
    assert moves.split() == ["1.", "KD", "10C+3S", "D", "U"]
    screenshot(table.page, "transcript")
    table.action("copy_transcript").click()
    table.page.wait_for_function("async text => (await navigator.clipboard.readText()) === text", arg=text)
    with table.page.expect_download() as download:
        table.action("save_transcript").click()
    assert download.value.suggested_filename == f"{DOCUMENTED}.txt"
    saved = tmp_path / "game.txt"
    download.value.save_as(saved)
    assert saved.read_text(encoding="utf-8") == text
    # A saved file is opened again, in place of whatever stands in the field.
    table.field("transcript").fill("something else")
    table.dialog.locator("input[type=file]").set_input_files(saved)
    expect(table.field("transcript")).to_have_value(text)
    table.answer("replay")
    expect_place(table, 0, 4)
    table.role("replay-leave").click()
    table.expect_figures(30, 3)


def test_a_mistake_is_told_with_its_place_and_nothing_typed_is_lost(table: Table) -> None:
    table.open("transcript")
    wrong = {
        f"Code: {DOCUMENTED}\n\n1. KD 10C+3X": ("Line 3", "“10C+3X”"),
        f"Code: {DOCUMENTED}\nColour: red\n\n1. KD": ("Line 2", "“Colour”"),
        "Code: PY1-N-AAAAAA0": ("Line 1", "0"),
        f"{DOCUMENTED} KD 10C+4H": ("Move 2", "The sum must be 13"),
        f"{DOCUMENTED} KD QC+AD": ("Move 2", "Q♣ is not available"),
        f"{DOCUMENTED} R": ("Move 1", "The stock is not empty yet"),
    }
    for text, reasons in wrong.items():
        table.field("transcript").fill(text)
        table.action("replay").click()
        for reason in reasons:
            expect(table.problem("transcript")).to_contain_text(reason)
        expect(table.field("transcript")).to_have_value(text)
        expect(table.field("transcript")).to_be_focused()
    screenshot(table.page, "transcript-problem")
    table.answer("close")
    table.expect_figures(30, 2)


def test_a_replay_is_gone_through_in_every_way(table: Table) -> None:
    table.watch(LINE)
    role = table.role
    expect_place(table, 0)
    expect(role("replay-next")).to_be_focused()
    for useless in ("replay-first", "replay-previous"):
        expect(role(useless)).to_be_disabled()
    assert table.row(7) == list(DOCUMENTED_ROWS[-1])
    role("replay-next").click()
    expect_place(table, 1)
    table.expect_figures(10, 1)
    role("replay-next").click()
    expect_place(table, 2)
    expect(table.message).to_have_text("10 of clubs and 3 of spades removed. 25 cards left.")
    role("replay-last").click()
    expect_place(table, 8)
    table.expect_figures(30, 7)
    expect(role("replay-next")).to_be_disabled()
    expect(role("replay-slider")).to_be_focused()
    role("replay-previous").click()
    expect_place(table, 7)
    expect(table.message).to_have_text("Taken back: draw.")
    role("replay-slider").fill("6")
    expect_place(table, 6)
    expect(table.pile("waste")).to_have_attribute("data-card", "QD")
    role("replay-slider").focus()
    table.page.keyboard.press("ArrowLeft")
    expect_place(table, 5)
    role("replay-first").click()
    expect_place(table, 0)
    table.expect_figures(0, 0)
    # A touch changes nothing and says how to go on.
    table.touch("KD")
    expect(table.message).to_contain_text("This is a replay.")
    table.expect_figures(0, 0)
    role("replay-leave").click()
    table.expect_figures(30, 2)
    expect(role("code")).to_contain_text(DOCUMENTED)
    expect(table.message).to_have_text("Back in the game.")
    expect(role("undo")).to_be_enabled()
    assert table.row(7) == ["7C", "3H", "4H", "7S"]
    assert table.focused() != "outside"


def test_a_replay_plays_by_itself_at_a_speed(table: Table) -> None:
    table.watch(LINE)
    table.role("replay-speed").select_option("4")
    play = table.role("replay-play")
    expect(play).to_have_attribute("aria-label", "Play the moves")
    play.click()
    expect(play).to_have_attribute("aria-label", "Hold")
    expect(table.role("replay-place")).not_to_have_text("0 / 8")
    play.click()
    expect(play).to_have_attribute("aria-label", "Play the moves")
    # The step that was on its way when the hold was pressed may still come.
    held = (-1, -1)
    while held != (held := place(table)):
        table.page.wait_for_timeout(600)
    assert 0 < held[0] < 8
    table.page.wait_for_timeout(600)
    assert place(table) == held
    play.click()
    expect_place(table, 8)
    # At the end it holds by itself, and starts from there no more.
    expect(play).to_have_attribute("aria-label", "Play the moves")
    table.role("replay-leave").click()
    expect(table.role("undo")).to_be_visible()


def test_a_game_is_played_on_from_any_moment(table: Table) -> None:
    table.watch(LINE)
    table.role("replay-slider").fill("6")
    expect_place(table, 6)
    table.role("replay-go-on").click()
    expect(table.role("replay-place")).to_be_hidden()
    expect(table.message).to_have_text("The game is yours from here.")
    table.expect_figures(30, 6)
    expect(table.page).to_have_url(re.compile(re.escape(KNOWN.code)))
    table.play("D")
    for _ in range(7):
        table.role("undo").click()
    expect(table.role("undo")).to_be_disabled()
    table.expect_figures(0, 7)
    assert table.row(7) == list(DOCUMENTED_ROWS[-1])


def test_a_replay_under_other_rules_and_back(table: Table) -> None:
    table.watch(f"{KNOWN.code} giza 6S+7S 6D+7C")
    expect(table.rules_name).to_have_text("Giza")
    expect(table.pile("reserve")).to_have_count(24)
    table.role("replay-last").click()
    expect(table.card("7D")).to_have_attribute("data-state", "a")
    table.role("replay-leave").click()
    expect(table.rules_name).to_have_text("Pyramide")
    expect(table.pile("pyramid").and_(table.page.locator("[data-card]"))).to_have_count(25)
    table.expect_figures(30, 2)
    table.play("D")


def test_a_won_game_is_watched_to_its_end_and_fits_a_phone(table: Table) -> None:
    page = table.page
    table.watch(f"{WON_CODE} {' '.join(WON_LINE)}")
    table.role("replay-slider").fill("20")
    expect_place(table, 20, len(WON_LINE))
    screenshot(page, "replay-desktop")
    page.set_viewport_size(PHONE)
    over = page.evaluate(
        """[document.scrollingElement, document.querySelector(".pyramide-table")].flatMap(
             node => [node.scrollHeight - node.clientHeight, node.scrollWidth - node.clientWidth])"""
    )
    screenshot(page, "replay-phone")
    assert over == [0, 0, 0, 0]
    table.role("replay-last").click()
    table.expect_figures(280, len(WON_LINE))
    expect(table.dialog).to_have_count(0)
    page.set_viewport_size(DESKTOP)
    table.role("replay-leave").click()
    table.expect_figures(30, 2)
