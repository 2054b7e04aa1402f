"""Plots beside their numbers: a picture by matplotlib, and the same numbers as a table. Knows no card.

The picture is drawn when a page asks for it, so that opening a lesson does not wait for matplotlib.
"""

import base64
import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pyramide_core.fonts import for_pictures_in_pages
from pyramide_core.messages import _
from pyramide_core.ui.lessons.part import Part

if TYPE_CHECKING:
    from matplotlib.axes import Axes


SIZE = 5.2, 3.4
"""Inches: so small that the words in it can still be read where the page is as narrow as a phone."""


class PlotBeside(Part):
    """A plot and its numbers: `draw(axes)` draws it, `alt` says in words what it shows, `rows` are the numbers.

    `columns` are the table's headings. What the plot shows must stand in the table too: it is what is checked, printed
    and read aloud.
    """

    def __init__(
        self,
        draw: Callable[["Axes"], Any],
        alt: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        **options: Any,
    ) -> None:
        self.draw_on = draw
        super().__init__(
            kind="plot",
            data={"alt": alt, "columns": list(columns), "rows": [[str(value) for value in row] for row in rows]},
            texts={"label": _("Plot and numbers"), "drawing": _("The plot is being drawn…"), "numbers": _("Numbers")},
            **options,
        )

    def hear(self, event: str, content: dict[str, Any]) -> None:
        """Draw when a page is there to show it."""
        if event == "ready" and not self.shown.get("picture"):
            self.show(picture=self.picture())

    def picture(self) -> str:
        """Return the plot as the address of an SVG picture."""
        from matplotlib.figure import Figure

        file = io.BytesIO()
        with for_pictures_in_pages():
            figure = Figure(figsize=SIZE, layout="constrained")
            axes = figure.subplots()
            axes.spines[["top", "right"]].set_visible(False)
            self.draw_on(axes)
            figure.savefig(file, format="svg", metadata={"Date": None})
        return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()
