"""WCAG 2.2 AA in the real browser: axe-core on every page and dialog, and what no program can see in the mark-up.

axe-core cannot tell whether the focus goes as the eye does, whether a window at 200 % still shows everything, or whether
a touch or a system's own colours work: the second half measures these.
"""

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.driving import PHONE, Pages, Server, boxes, open_game, screenshot
from tests.browser.steps import CARD_CORNER, Table, open_table, shared_pages, untroubled
from tests.lines import DOCUMENTED, WON_CODE, WON_LINE, stuck

STANDARD = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
SMALLEST = 24
"""The smallest target of WCAG 2.2 (2.5.8), in CSS pixels."""

ZOOMED = {"width": 640, "height": 360}
"""A window of 1280 by 720 at 200 %."""

TARGETS = """smallest => [...document.querySelectorAll("button, a, input, select, textarea, summary, [tabindex='0']")]
  .filter(node => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  // Links within a sentence are as high as its line: the standard excepts them. A label is part of its box's target.
  .filter(node => !node.matches("p a, li a, td a"))
  .map(node => {
    const boxes = [node, ...(node.labels ?? [])].map(part => part.getBoundingClientRect());
    const long = (from, to) => Math.max(...boxes.map(box => box[to])) - Math.min(...boxes.map(box => box[from]));
    return [node.outerHTML.slice(0, 120), { width: long("left", "right"), height: long("top", "bottom") }];
  })
  .filter(([, box]) => box.width < smallest || box.height < smallest)
  .map(([text, box]) => `${text}: ${box.width} by ${box.height}`)"""


