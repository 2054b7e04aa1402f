"""Pictures of a position in plain text, for a terminal, a mail or a bug report. Knows no widget and no history."""

import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby

from pyramide_core.cards import Card
from pyramide_core.messages import _
from pyramide_core.position import Position
from pyramide_core.tableau import bits
from pyramide_core.wording import card_face

CARD_WIDTH, CARD_STEP = 3, 4
LINE_WIDTH = 78


def picture(position: Position) -> str:
    """Return the tableau, the waste and the stock as text; every card is told, face down or not.

    A removed card leaves its place empty. The waste's top card stands last, the stock's next card first.

    >>> from pyramide_core import Deal, Rules
    >>> print(picture(Position.start(Deal.from_code("PY1-N-AAAAAAS"), Rules(layout="pyramid_3"))))
         J♦
       6♣  7♥
     A♠  4♦  Q♠
    <BLANKLINE>
    Waste: 5♥
    Stock: 3♦ 6♥ 8♠ K♥ K♣ A♦ K♠ 9♣ Q♣ 2♣ 8♦ 10♦ 10♠ J♠ 7♣ 10♣ 3♥ 4♥ 3♠ K♦ 7♠ 7♦ 2♦
      J♣ 5♣ J♥ A♥ 9♦ 2♥ 5♠ A♣ 9♥ 9♠ Q♥ Q♦ 8♥ 3♣ 6♠ 4♠ 6♦ 4♣ 2♠ 5♦ 10♥ 8♣
    """
    return "\n".join([*_tableau_lines(position), *_talon_lines(position)])


def _tableau_lines(position: Position) -> Iterator[str]:
    tableau = position.table.tableau
    cards = position.deal.cards
    by_height = sorted(bits(tableau.full), key=lambda p: (tableau.places[p].y, tableau.places[p].x))
    before = -1.0
    for y, places in groupby(by_height, key=lambda p: tableau.places[p].y):
        # More than a row's step: what follows is a part of its own.
        if y > before + 1:
            yield ""
        before = y
        line = ""
        for p in places:
            face = card_face(cards[p]) if position.tableau >> p & 1 else ""
            line = line.ljust(round(CARD_STEP * tableau.places[p].x)) + face.rjust(CARD_WIDTH)
        yield line.rstrip()


def _talon_lines(position: Position) -> Iterator[str]:
    table = position.table
    if not table.talon:
        return
    yield ""
    for number, pile in enumerate(position.waste, 1):
        if len(position.waste) == 1:
            yield _listed(_("Waste:"), table.cards(pile))
        else:
            yield _listed(_("Waste pile {number}:").format(number=number), table.cards(pile))
    yield _listed(_("Stock:"), table.cards(position.stock))


def _listed(label: str, cards: Iterable[Card]) -> str:
    faces = " ".join(map(card_face, cards)) or "–"
    return textwrap.fill(f"{label} {faces}", LINE_WIDTH, subsequent_indent="  ")
