"""Scenes: a position as plain data for the page to draw, and the names of places that can be lit. Knows no widget.

A scene is only looked at, so it has no buttons: the page draws it from one message.
"""

from collections.abc import Callable, Iterable
from typing import Any

from pyramide_core.cards import Card
from pyramide_core.messages import _, ngettext
from pyramide_core.position import Position
from pyramide_core.rules import Rules
from pyramide_core.tableau import PYRAMID, bits
from pyramide_core.wording import card_face, card_name, sentence

Light = str | int | Iterable[Card] | Callable[[Position], int]
"""What is lit: cards as text (`"10C 3S stock"`), a mask of places, cards, or a function that gives the mask."""

PILES = ("stock", "waste", "foundation")


def lit_keys(position: Position, light: Light) -> list[str]:
    """Return the keys of the places to light, as the table names them: `t0` to `t27`, `stock`, `waste0`."""
    keys: list[str] = []
    if callable(light):
        light = light(position)
    if isinstance(light, str):
        words = light.split()
        keys = [word for word in words if word in PILES]
        light = [Card.parse(word) for word in words if word not in PILES]
    if not isinstance(light, int):
        light = sum(1 << position.deal.place_of[card] for card in light)
    for place in bits(light):
        keys.append(_key(position, place))
    return [key.replace("waste", "waste0") if key == "waste" else key for key in dict.fromkeys(keys)]


def _key(position: Position, place: int) -> str:
    if place < len(position.table.tableau):
        return f"t{place}"
    for number, pile in enumerate(position.waste):
        if pile >> place & 1:
            return f"waste{number}"
    if position.rules.stock_playable and position.stock & -position.stock == 1 << place:
        return "next"
    return "stock" if position.stock >> place & 1 else "foundation"


def table_data(position: Position, show: Iterable[str] = PILES, *, rows: bool = False) -> dict[str, Any]:
    """Return what stays the same in all scenes of one deal and rule set: the places of the cards and their names."""
    rules = position.rules
    places = rules.tableau.places
    return {
        "columns": max(place.x for place in places) + 1,
        "rows": max(place.y for place in places) + 1,
        # Rows less than a step apart leave a covered card room for one line.
        "tight": min(abs(a.y - b.y) for a in places for b in places if a.y != b.y) < 1,
        # A first row of more cards than this reaches to where the piles stand.
        "piles_below": sum(place.y == 0 for place in places) > 3,
        "places": [
            (
                place.x,
                place.y,
                str(card),
                card_face(card),
                sentence(
                    _("{card}, row {row} of {rows}").format(card=card_name(card), row=place.row, rows=_rows(rules))
                )
                if place.kind == PYRAMID
                else sentence(card_name(card)),
            )
            for place, card in zip(places, position.deal.cards, strict=False)
        ],
        "show": [pile for pile in PILES if pile in show],
        "labels": sorted({(place.y, str(place.row)) for place in places if place.part == 0}) if rows else [],
        "states": {"a": _("available"), "b": _("blocked"), "d": _("face down")},
    }


def _rows(rules: Rules) -> int:
    return len(rules.tableau.pyramids[0])


def scene_data(position: Position, light: Light = "") -> dict[str, Any]:
    """Return what the page draws of a position: a letter for each place (see the companion's `state`), piles, lights."""
    exposed, hidden, left = position.exposed, position.hidden, position.tableau
    count = len(position.table.tableau)
    state = "".join(
        "." if not left >> p & 1 else "d" if hidden >> p & 1 else "a" if exposed >> p & 1 else "b" for p in range(count)
    )
    return {"state": state, "piles": _piles(position), "lit": lit_keys(position, light)}


def _piles(position: Position) -> list[dict[str, Any]]:
    return [*(_talon_piles(position) if position.table.talon else ()), _foundation(position)]


def _talon_piles(position: Position) -> list[dict[str, Any]]:
    stock = position.stock.bit_count()
    piles: list[dict[str, Any]] = [
        {
            "key": "stock",
            "state": "a" if stock else "r" if position.can_recycle else "e",
            "count": stock or None,
            "name": ngettext("Stock, {n} card", "Stock, {n} cards", stock),
            "caption": _("Stock"),
        }
    ]
    for number, top in enumerate(position.waste_tops):
        caption = _("Waste") if len(position.waste) == 1 else _("Waste {number}").format(number=number + 1)
        pile: dict[str, Any] = {"key": f"waste{number}", "caption": caption}
        if top is None:
            pile |= {"state": "e", "name": _("{pile}: empty").format(pile=caption)}
        else:
            card = position.deal.cards[top]
            name = _("{pile}: {card}").format(pile=caption, card=card_name(card))
            pile |= {"state": "a", "card": str(card), "face": card_face(card), "name": name}
        piles.append(pile)
    return piles


def _foundation(position: Position) -> dict[str, Any]:
    gone = len(position.foundation)
    return {
        "key": "foundation",
        "state": "e",
        "name": ngettext("Foundation: {n} card removed", "Foundation: {n} cards removed", gone),
        "caption": ngettext("{n} removed", "{n} removed", gone),
    }
