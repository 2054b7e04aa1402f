"""Tableaux: geometry as a cover graph, who covers whom and where each card lies. Knows no cards and no rules.

A tableau has places 0 to n-1, numbered row by row from the top, left to right. A set of places is a bit mask:
bit p stands for place p.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

PYRAMID, RESERVE = "pyramid", "reserve"


class Place(NamedTuple):
    """Where one card of a tableau lies.

    `x` and `y` are the card's place in the picture, in card widths from the left-most card's and in rows from the
    top; `part` is the pyramid (0, 1, ...) or reserve column that it belongs to; `kind` says which of the two.
    """

    row: int
    column: int
    x: float
    y: int
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
    def rows(self) -> tuple[int, ...]:
        """The masks of the pyramid's rows, top row first (several pyramids: their rows one after the other)."""
        masks: dict[tuple[int, int], int] = {}
        for p, place in enumerate(self.places):
            if place.kind == PYRAMID:
                masks[place.part, place.row] = masks.get((place.part, place.row), 0) | 1 << p
        return tuple(masks[key] for key in sorted(masks))

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
    """Yield (lower, upper) for cards half a card apart in neighbouring rows of one part: the next row lies on top."""
    for lower in places:
        for upper in places:
            if (
                (upper.part, upper.kind) == (lower.part, lower.kind)
                and upper.y == lower.y + 1
                and abs(upper.x - lower.x) < 1
            ):
                yield lower, upper


def _tableau(name: str, places: Iterable[Place]) -> Tableau:
    ordered = tuple(places)
    return Tableau(name, ordered, _cover_graph(ordered, _overlaps(ordered)))


def _pyramid_places(rows: int, part: int = 0, left: float = 0, top: int = 0) -> list[Place]:
    return [
        Place(row, column, left + (rows - row) / 2 + column - 1, top + row - 1, part)
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
    """Return the pyramid upside down: the longest row at the top, each row lying on the one before."""
    return _tableau(
        name or f"triangle_{rows}",
        (
            Place(row, column, (row - 1) / 2 + column - 1, row - 1)
            for row in range(1, rows + 1)
            for column in range(1, rows - row + 2)
        ),
    )


def pyramid_with_reserve(rows: int, columns: int, depth: int, name: str) -> Tableau:
    """Return a pyramid above columns of so many cards, each card of a column covered by the next one in it."""
    above = _pyramid_places(rows)
    left = (rows - columns) / 2
    below = [
        Place(row, column, left + column - 1, rows + row - 1, column, RESERVE)
        for column in range(1, columns + 1)
        for row in range(1, depth + 1)
    ]
    return _tableau(name, above + below)


def pyramids(rows: tuple[int, ...], name: str) -> Tableau:
    """Return several pyramids side by side, their bottom rows on one line."""
    places: list[Place] = []
    left = 0.0
    for part, count in enumerate(rows):
        places += _pyramid_places(count, part, left, max(rows) - count)
        left += count
    return _tableau(name, places)


TABLEAUX = MappingProxyType(
    {
        tableau.name: tableau
        for tableau in (
            pyramid(7, "pyramid"),
            triangle(7, "triangle"),
            pyramid_with_reserve(7, 8, 3, "giza"),
            pyramids((2, 7, 6), "pharaohs"),
            *(pyramid(rows) for rows in (3, 4, 5, 6)),
        )
    }
)
