"""Write docs/results.md: how often each Pyramid can be won, beside published figures. Repeats what is missing only.

    python scripts/write_results.py                    the whole of it; the slow rule sets get 15 minutes each
    python scripts/write_results.py --minutes 1        a quick version: no study runs longer than a minute
    python scripts/write_results.py --minutes 0        only write the page again from what is there

Every study is kept in a folder (build/results, or --folder) and goes on from there: run again, it adds deals until each
has what TARGETS says. All deals have the seeds from 0 on, so anyone gets the same tables.
"""

import argparse
import math
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyramide_core import VARIANTS, __version__
from pyramide_core.study import Results, Study, figure, run, save, summary, wilson
from pyramide_core.study.players import player_title
from pyramide_core.study.summaries import digits_for

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "results.md"
PICTURES = ROOT / "docs" / "results"
MILLION = 1_000_000


@dataclass(frozen=True)
class Published:
    """A published share: where, the rule set here that plays the same, how many deals, and percent winnable."""

    source: str
    what: str
    rules: str
    deals: int
    percent: float


# The stock's top and the waste's top can both be played and pair with each other; the waste is empty at the start.
_BOTH_TOPS = "mix,draws_at_start=0,stock_playable=yes,talon_pairs=yes"
_MASTEN = "solitairewinrates.com (Mark Masten, 2022)"
PUBLISHED = (
    Published(
        _MASTEN,
        "clear the pyramid, one pass, last cover may pair",
        f"{_BOTH_TOPS},passes=1,cover_pairs=yes",
        10**8,
        22.773249,
    ),
    Published(_MASTEN, "clear the pyramid, one pass", f"{_BOTH_TOPS},passes=1", 10**8, 9.019243),
    Published(
        _MASTEN,
        "clear all cards, one pass, last cover may pair",
        f"{_BOTH_TOPS},passes=1,goal=all,cover_pairs=yes",
        10**8,
        15.916049,
    ),
    Published(_MASTEN, "clear all cards, one pass", f"{_BOTH_TOPS},passes=1,goal=all", 10**8, 6.795618),
    Published(
        _MASTEN,
        "clear the pyramid, passes without limit, last cover may pair",
        f"{_BOTH_TOPS},cover_pairs=yes",
        10**8,
        83.151588,
    ),
    Published(_MASTEN, "clear the pyramid, passes without limit", _BOTH_TOPS, 10**8, 66.865010),
    Published("mchung94/pyramid-solver", "three passes, both tops", "relaxed_pyramid", 1500, 66.53),
    Published("playsolitaire.io", "three passes, only the waste's top", "classic,passes=3", 1520, 65.8),
)

QUICK = ("pyramide", "classic")
TARGETS = {
    **dict.fromkeys(QUICK, MILLION),
    **{row.rules: MILLION for row in PUBLISHED},
    **dict.fromkeys(VARIANTS, MILLION),
}
"""How many deals each rule set's verdicts are wanted for."""
SHORTEST = {"pyramide": 2000, "classic": 2000, "three_passes": 2000, "giza": 2000}
PLAYED = {"pyramide": 2000, "thirteen": 500, "three_passes": 500, "giza": 500}
PLAYERS = ("random", "greedy", "uncover_most", "look_ahead", "solver_guided")


def studies() -> Iterator[tuple[str, Study]]:
    """Yield every study with the name of its file."""
    for number, (rules, deals) in enumerate(TARGETS.items()):
        yield f"verdict-{rules if rules in VARIANTS else f'mix{number}'}", Study.of(rules, deals)
    for rules, deals in SHORTEST.items():
        yield f"shortest-{rules}", Study.of(rules, deals, shortest=True)
    for rules, deals in PLAYED.items():
        yield f"players-{rules}", Study.of(rules, deals, players=PLAYERS)


def measure(name: str, study: Study, folder: Path, minutes: float, workers: int | None) -> Results:
    """Run a study for so many minutes, or load it where it is finished; what is done is kept either way."""
    cancel = threading.Event()
    timer = threading.Timer(60 * minutes, cancel.set)
    timer.daemon = True
    timer.start()
    if not minutes:
        cancel.set()
    sys.stderr.write(f"{name}: {study.deals} deals of {', '.join(study.settings.rules)}\n")
    try:
        return run(study, workers=workers, out=folder / f"{name}.parquet", progress=sys.stderr.isatty(), cancel=cancel)
    finally:
        timer.cancel()


