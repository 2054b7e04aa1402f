"""The compiled search: one best-first search for all rule sets over packed states. Knows arrays, not cards.

Imported only when it is first needed, because it imports numba. It is one file, because the compiler's cache looks at
the date of one file only: a change elsewhere would leave old code in use.

The search keeps every state that it has met (`store`), a table to find it again, and a list of open states for each
priority. It goes on where it stopped, so a caller can stop it at any time, and give it more room. For a shortest win
it is A* with the bound of `least_moves`; for a verdict it takes the state with the fewest cards left to go, for the
most removed cards the one with the fewest cards left.

What cuts it short, and why that loses nothing:

- A card that goes alone goes at once where nothing can be lost by it (`forced`): it frees cards and uses none.
- A removal within the tableau is not made right after a draw or recycle, which does not change what it needs: the
  line that makes it before leads to the same state in as many moves.
- A state is dropped when the matching (see the module of that name) proves the goal out of reach, or when even with
  cards that are never used up the tableau cannot go in time (`relaxed_time`).
"""

# mypy: ignore-errors
# (The decorators of the compiler leave no types behind; the compiler checks them itself.)

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from pyramide_core.solver.encoding import (
    ALONE,
    BEFORE,
    BUCKET,
    BUCKETS,
    CARD_BITS,
    CARDS,
    COVER_PAIRS,
    COVERED_BY,
    COVERS,
    DRAW_COUNT,
    DRAWN_PAIRS,
    ENTRIES,
    EVERYTHING,
    EXHAUSTED,
    EXPANDED,
    FEWEST_LEFT,
    FIND_MOST,
    FIND_SHORTEST,
    FIND_WIN,
    FOLLOWERS_PAIR,
    FOUND,
    FULL,
    GOAL,
    MEETS,
    MOVES_AT_MOST,
    OF_RANK,
    ORDER_FREE,
    PARTNERS,
    PILE_WORDS,
    PILES,
    PLACE_BITS,
    PURPOSE,
    RANK,
    RUNNING,
    SPARE_ENTRY,
    STATES,
    STOCK_PLAYABLE,
    STOP_AT,
    SUCCESS,
    TABLEAU,
    TALON,
    TALON_PAIRS,
    TIMED,
    TOTAL,
    UNLIMITED,
    UNREACHABLE,
    WORDS,
)

CARD_MASK = (1 << CARD_BITS) - 1
PLACE_MASK = (1 << PLACE_BITS) - 1
LEFT_SHIFT = CARD_BITS + PLACE_BITS
WORD = PILE_WORDS + 1
ONE = np.int64(1)
NONE = np.int64(0)
PASS = 64
"""A time is PASS for each turn of the stock that lies between, plus a place in the talon."""
TURNS = np.int64(200)
"""More turns than anything new can come in, where recycles have no limit."""
MATCHING_LIMIT = 200
LEVEL = 128
"""Numbers for each level of the matching: what goes before each place; LOW, HIGH, WANTED by class; then the choice."""
LOW, HIGH, WANTED = 64, 72, 80
CARD, CHOICES, CLASS, MAY_SKIP = 96, 97, 98, 99
LEVELS = 64
KEYS, MOVES, BOUNDS, PRIORITIES, CLOSED, PARENTS, SLOTS = range(7)
"""The arrays of a store, by state but for the last, which finds a state again."""
HEADS, ENTRY_STATE, ENTRY_NEXT = range(3)
"""The arrays of the open states: for each priority the first entry, and by entry its state and the next entry."""


def compiled(function):
    """Compile a function at its first call, outside the interpreter's lock, and keep the result on disk if possible."""
    try:
        return njit(nogil=True, cache=True)(function)
    except RuntimeError:  # there is no place where it could be kept
        return njit(nogil=True)(function)


# Masks ----------------------------------------------------------------------------------------------------------------


@intrinsic
def low_bit(context, mask):
    """The lowest place in a mask that is not 0."""

    def generate(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic
def high_bit(context, mask):
    """The highest place in a mask that is not 0."""

    def generate(context, builder, signature, args):
        zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.int64), generate


