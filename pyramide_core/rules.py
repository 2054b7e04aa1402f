"""Rules as data: a rule set is one frozen value, and `VARIANTS` names the known ones. Knows no deal and no position.

No rule set has code of its own: `pyramide_core.position` reads these options and nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, get_args, get_type_hints

from pyramide_core.cards import DECK, RANKS
from pyramide_core.errors import RulesError
from pyramide_core.messages import _, shorten
from pyramide_core.tableau import TABLEAUX, Tableau

PAIR_SUM = 13
MIX = "mix"


@dataclass(frozen=True)
class Pairing:
    """Which ranks go together: two cards with this `total`, or with one of these differences in rank.

    A card whose rank alone is the total goes alone.
    """

    total: int | None = None
    differences: frozenset[int] = frozenset()

    def pairs(self, a: int, b: int) -> bool:
        """Tell whether cards of the ranks a and b (1 to 13) go together."""
        return a + b == self.total or abs(a - b) in self.differences

    def alone(self, rank: int) -> bool:
        """Tell whether a card of this rank goes alone."""
        return rank == self.total

    @cached_property
    def partners(self) -> tuple[frozenset[int], ...]:
        """`partners[r]`: the ranks that a card of rank r pairs with; index 0 is empty."""
        return (frozenset(), *(frozenset(b for b in RANKS if self.pairs(a, b)) for a in RANKS))


@dataclass(frozen=True)
class Scoring:
    """Points: for each card that leaves the pyramid, for each removal, and for each row of it that becomes empty.

    A removal is one card that goes alone or two that go together, from wherever. `row_bonus` counts from the bottom
    row up, in each pyramid by itself; a reserve has no rows.
    """

    pyramid_card: int = 0
    removal: int = 0
    row_bonus: tuple[int, ...] = ()


Layout = Literal["pyramid", "triangle", "giza", "pharaohs", "pyramid_3", "pyramid_4", "pyramid_5", "pyramid_6"]
PairingName = Literal["thirteen", "neighbours"]
Goal = Literal["pyramid", "all"]
DeadEnd = Literal["no_moves", "lost"]
ScoringName = Literal["ten_a_card", "rows"]

PAIRINGS: Mapping[PairingName, Pairing] = MappingProxyType(
    {
        "thirteen": Pairing(total=PAIR_SUM),
        "neighbours": Pairing(differences=frozenset((0, 1))),
    }
)

SCORINGS: Mapping[ScoringName, Scoring] = MappingProxyType(
    {
        "ten_a_card": Scoring(pyramid_card=10),
        "rows": Scoring(removal=5, row_bonus=(25, 50, 75, 100, 150, 250, 500)),
    }
)


@dataclass(frozen=True)
class Rules:
    """A rule set: what differs between the games of the Pyramid family. The defaults are the `pyramide` rules.

    Two rule sets are equal when they play the same; `name` follows from the options.
    """

    layout: Layout = "pyramid"
    """Which tableau the cards are dealt to; the cards left over are the talon, and the stock at first."""
    face_down: bool = False
    """Covered tableau cards lie face down and turn up when they are exposed, which is no move."""
    draws_at_start: int = 1
    """Draws made by the dealer before the first move; they count neither as moves nor as a pass."""
    draw_count: int = 1
    """Cards turned by one draw (fewer when the stock holds fewer)."""
    waste_piles: int = 1
    """Waste piles; the cards of one draw go onto them in order, one each, again from the first when more."""
    passes: int | None = None
    """How many times the stock may be gone through; None without limit. Recycles = passes - 1. A recycle needs an
    empty stock, keeps the order in which the cards were turned, whatever pile they lie on, and turns none."""
    stock_face_up: bool = False
    """The order of the stock is seen; that alone makes none of its cards available."""
    stock_playable: bool = False
    """The top card of the stock lies face up and is available."""
    talon_pairs: bool = False
    """Two available talon cards may pair: tops of two waste piles, or stock top and waste top."""
    drawn_pairs: bool = False
    """The top card of a waste pile may pair with the waste card right below it, however it came to be the top."""
    cover_pairs: bool = False
    """An exposed card may pair with a card that it alone still covers."""
    pairing: PairingName = "thirteen"
    """Which cards go together."""
    goal: Goal = "pyramid"
    """Won when the pyramid (all pyramids, but no reserve) is empty, or when all cards are gone."""
    dead_end: DeadEnd = "no_moves"
    """A dead end is said when nothing can be removed, drawn or recycled, or as soon as the goal is out of reach."""
    scoring: ScoringName = "ten_a_card"
    """How points are counted."""
    undo_limit: int | None = 100
    """How many actions can be undone; None without limit, 0 for no undo."""
    undo_counts: bool = False
    """Each undo counts as a move."""

    def __post_init__(self) -> None:
        for field in fields(self):
            _check_value(field.name, getattr(self, field.name))
        if self.draw_count % self.waste_piles:
            # Imported here because options are told in terms of rules.
            from pyramide_core.options import option_help

            raise RulesError(
                _(
                    "A draw must give each waste pile the same number of cards: “{cards}” (draw_count={draw_count}) must "
                    "be a multiple of “{piles}” (waste_piles={waste_piles})."
                ).format(
                    cards=option_help("draw_count").label,
                    draw_count=self.draw_count,
                    piles=option_help("waste_piles").label,
                    waste_piles=self.waste_piles,
                )
            )

    @property
    def tableau(self) -> Tableau:
        """The layout's tableau."""
        return TABLEAUX[self.layout]

    @property
    def pair_rule(self) -> Pairing:
        """Which ranks go together."""
        return PAIRINGS[self.pairing]

    @property
    def points(self) -> Scoring:
        """How points are counted."""
        return SCORINGS[self.scoring]

    @property
    def talon_size(self) -> int:
        """How many cards a full deck leaves for the talon; 0 where the layout takes them all."""
        return len(DECK) - len(self.tableau)

    def contradictions(self) -> tuple[str, ...]:
        """Return a sentence for each choice that contradicts another or changes nothing beside it.

        Such a mix can be played; the sentences say what to expect of it. No named rule set has any.

        >>> print(*Rules(undo_limit=0, undo_counts=True).contradictions())
        No undo is allowed, so it changes nothing that an undo counts as a move.
        """
        # Imported here because the sentences name options by their labels, which are told in terms of rules.
        from pyramide_core.contradictions import contradictions

        return contradictions(self)

    @property
    def name(self) -> str:
        """The name in VARIANTS of the rule set that plays like this one; empty for a mix of one's own."""
        return _NAMES.get(self, "")

    @property
    def text(self) -> str:
        """The short form: a name, or `mix` and the options that differ from `pyramide`; `Rules.parse` reads it.

        >>> Rules(passes=3, goal="all").text
        'mix,passes=3,goal=all'
        """
        return self.name or ",".join((MIX, *self.differences()))

    def differences(self, base: "Rules | None" = None) -> tuple[str, ...]:
        """Return `option=value` for each option that differs from a base (by default the `pyramide` rules)."""
        other = base or Rules()
        return tuple(
            f"{field.name}={value_text(getattr(self, field.name))}"
            for field in fields(self)
            if getattr(self, field.name) != getattr(other, field.name)
        )

    @classmethod
    def parse(cls, text: str) -> "Rules":
        """Read a rule set: a name of VARIANTS (or `mix` for `pyramide`), then `option=value` with commas between.

        Values are numbers, `unlimited`, `yes`/`no` or the option's own words. Raises RulesError naming the word.

        >>> Rules.parse("classic,passes=1").passes
        1
        """
        head, *changes = [part.strip() for part in text.strip().split(",")]
        base = _named(head)
        values: dict[str, Any] = {}
        for change in changes:
            option, sign, value = (part.strip() for part in change.partition("="))
            option = option.lower().replace("-", "_")
            if option in _KINDS and not sign:
                raise RulesError(
                    _("The option {option} has no value; it is written {option}=…, and it can be: {allowed}.").format(
                        option=option, allowed=_allowed_text(option)
                    )
                )
            if option not in _KINDS:
                raise RulesError(
                    _("“{text}” is no option of a rule set. There are: {names}.").format(
                        text=shorten(change), names=", ".join(_KINDS)
                    )
                )
            if option in values:
                raise RulesError(_("The option {option} stands twice.").format(option=option))
            values[option] = _read_value(option, value)
        return replace(base, **values)


