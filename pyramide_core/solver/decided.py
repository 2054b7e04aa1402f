"""A compiled verdict that decides each pair once: for one card a draw onto one waste pile and pairs of thirteen.

Imported only when it is first needed, because it imports numba. It answers for whole deals and finds no line; `fits`
says for which rules.

The idea: fix which cards go together. Then every removal may be made as soon as it is possible, since it frees cards and
hinders no other pair, and a card is drawn only when no removal is left; so a choice of pairs either plays to its end or
does not, and no order has to be searched. The search therefore asks of each pair that becomes possible: do these two go
together? If so they go at once; if not, they never do. A draw comes when every possible pair has been refused.

What cuts it short, and why that loses nothing:

- In each class of two ranks that go together, the pairs that are still open form a matrix of 4 by 4 bits. Every card that
  must go needs a partner of its own; tables tell which sets of cards a matrix can provide for. A pair that is in no such
  choice is refused at once, and a pair without which there is none is made without asking.
- Even with cards that are never used up the tableau must be able to go (`can_go`). In the last pass that is played card
  by card (`windows`): two cards of which one comes too late for the other never go together.
- A state met before, with the same pairs open, has been searched: whatever led to it, nothing is left of the way.
"""

# mypy: ignore-errors
# (The decorators of the compiler leave no types behind; the compiler checks them itself.)

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from pyramide_core.rules import Rules
from pyramide_core.solver.kernel import compiled, exposed_of, high_bit, low_bit, shuffled

if TYPE_CHECKING:
    from numpy.typing import NDArray

ONE = np.int64(1)
KING = 13
CLASSES = 6

TABLEAU_SIZE, GOAL, STOCK_PLAYABLE, TALON_PAIRS, COVER_PAIRS, RECYCLES, DRAWS_AT_START = range(7)
"""The options of a rule set, by their places in an array."""
TABLEAU, TALON, NEXT, LEFT = range(4)
"""A state: the masks of the tableau and the talon, the place of the stock's next card, the recycles left; then, at the
places after LEFT, the matrices of the six classes; from PARTNERS on, for each card, the mask of the partners that are
open."""
PARTNERS = 10
STATE = 64
CHANGED = STATE - 1
"""Where a state that waits keeps which classes to look at when its turn comes."""
LEVELS = 64
NEVER = 99
WORK = 436
DRAWN = 1
"""The bit of `changed` that stands for a draw; the others are those of the classes."""
ALL_CHANGED = 127
SEEN_BITS = 16
PROBES = 16
NO, YES, OPEN = range(3)


def fits(rules: Rules) -> bool:
    """Tell whether a rule set's deals can be judged here.

    The order of removals does not matter only where a draw turns one card onto one pile; a card that goes with the one
    it covers in the waste is left to the other search.
    """
    one_by_one = rules.draw_count == 1 and rules.waste_piles == 1 and not rules.drawn_pairs
    return one_by_one and rules.passes is not None and rules.pair_rule.total == KING and rules.talon_size > 0


class Judge:
    """The arrays that one thread needs to judge deals of one rule set."""

    def __init__(self, rules: Rules, base: "NDArray[np.int64]", before: Sequence[int]) -> None:
        tableau = rules.tableau
        self.base = base
        self.covered_by = np.zeros(len(base), np.int64)
        self.before = np.zeros(len(base), np.int64)
        self.covered_by[: len(tableau)] = tableau.covered_by
        self.before[: len(tableau)] = before
        self.options = np.zeros(DRAWS_AT_START + 1, np.int64)
        self.options[TABLEAU_SIZE] = len(tableau)
        self.options[GOAL] = tableau.pyramid if rules.goal == "pyramid" else (1 << len(base)) - 1
        self.options[STOCK_PLAYABLE] = rules.stock_playable
        self.options[TALON_PAIRS] = rules.talon_pairs
        self.options[COVER_PAIRS] = rules.cover_pairs
        self.options[RECYCLES] = rules.passes - 1
        self.options[DRAWS_AT_START] = rules.draws_at_start
        self.tables = _tables()
        self.work = np.zeros(WORK, np.int64)
        self.stack = np.zeros((LEVELS, STATE), np.int64)
        self.seen = np.zeros((1 << SEEN_BITS, 3), np.int64)

    def run(self, seeds: "NDArray[np.int64]", budget: int, answers: "NDArray[np.int8]") -> None:
        """Write the verdicts of the deals of these seeds, each after at most so many states."""
        many(
            seeds, self.base, self.covered_by, self.before, self.options, *self.tables, self.work, self.stack, self.seen,
            budget, answers,
        )  # fmt: skip


