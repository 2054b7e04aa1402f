"""Explanations: a rule set told in sentences that follow from its data. Knows no game in play.

The sentences are made from options, never from a rule set's name, and numbers come from the tableau and from a
position that the engine itself has set up. The only fixed texts are the titles of the named rule sets and notes on
how the sources tell them.
"""

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

from pyramide_core import sentences
from pyramide_core.cards import DECK
from pyramide_core.deals import Deal
from pyramide_core.messages import N_, _, ngettext
from pyramide_core.options import layout_label, option_help, value_label
from pyramide_core.position import Position
from pyramide_core.rules import Rules

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "pyramide": N_("Pyramide"),
        "classic": N_("Classic"),
        "thirteen": N_("Thirteen"),
        "thirteen_three_piles": N_("Thirteen, three piles"),
        "three_passes": N_("Three passes"),
        "pyramid": N_("Pyramid"),
        "relaxed_pyramid": N_("Relaxed Pyramid"),
        "pyramid_thirteen": N_("Pyramid Thirteen"),
        "giza": N_("Giza"),
        "triangle": N_("Triangle"),
        "tuts_tomb": N_("Tut's Tomb"),
        "apophis": N_("Apophis"),
        "cheops": N_("Cheops"),
        "pharaohs": N_("Pharaohs"),
    }
)
"""The title of each named rule set."""

SECTIONS: Mapping[str, str] = MappingProxyType(
    {
        "setup": N_("Setup"),
        "available": N_("Available cards"),
        "pairs": N_("What goes together"),
        "stock": N_("Stock and waste"),
        "end": N_("End of the game"),
        "scoring": N_("Points, moves and undo"),
        "notes": N_("Notes"),
    }
)
"""The sections of an explanation in their order, with their titles; an empty one is left out."""

_SOURCE_CALLS_IT_WON = N_(
    "The source also calls it a win when the stock is exhausted; here only the goal above counts as a win."
)
_NOTES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "classic": (
            N_("The source calls 14 moves the best possible game; that would take a pair that its rules do not allow."),
        ),
        "thirteen": (_SOURCE_CALLS_IT_WON,),
        "thirteen_three_piles": (_SOURCE_CALLS_IT_WON,),
        "apophis": (
            N_("Some programs put the waste piles back one upon the other, so that the cards come in another order."),
        ),
        "tuts_tomb": (N_("In the game of 1990 a card could also pair with the only card that still covered it."),),
    }
)


@dataclass(frozen=True)
class Section:
    """One part of an explanation: its key in SECTIONS, its title and its sentences."""

    key: str
    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Explanation:
    """A rule set in words, in the language that was in force when it was made.

    `summary` is one line; `contradictions` says which choices of a mix contradict each other or change nothing.
    """

    rules: Rules
    title: str
    summary: str
    sections: tuple[Section, ...]
    contradictions: tuple[str, ...] = ()

    def section(self, key: str) -> Section:
        """Return the section of a key of SECTIONS; KeyError when this explanation has none."""
        for section in self.sections:
            if section.key == key:
                return section
        raise KeyError(key)

    def as_text(self, width: int | None = None) -> str:
        """Return the explanation as plain text, with lines no wider than so many letters when a width is given."""

        def item(sentence: str) -> str:
            return textwrap.fill(sentence, width, subsequent_indent="  ") if width else sentence

        blocks = ["\n".join((self.title, self.summary))]
        blocks += [
            "\n".join((section.title, *(item(f"- {sentence}") for sentence in section.sentences)))
            for section in self.sections
        ]
        if self.contradictions:
            blocks.append("\n".join(item(f"! {sentence}") for sentence in self.contradictions))
        return "\n\n".join(blocks)

    def as_dict(self) -> dict[str, Any]:
        """Return the explanation and the options as plain values, ready for JSON."""
        return {
            "name": self.rules.name,
            "text": self.rules.text,
            "title": self.title,
            "summary": self.summary,
            "options": {field.name: getattr(self.rules, field.name) for field in fields(self.rules)},
            "sections": [
                {"key": section.key, "title": section.title, "sentences": list(section.sentences)}
                for section in self.sections
            ],
            "contradictions": list(self.contradictions),
        }


def explain(rules: Rules) -> Explanation:
    """Return the explanation of a rule set.

    >>> from pyramide_core.rules import VARIANTS
    >>> explanation = explain(VARIANTS["giza"])
    >>> explanation.title, explanation.section("stock").sentences
    ('Giza', ('There is no stock and no waste.',))
    """
    start = Position.start(Deal.of(DECK), rules)
    texts = {
        "setup": sentences.setup(rules, start),
        "available": sentences.available(rules),
        "pairs": sentences.pairs(rules),
        "stock": sentences.stock(rules),
        "end": sentences.end(rules),
        "scoring": [*sentences.points(rules), *sentences.moves_and_undo(rules)],
        "notes": [*sentences.deal_order(rules), *map(_, _NOTES.get(rules.name, ()))],
    }
    sections = tuple(Section(key, _(SECTIONS[key]), tuple(told)) for key, told in texts.items() if told)
    return Explanation(rules, title(rules), summary(rules), sections, rules.contradictions())


def title(rules: Rules) -> str:
    """Return the title of a named rule set, or that it is a mix of one's own."""
    return _(TITLES[rules.name]) if rules.name else _("Own mix")


def summary(rules: Rules) -> str:
    """Return a rule set in one line.

    >>> from pyramide_core.rules import VARIANTS
    >>> summary(VARIANTS["pyramid_thirteen"])
    'Pyramid of 7 rows · covered cards face down · one pass · top of the stock playable · clear all cards'
    """
    parts = [layout_label(rules.tableau)]
    if rules.face_down:
        parts.append(_("covered cards face down"))
    parts += _talon_summary(rules) if rules.talon_size else [_("no stock")]
    if rules.pair_rule.total is None:
        parts.append(_("equal or neighbouring ranks go together"))
    if rules.cover_pairs:
        parts.append(_("a card may go with its last cover"))
    parts.append(_("clear all cards") if rules.goal == "all" else _("clear the pyramid"))
    if rules.dead_end == "lost":
        parts.append(_("a lost game is told at once"))
    if rules.points.row_bonus:
        parts.append(_("points for each row"))
    return " · ".join(parts)


def _talon_summary(rules: Rules) -> list[str]:
    parts = []
    if rules.draw_count > 1:
        parts.append(ngettext("{n} card a draw", "{n} cards a draw", rules.draw_count))
    if rules.waste_piles > 1:
        parts.append(ngettext("{n} waste pile", "{n} waste piles", rules.waste_piles))
    if rules.passes is None:
        parts.append(_("any number of passes"))
    else:
        parts.append(_("one pass") if rules.passes == 1 else ngettext("{n} pass", "{n} passes", rules.passes))
    if rules.stock_face_up:
        parts.append(_("stock face up"))
    if rules.stock_playable:
        parts.append(_("top of the stock playable"))
    if rules.drawn_pairs:
        parts.append(_("a drawn card may go with the one it covers"))
    return parts


def mix_differences(rules: Rules) -> tuple[str, ...]:
    """Return what a rule set changes against `pyramide`, each as `label: choice`, for a list of one's own mixes.

    >>> mix_differences(Rules(passes=2, goal="all"))
    ('Passes through the stock: 2', 'Goal: Clear all cards')
    """
    base = Rules()
    return tuple(
        _("{label}: {choice}").format(
            label=option_help(field.name).label, choice=value_label(field.name, getattr(rules, field.name))
        )
        for field in fields(rules)
        if getattr(rules, field.name) != getattr(base, field.name)
    )