_KINDS: dict[str, Any] = get_type_hints(Rules)
_KINDS = {field.name: _KINDS[field.name] for field in fields(Rules)}
NUMBER_RANGES: Mapping[str, range] = MappingProxyType(
    {
        "draws_at_start": range(25),
        "draw_count": range(1, 25),
        "waste_piles": range(1, 9),
        "passes": range(1, 1000),
        "undo_limit": range(100_000),
    }
)
_TRUTH = {"yes": True, "no": False}


def choices(option: str) -> tuple[Any, ...] | None:
    """Return the values that an option can take, or None for a number (see NUMBER_RANGES)."""
    kind = _KINDS[option]
    if kind is bool:
        return (False, True)
    return get_args(kind) if option not in NUMBER_RANGES else None


def is_unlimited_allowed(option: str) -> bool:
    """Tell whether a number option can also be None: without limit."""
    return type(None) in get_args(_KINDS[option])


def value_text(value: object) -> str:
    """Return the value of an option as the short form of a rule set writes it."""
    if value is None:
        return "unlimited"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _allowed_text(option: str) -> str:
    allowed = choices(option)
    if allowed is not None:
        return ", ".join(map(value_text, allowed))
    numbers = NUMBER_RANGES[option]
    text = f"{numbers[0]}–{numbers[-1]}"
    return f"{text}, unlimited" if is_unlimited_allowed(option) else text


