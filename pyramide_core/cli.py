"""The command `pyramide`: reads a command line, calls what it asks for, and says every failure in one sentence.

Knows nothing of cards and rules beyond what it passes on. Modules that only one command needs are imported by it.

Exit codes: 0 done, 1 the answer could not be written or the program is at fault, 2 bad input, 130 interrupted with
Ctrl-C, 141 the reader of the output went away.
"""

import argparse
import contextlib
import gettext
import importlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from pyramide_core import VARIANTS, Deal, Outcome, Position, PyramideError, Rules, __version__, messages
from pyramide_core.cli_options import (
    UsageError,
    add_deal_arguments,
    add_json_argument,
    add_rules_argument,
    number_between,
    read_deal_argument,
    read_rules_argument,
    read_text,
    write_json,
    write_line,
)
from pyramide_core.messages import N_, _, shorten

PROGRAM = "pyramide"
MORE_COMMANDS = (
    "pyramide_core.records.cli",
    "pyramide_core.solver.cli",
    "pyramide_core.study.cli",
)
"""Modules whose `add_commands(subparsers)` adds commands; they are imported when a command is none of those below."""

DONE, FAILED, BAD_INPUT, INTERRUPTED, NO_READER = 0, 1, 2, 130, 141

# What argparse says by itself; it looks its texts up in the catalogue, but Babel does not look into argparse.
ARGPARSE_TEXTS = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("the following arguments are required: %s"),
    N_("one of the arguments %s is required"),
    N_("not allowed with argument %s"),
    N_("unrecognized arguments: %s"),
    N_("expected one argument"),
    N_("expected at most one argument"),
    N_("expected at least one argument"),
    N_("ignored explicit argument %r"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("unexpected option string: %s"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("invalid %(type)s value: %(value)r"),
)


class Parser(argparse.ArgumentParser):
    """A parser that raises UsageError instead of ending the program, and knows `--lang` in every command."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"allow_abbrev": False, **options})
        self.set_defaults(parser=self)
        self.add_argument(
            "--lang",
            metavar="LANGUAGE",
            default=argparse.SUPPRESS,
            help=_("the language of all texts: {languages}").format(
                languages=", ".join(messages.available_languages())
            ),
        )

    def error(self, message: str) -> NoReturn:
        """Raise UsageError with argparse's own message."""
        raise UsageError(_("{problem} (see {command} --help)").format(problem=message, command=self.prog))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line (by default the program's own) and return the exit code."""
    try:
        _set_encodings()
        code = _run(list(sys.argv[1:] if arguments is None else arguments))
        if sys.stdout:
            sys.stdout.flush()
        return code
    except PyramideError as error:
        return _complain(str(error), BAD_INPUT)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return NO_READER
    except OSError as error:
        _drop_output()
        return _complain(_("The system refuses: {reason}.").format(reason=error.strerror or error), FAILED)
    except Exception as error:
        if os.environ.get("PYRAMIDE_DEBUG"):
            raise
        return _complain(
            _("This is a mistake in Pyramide ({error}); with PYRAMIDE_DEBUG=1 it shows where.").format(
                error=f"{type(error).__name__}: {error}"
            ),
            FAILED,
        )


def _run(arguments: list[str]) -> int:
    _choose_language(arguments)
    with _argparse_speaks(messages.language()):
        parser = _parser(arguments)
        try:
            args, unknown = parser.parse_known_args(arguments)
        except SystemExit as ended:  # --help and --version
            return int(ended.code or DONE)
        if unknown:
            # argparse would send the reader to the help of the whole program, which does not tell a command's arguments.
            args.parser.error(_("unrecognized arguments: {words}").format(words=" ".join(unknown)))
    if "run" not in args:
        raise UsageError(_("A command is missing; {program} --help names them.").format(program=PROGRAM))
    return int(args.run(args))


# Language and output ----------------------------------------------------------------------------------------------


def _choose_language(arguments: list[str]) -> None:
    """Set the language that `--lang` names, else the first known one that the environment asks for."""
    for number, word in enumerate(arguments):
        name, sign, value = word.partition("=")
        if word == "--":
            break
        if name == "--lang" and (sign or arguments[number + 1 :]):
            code = value if sign else arguments[number + 1]
            if messages.set_language(code) == messages.SOURCE_LANGUAGE and not code.lower().startswith("en"):
                raise UsageError(
                    _("There is no language “{code}”. There are: {languages}.").format(
                        code=shorten(code), languages=", ".join(messages.available_languages())
                    )
                )
            return
    for code in _environment_languages():
        if messages.set_language(code) != messages.SOURCE_LANGUAGE or code.lower().startswith("en"):
            return
    messages.set_language(messages.SOURCE_LANGUAGE)


def _environment_languages() -> list[str]:
    """Return the languages that the environment asks for, the most wanted one first, as gettext defines it."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(variable)
        if value:
            return value.split(":")
    if sys.platform == "win32":
        import ctypes
        import locale

        return [locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")]
    return []


@contextlib.contextmanager
def _argparse_speaks(language: str) -> Iterator[None]:
    """Let argparse, which asks gettext's global catalogue, find its texts in ours while it reads and explains."""
    domain, wanted = gettext.textdomain(), os.environ.get("LANGUAGE")
    gettext.bindtextdomain(messages.DOMAIN, str(messages.LOCALE_DIR))
    gettext.textdomain(messages.DOMAIN)
    os.environ["LANGUAGE"] = language
    try:
        yield
    finally:
        gettext.textdomain(domain)
        if wanted is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = wanted


def _set_encodings() -> None:
    """Write UTF-8 into files and pipes on every system; on a terminal a letter that it cannot show is replaced."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure and stream.encoding.lower().replace("-", "") != "utf8":
            reconfigure(**({"errors": "replace"} if stream.isatty() else {"encoding": "utf-8"}))


def _drop_output() -> None:
    """Let what is still to be written go nowhere, so that Python's own last flush does not fail again."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(sentence: str, code: int) -> int:
    if sys.stderr:
        with contextlib.suppress(OSError):
            sys.stderr.write(f"{PROGRAM}: {shorten(sentence, 1000)}\n")
            sys.stderr.flush()
    return code


# Commands ---------------------------------------------------------------------------------------------------------


def _parser(arguments: Sequence[str]) -> Parser:
    parser = Parser(prog=PROGRAM, description=_("Pyramide, the Pyramid solitaire that teaches."))
    parser.add_argument(
        "--version",
        action="version",
        version=f"{PROGRAM} {__version__}",
        help=_("show the version of the program and end"),
    )
    subparsers = parser.add_subparsers(title=_("commands"), metavar="COMMAND")
    _add_play(subparsers)
    _add_lab(subparsers)
    _add_deal(subparsers)
    _add_replay(subparsers)
    _add_rules(subparsers)
    if next((word for word in arguments if not word.startswith("-")), "") not in subparsers.choices:
        for module in MORE_COMMANDS:
            if _is_there(module):
                importlib.import_module(module).add_commands(subparsers)
    return parser


def _is_there(module: str) -> bool:
    """Tell whether a module is installed, without hiding that something which it needs is not."""
    package, _dot, name = module.rpartition(".")
    try:
        return importlib.util.find_spec(f".{name}", package) is not None
    except ModuleNotFoundError as error:
        if error.name == package:
            return False
        raise


def _command(subparsers: Any, name: str, run: Any, explanation: str) -> Parser:
    parser: Parser = subparsers.add_parser(name, help=explanation, description=explanation)
    parser.set_defaults(run=run)
    return parser


def _add_server_arguments(parser: Parser) -> None:
    parser.add_argument(
        "--port",
        metavar="N",
        type=number_between(1, 65535),
        help=_("the port to listen on; without it the usual one, or where that is taken any free one"),
    )
    parser.add_argument("--no-browser", action="store_true", help=_("open no browser, only say the address"))


def _add_play(subparsers: Any) -> None:
    parser = _command(subparsers, "play", _play, _("Play in the browser."))
    parser.add_argument(
        "code", metavar="CODE", nargs="?", help=_("the code of the deal to play; a new deal without it")
    )
    add_rules_argument(parser, default=None)
    _add_server_arguments(parser)
    parser.add_argument(
        "--network", action="store_true", help=_("let every computer of your network play, such as those of a class")
    )


def _play(args: argparse.Namespace) -> int:
    from pyramide_core import serve

    return serve.play(
        port=args.port,
        open_browser=not args.no_browser,
        code=Deal.from_code(args.code).code if args.code is not None else None,
        rules=read_rules_argument(args).text if args.rules is not None else None,
        network=args.network,
    )


def _add_lab(subparsers: Any) -> None:
    _add_server_arguments(_command(subparsers, "lab", _lab, _("Open the lesson notebooks in JupyterLab.")))


def _lab(args: argparse.Namespace) -> int:
    from pyramide_core import serve

    return serve.lab(port=args.port, open_browser=not args.no_browser)


def _add_deal(subparsers: Any) -> None:
    parser = _command(subparsers, "deal", _deal, _("Show where the cards of a deal lie."))
    add_deal_arguments(parser)
    add_rules_argument(parser)
    add_json_argument(parser)


def _deal(args: argparse.Namespace) -> int:
    deal, rules = read_deal_argument(args), read_rules_argument(args)
    position = Position.start(deal, rules)
    if args.json:
        write_json(deal_values(deal, position))
    else:
        from pyramide_core.picture import picture

        write_line(f"{deal.code} ({rules.text})\n")
        write_line(picture(position))
    return DONE


def deal_values(deal: Deal, position: Position) -> dict[str, Any]:
    """Return a position of a deal as plain values, ready for JSON; cards are texts such as `KD` and `10C`.

    `code`, `rules`, `pyramid` (rows from the top), `waste` (top card last) and `stock` (next card first) are always
    there. With several pyramids `pyramid` has the rows of one after the other, and `pyramids` those of each; with a
    reserve there is `reserve` (columns, the playable card last); with several waste piles `waste_piles` (each with its
    top card last), while `waste` has all their cards in the order of turning.
    """
    table = position.table

    def cards(mask: int) -> list[str]:
        return [*map(str, table.cards(mask))]

    tableau = table.tableau
    values: dict[str, Any] = {
        "code": deal.code,
        "rules": position.rules.text,
        "pyramid": [cards(row & position.tableau) for row in tableau.rows],
        "waste": cards(position.wasted),
        "stock": cards(position.stock),
    }
    if len(tableau.pyramids) > 1:
        values["pyramids"] = [[cards(row & position.tableau) for row in rows] for rows in tableau.pyramids]
    if tableau.reserve:
        values["reserve"] = [cards(sum(column) & position.tableau) for column in tableau.reserve]
    if len(position.waste) > 1:
        values["waste_piles"] = [cards(pile) for pile in position.waste]
    return values


def _add_replay(subparsers: Any) -> None:
    parser = _command(subparsers, "replay", _replay, _("Play a recorded game again and say how it stands at the end."))
    parser.add_argument("file", metavar="FILE", help=_("a file with a code and moves, or - for the standard input"))
    add_rules_argument(parser, default=None)
    add_json_argument(parser)


def _replay(args: argparse.Namespace) -> int:
    from pyramide_core.transcript import Transcript

    rules = read_rules_argument(args) if args.rules is not None else None
    transcript = Transcript.parse(read_text(args.file))
    if rules is not None:
        transcript = replace(transcript, rules=rules)
    game = transcript.replay()
    if args.json:
        # The same words in every language: programs read them.
        outcome = game.outcome.value if game.outcome else "unfinished"
        write_json({"outcome": outcome, "score": game.score, "moves": game.moves, "removed": game.removed})
    else:
        outcome = {None: _("unfinished"), Outcome.WON: _("won"), Outcome.DEAD_END: _("dead end")}[game.outcome]
        write_line(_("Result: {result}").format(result=outcome))
        write_line(_("Score: {score}").format(score=game.score))
        write_line(_("Moves: {moves}").format(moves=game.moves))
        write_line(_("Cards removed: {cards}").format(cards=game.removed))
    for sentence in transcript.mismatches(game):
        _complain(sentence, DONE)
    return DONE


def _add_rules(subparsers: Any) -> None:
    parser = _command(subparsers, "rules", _rules, _("Explain a rule set, or list them all."))
    parser.add_argument("rules", metavar="NAME", nargs="?", help=_("the rule set to explain, such as classic,passes=3"))
    add_json_argument(parser)


def _rules(args: argparse.Namespace) -> int:
    from pyramide_core.explain import explain, summary, title

    if args.rules is not None:
        explanation = explain(Rules.parse(args.rules))
        if args.json:
            write_json(explanation.as_dict())
        else:
            write_line(explanation.as_text(_width()))
    elif args.json:
        write_json(
            [{"name": name, "title": title(rules), "summary": summary(rules)} for name, rules in VARIANTS.items()]
        )
    else:
        for name, rules in VARIANTS.items():
            write_line(f"{name}\n    {summary(rules)}")
    return DONE


def _width() -> int | None:
    """Return the terminal's width, or None when the output goes to a file or a program."""
    return shutil.get_terminal_size().columns if sys.stdout and sys.stdout.isatty() else None
