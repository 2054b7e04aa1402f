"""Figures of a study's results: the plots by name, put on paper, described in words, saved as PNG or SVG.

Draws nothing itself. matplotlib is imported when a figure is first made; a figure belongs to no window.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pyramide_core.fonts import families
from pyramide_core.messages import N_, _
from pyramide_core.rules import Rules
from pyramide_core.study import plots
from pyramide_core.study.labels import rules_label
from pyramide_core.study.players import player_title
from pyramide_core.study.settings import Settings, StudyError
from pyramide_core.study.table import Results
from pyramide_core.tableau import bits

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Plot:
    """A plot by name: its function, what it shows in words, and whether settings hold what it needs.

    A plot that shows one rule set at a time (`per_rules`) or one player (`per_player`) takes it as the option `rules`
    or `player`.
    """

    draw: Callable[..., None]
    title: str
    needs: Callable[[Settings], bool]
    per_rules: bool = False
    per_player: bool = False


PLOTS: Mapping[str, Plot] = MappingProxyType(
    {
        "winnable_by_rules": Plot(plots.winnable_by_rules, N_("Winnable share by rule set"), lambda has: has.verdict),
        "winnable_by_passes": Plot(
            plots.winnable_by_passes,
            N_("Winnable share by number of passes"),
            lambda has: has.verdict and bool(plots.passes_families(has.rules)),
        ),
        "narrowing": Plot(plots.narrowing, N_("How the intervals narrow"), lambda has: has.verdict),
        "difficulty_by_kings": Plot(
            plots.difficulty_by_kings, N_("Kings in the top rows"), lambda has: has.verdict, per_rules=True
        ),
        "shortest_lengths": Plot(plots.shortest_lengths, N_("Lengths of the shortest wins"), lambda has: has.shortest),
        "cards_left": Plot(
            plots.cards_left, N_("Cards left at the end"), lambda has: has.most or bool(has.players), per_rules=True
        ),
        "strategies": Plot(
            plots.strategies, N_("Strategies against perfect play"), lambda has: bool(has.players), per_rules=True
        ),
        "moves_wasted": Plot(
            plots.moves_wasted,
            N_("Moves more than the shortest win"),
            lambda has: has.shortest and bool(has.players),
            per_rules=True,
        ),
        "stuck_map": Plot(
            plots.stuck_map, N_("Where games get stuck"), lambda has: bool(has.players), per_rules=True, per_player=True
        ),
    }
)
"""The plots by name."""


def applicable(settings: Settings) -> list[str]:
    """Return the names of the plots that a study with these settings can show."""
    return [name for name, plot in PLOTS.items() if plot.needs(settings)]


def figure(name: str, results: Results, *, size: tuple[float, float] = (8.0, 4.5), **options: Any) -> "Figure":
    """Return a figure with one plot of PLOTS; raises StudyError when the study did not measure what it needs.

    The figure belongs to no window, so it can be made in any thread and needs no closing. `size` is in inches.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    if name not in PLOTS:
        raise StudyError(_("There is no plot “{name}”. There are: {names}.").format(name=name, names=", ".join(PLOTS)))
    plot = PLOTS[name]
    if not plot.needs(results.settings):
        raise StudyError(_("This study did not measure what the plot “{name}” shows.").format(name=name))
    with rc_context({"font.family": families()}):
        made = Figure(figsize=size, layout="constrained")
        plot.draw(results, made.add_subplot(), **options)
    return made


def image(made: "Figure", kind: str) -> bytes:
    """Return a figure as the content of a `png` or `svg` file; equal figures give equal files."""
    from io import BytesIO

    from matplotlib import rc_context

    buffer = BytesIO()
    with rc_context({"svg.hashsalt": "pyramide", "font.family": families()}):
        made.savefig(buffer, format=kind, dpi=144, metadata={"Date": None} if kind == "svg" else {"Software": None})
    return buffer.getvalue()


def save(made: "Figure", path: str | Path) -> None:
    """Save a figure as PNG or SVG, by the ending of the name; raises StudyError for another one."""
    kind = Path(path).suffix.lower()
    if kind not in (".png", ".svg"):
        raise StudyError(
            _("A plot is saved as PNG or SVG, so the name {file} must end in .png or .svg.").format(file=path)
        )
    try:
        Path(path).write_bytes(image(made, kind[1:]))
    except OSError as error:
        raise StudyError(_("The file {file} cannot be written.").format(file=path)) from error


def all_figures(results: Results) -> "Iterator[tuple[str, Figure]]":
    """Yield every plot that a study can show with a name for its file: one for each rule set and player it is about."""
    for name in applicable(results.settings):
        plot = PLOTS[name]
        for number, text in enumerate(results.settings.rules if plot.per_rules else [""], 1):
            label = Rules.parse(text).name or f"mix_{number}" if text else ""
            for player in results.settings.players if plot.per_player else [""]:
                options: dict[str, Any] = {key: value for key, value in (("rules", text), ("player", player)) if value}
                yield "_".join(filter(None, (name, label, player))), figure(name, results, **options)


def described(name: str, results: Results, rules: str | None = None, player: str | None = None) -> str:
    """Return a plot in words, for those who do not see it: its title and what it is about, of a map also its numbers."""
    plot = PLOTS[name]
    parts = [_(plot.title)]
    if plot.per_rules:
        parts.append(rules_label(rules or results.settings.rules[0]))
    if plot.per_player:
        chosen = player or results.settings.players[0]
        parts.append(player_title(chosen))
        shares = plots.stuck_shares(results, chosen, rules)
        tableau = Rules.parse(rules or results.settings.rules[0]).tableau
        for number, mask in enumerate((*tableau.rows, *map(sum, tableau.reserve)), 1):
            texts = ["–" if math.isnan(shares[p]) else f"{100 * shares[p]:.0f}" for p in bits(mask)]
            parts.append(_("row {number}: {shares} percent").format(number=number, shares=", ".join(texts)))
    return "; ".join(parts)
