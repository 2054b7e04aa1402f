"""Wording: the names of cards, places and ranks for people, in the language in force. Knows no rules and no state."""

import datetime
from collections.abc import Mapping
from types import MappingProxyType

from pyramide_core.cards import RANK_LETTERS, Card, Suit
from pyramide_core.messages import N_, _, pgettext

_SUIT_NAMES: Mapping[Suit, str] = MappingProxyType(
    {Suit.CLUBS: N_("clubs"), Suit.DIAMONDS: N_("diamonds"), Suit.HEARTS: N_("hearts"), Suit.SPADES: N_("spades")}
)


def rank_letter(rank: int) -> str:
    """Return the letters that stand for a rank on a card: French cards say V, D and R."""
    letters = RANK_LETTERS[rank]
    # Translators: letters in a card's corner; the French convention is V, D, R for J, Q, K.
    faces = {"J": pgettext("card corner", "J"), "Q": pgettext("card corner", "Q"), "K": pgettext("card corner", "K")}
    return faces.get(letters, pgettext("card corner", "A") if letters == "A" else letters)


def rank_name(rank: int) -> str:
    """Return the name of a rank: `ace`, `7`, `queen`."""
    # Translators: the cards from 2 to 10 keep their numbers, unless your language has nouns for them.
    return (
        _("ace"),
        pgettext("rank", "2"),
        pgettext("rank", "3"),
        pgettext("rank", "4"),
        pgettext("rank", "5"),
        pgettext("rank", "6"),
        pgettext("rank", "7"),
        pgettext("rank", "8"),
        pgettext("rank", "9"),
        pgettext("rank", "10"),
        _("jack"),
        _("queen"),
        _("king"),
    )[rank - 1]


def card_face(card: Card) -> str:
    """Return a card as its corner shows it: `10♣`."""
    return rank_letter(card.rank) + card.suit.symbol


def card_name(card: Card) -> str:
    """Return a card's name in words: `king of diamonds`."""
    rank, suit = rank_name(card.rank), _(_SUIT_NAMES[card.suit])
    if rank.isdigit():
        # Translators: a card's name, such as "7 of diamonds"; a script without spaces may want one beside a number.
        return pgettext("card with a number", "{rank} of {suit}").format(rank=rank, suit=suit)
    # Translators: a card's name, such as "king of diamonds".
    return _("{rank} of {suit}").format(rank=rank, suit=suit)


def sentence(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def number(value: float, decimals: int = 0) -> str:
    """Return a number as the language in force writes it, with so many digits after the point.

    >>> number(1430), number(0.25, 2), number(-1234567.891, 1)
    ('1,430', '0.25', '-1,234,567.9')
    """
    # Translators: this number as your language writes it; what stands between the digits is used for all numbers.
    sample = pgettext("how numbers are written", "1,234.5")
    return f"{value:,.{decimals}f}".translate({ord(","): sample[1], ord("."): sample[-2]})


def to_a_tenth(value: float) -> str:
    """Return a number to a tenth as the language in force writes it, without a digit after the point where it is whole.

    >>> to_a_tenth(1430.0), to_a_tenth(2.25), to_a_tenth(2.96)
    ('1,430', '2.2', '3')
    """
    return number(value, 0 if round(value, 1) == round(value) else 1)


def percent(share: float, decimals: int = 0) -> str:
    """Return a share of one as a percentage, with so many digits after the point.

    >>> percent(0.6687, 1)
    '66.9 %'
    """
    # Translators: a percentage; some languages want no space.
    return pgettext("a percentage", "{number} %").format(number=number(100 * share, decimals))


def day(date: datetime.date) -> str:
    """Return a day in numbers, in the order of the language in force.

    >>> day(datetime.date(2026, 3, 1))
    '2026-03-01'
    """
    # Translators: a day in numbers, such as 2026-03-01.
    return pgettext("a day in numbers", "{year}-{month}-{day}").format(
        year=date.year, month=f"{date.month:02}", day=f"{date.day:02}"
    )


def duration(seconds: float) -> str:
    """Return a time of play as minutes and seconds, with hours when there are any: `3:07`.

    >>> duration(187.9), duration(3600)
    ('3:07', '1:00:00')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
