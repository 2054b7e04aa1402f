"""Tableaux: geometry as a cover graph, who covers whom and where each card lies. Knows no cards and no rules.

A tableau has places 0 to n-1, numbered row by row from the top, left to right; of several pyramids one after the
other, and in a reserve column by column, the hindmost card first. A set of places is a bit mask: bit p stands for
place p.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

PYRAMID, RESERVE = "pyramid", "reserve"


class Place(NamedTuple):
    """Where one card of a tableau lies.

    `row` and `column` count from 1 within its part: the pyramid (0, 1, ...) or reserve column (1, 2, ...) that it
    belongs to; `kind` says which of the two. `x` and `y` are its place in the picture, in card widths from the
    left-most card and in row steps from the top; neither is ever negative, both may be fractions.
    """

    row: int
    column: int
    x: float
    y: float
    part: int = 0
    kind: str = PYRAMID


def bits(mask: int) -> Iterator[int]:
    """Yield the places in a mask, lowest first.

    >>> list(bits(0b10110))
    [1, 2, 4]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True)
class Tableau:
    """Places and the cover graph: `covered_by[p]` is the mask of the places whose cards lie upon place p."""

    name: str
    places: tuple[Place, ...]
    covered_by: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def full(self) -> int:
        """The mask of all places."""
        return (1 << len(self.places)) - 1

    @cached_property
    def pyramid(self) -> int:
        """The mask of the places that must be empty for the pyramid to be cleared (all but a reserve)."""
        return sum(1 << p for p, place in enumerate(self.places) if place.kind == PYRAMID)

    @cached_property
    def covers(self) -> tuple[int, ...]:
        """`covers[p]` is the mask of the places that the card on place p lies upon."""
        return tuple(sum(1 << q for q, upper in enumerate(self.covered_by) if upper >> p & 1) for p in range(len(self)))

    @cached_property
    def pyramids(self) -> tuple[tuple[int, ...], ...]:
        """The masks of each pyramid's rows, top row first."""
        return self._rows_of(PYRAMID)

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The masks of the pyramid's rows, top row first (several pyramids: their rows one after the other)."""
        return tuple(row for rows in self.pyramids for row in rows)

    @cached_property
    def reserve(self) -> tuple[tuple[int, ...], ...]:
        """The masks of each reserve column's cards, the hindmost card first; empty without a reserve."""
        return self._rows_of(RESERVE)

    def _rows_of(self, kind: str) -> tuple[tuple[int, ...], ...]:
        parts: dict[int, dict[int, int]] = {}
        for p, place in enumerate(self.places):
            if place.kind == kind:
                rows = parts.setdefault(place.part, {})
                rows[place.row] = rows.get(place.row, 0) | 1 << p
        return tuple(tuple(rows.values()) for rows in parts.values())

    def exposed(self, remaining: int) -> int:
        """Return the mask of the places in `remaining` that no remaining card covers."""
        covered_by = self.covered_by
        return sum(1 << p for p in bits(remaining) if not covered_by[p] & remaining)

    def is_shape(self, remaining: int) -> bool:
        """Tell whether play can leave just these cards: none is gone while a card still lies upon it."""
        return not any(self.covered_by[p] & remaining for p in bits(self.full & ~remaining))


def _cover_graph(places: Iterable[Place], upon: Iterable[tuple[Place, Place]]) -> tuple[int, ...]:
    index = {place: p for p, place in enumerate(places)}
    masks = [0] * len(index)
    for lower, upper in upon:
        masks[index[lower]] |= 1 << index[upper]
    return tuple(masks)


def _overlaps(places: tuple[Place, ...]) -> Iterator[tuple[Place, Place]]:
    """Yield (lower, upper) for cards less than a card apart in neighbouring rows of one part: the next row is upon."""
    for lower in places:
        for upper in places:
            if (
                (upper.part, upper.kind) == (lower.part, lower.kind)
                and upper.row == lower.row + 1
                and abs(upper.x - lower.x) < 1
            ):
                yield lower, upper


def _tableau(name: str, places: Iterable[Place]) -> Tableau:
    ordered = tuple(places)
    return Tableau(name, ordered, _cover_graph(ordered, _overlaps(ordered)))


# What is laid out below a pyramid starts this many row steps under its last row: clear of it wherever a step is at
# least half a card high.
CLEAR = 2


def _pyramid_places(rows: int, part: int = 0, left: float = 0, top: float = 0, step: float = 1) -> list[Place]:
    return [
        Place(row, column, left + (rows - row) / 2 + column - 1, top + step * (row - 1), part)
        for row in range(1, rows + 1)
        for column in range(1, row + 1)
    ]


def pyramid(rows: int = 7, name: str | None = None) -> Tableau:
    """Return the pyramid of so many rows: each card above the bottom row is covered by two of the next row.

    >>> len(pyramid(7)), [p for p in bits(pyramid(3).covered_by[0])]
    (28, [1, 2])
    """
    return _tableau(name or f"pyramid_{rows}", _pyramid_places(rows))


def triangle(rows: int = 7, name: str | None = None) -> Tableau:
    """Return the pyramid upside down: the longest row at the top, each row lying on the one before.

    >>> [[p for p in bits(mask)] for mask in triangle(3).covered_by]
    [[3], [3, 4], [4], [5], [5], []]
    """
    return _tableau(
        name or f"triangle_{rows}",
        (
            Place(row, column, (row - 1) / 2 + column - 1, row - 1)
            for row in range(1, rows + 1)
            for column in range(1, rows - row + 2)
        ),
    )


def pyramid_with_reserve(rows: int, columns: int, depth: int, name: str, step: float = 1) -> Tableau:
    """Return a pyramid above columns of so many cards, each card of a column covered by the next one in it.

    `step` is the height of a row in the picture, in row steps of an ordinary pyramid.
    """
    width = max(rows, columns)
    top = step * (rows - 1) + CLEAR
    above = _pyramid_places(rows, left=(width - rows) / 2, step=step)
    below = [
        Place(row, column, (width - columns) / 2 + column - 1, top + step * (row - 1), column, RESERVE)
        for column in range(1, columns + 1)
        for row in range(1, depth + 1)
    ]
    return _tableau(name, above + below)


def three_pyramids(corner: int, upper: int, lower: int, name: str, step: float = 1) -> Tableau:
    """Return three pyramids, as narrow as the widest of them: `upper` above `lower`, `corner` beside the lower's top.

    Places count through the corner pyramid first, then the upper and the lower one. Side by side they would be too
    wide for the screen of a phone.
    """
    width = max(upper, lower)
    top = step * (upper - 1) + CLEAR
    return _tableau(
        name,
        [
            *_pyramid_places(corner, 0, 0, top, step),
            *_pyramid_places(upper, 1, (width - upper) / 2, 0, step),
            *_pyramid_places(lower, 2, width - lower, top, step),
        ],
    )


TABLEAUX = MappingProxyType(
    {
        tableau.name: tableau
        for tableau in (
            pyramid(7, "pyramid"),
            triangle(7, "triangle"),
            pyramid_with_reserve(7, 8, 3, "giza", step=0.8),
            three_pyramids(2, 7, 6, "pharaohs", step=0.75),
            *(pyramid(rows) for rows in (3, 4, 5, 6)),
        )
    }
)
