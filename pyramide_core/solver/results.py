"""What the solver answers: values that carry their proof or say honestly what is not known. Knows no search."""

from dataclasses import dataclass
from enum import Enum

from pyramide_core.messages import _, ngettext
from pyramide_core.moves import Move


class Kind(Enum):
    """What is known of a position."""

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNKNOWN = "unknown"


class Limit(Enum):
    """Why a search ended without an answer."""

    NODES = "node limit"
    MEMORY = "memory limit"
    CANCELLED = "cancelled"
    NO_COMPILER = "no compiler"

    @property
    def text(self) -> str:
        """What is not known and why, as a sentence."""
        return {
            Limit.NODES: _("Whether it can be won is not known: the search stopped at its limit."),
            Limit.MEMORY: _("Whether it can be won is not known: the search stopped at its limit of memory."),
            Limit.CANCELLED: _("Whether it can be won is not known: the search was called off."),
            Limit.NO_COMPILER: _("Whether it can be won is not known: the compiled solver is not installed."),
        }[self]


@dataclass(frozen=True)
class Effort:
    """What a search cost: positions looked at, and seconds."""

    nodes: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Verdict:
    """Whether a position can still be won: `kind`, and for UNKNOWN the `reason`.

    `line` is a winning line where one was found, not a shortest one.
    """

    kind: Kind
    line: tuple[Move, ...] | None = None
    reason: Limit | None = None
    effort: Effort = Effort()

    @property
    def text(self) -> str:
        """The verdict as a sentence."""
        if self.kind is Kind.WINNABLE:
            return _("It can be won.")
        if self.kind is Kind.UNWINNABLE:
            return _("It cannot be won.")
        return self.reason.text if self.reason else _("Whether it can be won is not known.")


@dataclass(frozen=True)
class Solution:
    """A shortest win: its `length` in moves (removals, draws and recycles) and its `line`, proved shortest.

    For UNKNOWN, `lower_bound` moves at least are needed for a win.
    """

    kind: Kind
    line: tuple[Move, ...] | None = None
    lower_bound: int = 0
    reason: Limit | None = None
    effort: Effort = Effort()

    @property
    def length(self) -> int | None:
        """How many moves the shortest win takes, None when there is none or it is not known."""
        return None if self.line is None else len(self.line)

    @property
    def text(self) -> str:
        """The answer as a sentence."""
        if self.line is not None:
            return ngettext("The shortest win takes {n} move.", "The shortest win takes {n} moves.", len(self.line))
        return Verdict(self.kind, reason=self.reason).text


@dataclass(frozen=True)
class MostRemoved:
    """The most cards that can still go, of the tableau and the talon, and a line that removes so many.

    Exact when `reason` is None; else `cards` can go, and more than `upper_bound` cannot.
    """

    cards: int
    line: tuple[Move, ...]
    upper_bound: int
    reason: Limit | None = None
    effort: Effort = Effort()

    @property
    def is_exact(self) -> bool:
        """Whether no line removes more."""
        return self.cards == self.upper_bound

    @property
    def text(self) -> str:
        """The answer as a sentence."""
        if self.is_exact:
            return ngettext("At most {n} card can go.", "At most {n} cards can go.", self.cards)
        return ngettext(
            "At least {n} card can go, and not more than {most}.",
            "At least {n} cards can go, and not more than {most}.",
            self.cards,
            most=self.upper_bound,
        )
