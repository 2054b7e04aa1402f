"""Printable sheets: a position on a page of paper, with lines to write the moves on or with a solution. Knows no widget.

Drawn by matplotlib, which is imported when a sheet is drawn. Black and white printing loses nothing: red suits are also
told by their signs, blocked cards by their grey.
"""

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from pyramide_core.cards import Card
from pyramide_core.errors import PyramideError
from pyramide_core.explain import title as rules_title
from pyramide_core.fonts import families
from pyramide_core.messages import _, ngettext, pgettext, shorten
from pyramide_core.moves import Draw, Move, Recycle, Remove
from pyramide_core.position import Position
from pyramide_core.tableau import bits
from pyramide_core.wording import card_face

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Form = Literal["pdf", "png"]
# A4 in inches; what is on it keeps clear of the edge, so that paper of the letter size takes it too.
WIDTH, HEIGHT = 8.27, 11.69
LEFT, RIGHT, TOP, BOTTOM = 0.7, 7.57, 11.0, 0.8
RED, BLACK, GREY, EDGE, SOFT = "#b3261e", "#1d2421", "#e6e2d8", "#8b857a", "#5d655f"
LINE = 0.26
COLUMNS = 3
WIDEST, WIDEST_BESIDE_MOVES = 0.88, 0.6
"""How wide a card may be: the solution of a whole game takes much of the page, so its cards are smaller."""
MANY_MOVES = 24


class SheetError(PyramideError):
    """A sheet that cannot be made as asked."""


@dataclass(frozen=True)
class Sheet:
    """A sheet of a position: a heading, the table, the stock in order, and lines for moves or the solution's moves.

    `task` is what to do, in a sentence; `solution` a line of moves from the position; with `stock` the talon is shown,
    next card first, as on paper nothing can be drawn.
    """

    position: Position
    task: str = ""
    solution: Sequence[Move] | None = None
    stock: bool = True
    title: str = "Pyramide"

    def figure(self) -> "Figure":
        """Draw the sheet. Raises IllegalMoveError when the solution is not playable from the position."""
        from matplotlib import rc_context
        from matplotlib.figure import Figure

        moves = None if self.solution is None else list(_numbered(self.position, self.solution))
        with rc_context({"font.family": families(), "font.size": 11, "pdf.fonttype": 42}):
            figure = Figure(figsize=(WIDTH, HEIGHT))
            axes = figure.add_axes((0, 0, 1, 1))
            axes.set_xlim(0, WIDTH)
            axes.set_ylim(0, HEIGHT)
            axes.axis("off")
            y = _heading(axes, self)
            many = moves is not None and len(moves) > MANY_MOVES
            y = _tableau(axes, self.position, y, WIDEST_BESIDE_MOVES if many else WIDEST)
            if self.stock and self.position.table.talon:
                y = _talon(axes, self.position, y)
            _moves(axes, moves, y)
        return figure

    def as_bytes(self, form: str = "pdf") -> bytes:
        """Return the sheet as a PDF or PNG file; raises SheetError for another form."""
        if form not in get_args(Form):
            raise SheetError(
                _("A sheet is a file of the form {forms}, not “{form}”.").format(
                    forms=", ".join(get_args(Form)), form=shorten(form)
                )
            )
        # The same sheet is the same file: no date in it.
        metadata = {"Title": self.title, **({"CreationDate": None} if form == "pdf" else {})}
        file = io.BytesIO()
        self.figure().savefig(file, format=form, dpi=150, metadata=metadata)
        return file.getvalue()

    def save(self, path: str | Path) -> Path:
        """Write the sheet to a file whose name ends in .pdf or .png, and return its path."""
        target = Path(path)
        target.write_bytes(self.as_bytes(target.suffix.lower().removeprefix(".")))
        return target


def _numbered(position: Position, moves: Iterable[Move]) -> Iterable[str]:
    """Yield each move as the sheet writes it; draws and recycles in a row are put together."""
    draws = 0
    for move in moves:
        position = position.apply(move)
        if isinstance(move, Remove):
            if draws:
                yield ngettext("touch the stock", "touch the stock {n} times", draws)
                draws = 0
            yield " + ".join(map(card_face, move.cards))
        else:
            draws += isinstance(move, Draw | Recycle)
    if draws:
        yield ngettext("touch the stock", "touch the stock {n} times", draws)


def _heading(axes: "Axes", sheet: Sheet) -> float:
    deal = sheet.position.deal
    axes.text(LEFT, TOP, sheet.title, size=20, weight="bold", va="top", color=BLACK)
    about = [_("Rules: {rules}").format(rules=rules_title(sheet.position.rules))]
    if deal.seed is not None:
        about.insert(0, deal.code)
    axes.text(RIGHT, TOP - 0.08, " · ".join(about), size=10, va="top", ha="right", color=SOFT)
    y = TOP - 0.5
    if sheet.task:
        for line in _wrapped(sheet.task, 78):
            axes.text(LEFT, y, line, size=12, va="top", color=BLACK)
            y -= LINE
    name = pgettext("on a sheet of paper", "Name:")
    axes.text(LEFT, y - 0.08, f"{name} {34 * '_'}", size=10, va="top", color=SOFT)
    return y - 0.55


