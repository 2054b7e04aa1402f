"""What a player is given and what players do with it: no hidden card ever gets into a view."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramide_core import VARIANTS, Deal, Game, Move, Outcome, Position, Recycle, Rules
from pyramide_core.cards import DECK
from pyramide_core.deals import SEED_COUNT
from pyramide_core.moves import DRAW, RECYCLE, parse_move
from pyramide_core.study.players import (
    PLAYERS,
    PlayerNameError,
    look_ahead,
    player_named,
    player_title,
    talon_order_matters,
)
from pyramide_core.study.referee import PATIENCE, Played, Player, PlayerError, play, player_name
from pyramide_core.study.view import Dice, View
from tests.tables import small_deal

PLAIN = [name for name in PLAYERS if name != "solver_guided"]
seeds = st.integers(0, SEED_COUNT - 1)
rule_sets = st.sampled_from([*VARIANTS.values(), Rules(face_down=True, cover_pairs=True), Rules(draw_count=2)])


# Hidden cards ---------------------------------------------------------------------------------------------------------


def views_of(deal: Deal, rules: Rules, player: Player) -> tuple[list[View], Played]:
    """Return every view that a player is given in a game, and the game."""
    views = []

    def watched(view: View) -> Move | None:
        views.append(view)
        return player(view)

    watched.__name__ = player.__name__
    return views, play(deal, rules, watched)


def seen_places(game: Played, rules: Rules, deal: Deal) -> Iterator[int]:
    """Yield before each move, from the rules page alone, the mask of the places that were face up so far."""
    position = Position.start(deal, rules)
    seen = 0
    for move in (*game.line, None):
        for place in range(len(deal.cards)):
            in_tableau = position.tableau >> place & 1
            covered = in_tableau and place < len(rules.tableau) and rules.tableau.covered_by[place] & position.tableau
            in_stock = position.stock >> place & 1
            is_top = in_stock and not position.stock & ((1 << place) - 1)
            face_up = (
                (in_tableau and not (covered and rules.face_down))
                or any(pile >> place & 1 for pile in position.waste)
                or (in_stock and (rules.stock_face_up or (rules.stock_playable and is_top)))
            )
            seen |= bool(face_up) << place
        yield seen
        if move is not None:
            position = position.apply(move)


@given(seeds, rule_sets, st.sampled_from(PLAIN))
@settings(max_examples=60)
def test_view_holds_just_the_cards_that_were_face_up(seed: int, rules: Rules, name: str) -> None:
    deal = Deal.from_seed(seed)
    views, game = views_of(deal, rules, PLAYERS[name])
    for view, seen in zip(views, seen_places(game, rules, deal), strict=False):
        wanted = tuple(card if seen >> place & 1 else None for place, card in enumerate(deal.cards))
        assert view.cards == wanted
        assert {card for move in view.removals for card in move.cards} <= set(wanted)
        assert set(view.unseen) == set(DECK) - set(wanted)


@given(seeds, rule_sets, st.sampled_from(PLAIN), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_games_that_showed_the_same_cards_give_equal_views(seed: int, rules: Rules, name: str, random: object) -> None:
    """The cards never seen up to some view are dealt anew: all views up to there, and so all moves, stay the same."""
    deal = Deal.from_seed(seed)
    views, game = views_of(deal, rules, PLAYERS[name])
    if not views:
        return
    number = random.randrange(len(views))  # type: ignore[attr-defined]
    view = views[number]
    hidden = [place for place, card in enumerate(view.cards) if card is None]
    cards = list(deal.cards)
    others = [cards[place] for place in hidden]
    random.shuffle(others)  # type: ignore[attr-defined]
    for place, card in zip(hidden, others, strict=True):
        cards[place] = card
    line = iter(game.line[:number])

    def repeating(_view: View) -> Move | None:
        return next(line, None)

    again, _game = views_of(Deal(tuple(cards)), rules, repeating)
    assert again[: number + 1] == views[: number + 1]


def test_view_reaches_no_position_and_no_deal() -> None:
    view = View.of(Position.start(Deal.from_seed(1), VARIANTS["thirteen"]), 0)
    kinds = {type(value) for value in vars(view).values()}
    assert not kinds & {Position, Deal, Game}
    assert view.cards[28:] == (None,) * 24


def test_stock_is_known_after_it_was_turned_once() -> None:
    deal = Deal.from_seed(1)
    stock_views = []

    def turner(view: View) -> Move | None:
        stock_views.append(view.cards[28:])
        return view.stock_move

    play(deal, VARIANTS["thirteen"], turner)
    for turned, cards in enumerate(stock_views):
        assert cards == deal.cards[28 : 28 + turned] + (None,) * (24 - turned)
    views = []

    def second_pass(view: View) -> Move | None:
        views.append(view)
        return view.stock_move

    play(deal, VARIANTS["three_passes"], second_pass)
    first_recycled = next(view for view in views if view.recycles)
    assert first_recycled.cards[28:] == deal.cards[28:]


def test_imagined_position_agrees_with_the_view_and_differs_in_the_rest() -> None:
    deal = Deal.from_seed(5)
    position = Position.start(deal, VARIANTS["pyramid_thirteen"])
    view = View.of(position, 0, Dice("imagine"))
    worlds = [view.imagine() for _world in range(20)]
    for world in worlds:
        assert View.of(world, 0) == view
        assert set(world.deal.cards) == set(DECK)
    assert len({world.deal for world in worlds}) == 20
    known = View.of(position, (1 << 52) - 1)
    assert known.imagine() == position


def test_dice_are_fair_and_the_same_everywhere() -> None:
    dice = Dice("fair")
    counts = [0] * 6
    for _throw in range(6000):
        counts[dice.below(6)] += 1
    # Chi-square with 5 degrees of freedom: 20.5 is its 99.9 % point.
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 20.5
    assert sorted(Dice(1).shuffled("abc")) == ["a", "b", "c"]
    assert [Dice("a").below(1000) for _again in range(2)] == [Dice("a").below(1000)] * 2
    assert Dice("a", "b").below(1 << 60) != Dice("ab").below(1 << 60)


# Games ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
def test_every_player_ends_every_game_with_legal_moves(name: str, rules: Rules) -> None:
    deal = Deal.from_seed(11)
    played = play(deal, rules, PLAYERS[name])
    game = Game(deal, rules)
    for move in played.line:
        game.play(move)  # raises on an illegal one
    assert game.position == played.position
    assert played.won == (game.outcome is Outcome.WON)
    assert played.removed == game.removed
    assert play(deal, rules, PLAYERS[name]) == played


def test_stuck_game_is_called_off_after_idle_recycles() -> None:
    # The rules page: no line of play removes more than 14 cards from this deal, and the stock never ends.
    deal = Deal.from_code("PY1-N-AAAAAAJ")
    played = play(deal, VARIANTS["pyramide"], PLAYERS["greedy"])
    assert not played.won
    assert played.removed <= 14
    last = max(place for place, move in enumerate(played.line) if move not in (DRAW, RECYCLE))
    assert sum(isinstance(move, Recycle) for move in played.line[last + 1 :]) == PATIENCE


def test_illegal_move_is_told() -> None:
    def dreamer(_view: View) -> Move:
        return parse_move("KD+KS")

    with pytest.raises(PlayerError, match=r"The player dreamer made the move KD\+KS, which is not possible: "):
        play(Deal.from_seed(0), VARIANTS["pyramide"], dreamer)


def test_player_may_give_up() -> None:
    def quitter(_view: View) -> None:
        return None

    assert play(Deal.from_seed(0), VARIANTS["pyramide"], quitter).line == ()


# Strategies: one choice each, worked out by hand ----------------------------------------------------------------------

SMALL = Rules(layout="pyramid_3", draws_at_start=1)


def choice(name: str, deal: Deal, rules: Rules, moves: str = "") -> str:
    position = Position.start(deal, rules)
    for move in moves.split():
        position = position.apply(parse_move(move))
    return str(PLAYERS[name](View.of(position, 0, Dice("test"))))


def test_greedy_takes_two_pyramid_cards_before_one() -> None:
    # Row 3: 10 3 5; the waste holds an 8 that could take the 5.
    deal = small_deal("AC 2C 4C 10C 3C 5C 8C 6C")
    assert choice("greedy", deal, SMALL) == "10C+3C"


def test_greedy_turns_the_stock_only_when_nothing_goes() -> None:
    assert choice("greedy", small_deal("AC 2C 4C 10C 9C 5C 6C 7C"), SMALL) == "D"
    assert choice("greedy", small_deal("AC 2C 4C 10C 9C 5C 6C"), SMALL) == "R"


def test_uncover_most_exposes_a_card() -> None:
    # Of 10+3 (the outer two: exposes nothing) and 10+3 (the left two: exposes the 2) the second.
    deal = small_deal("AC 2C 4C 10C 3C 3D 9C 6C")
    assert choice("uncover_most", deal, SMALL) == "10C+3C"
    deal = small_deal("AC 2C 4C 3D 10C 3C 9C 6C")
    assert choice("uncover_most", deal, SMALL) in ("10C+3C", "10C+3D")
    deal = small_deal("AC 2C 4C 10C 5C 3C 8C 6C")
    # Both exposing nothing, two cards of the pyramid go before one.
    assert choice("uncover_most", deal, SMALL) == "10C+3C"


def test_look_ahead_sees_the_series() -> None:
    # Row 3: 9 J 4. Taking 9+4 first strands the jack; the waste 2 with the jack first frees both cards of row 2 in two
    # removals, and then 7+6 and the king go: only the series shows it. Greedy takes two at once.
    deal = small_deal("KC 7C 6C 9C JC 4C 2C 5C")
    assert choice("look_ahead", deal, SMALL) in ("JC+2C", "9C+4C")
    played = play(deal, SMALL, look_ahead(4))
    assert played.won
    assert len(played.line) == 4


def test_look_ahead_keeps_a_talon_pair_that_the_goal_does_not_need() -> None:
    rules = replace(SMALL, talon_pairs=True, stock_playable=True, draws_at_start=1)
    # Waste 10, stock top 3: they could go together, but no card of the pyramid would.
    deal = small_deal("AC 2C 4C 5C 9C 6C 10C 3C JC")
    assert choice("look_ahead", deal, rules) == "D"
    assert choice("greedy", deal, rules) == "10C+3C"


def test_random_makes_each_move_about_as_often() -> None:
    view = View.of(Position.start(Deal.from_seed(18), VARIANTS["pyramide"]), 0, Dice("often"))
    counts = {str(move): 0 for move in view.moves}
    for _throw in range(300 * len(counts)):
        counts[str(PLAYERS["random"](view))] += 1
    assert len(counts) > 2
    assert all(200 < count < 400 for count in counts.values())


def test_players_have_names_and_titles() -> None:
    assert list(PLAYERS) == ["random", "greedy", "uncover_most", "look_ahead", "solver_guided"]
    assert player_named(" Uncover-most ") is PLAYERS["uncover_most"]
    assert player_name(look_ahead(5)) == "look_ahead_5"
    assert player_title("my_own") == "My own"
    with pytest.raises(PlayerNameError, match=r"There is no player “cheater”\. There are: random, greedy,"):
        player_named("cheater")


@pytest.mark.parametrize(
    ("rules", "matters"),
    [
        (VARIANTS["pyramide"], False),
        (VARIANTS["classic"], False),
        (VARIANTS["thirteen"], True),
        (VARIANTS["tuts_tomb"], True),
        (Rules(drawn_pairs=True), True),
        (Rules(stock_playable=True, talon_pairs=True), True),
        (Rules(stock_playable=True), False),
    ],
)
def test_when_the_order_of_the_talon_matters(rules: Rules, matters: bool) -> None:
    assert talon_order_matters(rules) is matters
