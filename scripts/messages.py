"""Keep the message catalogues: collect the texts of the code, bring every language up to date, compile, and check.

    python scripts/messages.py            bring template, catalogues and compiled catalogues up to date
    python scripts/messages.py --check    change nothing, say what is behind or wrong, and fail if anything is
    python scripts/messages.py --new xx   begin a language

`pyramide_core/locale/pyramide.pot` is the template, `<language>/LC_MESSAGES/pyramide.po` the translations and the `.mo`
beside them what the program reads. What is written depends on nothing but the code and the translations: no dates, no
names, no line numbers, so that a change shows as what it is.
"""

import argparse
import io
import re
import string
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from babel.core import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_file
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.plurals import get_plural
from babel.messages.pofile import PoFileError, read_po, write_po
from babel.util import pathmatch

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "pyramide_core"
LOCALE_DIR = PACKAGE / "locale"
DOMAIN = "pyramide"
COMMENT_TAG = "Translators:"
PLURAL_FORMS = {
    # Babel's French has a third form for whole millions, which no count of cards reaches.
    "fr": "nplurals=2; plural=(n > 1)",
}
SAMPLES = range(1000)
"""Numbers that show which form of a plural stands for which; the rules of all languages repeat after 100."""


class PlainCatalogue(Catalog):
    """A catalogue whose header has no dates, names and versions."""

    def __init__(self, language: str | None, plural_forms: str) -> None:
        self._forms = plural_forms.rstrip("; ")
        super().__init__(locale=language, domain=DOMAIN, fuzzy=False, header_comment=self._title(language))

    @staticmethod
    def _title(language: str | None) -> str:
        if language is None:
            return "# The texts of Pyramide, for translation."
        return f"# The texts of Pyramide in {Locale.parse(language).english_name}."

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """The lines of the header."""
        headers = [("Project-Id-Version", "Pyramide")]
        if self.locale_identifier:
            headers += [("Language", self.locale_identifier), ("Plural-Forms", f"{self._forms};")]
        return [
            *headers,
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit\n"),
        ]

    @property
    def num_plurals(self) -> int:
        """How many forms a plural has."""
        return int(re.search(r"nplurals=(\d+)", self._forms)[1])  # type: ignore[index]

    @property
    def plural_expr(self) -> str:
        """Which of them stands for n, in C."""
        return re.search(r"plural=(.*)", self._forms)[1]  # type: ignore[index]


# Files ------------------------------------------------------------------------------------------------------------


