"""Why a position cannot be won: the smallest proved reason that a person can follow. Knows no widget and no history.

A reason is a proof of its own: whenever one is given, the position is unwinnable whatever a search says. Where no
short one is found, the search itself is the reason.
"""

from dataclasses import dataclass
from enum import Enum

from pyramide_core.cards import Card
from pyramide_core.messages import _, ngettext
from pyramide_core.position import Outcome, Position
from pyramide_core.solver.answers import verdict as find_verdict
from pyramide_core.solver.control import Cancel
from pyramide_core.solver.deductions import Knowledge, by_cases, refutation
from pyramide_core.solver.facts import Cases, Refutation
from pyramide_core.solver.reason_words import Words
from pyramide_core.solver.results import Kind, Verdict
from pyramide_core.solver.schedule import Schedule, schedule
from pyramide_core.tableau import bits

LONGEST_CHAIN = 6
"""Sentences that a person may be asked to follow."""
LONGEST_CONTRAST = 1


class ReasonKind(Enum):
    """What sort of reason it is."""

    NO_PARTNER = "no partner"
    LOCKED = "locked with its partners"
    COUNT = "too few partners"
    ODD = "an odd number of cards"
    NO_MOVE = "no move"
    CHAIN = "cards that wait for each other"
    CASES = "every choice leads nowhere"
    ORDER = "the order of the stock"
    SEARCHED = "searched"
    WINNABLE = "winnable"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Reason:
    """Why a position cannot be won: the `text` for a person, what `kind` of reason it is, and the cards it is about.

    WINNABLE and UNKNOWN are no reasons: the position can be won, or it is not known whether it can.
    """

    text: str
    kind: ReasonKind
    cards: tuple[Card, ...] = ()

    @property
    def is_followable(self) -> bool:
        """Whether it can be followed on the table, without believing a search."""
        return self.kind not in (ReasonKind.SEARCHED, ReasonKind.WINNABLE, ReasonKind.UNKNOWN)


def explain_unwinnable(position: Position, *, known: Verdict | None = None, cancel: Cancel | None = None) -> Reason:
    """Return the smallest reason found why a position cannot be won.

    Without a short one it is the search; `known` is its verdict where there is one already.

    >>> from pyramide_core import Deal, VARIANTS
    >>> print(explain_unwinnable(Position.start(Deal.from_code("PY1-N-AAAAAAJ"), VARIANTS["pyramide"])).text)
    All 4 cards left that pair with the 4 of clubs in row 7 lie under it (9♦, 9♣, 9♠, 9♥): they never meet it.
    """
    reason = followable_reason(position, cancel=cancel)
    if reason is not None:
        return reason
    found = known or find_verdict(position, cancel=cancel)
    if found.kind is not Kind.UNWINNABLE:
        kind = ReasonKind.WINNABLE if found.kind is Kind.WINNABLE else ReasonKind.UNKNOWN
        return Reason(found.text, kind)
    text = ngettext(
        "A search proves it: {n} position was looked at, and no way to play on wins.",
        "A search proves it: {n} positions were looked at, and no way to play on wins.",
        found.effort.nodes,
    )
    return Reason(text, ReasonKind.SEARCHED)


def followable_reason(
    position: Position, longest: int = LONGEST_CHAIN, *, cancel: Cancel | None = None
) -> Reason | None:
    """Return a reason of so many sentences at most that can be followed without a search, or None."""
    if position.is_won:
        return None
    words = Words(position)
    knowledge = Knowledge(position)
    found = refutation(knowledge)
    if found is not None and found.cost == 0:
        return _plain_reason(words, found)
    if position.outcome() is Outcome.DEAD_END:
        return Reason(_("No move is left."), ReasonKind.NO_MOVE)
    odd = _odd_cards(position)
    if odd:
        return Reason(words.odd(odd), ReasonKind.ODD, position.table.cards(odd))
    if found is not None and found.cost <= min(longest, 2):
        return _chain(words, found)
    late = _late_card(position, plan := schedule(position))
    if late is not None:
        return _order(words, position, late, plan)
    if found is not None and found.cost <= longest:
        return _chain(words, found)
    if found is None and longest >= LONGEST_CHAIN:
        cases = by_cases(knowledge, cancel=cancel)
        if cases is not None and cases.cost <= longest:
            return _cases(words, cases)
    return None


def _plain_reason(words: Words, found: Refutation) -> Reason:
    """Return the reason that shows in the layout alone: no partner left, or none that it can meet, or too few."""
    card = found.cards[0]
    if len(found.cards) > 1:
        kind = ReasonKind.COUNT
    else:
        kind = ReasonKind.LOCKED if words.knowledge.partners[card] else ReasonKind.NO_PARTNER
    return Reason(words.plain(found), kind, words.cards(words.shown_by(found)))


def _chain(words: Words, found: Refutation) -> Reason:
    return Reason(words.chain(found), ReasonKind.CHAIN, words.cards(words.shown_by(found)))


def _cases(words: Words, found: Cases) -> Reason:
    shown = 1 << found.card
    for partner, case in found.cases:
        shown |= 1 << partner | words.shown_by(case)
    return Reason(words.cases(found), ReasonKind.CASES, words.cards(shown))


def _order(words: Words, position: Position, late: int, plan: Schedule) -> Reason:
    partners = position.table.partners[late] & position.remaining
    return Reason(words.order(late, partners, plan), ReasonKind.ORDER, words.cards(1 << late | partners))


def _late_card(position: Position, plan: Schedule) -> int | None:
    """Return a card of the goal that can never go though all that lies upon it can, the lowest in the layout."""
    needed = position.remaining & position.table.goal & ~plan.gone
    if not needed:
        return None
    free = [p for p in bits(needed) if p in plan.freed]
    return free[-1] if free else next(bits(needed))


def _odd_cards(position: Position) -> int:
    """Return cards that must all go and can pair only among themselves, an odd number of them; 0 without any."""
    table, remaining = position.table, position.remaining
    unseen = remaining & ~table.alone
    while unseen:
        group = 0
        edge = unseen & -unseen
        while edge:
            group |= edge
            reached = 0
            for p in bits(edge):
                reached |= table.partners[p] & remaining
            edge = reached & ~group
        unseen &= ~group
        if group.bit_count() % 2 and not group & ~table.goal:
            return group
    return 0
