"""The catalogues: complete, up to date, fit to be filled in, and right where it can be said independently what is right."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import messages as catalogues
import pytest
import translate_notebooks
from babel.messages.catalog import Message

from pyramide_core import wording
from pyramide_core.cards import Card
from pyramide_core.messages import _, available_languages, language_name, ngettext, set_language

ROOT = Path(__file__).resolve().parents[1]
NAMES = {"en": "English", "fr": "Français", "ms": "Bahasa Melayu", "th": "ไทย", "uk": "Українська"}
LANGUAGES = sorted(NAMES.keys() - {"en"})
DOMAINS = (catalogues.PROGRAM, catalogues.LESSONS)
# The messages that the rules page fixes, in its words.
FIXED = {
    "This card is blocked by another card": ("ไพ่ใบนี้ถูกไพ่อีกใบบล็อกอยู่", "Kad ini dihalang oleh kad lain"),
    "The sum must be {total}": ("ผลรวมต้องเท่ากับ 13", "Jumlah mestilah sama dengan 13"),
    "No more moves can be made": ("ไม่มีตาที่เล่นได้อีกแล้ว", "Tiada lagi langkah yang boleh dibuat"),
    "Undo": ("เลิกทำ", "Buat asal"),
    "New game": ("เกมใหม่", "Permainan baharu"),
}


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    set_language("en")


# The files --------------------------------------------------------------------------------------------------------


def test_there_are_five_languages_which_name_themselves() -> None:
    assert {code: language_name(code) for code in available_languages()} == NAMES
    assert catalogues.languages() == LANGUAGES


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_templates_hold_the_texts_of_today(domain: str) -> None:
    assert list(catalogues.template_problems(domain)) == []


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_and_compiled(language: str, domain: str) -> None:
    assert list(catalogues.problems(language, domain)) == []


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_are_written_one_way_only(language: str, domain: str) -> None:
    path = catalogues.catalogue_path(language, domain)
    catalogue = catalogues.read(path, language)
    assert catalogues.as_po(catalogue) == path.read_bytes()
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"Date:|Generated-By|Translator:|/(?:home|root|tmp|work)/", text.split("\n\n")[0])
    assert not re.search(r"^#: .*:\d", text, re.M)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_plural_rule_is_that_of_the_language(language: str) -> None:
    """The rules are written out here as the gettext manual has them."""
    rules = {
        "fr": lambda n: int(n > 1),
        "ms": lambda n: 0,
        "th": lambda n: 0,
        "uk": lambda n: 0 if n % 10 == 1 and n % 100 != 11 else 1 if 2 <= n % 10 <= 4 and not 10 <= n % 100 < 20 else 2,
    }
    for domain in DOMAINS:
        catalogue = catalogues.read(catalogues.catalogue_path(language, domain), language)
        form_of = catalogues.form_function(catalogue.plural_expr)
        assert [form_of(n) for n in range(200)] == [rules[language](n) for n in range(200)]
        assert catalogue.num_plurals == 1 + max(rules[language](n) for n in range(200))


# What they say ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("english", FIXED)
def test_the_fixed_messages_word_for_word(english: str) -> None:
    for language, wanted in zip(("th", "ms"), FIXED[english], strict=True):
        set_language(language)
        assert _(english).format(total=13) == wanted


@pytest.mark.parametrize(
    ("language", "letters", "king", "seven"),
    [
        ("en", "A J Q K", "king of diamonds", "7 of clubs"),
        ("fr", "A V D R", "roi de carreau", "7 de trèfle"),
        ("th", "A J Q K", "คิงข้าวหลามตัด", "7 ดอกจิก"),
        ("ms", "A J Q K", "Raja daiman", "7 kelawar"),
        ("uk", "A J Q K", "король бубон", "сімка треф"),
    ],
)
def test_cards_have_the_letters_and_names_of_the_language(language: str, letters: str, king: str, seven: str) -> None:
    set_language(language)
    assert " ".join(wording.rank_letter(rank) for rank in (1, 11, 12, 13)) == letters
    assert wording.card_name(Card.parse("KD")) == king
    assert wording.card_name(Card.parse("7C")) == seven


@pytest.mark.parametrize(
    ("n", "wanted"),
    [
        (0, "Залишилося 0 карт."),
        (1, "Залишилася 1 карта."),
        (2, "Залишилося 2 карти."),
        (5, "Залишилося 5 карт."),
        (11, "Залишилося 11 карт."),
        (21, "Залишилася 21 карта."),
        (24, "Залишилося 24 карти."),
    ],
)
def test_ukrainian_counts_in_three_forms(n: int, wanted: str) -> None:
    set_language("uk")
    assert ngettext("{n} card left.", "{n} cards left.", n) == wanted


@pytest.mark.parametrize(
    ("language", "number", "percent"),
    [
        ("en", "1,430.5", "66.9 %"),
        ("fr", "1\u00a0430,5", "66,9\u00a0%"),
        ("th", "1,430.5", "66.9%"),
        ("ms", "1,430.5", "66.9%"),
        ("uk", "1\u00a0430,5", "66,9\u00a0%"),
    ],
)
def test_numbers_are_written_as_the_language_does(language: str, number: str, percent: str) -> None:
    set_language(language)
    assert wording.number(1430.5, 1) == number
    assert wording.percent(0.6687, 1) == percent


def texts(language: str) -> Iterator[tuple[str, str]]:
    """Yield every text of the program with its translation, form by form."""
    for message in catalogues.read(catalogues.catalogue_path(language), language):
        if message.id and message.context != "how numbers are written":
            for form in catalogues.translations(message):
                yield catalogues.key_of(message)[2] or catalogues.key_of(message)[1], form


@pytest.mark.parametrize("language", ["fr", "ms", "uk"])
def test_a_sentence_ends_as_it_does_in_english(language: str) -> None:
    ends = {"!": ".", "": ""}
    wrong = [
        (english, text)
        for english, text in texts(language)
        for wanted, found in [(re.sub(r".*?([.:?!…]?)$", r"\1", t, flags=re.S) for t in (english, text))]
        if ends.get(wanted, wanted) != ends.get(found, found)
    ]
    assert wrong == []


def test_french_spaces_and_apostrophes() -> None:
    found = [
        text
        for _english, text in texts("fr")
        if re.search(r"(?<![\u00a0\u202f\w%(])[;?!»](?!\w)| [:;?!»]|« |[\w{]'\w", text)
    ]
    assert found == []


def test_ukrainian_apostrophes_and_quotes() -> None:
    assert [text for _english, text in texts("uk") if re.search(r"\w'\w|[“”\"]", text)] == []


@pytest.mark.parametrize("language", ["th", "uk"])
def test_a_translation_is_in_the_script_of_its_language(language: str) -> None:
    """Only names, codes and placeholders may be without a letter of the script."""
    script = {"th": r"[\u0e00-\u0e7f]", "uk": r"[\u0400-\u04ff]"}[language]
    same = {"ltr", "J", "Q", "K", "A", "Pyramide"}
    found = [
        text
        for english, text in texts(language)
        if not re.search(script, text) and re.search(r"[A-Za-z]{2}", re.sub(r"\{\w+\}|%\(\w+\)s", "", english))
    ]
    assert {re.sub(r"\{\w+\}|\W", "", text) for text in found} <= {"", *same}


# The checks themselves --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        (Message("{card} is gone", "{card} fort"), ""),
        (Message("{card} is gone", "fort"), "places"),
        (Message("{card} is gone", "{carte} fort"), "places"),
        (Message("{card} is gone", "{card fort"), "expected '}'"),
        (Message("{card} is gone", ""), "not translated"),
        (Message("{card} is gone", "{card} fort", flags=["fuzzy"]), "unsure"),
        (Message("%(value)r is wrong", "%(value)r fort"), ""),
        (Message("%(value)r is wrong", "fort"), "places"),
        (Message("usage: ", "usage :"), "ends"),
        (Message(("{n} card", "{n} cards"), ("{n} k1", "{n} k2", "{n} k5")), ""),
        (Message(("one card", "{n} cards"), ("k1", "{n} k2", "{n} k5")), "places"),
        (Message(("{n} card", "{n} cards"), ("{n} k1", "{n} k2")), "forms"),
        (Message(("{n} card", "{n} cards"), ("{n} k1", "", "{n} k5")), "not translated"),
    ],
)
def test_what_is_wrong_with_a_translation_is_found(message: Message, problem: str) -> None:
    ukrainian = catalogues.PlainCatalogue(catalogues.PROGRAM, "uk", catalogues.plural_forms("uk"))
    found = "; ".join(catalogues.message_problems(message, ukrainian))
    assert problem in found
    assert bool(problem) == bool(found)


def test_a_form_for_one_thing_alone_may_leave_the_number_out() -> None:
    french = catalogues.PlainCatalogue(catalogues.PROGRAM, "fr", catalogues.plural_forms("fr"))
    message = Message(("one card", "{n} cards"), ("une carte", "{n} cartes"))
    assert list(catalogues.message_problems(message, french)) == []


@pytest.mark.parametrize(
    ("source", "translation", "problem"),
    [
        ("[a](x.ipynb)", "[b](x.ipynb)", ""),
        ("[a](x.ipynb)", "[b](../x.ipynb)", ""),
        ("[a](x.ipynb)", "[b](y.ipynb)", "links"),
        ("`code` here", "ici `code`", ""),
        ("`code` here", "ici `kode`", "code"),
        ("## Seven rows", "Sept rangées", "headings"),
        ("- a\n- b", "- a", "list items"),
        ("|a|\n|-|\n|b|", "|a|\n|-|", "table rows"),
        ("10♣ and 3♠", "10♣ et 4♠", "cards"),
        ("Text", "", "not translated"),
        ("Text", "Texte\n", "ends"),
    ],
)
def test_what_is_wrong_with_a_translated_cell_is_found(source: str, translation: str, problem: str) -> None:
    found = "; ".join(catalogues.prose_problems(source, translation))
    assert problem in found
    assert bool(problem) == bool(found)


# The notebooks ----------------------------------------------------------------------------------------------------


def test_no_translated_notebook_is_behind_its_source() -> None:
    assert [path.relative_to(ROOT).as_posix() for path, _text in translate_notebooks.differences()] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translated_notebooks_have_the_code_of_their_source(language: str) -> None:
    for source in catalogues.source_notebooks():
        made = source.parent / language / source.name
        assert code(made) == code(source)
        assert "outputs" not in {key for cell in cells(made) for key in cell if cell.get(key) and key == "outputs"}


def cells(path: Path) -> list[dict[str, object]]:
    return json.loads(path.read_text(encoding="utf-8"))["cells"]  # type: ignore[no-any-return]


def code(path: Path) -> list[str]:
    return ["".join(cell["source"]) for cell in cells(path) if cell["cell_type"] == "code"]  # type: ignore[arg-type]


def test_the_scripts_are_those_of_the_project() -> None:
    assert Path(str(sys.modules["messages"].__file__)) == ROOT / "scripts" / "messages.py"