def languages() -> list[str]:
    """Return the codes of the languages that have a catalogue."""
    return sorted(path.parent.parent.name for path in LOCALE_DIR.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def template_path() -> Path:
    """Return where the template is."""
    return LOCALE_DIR / f"{DOMAIN}.pot"


def catalogue_path(language: str) -> Path:
    """Return where the translations of a language are."""
    return LOCALE_DIR / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def extract() -> PlainCatalogue:
    """Return the texts that stand in the code now, file by file in their order there."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as settings:
        patterns, options = parse_mapping_cfg(settings)
    template = PlainCatalogue(None, "nplurals=2; plural=(n != 1)")
    for pattern, method in patterns:
        for path in sorted(PACKAGE.rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if not pathmatch(pattern, name):
                continue
            for _line, message, comments, context in extract_from_file(
                method, path, DEFAULT_KEYWORDS, [COMMENT_TAG], options.get(pattern), strip_comment_tags=True
            ):
                template.add(message, locations=[(name, 0)], auto_comments=comments, context=context)
    return template


def read(path: Path, language: str | None = None) -> PlainCatalogue:
    """Read a catalogue; a mistake of form ends the program with where it is."""
    try:
        with path.open("rb") as file:
            found = read_po(file, locale=language, domain=DOMAIN, abort_invalid=True)
    except PoFileError as error:
        raise SystemExit(f"{path}: line {error.lineno}: {error}: {error.line!r}") from None
    plain = PlainCatalogue(language, PLURAL_FORMS.get(language or "", plural_rule(found)))
    for message in found:
        if message.id:
            plain[message.id] = message
    return plain


def as_po(catalogue: Catalog) -> bytes:
    """Return a catalogue as the text of a file; a message stands on one line, however long."""
    file = io.BytesIO()
    write_po(file, catalogue, width=0, ignore_obsolete=True, include_previous=True, include_lineno=False)
    return file.getvalue()


def as_mo(catalogue: Catalog) -> bytes:
    """Return a catalogue as the program reads it: what is translated, and nothing that is unsure or half done."""
    file = io.BytesIO()
    done = PlainCatalogue(catalogue.locale_identifier, plural_rule(catalogue))
    for message in catalogue:
        forms = translations(message)
        is_plural = isinstance(message.id, tuple | list)
        if message.id and not message.fuzzy and all(forms) and len(forms) == (done.num_plurals if is_plural else 1):
            done[message.id] = message
    write_mo(file, done)
    return file.getvalue()


def translations(message: Message) -> list[str]:
    """Return a message's translations, one for each form of a plural; the empty text where there is none."""
    return [message.string or ""] if not isinstance(message.string, tuple | list) else list(message.string)


def plural_rule(catalogue: Catalog) -> str:
    """Return the rule for plurals as a catalogue's header has it."""
    return f"nplurals={catalogue.num_plurals}; plural={catalogue.plural_expr}"


def write(path: Path, content: bytes) -> None:
    """Write a file unless it already is as it should be, and say so."""
    if path.exists() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    print(f"written: {path.relative_to(ROOT)}")


def update(codes: Iterable[str]) -> None:
    """Bring the template, and the catalogues of these languages with their compiled forms, up to date."""
    template = extract()
    write(template_path(), as_po(template))
    for code in codes:
        path = catalogue_path(code)
        catalogue = read(path, code) if path.exists() else PlainCatalogue(code, plural_forms(code))
        catalogue.update(template)
        # An unchanged message keeps the comments of its translator; those of the code come with the template.
        catalogue.fuzzy = False
        write(path, as_po(catalogue))
        write(path.with_suffix(".mo"), as_mo(catalogue))


def plural_forms(language: str) -> str:
    """Return the rule of a language for its plurals, in gettext's form."""
    number, expression = get_plural(language)
    return PLURAL_FORMS.get(language, f"nplurals={number}; plural={expression}")


# Checks -----------------------------------------------------------------------------------------------------------


def problems(language: str) -> Iterator[str]:
    """Yield what is behind or wrong in the catalogue of a language."""
    path = catalogue_path(language)
    name = path.relative_to(ROOT)
    catalogue = read(path, language)
    wanted = {key_of(message): message for message in extract() if message.id}
    found = {key_of(message): message for message in catalogue if message.id}
    yield from (f"{name}: lacks {key!r}" for key in wanted.keys() - found.keys())
    yield from (f"{name}: has {key!r}, which the code no longer has" for key in found.keys() - wanted.keys())
    for key in wanted.keys() & found.keys():
        yield from (f"{name}: {key[1]!r}: {problem}" for problem in message_problems(found[key], catalogue))
    compiled = path.with_suffix(".mo")
    if not compiled.exists() or compiled.read_bytes() != as_mo(catalogue):
        yield f"{compiled.relative_to(ROOT)}: was not compiled from {path.name}"


def template_problems() -> Iterator[str]:
    """Yield in what the template differs from the code."""
    wanted = {key_of(message) for message in extract() if message.id}
    found = {key_of(message) for message in read(template_path()) if message.id}
    yield from (f"{template_path().name}: lacks {key!r}" for key in wanted - found)
    yield from (f"{template_path().name}: has {key!r}, which the code no longer has" for key in found - wanted)


def key_of(message: Message) -> tuple[str | None, str, str | None]:
    """Return what makes a message the same message: its context, its text and its plural."""
    singular, plural = message.id if isinstance(message.id, tuple | list) else (message.id, None)
    return message.context, singular, plural


def message_problems(message: Message, catalogue: PlainCatalogue) -> Iterator[str]:
    """Yield what is wrong with a translation: missing, unsure, or not filled in as the English is."""
    if message.fuzzy:
        yield "is marked as unsure (fuzzy)"
        return
    _context, singular, plural = key_of(message)
    forms = translations(message)
    wanted_forms = 1 if plural is None else catalogue.num_plurals
    if any(forms) and len(forms) != wanted_forms:
        yield f"has {len(forms)} forms, and the language {wanted_forms}"
        return
    single = single_number_forms(catalogue) if plural is not None else set()
    for form, translation in enumerate(forms):
        if not translation:
            yield "is not translated"
            continue
        try:
            given = placeholders(translation)
        except ValueError as error:
            yield f"{translation!r}: {error}"
            continue
        allowed = [placeholders(plural or singular)]
        if form in single:
            # A form for one number only may leave the number out: "one card".
            allowed.append([name for name in allowed[0] if name != "n"])
        if given not in allowed:
            yield f"{translation!r} has the places {given}, not {allowed[0]}"
        source = plural or singular
        if ends(translation) != ends(source):
            yield f"{translation!r} has other spaces or line ends at its ends"


def single_number_forms(catalogue: PlainCatalogue) -> set[int]:
    """Return the forms of the plural that stand for a single number."""
    form_of = form_function(catalogue.plural_expr)
    numbers: dict[int, int] = {}
    for n in SAMPLES:
        numbers[form_of(n)] = numbers.get(form_of(n), 0) + 1
    return {form for form, count in numbers.items() if count == 1}


def form_function(expression: str) -> Callable[[int], int]:
    """Return the function of a plural rule in gettext's own reading of it."""
    from gettext import c2py

    return c2py(expression)  # type: ignore[no-any-return]


def placeholders(text: str) -> list[str]:
    """Return the places of a text that values are put into, in alphabetical order. Raises ValueError for half a brace."""
    if re.search(r"%(\(\w+\))?[srd]", text):
        return sorted(re.findall(r"%(?:\(\w+\))?[srd]", text))
    return sorted({name for _text, name, _form, _conversion in string.Formatter().parse(text) if name is not None})


def ends(text: str) -> tuple[str, str]:
    """Return the spaces and line ends that a text begins and ends with."""
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


# Command line -----------------------------------------------------------------------------------------------------


def main() -> int:
    """Do what the arguments ask for; the exit code is 1 when a check found something."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing; say what is behind or wrong")
    parser.add_argument("--new", metavar="LANGUAGE", help="begin the catalogue of a language, such as de")
    args = parser.parse_args()
    if args.check:
        found = [*template_problems(), *(problem for code in languages() for problem in problems(code))]
        print("\n".join(found) or "The catalogues are complete.")
        return min(1, len(found))
    codes = languages()
    if args.new:
        try:
            Locale.parse(args.new)
        except (UnknownLocaleError, ValueError):
            parser.error(f"{args.new!r} is not the code of a language")
        codes.append(args.new)
    update(codes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
