"""What deductions are made of: facts about cards that wait for others, and the refutations they lead to. Pure data."""

from dataclasses import dataclass
from enum import Enum


class Why(Enum):
    """Where a fact comes from."""

    PARTNERS = "every partner left waits for that card"
    ONE_ABOVE = "a card that must go before can only go with that one, or after it"
    BETWEEN = "it lies between the two in the stock"
    TAKEN = "other cards need all of these partners"
    NEVER = "it waits for a card that can never go"
    BURIED = "when the one is free, the other lies under a card that goes no earlier"
    # These two follow from others and need no sentence.
    CHAIN = "it waits for a card that waits for that one"
    APART = "one of the two waits for the other"


UNSAID = frozenset({Why.CHAIN, Why.APART})


@dataclass(frozen=True)
class Fact:
    """One deduction, all cards by their places: `card` waits for `other`, for the reason `why`.

    `options` are the partners that counted, `above` is the card that ONE_ABOVE, BETWEEN and BURIED go by. TAKEN: the
    cards of the mask `other` need all cards of `options`. NEVER: `card` can never go. BURIED: `card` cannot go with
    `other`.
    """

    why: Why
    card: int
    other: int
    options: int = 0
    above: int = -1
    parents: tuple[int, ...] = ()


@dataclass(frozen=True)
class Refutation:
    """Cards that can never all go: `cards` have only `left` for partners, fewer than they are; or, for two cards with
    `is_circle`, each waits for the other. `facts` lead there, each after those it rests on.
    """

    cards: tuple[int, ...]
    left: int
    facts: tuple[Fact, ...] = ()
    is_circle: bool = False

    @property
    def cost(self) -> int:
        """How many sentences it takes to say the facts."""
        return len({(fact.why, fact.card, fact.options) for fact in self.facts})


@dataclass(frozen=True)
class Cases:
    """A card all of whose partners lead to a refutation: one for each."""

    card: int
    cases: tuple[tuple[int, Refutation], ...]

    @property
    def cost(self) -> int:
        """How many sentences it takes to say the facts of all cases."""
        return sum(1 + case.cost for _partner, case in self.cases)
