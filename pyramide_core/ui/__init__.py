"""What the player sees: the board and the dashboard as ipywidgets, with one companion in the page. No rule lives here."""

from pyramide_core.ui.board import Board
from pyramide_core.ui.dashboard import Dashboard

__all__ = ["Board", "Dashboard"]