@intrinsic
def count(context, mask):
    """The number of places in a mask."""

    def generate(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@compiled
def exposed_of(tableau, covered_by):
    """The cards that no card covers."""
    mask = NONE
    m = tableau
    while m:
        low = m & -m
        m ^= low
        if covered_by[low_bit(low)] & tableau == 0:
            mask |= low
    return mask


# The matching (see the module of that name) ---------------------------------------------------------------------------


@compiled
def most_pairs(low_cards, high_cards, meets):
    """The largest number of pairs between the cards of two ranks, at most four each, by Hall's condition."""
    size = count(low_cards)
    n1 = n2 = n3 = n4 = NONE
    i = 0
    complete = True
    m = low_cards
    while m:
        others = meets[low_bit(m)] & high_cards
        m &= m - 1
        if others != high_cards:
            complete = False
        if i == 0:
            n1 = others
        elif i == 1:
            n2 = others
        elif i == 2:
            n3 = others
        else:
            n4 = others
        i += 1
    if complete:
        return min(size, count(high_cards))
    worst = NONE
    for subset in range(1, 1 << size):
        reached = NONE
        if subset & 1:
            reached |= n1
        if subset & 2:
            reached |= n2
        if subset & 4:
            reached |= n3
        if subset & 8:
            reached |= n4
        worst = max(worst, count(np.int64(subset)) - count(reached))
    return size - worst


@compiled
def partners_left(card, others, tableau, table, options, levels, at):
    """The cards of a mask that a card can still meet: neither must go before the other."""
    bit = ONE << card
    found = NONE
    m = others & ~levels[at + card]
    while m:
        low = m & -m
        m ^= low
        if levels[at + low_bit(low)] & bit == 0:
            found |= low
    if options[COVER_PAIRS]:
        m = others & (table[COVERED_BY, card] | table[COVERS, card]) & ~found
        while m:
            low = m & -m
            m ^= low
            if table[COVERED_BY, card] & low:
                under = np.int64(card)
                upper = low
            else:
                under = low_bit(low)
                upper = bit
            if levels[at + low_bit(upper)] & (ONE << under):
                continue
            free = True
            between = table[COVERED_BY, under] & tableau & ~upper
            while between:
                if levels[at + low_bit(between)] & upper:
                    free = False
                between &= between - 1
            if free:
                found |= low
    return found


@compiled
def needs(tableau, talon, table, options, levels):
    """Write down what must be paired in each class: how many pairs in all, or -1 when that cannot be."""
    total = options[TOTAL]
    ranks = table[OF_RANK]
    apart = options[EVERYTHING] != 0 and options[TALON_PAIRS] == 0 and options[DRAWN_PAIRS] == 0
    pairs = NONE
    for r in range(1, (total + 1) >> 1):
        a = count(tableau & ranks[r])
        b = count(tableau & ranks[total - r])
        ta = count(talon & ranks[r])
        tb = count(talon & ranks[total - r])
        wanted = max(a - tb, b - ta, 0)
        if wanted > min(a, b):
            return np.int64(-1)
        if options[EVERYTHING] and (a + ta != b + tb or (apart and (tb > a or ta > b))):
            return np.int64(-1)
        levels[LOW + r] = tableau & ranks[r]
        levels[HIGH + r] = tableau & ranks[total - r]
        levels[WANTED + r] = wanted
        pairs += wanted
    return pairs


@compiled
def note_choice(card, choices, r, may_skip, levels, at):
    """Write down what a level tries."""
    levels[at + CARD] = card
    levels[at + CHOICES] = choices
    levels[at + CLASS] = r
    levels[at + MAY_SKIP] = may_skip


@compiled
def choose_in_class(r, best, tableau, table, options, levels, at):
    """Write down a card of a class with fewer choices than the best; the fewest now, 0 when the class cannot pair."""
    wanted = levels[at + WANTED + r]
    hit = NONE
    with_choice = 0
    fewest = 1000
    card = choices = NONE
    m = levels[at + LOW + r]
    while m:
        x = low_bit(m)
        m &= m - 1
        found = partners_left(x, levels[at + HIGH + r], tableau, table, options, levels, at)
        if found == 0:
            levels[at + LOW + r] &= ~(ONE << x)
            continue
        with_choice += 1
        hit |= found
        if count(found) < fewest:
            fewest = count(found)
            card = x
            choices = found
    levels[at + HIGH + r] = hit
    if with_choice < wanted or count(hit) < wanted:
        return 0
    may_skip = 1 if with_choice > wanted else 0
    if fewest + may_skip < best:
        best = fewest + may_skip
        note_choice(card, choices, r, may_skip, levels, at)
    # Where every card of the higher rank must pair, these have choices too.
    while may_skip and hit and count(levels[at + HIGH + r]) == wanted:
        x = low_bit(hit)
        hit &= hit - 1
        found = partners_left(x, levels[at + LOW + r], tableau, table, options, levels, at)
        if count(found) < best:
            best = count(found)
            note_choice(x, found, r, 0, levels, at)
    return best


@compiled
def choose(tableau, table, options, levels, at):
    """Write down the card with the fewest choices: 1, or 0 when a class cannot pair, or 2 when all have paired."""
    best = 1000
    wanted = NONE
    for r in range(1, (options[TOTAL] + 1) >> 1):
        if levels[at + WANTED + r]:
            wanted += levels[at + WANTED + r]
            best = choose_in_class(r, best, tableau, table, options, levels, at)
            if best == 0:
                return 0
    return 1 if wanted else 2


@compiled
def join(tableau, both, first, second, r, levels, at):
    """Write the level above one on which two cards of a class must go together."""
    above = at + LEVEL
    earlier = (levels[at + first] | levels[at + second]) & ~both
    m = tableau
    while m:
        p = low_bit(m)
        m &= m - 1
        mask = levels[at + p]
        if mask & both:
            mask |= earlier | both
        levels[above + p] = mask
    levels[above + first] = earlier
    levels[above + second] = earlier
    for i in range(LOW, CARD):
        levels[above + i] = levels[at + i]
    levels[above + LOW + r] &= ~both
    levels[above + HIGH + r] &= ~both
    levels[above + WANTED + r] -= 1


@compiled
def matching(tableau, talon, table, options, levels, limit):
    """Whether the tableau can go when each of these talon cards is at hand: 1, 0, or -1 when not known by the limit."""
    pairs = needs(tableau, talon, table, options, levels)
    if pairs <= 0:
        return 1 if pairs == 0 else 0
    m = tableau
    while m:
        p = low_bit(m)
        m &= m - 1
        levels[p] = table[BEFORE, p] & tableau
    level = 0
    fresh = True
    tried = 0
    while True:
        at = level * LEVEL
        if fresh:
            state = choose(tableau, table, options, levels, at)
            if state == 2:
                return 1
            if state == 0:
                levels[at + CHOICES] = 0
                levels[at + MAY_SKIP] = 0
        choices = levels[at + CHOICES]
        if choices:
            tried += 1
            if tried > limit:
                return -1
            low = choices & -choices
            levels[at + CHOICES] = choices ^ low
            card = levels[at + CARD]
            join(tableau, low | ONE << card, card, low_bit(low), levels[at + CLASS], levels, at)
            level += 1
            fresh = True
        elif levels[at + MAY_SKIP]:
            # The card stays for the talon: the same level without it.
            levels[at + LOW + levels[at + CLASS]] &= ~(ONE << levels[at + CARD])
            fresh = True
        else:
            level -= 1
            fresh = False
            if level < 0:
                return 0


# The bound: how early ---------------------------------------------------------------------------------------------------


@compiled
def talon_at_hand(passed, free, seen, table, scratch):
    """The waste cards that can be available when those above them go: down to the first that must stay, and that one.

    A card goes when it is `free` or finds a card of its own among the `seen` tableau cards.
    """
    used = scratch[1]
    used[:14] = 0
    live = NONE
    wall = NONE
    m = passed
    while m and wall == 0:
        p = high_bit(m)
        bit = ONE << p
        m ^= bit
        live |= bit
        if free & bit == 0:
            used[table[RANK, p]] += 1
            if used[table[RANK, p]] > count(table[PARTNERS, p] & seen):
                wall = bit
    return live, wall


@compiled
def below_wall(passed, wall, free, seen, table, scratch):
    """The waste cards that can have come to lie right below the wall: the next ones, while those between can go."""
    used = scratch[1]
    found = NONE
    m = passed & (wall - 1)
    while m:
        p = high_bit(m)
        bit = ONE << p
        m ^= bit
        found |= bit
        if free & bit == 0:
            used[table[RANK, p]] += 1
            if used[table[RANK, p]] > count(table[PARTNERS, p] & seen):
                break
    return found


@compiled
def covered_pairs(tableau, seen, settled, table):
    """Covered cards that pair with the last card upon them, when that one is exposed; and those upper cards."""
    under = NONE
    upper = NONE
    m = tableau & ~seen
    while m:
        low = m & -m
        m ^= low
        p = low_bit(low)
        last = table[COVERED_BY, p] & tableau & ~settled
        if last and last & (last - 1) == 0 and last & seen and table[PARTNERS, p] & last:
            under |= low
            upper |= last
    return under, upper


@compiled
def relaxed_time(  # noqa: C901, PLR0915 - one loop whose many masks live in registers
    tableau, waste, stock, last_turn, table, options, scratch
):
    """The time at which the goal's tableau cards can be gone if no removal used a card up; -1 when never.

    The place of a time is the stock's top card where it is playable, else the card drawn last. scratch[0] gets the
    time at which each tableau card can be exposed, scratch[4, 0] the stock cards that can pair with a waste card
    while they are the stock's top.
    """
    covered_by = table[COVERED_BY]
    covers = table[COVERS]
    meets = table[MEETS]
    partners = table[PARTNERS]
    playable = options[STOCK_PLAYABLE]
    exposed_at = scratch[0]
    talon = waste | stock
    want = tableau & options[GOAL]
    seen = settled = waiting = tops = usable = NONE
    free = options[ALONE]
    turn = NONE
    time = low_bit(stock) if stock else options[CARDS]
    if not playable:
        time -= 1
    passed = waste
    idle = 0
    end = np.int64(-1)
    coming = NONE
    new = exposed_of(tableau, covered_by)
    while True:
        ready = NONE
        while True:
            while new or ready:
                if new:
                    low = new & -new
                    new ^= low
                    p = low_bit(low)
                    exposed_at[p] = time
                    idle = 0
                    seen |= low
                    met = meets[p] & seen
                    if options[ALONE] & low:
                        ready |= low
                    elif met:
                        ready |= low | (met & ~settled)
                        waiting &= ~ready
                    else:
                        waiting |= low
                else:
                    low = ready & -ready
                    ready ^= low
                    settled |= low
                    m = covers[low_bit(low)] & tableau & ~seen
                    while m:
                        under = m & -m
                        m ^= under
                        if covered_by[low_bit(under)] & tableau & ~settled == 0:
                            new |= under
                if options[COVER_PAIRS]:
                    under, upper = covered_pairs(tableau & ~new, seen, settled, table)
                    seen |= under
                    ready |= under | upper
                    m = under
                    while m:
                        p = low_bit(m)
                        m &= m - 1
                        exposed_at[p] = time
                        idle = 0
                        ready |= meets[p] & seen & ~settled
                    waiting &= ~ready
            live, wall = talon_at_hand(passed, free, seen, table, scratch)
            if options[DRAWN_PAIRS] and wall:
                both = partners[low_bit(wall)] & (live | below_wall(passed, wall, free, seen, table, scratch))
                if both:
                    free |= wall | both
                    idle = 0
                    continue
            if playable:
                top = stock & -stock
                if options[TALON_PAIRS] and top:
                    both = live & partners[low_bit(top)]
                    if both and turn == 0:
                        tops |= top
                    if both and (both | top) & ~free:
                        free |= both | top
                        idle = 0
                        continue
                live |= top
            if turn == 0:
                m = live & ~usable
                while m:
                    low = m & -m
                    m ^= low
                    if partners[low_bit(low)] & seen or free & low:
                        usable |= low
            m = waiting
            while m:
                low = m & -m
                m ^= low
                if partners[low_bit(low)] & live:
                    ready |= low
            if ready == 0:
                break
            waiting &= ~ready
        if settled & want == want:
            if end < 0:
                end = time
                scratch[4, 0] = tops | stock if turn == 0 else tops
                coming = stock if turn == 0 else NONE
            # Cards of the stock that come later can still free waste cards, which are usable in this turn then.
            if turn > 0 or stock == 0 or options[TALON_PAIRS] | options[DRAWN_PAIRS] == 0:
                scratch[4, 1] = usable | coming
                return end
        if stock:
            low = stock & -stock
            stock ^= low
            passed |= low
            time = low_bit(low)
            if playable:
                time = low_bit(stock) if stock else options[CARDS]
            time += turn * PASS
        else:
            turn += 1
            idle += 1
            # A whole turn that brought nothing new: no later one does.
            if turn > last_turn or idle > 2 or talon == 0:
                return np.int64(-1)
            stock = talon
            passed = NONE
            time = turn * PASS + low_bit(talon) - (0 if playable else 1)


# The bound: how many moves ----------------------------------------------------------------------------------------------


@compiled
def reachable_waste(tableau, waste, stock, table, options, scratch):
    """The waste cards that can be laid bare without a recycle, as far as partners for those above them are there."""
    used = scratch[1]
    used[:14] = 0
    partners = table[PARTNERS]
    found = NONE
    m = waste
    while m:
        p = high_bit(m)
        bit = ONE << p
        if options[ALONE] & bit == 0:
            r = table[RANK, p]
            others = count(partners[p] & tableau)
            if options[TALON_PAIRS]:
                others += count(partners[p] & stock)
            if options[DRAWN_PAIRS]:
                # Among equal ranks the card itself is one of the partners that are counted.
                others += count(partners[p] & (waste | stock)) + (1 if options[TOTAL] == 0 else 0)
            used[r] += 1
            if used[r] > others:
                break
        found |= bit
        m ^= bit
    return found


@compiled
def time_of_needed(cards, number, stock, blocked):
    """The earliest time at which so many of the cards can have come, of a stock and of waste that needs a recycle."""
    m = stock & cards
    while m and number > 1:
        m &= m - 1
        number -= 1
    if m:
        return low_bit(m)
    m = blocked & cards
    while m and number > 1:
        m &= m - 1
        number -= 1
    return PASS + low_bit(m) if m else np.int64(UNREACHABLE)


@compiled
def note_pairs(tableau, table, options, scratch):
    """Write down for each class how many pairs can be made within the tableau: scratch[4, 8 + r]."""
    ranks = table[OF_RANK]
    for r in range(1, (options[TOTAL] + 1) >> 1):
        scratch[4, 8 + r] = most_pairs(tableau & ranks[r], tableau & ranks[options[TOTAL] - r], table[MEETS])


@compiled
def removals_left(tableau, waste, stock, blocked, table, options, scratch):
    """The fewest removals, and the earliest time by which the talon cards needed at least can have come."""
    total = options[TOTAL]
    ranks = table[OF_RANK]
    left = (tableau | waste | stock) & options[GOAL]
    if total == 0:
        return (count(left) + 1) >> 1, NONE
    removals = count(left & options[ALONE])
    time = NONE
    open_waste = waste & ~blocked
    for r in range(1, (total + 1) >> 1):
        low_cards = tableau & ranks[r]
        high_cards = tableau & ranks[total - r]
        if tableau & ~options[GOAL]:
            removals += max(count(low_cards & left), count(high_cards & left))
        elif options[EVERYTHING]:
            removals += count((tableau | waste | stock) & ranks[r])
        elif low_cards | high_cards:
            pairs = scratch[4, 8 + r]
            removals += count(low_cards) + count(high_cards) - pairs
            if options[TIMED]:
                number = count(low_cards) - pairs - count(open_waste & ranks[total - r])
                if number > 0:
                    time = max(time, time_of_needed(ranks[total - r], number, stock, blocked))
                number = count(high_cards) - pairs - count(open_waste & ranks[r])
                if number > 0:
                    time = max(time, time_of_needed(ranks[r], number, stock, blocked))
    return removals, time


@compiled
def in_time(cards, partners, exposed_at, offset):
    """How many of the talon cards can meet a tableau card of their own by their place in a turn."""
    used = 0
    while cards:
        place = low_bit(cards) + offset
        cards &= cards - 1
        there = 0
        m = partners
        while m:
            if exposed_at[low_bit(m)] <= place:
                there += 1
            m &= m - 1
        if used < there:
            used += 1
    return used


@compiled
def exposed_before(cards, exposed_at, time):
    """How many of the tableau cards can be exposed before a time."""
    number = 0
    while cards:
        if exposed_at[low_bit(cards)] < time:
            number += 1
        cards &= cards - 1
    return number


@compiled
def draws_saved(tableau, talon, stock, blocked, turn, place_mask, r, table, options, scratch):
    """Write down how many draws n cards of a class's ranks can save when each meets a tableau card: scratch[2], [3].

    A card saves the draw of each turn in which it is gone, or where the stock is playable taken from its top, before
    it must be drawn. Only cards before the last place of the last turn count there.
    """
    low_rank = table[OF_RANK, r]
    high_rank = table[OF_RANK, options[TOTAL] - r]
    low_cards = tableau & low_rank
    high_cards = tableau & high_rank
    exposed_at = scratch[0]
    playable = options[STOCK_PLAYABLE]
    scratch[2, :5] = 0
    scratch[3, :5] = 0
    if low_cards | high_cards == 0:
        return
    for number in range(0 if playable else 1, turn + 1):
        cards = talon
        if number == 0:
            cards = stock
        if number == turn:
            cards &= place_mask
        if playable:
            low_saved = in_time(cards & low_rank, high_cards, exposed_at, number * PASS)
            high_saved = in_time(cards & high_rank, low_cards, exposed_at, number * PASS)
        else:
            if number == 1:
                cards &= ~blocked
            low_saved = min(count(cards & low_rank), exposed_before(high_cards, exposed_at, number * PASS))
            high_saved = min(count(cards & high_rank), exposed_before(low_cards, exposed_at, number * PASS))
        for n in range(1, 5):
            scratch[2, n] += min(n, low_saved)
            scratch[3, n] += min(n, high_saved)


@compiled
def class_cost(tableau, talon, stock, turn, r, table, options, scratch):
    """The fewest removals in a class less the draws that they can save, over how many pairs are made where."""
    ranks = table[OF_RANK]
    total = options[TOTAL]
    a = count(tableau & ranks[r])
    b = count(tableau & ranks[total - r])
    ta = count(talon & ranks[r])
    tb = count(talon & ranks[total - r])
    mates = options[TALON_PAIRS] != 0 or options[DRAWN_PAIRS] != 0
    tops = count(scratch[4, 0] & stock & (ranks[r] | ranks[total - r]))
    best = np.int64(UNREACHABLE)
    for pairs in range(max(a - tb, b - ta, 0), scratch[4, 8 + r] + 1):
        from_low = b - pairs
        from_high = a - pairs
        least = 0
        most = min(tb - from_high, ta - from_low) if mates and turn > 0 else 0
        if options[EVERYTHING]:
            least = most = tb - from_high
            if least < 0 or ta - from_low != least:
                continue
        cost = a + b - pairs - scratch[2, from_low] - scratch[3, from_high]
        # Pairs within the talon: a removal each, of two cards that need not be drawn in later turns. With a stock top
        # of this turn they save its draw too; made in a later turn, one of the two was drawn in that turn.
        for inner in range(least, most + 1):
            c = cost + inner - 2 * turn * inner
            if options[STOCK_PLAYABLE]:
                c -= min(inner, tops)
                if turn:
                    c += max(inner - tops, 0)
            best = min(best, c)
    return best


@compiled
def saved_by_alone(talon, stock, blocked, turn, place_mask, options):
    """What talon cards that go alone save: their draws, less their removals where they need not go."""
    saved = 0
    m = talon & options[ALONE]
    while m:
        bit = m & -m
        m ^= bit
        draws = turn - 1 if turn > 0 else 0
        if turn > 0 and bit & place_mask:
            draws += 1
        if options[STOCK_PLAYABLE]:
            if bit & stock and (turn > 0 or bit & place_mask):
                draws += 1
        elif bit & blocked:
            draws -= 1
        if options[EVERYTHING]:
            saved += max(draws, 0)
        else:
            saved += max(draws - 1, 0)
    return saved


@compiled
def some_has_no_partner(cards, tableau, talon, table):
    """Whether one of the cards finds no partner any more, as far as ranks and layout say."""
    while cards:
        p = low_bit(cards)
        cards &= cards - 1
        if (table[MEETS, p] & tableau) | (table[PARTNERS, p] & talon) == 0:
            return True
    return False


@compiled
def least_moves(tableau, waste, stock, left, check, table, options, scratch, levels):
    """A lower bound on the moves to the goal; UNREACHABLE when it is out of reach.

    `left` recycles are left; `check` says whether the remaining cards are new, so that the matching must be asked.
    Removals are counted as if every class of ranks paired as often within the tableau as it can; draws and recycles
    up to the earliest time at which the goal can be reached, less what removed talon cards can save of them. A later
    end costs no less: each card more to pass is a draw more, and can save but that one.
    """
    talon = waste | stock
    goal_left = (tableau | talon) & options[GOAL]
    if goal_left == 0:
        return NONE
    if options[TOTAL] == 0 and some_has_no_partner(goal_left, tableau, talon, table):
        return np.int64(UNREACHABLE)
    by_matching = options[TOTAL] != 0 and tableau & ~options[GOAL] == 0
    if by_matching and check and matching(tableau, talon, table, options, levels, MATCHING_LIMIT) == 0:
        return np.int64(UNREACHABLE)
    note_pairs(tableau, table, options, scratch)
    if not options[TIMED]:
        removals, time = removals_left(tableau, waste, stock, NONE, table, options, scratch)
        return removals
    blocked = waste & ~reachable_waste(tableau, waste, stock, table, options, scratch)
    last_turn = TURNS if options[UNLIMITED] else left
    time = relaxed_time(tableau, waste, stock, last_turn, table, options, scratch)
    if time < 0:
        return np.int64(UNREACHABLE)
    if options[EVERYTHING]:
        if blocked:
            time = max(time, PASS + high_bit(blocked))
        elif stock:
            time = max(time, high_bit(stock))
    usable = scratch[4, 1] & ~blocked
    ask_again = by_matching and usable != talon and time < PASS
    if ask_again and matching_partly(tableau, usable, table, options, levels) == 0:
        time = PASS + low_bit(talon)
    removals, needed = removals_left(tableau, waste, stock, blocked, table, options, scratch)
    time = max(time, needed)
    if time // PASS > last_turn:
        return np.int64(UNREACHABLE)
    return removals_and_draws(tableau, talon, stock, blocked, removals, time, table, options, scratch)


@compiled
def matching_partly(tableau, talon, table, options, levels):
    """Whether the tableau can go with these talon cards alone; not all of them need go."""
    everything = options[EVERYTHING]
    options[EVERYTHING] = 0
    found = matching(tableau, talon, table, options, levels, MATCHING_LIMIT)
    options[EVERYTHING] = everything
    return found


@compiled
def removals_and_draws(tableau, talon, stock, blocked, removals, time, table, options, scratch):
    """The bound once the earliest time of the end is known."""
    turn = time // PASS
    earlier = (ONE << (time % PASS)) - 1
    passed = earlier if options[STOCK_PLAYABLE] else earlier * 2 + 1
    if turn == 0:
        draws = count(stock & passed)
        saving_stock = stock & earlier
    else:
        draws = count(stock) + (turn - 1) * count(talon) + count(talon & passed)
        saving_stock = stock
    if options[TOTAL] == 0 or tableau & ~options[GOAL]:
        return removals + turn + (0 if options[STOCK_PLAYABLE] else draws if turn == 0 else count(stock))
    if draws == 0 or (turn == 0 and not options[STOCK_PLAYABLE]):
        return removals + turn + draws
    goal_alone = count((tableau | talon) & options[GOAL] & options[ALONE])
    cost = turn + draws + goal_alone - saved_by_alone(talon, stock, blocked, turn, earlier, options)
    for r in range(1, (options[TOTAL] + 1) >> 1):
        if (tableau | talon) & (table[OF_RANK, r] | table[OF_RANK, options[TOTAL] - r]):
            draws_saved(tableau, talon, saving_stock, blocked, turn, earlier, r, table, options, scratch)
            cost += class_cost(tableau, talon, saving_stock, turn, r, table, options, scratch)
    return max(min(cost, np.int64(UNREACHABLE)), removals + turn)


# The store of states ----------------------------------------------------------------------------------------------------


@compiled
def slot_of(keys, at, words, size):
    """Where in the table the search for a state begins."""
    h = NONE
    for i in range(words):
        h ^= keys[at + i]
        h *= np.int64(-7046029254386353131)
        h ^= (h >> 29) & np.int64(0x7FFFFFFFF)
    h *= np.int64(-4658895280553007687)
    h ^= (h >> 32) & np.int64(0xFFFFFFFF)
    return h & (size - 1)


@compiled
def enter(keys, words, number, slots):
    """Enter the first states of a store into an empty table of slots."""
    size = slots.shape[0]
    for state in range(number):
        slot = slot_of(keys, state * words, words, size)
        while slots[slot] >= 0:
            slot = (slot + 1) & (size - 1)
        slots[slot] = state


@compiled
def open_state(state, priority, queue, counters):
    """Put a state on the list of its priority."""
    heads = queue[HEADS]
    entry_state = queue[ENTRY_STATE]
    entry_next = queue[ENTRY_NEXT]
    entry = counters[SPARE_ENTRY]
    if entry >= 0:
        counters[SPARE_ENTRY] = entry_next[entry]
    else:
        entry = counters[ENTRIES]
        counters[ENTRIES] += 1
    entry_state[entry] = state
    entry_next[entry] = heads[priority]
    heads[priority] = entry
    counters[BUCKET] = min(counters[BUCKET], priority)


@compiled
def next_state(store, queue, counters):
    """Take the open state of the lowest priority; -1 when there is none."""
    priorities = store[PRIORITIES]
    closed = store[CLOSED]
    heads = queue[HEADS]
    entry_state = queue[ENTRY_STATE]
    entry_next = queue[ENTRY_NEXT]
    priority = counters[BUCKET]
    while priority < BUCKETS:
        entry = heads[priority]
        if entry < 0:
            priority += 1
            continue
        heads[priority] = entry_next[entry]
        state = entry_state[entry]
        entry_next[entry] = counters[SPARE_ENTRY]
        counters[SPARE_ENTRY] = entry
        if not closed[state] and priorities[state] == priority:
            counters[BUCKET] = priority
            return np.int64(state)
    counters[BUCKET] = BUCKETS
    return np.int64(-1)


@compiled
def find_slot(key, state, words, keys, slots):
    """Write the words of a state where a new one would stand, and return the slot of an equal one or a free slot."""
    for i in range(words):
        keys[state * words + i] = key[i]
    slot = slot_of(keys, state * words, words, slots.shape[0])
    while slots[slot] >= 0:
        same = True
        for i in range(words):
            same = same and keys[slots[slot] * words + i] == key[i]
        if same:
            break
        slot = (slot + 1) & (slots.shape[0] - 1)
    return slot


@compiled
def bound_of(key, check, table, options, scratch, levels):
    """The bound of a state."""
    remaining = key[0] & CARD_MASK
    talon = remaining & options[TALON]
    place = (key[0] >> CARD_BITS) & PLACE_MASK
    stock = talon >> place << place
    tableau = remaining & options[TABLEAU]
    left = key[0] >> LEFT_SHIFT
    return least_moves(tableau, talon ^ stock, stock, left, check, table, options, scratch, levels)


@compiled
def come_faster(state, made, parent, floor, store, queue, counters):
    """Open a known state again when fewer moves lead to it than was known."""
    if made < store[MOVES][state] and store[BOUNDS][state] < UNREACHABLE:
        store[MOVES][state] = made
        store[PARENTS][state] = parent
        store[PRIORITIES][state] = max(made + store[BOUNDS][state], floor)
        store[CLOSED][state] = 0
        open_state(state, np.int64(store[PRIORITIES][state]), queue, counters)


@compiled
def add(key, parent, table, options, scratch, levels, store, queue, counters):
    """Enter a state that a move leads to: a new one, or a known one reached by fewer moves."""
    keys = store[KEYS]
    words = options[WORDS]
    purpose = options[PURPOSE]
    made = floor = NONE
    if parent >= 0:
        made = np.int64(store[MOVES][parent]) + 1
        floor = np.int64(store[PRIORITIES][parent])
    state = counters[STATES]
    slot = find_slot(key, state, words, keys, store[SLOTS])
    if store[SLOTS][slot] >= 0:
        if purpose == FIND_SHORTEST:
            come_faster(np.int64(store[SLOTS][slot]), made, parent, floor, store, queue, counters)
        return
    store[SLOTS][slot] = state
    counters[STATES] = state + 1
    remaining = key[0] & CARD_MASK
    bound = NONE
    if purpose != FIND_MOST:
        check = parent < 0 or keys[parent * words] & CARD_MASK != remaining
        bound = bound_of(key, check, table, options, scratch, levels)
    if purpose == FIND_SHORTEST:
        priority = max(made + bound, floor)
    elif purpose == FIND_WIN:
        priority = count(remaining & options[GOAL])
        if priority == 0:
            counters[FOUND] = state
    else:
        priority = count(remaining)
        if priority < counters[FEWEST_LEFT]:
            counters[FEWEST_LEFT] = priority
            counters[FOUND] = state
    store[MOVES][state] = made
    store[PARENTS][state] = parent
    store[BOUNDS][state] = bound
    store[CLOSED][state] = bound >= UNREACHABLE
    store[PRIORITIES][state] = min(priority, np.int64(UNREACHABLE))
    if bound < UNREACHABLE:
        open_state(state, priority, queue, counters)


@compiled
def remove(own, gone, stock, key, options):
    """Write the state after a removal."""
    for i in range(1, options[WORDS]):
        key[i] = own[i] & ~gone
    remaining = own[0] & CARD_MASK & ~gone
    if options[ORDER_FREE]:
        key[0] = remaining | own[0] >> CARD_BITS << CARD_BITS
    else:
        stock &= ~gone
        place = low_bit(stock) if stock else options[CARDS]
        key[0] = remaining | place << CARD_BITS | own[0] >> LEFT_SHIFT << LEFT_SHIFT


@compiled
def turn_stock(own, waste, stock, key, options):
    """Write the state after a draw, or a recycle of an empty stock; whether there is one."""
    words = options[WORDS]
    remaining = own[0] & CARD_MASK
    left = own[0] >> LEFT_SHIFT
    if stock:
        for i in range(words):
            key[i] = own[i]
        for number in range(options[DRAW_COUNT]):
            low = stock & -stock
            stock ^= low
            pile = number % options[PILES]
            for i in range(1, words):
                if (pile >> (i - 1)) & 1:
                    key[i] |= low
        place = low_bit(stock) if stock else options[CARDS]
        key[0] = remaining | place << CARD_BITS | left << LEFT_SHIFT
        return True
    if waste == 0 or (not options[UNLIMITED] and left == 0):
        return False
    for i in range(words):
        key[i] = 0
    if not options[UNLIMITED]:
        left -= 1
    key[0] = remaining | low_bit(waste) << CARD_BITS | left << LEFT_SHIFT
    return True


@compiled
def piles_of(own, waste, piles, options):
    """Write the waste piles, and return the mask of their top cards."""
    tops = NONE
    for number in range(options[PILES]):
        pile = waste
        for i in range(1, options[WORDS]):
            pile &= own[i] if (number >> (i - 1)) & 1 else ~own[i]
        piles[number] = pile
        if pile:
            tops |= ONE << high_bit(pile)
    return tops


@compiled
def available_talon(own, waste, stock, piles, table, options):
    """The talon cards that can be played: where the order is free, of each rank one or every card."""
    if not options[ORDER_FREE]:
        tops = piles_of(own, waste, piles, options)
        return tops | (stock & -stock) if options[STOCK_PLAYABLE] else tops
    talon = waste | stock
    if options[FOLLOWERS_PAIR]:
        return talon
    mask = NONE
    for rank in range(1, 14):
        cards = talon & table[OF_RANK, rank]
        mask |= cards & -cards
    return mask


@compiled
def forced(exposed, at_hand, remaining, options):
    """A card that goes alone and can go at once without loss; 0 when there is none.

    A tableau card of the goal must go sometime and only frees others. A talon card needs no draw any more, and the
    cards around it come to lie next to each other, which loses nothing while one card is drawn at a time; for a
    shortest win only where it must go. The removal that wins ends the game, so it is not forced for the most cards.
    """
    alone = (exposed | at_hand) & options[ALONE]
    if options[PURPOSE] == FIND_SHORTEST:
        mask = alone & exposed & options[GOAL]
        if options[EVERYTHING] and options[DRAW_COUNT] == 1:
            mask |= alone & at_hand
    else:
        mask = alone if options[DRAW_COUNT] == 1 or options[ORDER_FREE] else alone & exposed
    mask &= -mask
    if options[PURPOSE] == FIND_MOST and remaining & options[GOAL] & ~mask == 0:
        return NONE
    return mask


@compiled
def talon_pairs(at_hand, waste, stock, piles, table, options, found):
    """Write the removals of two talon cards, and return how many."""
    partners = table[PARTNERS]
    number = 0
    # Where the order is free, any card and the next one can be brought to lie next to each other.
    m = waste | stock if options[FOLLOWERS_PAIR] else NONE
    while m:
        low = m & -m
        m ^= low
        if partners[low_bit(low)] & (m & -m):
            found[number] = low | (m & -m)
            number += 1
    m = at_hand if options[TALON_PAIRS] and not options[ORDER_FREE] else NONE
    while m:
        low = m & -m
        m ^= low
        others = partners[low_bit(low)] & m
        while others:
            found[number] = low | (others & -others)
            number += 1
            others &= others - 1
    if options[DRAWN_PAIRS] and not options[ORDER_FREE]:
        for pile in range(options[PILES]):
            if piles[pile] & (piles[pile] - 1):
                top = high_bit(piles[pile])
                beneath = ONE << high_bit(piles[pile] ^ (ONE << top))
                if partners[top] & beneath:
                    found[number] = ONE << top | beneath
                    number += 1
    return number


@compiled
def tableau_pairs(exposed, others_at_hand, number, table, found):
    """Write the removals of an exposed card with one at hand of higher place, after so many others; return how many."""
    m = exposed
    while m:
        low = m & -m
        m ^= low
        others = table[PARTNERS, low_bit(low)] & others_at_hand & ~(low - 1)
        while others:
            found[number] = low | (others & -others)
            number += 1
            others &= others - 1
    return number


@compiled
def cover_pairs(tableau, exposed, number, table, found):
    """Write the removals of a covered card with the last one upon it, after so many others; return how many."""
    m = tableau & ~exposed
    while m:
        low = m & -m
        m ^= low
        upper = table[COVERED_BY, low_bit(low)] & tableau
        if upper & exposed == upper and upper & (upper - 1) == 0 and table[PARTNERS, low_bit(low)] & upper:
            found[number] = low | upper
            number += 1
    return number


@compiled
def expand(state, rooms, table, options, scratch, levels, store, queue, counters):
    """Enter the states that the moves of a state lead to."""
    own, key, piles, found = rooms
    keys = store[KEYS]
    words = options[WORDS]
    for i in range(words):
        own[i] = keys[state * words + i]
    remaining = own[0] & CARD_MASK
    tableau = remaining & options[TABLEAU]
    talon = remaining & options[TALON]
    place = (own[0] >> CARD_BITS) & PLACE_MASK
    stock = talon >> place << place
    waste = talon ^ stock
    exposed = exposed_of(tableau, table[COVERED_BY])
    at_hand = available_talon(own, waste, stock, piles, table, options)
    only = forced(exposed, at_hand, remaining, options)
    if only:
        remove(own, only, stock, key, options)
        add(key, state, table, options, scratch, levels, store, queue, counters)
        return
    parent = store[PARENTS][state]
    quiet = options[PURPOSE] == FIND_SHORTEST and parent >= 0 and keys[parent * words] & CARD_MASK == remaining
    # The states entered last are looked at first, so the removals come after the draw.
    if not options[ORDER_FREE] and turn_stock(own, waste, stock, key, options):
        add(key, state, table, options, scratch, levels, store, queue, counters)
    m = (at_hand if quiet else exposed | at_hand) & options[ALONE]
    while m:
        remove(own, m & -m, stock, key, options)
        add(key, state, table, options, scratch, levels, store, queue, counters)
        m &= m - 1
    number = talon_pairs(at_hand, waste, stock, piles, table, options, found)
    if options[COVER_PAIRS] and not quiet:
        number = cover_pairs(tableau, exposed, number, table, found)
    number = tableau_pairs(exposed, at_hand if quiet else exposed | at_hand, number, table, found)
    for i in range(number):
        remove(own, found[i], stock, key, options)
        add(key, state, table, options, scratch, levels, store, queue, counters)


@compiled
def search(start, table, options, store, queue, counters, budget):
    """Look at up to `budget` states more, and return how the search stands. All that it knows is in its arguments."""
    keys = store[KEYS]
    moves = store[MOVES]
    closed = store[CLOSED]
    entry_state = queue[ENTRY_STATE]
    scratch = np.zeros((5, 64), np.int64)
    levels = np.zeros(LEVELS * LEVEL, np.int64)
    rooms = (
        np.zeros(WORD, np.int64),
        np.zeros(WORD, np.int64),
        np.zeros(8, np.int64),
        np.zeros(MOVES_AT_MOST, np.int64),
    )
    if counters[STATES] == 0:
        add(start, -1, table, options, scratch, levels, store, queue, counters)
    words = options[WORDS]
    purpose = options[PURPOSE]
    for _number in range(budget):
        if purpose == FIND_WIN and counters[FOUND] >= 0:
            return SUCCESS
        if purpose == FIND_MOST and counters[FEWEST_LEFT] <= counters[STOP_AT]:
            return SUCCESS
        room = min(moves.shape[0] - counters[STATES], entry_state.shape[0] - counters[ENTRIES])
        if room <= MOVES_AT_MOST:
            return FULL
        state = next_state(store, queue, counters)
        if state < 0:
            return EXHAUSTED
        closed[state] = 1
        counters[EXPANDED] += 1
        if keys[state * words] & options[GOAL] == 0:
            if purpose == FIND_SHORTEST:
                counters[FOUND] = state
                return SUCCESS
            continue
        expand(state, rooms, table, options, scratch, levels, store, queue, counters)
    return RUNNING


# Many deals -------------------------------------------------------------------------------------------------------------


@compiled
def shuffled(base, seed, order):
    """Write a deal's order of the cards: the generator of deals.py, step by step."""
    for i in range(order.shape[0]):
        order[i] = base[i]
    state = np.uint64(seed)
    for i in range(order.shape[0] - 1, 0, -1):
        size = np.uint64(i + 1)
        # 2**64 modulo the size, and the largest number that is not in the last, incomplete row.
        surplus = (np.uint64(0xFFFFFFFFFFFFFFFF) % size + np.uint64(1)) % size
        last = np.uint64(0xFFFFFFFFFFFFFFFF) - surplus
        while True:
            state += np.uint64(0x9E3779B97F4A7C15)
            z = state
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            z ^= z >> np.uint64(31)
            if z <= last:
                break
        j = np.int64(z % size)
        order[i], order[j] = order[j], order[i]


@compiled
def lay_out(order, fits, layout, table, options):
    """Write the rows of the table and the options that depend on where the cards lie; cards are numbers 1 to 13."""
    size = order.shape[0]
    ranks = table[OF_RANK]
    ranks[:] = 0
    for p in range(size):
        table[RANK, p] = order[p]
        ranks[order[p]] |= ONE << p
    options[ALONE] = ranks[options[TOTAL]] if options[TOTAL] else NONE
    for p in range(size):
        mask = NONE
        for rank in range(1, 14):
            if (fits[order[p]] >> rank) & 1:
                mask |= ranks[rank]
        mask &= ~(ONE << p)
        table[PARTNERS, p] = mask
        table[MEETS, p] = mask & layout[p]


@compiled
def reset(store, queue, counters, words):
    """Empty a store that was in use."""
    keys = store[KEYS]
    slots = store[SLOTS]
    heads = queue[HEADS]
    size = slots.shape[0]
    if counters[STATES] * 8 > size:
        slots[:] = -1
    else:
        for state in range(counters[STATES]):
            slot = slot_of(keys, state * words, words, size)
            while slots[slot] >= 0:
                slots[slot] = -1
                slot = (slot + 1) & (size - 1)
    heads[:64] = -1
    counters[:] = 0
    counters[SPARE_ENTRY] = -1
    counters[FOUND] = -1


@compiled
def many(seeds, base, fits, layout, by_matching, start, table, options, store, queue, counters, budget, answers):
    """Write the verdict of the deal of each seed: 0 unwinnable, 1 winnable, 2 when the limits do not let it be found."""
    order = np.zeros(base.shape[0], np.int64)
    levels = np.zeros(LEVELS * LEVEL, np.int64)
    talon = start[0] & options[TALON]
    for number in range(seeds.shape[0]):
        shuffled(base, seeds[number], order)
        lay_out(order, fits, layout, table, options)
        if by_matching:
            answers[number] = matching(options[TABLEAU], talon, table, options, levels, ONE << 40)
            continue
        reset(store, queue, counters, options[WORDS])
        state = search(start, table, options, store, queue, counters, budget)
        answers[number] = 1 if state == SUCCESS else 0 if state == EXHAUSTED else 2
