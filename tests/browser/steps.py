"""What a player does and sees at the table in the page: find, touch, read. Knows the page's hooks, no rule of the game.

The hooks are those that the page promises: `data-card`, `data-pile`, `data-role`, and the dialog's `data-action`.
"""

import contextlib
from collections.abc import Iterator

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.driving import Pages, Server, open_game

CARD_CORNER = {"x": 6, "y": 6}
"""Where a card is touched: of a covered card no more than the upper part is seen."""


class Table:
    """The table in one page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator(".pyramide-table")
        self.dialog = page.locator("dialog[open]")

    # Finding ---------------------------------------------------------------------------------------------------

    def card(self, name: str) -> Locator:
        """The button of a card in play, such as `KD`."""
        return self.root.locator(f'[data-card="{name}"]')

    def pile(self, name: str) -> Locator:
        """The buttons of a pile: stock, waste, foundation, pyramid, reserve."""
        return self.root.locator(f'[data-pile="{name}"]')

    @property
    def stock(self) -> Locator:
        """The stock itself, and not a card of it that lies face up beside it."""
        return self.root.locator('[data-pile="stock"]:not([data-card])').first

    def role(self, name: str) -> Locator:
        """A part of the page by its `data-role`."""
        return self.root.locator(f'[data-role="{name}"]')

    @property
    def message(self) -> Locator:
        """The line of message."""
        return self.role("message")

    def action(self, name: str) -> Locator:
        """A button of the open dialog."""
        return self.dialog.locator(f'[data-action="{name}"]')

    def field(self, name: str) -> Locator:
        """A field of the open dialog."""
        return self.dialog.locator(f'[name="{name}"]')

    def problem(self, field: str) -> Locator:
        """What the open dialog says is wrong with a field."""
        return self.dialog.locator(f"#py-field-{field}-problem")

    @property
    def rules_name(self) -> Locator:
        """The name of the rules being played."""
        return self.root.locator(".py-rules-name")

    # Doing -----------------------------------------------------------------------------------------------------

    def touch(self, *names: str) -> None:
        """Touch cards."""
        for name in names:
            self.card(name).click(position=CARD_CORNER)

    def play(self, line: str) -> None:
        """Make moves such as `KD 10C+3S D R`, waiting for each to be counted."""
        moves = self.moves
        for move in line.split():
            if move in ("D", "R"):
                self.stock.click()
            else:
                self.touch(*move.split("+"))
            moves += 1
            expect(self.role("moves")).to_have_text(str(moves))

    def open(self, role: str) -> None:
        """Press a button below the table that opens a dialog."""
        self.role(role).click()
        expect(self.dialog).to_be_visible()

    def answer(self, action: str) -> None:
        """Press a button of the open dialog that closes it."""
        self.action(action).click()
        expect(self.dialog).to_have_count(0)

    def answer_to(self, action: str) -> None:
        """Press a button of the open dialog that leads to another one."""
        before = self.dialog.get_attribute("data-dialog")
        self.action(action).click()
        expect(self.dialog).not_to_have_attribute("data-dialog", before or "")

    def deal(self, code: str = "", rules: str = "pyramide") -> None:
        """Deal a game through the New game window, from whatever state the table is in."""
        # A test that failed may have left a dialog open, or one that is just closing.
        self.page.evaluate("document.querySelector('dialog[open] .py-close')?.click()")
        expect(self.dialog).to_have_count(0)
        if self.role("replay-leave").is_visible():
            self.role("replay-leave").click()
        before = self.role("code").inner_text()
        self.open("new-game")
        self.field("rules").select_option(rules)
        title = self.field("rules").locator("option:checked").inner_text()
        self.field("code").fill(code)
        self.answer("deal")
        # The window closes a moment before the new cards are there.
        expect(self.rules_name).to_have_text(title)
        if code:
            expect(self.role("code")).to_contain_text(code)
        else:
            expect(self.role("code")).not_to_contain_text(before)
        self.expect_figures(0, 0)

    def watch(self, text: str) -> None:
        """Open a transcript as a replay."""
        self.open("transcript")
        self.field("transcript").fill(text)
        self.answer("replay")
        expect(self.role("replay-leave")).to_be_visible()

    def go_to(self, text: str) -> None:
        """Play on from the end of a transcript: the short way to a late moment of a game."""
        self.watch(text)
        last = self.role("replay-last")
        if last.is_enabled():
            last.click()
            expect(last).to_be_disabled()
        self.role("replay-go-on").click()
        expect(self.role("undo")).to_be_visible()

    # Seeing ----------------------------------------------------------------------------------------------------

    @property
    def moves(self) -> int:
        """The move counter."""
        return int(self.role("moves").inner_text())

    def expect_figures(self, score: int, moves: int) -> None:
        """Wait for a score and a number of moves."""
        expect(self.role("moves")).to_have_text(str(moves))
        expect(self.role("score")).to_have_text(str(score))

    def row(self, number: int) -> list[str]:
        """The cards seen in a row of the pyramid, from the accessible names' row number."""
        cards = self.root.locator(f'[data-pile="pyramid"][data-card][aria-label*="row {number} of"]')
        return [str(name) for name in cards.evaluate_all("nodes => nodes.map(node => node.dataset.card)")]

    def states(self) -> str:
        """The states of all tableau cards, a letter each."""
        return str(
            self.root.locator(".py-place").evaluate_all("nodes => nodes.map(node => node.dataset.state).join('')")
        )

    def focused(self) -> str:
        """What has the focus: a card's name, a role, a pile or an action; `outside` when it is not in the table."""
        return str(
            self.page.evaluate(
                """() => {
                     const node = document.activeElement;
                     if (node === document.body || !node.closest(".pyramide-table")) return "outside";
                     const { card, role, pile, action } = node.dataset;
                     return card ?? role ?? pile ?? action ?? node.name ?? node.tagName;
                   }"""
            )
        )

    def time(self) -> int:
        """The clock as shown, in seconds."""
        minutes, seconds = self.role("time").inner_text().split(":")
        return 60 * int(minutes) + int(seconds)


@contextlib.contextmanager
def shared_pages(browser: Browser, server: Server) -> Iterator[Pages]:
    """Pages that live as long as a module: to open one takes longer than most tests."""
    pages = Pages(browser, server.address)
    try:
        yield pages
    finally:
        troubles = pages.close()
    assert troubles == []


@contextlib.contextmanager
def untroubled(pages: Pages) -> Iterator[None]:
    """Fail the test in which something goes wrong in one of these pages, and not all that come after."""
    before = sum(len(watch.left) for watch in pages.watches)
    yield
    troubles = [text for watch in pages.watches for text in watch.left][before:]
    for watch in pages.watches:
        watch.troubles.clear()
    assert troubles == []


def open_table(pages: Pages, query: str = "", **options: object) -> Table:
    """Open a page and return its table."""
    return Table(open_game(pages(**options), query))
