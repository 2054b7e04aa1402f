"""The companion: the one anywidget of a table, for what ipywidgets cannot do. It holds no rule and no game.

In the page it lays the card buttons out, gives them their `data-` attributes and accessible names, hears the keyboard,
lets the clock tick, shows the figures, the message and the dialogs, and copies to the clipboard. Everything that it
shows is in its traits, so a page that is opened again shows the same; one action of the player changes them together
and is sent as one message.
"""

from pathlib import Path

import anywidget
import traitlets

_HERE = Path(__file__).parent


class Companion(anywidget.AnyWidget):
    """What the page shows beside the buttons. Texts are ready to be shown, in the language in force."""

    _esm = _HERE / "companion.js"
    _css = _HERE / "style.css"

    texts = traitlets.Dict().tag(sync=True)
    """Fixed texts by name: see `texts.page_texts`."""
    shape = traitlets.Dict().tag(sync=True)
    """The layout: `columns` and `rows` in cards, `low` when the piles belong below the tableau, `tight` for close rows,
    `fan` when the stock lies face up, `crowded` when there are many piles or much tableau."""
    places: traitlets.List = traitlets.List().tag(sync=True)
    """For each tableau place: x, y, pile, card and face ("" while face down), and the accessible name without its state."""
    state = traitlets.Unicode().tag(sync=True)
    """One letter a place: b blocked, a available, s selected, d face down, . gone; empty while nothing is dealt."""
    piles = traitlets.Dict().tag(sync=True)
    """For each pile button: pile, state, name, caption, and where they apply card, face, count and note."""
    fan: traitlets.List = traitlets.List().tag(sync=True)
    """The faces of a stock that lies face up, next card first."""
    figures = traitlets.Dict().tag(sync=True)
    """The figures of the game, ready to be shown: score, moves."""
    clock = traitlets.Dict().tag(sync=True)
    """Seconds played and whether the clock runs, at the moment of sending."""
    message = traitlets.Dict().tag(sync=True)
    """What happened last: text, kind (info or warning) and a number that makes equal messages differ."""
    code = traitlets.Unicode().tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)
    """The name of the rule set."""
    dialog = traitlets.Dict().tag(sync=True)
    """The dialog that is open, as data (see `dialogs`); empty when none is."""
    problem = traitlets.Dict().tag(sync=True)
    """What is wrong with a field of the open dialog: field, text and a number."""
    lit: traitlets.List = traitlets.List().tag(sync=True)
    """Keys of the buttons that a hint or a lesson lights."""
    paused = traitlets.Bool(False).tag(sync=True)
    replay = traitlets.Dict().tag(sync=True)
    """A replay on the table: how many entries it has (`count`) and how many are played (`at`); empty when none is."""
    verdict = traitlets.Dict().tag(sync=True)
    """Whether the game can still be won: kind (winnable, lost, unknown, searching) and text; empty when not shown."""
    memory = traitlets.Dict().tag(sync=True)
    """The game as the browser keeps it: the name of the table (`slot`) and the game (`text`); see records.memory."""
    preferences = traitlets.Dict().tag(sync=True)
    """The player's own choices, kept in the browser: see `dialogs.PREFERENCES`."""
