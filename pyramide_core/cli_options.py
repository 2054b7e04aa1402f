"""What the commands of `pyramide` share: their options, how a deal and rules are read from them, how output leaves.

Knows no command. A module that adds commands has a function `add_commands(subparsers)`; each command sets
`run=function`, and the function takes the read arguments and returns the exit code. A PyramideError that leaves it
becomes one sentence on the error output and exit code 2.
"""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyramide_core.deals import Deal
from pyramide_core.errors import PyramideError
from pyramide_core.messages import _, shorten
from pyramide_core.rules import VARIANTS, Rules

STANDARD_INPUT = "-"
LARGEST_INPUT = 1_000_000


class UsageError(PyramideError):
    """A command line that asks for nothing that can be done."""


def add_deal_arguments(parser: argparse.ArgumentParser) -> None:
    """Add `CODE` and `--deck TEXT`, of which one must be given; `read_deal_argument` reads them."""
    group = parser.add_mutually_exclusive_group(required=True)
    group.add_argument("code", metavar="CODE", nargs="?", help=_("the code of a deal, such as PY1-N-AAAAAAS"))
    group.add_argument(
        "--deck",
        metavar="TEXT",
        help=_("the 52 cards of a deal, such as “6D 5H AH …”: the pyramid from its top, row by row, then the stock"),
    )


def add_rules_argument(parser: argparse.ArgumentParser, default: str | None = "pyramide") -> None:
    """Add `--rules NAME`; `read_rules_argument` reads it."""
    parser.add_argument(
        "--rules",
        metavar="NAME",
        default=default,
        help=_("the rule set: {names}, or one of them with options, such as classic,passes=3").format(
            names=", ".join(VARIANTS)
        ),
    )


def add_json_argument(parser: argparse.ArgumentParser) -> None:
    """Add `--json`, for an answer that programs read."""
    parser.add_argument("--json", action="store_true", help=_("answer in JSON"))


def read_deal_argument(args: argparse.Namespace) -> Deal:
    """Return the deal that `CODE` or `--deck` names; raises DealError or CodeError saying what is wrong with it."""
    return Deal.from_code(args.code) if args.deck is None else Deal.from_text(args.deck)


def read_rules_argument(args: argparse.Namespace) -> Rules:
    """Return the rule set that `--rules` names; raises RulesError saying what is wrong with it."""
    return Rules.parse(args.rules)


def read_text(source: str, limit: int = LARGEST_INPUT) -> str:
    """Return the text of a file, or of the standard input for `-`.

    Raises UsageError when it cannot be read, is longer than `limit` bytes, or is not UTF-8.
    """
    name = _("The standard input") if source == STANDARD_INPUT else f"“{shorten(source, 80)}”"
    try:
        if source != STANDARD_INPUT:
            with Path(source).open("rb") as file:
                content = file.read(limit + 1)
        else:
            content = sys.stdin.buffer.read(limit + 1) if sys.stdin else b""
    except (OSError, ValueError) as error:
        raise UsageError(_why_unreadable(error).format(file=name)) from error
    if len(content) > limit:
        raise UsageError(_("{file} is longer than {limit} bytes.").format(file=name, limit=limit))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            _("{file} is not a text in UTF-8: byte {number} is 0x{byte}.").format(
                file=name, number=error.start + 1, byte=f"{content[error.start]:02X}"
            )
        ) from error


def _why_unreadable(error: OSError | ValueError) -> str:
    # A name with a null character, which no file can have, is a ValueError.
    if isinstance(error, FileNotFoundError | NotADirectoryError | ValueError):
        return _("There is no file {file}.")
    if isinstance(error, IsADirectoryError):
        return _("{file} is a folder, not a file.")
    if isinstance(error, PermissionError):
        return _("{file} may not be read by this user.")
    return _("{file} cannot be read.")


def number_between(first: int, last: int) -> Callable[[str], int]:
    """Return an argument type for whole numbers from first to last."""

    def read(text: str) -> int:
        plain = text.strip()
        if not (plain.isascii() and plain.isdigit() and len(plain) < 20 and first <= int(plain) <= last):
            raise argparse.ArgumentTypeError(
                _("“{text}” is not a number from {first} to {last}").format(text=shorten(text), first=first, last=last)
            )
        return int(plain)

    return read


def write_line(text: str = "") -> None:
    """Write a text and a line end on the standard output, if there is one."""
    if sys.stdout:
        sys.stdout.write(text + "\n")


def write_json(value: Any) -> None:
    """Write a value as one line of JSON on the standard output."""
    write_line(json.dumps(value, ensure_ascii=False))
