"""A whole game by what a screen reader is told: cards found by role and name only, and one voice that says what happened.

Nothing here asks the page for anything but roles, accessible names and the text of the live region.
"""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.driving import Pages, open_game
from tests.lines import WON_CODE, WON_LINE

RANKS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
VOICES = """() => [...document.querySelectorAll(
     "[role=status], [role=alert], [role=log], [role=timer], [role=marquee], output, [aria-live]:not([aria-live=off])")]
   .filter(node => node.checkVisibility() && !node.closest("dialog"))
   .map(node => node.getAttribute("role") ?? node.tagName)"""


def spoken(card: str) -> str:
    """The name of a card such as `10C` as people say it: `10 of clubs`."""
    return f"{RANKS.get(card[:-1], card[:-1])} of {SUITS[card[-1]]}"


def button_of(page: Page, card: str) -> Locator:
    """The button of a card that can be played, in the pyramid or on the waste."""
    name = re.escape(spoken(card))
    return page.get_by_role(
        "button", name=re.compile(rf"^({name}, row . of 7, available|Waste: {name})$", re.IGNORECASE)
    )


@pytest.fixture
def page(new_page: Pages) -> Page:
    return open_game(new_page(), f"?code={WON_CODE}")


def test_a_whole_game_is_won_by_roles_and_names_alone(page: Page) -> None:
    voice = page.get_by_role("status")
    expect(voice).to_have_count(1)
    left = 28
    for move in WON_LINE:
        if move == "D":
            page.get_by_role("button", name=re.compile(r"^Stock, \d+ cards?: draw$")).click()
            expect(voice).to_have_text(re.compile(r"^(Ace|Jack|Queen|King|\d+) of \w+ turned up\.$"))
        elif move == "R":
            page.get_by_role("button", name=re.compile("^Stock is empty: recycle")).click()
            expect(voice).to_have_text("The waste is the stock again.")
        else:
            cards = move.split("+")
            in_pyramid = page.get_by_role("button", name=re.compile("row . of 7, available$"))
            names = "\n".join(in_pyramid.evaluate_all("nodes => nodes.map(node => node.ariaLabel)")).lower()
            left -= sum(f"{spoken(card)}, row" in names for card in cards)
            for card in cards:
                # A card is played by a key where it is found: the pointer has no part in this.
                button_of(page, card).press("Enter")
                if card is not cards[-1]:
                    expect(voice).to_have_text(re.compile(f"^{spoken(card)} selected\\.$", re.IGNORECASE))
            gone = " and ".join(map(spoken, cards))
            rest = "1 card left." if left == 1 else f"{left} cards left."
            expect(voice).to_have_text(re.compile(f"^{gone} removed\\. {re.escape(rest)}", re.IGNORECASE))
        assert page.evaluate(VOICES) == ["status"], move
    assert left == 0
    dialog = page.get_by_role("dialog", name="You have won!")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("heading", name="You have won!")).to_be_visible()
    expect(dialog.get_by_role("button", name="New game")).to_be_focused()


def test_names_say_the_card_its_row_and_its_state(new_page: Pages) -> None:
    page = open_game(new_page(), "?code=PY1-N-AAAAAAS")
    for name in (
        "Jack of diamonds, row 1 of 7, blocked",
        "7 of clubs, row 7 of 7, available",
        "Stock, 23 cards: draw",
        "Waste: 7 of diamonds",
    ):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(1)
    expect(page.get_by_role("img", name="Foundation: 0 cards removed")).to_have_count(1)
    page.get_by_role("button", name="7 of clubs, row 7 of 7, available").press("Enter")
    chosen = page.get_by_role("button", name="7 of clubs, row 7 of 7, selected", pressed=True)
    expect(chosen).to_be_focused()
    chosen.press("Enter")
    expect(page.get_by_role("status")).to_have_text("Nothing is selected now.")
    page.get_by_role("button", name="King of diamonds").press("Enter")
    expect(page.get_by_role("status")).to_have_text("King of diamonds removed. 27 cards left.")
    expect(page.get_by_role("img", name="Foundation: 1 card removed")).to_have_count(1)
    # What has left the pyramid is not there for a reader either.
    expect(page.get_by_role("button", name="King of diamonds")).to_have_count(0)


def test_a_replay_has_the_same_one_voice(new_page: Pages) -> None:
    page = open_game(new_page(), "?code=PY1-N-AAAAAAS")
    page.get_by_role("button", name="Transcript").click()
    page.get_by_role("textbox", name="This game, or one pasted here").fill("PY1-N-AAAAAAS KD 10C+3S")
    page.get_by_role("button", name="Watch it").click()
    bar = page.get_by_role("group", name="Replay")
    expect(bar).to_be_visible()
    for sentence in ("King of diamonds removed. 27 cards left.", "10 of clubs and 3 of spades removed. 25 cards left."):
        bar.get_by_role("button", name="One move on").press("Enter")
        expect(page.get_by_role("status")).to_have_text(sentence)
        assert page.evaluate(VOICES) == ["status"]
