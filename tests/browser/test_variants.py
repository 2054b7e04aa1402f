"""What each rule set shows on the table, and rules of one's own, in the real page.

The deal is always the documented pyramid over a known talon, so that each expectation follows from the rules alone.
"""

import contextlib
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import TimeoutError as TooLate
from playwright.sync_api import ViewportSize, expect

from pyramide_core.rules import VARIANTS
from tests.browser.driving import DESKTOP, PATIENCE_MS, PHONE, Pages, boxes, open_game, screenshot
from tests.browser.steps import Table, open_table, untroubled
from tests.lines import DOCUMENTED_ROWS, KNOWN, TALON


@pytest.fixture(scope="module")
def opened(pages: Pages) -> Table:
    return open_table(pages, reduced_motion="reduce")


@pytest.fixture
def table(opened: Table, pages: Pages) -> Iterator[Table]:
    with untroubled(pages):
        yield opened


WASTE = "[...document.querySelectorAll('.pyramide-table [data-pile=waste]')].map(node => node.dataset.card ?? null)"


def expect_waste(table: Table, *tops: str | None) -> None:
    """Wait for the top card of each waste pile, from left to right."""
    with contextlib.suppress(TooLate):
        table.page.wait_for_function(f"tops => {WASTE}.join() === tops.join()", arg=tops, timeout=PATIENCE_MS)
    assert table.page.evaluate(WASTE) == list(tops)


def expect_note(table: Table, text: str) -> None:
    """Wait for what stands below the stock besides its name."""
    expect(table.stock.locator("..")).to_have_attribute("data-note", text)


def test_classic_has_a_reset_button_where_the_stock_was(table: Table) -> None:
    table.deal(KNOWN.code, "classic")
    expect(table.stock).to_have_attribute("data-count", "24")
    expect_waste(table, None)
    place = table.stock.bounding_box()
    table.play("KD")
    expect(table.pile("foundation")).to_have_attribute("aria-label", "Foundation: 1 card removed")
    table.role("undo").click()
    # An undo counts as a move here.
    table.expect_figures(0, 2)
    table.go_to(f"{KNOWN.code} classic D*24")
    expect(table.stock).to_have_attribute("data-state", "r")
    expect(table.stock).to_have_attribute("aria-label", "Stock is empty: recycle 24 waste cards")
    assert table.stock.bounding_box() == place
    screenshot(table.page, "classic-reset")
    table.play("R D")
    expect_waste(table, "7D")


def test_thirteen_has_one_pass(table: Table) -> None:
    table.deal(KNOWN.code, "thirteen")
    expect_waste(table, None)
    expect_note(table, "pass 1 of 1")
    table.play("D")
    expect_waste(table, "7D")
    table.go_to(f"{KNOWN.code} thirteen D*24")
    expect(table.stock).to_have_attribute("data-state", "e")
    expect(table.stock).to_have_attribute("aria-label", "Stock is empty; pass 1 of 1")
    table.stock.click(force=True)  # It says that it is disabled, and a touch is answered all the same.
    expect(table.message).to_have_text("No pass is left.")
    table.expect_figures(0, 24)


def test_thirteen_three_piles_turns_a_card_onto_each(table: Table) -> None:
    table.deal(KNOWN.code, "thirteen_three_piles")
    expect_waste(table, None, None, None)
    table.play("D")
    expect_waste(table, "7D", "6D", "6S")
    lefts = [x for x, _y, _width, _height in boxes(table.page, "[data-pile=waste]")]
    assert lefts == sorted(set(lefts))
    table.play("7D+6S")
    expect_waste(table, None, "6D", None)
    table.play("D")
    expect_waste(table, *TALON[3:6])
    expect(table.stock).to_have_attribute("data-count", "18")
    expect(table.pile("foundation")).to_have_attribute("data-count", "2")


def test_three_passes_shows_the_next_stock_card_and_counts_the_passes(table: Table) -> None:
    table.deal(KNOWN.code, "three_passes")
    following = table.root.locator("[data-pile=stock][data-card]")
    expect(following).to_have_attribute("data-card", "7D")
    expect(following).to_have_attribute("aria-label", "Next stock card: 7 of diamonds")
    table.play("D 7D+6D")
    expect(following).to_have_attribute("data-card", "6S")
    # Two talon cards give the five points of a removal.
    table.expect_figures(5, 2)
    expect_note(table, "pass 1 of 3")
    table.play("6S+7S")
    table.expect_figures(10, 3)
    table.go_to(f"{KNOWN.code} three_passes D*24 R D*24 R")
    expect_note(table, "pass 3 of 3")
    table.go_to(f"{KNOWN.code} three_passes D*24 R D*24 R D*24")
    expect(table.stock).to_have_attribute("data-state", "e")
    expect(following).to_have_count(0)