# The page ----------------------------------------------------------------------------------------------------------------


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table, all columns but the first to the right."""
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def percent(share: float, digits: int) -> str:
    """Return a share in percent."""
    return f"{100 * share:.{digits}f} %"


def interval(row: Any) -> str:
    """Return the interval of a row of a summary."""
    digits = digits_for(row.high - row.low)
    return f"{100 * row.low:.{digits}f} – {percent(row.high, digits)}"


def winnable_rows(found: dict[str, Results]) -> list[list[str]]:
    """Return the rows of the table of verdicts."""
    rows = []
    for rules, results in found.items():
        row = next(summary(results)["winnable"].itertuples())
        if row.deals and rules in VARIANTS:
            share = percent(row.share, digits_for(row.high - row.low))
            rows.append([f"`{rules}`", f"{row.deals:,}", f"{row.unknown:,}", f"**{share}**", interval(row)])
    return rows


def published_rows(found: dict[str, Results]) -> list[list[str]]:
    """Return the rows of the table of published figures."""
    rows = []
    for published in PUBLISHED:
        row = next(summary(found[published.rules])["winnable"].itertuples())
        if not row.deals:
            continue
        inside = "yes" if agrees(published, row) else "no"
        rows.append(
            [
                f"{published.source}: {published.what}",
                f"{published.deals:,}",
                f"{published.percent:g} %",
                f"{row.deals:,}",
                f"**{percent(row.share, digits_for(row.high - row.low))}**",
                interval(row),
                f"{published.percent / row.share:.1f} %" if row.share else "–",
                inside,
            ]
        )
    return rows


def agrees(published: Published, row: Any) -> bool:
    """Tell whether a published share agrees with ours.

    One of a hundred million deals is as good as exact: it must lie in our interval. One of few deals has an interval of
    its own: the interval of the difference (Newcombe's, from both Wilson intervals) must hold 0.
    """
    theirs = published.percent / 100
    if published.deals > MILLION:
        return bool(row.low <= theirs <= row.high)
    low, high = wilson(round(published.deals * theirs), published.deals)
    difference = row.share - theirs
    below = math.hypot(row.share - row.low, high - theirs)
    above = math.hypot(row.high - row.share, theirs - low)
    return difference - below <= 0 <= difference + above


def length_rows(found: dict[str, Results]) -> list[list[str]]:
    """Return the rows of the table of shortest wins."""
    rows = []
    for rules, results in found.items():
        row = next(summary(results)["shortest"].itertuples())
        if row.solved:
            rows.append(
                [f"`{rules}`", f"{len(results.table):,}", f"{row.solved:,}"]
                + [f"{n:.0f}" for n in (row.min, row.q25, row.median, row.q75, row.max)]
                + [f"{row.mean:.1f}"]
            )
    return rows


def player_rows(found: dict[str, Results]) -> list[list[str]]:
    """Return the rows of the table of players."""
    rows = []
    for rules, results in found.items():
        for row in summary(results)["players"].itertuples():
            if row.deals:
                rows.append(
                    [
                        f"`{rules}`",
                        player_title(row.player),
                        f"{row.deals:,}",
                        percent(row.share, 1),
                        interval(row),
                        percent(row.of_winnable, 1) if row.of_winnable == row.of_winnable else "–",
                        f"{row.removed:.1f}",
                    ]
                )
    return rows


PAGE_TEXT = """\
# Results

How often can a Pyramid be won, how long is the shortest win, and how good is a strategy? Written by
`python scripts/write_results.py` with Pyramide {version}; nothing in its tables is typed in but the published figures. The
deals have the seeds from 0 on, so every figure can be repeated: `pyramide study --rules pyramide --deals 1000000` is the
first row. A study that would take too long has as many deals as its time allowed (`--minutes`, by default a quarter of an
hour); run again, the command adds to them.

Every share stands with its 95 % interval (Wilson). A deal whose search reached its limit counts as *unknown*, and the
interval is widened by the unknown ones: from all of them lost to all of them won.

## How many deals can be won

By a player who knows all cards, as the solver proves for each deal.

{winnable}

![Winnable share by rule set](results/winnable_by_rules.svg)

## Beside published figures

Mark Masten published the shares of 100,000,000 deals for six rules: the top of the stock and the top of the waste can both
be played and pair with each other; the waste is empty at the start. *Agrees*: the published share lies inside our
interval; for the two shares of some 1,500 deals, the 95 % interval of the difference (Newcombe) holds 0.

{published}

With one pass our shares lie above Masten's, by more than chance explains. That is no unproved win of ours: every win
found is played through by the rules, and a search that tries every order of every move (`tests/exhaustive.py`) comes to
the same verdict as the solver in each of the first 8,000 deals of *clear the pyramid, one pass* and each of the first 2,000
of the three other rules with one pass. Another author's program, mchung94/pyramid-solver, set to one pass, agrees as well in
the 391 deals it was asked about: all 191 that our solver calls winnable among the first 2,000, and the first 200 that it
calls lost. So Masten's figures rest on a rule that their page does not name, or on deals or a search that differ; which, we
do not know. A rule is the least likely. All four published shares with one pass are nearly the same part of ours
(*theirs of ours*), while a rule that forbids some play of stock or waste costs *all cards* far more than *the pyramid*: even
if only the last card of the stock cannot pair with the waste, 30 % of the wins with all cards are gone and 6 % of the others
(among the first 5,000 deals, by the search of `tests/exhaustive.py` with that one play taken out). For passes without limit
the published shares agree with ours in every digit that a million deals can tell.

Two things follow from the definitions and can be seen in the table. With passes without limit every card of stock and
waste can be brought to the top, so that it does not matter whether the top of the stock can be played: `pyramide` and the
last of the six rules have the same winnable deals. And Masten's 22.8 % and 83.2 % show what it is worth that a card may go
with the only card that still covers it.

## The shortest wins

In moves: removals, draws and recycles. The solver proves for each deal that no shorter way wins.

{lengths}

## Players

What a player sees are the cards that lie face up and those it has seen; never a hidden one. *Of the winnable*: the share of
the deals that could be won with all cards known.

{players}

Under `pyramide` the order of the stock changes nothing, and the whole pyramid lies open. So the player guided by the solver,
who knows which cards the stock holds but not where, wins every deal that can be won at all.

![Strategies under pyramide](results/strategies_pyramide.svg)

![Where greedy games get stuck](results/stuck_map_pyramide.svg)
"""


def write_page(found: dict[str, Results]) -> None:
    """Write the page and its pictures from the results of all studies."""
    verdicts = {rules: found[name] for name, rules in names("verdict").items()}
    shortest = {rules: found[name] for name, rules in names("shortest").items()}
    played = {rules: found[name] for name, rules in names("players").items()}
    PICTURES.mkdir(parents=True, exist_ok=True)
    together = joined([results for rules, results in verdicts.items() if rules in VARIANTS])
    save(figure("winnable_by_rules", together, size=(8.0, 5.5)), PICTURES / "winnable_by_rules.svg")
    save(figure("strategies", played["pyramide"]), PICTURES / "strategies_pyramide.svg")
    save(figure("stuck_map", played["pyramide"], player="greedy"), PICTURES / "stuck_map_pyramide.svg")
    heads = ["Rules", "Deals", "Unknown", "Winnable", "95 % interval"]
    PAGE.write_text(
        PAGE_TEXT.format(
            version=__version__,
            winnable=table(heads, winnable_rows(verdicts)),
            published=table(
                [
                    "Source and rules",
                    "Their deals",
                    "Their share",
                    "Our deals",
                    "Our share",
                    "95 % interval",
                    "Theirs of ours",
                    "Agrees",
                ],
                published_rows(verdicts),
            ),
            lengths=table(
                ["Rules", "Deals", "Solved", "Shortest", "25 %", "Median", "75 %", "Longest", "Mean"],
                length_rows(shortest),
            ),
            players=table(
                ["Rules", "Player", "Deals", "Won", "95 % interval", "Of the winnable", "Cards removed"],
                player_rows(played),
            ),
        ),
        encoding="utf-8",
    )


def names(kind: str) -> dict[str, str]:
    """Return the names of the studies of a kind with their rule sets as they are asked for."""
    asked = {"verdict": TARGETS, "shortest": SHORTEST, "players": PLAYED}[kind]
    return dict(zip((name for name, _study in studies() if name.startswith(f"{kind}-")), asked, strict=True))


def joined(several: Sequence[Results]) -> Results:
    """Return results of one rule set each as results of all of them."""
    import pandas as pd

    from pyramide_core.study.settings import Settings

    first = several[0].settings
    texts = tuple(results.settings.rules[0] for results in several)
    settings = Settings(**{**first.__dict__, "rules": texts})
    rows = pd.concat([results.table.astype({"rules": str}) for results in several], ignore_index=True)
    return Results(settings, rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the studies and write the page."""
    parser = argparse.ArgumentParser(description="Write docs/results.md.")
    parser.add_argument("--minutes", type=float, default=15, help="how long a study may take at most (default: 15)")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "results", help="where the studies are kept")
    parser.add_argument("--workers", type=int, help="processes (default: one a processor core)")
    parser.add_argument("--only", default="", help="run just the studies whose names begin so; the others as they are")
    args = parser.parse_args(arguments)
    args.folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for name, study in studies():
        minutes = args.minutes if name.startswith(args.only) else 0
        found[name] = measure(name, study, args.folder, minutes, args.workers)
    write_page(found)
    sys.stderr.write(f"{PAGE} is written.\n")


if __name__ == "__main__":
    main()
