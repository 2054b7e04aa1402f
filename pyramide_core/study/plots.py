"""Plots of a study's results: each one function of the results and the axes to draw on. Measures nothing.

Series are told apart by colours that a colour-blind reader can tell apart (Okabe and Ito's) and by marks as well;
maps go from dark to light in one direction. `figures` puts them on paper.
"""

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pyramide_core import wording
from pyramide_core.cards import DECK, KING
from pyramide_core.messages import _
from pyramide_core.rules import Rules
from pyramide_core.study import summaries
from pyramide_core.study.deck import cards_of_rank_in_rows
from pyramide_core.study.labels import rules_label
from pyramide_core.study.players import player_title
from pyramide_core.study.settings import StudyError
from pyramide_core.study.table import Results

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

# Okabe and Ito, Color Universal Design (2008): orange last but one and yellow left out, as they are pale on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = "osD^vPX"
_GRID = "#d9d9d9"
TOP_ROWS = 4
FEWEST = 10


def series_style(index: int) -> dict[str, Any]:
    """Return colour and mark of a series by its number; after 49 series they repeat."""
    return {
        "color": COLOURS[index % len(COLOURS)],
        "marker": MARKERS[(index + index // len(COLOURS)) % len(MARKERS)],
    }


def _rows(results: Results, rules: str | None) -> "pd.DataFrame":
    """Return the rows of one rule set, by default the first."""
    text = results.settings.rules[0] if rules is None else Rules.parse(rules).text
    if text not in results.settings.rules:
        raise StudyError(_("This study has no rule set “{name}”.").format(name=text))
    return results.table[results.table["rules"] == text]


def _percent_axis(axis: Any) -> None:
    from matplotlib.ticker import PercentFormatter

    class Percent(PercentFormatter):
        """As many digits as the axis wants, written as the language in force writes a percentage."""

        def format_pct(self, x: float, display_range: float) -> str:
            digits = super().format_pct(x, display_range).partition(".")[2].rstrip("%")
            return wording.percent(x, len(digits))

    axis.set_major_formatter(Percent(1.0))


def _tidy(ax: "Axes", grid: str) -> None:
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis=grid, color=_GRID, linewidth=0.8)  # type: ignore[arg-type]
    ax.set_axisbelow(True)


def _legend(ax: "Axes") -> None:
    """Name the series: within the axes where they are few, else beside them, where they hide nothing."""
    count = len(ax.get_legend_handles_labels()[1])
    if count > 4:
        ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))  # not a text
    elif count:
        ax.legend(frameon=False)


def _reach(row: Any) -> list[list[float]]:
    """Return an interval as matplotlib's error bars want it: how far below and above the share it reaches."""
    return [[row.share - row.low], [row.high - row.share]]


# Shares of winnable deals ---------------------------------------------------------------------------------------------


def winnable_by_rules(results: Results, ax: "Axes") -> None:
    """Draw the winnable share of each rule set with its interval."""
    table = summaries.winnable(results)
    for place, row in enumerate(table.itertuples()):
        ax.errorbar(row.share, place, xerr=_reach(row), fmt=MARKERS[0], color=COLOURS[0], capsize=4)
        ax.annotate(
            summaries.percent(row.share, summaries.digits_for(row.high - row.low)),
            (row.high, place),
            (6, 0),
            textcoords="offset points",  # not a text
            va="center",
            annotation_clip=False,
        )
    ax.set_yticks(range(len(table)), [rules_label(text) for text in table["rules"]])
    ax.set_ylim(len(table) - 0.5, -0.5)
    ax.set_xlim(0, 1)
    _percent_axis(ax.xaxis)
    ax.set_xlabel(_("Deals that can be won, with 95 % intervals"))
    _tidy(ax, "x")


def passes_families(texts: tuple[str, ...]) -> dict[Rules, list[tuple[int | None, str]]]:
    """Group rule sets of which several differ in nothing but the passes: fewest passes first, without limit last."""
    families: dict[Rules, list[tuple[int | None, str]]] = {}
    for text in texts:
        rules = Rules.parse(text)
        families.setdefault(replace(rules, passes=None), []).append((rules.passes, text))
    for members in families.values():
        members.sort(key=lambda member: math.inf if member[0] is None else member[0])
    return {family: members for family, members in families.items() if len(members) > 1}


