"""Players: strategies, each one function from a `View` to a move. Knows no position but imagined ones.

A player of one's own is a function like these; a study takes it as it is.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from pyramide_core.errors import PyramideError
from pyramide_core.messages import N_, _, shorten
from pyramide_core.moves import Move, Remove
from pyramide_core.position import Position
from pyramide_core.rules import Rules
from pyramide_core.study.referee import Player, player_name
from pyramide_core.study.view import View

LOOK_AHEAD_DEPTH = 3
IMAGINED_DEALS = 8
SOLVER_LIMIT = 20_000


class PlayerNameError(PyramideError):
    """A name that no player has."""


def random_player(view: View) -> Move:
    """Make any legal move, each equally likely."""
    return view.dice.choice(view.moves)


def greedy_player(view: View) -> Move | None:
    """Remove whatever can be removed, most pyramid cards first; turn the stock only when nothing can go."""
    return _best_removal(view, lambda move: (_goal_cards(view, move),)) or view.stock_move


def uncover_most_player(view: View) -> Move | None:
    """Make the removal that exposes most cards, then the one that takes most pyramid cards; else turn the stock."""
    return _best_removal(view, lambda move: _uncovering(view, move)) or view.stock_move


def look_ahead_player(view: View) -> Move | None:
    """Try every series of some removals in the head, and begin the one that clears most of the pyramid."""
    return look_ahead(LOOK_AHEAD_DEPTH)(view)


def look_ahead(depth: int) -> Player:
    """Return a player that thinks so many removals ahead.

    It values a series by the cards of the goal that go, then by the cards left exposed, then by being short. A series
    that would free no card of the goal is not begun: such a player keeps its talon cards.
    """

    def player(view: View) -> Move | None:
        position = view.imagine()
        now = _worth(position)
        best: Move | None = None
        best_worth = now
        for move in view.removals:
            worth = _deepest(position.removed(view.mask(move)), depth - 1)
            if worth > best_worth:
                best, best_worth = move, worth
        # With nothing to turn, a removal that gains nothing is still better than none.
        return best or view.stock_move or _best_removal(view, lambda move: _uncovering(view, move))

    player.__name__ = f"look_ahead_{depth}"
    return player


def solver_guided_player(view: View) -> Move | None:
    """Make a move after which the solver still proves a win, as far as one can know which cards lie where.

    Where the answer depends on cards never seen, some ways they may lie are imagined, and the move is taken that wins
    in most of them. In a game known to be lost it plays as `uncover_most_player`.
    """
    from pyramide_core.solver import Kind, verdict

    def is_winnable(position: Position) -> bool:
        return verdict(position, limit=SOLVER_LIMIT).kind is Kind.WINNABLE

    worlds = [world for world in _worlds(view) if is_winnable(world)]
    if not worlds:
        return uncover_most_player(view)
    best: Move | None = None
    most = -1
    removals = sorted(view.removals, key=lambda removal: _uncovering(view, removal), reverse=True)
    others = (move for move in view.moves if not isinstance(move, Remove))
    for move in (*removals, *others):
        wins = sum(is_winnable(world.apply(move)) for world in worlds)
        if wins == len(worlds):
            return move
        if wins > most:
            best, most = move, wins
    return best


PLAYERS: Mapping[str, Player] = MappingProxyType(
    {
        player_name(player): player
        for player in (random_player, greedy_player, uncover_most_player, look_ahead_player, solver_guided_player)
    }
)
"""The players of the project by their names."""

_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "random": N_("Random"),
        "greedy": N_("Greedy"),
        "uncover_most": N_("Uncover most"),
        "look_ahead": N_("Look ahead"),
        "solver_guided": N_("Guided by the solver"),
    }
)


def player_title(name: str) -> str:
    """Return a player's name for people; of a player of one's own, its name as words."""
    return _(_TITLES[name]) if name in _TITLES else name.replace("_", " ").capitalize()


def player_named(name: str) -> Player:
    """Return the player of a name in PLAYERS; raises PlayerNameError."""
    key = name.strip().lower().replace("-", "_").replace(" ", "_")
    if key not in PLAYERS:
        raise PlayerNameError(
            _("There is no player “{name}”. There are: {names}.").format(name=shorten(name), names=", ".join(PLAYERS))
        )
    return PLAYERS[key]


# What the players think with ------------------------------------------------------------------------------------------


def _best_removal(view: View, key: Callable[[Remove], Any]) -> Move | None:
    return max(view.removals, key=key, default=None)


def _goal_cards(view: View, move: Remove) -> int:
    """Return how many cards of the goal a removal takes."""
    mask = view.mask(move)
    return (mask & view.rules.tableau.pyramid if view.rules.goal == "pyramid" else mask).bit_count()


def _uncovering(view: View, move: Remove) -> tuple[int, int]:
    return (view.newly_exposed(move).bit_count(), _goal_cards(view, move))


def _worth(position: Position) -> tuple[int, int]:
    """Return how far a position has come: cards of the goal gone, then cards of the tableau exposed."""
    return (-(position.remaining & position.table.goal).bit_count(), position.exposed.bit_count())


def _deepest(position: Position, depth: int) -> tuple[int, int]:
    """Return the best worth that up to `depth` more removals can reach."""
    best = _worth(position)
    level = [position]
    for _removal in range(depth):
        # The same removals in another order lead to the same cards left.
        following: dict[int, Position] = {}
        for before in level:
            for mask in before.removals():
                if before.remaining & ~mask not in following:
                    following[before.remaining & ~mask] = before.removed(mask)
        level = list(following.values())
        best = max((best, *map(_worth, level)))
    return best


def talon_order_matters(rules: Rules) -> bool:
    """Tell whether it can depend on the order of the talon whether a position can be won.

    Turning one card at a time without limit brings any talon card to the top, in whatever order they come; only pairs
    within the talon then depend on which cards are neighbours.
    """
    meets = rules.drawn_pairs or (rules.talon_pairs and rules.stock_playable)
    return rules.passes is not None or rules.draw_count > 1 or meets


def _worlds(view: View) -> Iterable[Position]:
    hidden_tableau = any(card is None for card in view.cards[: len(view.rules.tableau)])
    if len(view.unseen) < 2 or not (hidden_tableau or talon_order_matters(view.rules)):
        return (view.imagine_plainly(),)
    return tuple(view.imagine() for _world in range(IMAGINED_DEALS))
