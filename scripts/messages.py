"""Keep the message catalogues: collect the texts, bring every language up to date, compile, and check.

    python scripts/messages.py            bring templates, catalogues and compiled catalogues up to date
    python scripts/messages.py --check    change nothing, say what is behind or wrong, and fail if anything is
    python scripts/messages.py --new xx   begin a language

There are two catalogues: `pyramide` has the texts of the program, `lessons` those of the notebooks, the Markdown cells and
the texts in their code. `pyramide_core/locale/<catalogue>.pot` is the template, `<language>/LC_MESSAGES/<catalogue>.po`
the translations and the `.mo` beside them what the program reads. `scripts/translate_notebooks.py` writes the translated
notebooks. What is written depends on nothing but code, notebooks and translations: no dates, no names, no line numbers,
so that a change shows as what it is.
"""

import argparse
import io
import json
import re
import string
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from babel.core import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_file
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.plurals import get_plural
from babel.messages.pofile import PoFileError, read_po, write_po
from babel.util import pathmatch
from notebook_texts import extract as extract_notebook

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "pyramide_core"
LOCALE_DIR = PACKAGE / "locale"
NOTEBOOKS = ROOT / "notebooks"
PROGRAM, LESSONS = "pyramide", "lessons"
COMMENT_TAG = "Translators:"
ENGLISH_PLURALS = "nplurals=2; plural=(n != 1)"
PLURAL_FORMS = {
    # Babel's French has a third form for whole millions, which no count of cards reaches.
    "fr": "nplurals=2; plural=(n > 1)",
}
MARKDOWN, TITLE = "(Markdown)", "title of the page"
"""How the comments of messages end that only the notebooks' files hold, and no program asks for."""
SAMPLES = range(1000)
"""Numbers that show which form of a plural stands for which; the rules of all languages repeat after 100."""


class PlainCatalogue(Catalog):
    """A catalogue whose header has no dates, names and versions."""

    def __init__(self, domain: str, language: str | None = None, plural_forms: str = ENGLISH_PLURALS) -> None:
        self._forms = plural_forms.rstrip("; ")
        what = {PROGRAM: "The texts of Pyramide", LESSONS: "The lessons of Pyramide"}[domain]
        into = f" in {Locale.parse(language).english_name}" if language else ", for translation"
        super().__init__(locale=language, domain=domain, fuzzy=False, header_comment=f"# {what}{into}.")

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
    return sorted(path.parent.parent.name for path in LOCALE_DIR.glob(f"*/LC_MESSAGES/{PROGRAM}.po"))


def template_path(domain: str) -> Path:
    """Return where a template is."""
    return LOCALE_DIR / f"{domain}.pot"


def catalogue_path(language: str, domain: str = PROGRAM) -> Path:
    """Return where the translations into a language are."""
    return LOCALE_DIR / language / "LC_MESSAGES" / f"{domain}.po"


@cache
def extract(domain: str) -> PlainCatalogue:
    """Return the texts of a domain as they are now, file by file in their order there."""
    return {PROGRAM: extract_program, LESSONS: extract_lessons}[domain]()


def extract_program() -> PlainCatalogue:
    """Return the texts that stand in the code."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as settings:
        patterns, options = parse_mapping_cfg(settings)
    template = PlainCatalogue(PROGRAM)
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


def source_notebooks() -> list[Path]:
    """Return the notebooks in English; the translated ones are in folders below them."""
    return sorted(NOTEBOOKS.glob("*.ipynb"))


def extract_lessons() -> PlainCatalogue:
    """Return the texts of the notebooks, but for those that the program has too."""
    known = {key_of(message) for message in extract(PROGRAM)}
    template = PlainCatalogue(LESSONS)
    for path in source_notebooks():
        name = path.relative_to(ROOT).as_posix()
        title = json.loads(path.read_text(encoding="utf-8"))["metadata"].get("title")
        if title:
            template.add(title, locations=[(name, 0)], auto_comments=[TITLE])
        with path.open("rb") as file:
            for _cell, _function, message, comments in extract_notebook(file, {}, [COMMENT_TAG], {}):
                if key_of(Message(message)) not in known:
                    template.add(message, locations=[(name, 0)], auto_comments=comments)
    return template


def read(path: Path, language: str | None = None) -> PlainCatalogue:
    """Read a catalogue; a mistake of form ends the program with where it is."""
    domain = path.stem
    try:
        with path.open("rb") as file:
            found = read_po(file, locale=language, domain=domain, abort_invalid=True)
    except PoFileError as error:
        raise SystemExit(f"{path}: line {error.lineno}: {error}: {error.line!r}") from None
    plain = PlainCatalogue(domain, language, PLURAL_FORMS.get(language or "", plural_rule(found)))
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
    """Return a catalogue as the program reads it: what it asks for and is translated, nothing unsure or half done."""
    file = io.BytesIO()
    done = PlainCatalogue(catalogue.domain, catalogue.locale_identifier, plural_rule(catalogue))
    for message in catalogue:
        if message.id and is_done(message, catalogue) and not is_prose(message):
            done[message.id] = message
    write_mo(file, done)
    return file.getvalue()


def is_done(message: Message, catalogue: Catalog) -> bool:
    """Return whether a message has all its translations, and none that is unsure."""
    forms = translations(message)
    wanted = catalogue.num_plurals if isinstance(message.id, tuple | list) else 1
    return not message.fuzzy and all(forms) and len(forms) == wanted


def is_prose(message: Message) -> bool:
    """Return whether a message is a Markdown cell or a title, which no program fills in or asks for."""
    return any(comment.endswith((MARKDOWN, TITLE)) for comment in message.auto_comments)


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
    """Bring the templates, and the catalogues of these languages with their compiled forms, up to date."""
    for domain in (PROGRAM, LESSONS):
        template = extract(domain)
        write(template_path(domain), as_po(template))
        for code in codes:
            path = catalogue_path(code, domain)
            catalogue = read(path, code) if path.exists() else PlainCatalogue(domain, code, plural_forms(code))
            catalogue.update(template)
            catalogue.fuzzy = False
            write(path, as_po(catalogue))
            write(path.with_suffix(".mo"), as_mo(catalogue))


def plural_forms(language: str) -> str:
    """Return the rule of a language for its plurals, in gettext's form."""
    number, expression = get_plural(language)
    return PLURAL_FORMS.get(language, f"nplurals={number}; plural={expression}")