def winnable_by_passes(results: Results, ax: "Axes") -> None:
    """Draw the winnable share against the number of passes, one line for rule sets that differ in nothing else."""
    table = summaries.winnable(results).set_index("rules")
    families = passes_families(results.settings.rules)
    numbers = sorted({passes for members in families.values() for passes, _text in members if passes is not None})
    unlimited = [None] if any(members[-1][0] is None for members in families.values()) else []
    places: dict[int | None, int] = {passes: place for place, passes in enumerate([*numbers, *unlimited])}
    for index, (family, members) in enumerate(families.items()):
        rows = table.loc[[text for _passes, text in members]]
        ax.errorbar(
            [places[passes] for passes, _text in members],
            rows["share"],
            yerr=[rows["share"] - rows["low"], rows["high"] - rows["share"]],
            capsize=4,
            label=rules_label(family.text) if len(families) > 1 else None,
            **series_style(index),
        )
    ax.set_xticks(range(len(places)), [_("without limit") if number is None else str(number) for number in places])
    ax.set_ylim(0, 1)
    _percent_axis(ax.yaxis)
    ax.set_xlabel(_("Passes through the stock"))
    ax.set_ylabel(_("Deals that can be won"))
    _legend(ax)
    _tidy(ax, "y")


def narrowing(results: Results, ax: "Axes") -> None:
    """Draw how the winnable share settles and its interval narrows as deals are added, in the order of their seeds."""
    for index, text in enumerate(results.settings.rules):
        verdicts = _rows(results, text)["verdict"]
        won, unknown = (verdicts == "winnable").cumsum(), (verdicts == "unknown").cumsum()
        counts = [count for count in _steps(len(verdicts)) if count >= FEWEST or count == len(verdicts)]
        rows = [summaries.share_row(int(won.iloc[count - 1]), int(unknown.iloc[count - 1]), count) for count in counts]
        style = series_style(index)
        ax.plot(counts, [row["share"] for row in rows], color=style["color"], label=rules_label(text))
        ax.fill_between(
            counts, [row["low"] for row in rows], [row["high"] for row in rows], color=style["color"], alpha=0.25, lw=0
        )
    ax.set_xscale("log")
    ax.set_ylim(0, 1)
    _percent_axis(ax.yaxis)
    ax.set_xlabel(_("Deals studied"))
    ax.set_ylabel(_("Deals that can be won, with 95 % intervals"))
    _legend(ax)
    _tidy(ax, "y")


def _steps(deals: int, count: int = 200) -> list[int]:
    """Return numbers of deals from 1 to all of them, in equal steps on a logarithmic scale."""
    return sorted({round(deals ** (step / count)) for step in range(count + 1)}) if deals else []


def difficulty_by_kings(results: Results, ax: "Axes", rules: str | None = None, rows: int = TOP_ROWS) -> None:
    """Draw the winnable share against the number of kings in the top rows of the pyramid, with intervals."""
    table = _rows(results, rules)
    tableau = Rules.parse(rules or results.settings.rules[0]).tableau
    kings = cards_of_rank_in_rows(table["seed"].to_numpy(), tableau, KING, rows)
    for number in sorted(set(kings.tolist())):
        verdicts = table["verdict"][kings == number]
        row = summaries.share_row(
            int((verdicts == "winnable").sum()), int((verdicts == "unknown").sum()), len(verdicts)
        )
        reach = [[row["share"] - row["low"]], [row["high"] - row["share"]]]
        ax.errorbar(number, row["share"], yerr=reach, fmt=MARKERS[0], color=COLOURS[0], capsize=4)
    ax.set_xticks(range(5))
    ax.set_ylim(0, 1)
    _percent_axis(ax.yaxis)
    ax.set_xlabel(_("Kings in the first {rows} rows").format(rows=rows))
    ax.set_ylabel(_("Deals that can be won, with 95 % intervals"))
    _tidy(ax, "y")


# Lengths and cards left -----------------------------------------------------------------------------------------------


def shortest_lengths(results: Results, ax: "Axes") -> None:
    """Draw how long the shortest wins are: for each rule set the share of its solved deals by number of moves."""
    for index, text in enumerate(results.settings.rules):
        found = _rows(results, text)["shortest"].dropna().astype(int)
        shares = found.value_counts(normalize=True).sort_index()
        if len(shares):
            shares = shares.reindex(range(shares.index[0], shares.index[-1] + 1), fill_value=0.0)
            ax.plot(shares.index, shares, label=rules_label(text), markersize=4, **series_style(index))
    ax.set_ylim(bottom=0)
    _percent_axis(ax.yaxis)
    ax.set_xlabel(_("Moves of the shortest win"))
    ax.set_ylabel(_("Share of the solved deals"))
    _legend(ax)
    _tidy(ax, "y")


