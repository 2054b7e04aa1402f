"""The page in five languages: which one it speaks, the fixed messages, changing it in mid-game, and how it looks.

The messages are written out here as the rules page fixes them, and not taken from the catalogues.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driving import DESKTOP, PHONE, Pages, open_game, screenshot, wait_for_game, wait_for_lesson
from tests.browser.steps import Table, untroubled
from tests.lines import DOCUMENTED, stuck

UNDO = {"en": "Undo", "fr": "Annuler", "th": "เลิกทำ", "ms": "Buat asal", "uk": "Скасувати"}
"""A word of each language by which the page is known to speak it."""
NAMES = {"en": "English", "fr": "Français", "th": "ไทย", "ms": "Bahasa Melayu", "uk": "Українська"}
FIXED = {
    "th": {
        "blocked": "ไพ่ใบนี้ถูกไพ่อีกใบบล็อกอยู่",
        "sum": "ผลรวมต้องเท่ากับ 13",
        "no moves": "ไม่มีตาที่เล่นได้อีกแล้ว",
        "undo": "เลิกทำ",
        "new game": "เกมใหม่",
    },
    "ms": {
        "blocked": "Kad ini dihalang oleh kad lain",
        "sum": "Jumlah mestilah sama dengan 13",
        "no moves": "Tiada lagi langkah yang boleh dibuat",
        "undo": "Buat asal",
        "new game": "Permainan baharu",
    },
}
"""The messages that the rules page fixes."""


@pytest.fixture
def table(opened: Table, pages: Pages) -> Iterator[Table]:
    """The one page of most tests, with the documented deal on it, in English at the beginning of each."""
    with untroubled(pages):
        speak(opened, "en")
        opened.deal(DOCUMENTED)
        yield opened


def speak(table: Table, language: str) -> None:
    """Choose a language in the options."""
    table.open("options")
    table.field("language").select_option(language)
    expect(table.page.locator("html")).to_have_attribute("lang", language)
    table.answer("close")


def expect_language(page: Page, language: str) -> None:
    """Wait until the page speaks a language, to eyes and to assistive technology."""
    expect(page.locator("[data-role=undo]")).to_have_text(UNDO[language])
    for node in ("html", ".pyramide-table"):
        expect(page.locator(node)).to_have_attribute("lang", language)
        expect(page.locator(node)).to_have_attribute("dir", "ltr")


# Which language ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("locale", "language"), [("uk-UA", "uk"), ("th", "th"), ("ms-MY", "ms"), ("fr-CA", "fr"), ("de-DE", "en")]
)
def test_the_browser_decides_when_nobody_else_does(new_page: Pages, locale: str, language: str) -> None:
    page = open_game(new_page(locale=locale))
    expect_language(page, language)


def test_the_link_comes_first_then_the_last_choice_then_the_browser(new_page: Pages) -> None:
    page = open_game(new_page(locale="uk-UA"))
    expect_language(page, "uk")
    speak(Table(page), "ms")
    page.reload()
    wait_for_game(page)
    expect_language(page, "ms")
    page.goto("/?lang=th")
    wait_for_game(page)
    expect_language(page, "th")
    # What is chosen later outlives the link that the page came by.
    speak(Table(page), "fr")
    expect(page).not_to_have_url(re.compile("lang="))
    page.reload()
    wait_for_game(page)
    expect_language(page, "fr")
    page.goto("/?lang=xx")
    wait_for_game(page)
    expect_language(page, "fr")


@pytest.mark.parametrize(
    ("query", "header", "cookie", "language"),
    [
        ("?lang=th", "uk", "ms", "th"),
        ("?lang=TH-th", "uk", "", "th"),
        ("?lang=xx", "uk", "ms", "ms"),
        ("", "uk;q=0.5, fr", "ms", "ms"),
        ("", "de, uk;q=0.5, fr;q=0.9", "", "fr"),
        ("", "de", "xx", "en"),
    ],
)
def test_the_page_comes_in_the_language_before_its_kernel_does(
    page: Page, query: str, header: str, cookie: str, language: str
) -> None:
    """The first part of the page, with the picture of the table, is in the language already."""
    headers = {"Accept-Language": header, **({"Cookie": f"pyramide-language={cookie}"} if cookie else {})}
    answer = page.request.get(f"/{query}", headers=headers)
    opening = {
        "en": "Pyramide is opening…",
        "fr": "Pyramide s’ouvre…",
        "th": "กำลังเปิด Pyramide…",
        "ms": "Pyramide sedang dibuka…",
        "uk": "Pyramide відкривається…",
    }
    text = answer.text()
    assert re.search(r'<html lang="(\w+)"', text)[1] == language  # type: ignore[index]
    assert f'<p role="status">{opening[language]}</p>' in text


@pytest.mark.parametrize(
    ("language", "sentence"), [("th", "ไม่มีหน้านี้"), ("ms", "Halaman ini tidak wujud."), ("uk", "Такої сторінки немає.")]
)
def test_an_error_page_speaks_the_language_too(page: Page, language: str, sentence: str) -> None:
    answer = page.request.get("/voila/render/nothing.ipynb", headers={"Accept-Language": language})
    assert answer.status == 404
    assert f'<html lang="{language}"' in answer.text()
    assert sentence in answer.text()


def test_the_options_name_each_language_in_its_own_words(table: Table) -> None:
    table.open("options")
    options = table.field("language").locator("option")
    found = options.evaluate_all("nodes => nodes.map(node => [node.value, node.textContent])")
    table.answer("close")
    assert dict(found) == NAMES


# In mid-game ------------------------------------------------------------------------------------------------------


def test_a_change_of_language_loses_nothing(table: Table) -> None:
    table.play("KD 10C+3S D")
    table.touch("7C")
    expect(table.card("7C")).to_have_attribute("data-state", "s")
    before = table.states()
    for language in ("fr", "th", "ms", "uk", "en"):
        speak(table, language)
        expect_language(table.page, language)
        table.expect_figures(30, 3)
        assert table.states() == before
        expect(table.card("7C")).to_have_attribute("data-state", "s")
        expect(table.stock).to_have_attribute("data-count", "22")
        expect(table.pile("foundation")).to_have_attribute("data-count", "3")
        expect(table.role("code")).to_contain_text(DOCUMENTED)
    table.role("undo").click()
    table.role("undo").click()
    table.expect_figures(10, 3)
    expect(table.stock).to_have_attribute("data-count", "23")


def test_the_letters_on_the_cards_are_those_of_the_language(table: Table) -> None:
    for language, letters in [("fr", "RDV"), ("th", "KQJ"), ("ms", "KQJ"), ("uk", "KQJ")]:
        speak(table, language)
        for card, letter in zip(("KD", "QC", "JD"), letters, strict=True):
            expect(table.card(card)).to_have_attribute("data-corner", re.compile(f"^{letter}\n"))


def test_what_is_said_follows_the_grammar_of_the_language(table: Table) -> None:
    """One card, two cards, five cards: Ukrainian has a form for each, Thai and Malay one for all."""
    said = {
        "fr": (
            "Retrait : roi de carreau. Il reste 27 cartes.",
            "Retrait : 10 de trèfle et 3 de pique. Il reste 25 cartes.",
        ),
        "th": ("นำ คิงข้าวหลามตัด ออกแล้ว เหลือ 27 ใบ", "นำ 10 ดอกจิก กับ 3 โพดำ ออกแล้ว เหลือ 25 ใบ"),
        "ms": ("Raja daiman dikeluarkan. Tinggal 27 kad.", "10 kelawar dan 3 sped dikeluarkan. Tinggal 25 kad."),
        "uk": (
            "Прибрано: король бубон. Залишилося 27 карт.",
            "Прибрано: десятка треф і трійка пік. Залишилося 25 карт.",
        ),
    }
    for language, (king, pair) in said.items():
        speak(table, language)
        table.deal(DOCUMENTED)
        table.play("KD")
        expect(table.message).to_have_text(king)
        table.play("10C+3S")
        expect(table.message).to_have_text(pair)


# The fixed messages -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["th", "ms"])
def test_the_fixed_messages_word_for_word(table: Table, language: str) -> None:
    fixed = FIXED[language]
    speak(table, language)
    assert table.role("undo").inner_text() == fixed["undo"]
    assert table.role("new-game").inner_text() == fixed["new game"]
    table.touch("7C", "7S")
    expect(table.message).to_have_text(fixed["sum"])
    table.open("options")
    table.field("error_help").check()
    table.answer("close")
    table.touch("QC")
    expect(table.message).to_have_text(fixed["blocked"])
    table.open("options")
    table.field("error_help").uncheck()
    table.answer("close")
    deal, line = stuck()
    table.go_to(f"{deal.code} {' '.join(line[:-1])}")
    table.touch(line[-1])
    expect(table.dialog.locator("h2")).to_have_text(fixed["no moves"])
    expect(table.action("undo")).to_have_text(fixed["undo"])
    expect(table.action("new")).to_have_text(fixed["new game"])
    screenshot(table.page, f"dead-end-{language}")
    table.answer("undo")
    table.open("new-game")
    expect(table.dialog.locator("h2")).to_have_text(fixed["new game"])
    table.answer("close")


# The look ---------------------------------------------------------------------------------------------------------

CLIPPED = """() => {
  const seen = node => node.getClientRects().length && getComputedStyle(node).visibility !== "hidden";
  const nodes = [...document.querySelectorAll(".pyramide-table button, .pyramide-table .py-message, .pyramide-table dt")];
  return nodes
    .filter(node => seen(node) && !node.dataset.card && !node.dataset.pile && node.textContent.trim())
    .filter(node => node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1)
    .map(node => `${node.textContent.trim()}: ${node.scrollWidth}x${node.scrollHeight} in `
      + `${node.clientWidth}x${node.clientHeight}`);
}"""
"""Finds texts that are larger than the box that shows them."""


@pytest.mark.parametrize("language", ["en", "fr", "th", "ms", "uk"])
@pytest.mark.parametrize(("size", "window"), [("desktop", DESKTOP), ("phone", PHONE)])
def test_no_text_is_cut_off(opened: Table, pages: Pages, language: str, size: str, window: dict[str, int]) -> None:
    with untroubled(pages):
        opened.page.set_viewport_size(window)  # type: ignore[arg-type]
        speak(opened, language)
        opened.deal(DOCUMENTED)
        opened.touch("7C", "7S")
        expect(opened.card("7S")).to_have_attribute("data-state", "s")
        screenshot(opened.page, f"board-{language}-{size}")
        assert opened.page.evaluate(CLIPPED) == []
        assert opened.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for role in ("options", "new-game", "rules"):
            opened.open(role)
            screenshot(opened.page, f"{role}-{language}-{size}")
            assert opened.page.evaluate("document.querySelector('dialog[open]').scrollWidth") <= window["width"]
            opened.dialog.locator(".py-close").click()
            expect(opened.dialog).to_have_count(0)
        opened.page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]


# The lessons ------------------------------------------------------------------------------------------------------

TITLES = {"en": "The table", "fr": "La table", "ms": "Meja", "th": "โต๊ะ", "uk": "Стіл"}
FIRST_LESSON = "voila/render/01_the_table.ipynb"


@pytest.mark.parametrize(("locale", "language"), [("en", "en"), ("fr", "fr"), ("ms", "ms"), ("th", "th"), ("uk", "uk")])
def test_a_lesson_comes_in_the_language_of_its_reader(new_page: Pages, locale: str, language: str) -> None:
    """Prose, parts and what the cells print: all of it is in one language."""
    page = new_page(locale=locale)
    page.goto(f"/{FIRST_LESSON}")
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("h1")).to_contain_text(TITLES[language])
    rows = {"en": "Row 1: J♦", "fr": "Rangée 1 : V♦", "ms": "Baris 1: J♦", "th": "แถวที่ 1: J♦", "uk": "Ряд 1: J♦"}
    expect(page.locator("body")).to_contain_text(rows[language])
    present = {"en": "Present", "fr": "Présenter", "ms": "Persembahkan", "th": "นำเสนอ", "uk": "Показати класу"}
    expect(page.get_by_role("button", name=present[language])).to_be_visible()
    end = {
        "en": "Next lesson:",
        "fr": "Leçon suivante",
        "ms": "Pelajaran seterusnya",
        "th": "บทเรียนถัดไป",
        "uk": "Наступний урок",
    }
    expect(page.locator("body")).to_contain_text(end[language])
    screenshot(page, f"lesson-{language}-desktop")
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    screenshot(page, f"lesson-{language}-phone")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_links_between_lessons_lead_where_they_say(new_page: Pages) -> None:
    """The course keeps its language, and another one is a link away, whatever the browser wants."""
    page = new_page(locale="th")
    page.goto("/voila/render/00_index.ipynb")
    expect(page).to_have_url(re.compile("/voila/render/th/00_index.ipynb$"))
    wait_for_lesson(page)
    page.get_by_role("link", name="Français").click()
    expect(page).to_have_url(re.compile("/voila/render/fr/00_index.ipynb$"))
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    wait_for_lesson(page)
    page.get_by_role("link", name="English").click()
    expect(page).to_have_url(re.compile("/voila/render/00_index.ipynb$"))
    expect(page.locator("html")).to_have_attribute("lang", "en")
    wait_for_lesson(page)


def test_the_game_of_a_language_folder_is_the_game_in_that_language(new_page: Pages) -> None:
    page = new_page()
    page.goto("/voila/render/uk/play.ipynb", wait_until="commit")
    wait_for_game(page)
    expect_language(page, "uk")
    assert re.search(r"/\?(.*&)?lang=uk", page.url)
