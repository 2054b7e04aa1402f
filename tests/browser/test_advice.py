"""The solver at the table: a game won by hints alone, a lost game that is said at once, the review, deals by difficulty."""

import pytest
from playwright.sync_api import expect

from pyramide_core import VARIANTS, Deal, Position
from pyramide_core.moves import parse_move
from pyramide_core.solver.grading import Level, difficulty
from pyramide_core.tableau import bits
from tests.browser.steps import Table
from tests.lines import DOCUMENTED

FIRST_SEARCH = 120_000
"""How long the first search of all may take, in milliseconds: it may have to be compiled."""


# A deal whose first pair is a trap: with it the game is lost, and without it won.
LOSABLE_CODE, LOSING_MOVE = "PY1-N-AAAAAAU", "JD+2S"


def can_be_won(position: Position) -> bool:
    """Tell whether any line of play wins, by looking at every set of cards that can be left.

    Under `classic` each talon card comes to the top again and again, so which cards are left is all that counts.
    """
    tableau, partners = position.table.tableau, position.table.partners
    seen: set[int] = set()
    todo = [position.remaining]
    while todo:
        left = todo.pop()
        if not left & tableau.full:
            return True
        if left in seen:
            continue
        seen.add(left)
        exposed = tableau.exposed(left & tableau.full)
        talon = left & position.table.talon
        todo += [left & ~(1 << p) for p in bits((exposed | talon) & position.table.alone)]
        todo += [left & ~(1 << p | 1 << q) for p in bits(exposed) for q in bits(partners[p] & (exposed | talon))]
    return False


def test_a_game_is_won_by_hints_alone(table: Table) -> None:
    table.card("7C").focus()
    for moves in range(1, 60):
        table.page.keyboard.press("h")
        expect(table.message).to_contain_text("A hint", timeout=FIRST_SEARCH)
        expect(table.root.locator(".py-lit")).not_to_have_count(0)
        named = table.message.inner_text()
        table.page.keyboard.press("h")
        expect(table.message).not_to_have_text(named)
        table.page.keyboard.press("h")
        expect(table.role("moves")).to_have_text(str(moves))
        if table.dialog.is_visible():
            break
    expect(table.dialog).to_have_attribute("data-dialog", "won")
    expect(table.role("score")).to_have_text("280")
    # The reviewed game is as short as a game of this deal can be.
    table.answer_to("review")
    expect(table.dialog.locator("table")).to_be_visible(timeout=FIRST_SEARCH)
    rows = table.dialog.locator("tbody tr")
    assert rows.count() == int(table.role("moves").inner_text())
    # A replay of the shortest win ends won.
    table.answer("watch_shortest")
    table.role("replay-last").click()
    expect(table.role("score")).to_have_text("280")
    table.role("replay-leave").click()


def test_a_lost_classic_game_is_said_at_once(table: Table) -> None:
    dealt = Position.start(Deal.from_code(LOSABLE_CODE), VARIANTS["classic"])
    assert [can_be_won(dealt), can_be_won(dealt.apply(parse_move(LOSING_MOVE)))] == [True, False]
    table.deal(LOSABLE_CODE, "classic")
    expect(table.role("verdict")).to_have_attribute("data-kind", "winnable", timeout=FIRST_SEARCH)
    table.play(LOSING_MOVE)
    expect(table.role("verdict")).to_have_attribute("data-kind", "lost")
    expect(table.message).to_contain_text(
        "The game can no longer be won. The move that lost it: jack of diamonds and 2 of spades."
    )
    table.role("undo").click()
    expect(table.role("verdict")).to_have_attribute("data-kind", "winnable")


def test_the_verdict_is_shown_to_those_who_ask(table: Table) -> None:
    expect(table.root.locator(".py-figure-verdict")).to_be_hidden()
    table.open("options")
    table.field("verdict").check()
    table.answer("close")
    expect(table.role("verdict")).to_have_text("can be won", timeout=FIRST_SEARCH)
    table.deal("PY1-N-AAAAAAJ")
    expect(table.role("verdict")).to_have_text("cannot be won")
    table.open("options")
    table.field("verdict").uncheck()
    table.answer("close")
    expect(table.root.locator(".py-figure-verdict")).to_be_hidden()


@pytest.mark.parametrize("wanted", [Level.EASY, Level.HARD])
def test_a_deal_of_the_wanted_difficulty_is_dealt(table: Table, wanted: Level) -> None:
    table.open("new-game")
    table.field("wanted").select_option(wanted.value)
    table.answer("deal")
    expect(table.role("code")).not_to_contain_text(DOCUMENTED, timeout=FIRST_SEARCH)
    found = Deal.from_code(table.role("code").inner_text())
    assert difficulty(found, VARIANTS["pyramide"]).level is wanted