def _wrong_value(option: str, value: object) -> RulesError:
    return RulesError(
        _("{option} cannot be “{value}”; it can be: {allowed}.").format(
            option=option, value=shorten(str(value)), allowed=_allowed_text(option)
        )
    )


def _check_value(option: str, value: object) -> None:
    allowed = choices(option)
    if allowed is not None:
        fits = value in allowed and isinstance(value, bool) == (_KINDS[option] is bool)
    elif value is None:
        fits = is_unlimited_allowed(option)
    else:
        fits = isinstance(value, int) and not isinstance(value, bool) and value in NUMBER_RANGES[option]
    if not fits:
        raise _wrong_value(option, value)


def _read_value(option: str, text: str) -> Any:
    allowed = choices(option)
    if allowed is not None:
        for value in allowed:
            if value_text(value) == text.lower():
                return value
    elif text.lower() == "unlimited" and is_unlimited_allowed(option):
        return None
    elif text.isascii() and text.isdigit() and len(text) < 10 and int(text) in NUMBER_RANGES[option]:
        return int(text)
    raise _wrong_value(option, text)


def _named(text: str) -> Rules:
    name = text.lower().replace("-", "_").replace(" ", "_")
    if name != MIX and name not in VARIANTS:
        raise RulesError(
            _("There is no rule set “{name}”. There are: {names}.").format(
                name=shorten(text), names=", ".join(VARIANTS)
            )
        )
    return Rules() if name == MIX else VARIANTS[name]


_CLASSIC = Rules(draws_at_start=0, dead_end="lost", undo_limit=None, undo_counts=True)
_THIRTEEN = Rules(draws_at_start=0, passes=1)
_THREE_PASSES = Rules(draws_at_start=0, passes=3, stock_playable=True, talon_pairs=True, scoring="rows")
# The family, as docs/variants.md says from which program or page.
_PYRAMID = Rules(passes=3, stock_playable=True, talon_pairs=True, goal="all")
_NO_TALON = Rules(draws_at_start=0, goal="all")

VARIANTS: Mapping[str, Rules] = MappingProxyType(
    {
        "pyramide": Rules(),
        "classic": _CLASSIC,
        "thirteen": _THIRTEEN,
        "thirteen_three_piles": replace(_THIRTEEN, draw_count=3, waste_piles=3, talon_pairs=True),
        "three_passes": _THREE_PASSES,
        "pyramid": _PYRAMID,
        "relaxed_pyramid": replace(_PYRAMID, goal="pyramid"),
        "pyramid_thirteen": replace(_PYRAMID, face_down=True, passes=1),
        "giza": replace(_NO_TALON, layout="giza"),
        "triangle": replace(_PYRAMID, layout="triangle"),
        "tuts_tomb": Rules(draw_count=3),
        "apophis": Rules(draw_count=3, waste_piles=3, passes=3, talon_pairs=True, goal="all"),
        "cheops": replace(_PYRAMID, passes=1, pairing="neighbours"),
        "pharaohs": replace(_NO_TALON, layout="pharaohs"),
    }
)
_NAMES = {rules: name for name, rules in VARIANTS.items()}