@pytest.mark.parametrize("rules", ["pyramid", "relaxed_pyramid"])
def test_pyramid_starts_with_a_waste_card_beside_the_next_one(table: Table, rules: str) -> None:
    table.deal(KNOWN.code, rules)
    expect_waste(table, "7D")
    expect(table.root.locator("[data-pile=stock][data-card]")).to_have_attribute("data-card", "6D")
    expect_note(table, "pass 1 of 3")
    table.play("6D+7D")
    expect(table.stock).to_have_attribute("data-count", "22")
    # All 52 cards must go in one of the two, the 28 of the pyramid in the other.
    left = {"pyramid": 50, "relaxed_pyramid": 28}[rules]
    expect(table.message).to_have_text(f"7 of diamonds and 6 of diamonds removed. {left} cards left.")


def test_pyramid_thirteen_turns_cards_up_when_both_covers_are_gone(table: Table) -> None:
    table.deal(KNOWN.code, "pyramid_thirteen")
    assert table.states() == "d" * 21 + "a" * 7
    secret = table.page.evaluate(
        """() => [...document.querySelectorAll(".py-place[data-state=d]")].map(node => node.outerHTML).join()"""
    )
    assert not re.search("[♣♦♥♠]|data-card|data-suit|clubs|diamonds|hearts|spades", secret)
    screenshot(table.page, "face-down")
    table.play("KD")
    expect(table.card("JS")).to_have_count(0)
    table.play("6D+7S")
    expect(table.card("JS")).to_have_attribute("data-state", "a")
    assert table.states().count("d") == 20
    table.role("undo").click()
    expect(table.card("JS")).to_have_count(0)


def test_giza_has_eight_columns_of_three_under_the_pyramid(table: Table) -> None:
    table.deal(KNOWN.code, "giza")
    reserve = table.pile("reserve")
    expect(reserve).to_have_count(24)
    assert reserve.evaluate_all("nodes => nodes.map(node => node.dataset.card)") == list(TALON)
    expect(table.pile("stock")).to_have_count(0)
    expect(table.pile("waste")).to_have_count(0)
    bottom = max(y for _x, y, _w, _h in boxes(table.page, "[data-pile=pyramid]"))
    columns: dict[float, list[float]] = {}
    for x, y, _width, _height in boxes(table.page, "[data-pile=reserve]"):
        assert y > bottom
        columns.setdefault(round(x), []).append(y)
    assert [len(column) for column in columns.values()] == [3] * 8
    assert all(column == sorted(column) for column in columns.values())
    front = reserve.and_(table.page.locator("[data-state=a]"))
    assert front.evaluate_all("nodes => nodes.map(node => node.dataset.card)") == list(TALON[2::3])
    expect(table.card("7D")).to_have_attribute("aria-label", "7 of diamonds, column 1, blocked")
    table.play("6S+7S 6D+7C")
    expect(table.card("7D")).to_have_attribute("data-state", "a")


def test_triangle_stands_on_its_apex(table: Table) -> None:
    table.deal(KNOWN.code, "triangle")
    places = boxes(table.page, "[data-pile=pyramid]")
    rows = sorted({y for _x, y, _width, _height in places})
    assert [sum(y == row for _x, y, _w, _h in places) for row in rows] == [7, 6, 5, 4, 3, 2, 1]
    assert table.states() == "b" * 27 + "a"
    assert table.row(7) == ["7S"]
    table.play("6D+7S")
    assert table.states() == "b" * 25 + "aa."


def test_tuts_tomb_turns_three_cards_onto_one_waste(table: Table) -> None:
    table.deal(KNOWN.code, "tuts_tomb")
    expect_waste(table, "6S")
    expect(table.stock).to_have_attribute("data-count", "21")
    table.play("D")
    expect_waste(table, "3C")
    table.play("10C+3C")
    expect_waste(table, "QD")


def test_apophis_has_three_piles_and_three_passes(table: Table) -> None:
    table.deal(KNOWN.code, "apophis")
    expect_waste(table, "7D", "6D", "6S")
    expect_note(table, "pass 1 of 3")
    table.play("7D+6D D")
    expect_waste(table, "AC", "QD", "3C")
    table.play("QD+AC")
    expect_waste(table, None, None, "3C")


def test_cheops_pairs_neighbours_and_kings_do_not_go_alone(table: Table) -> None:
    table.deal(KNOWN.code, "cheops")
    table.touch("KD")
    expect(table.card("KD")).to_have_attribute("data-state", "s")
    table.touch("7S")
    expect(table.message).to_have_text("The ranks must be equal or neighbours")
    table.touch("7C")
    table.expect_figures(20, 1)
    table.play("4H+3S")
    table.expect_figures(40, 2)