# Checks -----------------------------------------------------------------------------------------------------------


def problems(language: str, domain: str) -> Iterator[str]:
    """Yield what is behind or wrong in a catalogue of a language."""
    path = catalogue_path(language, domain)
    name = path.relative_to(ROOT)
    catalogue = read(path, language)
    wanted, found = by_key(extract(domain)), by_key(catalogue)
    yield from (f"{name}: lacks {key!r}" for key in wanted.keys() - found.keys())
    yield from (f"{name}: has {key!r}, which is nowhere any more" for key in found.keys() - wanted.keys())
    for key in wanted.keys() & found.keys():
        found[key].auto_comments = wanted[key].auto_comments
        yield from (f"{name}: {key[1]!r}: {problem}" for problem in message_problems(found[key], catalogue))
    compiled = path.with_suffix(".mo")
    if not compiled.exists() or compiled.read_bytes() != as_mo(catalogue):
        yield f"{compiled.relative_to(ROOT)}: was not compiled from {path.name}"


def template_problems(domain: str) -> Iterator[str]:
    """Yield in what a template differs from what it was made from."""
    wanted, found = by_key(extract(domain)).keys(), by_key(read(template_path(domain))).keys()
    name = template_path(domain).name
    yield from (f"{name}: lacks {key!r}" for key in wanted - found)
    yield from (f"{name}: has {key!r}, which is nowhere any more" for key in found - wanted)


def by_key(catalogue: Catalog) -> dict[tuple[str | None, str, str | None], Message]:
    """Return the messages of a catalogue by what makes them the same message."""
    return {key_of(message): message for message in catalogue if message.id}


def key_of(message: Message) -> tuple[str | None, str, str | None]:
    """Return what makes a message the same message: its context, its text and its plural."""
    singular, plural = message.id if isinstance(message.id, tuple | list) else (message.id, None)
    return message.context, singular, plural


def message_problems(message: Message, catalogue: PlainCatalogue) -> Iterator[str]:
    """Yield what is wrong with a translation: missing, unsure, or not filled in or linked as the English is."""
    if message.fuzzy:
        yield "is marked as unsure (fuzzy)"
        return
    if is_prose(message):
        yield from prose_problems(str(message.id), translations(message)[0])
        return
    _context, singular, plural = key_of(message)
    forms = translations(message)
    wanted_forms = 1 if plural is None else catalogue.num_plurals
    if any(forms) and len(forms) != wanted_forms:
        yield f"has {len(forms)} forms, and the language {wanted_forms}"
        return
    single = singular_forms(catalogue) if plural is not None else set()
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
            # It may leave the number out: "one card".
            allowed.append([name for name in allowed[0] if name != "n"])
        if given not in allowed:
            yield f"{translation!r} has the places {given}, not {allowed[0]}"
        source = plural or singular
        if ends(translation) != ends(source):
            yield f"{translation!r} has other spaces or line ends at its ends"


def prose_problems(source: str, translation: str) -> Iterator[str]:
    """Yield what is wrong with the translation of a Markdown cell: its links, code, headings, tables or lists differ."""
    if not translation:
        yield "is not translated"
        return
    parts = {
        "links": r"\]\((?:\.\./)*([^)]*)\)",
        "code": r"`[^`]+`",
        "cards": r"\b(?:10|[2-9])[♣♦♥♠]",
        "headings": r"^#+ ",
        "list items": r"^(?:- |\d+\. )",
        "table rows": r"^\|",
        "formulas": r"\$[^$]+\$",
    }
    for name, pattern in parts.items():
        wanted, found = (Counter(re.findall(pattern, text, re.M)) for text in (source, translation))
        if wanted != found:
            yield f"has other {name}: {dict(found)}, not {dict(wanted)}"
    if ends(translation) != ends(source):
        yield "has other spaces or line ends at its ends"


def singular_forms(catalogue: PlainCatalogue) -> set[int]:
    """Return the forms of the plural that stand for one thing alone; in some languages, such as French, for none too."""
    form_of = form_function(catalogue.plural_expr)
    return {form_of(1)} - {form_of(n) for n in SAMPLES if n > 1}


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
        domains = (PROGRAM, LESSONS)
        found = [problem for domain in domains for problem in template_problems(domain)]
        found += [problem for code in languages() for domain in domains for problem in problems(code, domain)]
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
