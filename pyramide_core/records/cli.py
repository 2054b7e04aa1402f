"""The commands of records: `stats`, `export`, `import`, `today`. They work on the database itself, as its owner does.

Imports no database before a command needs it.
"""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyramide_core.cli_options import (
    UsageError,
    add_json_argument,
    read_rules_argument,
    read_text,
    write_json,
    write_line,
)
from pyramide_core.messages import _, ngettext, shorten
from pyramide_core.records import exchange
from pyramide_core.records.daily import deal_of_the_day, today
from pyramide_core.records.saved import GameFacts
from pyramide_core.records.summaries import Statistics, by_moves, by_time, hinted, summarise, unaided
from pyramide_core.wording import day as written_day
from pyramide_core.wording import duration, to_a_tenth

if TYPE_CHECKING:
    from pyramide_core.records.store import Records

DONE = 0
TOKEN_VARIABLE = "PYRAMIDE_TOKEN"
NONE = "–"


def add_commands(subparsers: Any) -> None:
    """Add the commands to those of `pyramide`."""
    _add_stats(subparsers)
    _add_export(subparsers)
    _add_import(subparsers)
    _add_today(subparsers)


def _command(subparsers: Any, name: str, run: Any, explanation: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser(name, help=explanation, description=explanation)
    parser.set_defaults(run=run)
    return parser


def _add_choice(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--player", metavar="NAME", help=_("only the games of players with this name"))
    parser.add_argument("--rules", metavar="NAME", default=None, help=_("only the games under this rule set"))


def open_records() -> "Records":
    """Open the records of this user; raises RecordsError with the reason why they cannot be."""
    from pyramide_core.records.store import Records

    return Records.open()


def _rules(args: argparse.Namespace) -> str | None:
    return read_rules_argument(args).text if args.rules is not None else None


# Statistics ----------------------------------------------------------------------------------------------------------


def _add_stats(subparsers: Any) -> None:
    parser = _command(subparsers, "stats", _stats, _("Show the statistics of the recorded games, player by player."))
    _add_choice(parser)
    add_json_argument(parser)


def _stats(args: argparse.Namespace) -> int:
    records = open_records()
    try:
        games = records.all_games(args.player, _rules(args))
    finally:
        records.close()
    groups: dict[tuple[str, str], list[GameFacts]] = {}
    for game in games:
        if game.is_played:
            groups.setdefault((game.player, game.rules), []).append(game)
    if args.json:
        write_json([_values(player, rules, group) for (player, rules), group in sorted(groups.items())])
        return DONE
    if not groups:
        write_line(_("No finished game is recorded in {name}.").format(name=records.database.name))
    for (player, rules), group in sorted(groups.items()):
        named = player or _("Player without a name")
        write_line(f"{named}: {rules}")
        for name, value in _lines(summarise(group)):
            write_line(f"  {name}: {value}")
        for name, ranking in _rankings(group):
            write_line(f"  {name}:")
            for place, game in enumerate(ranking, 1):
                moves = ngettext("{n} move", "{n} moves", game.moves)
                day = written_day(game.ended.date())
                write_line(f"    {place:2}. {duration(game.seconds)}  {moves}  {game.code}  {day}")
    return DONE


def _lines(of: Statistics) -> list[tuple[str, str]]:
    def time(seconds: float | None) -> str:
        return NONE if seconds is None else duration(seconds)

    def number(value: float | None) -> str:
        return NONE if value is None else to_a_tenth(value)

    return [
        (_("Games"), number(of.games)),
        (_("Won"), number(of.won)),
        (_("Won in a row"), _("{current}, at best {best}").format(current=of.current_streak, best=of.best_streak)),
        (_("Best time"), time(of.best_seconds)),
        (_("Mean time"), time(of.mean_seconds)),
        (_("Fewest moves"), number(of.best_moves)),
        (_("Mean moves"), number(of.mean_moves)),
        (_("Cards left, mean of games not won"), number(of.mean_cards_left)),
        (_("Undos"), number(of.undos)),
        (_("Hints"), number(of.hints)),
        (_("Games with hints"), number(of.hinted_games)),
    ]


def _rankings(games: list[GameFacts]) -> list[tuple[str, list[GameFacts]]]:
    rankings = [
        (_("Fastest games"), by_time(unaided(games))),
        (_("Games with the fewest moves"), by_moves(unaided(games))),
        (_("Fastest games with hints"), by_time(hinted(games))),
        (_("Games with hints and the fewest moves"), by_moves(hinted(games))),
    ]
    return [(name, ranking) for name, ranking in rankings if ranking]


def _values(player: str, rules: str, games: list[GameFacts]) -> dict[str, Any]:
    return {"player": player, "rules": rules, **vars(summarise(games))}


# Export and import ---------------------------------------------------------------------------------------------------


def _add_export(subparsers: Any) -> None:
    parser = _command(subparsers, "export", _export, _("Write the recorded games as CSV or as transcripts."))
    parser.add_argument("file", metavar="FILE", help=_("a new file: .csv for CSV, else transcripts; - for the output"))
    parser.add_argument("--csv", action="store_true", help=_("write CSV whatever the file is called"))
    _add_choice(parser)


def _export(args: argparse.Namespace) -> int:
    records = open_records()
    try:
        games = [saved for saved in records.all_saved(args.player, _rules(args)) if saved.log]
    finally:
        records.close()
    as_csv = args.csv or args.file.lower().endswith(".csv")
    text = exchange.write_csv(games) if as_csv else exchange.write_transcripts(games)
    if args.file == "-":
        write_line(text.rstrip("\n"))
        return DONE
    try:
        # Never over a file that is there: it may be the only copy of other games.
        with Path(args.file).open("x", encoding="utf-8", newline="\n") as out:
            out.write(text)
    except FileExistsError:
        raise UsageError(_("The file {file} is there already.").format(file=shorten(args.file, 80))) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(
            _("The file {file} cannot be written: {reason}.").format(file=shorten(args.file, 80), reason=reason)
        ) from error
    write_line(ngettext("{n} game was written.", "{n} games were written.", len(games)))
    return DONE


def _add_import(subparsers: Any) -> None:
    parser = _command(
        subparsers,
        "import",
        _import,
        _("Add games from a file of CSV or transcripts to the records of a browser."),
    )
    parser.add_argument("file", metavar="FILE", help=_("a file of games, or - for the standard input"))
    parser.add_argument(
        "--player", metavar="NAME", help=_("whose games they become; needed where the records have several browsers")
    )


def _import(args: argparse.Namespace) -> int:
    from pyramide_core.records.store import Account

    games = exchange.read_games(read_text(args.file, exchange.LARGEST))
    records = open_records()
    try:
        account = Account(records, _browser(records, args.player))
        added, known = account.add_games(games)
    finally:
        records.close()
    write_line(ngettext("{n} game was added.", "{n} games were added.", added))
    if known:
        write_line(ngettext("{n} was here already.", "{n} were here already.", known))
    return DONE


def _browser(records: "Records", player: str | None) -> str:
    """Return the hash of the token that the games go to: of the environment, or that of the one browser there is."""
    from pyramide_core.records.tokens import hash_token

    token = os.environ.get(TOKEN_VARIABLE)
    if token:
        return hash_token(token)
    found = records.browsers(player)
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(_("Nobody has played here yet: open the game once in your browser, then import again."))
    raise UsageError(_("Several browsers have records here; name a player that only one of them has: --player NAME."))


# The deal of the day -------------------------------------------------------------------------------------------------


def _add_today(subparsers: Any) -> None:
    parser = _command(subparsers, "today", _today, _("Show the code of the deal of the day, the same everywhere."))
    parser.add_argument("--date", metavar="DATE", help=_("another day, such as 2026-11-30"))
    add_json_argument(parser)


def _today(args: argparse.Namespace) -> int:
    from datetime import date

    day = today()
    if args.date is not None:
        try:
            day = date.fromisoformat(args.date.strip())
        except ValueError:
            raise UsageError(
                _("“{text}” is no date; a date is written like 2026-11-30.").format(text=shorten(args.date))
            ) from None
    code = deal_of_the_day(day).code
    if args.json:
        write_json({"date": day.isoformat(), "code": code})
    else:
        write_line(f"{written_day(day)}  {code}")
    return DONE
