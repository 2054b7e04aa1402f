"""A person plays Pyramide with the mouse, in the real page."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.driving import DESKTOP, PHONE, Pages, boxes, readme_picture, screenshot
from tests.browser.steps import Table, open_table, untroubled
from tests.lines import DOCUMENTED, DOCUMENTED_ROWS, KNOWN, WON_CODE, WON_LINE, stuck


@pytest.fixture(scope="module")
def opened(pages: Pages) -> Table:
    return open_table(pages, f"?code={DOCUMENTED}", permissions=["clipboard-read", "clipboard-write"])


@pytest.fixture
def table(opened: Table, pages: Pages) -> Iterator[Table]:
    """The one page of this module, with the documented deal on it."""
    with untroubled(pages):
        opened.deal(DOCUMENTED)
        yield opened


def test_the_documented_opening(table: Table) -> None:
    assert [tuple(table.row(number)) for number in range(1, 8)] == list(DOCUMENTED_ROWS)
    expect(table.stock).to_have_attribute("data-count", "23")
    expect(table.pile("waste")).to_have_attribute("data-card", "7D")
    expect(table.role("code")).to_contain_text(DOCUMENTED)
    assert table.states() == "b" * 21 + "a" * 7
    table.touch("KD")
    table.expect_figures(10, 1)
    table.touch("10C")
    expect(table.card("10C")).to_have_attribute("data-state", "s")
    expect(table.card("10C")).to_have_attribute("aria-pressed", "true")
    table.touch("3S")
    table.expect_figures(30, 2)
    assert table.row(7) == ["7C", "3H", "4H", "7S"]
    expect(table.stock).to_have_attribute("data-count", "23")
    expect(table.pile("waste")).to_have_attribute("data-card", "7D")
    expect(table.pile("foundation")).to_have_attribute("data-count", "3")
    expect(table.card("KD")).to_have_count(0)


def test_a_wrong_sum_is_told_and_the_second_card_stays_selected(table: Table) -> None:
    table.touch("7C", "7S")
    expect(table.message).to_have_text("The sum must be 13")
    expect(table.card("7S")).to_have_attribute("data-state", "s")
    expect(table.card("7C")).to_have_attribute("data-state", "a")
    table.touch("7S")
    expect(table.card("7S")).to_have_attribute("data-state", "a")
    table.expect_figures(0, 0)


def test_a_blocked_card_is_explained_only_with_the_error_help(table: Table) -> None:
    table.touch("7C")
    expect(table.message).to_have_text("7 of clubs selected.")
    table.touch("QC")
    # The touch does nothing at all: not even the words of the touch before are taken for its own.
    expect(table.message).to_have_text("")
    table.open("options")
    table.field("error_help").check()
    table.answer("close")
    table.touch("QC")
    expect(table.message).to_have_text("This card is blocked by another card")
    expect(table.card("7C")).to_have_attribute("data-state", "s")
    expect(table.card("QC")).to_have_attribute("data-state", "b")
    table.open("options")
    table.field("error_help").uncheck()
    table.answer("close")
    table.touch("QC")
    expect(table.message).to_have_text("")


def test_the_stock_is_drawn_and_recycled_in_the_same_order(table: Table) -> None:
    table.deal(KNOWN.code)
    table.go_to(f"{KNOWN.code} D*22")
    expect(table.stock).to_have_attribute("data-count", "1")
    table.play("D")
    expect(table.pile("waste")).to_have_attribute("data-card", "9S")
    expect(table.stock).to_have_attribute("data-state", "r")
    expect(table.stock).to_have_attribute("aria-label", "Stock is empty: recycle 24 waste cards")
    table.play("R")
    expect(table.stock).to_have_attribute("data-count", "24")
    expect(table.pile("waste")).to_have_attribute("aria-label", "Waste: empty")
    for card in ("7D", "6D", "6S"):
        table.play("D")
        expect(table.pile("waste")).to_have_attribute("data-card", card)
    table.expect_figures(0, 27)


def test_undo_gives_the_points_back_and_the_counter_stays(table: Table) -> None:
    expect(table.role("undo")).to_be_disabled()
    table.play("KD 10C+3S")
    table.role("undo").click()
    table.expect_figures(10, 2)
    assert table.row(7) == ["7C", "10C", "3H", "4H", "3S", "7S"]
    table.role("undo").click()
    table.expect_figures(0, 2)
    assert table.row(7) == list(DOCUMENTED_ROWS[-1])
    expect(table.role("undo")).to_be_disabled()


def test_no_more_moves_offers_undo_and_a_new_game(table: Table) -> None:
    deal, line = stuck()
    table.go_to(f"{deal.code} {' '.join(line[:-1])}")
    table.touch(line[-1])
    expect(table.dialog).to_be_visible()
    expect(table.dialog.locator("h2")).to_have_text("No more moves can be made")
    expect(table.dialog).to_contain_text("8 cards are left in the pyramid.")
    table.answer("undo")
    expect(table.pile("waste")).to_have_attribute("data-card", line[-1])
    table.expect_figures(200, 47)
    table.touch(line[-1])
    expect(table.dialog.locator("h2")).to_have_text("No more moves can be made")
    table.expect_figures(200, 48)
    screenshot(table.page, "dead-end")
    table.answer("new")
    table.expect_figures(0, 0)
    expect(table.role("code")).not_to_contain_text(deal.code)


def test_a_won_game_shows_its_figures(table: Table) -> None:
    table.go_to(f"{WON_CODE} {' '.join(WON_LINE[:-1])}")
    table.touch(WON_LINE[-1])
    expect(table.dialog.locator("h2")).to_have_text("You have won!")
    figures = dict(
        zip(table.dialog.locator("dt").all_inner_texts(), table.dialog.locator("dd").all_inner_texts(), strict=True)
    )
    assert (figures["Score"], figures["Moves"]) == ("280", str(len(WON_LINE)))
    screenshot(table.page, "won")
    table.answer("close")
    expect(table.role("undo")).to_be_disabled()
    assert table.states() == "." * 28


# Codes and decks ---------------------------------------------------------------------------------------------------


def test_the_code_is_copied(table: Table) -> None:
    table.role("code").click()
    expect(table.message).to_have_text(f"Copied: {DOCUMENTED}")
    assert table.page.evaluate("navigator.clipboard.readText()") == DOCUMENTED


@pytest.mark.parametrize("text", ["py1–n–aaaaaaj", " PY1 - N - AAAA AAJ "])
def test_a_code_is_read_in_any_dress(table: Table, text: str) -> None:
    table.open("new-game")
    table.field("code").fill(text)
    table.page.keyboard.press("Enter") if text.startswith("py1") else table.action("deal").click()
    expect(table.dialog).to_have_count(0)
    expect(table.role("code")).to_contain_text("PY1-N-AAAAAAJ")
    expect(table.page).to_have_url(re.compile(r"\?code=PY1-N-AAAAAAJ$"))


def test_a_wrong_code_keeps_the_window_and_the_text(table: Table) -> None:
    table.open("new-game")
    wrong = {
        "XY1-N-AAAAAAS": "PY1",
        "PY1-N-AAAAA0S": "0",
        "PY1-N-AAA": "7",
        " ".join(DOCUMENTED_ROWS[-1]): "Missing",
        KNOWN.text.replace("JD", "JX"): "Card 1 cannot be read: “JX”",
        KNOWN.text.replace("JD", "6C", 1): "6♣",
    }
    for text, reason in wrong.items():
        table.field("code").fill(text)
        # Typing takes the words about the text before away.
        expect(table.problem("code")).to_have_text("")
        table.action("deal").click()
        expect(table.problem("code")).to_contain_text(reason)
        expect(table.field("code")).to_have_value(text)
        expect(table.field("code")).to_have_attribute("aria-invalid", "true")
        expect(table.field("code")).to_be_focused()
    screenshot(table.page, "new-game-problem")
    table.field("code").fill(KNOWN.text)
    table.answer("deal")
    assert table.row(1) == ["JD"]
    expect(table.role("code")).to_contain_text("PY1-X-")
    expect(table.pile("waste")).to_have_attribute("data-card", "7D")
    table.play("D")
    expect(table.pile("waste")).to_have_attribute("data-card", "6D")


def test_an_empty_field_deals_at_random_and_restart_deals_the_same(table: Table) -> None:
    codes = {DOCUMENTED}
    for _ in range(2):
        table.deal()
        codes.add(table.role("code").inner_text())
    assert len(codes) == 3
    cards = [table.row(number) for number in range(1, 8)]
    table.play("D D")
    table.role("restart").click()
    table.expect_figures(0, 0)
    assert [table.row(number) for number in range(1, 8)] == cards
    expect(table.stock).to_have_attribute("data-count", "23")


# The clock ---------------------------------------------------------------------------------------------------------

HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_the_clock_runs_from_the_first_action_and_stands_while_hidden_or_paused(table: Table) -> None:
    page = table.page
    page.wait_for_timeout(1100)
    assert table.time() == 0
    table.play("KD")
    expect(table.role("time")).not_to_have_text("0:00")
    page.evaluate(HIDE, True)
    page.wait_for_timeout(300)
    hidden_at = table.time()
    page.wait_for_timeout(1500)
    assert table.time() == hidden_at
    page.evaluate(HIDE, False)
    page.wait_for_timeout(300)
    assert table.time() <= hidden_at + 1
    table.role("pause").click()
    expect(page.locator(".py-cover")).to_be_focused()
    expect(table.pile("pyramid").first).to_be_hidden()
    paused_at = table.time()
    page.keyboard.press("d")
    page.wait_for_timeout(1500)
    assert table.time() == paused_at
    screenshot(page, "paused")
    page.locator(".py-cover").click()
    expect(table.card("7S")).to_be_visible()
    table.expect_figures(10, 1)
    table.play("D")
    expect(table.role("time")).not_to_have_text(f"{paused_at // 60}:{paused_at % 60:02d}")


# The look ----------------------------------------------------------------------------------------------------------

OVERFLOW = """() => [document.scrollingElement, document.querySelector(".pyramide-table")].flatMap(
  node => [node.scrollHeight - node.clientHeight, node.scrollWidth - node.clientWidth])"""


def test_the_pyramid_does_not_move_when_cards_go(table: Table) -> None:
    away = lambda: table.page.mouse.move(640, 640)  # noqa: E731 - a card under the mouse is lifted
    away()
    table.page.wait_for_timeout(250)
    before = boxes(table.page, ".py-card, .py-bar, .py-message, .py-actions")
    table.play("KD 10C+3S D")
    away()
    table.page.wait_for_timeout(250)
    assert boxes(table.page, ".py-card, .py-bar, .py-message, .py-actions") == before


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_table_fits_its_window(table: Table, size: str, scheme: str) -> None:
    page = table.page
    page.set_viewport_size(DESKTOP if size == "desktop" else PHONE)
    page.emulate_media(color_scheme=scheme)
    table.play("KD 10C+3S")
    table.touch("7S")
    page.mouse.move(2, 300)
    page.wait_for_timeout(250)
    assert page.evaluate(OVERFLOW) == [0, 0, 0, 0]
    assert min(width for _x, _y, width, _height in boxes(page, ".py-card")) >= 40
    dark = page.evaluate("getComputedStyle(document.querySelector('.pyramide-table')).colorScheme")
    assert dark == scheme
    (readme_picture if (size, scheme) == ("desktop", "light") else screenshot)(
        page, "table" if (size, scheme) == ("desktop", "light") else f"table-{size}-{scheme}"
    )
    page.set_viewport_size(DESKTOP)
    page.emulate_media(color_scheme="light")


def test_the_look_is_chosen_in_the_options_and_kept(table: Table) -> None:
    table.open("options")
    for name, value in {"theme": "dark", "colours": "four", "cards": "large"}.items():
        table.dialog.locator(f'[name="{name}"][value="{value}"]').check()
        expect(table.root).to_have_attribute(f"data-{name}", value)
    screenshot(table.page, "options-dark")
    table.answer("close")
    page = table.page
    assert page.evaluate("getComputedStyle(document.querySelector('.pyramide-table')).colorScheme") == "dark"
    colours = {
        suit: table.card(card).evaluate("node => getComputedStyle(node).color")
        for suit, card in {"C": "7C", "H": "3H", "S": "7S", "D": "KD"}.items()
    }
    assert len(set(colours.values())) == 4
    screenshot(page, "four-colours-large-dark")
    kept = page.evaluate("JSON.parse(localStorage.getItem('pyramide.preferences'))")
    assert (kept["theme"], kept["colours"], kept["cards"]) == ("dark", "four", "large")
    table.open("options")
    for name, value in {"theme": "auto", "colours": "two", "cards": "normal"}.items():
        table.dialog.locator(f'[name="{name}"][value="{value}"]').check()
        expect(table.root).not_to_have_attribute(f"data-{name}", "dark")
    table.answer("close")


# Links -------------------------------------------------------------------------------------------------------------


def test_a_link_opens_a_deal_under_other_rules(pages: Pages) -> None:
    with untroubled(pages):
        table = open_table(pages, "?code=py1-n-aaaaaas&rules=thirteen")
        assert table.row(7) == list(DOCUMENTED_ROWS[-1])
        expect(table.stock).to_have_attribute("data-count", "24")
        expect(table.rules_name).to_have_text("Thirteen")
        expect(table.page).to_have_url(re.compile(rf"\?code={DOCUMENTED}&rules=thirteen$"))
        table.page.close()


def test_a_bad_link_says_so_beside_a_board_that_can_be_played(pages: Pages) -> None:
    with untroubled(pages):
        table = open_table(pages, "?code=PY1-N-AAAAAA0&rules=poker")
        expect(table.message).to_contain_text("There is no rule set “poker”")
        expect(table.message).to_contain_text("This is a new deal instead.")
        expect(table.message).to_have_attribute("data-kind", "warning")
        table.play("D")
        expect(table.stock).to_have_attribute("data-count", "22")
        table.page.close()
