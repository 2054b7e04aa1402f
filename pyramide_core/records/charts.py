"""Charts of progress, drawn from the facts of kept games onto matplotlib axes. Knows no database and no page.

Each function takes the games (see `summaries.played` and `summaries.unaided`) and an `ax`, made if there is none, and
returns the ax. Won games are full dots, games with hints are rings: shape tells them apart, not colour alone.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from pyramide_core.fonts import for_pictures_in_pages
from pyramide_core.messages import _
from pyramide_core.records.saved import GameFacts
from pyramide_core.records.summaries import played
from pyramide_core.wording import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE, ORANGE, GREY = "#1f5fa8", "#b8560b", "#6b6b6b"
STRETCH = 20
"""Over how many games the share of won ones is taken."""


def _axes(ax: "Axes | None") -> "Axes":
    if ax is not None:
        return ax
    from matplotlib.figure import Figure

    return Figure(figsize=(6.4, 3.2), layout="constrained").subplots()


def _finish(ax: "Axes", title: str, x: str, y: str, empty: bool) -> "Axes":
    ax.set_title(title)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.grid(True, axis="y", alpha=0.3)
    ax.spines[["top", "right"]].set_visible(False)
    if empty:
        ax.set_xticks([])
        ax.set_yticks([])
        ax.text(0.5, 0.5, _("no games yet"), transform=ax.transAxes, ha="center", va="center", color=GREY)
    return ax


def _whole_numbers(axis: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))


def _numbers_of_the_language(axis: Any) -> None:
    """Write the numbers of an axis with the decimal sign of the language in force."""

    def written(value: float, _place: int) -> str:
        decimals = f"{value:.3f}".rstrip("0").partition(".")[2]
        return number(value, len(decimals))

    axis.set_major_formatter(written)


def _progress(
    games: Sequence[GameFacts], ax: "Axes | None", figure: Callable[[GameFacts], float], title: str, y: str
) -> "Axes":
    """Draw one figure of each won game in the order of playing, with the best so far as a line."""
    ax = _axes(ax)
    won = [game for game in played(games) if game.is_won]
    numbers, values = range(1, len(won) + 1), [figure(game) for game in won]
    if won:
        best = list(accumulate(values, min))
        ax.step(numbers, best, where="post", color=GREY, linewidth=1.5, label=_("best so far"))
        for label, has_hints, face in ((_("without hints"), False, BLUE), (_("with hints"), True, "none")):
            points = [(n, v) for n, v, game in zip(numbers, values, won, strict=True) if (game.hints > 0) == has_hints]
            if points:
                colour = ORANGE if has_hints else BLUE
                x, y_values = zip(*points, strict=True)
                ax.scatter(x, y_values, s=28, facecolors=face, edgecolors=colour, label=label, zorder=3)
        # The legend has the upper part for itself, whatever the dots do; 1 is its right corner.
        ax.set_ylim(0, 1.5 * max(*values, 0.1))
        ax.legend(frameon=False, fontsize="small", loc=1)
    _numbers_of_the_language(ax.yaxis)
    _whole_numbers(ax.xaxis)
    return _finish(ax, title, _("won game"), y, not won)


def draw_times(games: Sequence[GameFacts], ax: "Axes | None" = None) -> "Axes":
    """Draw how long each won game took, in minutes."""
    return _progress(games, ax, lambda game: game.seconds / 60, _("Time of won games"), _("minutes"))


def draw_moves(games: Sequence[GameFacts], ax: "Axes | None" = None) -> "Axes":
    """Draw how many moves each won game took."""
    return _progress(games, ax, lambda game: game.moves, _("Moves of won games"), _("moves"))


def shares_won(games: Sequence[GameFacts], stretch: int = STRETCH) -> list[float]:
    """Return for each game that counts the share of won ones among the last `stretch` up to it."""
    won = [game.is_won for game in played(games)]
    return [sum(part) / len(part) for n in range(1, len(won) + 1) if (part := won[max(0, n - stretch) : n])]


def draw_share_won(games: Sequence[GameFacts], ax: "Axes | None" = None) -> "Axes":
    """Draw the share of won games among the last 20, game by game."""
    ax = _axes(ax)
    shares = shares_won(games)
    ax.plot(range(1, len(shares) + 1), [100 * share for share in shares], color=BLUE, marker=".")
    ax.set_ylim(0, 105)
    _whole_numbers(ax.xaxis)
    title = _("Won among the last {count} games").format(count=STRETCH)
    return _finish(ax, title, _("game"), _("per cent"), not shares)


def draw_cards_left(games: Sequence[GameFacts], ax: "Axes | None" = None) -> "Axes":
    """Draw how many games ended with how many cards left; 0 is a won game."""
    ax = _axes(ax)
    counted = played(games)
    counts: dict[int, int] = {}
    for game in counted:
        left = 0 if game.is_won else game.cards_left
        counts[left] = counts.get(left, 0) + 1
    ax.bar(list(counts), list(counts.values()), color=[BLUE if left == 0 else ORANGE for left in counts])
    _whole_numbers(ax.xaxis)
    _whole_numbers(ax.yaxis)
    return _finish(ax, _("Cards left at the end"), _("cards left"), _("games"), not counted)


def progress_svg(games: Sequence[GameFacts]) -> str:
    """Return the four charts of these games as one SVG picture."""
    import io

    from matplotlib.figure import Figure

    out = io.StringIO()
    with for_pictures_in_pages():
        figure = Figure(figsize=(9.2, 6.4), layout="constrained")
        axes = figure.subplots(2, 2)
        for draw, ax in zip((draw_times, draw_moves, draw_share_won, draw_cards_left), axes.flat, strict=True):
            draw(games, ax)
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()


def alternative(games: Sequence[GameFacts]) -> str:
    """Return in words what the charts of these games show, for whoever does not see them."""
    from pyramide_core.records.summaries import summarise
    from pyramide_core.wording import duration

    figures = summarise(games)
    text = _("{won} of {games} games won.").format(won=figures.won, games=figures.games)
    if figures.best_seconds is None or figures.best_moves is None:
        return text
    best = _("Best time {time}, fewest moves {moves}.").format(
        time=duration(figures.best_seconds), moves=figures.best_moves
    )
    return f"{text} {best}"
