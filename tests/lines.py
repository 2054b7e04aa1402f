"""Deals with lines of play whose course is known beforehand, for the tests of what shows a game."""

from pyramide_core.cards import DECK, Card
from pyramide_core.deals import Deal

DOCUMENTED = "PY1-N-AAAAAAS"
DOCUMENTED_ROWS = (
    ("JD",),
    ("6C", "7H"),
    ("AS", "4D", "QS"),
    ("5H", "3D", "6H", "8S"),
    ("KH", "KC", "AD", "KS", "9C"),
    ("QC", "2C", "8D", "10D", "10S", "JS"),
    ("7C", "10C", "3H", "4H", "3S", "KD", "7S"),
)
"""The pyramid of the documented deal, as the rules page prints it."""

TALON = tuple("7D 6D 6S AC QD 3C 4C 5C 8C JC 2D 5D 9D AH 2H 8H 9H 10H JH QH 2S 4S 5S 9S".split())
"""The cards that the documented pyramid leaves, in an order in which neighbours pair: 7D, 6D and 6S come first."""

KNOWN = Deal.from_text(" ".join(card for row in (*DOCUMENTED_ROWS, TALON) for card in row))
"""The documented pyramid over a talon that is known too."""

WON_CODE = "PY1-N-AAACOKP"
WON_LINE = (
    "D 9C+4C 10S+3C JD+2C QC+AD D D KD D D D QD+AC D D 7H+6C 10H+3S 9H+4S D 7D+6S D JS+2H D 10C+3D D D 7S+6D 8H+5H "
    "KS D D D D D QH+AH 9S+4D D D 10D+3H D D D R D 8C+5S KH KC"
).split()
"""A deal and a line that clears its pyramid, found by random play; it recycles once."""


def stuck() -> tuple[Deal, list[str]]:
    """Return a deal and a line under `pyramide` that uses up stock and waste and leaves eight cards, three aces open.

    Each of the 20 cards of rows 7 to 4 that go is paired with the talon card that is turned when its turn comes; the
    four kings of the talon come last. What stays is rows 1 to 3 and two cards of row 4.
    """
    top = ["QC", "QD", "QH", "2C", "JC", "AH", "AC", "AD"]
    rest = [card for card in DECK if str(card) not in top and card.rank != 13]
    low, high = (
        [card for rank in ranks for card in rest if card.rank == rank] for ranks in (range(1, 7), range(12, 6, -1))
    )
    kings = [Card.parse(f"K{suit}") for suit in "CDHS"]
    # Places 21 to 27 are row 7, 15 to 20 row 6, 10 to 14 row 5; of row 4 go places 8 and 9.
    going = [*range(21, 28), *range(15, 21), *range(10, 15), 8, 9]
    pyramid = [*map(Card.parse, top), *[kings[0]] * 20]
    for place, card in zip(going, low, strict=True):
        pyramid[place] = card
    line = [f"{b}+{a}" for a, b in zip(low, high, strict=True)] + [str(king) for king in kings]
    return Deal.of((*pyramid, *high, *kings)), " D ".join(line).split()