@compiled
def tables():
    """Return for each matrix the sets of rows that can all be given a column of their own, and its transpose."""
    served = np.zeros(1 << 16, np.uint16)
    turned = np.zeros(1 << 16, np.uint16)
    columns = np.zeros(16, np.int64)
    for matrix in range(1 << 16):
        columns[:] = 0
        columns[0] = 1
        answer = 1
        for rows in range(1, 16):
            first = 0
            while not rows >> first & 1:
                first += 1
            rest = rows ^ (1 << first)
            row = matrix >> (4 * first) & 15
            for used in range(16):
                if columns[rest] >> used & 1:
                    for column in range(4):
                        if row >> column & 1 and not used >> column & 1:
                            columns[rows] |= 1 << (used | 1 << column)
            if columns[rows]:
                answer |= 1 << rows
        served[matrix] = answer
        transpose = 0
        for row in range(4):
            for column in range(4):
                if matrix >> (4 * row + column) & 1:
                    transpose |= 1 << (4 * column + row)
        turned[matrix] = transpose
    return served, turned


@cache
def _tables():
    """Return the tables, made once; nobody writes into them."""
    return tables()


@compiled
def sort_cards(order, cards, class_of, number_of, is_high):
    """Write each card's class, number and side in it, and the cards of each class; return the mask of the kings."""
    kings = np.int64(0)
    counts = np.zeros((7, 2), np.int64)
    for card in range(order.shape[0]):
        rank = order[card]
        if rank == KING:
            kings |= ONE << card
            class_of[card] = 0
            continue
        one = min(rank, KING - rank)
        side = 0 if rank == one else 1
        class_of[card], is_high[card], number_of[card] = one, side, counts[one, side]
        cards[one, side, counts[one, side]] = card
        counts[one, side] += 1
    return kings


@compiled
def open_all(state, cards, covered_by, before, options):
    """Open every pair of a deal that is not ruled out by one of its cards lying above the other."""
    size = options[TABLEAU_SIZE]
    for one in range(1, CLASSES + 1):
        for row in range(4):
            for column in range(4):
                low, high = cards[one, 0, row], cards[one, 1, column]
                if low < size and high < size:
                    may = not (before[low] >> high & 1 or before[high] >> low & 1)
                    if options[COVER_PAIRS] and (covered_by[low] >> high & 1 or covered_by[high] >> low & 1):
                        may = True
                else:
                    may = low < size or high < size or options[TALON_PAIRS] != 0
                if may:
                    state[PARTNERS + low] |= ONE << high
                    state[PARTNERS + high] |= ONE << low
                    state[LEFT + one] |= 1 << (4 * row + column)


@compiled
def needy(one, side, needed, cards):
    """Return which of the four cards of a side of a class must go, as four bits."""
    found = 0
    for number in range(4):
        if needed >> cards[one, side, number] & 1:
            found |= 1 << number
    return found


@compiled
def provides(matrix, low, high, served, turned):
    """Tell whether a matrix has partners for all the low and all the high cards that must go."""
    # A choice that serves the rows and one that serves the columns make one that serves both (Mendelsohn and Dulmage).
    return served[matrix] >> low & 1 and served[turned[matrix]] >> high & 1


@compiled
def without(matrix, row, column):
    """Return a matrix without a row and a column."""
    return matrix & ~(15 << (4 * row)) & ~(0x1111 << column)


@compiled
def refuse(state, low, high, bit, one):
    """Let two cards never go together."""
    state[PARTNERS + low] &= ~(ONE << high)
    state[PARTNERS + high] &= ~(ONE << low)
    state[LEFT + one] &= ~bit


