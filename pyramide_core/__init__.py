"""Pyramide: the Pyramid solitaire that teaches. This package is the pure engine; `pyramide_core.ui` shows it.

>>> from pyramide_core import Deal, Game, VARIANTS
>>> game = Game(Deal.from_code("PY1-N-AAAAAAS"), VARIANTS["pyramide"])
>>> game.play("KD").points
10
"""

from pyramide_core.cards import Card, Suit
from pyramide_core.deals import Deal
from pyramide_core.errors import (
    CardError,
    CodeError,
    DealError,
    IllegalMoveError,
    MoveTextError,
    PyramideError,
    RulesError,
)
from pyramide_core.game import Event, EventKind, Game
from pyramide_core.moves import Draw, Move, Recycle, Remove
from pyramide_core.position import Outcome, Position
from pyramide_core.rules import VARIANTS, Rules

__version__ = "0.1.0"

__all__ = [
    "VARIANTS",
    "Card",
    "CardError",
    "CodeError",
    "Deal",
    "DealError",
    "Draw",
    "Event",
    "EventKind",
    "Game",
    "IllegalMoveError",
    "Move",
    "MoveTextError",
    "Outcome",
    "Position",
    "PyramideError",
    "Recycle",
    "Remove",
    "Rules",
    "RulesError",
    "Suit",
]
