"""A person plays Pyramide with the keyboard alone, and the focus is never lost."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.driving import Pages
from tests.browser.steps import Table, untroubled
from tests.lines import DOCUMENTED, KNOWN, WON_CODE, WON_LINE, stuck


@pytest.fixture
def table(opened: Table, pages: Pages) -> Iterator[Table]:
    """The one page of this module, with the documented deal on it and no focus anywhere."""
    with untroubled(pages):
        opened.deal(DOCUMENTED)
        opened.page.evaluate("document.activeElement.blur()")
        yield opened


def enter(table: Table) -> None:
    """Bring the focus to the cards by the Tab key, as a person must."""
    for _ in range(30):
        table.page.keyboard.press("Tab")
        if table.page.evaluate("document.activeElement.classList.contains('py-card')"):
            return
    raise AssertionError("thirty presses of Tab do not lead to the cards")


FOCUS = """() => {
  const node = document.activeElement;
  const box = node.getBoundingClientRect();
  return [node.dataset.card ?? node.dataset.pile ?? "", box.x + box.width / 2, box.y + box.height / 2];
}"""
TARGET = """name => {
  const node = document.querySelector(`.pyramide-table [data-card="${name}"]`);
  const box = node.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""


def arrow_to(table: Table, card: str) -> None:
    """Go to a card by arrow keys as one does by eye: mostly the longer way first, another way when that leads nowhere."""
    press = table.page.keyboard.press
    x, y = table.page.evaluate(TARGET, card)
    seen: dict[str, int] = {}
    for _ in range(60):
        name, fx, fy = table.page.evaluate(FOCUS)
        if name == card:
            return
        wide, high = x - fx, y - fy
        ways = sorted(
            [
                ("ArrowRight" if wide > 0 else "ArrowLeft", abs(wide)),
                ("ArrowDown" if high > 0 else "ArrowUp", abs(high)),
            ],
            key=lambda way: -way[1],
        )
        visits = seen[name] = seen.get(name, 0) + 1
        press(ways[(visits - 1) % 2][0])
    raise AssertionError(f"the arrow keys do not lead to {card}; on the way: {list(seen)}")


def inside(table: Table) -> bool:
    return bool(
        table.page.evaluate(
            """() => {
                 const node = document.activeElement;
                 const seen = node.checkVisibility({ visibilityProperty: true });
                 return node !== document.body && seen && Boolean(node.closest(".pyramide-table"));
               }"""
        )
    )


def test_a_whole_game_is_won_by_keys_alone(table: Table) -> None:
    table.deal(WON_CODE)
    enter(table)
    for number, move in enumerate(WON_LINE, 1):
        if move in ("D", "R"):
            table.page.keyboard.press("d")
        else:
            for card in move.split("+"):
                arrow_to(table, card)
                table.page.keyboard.press("Enter" if number % 2 else "Space")
        expect(table.role("moves")).to_have_text(str(number))
        assert inside(table), move
    expect(table.dialog.locator("h2")).to_have_text("You have won!")
    assert table.focused() == "new"
    table.expect_figures(280, len(WON_LINE))
    table.page.keyboard.press("Escape")
    expect(table.dialog).to_have_count(0)
    assert inside(table)
    table.page.keyboard.press("n")
    expect(table.dialog).to_be_visible()
    table.page.keyboard.press("Escape")
    expect(table.dialog).to_have_count(0)


def test_the_cards_are_one_stop_of_the_tab_key_and_arrows_go_between_them(table: Table) -> None:
    page = table.page
    enter(table)
    arrow_to(table, "7C")
    page.keyboard.press("ArrowRight")
    assert table.focused() == "10C"
    page.keyboard.press("ArrowUp")
    # The two cards above 10♣ are equally near: the left one is taken, and the way back leads to where it came from.
    assert table.focused() == "QC"
    page.keyboard.press("ArrowDown")
    assert table.focused() == "10C"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Tab")
    assert not table.page.evaluate("document.activeElement.classList.contains('py-place')")
    page.keyboard.press("Shift+Tab")
    assert table.focused() in table.row(7)
    page.keyboard.press("Home")
    assert table.focused() == "JD"
    page.keyboard.press("End")
    assert table.focused() in ("7D", "stock")
    # Every card is reached from the apex by arrow keys alone.
    page.keyboard.press("Home")
    for card in ("7S", "JD", "7D", "9C", "5H", "10D"):
        arrow_to(table, card)


def test_letters_do_what_they_stand_for(table: Table) -> None:
    page = table.page
    enter(table)
    arrow_to(table, "7C")
    page.keyboard.press("d")
    table.expect_figures(0, 1)
    page.keyboard.press("Shift+D")
    table.expect_figures(0, 2)
    page.keyboard.press("u")
    expect(table.message).to_have_text("Taken back: draw.")
    assert table.focused() == "7C"
    page.keyboard.press("n")
    expect(table.dialog).to_be_visible()
    expect(table.field("code")).to_be_focused()
    page.keyboard.type("dunh")
    expect(table.field("code")).to_have_value("dunh")
    page.keyboard.press("Escape")
    expect(table.dialog).to_have_count(0)
    assert table.focused() == "7C"
    table.expect_figures(0, 2)
    # With Ctrl or Alt a letter is the browser's.
    page.keyboard.press("Alt+d")
    page.wait_for_timeout(200)
    table.expect_figures(0, 2)


@pytest.mark.parametrize("letter", ["в", "ก"], ids=["Ukrainian", "Thai"])
def test_a_letter_counts_by_its_place_on_a_keyboard_of_another_alphabet(table: Table, letter: str) -> None:
    enter(table)
    press = (
        "(document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: '%s', code: 'KeyD', bubbles: true})))"
    )
    table.page.evaluate(press % letter)
    table.expect_figures(0, 1)
    # A key that has a Latin letter is that letter, wherever it lies.
    table.page.evaluate(press % "u")
    expect(table.message).to_have_text("Taken back: draw.")


def test_keys_do_nothing_while_the_focus_is_elsewhere(table: Table) -> None:
    assert table.focused() == "outside"
    for key in ("d", "n", "ArrowLeft", "Enter"):
        table.page.keyboard.press(key)
    table.page.wait_for_timeout(300)
    table.expect_figures(0, 0)
    expect(table.dialog).to_have_count(0)


def test_the_focus_goes_to_a_near_card_when_its_card_is_gone_and_stays_when_it_comes_back(table: Table) -> None:
    page = table.page
    enter(table)
    arrow_to(table, "KD")
    page.keyboard.press("Enter")
    table.expect_figures(10, 1)
    assert table.focused() in ("7S", "3S")
    arrow_to(table, "10C")
    page.keyboard.press("Enter")
    arrow_to(table, "3S")
    page.keyboard.press("Enter")
    table.expect_figures(30, 2)
    assert inside(table)
    before = table.focused()
    page.keyboard.press("u")
    table.expect_figures(10, 2)
    assert table.focused() == before


def test_a_played_waste_card_keeps_the_focus_on_its_pile(table: Table) -> None:
    table.deal(KNOWN.code)
    table.go_to(f"{KNOWN.code} D*5")
    enter(table)
    arrow_to(table, "10C")
    table.page.keyboard.press("Enter")
    arrow_to(table, "3C")
    table.page.keyboard.press("Enter")
    table.expect_figures(10, 6)
    assert table.focused() == "QD"


def test_no_button_that_becomes_useless_takes_the_focus_with_it(table: Table) -> None:
    page = table.page
    enter(table)
    page.keyboard.press("d")
    table.expect_figures(0, 1)
    table.role("undo").focus()
    page.keyboard.press("Enter")
    expect(table.role("undo")).to_be_disabled()
    assert inside(table)
    page.keyboard.press("d")
    table.expect_figures(0, 2)
    # The last stock card: the stock becomes the button that recycles, and keeps the focus.
    table.go_to(f"{DOCUMENTED} D*22")
    table.stock.focus()
    page.keyboard.press("Enter")
    expect(table.stock).to_have_attribute("data-state", "r")
    assert table.focused() == "stock"
    page.keyboard.press("Space")
    expect(table.stock).to_have_attribute("data-state", "a")
    assert table.focused() == "stock"


def test_a_pause_and_the_panel_of_a_dead_end_are_left_by_keys(table: Table) -> None:
    page = table.page
    deal, line = stuck()
    table.go_to(f"{deal.code} {' '.join(line[:-1])}")
    enter(table)
    arrow_to(table, line[-1])
    page.keyboard.press("Enter")
    expect(table.dialog.locator("h2")).to_have_text("No more moves can be made")
    assert table.focused() == "undo"
    page.keyboard.press("Enter")
    expect(table.dialog).to_have_count(0)
    table.expect_figures(200, 47)
    assert inside(table)
    table.role("pause").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".py-cover")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".py-cover")).to_be_hidden()
    assert inside(table)