@compiled
def drop(state, card, class_of, number_of, is_high):
    """Close all pairs of a card."""
    partners = state[PARTNERS + card]
    while partners:
        low = partners & -partners
        partners ^= low
        state[PARTNERS + low_bit(low)] &= ~(ONE << card)
    state[PARTNERS + card] = 0
    number = number_of[card]
    state[LEFT + class_of[card]] &= ~(0x1111 << number if is_high[card] else 15 << (4 * number))


@compiled
def prune(state, changed, needed, cards, served, turned):
    """Refuse the pairs of the changed classes that no choice has; return whether there is a choice at all."""
    for one in range(1, CLASSES + 1):
        if not changed >> one & 1:
            continue
        low, high = needy(one, 0, needed, cards), needy(one, 1, needed, cards)
        matrix = state[LEFT + one]
        if not provides(matrix, low, high, served, turned):
            return False
        bits = matrix
        while bits:
            bit = bits & -bits
            bits ^= bit
            place = low_bit(bit)
            row, column = place >> 2, place & 3
            left = without(matrix, row, column)
            if not provides(left, low & ~(1 << row), high & ~(1 << column), served, turned):
                refuse(state, cards[one, 0, row], cards[one, 1, column], bit, one)
                matrix &= ~bit
    return True


@compiled
def can_go(state, exposed, covered_by, kings, options):
    """Return which tableau cards can go if no card were ever used up and every talon card could be had."""
    tableau = state[TABLEAU]
    had = exposed | state[TALON]
    gone = np.int64(0)
    grown = True
    while grown:
        gone, had, grown = grow(state, tableau, gone, had, had, covered_by, kings, options)
    return gone


@compiled
def grow(state, tableau, gone, had, partners, covered_by, kings, options):
    """Let go each tableau card that can go with one of the partners or with a card gone before; tell what changed.

    Return the cards gone, the cards that could be had at some time, and whether there are more of either.
    """
    grown = False
    cards = tableau & ~gone
    while cards:
        card = cards & -cards
        cards ^= card
        place = low_bit(card)
        covers = covered_by[place] & tableau & ~gone
        if covers == 0:
            if not had & card:
                had |= card
                grown = True
            if card & kings or state[PARTNERS + place] & (partners | had & tableau):
                gone |= card
                grown = True
        elif options[COVER_PAIRS] and covers & (covers - 1) == 0 and state[PARTNERS + place] & covers & had:
            gone |= card
            had |= card
            grown = True
    return gone, had, grown


@compiled
def note(times, cards, now):
    """Write a time for each of some cards."""
    while cards:
        times[low_bit(cards)] = now
        cards &= cards - 1


@compiled
def windows(state, exposed, waste, stock, kings, covered_by, options, first, last, hands):
    """Play the last pass as if no card were ever used up; return the tableau cards gone and the cards had at some time.

    Time counts the stock cards turned from now on. Written for each card: the first time at which it can be had, and the
    last one; for each time the mask of the talon cards at hand. A waste card is at hand when every card above it has
    had a chance to go.
    """
    tableau = state[TABLEAU]
    first[:] = NEVER
    last[:] = NEVER
    note(first, exposed, 0)
    gone, had, passed = np.int64(0), exposed, waste
    now = 0
    while True:
        before, hand = had, stock & -stock if options[STOCK_PLAYABLE] else np.int64(0)
        had |= hand
        grown = True
        while grown:
            cards = passed
            while cards:
                card = ONE << high_bit(cards)
                cards ^= card
                hand |= card
                had |= card
                if not card & kings and state[PARTNERS + low_bit(card)] & had == 0:
                    break
            gone, had, grown = grow(state, tableau, gone, had, hand, covered_by, kings, options)
        hands[now] = hand
        note(first, had & ~before, now)
        note(last, hand, now)
        if not stock:
            return gone, had
        passed |= stock & -stock
        stock &= stock - 1
        now += 1


