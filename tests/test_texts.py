"""Every text that a person sees goes through the message catalogue, in a form that can be translated.

The source is read, not run. A line that ends with the comment `# not a text` says that its words are for no person.
"""

import ast
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from babel.messages.extract import DEFAULT_KEYWORDS, extract

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "pyramide_core"
SOURCES = sorted(PACKAGE.rglob("*.py"))
SCRIPTS = sorted([*PACKAGE.rglob("*.js"), *(ROOT / "share").rglob("*.js")])
NOT_A_TEXT = "# not a text"

# How many of the arguments are messages: the first ones.
CATALOGUE = {"_": 1, "N_": 1, "pgettext": 2, "ngettext": 2}
# Raised for the programmer who calls a function wrongly; a person's bad input ends in a PyramideError.
FOR_PROGRAMMERS = {
    "AssertionError",
    "AttributeError",
    "IndexError",
    "KeyError",
    "NotImplementedError",
    "RuntimeError",
    "TypeError",
}
LOGGERS = {"log", "_log", "logger", "_logger", "LOG", "_LOG", "logging"}
FOR_BROWSERS = {"set_header", "add_header"}
SHOWN_BY = {"print", "write", "writelines", "write_line", "say", "echo"}
SHOWN_AS = {
    "alt",
    "aria_label",
    "button_text",
    "caption",
    "description",
    "description_tooltip",
    "epilog",
    "help",
    "label",
    "message",
    "placeholder",
    "text",
    "title",
    "tooltip",
}
# What other programs say, by which it is recognised.
WORDS_OF_OTHERS = {"not a database", "disk image", "file is encrypted"}

WORD = re.compile(r"[a-z]{2,}")
PROSE = re.compile(r"[a-z]{2,}[.,:!?]? [A-Za-z]?[a-z]+|[A-Z][a-z]{2,}[.!?…](?:\s|$)")
TAG = re.compile(r"<[^<>]*>?")
SHOWN_ATTRIBUTE = re.compile(r"""(?:title|alt|aria-label|placeholder)=["'][^"'{]*[a-z]{2,}""")


@dataclass
class Source:
    """A module with what the checks need to know of each part of it: the node that it is in."""

    path: Path
    text: str
    tree: ast.Module

    def __post_init__(self) -> None:
        self.parent = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        self.lines = self.text.splitlines()

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the nodes that a node is in, the nearest first."""
        while (node := self.parent.get(node)) is not None:  # type: ignore[assignment]
            yield node

    def is_marked(self, node: ast.expr) -> bool:
        return any(NOT_A_TEXT in line for line in self.lines[node.lineno - 1 : node.end_lineno])

    def where(self, node: ast.expr) -> str:
        return f"{self.path.relative_to(ROOT)}:{node.lineno}"


@cache
def source(path: Path) -> Source:
    text = path.read_text(encoding="utf-8")
    return Source(path, text, ast.parse(text))


def last_name(node: ast.expr) -> str:
    """Return the last name of an expression: `write` for `sys.stdout.write`."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def called(call: ast.Call) -> str:
    return last_name(call.func)


def placeholders(message: str) -> set[str]:
    """Return the names in a message's placeholders, or fail on one that is not just a name."""
    names = set()
    for _text, name, form, conversion in string.Formatter().parse(message):
        if name is not None:
            assert name.isidentifier(), f"placeholder {{{name}}}: translators need a name"
            assert not form, f"placeholder {{{name}:{form}}}: how a value is written is no concern of a translation"
            assert not conversion, f"placeholder {{{name}!{conversion}}}: format the value before"
            names.add(name)
    return names


# The catalogue's calls ------------------------------------------------------------------------------------------------


def catalogue_calls(module: Source) -> Iterator[ast.Call]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CATALOGUE:
            yield node


def is_argparse_text(module: Source, call: ast.Call) -> bool:
    """Whether a message is one of argparse's own, which has its own kind of placeholders."""
    return any(
        isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id == "ARGPARSE_TEXTS"
        for node in module.around(call)
    )


def messages_of(call: ast.Call) -> list[str]:
    """Return the literal messages of a catalogue call; none when it translates a text that N_ has marked elsewhere."""
    name = called(call)
    wanted = call.args[: CATALOGUE[name]]
    if name == "_" and len(call.args) == 1 and isinstance(call.args[0], ast.Name | ast.Attribute | ast.Subscript):
        return []
    assert len(wanted) == CATALOGUE[name], "arguments are missing"
    for argument in wanted:
        assert isinstance(argument, ast.Constant), "a message is a literal, not an expression or f-string"
        assert isinstance(argument.value, str), "a message is a text"
    return [argument.value for argument in wanted if isinstance(argument, ast.Constant)]


