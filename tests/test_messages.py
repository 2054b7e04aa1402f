"""The message catalogue: languages, plurals, and what a message may quote."""

import gettext
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from hypothesis import given
from hypothesis import strategies as st

from pyramide_core import messages
from pyramide_core.messages import N_, _, ngettext, pgettext, set_language, shorten


@pytest.fixture
def ukrainian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A language made for the test; English is in force again afterwards."""
    catalogue = Catalog(locale="uk", domain=messages.DOMAIN)
    catalogue.add("The waste is empty.", "Відбій порожній.")
    catalogue.add("Post", "Пошта", context="letters")
    catalogue.add(
        ("{n} card on the {pile}", "{n} cards on the {pile}"), ("{n} k1 {pile}", "{n} k2 {pile}", "{n} k5 {pile}")
    )
    folder = tmp_path / "uk" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    (folder / f"{messages.DOMAIN}.mo").write_bytes(compiled.getvalue())
    monkeypatch.setattr(messages, "LOCALE_DIR", tmp_path)
    yield "uk"
    set_language("en")


def test_english_is_the_source() -> None:
    assert messages.language() == "en"
    assert _("The waste is empty.") == "The waste is empty."
    assert N_("clubs") == "clubs"
    assert pgettext("letters", "Post") == "Post"
    assert ngettext("{n} card on the {pile}", "{n} cards on the {pile}", 1, pile="waste") == "1 card on the waste"
    assert ngettext("{n} card on the {pile}", "{n} cards on the {pile}", 0, pile="waste") == "0 cards on the waste"


def test_another_language_and_back(ukrainian: str) -> None:
    assert messages.available_languages() == ("en", ukrainian)
    assert set_language("uk") == "uk"
    assert messages.language() == "uk"
    assert _("The waste is empty.") == "Відбій порожній."
    assert _("A text without translation") == "A text without translation"
    assert pgettext("letters", "Post") == "Пошта"
    assert _("Post") == "Post"
    assert set_language("en") == "en"
    assert _("The waste is empty.") == "The waste is empty."


# Ukrainian: one form for 1, 21, ...; one for 2-4, 22-24, ...; one for the rest.
@pytest.mark.parametrize(
    ("n", "form"), [(1, "k1"), (2, "k2"), (5, "k5"), (11, "k5"), (21, "k1"), (22, "k2"), (0, "k5")]
)
def test_plural_forms(ukrainian: str, n: int, form: str) -> None:
    set_language(ukrainian)
    assert ngettext("{n} card on the {pile}", "{n} cards on the {pile}", n, pile="x") == f"{n} {form} x"


@pytest.mark.parametrize("code", ["uk", "uk-UA", "uk_UA", "UK", "uk_UA.UTF-8", "uk.UTF-8", "uk@latin"])
def test_region_and_encoding_are_ignored(ukrainian: str, code: str) -> None:
    assert set_language(code) == ukrainian


@pytest.mark.parametrize("code", ["", "C", "xx", "../uk", "uk/..", "\0", "-", "en-GB", "C.UTF-8"])
def test_unknown_languages_are_english(ukrainian: str, code: str) -> None:
    set_language(ukrainian)
    assert set_language(code) == "en"
    assert _("The waste is empty.") == "The waste is empty."


def test_every_catalogue_that_is_there_can_be_set() -> None:
    try:
        for code in messages.available_languages():
            assert set_language(code) == code
            assert isinstance(messages._catalogue, gettext.NullTranslations)
    finally:
        set_language("en")


@given(st.text(alphabet=st.characters(exclude_categories=())), st.integers(1, 60))
def test_a_quoted_text_is_one_short_line_that_shows(text: str, width: int) -> None:
    quoted = shorten(text, width)
    assert len(quoted) <= width
    assert quoted.isprintable()


def test_a_short_text_is_quoted_as_it_is() -> None:
    assert shorten("10♣ ไพ่ 7♥") == "10♣ ไพ่ 7♥"
    assert shorten("a" * 40) == "a" * 40
    assert shorten("a" * 41) == "a" * 39 + "…"
    assert shorten(" " * 10_000 + "a") == "…"
