"""The command `pyramide study`: runs a study and prints its summary. Knows nothing that `running` and `summaries` do not."""

import argparse
import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyramide_core.cli_options import add_json_argument, number_between, write_json, write_line
from pyramide_core.deals import SEED_COUNT
from pyramide_core.messages import _, ngettext
from pyramide_core.rules import VARIANTS
from pyramide_core.study.players import PLAYERS
from pyramide_core.study.settings import SEARCH_LIMIT, VERDICT_LIMIT, Study, StudyError

if TYPE_CHECKING:
    from pyramide_core.study.table import Results

INTERRUPTED = 130
DEALS = 1000
LARGEST_LIMIT = 10**12
_NEEDED = ("pandas", "pyarrow", "tqdm", "cloudpickle")


def add_commands(subparsers: Any) -> None:
    """Add `study` to the commands of `pyramide`."""
    text = _("Play and solve many deals, and say how many can be won.")
    parser: argparse.ArgumentParser = subparsers.add_parser("study", help=text, description=text)
    parser.add_argument(
        "--rules",
        metavar="NAMES",
        default="pyramide",
        help=_("rule sets with commas between: {names}; options of one follow it, such as classic,passes=3").format(
            names=", ".join(VARIANTS)
        ),
    )
    parser.add_argument(
        "--deals",
        metavar="N",
        type=number_between(1, SEED_COUNT),
        default=DEALS,
        help=_("how many deals (default: {number})").format(number=DEALS),
    )
    parser.add_argument(
        "--seed",
        metavar="S",
        type=number_between(0, SEED_COUNT - 1),
        default=0,
        help=_("the seed of the first deal; the others follow (default: {number})").format(number=0),
    )
    _add_measures(parser)
    parser.add_argument(
        "--workers", metavar="N", type=number_between(1, 1024), help=_("processes (default: one a processor core)")
    )
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help=_("the address of a Dask scheduler, to run the study on its cluster")
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        help=_("save the table as Parquet; an interrupted study with the same file goes on where it stopped"),
    )
    parser.add_argument("--plots", metavar="FOLDER", help=_("save every plot that fits, as PNG and SVG"))
    add_json_argument(parser)
    parser.set_defaults(run=run_command)


def _add_measures(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-verdict", action="store_true", help=_("do not ask which deals can be won"))
    parser.add_argument("--shortest", action="store_true", help=_("find the shortest win of each deal"))
    parser.add_argument("--most", action="store_true", help=_("find the most cards that can be removed"))
    parser.add_argument(
        "--players",
        metavar="NAMES",
        default="",
        help=_("let players play each deal; with commas between: {names}").format(names=", ".join(PLAYERS)),
    )
    parser.add_argument(
        "--limit",
        metavar="N",
        type=number_between(1, LARGEST_LIMIT),
        help=_(
            "search nodes after which an answer stays unknown (default: {verdict} for a verdict, else {search})"
        ).format(verdict=VERDICT_LIMIT, search=SEARCH_LIMIT),
    )


def read_study(args: argparse.Namespace) -> Study:
    """Return the study that a command line asks for; raises the error that says what is wrong with it."""
    limits = {} if args.limit is None else {"verdict_limit": args.limit, "search_limit": args.limit}
    return Study.of(
        args.rules,
        args.deals,
        first_seed=args.seed,
        verdict=not args.no_verdict,
        shortest=args.shortest,
        most=args.most,
        players=[name for name in args.players.split(",") if name.strip()],
        **limits,
    )


def check_extra(names: tuple[str, ...] = _NEEDED) -> None:
    """Raise StudyError when a package that studies need is not installed."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing:
        raise StudyError(
            _("Studies need {packages}; install Pyramide with its extra “{extra}”.").format(
                packages=", ".join(missing), extra="study"
            )
        )


def run_command(args: argparse.Namespace) -> int:
    """Run `pyramide study` and return the exit code."""
    study = read_study(args)
    check_extra(_NEEDED if args.scheduler is None else (*_NEEDED, "distributed"))
    folder = Path(args.plots) if args.plots else None
    if folder is not None and folder.exists() and not folder.is_dir():
        raise StudyError(_("{place} is a file, not a folder.").format(place=folder))
    from pyramide_core.study.running import run

    try:
        results = run(
            study,
            workers=args.workers,
            scheduler=args.scheduler,
            out=args.out,
            progress=bool(sys.stderr and sys.stderr.isatty()),
        )
    except KeyboardInterrupt:
        sys.stderr.write(_interrupted(args.out) + "\n")
        return INTERRUPTED
    if args.json:
        write_json(as_data(results))
    else:
        _write_text(results)
    if folder is not None:
        _save_plots(results, folder)
    return 0


def _interrupted(out: str | None) -> str:
    if out is None:
        return _("Interrupted. With --out FILE a study keeps what is done.")
    return _("Interrupted. What is done is kept beside {file}; the same command goes on from there.").format(file=out)


def as_data(results: "Results") -> dict[str, Any]:
    """Return settings and summary of results as JSON can hold them; a number that does not exist is None."""
    from pyramide_core.study.summaries import summary

    def plain(value: Any) -> Any:
        value = value.item() if hasattr(value, "item") else value
        return None if value != value else value

    settings = results.settings
    tables = {
        name: [{key: plain(value) for key, value in row.items()} for row in table.to_dict("records")]
        for name, table in summary(results).items()
    }
    return {
        "version": settings.version,
        "rules": list(settings.rules),
        "first_seed": settings.first_seed,
        "deals": settings.deals,
        **tables,
    }


def _write_text(results: "Results") -> None:
    from pyramide_core.study.summaries import text_tables

    settings = results.settings
    write_line(
        ngettext(
            "{n} deal from seed {first} on, Pyramide {version}",
            "{n} deals from seed {first} on, Pyramide {version}",
            settings.deals,
            first=settings.first_seed,
            version=settings.version,
        )
    )
    for title, heads, rows in text_tables(results):
        write_line()
        write_line(title)
        for line in aligned([heads, *rows]):
            write_line(line)


def aligned(rows: list[list[str]]) -> list[str]:
    """Return rows of texts as lines whose columns stand below each other, all but the first to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    return lines


def _save_plots(results: "Results", folder: Path) -> None:
    from pyramide_core.study.figures import all_figures, save

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StudyError(_("The folder {folder} cannot be written.").format(folder=folder)) from error
    for name, figure in all_figures(results):
        for ending in (".png", ".svg"):
            save(figure, folder / f"{name}{ending}")