def cards_left(results: Results, ax: "Axes", rules: str | None = None) -> None:
    """Draw how many of the 52 cards are left: for each player, and at best, the share of deals with at most so many."""
    table = _rows(results, rules)
    series = [(player_title(name), table[f"{name}_removed"]) for name in results.settings.players]
    if results.settings.most:
        series.append((_("Perfect play"), table["most"].dropna().astype(int)))
    for index, (label, removed) in enumerate(series):
        left = (len(DECK) - removed).value_counts(normalize=True)
        shares = left.reindex(range(len(DECK) + 1), fill_value=0.0).cumsum()
        ax.plot(shares.index, shares, label=label, markersize=3, markevery=4, **series_style(index))
    ax.set_xlim(0, len(DECK))
    ax.set_ylim(0, 1.02)
    _percent_axis(ax.yaxis)
    ax.set_xlabel(_("Cards left at the end"))
    ax.set_ylabel(_("Deals with at most so many"))
    _legend(ax)
    _tidy(ax, "both")


# Players --------------------------------------------------------------------------------------------------------------


def strategies(results: Results, ax: "Axes", rules: str | None = None) -> None:
    """Draw how often each player wins, with intervals, beside the share that perfect play could win."""
    text = results.settings.rules[0] if rules is None else Rules.parse(rules).text
    table = summaries.players(results)
    table = table[table["rules"] == text].sort_values("share", kind="stable")
    for place, row in enumerate(table.itertuples()):
        ax.errorbar(row.share, place, xerr=_reach(row), fmt=MARKERS[0], color=COLOURS[0], capsize=4)
    ax.set_yticks(range(len(table)), [player_title(name) for name in table["player"]])
    if results.settings.verdict:
        best = summaries.winnable(results).set_index("rules").loc[text]
        ax.axvspan(best["low"], best["high"], color=COLOURS[1], alpha=0.25, lw=0)
        ax.axvline(best["share"], color=COLOURS[1], linestyle="--", label=_("Perfect play, all cards known"))
        ax.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0))  # not a text
    ax.set_xlim(0, 1)
    ax.set_ylim(-0.5, len(table) - 0.5)
    _percent_axis(ax.xaxis)
    ax.set_xlabel(_("Deals won, with 95 % intervals"))
    _tidy(ax, "x")


def moves_wasted(results: Results, ax: "Axes", rules: str | None = None) -> None:
    """Draw how many moves more than the shortest win each player's wins take, as shares of those wins."""
    table = _rows(results, rules)
    for index, name in enumerate(results.settings.players):
        won = table[table[f"{name}_won"] & table["shortest"].notna()]
        extra = (won[f"{name}_moves"] - won["shortest"].astype(int)).sort_values().to_numpy()
        if len(extra):
            shares = [(place + 1) / len(extra) for place in range(len(extra))]
            ax.step(extra, shares, where="post", color=COLOURS[index % len(COLOURS)], label=player_title(name))
    ax.set_ylim(0, 1.02)
    _percent_axis(ax.yaxis)
    ax.set_xlabel(_("Moves more than the shortest win"))
    ax.set_ylabel(_("Wins with at most so many"))
    _legend(ax)
    _tidy(ax, "both")


def stuck_shares(results: Results, player: str, rules: str | None = None) -> list[float]:
    """Return for each tableau place in what share of a player's lost games its card was still there; NaN without any."""
    table = _rows(results, rules)
    left = table.loc[~table[f"{player}_won"], f"{player}_left"].to_numpy()
    size = len(Rules.parse(rules or results.settings.rules[0]).tableau)
    return [float((left >> p & 1).mean()) if len(left) else float("nan") for p in range(size)]


def stuck_map(results: Results, ax: "Axes", player: str | None = None, rules: str | None = None) -> None:
    """Draw the tableau itself: how often each place still holds its card when a player's game is lost."""
    from matplotlib import colormaps
    from matplotlib.patches import FancyBboxPatch

    name = results.settings.players[0] if player is None else player
    shares = stuck_shares(results, name, rules)
    tableau = Rules.parse(rules or results.settings.rules[0]).tableau
    colours = colormaps["cividis"]
    for place, share in zip(tableau.places, shares, strict=True):
        known = not math.isnan(share)
        box = FancyBboxPatch(
            (place.x + 0.06, place.y + 0.1),
            0.88,
            0.8,
            boxstyle="round,pad=0,rounding_size=0.1",
            facecolor=colours(share) if known else "white",
            edgecolor="#666666",
            linewidth=0.6,
        )
        ax.add_patch(box)
        ax.text(
            place.x + 0.5,
            place.y + 0.5,
            f"{100 * share:.0f}" if known else "–",
            ha="center",
            va="center",
            color="black" if known and share > 0.55 else "white" if known else "black",
        )
    ax.set_xlim(0, max(place.x for place in tableau.places) + 1)
    ax.set_ylim(max(place.y for place in tableau.places) + 1, 0)
    ax.set_aspect("equal")
    ax.set_axis_off()
    ax.set_title(
        _("{player}: lost games in which the card was still there, in percent").format(player=player_title(name))
    )