def test_a_hint_is_asked_for_by_its_letter_and_lights_the_cards(table: Table) -> None:
    table.deal(WON_CODE)
    table.go_to(f"{WON_CODE} {' '.join(WON_LINE[:-2])}")
    enter(table)
    table.page.keyboard.press("h")
    # The two last cards of the line are kings, and nothing else is left.
    expect(table.root.locator(".py-lit")).to_have_count(1)
    lit = table.root.locator(".py-lit").get_attribute("data-card")
    assert lit in WON_LINE[-2:]
    words = table.message.inner_text()
    assert "king" in words.lower()
    table.page.keyboard.press("h")
    expect(table.message).not_to_have_text(words)
    assert inside(table)
    table.touch(lit or "")
    expect(table.root.locator(".py-lit")).to_have_count(0)


def test_every_control_has_a_name(table: Table) -> None:
    nameless = """() => [...document.querySelectorAll(".pyramide-table :is(button, input, select, textarea, a)")]
      .filter(node => node.checkVisibility({ visibilityProperty: true }))
      .filter(node => !(node.getAttribute("aria-label") || node.labels?.length || node.textContent.trim()))
      .map(node => node.outerHTML)"""
    assert table.page.evaluate(nameless) == []
    for role in ("new-game", "options", "transcript", "rules"):
        table.open(role)
        assert table.page.evaluate(nameless) == [], role
        table.answer("close")
    snapshot = table.root.aria_snapshot()
    for name in ("Stock, 23 cards: draw", "Waste: 7 of diamonds", "king of diamonds, row 7 of 7, available"):
        assert name.lower() in snapshot.lower()