def test_pharaohs_has_three_pyramids_apart(table: Table) -> None:
    table.deal(KNOWN.code, "pharaohs")
    table.page.mouse.move(1, 1)  # A card under the mouse is lifted.
    for size in (PHONE, DESKTOP):
        table.page.set_viewport_size(size)
        expect(table.pile("pyramid")).to_have_count(52)
        pieces = boxes(table.page, "[data-pile=pyramid]")
        parts = [pieces[:3], pieces[3:31], pieces[31:]]
        assert [len({y for _x, y, _w, _h in part}) for part in parts] == [2, 7, 6]
        # Each card shows its upper left corner, where its rank and suit stand.
        covered = table.page.evaluate(
            """() => [...document.querySelectorAll("[data-pile=pyramid]")].filter(node => {
                 const box = node.getBoundingClientRect();
                 const seen = document.elementFromPoint(box.left + box.width / 3, box.top + 9);
                 return !node.contains(seen);
               }).map(node => node.dataset.card)"""
        )
        assert covered == []
    assert table.states().count("a") == 2 + 7 + 6
    expect(table.pile("stock")).to_have_count(0)


def test_a_stock_that_lies_face_up_is_seen_in_order(table: Table) -> None:
    mix(table, stock_face_up="yes")
    expect(table.root.locator(".py-fan")).to_be_visible()
    table.deal(KNOWN.code, "mix,stock_face_up=yes")
    fan = table.root.locator("[data-fan-card]")
    assert fan.evaluate_all("nodes => nodes.map(node => node.dataset.fanCard)") == list(TALON[1:])
    screenshot(table.page, "stock-face-up")
    table.page.set_viewport_size(PHONE)
    assert table.page.evaluate(SIZES)[0] == [0, 0, 0, 0]
    screenshot(table.page, "stock-face-up-phone")
    table.page.set_viewport_size(DESKTOP)
    table.play("D")
    expect(fan).to_have_count(22)
    expect(fan.first).to_have_attribute("aria-label", "6 of spades")


def test_the_card_under_the_waste_top_is_seen_where_the_two_may_pair(table: Table) -> None:
    mix(table, drawn_pairs="yes")
    table.deal(KNOWN.code, "mix,drawn_pairs=yes")
    table.play("D")
    expect_waste(table, "7D", "6D")
    under, top = boxes(table.page, "[data-pile=waste]")
    assert under[0] < top[0] < under[0] + under[2]
    screenshot(table.page, "under-card")
    table.play("6D+7D D")
    expect(table.card("6S")).to_be_visible()
    expect(table.pile("foundation")).to_have_attribute("data-count", "2")


def mix(table: Table, **choices: str) -> None:
    """Mix rules in the panel, starting from `pyramide`, and play them."""
    table.open("new-game")
    table.field("rules").select_option("pyramide")
    table.answer_to("custom")
    for name, value in choices.items():
        table.field(name).select_option(value)
    table.answer("play_custom")


# Rules of one's own ------------------------------------------------------------------------------------------------


def test_rules_are_mixed_explained_played_and_linked(table: Table, pages: Pages) -> None:
    table.open("new-game")
    table.field("rules").select_option("pyramide")
    table.answer_to("custom")
    notice = table.problem("mix")
    expect(notice).to_have_text("")
    table.field("undo_limit").select_option("0")
    table.field("undo_counts").select_option("yes")
    expect(notice).to_have_text("No undo is allowed, so it changes nothing that an undo counts as a move.")
    expect(table.field("text")).to_have_value("mix,undo_limit=0,undo_counts=yes")
    screenshot(table.page, "mix-contradiction")
    table.field("undo_counts").select_option("no")
    expect(notice).to_have_text("")
    table.field("waste_piles").select_option("2")
    expect(notice).to_contain_text("(draw_count=1) must be a multiple of “Waste piles” (waste_piles=2)")
    table.action("play_custom").click()
    expect(table.dialog).to_be_visible()
    table.field("draw_count").select_option("2")
    table.field("passes").select_option("2")
    text = "mix,draw_count=2,waste_piles=2,passes=2,undo_limit=0"
    expect(table.field("text")).to_have_value(text)
    table.answer("play_custom")
    expect(table.pile("waste")).to_have_count(2)
    expect_note(table, "pass 1 of 2")
    table.play("D")
    expect(table.role("undo")).to_be_disabled()
    expect(table.page).to_have_url(re.compile(rf"&rules={re.escape(text)}$"))
    address = table.page.url
    again = Table(pages())
    again.page.goto(address)
    expect(again.rules_name).to_have_text(table.rules_name.inner_text())
    expect(again.role("code")).to_have_text(table.role("code").inner_text())
    expect(again.pile("waste")).to_have_count(2)
    again.page.close()