def _wrapped(text: str, width: int) -> list[str]:
    import textwrap

    return textwrap.wrap(text, width) or [""]


def _tableau(axes: "Axes", position: Position, top: float, widest: float) -> float:
    """Draw the cards that are left, the upper rows first so that the next row lies upon them; return the y below."""
    places = position.table.tableau.places
    columns = max(place.x for place in places) + 1
    rows = max(place.y for place in places) + 1
    wide = min(widest, (RIGHT - LEFT) / columns / 1.08)
    high, step = wide * 1.4, min(wide * 0.75, 5.0 / rows)
    exposed, hidden = position.exposed, position.hidden
    middle = (LEFT + RIGHT) / 2
    for place in sorted(bits(position.tableau), key=lambda p: places[p].y):
        x = middle + (places[place].x - (columns - 1) / 2) * wide * 1.08 - wide / 2
        y = top - places[place].y * step - high
        card = None if hidden >> place & 1 else position.deal.cards[place]
        _card(axes, card, x, y, wide, resting=not exposed >> place & 1)
    return top - (rows - 1) * step - high - 0.35


def _card(axes: "Axes", card: Card | None, x: float, y: float, wide: float, *, resting: bool = False) -> None:
    from matplotlib.patches import FancyBboxPatch

    high = wide * 1.4
    colour = EDGE if card is None else GREY if resting else "white"
    style = f"round,pad=0,rounding_size={wide * 0.09}"
    axes.add_patch(FancyBboxPatch((x, y), wide, high, boxstyle=style, facecolor=colour, edgecolor=EDGE, linewidth=0.8))
    if card is not None:
        ink = RED if card.suit.is_red else BLACK
        axes.text(x + wide * 0.1, y + high * 0.93, card_face(card), size=wide * 20, weight="bold", va="top", color=ink)


def _talon(axes: "Axes", position: Position, y: float) -> float:
    table = position.table
    piles = [list(reversed(table.cards(pile))) for pile in position.waste]
    if len(piles) == 1 and piles[0]:
        y = _strip(axes, _("Waste, top card first:"), piles[0], y)
    elif any(piles):
        for number, pile in enumerate(piles, 1):
            y = _strip(axes, _("Waste {number}, top card first:").format(number=number), pile, y)
    return _strip(axes, _("Stock, next card first:"), list(table.cards(position.stock)), y)


def _strip(axes: "Axes", label: str, cards: list[Card], y: float) -> float:
    axes.text(LEFT, y, label, size=10, va="top", color=SOFT)
    y -= 0.24
    wide, a_row = 0.5, 13
    if not cards:
        axes.text(LEFT, y, "–", size=11, va="top", color=BLACK)
        return y - 0.35
    for start in range(0, len(cards), a_row):
        for number, card in enumerate(cards[start : start + a_row]):
            x = LEFT + number * 0.528
            axes.text(x, y, card_face(card), size=11, weight="bold", va="top", color=RED if card.suit.is_red else BLACK)
            axes.plot([x - 0.03, x + wide - 0.06], [y - 0.2, y - 0.2], color=EDGE, linewidth=0.5)
        y -= 0.3
    return y - 0.1


def _moves(axes: "Axes", moves: list[str] | None, y: float) -> None:
    axes.text(
        LEFT,
        y,
        pgettext("on a sheet of paper", "Moves") if moves is None else _("Solution"),
        size=12,
        weight="bold",
        va="top",
        color=BLACK,
    )
    y -= 0.34
    rows = max(1, int((y - BOTTOM) / LINE))
    if moves is not None and len(moves) > rows * COLUMNS:
        rows = -(-len(moves) // COLUMNS)
    step = min(LINE, (y - BOTTOM) / rows)
    count = rows * COLUMNS if moves is None else len(moves)
    # A column is filled before the next one, as people write.
    rows = rows if moves is None else max(-(-len(moves) // COLUMNS), min(rows, 8))
    wide = (RIGHT - LEFT) / COLUMNS
    # Letters need about a third more than their size from line to line; a point is a 72nd of an inch.
    size = min(11.0, step * 72 / 1.35)
    for number in range(count):
        # On one base line, as letters of another script are taller than numbers.
        x, line = LEFT + (number // rows) * wide, y - (number % rows) * step - size / 72
        text = 16 * "_" if moves is None else moves[number]
        axes.text(x, line, f"{number + 1}.", size=size - 1, va="baseline", color=SOFT)
        axes.text(x + 0.35, line, text, size=size, va="baseline", color=SOFT if moves is None else BLACK)
