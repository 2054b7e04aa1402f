"""Contradictions: choices of a rule set that contradict each other or change nothing together, in sentences.

Knows no game. What cannot be played at all is refused by `Rules` itself.
"""

from collections.abc import Iterator
from dataclasses import asdict, replace

from pyramide_core.messages import _
from pyramide_core.options import option_help, value_label
from pyramide_core.rules import Rules


def contradictions(rules: Rules) -> tuple[str, ...]:
    """Return a sentence for each contradiction in a rule set, none for a consistent one; see `Rules.contradictions`."""
    return tuple(sentence for check in _CHECKS for sentence in check(rules))


def _without_talon(rules: Rules) -> Iterator[str]:
    """What has no effect where no card is left for a stock."""
    if rules.talon_size:
        return
    none = replace(
        rules,
        draws_at_start=0,
        draw_count=1,
        waste_piles=1,
        passes=None,
        stock_face_up=False,
        stock_playable=False,
        talon_pairs=False,
        drawn_pairs=False,
    )
    idle = [option for option in asdict(rules) if getattr(rules, option) != getattr(none, option)]
    if idle:
        yield _("This layout leaves no card for a stock, so these choices change nothing: {options}.").format(
            options="; ".join(_told(rules, option) for option in idle)
        )
    if rules.tableau.pyramid == rules.tableau.full and rules.goal == "pyramid":
        yield _("All cards lie in the pyramids: to clear them and to clear all cards is the same goal.")


def _talon_choices(rules: Rules) -> Iterator[str]:
    if not rules.talon_size:
        return
    if rules.talon_pairs and rules.waste_piles == 1 and not rules.stock_playable:
        yield _(
            "Two cards of the talon may pair, but with one waste pile and a stock that is not playable only one of "
            "them is available at a time."
        )
    if rules.draws_at_start * rules.draw_count > rules.talon_size:
        yield _(
            "{draws} draws of {cards} cards are to be made at the start, but the stock has only {stock} cards: "
            "it is empty before."
        ).format(draws=rules.draws_at_start, cards=rules.draw_count, stock=rules.talon_size)


def _covered_cards(rules: Rules) -> Iterator[str]:
    if rules.face_down and rules.cover_pairs:
        yield _(
            "Covered cards lie face down, yet a card may pair with one that it covers: such a pair can be made, but "
            "it cannot be seen before."
        )


def _undo_choices(rules: Rules) -> Iterator[str]:
    if rules.undo_limit == 0 and rules.undo_counts:
        yield _("No undo is allowed, so it changes nothing that an undo counts as a move.")


def _row_bonuses(rules: Rules) -> Iterator[str]:
    wanted = len(rules.points.row_bonus)
    found = [len(rows) for rows in rules.tableau.pyramids]
    if wanted and found != [wanted]:
        yield _(
            "The row points are made for one pyramid of {wanted} rows; here a pyramid has {found}, and each row counts "
            "by its place above its own bottom row."
        ).format(wanted=wanted, found=", ".join(map(str, found)))


def _told(rules: Rules, option: str) -> str:
    return _("{label}: {choice}").format(
        label=option_help(option).label, choice=value_label(option, getattr(rules, option))
    )


_CHECKS = (_without_talon, _talon_choices, _covered_cards, _undo_choices, _row_bonuses)
