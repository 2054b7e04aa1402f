"""The message catalogue: the one door through which every text that a person sees passes.

English is the source. A translation is a gettext catalogue in `locale/<language>/LC_MESSAGES/pyramide.mo`;
a text without a translation is shown in English. The module knows no card and no rule.

The language is one for the process: a kernel and a command line each serve one person.
"""

import gettext as _gettext
import re
from collections.abc import Iterable
from pathlib import Path

DOMAIN = "pyramide"
LESSONS_DOMAIN = "lessons"
LOCALE_DIR = Path(__file__).parent / "locale"
SOURCE_LANGUAGE = "en"

_language = SOURCE_LANGUAGE
_catalogue: _gettext.NullTranslations = _gettext.NullTranslations()


def available_languages() -> tuple[str, ...]:
    """Return the codes of the languages that can be set, the source language first."""
    translated = sorted(path.parent.parent.name for path in LOCALE_DIR.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))
    return (SOURCE_LANGUAGE, *(code for code in translated if code != SOURCE_LANGUAGE))


def set_language(code: str) -> str:
    """Set the language of all texts from now on and return the one in force.

    A region or an encoding is ignored (`fr-CA` and `fr_CA.UTF-8` are `fr`); a language without a catalogue leaves
    English in force.
    """
    global _language, _catalogue
    short = re.split(r"[-_.@]", code)[0].lower()
    _language = short if short in available_languages() else SOURCE_LANGUAGE
    _catalogue = _catalogue_of(_language)
    return _language


def _catalogue_of(code: str) -> _gettext.NullTranslations:
    """Return the catalogue of an available language, which also looks into that of the lessons if there is one."""
    if code == SOURCE_LANGUAGE:
        return _gettext.NullTranslations()
    catalogue = _gettext.translation(DOMAIN, LOCALE_DIR, languages=[code])
    catalogue.add_fallback(_gettext.translation(LESSONS_DOMAIN, LOCALE_DIR, languages=[code], fallback=True))
    return catalogue


def language() -> str:
    """Return the code of the language in force."""
    return _language


def language_name(code: str) -> str:
    """Return what a language calls itself; the name stands in its own catalogue."""
    # Translators: the name of your language in your language.
    return _catalogue_of(code).pgettext("this language", "English")


def translation_in(code: str, message: str) -> str:
    """Return the translation of a message into an available language, whichever is in force."""
    return _catalogue_of(code).gettext(message)


def first_available(codes: Iterable[str]) -> str:
    """Return the first of these languages that there is, English if there is none; regions are ignored.

    >>> first_available(["xx", "en-GB"])
    'en'
    """
    known = available_languages()
    shorts = (re.split(r"[-_.@]", code)[0].lower() for code in codes)
    return next((short for short in shorts if short in known), SOURCE_LANGUAGE)


def folder_language() -> str:
    """Return the language of the folder that the program runs in, as translated notebooks do; "" in any other folder."""
    name = Path.cwd().name
    return name if name in available_languages() else ""


def _(message: str) -> str:
    """Return the translation of a message."""
    return _catalogue.gettext(message)


def N_(message: str) -> str:  # noqa: N802 - gettext's own name, which Babel looks for
    """Mark a message for extraction without translating it yet: for texts kept in data."""
    return message


def pgettext(context: str, message: str) -> str:
    """Return the translation of a message that means different things in different places."""
    return _catalogue.pgettext(context, message)


def ngettext(singular: str, plural: str, n: int, **values: object) -> str:
    """Return the translation of a message for n things, with n filled in as `{n}` and the other values by their names.

    >>> ngettext("{n} card on the {pile}", "{n} cards on the {pile}", 2, pile="waste")
    '2 cards on the waste'
    """
    return _catalogue.ngettext(singular, plural, n).format(n=n, **values)


def shorten(text: str, width: int = 40) -> str:
    r"""Return a text as a message can quote it: on one line, no longer than so many letters, each of which shows.

    A character that does not show, such as a control character, stands as `�`.

    >>> shorten("a\n b" + 50 * "c", 10), shorten("\x1b[2J")
    ('a bcccccc…', '�[2J')
    """
    # Cut first: a text of any size costs no more than its beginning.
    line = " ".join(text[: 4 * width].split())
    if len(line) > width or len(text) > 4 * width:
        line = line[: width - 1].rstrip() + "…"
    return "".join(letter if letter.isprintable() else "�" for letter in line)