def violations(page: Page) -> list[str]:
    """Return what axe-core finds wrong, a line for each element."""
    found = Axe().run(page, options={"runOnly": STANDARD, "resultTypes": ["violations"]}).response
    # A page on which hardly a rule applies was looked at too early, or not at all.
    assert len(found["passes"]) >= 10
    return [
        f"{rule['id']}: {node['html'][:160]}: {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


def check(page: Page, what: str) -> None:
    """Check a state of a page by rules and by the size of its targets."""
    assert violations(page) == [], what
    assert page.evaluate(TARGETS, SMALLEST) == [], what


@pytest.fixture(scope="module")
def pages(browser: Browser, recording: Server) -> Iterator[Pages]:
    with shared_pages(browser, recording) as pages:
        yield pages


def choose(table: Table, **options: str) -> None:
    table.open("options")
    for name, value in options.items():
        table.dialog.locator(f"[name={name}][value={value}]").check()
    table.answer("close")


# By rules ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_table_and_dialogs_break_no_rule(table: Table, theme: str) -> None:
    page = table.page
    choose(table, theme=theme, colours="two", cards="normal")
    check(page, "the table")
    choose(table, colours="four", cards="large")
    table.touch("7C", "7S")
    check(page, "four colours, large corners, a selected card and a warning")
    screenshot(page, f"accessibility-{theme}")
    table.play("KD")
    table.role("pause").click()
    check(page, "a paused game")
    page.locator(".py-cover").click()
    for role in ("new-game", "rules", "records", "transcript", "options"):
        table.open(role)
        check(page, role)
        table.answer("close")
    table.open("new-game")
    table.field("code").fill("PY1-N-?")
    table.action("deal").click()
    expect(table.problem("code")).not_to_be_empty()
    check(page, "a wrong code")
    table.answer_to("custom")
    check(page, "rules of one's own")
    table.answer("close")
    table.watch(f"{DOCUMENTED} KD 10C+3S D")
    table.role("replay-next").click()
    check(page, "a replay")
    table.role("replay-leave").click()
    expect(table.role("replay-leave")).to_be_hidden()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_ends_of_a_game_break_no_rule(table: Table, theme: str) -> None:
    page = table.page
    choose(table, theme=theme)
    deal, line = stuck()
    table.go_to(f"{deal.code} {' '.join(line[:-1])}")
    table.touch(line[-1])
    expect(table.dialog).to_have_attribute("data-dialog", "dead-end")
    check(page, "a dead end")
    table.answer("undo")
    table.go_to(f"{WON_CODE} {' '.join(WON_LINE[:-1])}")
    table.touch(WON_LINE[-1])
    expect(table.dialog).to_have_attribute("data-dialog", "won")
    check(page, "a won game")
    table.answer_to("review")
    # The first search of all may have to be compiled.
    expect(table.dialog.locator("table")).to_be_visible(timeout=120_000)
    check(page, "a review")
    table.answer("close")


def open_class(page: Page) -> None:
    page.locator("[name=deals]").fill(DOCUMENTED)
    page.locator("[data-do=open]").click()
    expect(page.locator("[data-role=class-link]")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_windows_of_records_and_classes_break_no_rule(table: Table, pages: Pages, theme: str) -> None:
    page = table.page
    choose(table, theme=theme)
    table.play("KD")
    table.open("records")
    table.answer_to("records_files")
    table.field("games").fill(f"# Game 1\nCode: {WON_CODE}\n\n{' '.join(WON_LINE)}")
    table.action("records_import").click()
    expect(table.dialog).to_contain_text(re.compile("added|already"))
    check(page, "export and import")
    table.answer_to("records")
    table.field("seen_rules").select_option("*")
    expect(table.dialog.locator("tbody tr").first).to_be_visible()
    check(page, "rankings")
    for action in ("records_charts", "records_games", "records_players"):
        table.answer_to(action)
        check(page, action)
        table.answer_to("records")
    table.answer_to("records_players")
    table.answer_to("records_delete")
    check(page, "the question before a player is deleted")
    table.answer_to("records_players")
    table.answer_to("records")
    teacher = pages(color_scheme=theme)
    teacher.goto("/voila/render/classroom.ipynb", wait_until="commit")
    open_class(teacher)
    table.answer_to("class_ask")
    check(page, "the question for the code of a class")
    table.field("class").fill(teacher.locator("[data-role=class-code]").inner_text())
    table.answer_to("class_find")
    check(page, "the question for a name")
    table.field("name").fill("Ada")
    table.answer("class_join")
    expect(table.message).to_have_text("Deal 1 of 1 of the class.")
    table.expect_figures(0, 0)
    table.play("KD")
    table.open("new-game")
    check(page, "the deals of a class")
    expect(teacher.locator(".py-class-board tbody tr")).to_contain_text("playing")
    check(teacher, "a live board")
    teacher.locator("[data-do=walk]").click()
    expect(teacher.locator("[data-role=replay-next]")).to_be_visible()
    check(teacher, "a game to walk through")
    teacher.close()
    table.answer("class_leave")


@pytest.mark.parametrize(
    ("notebook", "ready", "then"),
    [
        ("00_index", ".py-part-index", None),
        ("02_pairs", ".py-part-end", None),
        ("laboratory", ".py-lab button", None),
        ("classroom", "[data-do=open]", open_class),
    ],
)
def test_the_other_pages_break_no_rule(
    pages: Pages, notebook: str, ready: str, then: Callable[[Page], None] | None
) -> None:
    page = pages()
    with untroubled(pages):
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)
            page.goto(f"/voila/render/{notebook}.ipynb", wait_until="commit")
            page.wait_for_selector(f"{ready} >> nth=0")
            page.wait_for_function("!document.querySelector('.pyramide-table:not(.py-ready)')")
            check(page, f"{notebook}, {scheme}")
        expect(page.get_by_text("¶").locator("visible=true")).to_have_count(0)
        if then:
            then(page)
            check(page, f"{notebook}, in use")
        page.set_viewport_size(ZOOMED)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "no scrolling to the side at 200 %"
    page.close()


# By sight and by hand -----------------------------------------------------------------------------------------------------


def test_the_focus_is_seen_and_goes_as_the_eye_does(table: Table) -> None:
    page = table.page
    table.play("KD")
    # The focus went from the king to the card beside it, and this is where Tab comes back to.
    table.role("code").focus()
    places = []
    for _ in range(12):
        name, x, y, outline = page.evaluate(
            """() => {
                 const node = document.activeElement;
                 const { x, y } = node.getBoundingClientRect();
                 const { outlineStyle, outlineWidth } = getComputedStyle(node);
                 return [node.ariaLabel ?? node.textContent, x, y, `${outlineStyle} ${outlineWidth}`];
               }"""
        )
        places.append((name, x, y))
        # What has the focus from the keyboard has a line of 3 px around it.
        if len(places) > 1:
            assert outline == "solid 3px", name
        page.keyboard.press("Tab")
    words = [name for name, _x, _y in places]
    assert words[0].startswith("Copy the code")
    assert words[1:5] == [
        "Lessons",
        "7 of spades, row 7 of 7, available",
        "Stock, 23 cards: draw",
        "Waste: 7 of diamonds",
    ]
    # Below the cards from left to right, in one line.
    actions = places[5:]
    assert [name for name, _x, _y in actions] == ["Undo", "Hint", "New game", "Restart", "Pause", "Rules", "Records"]
    assert [x for _name, x, _y in actions] == sorted(x for _name, x, _y in actions)
    assert len({y for _name, _x, y in actions}) == 1


def test_states_differ_by_more_than_colour(table: Table) -> None:
    """Available, blocked and selected by form; the suits by their signs; a warning and a verdict by a sign before them."""
    table.touch("7C")
    expect(table.card("7C")).to_have_attribute("data-state", "s")
    # A card below the pointer is lifted too, a little: nothing is below it now, and all cards have come to rest.
    table.page.mouse.move(1, 1)
    table.page.wait_for_function("document.getAnimations().length === 0")
    form = """node => {
      const own = getComputedStyle(node), foot = getComputedStyle(node, "::after");
      return [own.backgroundImage.includes("svg"), foot.content !== "none", own.transform !== "none"];
    }"""
    # Whether the pip is drawn, whether the second corner is, whether the card is lifted.
    assert table.card("QC").evaluate(form) == [False, False, False]
    assert table.card("10C").evaluate(form) == [True, True, False]
    assert table.card("7C").evaluate(form) == [True, True, True]
    signs = {"7C": "♣", "10C": "♣", "3H": "♥", "3S": "♠", "KD": "♦"}
    for card, sign in signs.items():
        assert sign in (table.card(card).get_attribute("data-corner") or "")
    table.touch("7S")
    expect(table.message).to_have_text("The sum must be 13")
    before = table.message.evaluate("node => getComputedStyle(node, '::before').content")
    assert "●" in before


def test_nothing_moves_for_those_who_want_no_motion(pages: Pages) -> None:
    table = open_table(pages, f"?code={DOCUMENTED}", reduced_motion="reduce")
    moving = """() => [...document.querySelectorAll("body *")].filter(node => {
      const { transitionDuration, transitionProperty, animationName } = getComputedStyle(node);
      return animationName !== "none" || transitionProperty !== "none" && /[1-9]/.test(transitionDuration);
    }).map(node => node.outerHTML.slice(0, 120))"""
    assert table.page.evaluate(moving) == []
    table.page.emulate_media(reduced_motion="no-preference")
    assert table.page.evaluate(moving) != [], "the check sees motion where there is some"
    table.page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_high_contrast_mode_keeps_the_states_apart(pages: Pages, scheme: str) -> None:
    table = open_table(pages, f"?code={DOCUMENTED}", forced_colors="active", color_scheme=scheme)
    table.touch("7C")
    expect(table.card("7C")).to_have_attribute("data-state", "s")
    table.page.keyboard.press("ArrowRight")

    def look(card: str) -> list[str]:
        found: list[str] = table.card(card).evaluate(
            "node => (({ outlineStyle, outlineWidth, borderTopStyle }) => "
            "[outlineStyle, outlineWidth, borderTopStyle])(getComputedStyle(node))"
        )
        return found

    assert look("7C") == ["solid", "4px", "solid"]
    assert look("10C") == ["solid", "3px", "solid"], "the focus"
    assert look("3H")[2] == "solid"
    assert look("QC")[2] == "dotted"
    screenshot(table.page, f"forced-colours-{scheme}")
    assert violations(table.page) == []
    table.page.close()


WINDOWS = {
    "200 %": ZOOMED,
    "400 %": {"width": 320, "height": 256},
    "phone": PHONE,
    "phone on its side": {"width": 740, "height": 360},
    "small phone on its side": {"width": 568, "height": 320},
    "tablet": {"width": 768, "height": 1024},
    "tablet on its side": {"width": 1024, "height": 768},
}


def test_every_window_shows_everything(table: Table) -> None:
    """All is there by scrolling down at most; each card's row lies below the one above, with its rank and suit in sight."""
    page = table.page
    before = page.viewport_size or {}
    for name, size in WINDOWS.items():
        page.set_viewport_size(size)
        wide = "node => node.scrollWidth <= node.clientWidth"
        assert table.root.evaluate(wide), name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        assert page.evaluate(TARGETS, SMALLEST) == [], name
        rows = [boxes(page, f'[data-pile=pyramid][aria-label*="row {row} of"]') for row in range(1, 8)]
        assert [len(row) for row in rows] == list(range(1, 8)), name
        steps = [below[0][1] - above[0][1] for above, below in itertools.pairwise(rows)]
        assert min(steps) >= SMALLEST, name
        for part in ("undo", "new-game", "options", "lessons-link", "code", "score", "time"):
            found = table.role(part) if part != "lessons-link" else page.locator(".py-lessons")
            found.scroll_into_view_if_needed()
            expect(found).to_be_in_viewport(ratio=0.9)
        table.pile("waste").scroll_into_view_if_needed()
        expect(table.pile("waste")).to_be_in_viewport(ratio=0.9)
        table.root.evaluate("node => node.scrollTo(0, 0)")
        screenshot(page, f"window-{size['width']}x{size['height']}")
    page.set_viewport_size(before)


@pytest.mark.parametrize("name", ["phone", "phone on its side", "tablet", "tablet on its side"])
def test_a_finger_plays(pages: Pages, name: str) -> None:
    page = pages(viewport=WINDOWS[name], has_touch=True, is_mobile=True)
    table = Table(open_game(page, f"?code={DOCUMENTED}"))
    assert page.evaluate("matchMedia('(hover: none)').matches")
    table.card("KD").tap(position=CARD_CORNER)
    table.expect_figures(10, 1)
    for card in ("10C", "3S"):
        table.card(card).tap(position=CARD_CORNER)
    table.expect_figures(30, 2)
    # Two quick taps draw twice, and do not zoom.
    table.stock.tap()
    table.stock.tap()
    table.expect_figures(30, 4)
    assert page.evaluate("visualViewport.scale") == 1
    zooming: list[Any] = page.evaluate(
        """() => [...document.querySelectorAll(".pyramide-table button")]
             .filter(node => node.checkVisibility() && getComputedStyle(node).touchAction === "auto")
             .map(node => node.outerHTML.slice(0, 120))"""
    )
    assert zooming == []
    page.close()
