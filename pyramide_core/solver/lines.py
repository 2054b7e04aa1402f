"""Lines of play made from what a search found, each one replayed by the rules before anyone sees it."""

from collections.abc import Iterable, Sequence

from pyramide_core.errors import IllegalMoveError
from pyramide_core.moves import DRAW, RECYCLE, Move, Remove
from pyramide_core.position import Position
from pyramide_core.solver.model import model_of
from pyramide_core.tableau import bits


class SolverError(RuntimeError):
    """An answer that the rules do not bear out: a fault of the solver, never shown as an answer."""


def replay(position: Position, line: Iterable[Move]) -> Position:
    """Return the position that a line leads to; raises SolverError when the rules do not allow it."""
    for number, move in enumerate(line, 1):
        if position.is_won:
            raise SolverError(f"move {number} ({move}) comes after the win")  # not a text
        try:
            position = position.apply(move)
        except IllegalMoveError as error:
            raise SolverError(f"move {number}: {error}") from error  # not a text
    return position


def checked_win(position: Position, line: Sequence[Move]) -> tuple[Move, ...]:
    """Return a winning line as it came; raises SolverError when it does not win."""
    if not replay(position, line).is_won:
        raise SolverError("the line does not win")  # not a text
    return tuple(line)


def removal(position: Position, mask: int) -> Remove:
    """Return the move that removes the cards of a mask."""
    return Remove(*position.table.cards(mask))


class Player:
    """Plays removals one after the other, turning the stock until each is possible."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.line: list[Move] = []

    def play(self, move: Move) -> None:
        """Make a move."""
        self.position = self.position.apply(move)
        self.line.append(move)

    def turn(self) -> None:
        """Draw, or recycle an empty stock."""
        self.play(DRAW if self.position.can_draw else RECYCLE)

    def remove(self, mask: int) -> None:
        """Remove the cards of a mask as soon as the stock lets them; raises SolverError when it never does."""
        for _turn in range(3 * len(self.position.deal.cards)):
            if mask in self.position.removals():
                self.play(removal(self.position, mask))
                return
            if not (self.position.can_draw or self.position.can_recycle):
                break
            self.turn()
        raise SolverError(f"{removal(self.position, mask)} never becomes possible")  # not a text


def line_of_removals(position: Position, masks: Iterable[int]) -> tuple[Move, ...]:
    """Return the line that makes these removals in this order, with the draws and recycles between them."""
    player = Player(position)
    for mask in masks:
        player.remove(mask)
    return tuple(player.line)


def line_of_pairs(position: Position, pairs: Iterable[tuple[int, int]]) -> tuple[Move, ...]:
    """Return a winning line where the talon's order is free, from the pairs to be made within the tableau.

    What can go without the talon goes first; the other cards take the first partner that comes along. Only a card
    that belongs to none of the pairs does so, and of each rank just as many as the talon has partners for.
    """
    player = Player(position)
    mate: dict[int, int] = {}
    for a, b in pairs:
        mate[a], mate[b] = b, a
    alone = position.table.alone
    turns = 0
    while not player.position.is_won:
        now = player.position
        mask = _next_removal(now, mate, alone)
        if mask:
            player.play(removal(now, mask))
            turns = 0
        elif turns > 2 * len(position.deal.cards) + 2 or not (now.can_draw or now.can_recycle):
            raise SolverError("the pairs found lead to no win")  # not a text
        else:
            player.turn()
            turns += 1
    return tuple(player.line)


def _next_removal(now: Position, mate: dict[int, int], alone: int) -> int:
    tableau = now.tableau
    meets = 0
    for mask in now.removals():
        places = tuple(bits(mask))
        if mask & alone:
            if mask & tableau or now.rules.goal == "all":
                return mask
            continue
        first, second = places
        if mate.get(first) == second:
            return mask
        in_tableau = (tableau >> first & 1) + (tableau >> second & 1)
        if in_tableau == 1 and not meets and (first if tableau >> first & 1 else second) not in mate:
            meets = mask
    return meets


def removed_count(position: Position, line: Iterable[Move]) -> int:
    """Return how many cards a line removes."""
    return position.remaining.bit_count() - replay(position, line).remaining.bit_count()


def goal_left(position: Position) -> int:
    """Return the mask of the cards that must still go."""
    return position.remaining & model_of(position).table.goal
