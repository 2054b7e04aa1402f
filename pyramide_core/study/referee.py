"""The referee: plays a deal by a player's choices. The player is given views and never the position.

Knows no strategy. A game without limit of passes would never end when a player is stuck; the referee calls it off.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pyramide_core.deals import Deal
from pyramide_core.errors import PyramideError
from pyramide_core.messages import _
from pyramide_core.moves import Move, Recycle, Remove
from pyramide_core.position import Position
from pyramide_core.rules import Rules
from pyramide_core.study.view import Dice, View

Player = Callable[[View], Move | None]
"""A strategy: it is given what a player knows and returns one of `view.moves`, or None to give up."""

PATIENCE = 2


class PlayerError(PyramideError):
    """A player that makes a move which is not legal."""


@dataclass(frozen=True)
class Played:
    """A finished game: the moves in order and the position they led to."""

    line: tuple[Move, ...]
    position: Position

    @property
    def won(self) -> bool:
        """Whether the goal was reached."""
        return self.position.is_won

    @property
    def removed(self) -> int:
        """How many of the cards are gone."""
        return len(self.position.deal.cards) - self.position.remaining.bit_count()


def player_name(player: Player) -> str:
    """Return what a player is called in tables: the name of its function, without the ending `_player`."""
    return str(getattr(player, "__name__", type(player).__name__)).removesuffix("_player").strip("_<>")


def play(deal: Deal, rules: Rules, player: Player, *, patience: int = PATIENCE) -> Played:
    """Play a deal to its end by a player's moves.

    The game ends when it is won, when no move is left, when the player gives up, or when `patience` recycles have
    brought no removal and one more would follow. The player's dice depend on its name, the rules and the deal, so that
    a game can be repeated. Raises PlayerError for a move that is not among the legal ones.
    """
    position = Position.start(deal, rules)
    dice = Dice(player_name(player), rules.text, deal.code or deal.text)
    seen = 0
    idle = 0
    line: list[Move] = []
    while not position.is_won:
        seen |= position.remaining & ~position.hidden
        view = View.of(position, seen, dice)
        move = player(view) if view.moves else None
        if move is None or (isinstance(move, Recycle) and idle >= patience):
            break
        if move not in view.moves:
            raise PlayerError(
                _("The player {player} made the move {move}, which is not possible: {reason}").format(
                    player=player_name(player), move=move, reason=position.why_illegal(move) or _("it was not offered.")
                )
            )
        position = position.apply(move)
        idle = 0 if isinstance(move, Remove) else idle + isinstance(move, Recycle)
        line.append(move)
    return Played(tuple(line), position)
