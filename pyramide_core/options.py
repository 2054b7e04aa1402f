"""Options in words: the label of each option of a rule set, what it changes, and its choices. Knows no game.

What a custom-rules panel and an explanation say of an option comes from here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pyramide_core.messages import N_, _, ngettext
from pyramide_core.rules import NUMBER_RANGES, PAIRINGS, SCORINGS, choices, is_unlimited_allowed, value_text
from pyramide_core.tableau import TABLEAUX, Tableau

LABELS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "layout": (
            N_("Layout"),
            N_("Which cards lie on the table; the cards left over are the stock."),
        ),
        "face_down": (
            N_("Covered cards lie face down"),
            N_("A card of the pyramid that is still covered is not seen; it turns up when its last cover is gone."),
        ),
        "draws_at_start": (
            N_("Draws before the first move"),
            N_("So many draws are already made when the game begins; with 0 the waste is empty."),
        ),
        "draw_count": (
            N_("Cards of one draw"),
            N_("So many cards are turned at once; of those that fall onto one pile only the last one can be played."),
        ),
        "waste_piles": (
            N_("Waste piles"),
            N_("A draw gives each pile the same number of cards, so the cards of one draw must be a multiple of it."),
        ),
        "passes": (
            N_("Passes through the stock"),
            N_("After the last pass the waste does not go back to the stock; with 1 it never does."),
        ),
        "stock_face_up": (
            N_("The stock lies face up"),
            N_("The order in which its cards will come is seen; they are played when they come, as ever."),
        ),
        "stock_playable": (
            N_("The top card of the stock can be played"),
            N_("It lies face up and can be removed without being drawn."),
        ),
        "talon_pairs": (
            N_("Cards of stock and waste may go together"),
            N_("Two available cards that both come from stock and waste, such as two tops of waste piles, may pair."),
        ),
        "drawn_pairs": (
            N_("The drawn card may go with the waste card it covers"),
            N_("The top card of a waste pile may pair with the card right below it."),
        ),
        "cover_pairs": (
            N_("A card may go with the only card that still covers it"),
            N_("When one of its two covers is gone, a card may pair with the other one, if nothing covers that."),
        ),
        "pairing": (
            N_("Which cards go together"),
            N_("Ranks that add up to 13, where a king goes alone; or ranks that are equal or neighbours."),
        ),
        "goal": (
            N_("Goal"),
            N_("The strict goal wants the cards of stock, waste and reserve gone as well."),
        ),
        "dead_end": (
            N_("When a dead end is said"),
            N_("Either when no move at all is left, or as soon as the game can no longer be won."),
        ),
        "scoring": (
            N_("Points"),
            N_("What gives points: each card of the pyramid, or each removal and each row of the pyramid."),
        ),
        "undo_limit": (
            N_("Actions that can be undone"),
            N_("How far back undo goes; with 0 there is no undo."),
        ),
        "undo_counts": (
            N_("An undo counts as a move"),
            N_("Each undo adds one to the number of moves; without this it leaves the number as it is."),
        ),
    }
)
"""The label of each option, and one sentence on what it changes."""

_USUAL_NUMBERS: Mapping[str, tuple[int | None, ...]] = MappingProxyType(
    {
        "draws_at_start": (0, 1),
        "draw_count": (1, 2, 3),
        "waste_piles": (1, 2, 3),
        "passes": (1, 2, 3, None),
        "undo_limit": (0, 1, 10, 100, None),
    }
)


@dataclass(frozen=True)
class Choice:
    """One value of an option: the value, its label, and its `text` in the short form of a rule set."""

    value: Any
    label: str

    @property
    def text(self) -> str:
        """The value as `Rules.parse` reads it."""
        return value_text(self.value)


@dataclass(frozen=True)
class OptionHelp:
    """An option in words, in the language in force.

    `choices` are all values of an option of words or of yes and no; of a number they are the usual ones, and
    `numbers` is the range of all (None for other options).
    """

    option: str
    label: str
    sentence: str
    choices: tuple[Choice, ...]
    numbers: range | None = None

    @property
    def is_unlimited_allowed(self) -> bool:
        """Whether a number can also be None: without limit."""
        return is_unlimited_allowed(self.option)


def option_help(option: str) -> OptionHelp:
    """Return an option of `Rules` in words; KeyError for a name that is none.

    >>> help = option_help("goal")
    >>> help.label, [choice.label for choice in help.choices]
    ('Goal', ['Clear the pyramid', 'Clear all cards'])
    """
    label, sentence = LABELS[option]
    values = choices(option) or _USUAL_NUMBERS[option]
    return OptionHelp(
        option,
        _(label),
        _(sentence),
        tuple(Choice(value, value_label(option, value)) for value in values),
        NUMBER_RANGES.get(option),
    )


def value_label(option: str, value: Any) -> str:
    """Return the label of one value of an option.

    >>> value_label("passes", None), value_label("cover_pairs", True), value_label("layout", "triangle")
    ('without limit', 'yes', 'Pyramid upside down, 7 rows')
    """
    if value is None:
        return _("without limit")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return str(value)
    return _WORDS[option](value)


def layout_label(tableau: Tableau) -> str:
    """Return what a layout looks like, in a few words, from its geometry.

    >>> layout_label(TABLEAUX["pharaohs"])
    'Pyramids of 2, 7, 6 rows'
    """
    rows = [len(part) for part in tableau.pyramids]
    if len(rows) > 1:
        return _("Pyramids of {rows} rows").format(rows=", ".join(map(str, rows)))
    if tableau.reserve:
        return _("Pyramid of {rows} rows over {columns} columns of {cards} cards").format(
            rows=rows[0], columns=len(tableau.reserve), cards=len(tableau.reserve[0])
        )
    if is_upside_down(tableau):
        return ngettext("Pyramid upside down, {n} row", "Pyramid upside down, {n} rows", rows[0])
    return ngettext("Pyramid of {n} row", "Pyramid of {n} rows", rows[0])


def is_upside_down(tableau: Tableau) -> bool:
    """Tell whether the pyramid's first row is its longest."""
    first, *_others, last = tableau.pyramids[0]
    return first.bit_count() > last.bit_count()


def _pairing_label(name: str) -> str:
    total = PAIRINGS[name].total  # type: ignore[index]
    return _("Equal or neighbouring ranks") if total is None else _("Ranks that add up to {total}").format(total=total)


def _scoring_label(name: str) -> str:
    points = SCORINGS[name]  # type: ignore[index]
    if points.row_bonus:
        return ngettext(
            "{n} point for a removal, and points for each row",
            "{n} points for a removal, and points for each row",
            points.removal,
        )
    return ngettext(
        "{n} point for each card of the pyramid", "{n} points for each card of the pyramid", points.pyramid_card
    )


_WORDS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "layout": lambda name: layout_label(TABLEAUX[name]),
        "pairing": _pairing_label,
        "goal": lambda name: _("Clear all cards") if name == "all" else _("Clear the pyramid"),
        "dead_end": lambda name: (
            _("When no move is left") if name == "no_moves" else _("As soon as it can no longer be won")
        ),
        "scoring": _scoring_label,
    }
)