@compiled
def refuse_late(state, cards, waste, first, last, hands):
    """Refuse the pairs whose cards can never be had at the same time; return the bits of the classes that this changed."""
    changed = 0
    tableau, talon = state[TABLEAU], state[TALON]
    for one in range(1, CLASSES + 1):
        bits = state[LEFT + one]
        while bits:
            bit = bits & -bits
            bits ^= bit
            place = low_bit(bit)
            low, high = cards[one, 0, place >> 2], cards[one, 1, place & 3]
            if talon >> low & 1 and talon >> high & 1:
                # They go together when the later one is the stock's next card and the earlier one the waste's top.
                earlier, later = (low, high) if low < high else (high, low)
                late = waste >> later & 1 or first[later] == NEVER or not hands[first[later]] >> earlier & 1
            elif tableau >> low & 1 and tableau >> high & 1:
                late = False
            else:
                card, other = (low, high) if tableau >> low & 1 else (high, low)
                late = last[other] == NEVER or first[card] > last[other]
            if late:
                refuse(state, low, high, bit, one)
                changed |= 1 << one
    return changed


@compiled
def is_met(state, seen, mark):
    """Tell whether a state was met before in this deal, and remember it; one that finds no room is not remembered."""
    first = state[TABLEAU] | state[TALON] | state[NEXT] << 52 | min(state[LEFT], 31) << 58
    second = state[LEFT + 1] | state[LEFT + 2] << 16 | state[LEFT + 3] << 32 | state[LEFT + 4] << 48
    third = state[LEFT + 5] | state[LEFT + 6] << 16 | mark << 32
    hashed = first * np.int64(-7046029254386353131)
    hashed ^= hashed >> 29 & 0x7FFFFFFFF
    hashed = (hashed ^ second) * np.int64(-4658895280553007687)
    hashed ^= hashed >> 32 & 0xFFFFFFFF
    hashed = (hashed ^ third) * np.int64(-7046029254386353131)
    hashed ^= hashed >> 31 & 0x1FFFFFFFF
    slot = hashed & (seen.shape[0] - 1)
    for _probe in range(PROBES):
        if seen[slot, 2] >> 32 != mark:
            seen[slot, 0], seen[slot, 1], seen[slot, 2] = first, second, third
            return False
        if seen[slot, 0] == first and seen[slot, 1] == second and seen[slot, 2] == third:
            return True
        slot = (slot + 1) & (seen.shape[0] - 1)
    return False


@compiled
def must_go_together(state, low, high, needed, cards, class_of, number_of, served, turned):
    """Tell whether the cards that must go have no choice without this pair."""
    one = class_of[low]
    matrix = state[LEFT + one] & ~(1 << (4 * number_of[low] + number_of[high]))
    return not provides(matrix, needy(one, 0, needed, cards), needy(one, 1, needed, cards), served, turned)


@compiled
def possible_partners(state, card, exposed, top, next_card, covered_by, options):
    """Return the mask of the cards that a card can go with now, as far as the pair is open."""
    place = low_bit(card)
    partners = state[PARTNERS + place]
    tableau = state[TABLEAU]
    if card & tableau:
        if card & exposed:
            return partners & (exposed | top | next_card)
        # A card may go with its only cover.
        covers = covered_by[place] & tableau
        return partners & covers & exposed if covers & (covers - 1) == 0 else np.int64(0)
    return partners & (exposed | top | next_card) if options[TALON_PAIRS] else partners & exposed


@compiled
def choose(
    state, exposed, waste, stock, needed, cards, class_of, number_of, is_high, covered_by, options, served, turned
):
    """Return a possible pair (low card, high card) and whether it must be made; (-1, -1, False) when there is none."""
    top = ONE << high_bit(waste) if waste else np.int64(0)
    next_card = stock & -stock if options[STOCK_PLAYABLE] else np.int64(0)
    low, high = -1, -1
    left = (state[TABLEAU] if options[COVER_PAIRS] else exposed) | top | next_card
    while left:
        card = left & -left
        left ^= card
        place = low_bit(card)
        partners = possible_partners(state, card, exposed, top, next_card, covered_by, options)
        while partners:
            partner = partners & -partners
            partners ^= partner
            other = low_bit(partner)
            a, b = (other, place) if is_high[place] else (place, other)
            if must_go_together(state, a, b, needed, cards, class_of, number_of, served, turned):
                return a, b, True
            if low < 0:
                low, high = a, b
    return low, high, False


