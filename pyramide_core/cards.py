"""Cards: ranks, suits, their text forms. Knows nothing of rules, deals or languages."""

from enum import IntEnum
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple

from pyramide_core.errors import CardError
from pyramide_core.messages import _, shorten

RANKS = range(1, 14)
KING = 13


class Suit(IntEnum):
    """The four suits, in the order clubs, diamonds, hearts, spades."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """The suit in a card's plain name: C, D, H or S."""
        return "CDHS"[self]

    @property
    def symbol(self) -> str:
        """The suit as a sign: ♣, ♦, ♥ or ♠."""
        return "♣♦♥♠"[self]

    @property
    def is_red(self) -> bool:
        """Whether the suit is diamonds or hearts."""
        return self in (Suit.DIAMONDS, Suit.HEARTS)


RANK_LETTERS = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_RANK_OF = {letters: rank for rank, letters in enumerate(RANK_LETTERS) if rank} | {
    "T": 10,
    "1": 1,
    # The French letters: valet, dame, roi.
    "V": 11,
    "D": 12,
    "R": 13,
}
_SUIT_OF = {letter: suit for suit in Suit for letter in (suit.letter, suit.symbol, "♧♢♡♤"[suit])}
# Small letters become capitals, ASCII ones only: `str.upper` turns other letters into these too, or into several. The
# variation selectors, which make a suit an emoji or not, go.
_PLAIN = str.maketrans(ascii_lowercase, ascii_uppercase, "\ufe0e\ufe0f")


class Card(NamedTuple):
    """One of the 52 cards: a rank from 1 (ace) to 13 (king) and a suit.

    >>> Card.parse("10♣"), str(Card.parse("td"))
    (Card.parse('10C'), '10D')
    """

    rank: int
    suit: Suit

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Read a card: rank (`A 2-10 T J Q K`, or French `V D R`) and suit (`C D H S` or `♣ ♦ ♥ ♠`), in any case.

        Raises CardError naming the text when it is no card.
        """
        plain = text.translate(_PLAIN).strip()
        rank, suit = _RANK_OF.get(plain[:-1]), _SUIT_OF.get(plain[-1:])
        if rank is None or suit is None:
            raise CardError(
                _("“{text}” is not a card: write rank and suit, such as KD, 10C or 7♥.").format(text=shorten(text))
            )
        return cls(rank, suit)

    def __str__(self) -> str:
        return RANK_LETTERS[self.rank] + self.suit.letter

    def __repr__(self) -> str:
        return f"Card.parse({str(self)!r})"

    @property
    def symbol(self) -> str:
        """The card with its suit as a sign: `K♦`."""
        return RANK_LETTERS[self.rank] + self.suit.symbol


DECK = tuple(Card(rank, suit) for suit in Suit for rank in RANKS)
