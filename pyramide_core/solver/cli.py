"""The commands `pyramide solve`, `verdict` and `hint`: a deal and rules in, the solver's answer out. Knows no search."""

import argparse
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pyramide_core.cli_options import (
    add_deal_arguments,
    add_json_argument,
    add_rules_argument,
    number_between,
    read_deal_argument,
    read_rules_argument,
    write_json,
    write_line,
)
from pyramide_core.errors import IllegalMoveError
from pyramide_core.messages import _
from pyramide_core.moves import Move, parse_move
from pyramide_core.position import Position
from pyramide_core.solver import compiled
from pyramide_core.solver.answers import max_removable, solve, verdict
from pyramide_core.solver.results import Effort, Kind, MostRemoved

LARGEST_LIMIT = 10**12
PATIENCE = 3
"""Seconds after which the wait for the compiler is explained."""
MOVES_A_LINE = 12


def add_commands(subparsers: Any) -> None:
    """Add `solve`, `verdict` and `hint` to the commands of `pyramide`."""
    _command(subparsers, "solve", _solve, _("Find a shortest win, or the most cards that can go."))
    _command(subparsers, "verdict", _verdict, _("Tell whether a deal can be won, and prove it."))
    _command(subparsers, "hint", _hint, _("Name a best move and say why it is one."))


def _command(subparsers: Any, name: str, run: Any, text: str) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(name, help=text, description=text)
    add_deal_arguments(parser)
    add_rules_argument(parser)
    parser.add_argument(
        "--after",
        metavar="MOVES",
        default="",
        help=_("the moves made before, with spaces between, such as “KD 10C+3S D R”"),
    )
    parser.add_argument(
        "--limit",
        metavar="N",
        type=number_between(1, LARGEST_LIMIT),
        help=_("positions to look at before the answer stays unknown (default: as many as memory holds)"),
    )
    add_json_argument(parser)
    parser.set_defaults(run=run)


def _position(args: argparse.Namespace) -> Position:
    """Return the position that the command is about; raises a PyramideError saying what is wrong with it."""
    position = Position.start(read_deal_argument(args), read_rules_argument(args))
    for number, text in enumerate(args.after.split(), 1):
        move = parse_move(text)
        reason = _("The game is won.") if position.is_won else position.why_illegal(move)
        if reason:
            raise IllegalMoveError(
                _("Move {number}: {move} is not possible here: {reason}").format(
                    number=number, move=move, reason=reason
                )
            )
        position = position.apply(move)
    return position


@contextmanager
def _patience() -> Iterator[None]:
    """Say what is going on when the compiler keeps a person waiting."""

    def explain() -> None:
        if sys.stderr and not compiled.is_loaded():
            sys.stderr.writelines((_("The solver is being compiled; this happens only once."), "\n"))
            sys.stderr.flush()

    timer = threading.Timer(PATIENCE, explain)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _values(kind: Kind, line: tuple[Move, ...] | None, effort: Effort, **more: Any) -> dict[str, Any]:
    return {
        "verdict": kind.value,
        "length": None,
        "moves": None if line is None else [str(move) for move in line],
        "nodes": effort.nodes,
        "seconds": round(effort.seconds, 6),
        "max_removed": None,
    } | more


def _write_moves(line: tuple[Move, ...]) -> None:
    for first in range(0, len(line), MOVES_A_LINE):
        write_line("  " + " ".join(map(str, line[first : first + MOVES_A_LINE])))


def _solve(args: argparse.Namespace) -> int:
    position = _position(args)
    most: MostRemoved | None = None
    with _patience():
        found = solve(position, limit=args.limit)
        if found.kind is Kind.UNWINNABLE:
            most = max_removable(position, limit=args.limit)
    line = most.line if most else found.line
    if args.json:
        cards = most.cards if most and most.is_exact else None
        write_json(_values(found.kind, line, found.effort, length=found.length, max_removed=cards))
        return 0
    write_line(found.text)
    if most:
        write_line(most.text)
    elif found.kind is Kind.UNKNOWN and found.lower_bound:
        write_line(_("A win takes at least {n} moves.").format(n=found.lower_bound))
    _write_moves(line or ())
    return 0


def _verdict(args: argparse.Namespace) -> int:
    position = _position(args)
    with _patience():
        found = verdict(position, limit=args.limit)
    if args.json:
        write_json(_values(found.kind, found.line, found.effort))
        return 0
    write_line(found.text)
    if found.kind is Kind.UNWINNABLE:
        from pyramide_core.solver.reasons import explain_unwinnable

        write_line(explain_unwinnable(position, known=found).text)
    _write_moves(found.line or ())
    return 0


def _hint(args: argparse.Namespace) -> int:
    from pyramide_core.solver.hints import hint

    position = _position(args)
    with _patience():
        found = hint(position)
    if args.json:
        line = (found.move,) if found.move else ()
        write_json(_values(found.verdict, line, Effort(), length=found.moves_left) | {"hint": found.text})
        return 0
    if found.move:
        write_line(str(found.move))
    write_line(found.text)
    return 0