def test_the_short_form_is_read_and_its_mistakes_are_told(table: Table) -> None:
    table.open("new-game")
    table.answer_to("custom")
    table.field("text").fill("mix,passes=many")
    table.action("read_custom").click()
    expect(table.problem("text")).to_contain_text("passes cannot be “many”")
    expect(table.field("text")).to_have_value("mix,passes=many")
    table.field("text").fill("giza,cover_pairs=yes")
    table.action("read_custom").click()
    expect(table.field("layout")).to_have_value("giza")
    expect(table.field("cover_pairs")).to_have_value("yes")
    table.answer("close")


# All of them -------------------------------------------------------------------------------------------------------

TABLET = {"width": 768, "height": 1024}
SIZES = """() => {
  const over = [document.scrollingElement, document.querySelector(".pyramide-table")].flatMap(
    node => [node.scrollHeight - node.clientHeight, node.scrollWidth - node.clientWidth]);
  const cards = [...document.querySelectorAll(".py-card")].filter(node => node.offsetParent);
  return [over, Math.min(...cards.map(node => node.getBoundingClientRect().width))];
}"""
APART = """() => {
  const boxes = [...document.querySelectorAll(".py-place:not([data-state='.']), .py-pile > .py-card, .py-actions button")]
    .filter(node => node.offsetParent && getComputedStyle(node).visibility === "visible")
    .map(node => [node, node.getBoundingClientRect()]);
  const hit = ([m, a], [n, b]) =>
    m.parentElement !== n.parentElement && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return boxes.flatMap((one, i) => boxes.slice(i + 1).filter(other => hit(one, other))
    .map(other => [one[0].className, other[0].className]));
}"""


@pytest.mark.parametrize("rules", VARIANTS)
def test_a_rule_set_fits_its_window_and_explains_itself(table: Table, rules: str) -> None:
    page = table.page
    table.deal(KNOWN.code, rules)
    expect(table.pile("pyramid").last).to_have_attribute("data-state", "a")
    for name, size in {"desktop": DESKTOP, "tablet": TABLET, "phone": PHONE}.items():
        page.set_viewport_size(size)
        page.mouse.move(1, 1)
        page.wait_for_timeout(200)
        over, width = page.evaluate(SIZES)
        assert over == [0, 0, 0, 0], name
        assert width >= 40, name
        # Neither piles nor buttons lie on the tableau.
        assert page.evaluate(APART) == [], name
        screenshot(page, f"{rules}-{name}")
    page.set_viewport_size(DESKTOP)
    table.open("rules")
    expect(table.dialog.locator("h2")).to_have_text(table.rules_name.inner_text())
    assert table.dialog.locator("h3").count() >= 5
    table.answer("close")


@pytest.mark.parametrize("size", [DESKTOP, TABLET, PHONE], ids=["desktop", "tablet", "phone"])
@pytest.mark.parametrize(
    "rules",
    [
        "mix,draw_count=8,waste_piles=8",
        "mix,draw_count=5,waste_piles=5,stock_face_up=yes,stock_playable=yes",
        "mix,layout=triangle,draw_count=4,waste_piles=4,passes=2,drawn_pairs=yes",
    ],
)
def test_many_piles_are_within_reach_and_hide_no_card(
    pages: Pages, rules: str, size: ViewportSize, request: pytest.FixtureRequest
) -> None:
    page = pages(viewport=size, reduced_motion="reduce")
    table = Table(page)
    open_game(page, f"?code={KNOWN.code}&rules={rules}")
    table.play("D")
    page.mouse.move(1, 1)
    page.wait_for_timeout(200)
    (_height, _width, _table_height, too_wide), width = page.evaluate(SIZES)
    # So many piles may need more height than a window has, never more width.
    assert too_wide == 0
    assert width >= 40
    assert page.evaluate(APART) == []
    for name in ("stock", "waste"):
        for left, _top, wide, _high in boxes(page, f".pyramide-table [data-pile={name}]"):
            assert left >= 0
            assert left + wide <= size["width"]
    screenshot(page, re.sub(r"\W+", "-", f"many-{request.node.callspec.id}"))
    page.close()


def test_one_page_shows_one_rule_set_after_the_other(table: Table) -> None:
    """Buttons come and go with the rules; each of these steps needs others than the one before."""
    for rules in ("apophis", "giza", "pyramide", "pharaohs", "three_passes", "giza"):
        table.deal(KNOWN.code, rules)
        places = len(VARIANTS[rules].tableau)
        expect(table.root.locator(".py-place[data-state]")).to_have_count(places)
        expect(table.root.locator(".py-place")).to_have_count(places)
        assert table.row(1)[0] == DOCUMENTED_ROWS[0][0]
        expect(table.root.locator(".py-card:not([data-state])")).to_have_count(0)
