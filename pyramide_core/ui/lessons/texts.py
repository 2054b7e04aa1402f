"""Texts of lessons: the catalogue's functions in the form in which a notebook uses them. Knows no widget.

In a notebook `_` is the last result, so there the catalogue is called `text`; `scripts/notebook_texts.py` collects its
messages, and those of the Markdown cells, for translators. Cards, moves and whole numbers among the values are written
as people do.
"""

from collections.abc import Iterable
from typing import Any

from pyramide_core import messages
from pyramide_core.cards import Card
from pyramide_core.messages import _, pgettext
from pyramide_core.moves import Draw, Move, Recycle, Remove
from pyramide_core.wording import card_face, number


def text(message: str, **values: Any) -> str:
    """Return the translation of a message, its `{names}` filled in.

    >>> text("{pair} makes {total}.", pair=Remove(Card.parse("10C"), Card.parse("3S")), total=13)
    '10♣ + 3♠ makes 13.'
    """
    return _(message).format(**{name: written(value) for name, value in values.items()})


def counted(singular: str, plural: str, n: int, **values: Any) -> str:
    """Return the translation of a message for n things; see `text`.

    >>> counted("{n} card", "{n} cards", 2)
    '2 cards'
    """
    return messages.ngettext(singular, plural, n, **{name: written(value) for name, value in values.items()})


def written(value: Any) -> Any:
    """Return cards, moves and whole numbers as text for people, several with spaces between; other values as they are.

    >>> written([Card.parse("QS"), Card.parse("AD")]), written(1430)
    ('Q♠ A♦', '1,430')
    """
    if isinstance(value, Card):
        return card_face(value)
    if isinstance(value, Remove | Draw | Recycle):
        return move_text(value)
    if type(value) is int:
        return number(value)
    if isinstance(value, Iterable) and not isinstance(value, str):
        return " ".join(str(written(one)) for one in value)
    return value


def move_text(move: Move) -> str:
    """Return a move for people: `10♣ + 3♠`, or what a touch on the stock does."""
    if isinstance(move, Remove):
        return " + ".join(map(card_face, move.cards))
    return pgettext("move", "draw") if isinstance(move, Draw) else pgettext("move", "recycle")
