"""Moves and their text: a removal, a draw, a recycle. Knows no position: whether a move is legal is not its concern."""

from dataclasses import dataclass

from pyramide_core.cards import Card
from pyramide_core.errors import CardError, MoveTextError
from pyramide_core.messages import _, shorten


@dataclass(frozen=True)
class Remove:
    """The removal of one card that goes alone, or of two; the higher rank stands first.

    Raises MoveTextError when both are the same card.

    >>> str(Remove(Card.parse("3S"), Card.parse("10C")))
    '10C+3S'
    """

    first: Card
    second: Card | None = None

    def __post_init__(self) -> None:
        if self.second == self.first:
            raise MoveTextError(_("A pair is two different cards, not {card} twice.").format(card=self.first.symbol))
        if self.second is not None and (-self.second.rank, self.second.suit) < (
            -self.first.rank,
            self.first.suit,
        ):
            first, second = self.first, self.second
            object.__setattr__(self, "first", second)
            object.__setattr__(self, "second", first)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The one or two cards."""
        return (self.first,) if self.second is None else (self.first, self.second)

    def __str__(self) -> str:
        return "+".join(map(str, self.cards))


@dataclass(frozen=True)
class Draw:
    """Turning the next card or cards of the stock onto the waste."""

    def __str__(self) -> str:
        return "D"


@dataclass(frozen=True)
class Recycle:
    """Putting the waste back as the stock, in the same order."""

    def __str__(self) -> str:
        return "R"


Move = Remove | Draw | Recycle
DRAW, RECYCLE = Draw(), Recycle()


def parse_move(text: str) -> Move:
    """Read a move: `D`, `R`, `KD` or `10C+3S`, cards in any form of `Card.parse`.

    Raises MoveTextError naming the text.

    >>> parse_move("3♠+10♣")
    Remove(first=Card.parse('10C'), second=Card.parse('3S'))
    """
    plain = text.strip()
    if plain.upper() in ("D", "R"):
        return DRAW if plain.upper() == "D" else RECYCLE
    try:
        cards = [Card.parse(part) for part in plain.split("+")]
    except CardError:
        cards = []
    if len(cards) not in (1, 2) or len(set(cards)) < len(cards):
        raise MoveTextError(
            _("“{text}” is not a move: write D (draw), R (recycle), a card such as KD, or two such as 10C+3S.").format(
                text=shorten(text)
            )
        )
    return Remove(*cards)