def check_catalogue_call(module: Source, call: ast.Call) -> None:
    messages = messages_of(call)
    name = called(call)
    if not messages or is_argparse_text(module, call):
        return
    for message in messages:
        assert message == " ".join(message.split()), (
            "a message has no spaces at its ends, no line ends and no doubled spaces"
        )
        assert message, "the empty message is the catalogue's own header"
        assert not re.search(r"%[sdrif(]", message), "placeholders are {named}"
    given = {keyword.arg for keyword in call.keywords}
    if name == "ngettext":
        assert len(call.args) == 3, "ngettext(singular, plural, n)"
        names = placeholders(messages[0]) | placeholders(messages[1])
        assert "n" in placeholders(messages[1]), "the plural says how many"
        assert placeholders(messages[0]) | {"n"} == placeholders(messages[1]) | {"n"}
        assert names - {"n"} == given, "each placeholder gets its value"
        return
    assert not given
    names = placeholders(messages[-1])
    formatted = module.parent.get(call)
    if isinstance(formatted, ast.Attribute) and formatted.attr == "format":
        format_call = module.parent[formatted]
        assert isinstance(format_call, ast.Call)
        assert not format_call.args, "values are given by name"
        assert {keyword.arg for keyword in format_call.keywords} == names, "each placeholder gets its value"
    assert not isinstance(formatted, ast.BinOp), "a message is one text, not put together from pieces"
    assert not isinstance(formatted, ast.FormattedValue) or not names, "placeholders without values"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_messages_are_literals_with_named_placeholders(path: Path) -> None:
    module = source(path)
    for call in catalogue_calls(module):
        # `messages.py` defines these functions: its own calls pass a message on.
        try:
            check_catalogue_call(module, call)
        except AssertionError as error:
            raise AssertionError(f"{module.where(call)}: {error}") from error


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_babel_finds_every_message(path: Path) -> None:
    found = set()
    with path.open("rb") as file:
        for _line, message, _comments, _context in extract(
            "python", file, DEFAULT_KEYWORDS, options={"encoding": "utf-8"}
        ):
            found |= {message} if isinstance(message, str) else {*message}
    module = source(path)
    written = {
        message
        for call in catalogue_calls(module)
        for message in messages_of(call)[1 if called(call) == "pgettext" else 0 :]
    }
    assert written <= found


# Texts outside of it --------------------------------------------------------------------------------------------------


def literal(node: ast.AST) -> str | None:
    """Return the text of a literal or, of an f-string, its fixed parts; None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "{}".join(part.value for part in node.values if isinstance(part, ast.Constant))
    return None


def is_for_no_person(module: Source, node: ast.expr) -> bool:
    """Whether a literal's place says that no person sees it: a message, a docstring, a pattern, a log, an annotation."""
    inner: ast.AST = node
    for outer in module.around(node):
        if isinstance(outer, ast.Expr) and inner is node:
            return True  # a docstring
        if isinstance(outer, ast.Call):
            name = called(outer)
            owner = last_name(outer.func.value) if isinstance(outer.func, ast.Attribute) else ""
            if name in CATALOGUE or name in FOR_BROWSERS or owner in LOGGERS or owner == "re":
                return True
            if name in FOR_PROGRAMMERS and isinstance(module.parent.get(outer), ast.Raise):
                return True
        if isinstance(outer, ast.arg | ast.AnnAssign) and inner is outer.annotation:
            return True
        if isinstance(outer, ast.FunctionDef) and (inner is outer.returns or outer.name == "__repr__"):
            return True
        if isinstance(outer, ast.Compare) or (isinstance(outer, ast.Attribute) and outer.attr == "split"):
            return True  # compared with, or a list of words
        if isinstance(outer, ast.ClassDef) and any("Enum" in ast.unparse(base) for base in outer.bases):
            return True
        if isinstance(outer, ast.JoinedStr):
            return True  # looked at as a whole
        inner = outer
    return module.is_marked(node)


def is_shown(module: Source, node: ast.expr) -> bool:
    """Whether a literal goes straight to a person: into an error, onto the screen, or as a label."""
    outer = module.parent.get(node)
    if isinstance(outer, ast.keyword):
        return outer.arg in SHOWN_AS
    if isinstance(outer, ast.Call) and node in outer.args:
        # A ValueError of one word is a mark for the code that catches it.
        is_raised = isinstance(module.parent.get(outer), ast.Raise) and called(outer) != "ValueError"
        return is_raised or called(outer) in SHOWN_BY
    if isinstance(outer, ast.Assign) and isinstance(outer.targets[0], ast.Attribute):
        return outer.targets[0].attr in SHOWN_AS
    return False


def texts_outside(module: Source) -> Iterator[str]:
    for node in ast.walk(module.tree):
        text = literal(node)
        if text is None or not isinstance(node, ast.expr) or text in WORDS_OF_OTHERS or is_for_no_person(module, node):
            continue
        seen = TAG.sub("", text)
        if PROSE.search(seen) or SHOWN_ATTRIBUTE.search(text) or (is_shown(module, node) and WORD.search(seen)):
            yield f"{module.where(node)}: {text[:80]!r}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_text_outside_the_catalogue(path: Path) -> None:
    assert list(texts_outside(source(path))) == []