@compiled
def judge(  # noqa: C901, PLR0915 - one loop whose few values live in registers
    order, covered_by, before, options, served, turned, work, stack, seen, mark, budget
):
    """Return the verdict of a deal by its ranks in dealing order: 0 unwinnable, 1 winnable, 2 beyond the budget."""
    cards, class_of, number_of, is_high = work[0:56].reshape(7, 2, 4), work[56:108], work[108:160], work[160:212]
    state = work[212 : 212 + STATE]
    first, last, hands = work[276:328], work[328:380], work[380:436]
    kings = sort_cards(order, cards, class_of, number_of, is_high)
    state[:] = 0
    size, goal = options[TABLEAU_SIZE], options[GOAL]
    state[TABLEAU] = (ONE << size) - 1
    state[TALON] = ((ONE << order.shape[0]) - 1) & ~state[TABLEAU]
    state[NEXT] = min(size + options[DRAWS_AT_START], order.shape[0])
    state[LEFT] = options[RECYCLES]
    open_all(state, cards, covered_by, before, options)
    waiting = 0
    changed = ALL_CHANGED
    for _node in range(budget):
        fits = True
        tableau, talon = state[TABLEAU], state[TALON]
        needed = (tableau | talon) & goal
        if needed == 0:
            return YES
        exposed = exposed_of(tableau, covered_by)
        stock = talon >> state[NEXT] << state[NEXT]
        waste = talon ^ stock
        at_hand = exposed | (ONE << high_bit(waste) if waste else np.int64(0))
        if options[STOCK_PLAYABLE]:
            at_hand |= stock & -stock
        alone = at_hand & kings
        if alone:
            state[TABLEAU] &= ~alone
            state[TALON] &= ~alone
            continue
        if changed:
            fits = prune(state, changed, needed, cards, served, turned)
            if fits and state[LEFT] == 0:
                gone, had = windows(
                    state, exposed, waste, stock, kings, covered_by, options, first, last, hands
                )  # fmt: skip
                fits = tableau & ~gone & goal == 0 and waste & ~had & goal == 0
                if fits:
                    changed = refuse_late(state, cards, waste, first, last, hands)
                    if changed:
                        continue
            elif fits:
                fits = tableau & ~can_go(state, exposed, covered_by, kings, options) & goal == 0
        if fits:
            fits = not is_met(state, seen, mark)
        if fits:
            low, high, must = choose(
                state, exposed, waste, stock, needed, cards, class_of, number_of, is_high, covered_by, options, served,
                turned,
            )  # fmt: skip
            if low >= 0:
                one = class_of[low]
                if not must:
                    other = stack[waiting]
                    other[:] = state
                    refuse(other, low, high, ONE << (4 * number_of[low] + number_of[high]), one)
                    other[CHANGED] = 1 << one
                    waiting += 1
                drop(state, low, class_of, number_of, is_high)
                drop(state, high, class_of, number_of, is_high)
                both = ONE << low | ONE << high
                state[TABLEAU] &= ~both
                state[TALON] &= ~both
                changed = 1 << one
                continue
            if stock:
                state[NEXT] = low_bit(stock) + 1
                changed = DRAWN
                continue
            if waste and state[LEFT] > 0:
                state[LEFT] -= 1
                state[NEXT] = size
                changed = DRAWN
                continue
        if waiting == 0:
            return NO
        waiting -= 1
        state[:] = stack[waiting]
        changed = state[CHANGED]
    return OPEN


@compiled
def many(seeds, base, covered_by, before, options, served, turned, work, stack, seen, budget, answers):
    """Write the verdict of the deal of each seed, as `judge` gives it."""
    order = np.zeros(base.shape[0], np.int64)
    seen[:] = 0
    for number in range(seeds.shape[0]):
        shuffled(base, seeds[number], order)
        answers[number] = judge(
            order, covered_by, before, options, served, turned, work, stack, seen, number + 1, budget
        )
