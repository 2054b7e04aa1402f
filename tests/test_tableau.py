"""Tableaux: who covers whom, as the sources and docs/variants.md say it, and what a picture of them must keep to."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramide_core.rules import Rules, choices
from pyramide_core.tableau import CLEAR, TABLEAUX, bits, pyramid, triangle

PYRAMID = TABLEAUX["pyramid"]
each_tableau = pytest.mark.parametrize("tableau", TABLEAUX.values(), ids=TABLEAUX)


def places(mask):
    return list(bits(mask))


def test_every_layout_of_the_rules_has_its_tableau():
    assert set(choices("layout")) == set(TABLEAUX)
    assert all(Rules(layout=name).tableau.name == name for name in TABLEAUX)


def test_the_pyramid_has_seven_rows_of_one_to_seven_cards():
    assert [row.bit_count() for row in PYRAMID.rows] == [1, 2, 3, 4, 5, 6, 7]
    assert len(PYRAMID) == 28
    assert places(PYRAMID.rows[6]) == [21, 22, 23, 24, 25, 26, 27]


def test_each_card_of_rows_one_to_six_is_covered_by_two_of_the_next_row():
    # Card j of row i, counted from 0, is covered by j and j + 1 of row i + 1.
    number = {(row, place): row * (row + 1) // 2 + place for row in range(7) for place in range(row + 1)}
    for (row, place), p in number.items():
        wanted = [number[row + 1, place], number[row + 1, place + 1]] if row < 6 else []
        assert places(PYRAMID.covered_by[p]) == wanted


def test_the_triangle_is_covered_as_its_source_counts_it():
    covered_by = TABLEAUX["triangle"].covered_by
    wanted = {0: [7], 1: [7, 8], 6: [12], 7: [13], 12: [17], 25: [27], 26: [27], 27: []}
    assert {p: places(covered_by[p]) for p in wanted} == wanted
    assert [row.bit_count() for row in TABLEAUX["triangle"].rows] == [7, 6, 5, 4, 3, 2, 1]
    assert places(TABLEAUX["triangle"].exposed(TABLEAUX["triangle"].full)) == [27]


def test_giza_has_eight_columns_of_three_whose_front_card_is_the_last():
    giza = TABLEAUX["giza"]
    assert len(giza) == 52
    assert [[places(card) for card in column] for column in giza.reserve[:2]] == [
        [[28], [29], [30]],
        [[31], [32], [33]],
    ]
    assert len(giza.reserve) == 8
    assert places(giza.exposed(giza.full)) == [*range(21, 28), *range(30, 52, 3)]
    assert places(giza.covered_by[28]) == [29]
    assert giza.covered_by[:28] == PYRAMID.covered_by
    assert giza.pyramid == PYRAMID.full


def test_pharaohs_has_pyramids_of_two_seven_and_six_rows_that_do_not_cover_each_other():
    pharaohs = TABLEAUX["pharaohs"]
    assert [[row.bit_count() for row in rows] for rows in pharaohs.pyramids] == [
        [1, 2],
        [1, 2, 3, 4, 5, 6, 7],
        [1, 2, 3, 4, 5, 6],
    ]
    assert pharaohs.pyramid == pharaohs.full == (1 << 52) - 1
    # Each bottom row is free at the start: 2 + 7 + 6 cards.
    assert places(pharaohs.exposed(pharaohs.full)) == [1, 2, *range(24, 31), *range(46, 52)]
    for rows in pharaohs.pyramids:
        inside = sum(rows)
        assert all(pharaohs.covered_by[p] & ~inside == 0 for p in bits(inside))


@each_tableau
def test_covers_is_covered_by_the_other_way_round(tableau):
    for lower, upper in itertools.product(range(len(tableau)), repeat=2):
        assert tableau.covers[upper] >> lower & 1 == tableau.covered_by[lower] >> upper & 1


@each_tableau
def test_a_card_never_comes_to_lie_under_itself(tableau):
    left, taken = tableau.full, 0
    while left:
        exposed = tableau.exposed(left)
        assert exposed
        left &= ~exposed
        taken |= exposed
        assert tableau.is_shape(left)
    assert taken == tableau.full


@pytest.mark.parametrize("rows", range(1, 8))
def test_the_shapes_of_a_pyramid_are_counted_by_the_catalan_numbers(rows):
    seen, waiting = set(), [pyramid(rows).full]
    while waiting:
        shape = waiting.pop()
        if shape not in seen:
            seen.add(shape)
            waiting += [shape & ~(1 << p) for p in bits(pyramid(rows).exposed(shape))]
    assert len(seen) == math.comb(2 * rows + 2, rows + 1) // (rows + 2)
    assert all(map(pyramid(rows).is_shape, seen))


def test_a_card_gone_from_under_another_is_no_shape():
    assert not PYRAMID.is_shape(PYRAMID.full & ~1)
    assert triangle(2).is_shape(0b011)
    assert not triangle(2).is_shape(0b110)


@given(st.integers(0, PYRAMID.full))
def test_exposed_is_what_no_remaining_card_covers(remaining):
    slow = [p for p in bits(remaining) if not any(remaining >> q & 1 for q in bits(PYRAMID.covered_by[p]))]
    assert places(PYRAMID.exposed(remaining)) == slow


@given(st.sets(st.integers(0, 51)))
def test_bits_are_the_places_of_a_mask_in_order(wanted):
    assert places(sum(1 << p for p in wanted)) == sorted(wanted)


# The picture -------------------------------------------------------------------------------------------------------


@each_tableau
def test_the_picture_begins_at_the_corner_and_is_no_wider_than_eight_cards(tableau):
    assert min(place.x for place in tableau.places) == 0
    assert min(place.y for place in tableau.places) == 0
    assert max(place.x for place in tableau.places) + 1 <= 8


def lie_below(tableau, p):
    """All cards that lie upon the card p, directly or not."""
    above = set(bits(tableau.covered_by[p]))
    return above.union(*(lie_below(tableau, q) for q in above)) if above else above


@each_tableau
@pytest.mark.parametrize("step", [0.5, 0.52, 0.6])
def test_only_cards_of_one_heap_overlap_in_the_picture(tableau, step):
    """A row step is at least half a card high; cards that overlap must lie over each other by the rules as well."""
    height = 1 / step
    assert height <= CLEAR
    for p, q in itertools.combinations(range(len(tableau)), 2):
        a, b = tableau.places[p], tableau.places[q]
        if abs(a.x - b.x) < 1 and abs(a.y - b.y) < height - 1e-9:
            assert q in lie_below(tableau, p) or p in lie_below(tableau, q)


@each_tableau
def test_a_card_lies_lower_than_the_cards_it_covers_by_enough_to_read_them(tableau):
    for p, place in enumerate(tableau.places):
        for q in bits(tableau.covered_by[p]):
            # 0.7 of a row step, half a card high, leaves the corner index in sight.
            assert tableau.places[q].y - place.y >= 0.7


@pytest.mark.parametrize(
    ("name", "wide", "high"),
    # The screens that the board is made for, less what stands around it, in cards of 40 by 60 and 60 by 84 pixels.
    [(name, *screen) for name in TABLEAUX for screen in ((360 / 42, 540 / 60), (1240 / 66, 530 / 84))],
)
def test_every_layout_fits_a_phone_and_a_desk_screen(name, wide, high):
    tableau = TABLEAUX[name]
    assert max(place.x for place in tableau.places) + 1 <= wide
    step = 0.6 if wide < 10 else 0.5
    assert max(place.y for place in tableau.places) * step + 1 <= high