SCRIPT_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.S)
SCRIPT_PROSE = re.compile(r"[A-Z][a-z]+,? [a-z]+|[a-z]{2,}[.!?…](?:\s|[\"'`]$)")
SCRIPT_LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|`(?:[^`\\]|\\.)*`')


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_text_in_scripts(path: Path) -> None:
    """What a page's script shows comes from the catalogue too: it is handed over as data."""
    found = []
    for line in SCRIPT_COMMENT.sub("", path.read_text(encoding="utf-8")).splitlines():
        if "console." not in line and "new Error(" not in line:
            found += [text for text in SCRIPT_LITERAL.findall(line) if SCRIPT_PROSE.search(TAG.sub("", text))]
    assert found == []


# The checks themselves ------------------------------------------------------------------------------------------------


def module_of(text: str) -> Source:
    return Source(PACKAGE / "example.py", text, ast.parse(text))


@pytest.mark.parametrize(
    "text",
    [
        'raise DealError("wrong")',
        'raise DealError(f"{card} is wrong")',
        'raise ValueError("this is wrong")',
        'print("done")',
        'sys.stderr.write(f"{n} cards\\n")',
        'Button(description="Undo")',
        'button.tooltip = "Undo"',
        'parser.add_argument("x", help="the deal")',
        'message = "The waste is empty"',
        'return "Draw a card." if x else ""',
        'html = "<b>The stock</b> is empty"',
        """html = '<button title="undo">x</button>'""",
        'x = ("The stock is" " empty")',
        'LABELS = {"undo": "Take it back"}',
        'NAME = "Undone!"',
    ],
)
def test_a_text_outside_is_found(text: str) -> None:
    assert list(texts_outside(module_of(text)))


@pytest.mark.parametrize(
    "text",
    [
        '"""The module is this."""',
        'def f():\n    """Return a deal."""\n    x: int = 1\n    """What x is."""',
        'raise DealError(_("The deal is wrong."))',
        'raise TypeError("a tableau has places")',
        'log.warning("the page was left")',
        'self.log.exception("the page was left")',
        'raise ValueError("length")',
        'x = re.compile(r"the (card|deal) is")',
        'x = "KD 10C QS AS"',
        'data_role = "undo"',
        'HTML(value=f"<span class=\\"card {suit}\\">{face}</span>")',
        'x = "SELECT code FROM deals"  # not a text',
        'def f(x: "Rules | None") -> "Deal | Rules": ...',
        'Layout(flex_flow="row")',
    ],
)
def test_what_is_no_text_is_let_be(text: str) -> None:
    assert list(texts_outside(module_of(text))) == []


@pytest.mark.parametrize(
    "text",
    [
        '_(f"{card} is wrong")',
        '_("wrong " + word)',
        '_("{} is wrong").format(card)',
        '_("{0} is wrong").format(card)',
        '_("{card} is wrong").format(cards=card)',
        '_("{card} is wrong").format(card=card, more=1)',
        '_("{card.name} is wrong").format(card=card)',
        '_("{n:.2f} seconds").format(n=n)',
        '_("%s is wrong") % card',
        '_("%(card)s is wrong")',
        '_("")',
        '_(" wrong")',
        '_("the  stock")',
        '_("The stock") + "."',
        'ngettext("{n} card", "many cards", n)',
        'ngettext("{n} {card}", "{n} {cards}", n, card=1, cards=2)',
        'ngettext("{n} card of {suit}", "{n} cards of {suit}", n)',
        'ngettext("{n} card", plural, n)',
        "pgettext(context, text)",
        "_(name())",
    ],
)
def test_a_message_that_cannot_be_translated_is_found(text: str) -> None:
    module = module_of(text)
    (call,) = catalogue_calls(module)
    with pytest.raises(AssertionError):
        check_catalogue_call(module, call)


@pytest.mark.parametrize(
    "text",
    [
        '_("{card} is wrong").format(card=card)',
        '_("The stock is empty.")',
        "_(NAMES[rank])",
        "_(name)",
        'ngettext("{n} card", "{n} cards", n)',
        'ngettext("one card", "{n} cards", n)',
        'ngettext("{n} card of {suit}", "{n} cards of {suit}", n, suit=suit)',
        'pgettext("letters", "Post")',
    ],
)
def test_a_good_message_is_let_be(text: str) -> None:
    module = module_of(text)
    (call,) = catalogue_calls(module)
    check_catalogue_call(module, call)


def test_the_settings_of_babel_read_the_whole_package() -> None:
    from babel.messages.frontend import parse_mapping_cfg

    with (ROOT / "babel.cfg").open(encoding="utf-8") as file:
        patterns, _options = parse_mapping_cfg(file)
    assert patterns == [("pyramide_core/**.py", "python")]
