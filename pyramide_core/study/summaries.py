"""Summaries of a study's table: shares with their intervals, lengths, cards left. Draws nothing.

Every share stands with Wilson's interval, and a share that not all deals tell is widened by those that do not.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pyramide_core import wording
from pyramide_core.cards import DECK
from pyramide_core.messages import _
from pyramide_core.study.intervals import CONFIDENCE, wilson, wilson_with_unknown
from pyramide_core.study.labels import rules_label
from pyramide_core.study.players import player_title
from pyramide_core.study.table import Results

if TYPE_CHECKING:
    import pandas as pd


def _of_each(results: Results) -> "Iterator[tuple[str, pd.DataFrame]]":
    for text in results.settings.rules:
        yield text, results.table[results.table["rules"] == text]


def winnable(results: Results, confidence: float = CONFIDENCE) -> "pd.DataFrame":
    """Return a row for each rule set: deals, winnable, unwinnable, unknown, share, low, high.

    `share` counts half of the unknown deals as winnable; `low` and `high` are the ends of the interval, which holds
    whatever the unknown ones are.
    """
    import pandas as pd

    rows = []
    for text, table in _of_each(results):
        counts = table["verdict"].value_counts()
        won, lost, unknown = (int(counts[name]) for name in ("winnable", "unwinnable", "unknown"))
        rows.append({"rules": text, **share_row(won, unknown, len(table), confidence), "unwinnable": lost})
    order = ["rules", "deals", "winnable", "unwinnable", "unknown", "share", "low", "high"]
    return pd.DataFrame(rows, columns=order)


def share_row(won: int, unknown: int, deals: int, confidence: float = CONFIDENCE) -> dict[str, Any]:
    """Return one row of `winnable` from its counts; without deals its share is missing and its interval everything."""
    low, high = wilson_with_unknown(won, unknown, deals, confidence)
    share = (won + unknown / 2) / deals if deals else float("nan")
    return {"deals": deals, "winnable": won, "unknown": unknown, "share": share, "low": low, "high": high}


def players(results: Results, confidence: float = CONFIDENCE) -> "pd.DataFrame":
    """Return a row for each rule set and player: deals, won, share, low, high, removed, moves, of_winnable.

    `removed` is the mean number of cards removed, `moves` the mean number of moves of won games (missing without a
    win), `of_winnable` the share of the deals known to be winnable that the player won (missing without a verdict).
    """
    import pandas as pd

    rows = []
    for text, table in _of_each(results):
        for name in results.settings.players:
            won = table[f"{name}_won"]
            low, high = wilson(int(won.sum()), len(table), confidence)
            can = table["verdict"] == "winnable" if results.settings.verdict else pd.Series([], dtype=bool)
            rows.append(
                {
                    "rules": text,
                    "player": name,
                    "deals": len(table),
                    "won": int(won.sum()),
                    "share": won.mean(),
                    "low": low,
                    "high": high,
                    "removed": table[f"{name}_removed"].mean(),
                    "moves": table.loc[won, f"{name}_moves"].mean(),
                    "of_winnable": won[can].mean() if can.any() else float("nan"),
                }
            )
    order = ["rules", "player", "deals", "won", "share", "low", "high", "removed", "moves", "of_winnable"]
    return pd.DataFrame(rows, columns=order)


def lengths(results: Results) -> "pd.DataFrame":
    """Return a row for each rule set on its shortest wins: solved, min, q25, median, q75, max, mean, in moves."""
    import pandas as pd

    rows = []
    for text, table in _of_each(results):
        found = table["shortest"].dropna().astype(int)
        rows.append(
            {
                "rules": text,
                "solved": len(found),
                "min": found.min(),
                "q25": found.quantile(0.25),
                "median": found.median(),
                "q75": found.quantile(0.75),
                "max": found.max(),
                "mean": found.mean(),
            }
        )
    return pd.DataFrame(rows)


def most(results: Results) -> "pd.DataFrame":
    """Return a row for each rule set on the most cards that can go: known, min, mean, and all: deals where all 52 can."""
    import pandas as pd

    rows = []
    for text, table in _of_each(results):
        found = table["most"].dropna().astype(int)
        rows.append(
            {
                "rules": text,
                "known": len(found),
                "min": found.min(),
                "mean": found.mean(),
                "all": int((found == len(DECK)).sum()),
            }
        )
    return pd.DataFrame(rows)


def summary(results: Results, confidence: float = CONFIDENCE) -> "dict[str, pd.DataFrame]":
    """Return the summaries of what a study measured by their names: winnable, shortest, most, players."""
    settings = results.settings
    found = {}
    if settings.verdict:
        found["winnable"] = winnable(results, confidence)
    if settings.shortest:
        found["shortest"] = lengths(results)
    if settings.most:
        found["most"] = most(results)
    if settings.players:
        found["players"] = players(results, confidence)
    return found


# As text --------------------------------------------------------------------------------------------------------------


def percent(share: float, digits: int = 2) -> str:
    """Return a share as people read it; a dash for none.

    >>> percent(0.668663), percent(float("nan"))
    ('66.87 %', '–')
    """
    return "–" if share != share else wording.percent(share, digits)


def digits_for(width: float) -> int:
    """Return with how many digits after the point a percentage is worth writing whose interval has this width.

    >>> digits_for(0.05), digits_for(0.0018)
    (1, 2)
    """
    digits = 1
    while digits < 4 and 100 * width * 10**digits < 5:
        digits += 1
    return digits


def number(value: float, digits: int = 0) -> str:
    """Return a number as the language in force writes it; a dash for none.

    >>> number(1000000), number(2.34, 1)
    ('1,000,000', '2.3')
    """
    return "–" if value != value else wording.number(value, digits)


def text_tables(results: Results, confidence: float = CONFIDENCE) -> list[tuple[str, list[str], list[list[str]]]]:
    """Return the summaries for people: for each its title, the heads of its columns, and its rows of texts."""
    makers = {"winnable": _winnable_text, "shortest": _lengths_text, "most": _most_text, "players": _players_text}
    return [makers[name](table, confidence) for name, table in summary(results, confidence).items()]


_Text = tuple[str, list[str], list[list[str]]]


def _interval_head(confidence: float) -> str:
    return _("{confidence} interval").format(confidence=f"{100 * confidence:g} %")


def _interval_text(low: float, high: float) -> str:
    digits = digits_for(high - low)
    return f"{wording.number(100 * low, digits)}–{percent(high, digits)}"


def _winnable_text(table: "pd.DataFrame", confidence: float) -> _Text:
    heads = [
        _("Rules"),
        _("Deals"),
        _("Winnable"),
        _("Unwinnable"),
        _("Unknown"),
        _("Share"),
        _interval_head(confidence),
    ]
    rows = [
        [
            rules_label(row.rules),
            *(number(count) for count in (row.deals, row.winnable, row.unwinnable, row.unknown)),
            percent(row.share, digits_for(row.high - row.low)),
            _interval_text(row.low, row.high),
        ]
        for row in table.itertuples()
    ]
    return _("How many deals can be won"), heads, rows


def _lengths_text(table: "pd.DataFrame", _confidence: float) -> _Text:
    heads = [_("Rules"), _("Solved"), _("Shortest"), _("Median"), _("Longest"), _("Mean")]
    rows = [
        [
            rules_label(row.rules),
            number(row.solved),
            *(number(n) for n in (row.min, row.median, row.max)),
            number(row.mean, 1),
        ]
        for row in table.itertuples()
    ]
    return _("Moves of the shortest win"), heads, rows


def _most_text(table: "pd.DataFrame", _confidence: float) -> _Text:
    heads = [_("Rules"), _("Known"), _("Fewest"), _("Mean"), _("All cards")]
    rows = [
        [rules_label(row.rules), number(row.known), number(row.min), number(row.mean, 1), number(row.all)]
        for row in table.itertuples()
    ]
    return _("The most cards that can be removed"), heads, rows


def _players_text(table: "pd.DataFrame", confidence: float) -> _Text:
    heads = [_("Rules"), _("Player"), _("Deals"), _("Won"), _("Share"), _interval_head(confidence)]
    heads += [_("Of the winnable"), _("Cards removed"), _("Moves of a win")]
    rows = [
        [
            rules_label(row.rules),
            player_title(row.player),
            number(row.deals),
            number(row.won),
            percent(row.share, digits_for(row.high - row.low)),
            _interval_text(row.low, row.high),
            percent(row.of_winnable, 1),
            number(row.removed, 1),
            number(row.moves, 1),
        ]
        for row in table.itertuples()
    ]
    return _("How the players did"), heads, rows
