"""What holds for every rule set: the named ones, and mixes that nobody has thought of.

Each game is played at random beside the second implementation of tests/naive.py, which has to agree at every step.
"""

import itertools
import random
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramide_core.cards import DECK
from pyramide_core.deals import Deal
from pyramide_core.errors import IllegalMoveError
from pyramide_core.game import UNDO, Game
from pyramide_core.moves import DRAW, RECYCLE, Draw, Recycle, Remove, parse_move
from pyramide_core.position import Outcome, Position
from pyramide_core.rules import VARIANTS, Rules
from pyramide_core.tableau import bits
from pyramide_core.transcript import Transcript
from tests.contract.mixes import deals, mixes
from tests.naive import RULE_SETS, NaiveGame, unspell

CUT_OFF = 120
EVERY_REMOVAL = [Remove(card) for card in DECK] + [Remove(a, b) for a, b in itertools.combinations(DECK, 2)]
chances = st.integers(0, 2**32).map(random.Random)
each_variant = pytest.mark.parametrize("name", VARIANTS)


def pick(game: Game, chance: random.Random):
    """A random legal move; draws and recycles are as likely as all removals together, so that games get deep."""
    moves = game.position.legal_moves()
    others = [move for move in moves if isinstance(move, Draw | Recycle)]
    removals = [move for move in moves if isinstance(move, Remove)]
    return chance.choice(others if others and (not removals or chance.random() < 0.5) else removals)


def naive_twin(deal: Deal, rules: Rules) -> NaiveGame:
    options = RULE_SETS[rules.name] if rules.name else asdict(rules)
    return NaiveGame(list(map(str, deal.cards)), options)


def names(position: Position, mask: int) -> list[str]:
    return [str(card) for card in position.table.cards(mask)]


def assert_same(game: Game, naive: NaiveGame) -> None:
    position = game.position
    assert position.is_won == naive.won()
    assert names(position, position.tableau) == list(naive.table.values())
    assert names(position, position.stock) == naive.stock
    assert [names(position, pile) for pile in position.waste] == naive.piles
    if not position.is_won:
        assert {unspell(str(move)) for move in position.legal_moves()} == naive.moves()
    assert game.score == naive.score()


def assert_conserved(position: Position) -> None:
    """Each of the 52 cards lies in one place, and a waste pile has only talon cards."""
    places = [position.tableau, position.stock, *position.waste]
    seen = [place for mask in places for place in bits(mask)]
    assert len(seen) == len(set(seen))
    assert {position.deal.cards[place] for place in seen} | set(position.foundation) == set(DECK)
    assert len(seen) + len(position.foundation) == len(DECK)
    assert (position.stock | position.wasted) & position.table.tableau.full == 0
    assert position.table.tableau.is_shape(position.tableau)


def play_beside(deal: Deal, rules: Rules, chance: random.Random) -> Game:
    game, naive = Game(deal, rules), naive_twin(deal, rules)
    assert_same(game, naive)
    for _number in range(CUT_OFF):
        if game.outcome is not None:
            break
        before = (game.position, game.score)
        move = pick(game, chance)
        game.play(move)
        naive.play(unspell(str(move)))
        assert_same(game, naive)
        assert_conserved(game.position)
        if game.can_undo and chance.random() < 0.3:
            after = (game.position, game.score)
            assert game.undo().move == move
            assert (game.position, game.score) == before
            game.play(move)
            assert (game.position, game.score) == after
    return game


def assert_end(game: Game) -> None:
    outcome, moves = game.outcome, game.position.legal_moves()
    assert (outcome is Outcome.WON) == game.position.is_won
    assert (outcome is Outcome.DEAD_END) == (not moves and not game.position.is_won)


@each_variant
@settings(max_examples=12)
@given(deals, chances)
def test_play_of_every_named_rule_set_agrees_with_the_second_implementation(name, deal, chance):
    assert_end(play_beside(deal, VARIANTS[name], chance))


@settings(max_examples=100)
@given(mixes(), deals, chances)
def test_play_of_every_mix_agrees_with_the_second_implementation(rules, deal, chance):
    assert_end(play_beside(deal, rules, chance))


def test_the_second_implementation_knows_every_named_rule_set():
    assert list(RULE_SETS) == list(VARIANTS)


@settings(max_examples=50)
@given(mixes().filter(lambda rules: rules.passes is not None and rules.passes < 5), deals, chances)
def test_a_game_of_limited_passes_ends(rules, deal, chance):
    game = Game(deal, rules)
    # Each pass takes at most one draw for each talon card, each pass but the first a recycle, each card one removal.
    for _number in range(rules.passes * (rules.talon_size + 1) + len(DECK)):
        if game.outcome is not None:
            return
        game.play(pick(game, chance))
    assert game.outcome is not None


def reached(rules: Rules, deal: Deal, chance: random.Random, most: int) -> Game:
    game = Game(deal, rules)
    for _number in range(chance.randrange(most)):
        if game.outcome is not None:
            break
        game.play(pick(game, chance))
    return game


def assert_moves_are_all(position: Position) -> None:
    listed = position.legal_moves()
    assert len(set(listed)) == len(listed)
    for move in [*EVERY_REMOVAL, DRAW, RECYCLE]:
        assert position.is_legal(move) == (move in listed)
        assert bool(position.why_illegal(move)) == (move not in listed)
    for move in listed:
        after = position.apply(move)
        assert after != position
        assert parse_move(str(move)) == move
        removed = set(after.foundation) - set(position.foundation)
        assert removed == set(move.cards if isinstance(move, Remove) else ())
    unlisted = next(move for move in EVERY_REMOVAL if move not in listed)
    with pytest.raises(IllegalMoveError, match=str(unlisted).replace("+", r"\+")):
        position.apply(unlisted)


@each_variant
@settings(max_examples=3)
@given(deals, chances)
def test_of_all_conceivable_moves_just_the_listed_ones_apply(name, deal, chance):
    assert_moves_are_all(reached(VARIANTS[name], deal, chance, 60).position)


@settings(max_examples=20)
@given(mixes(), deals, chances)
def test_of_all_conceivable_moves_just_the_listed_ones_apply_in_a_mix(rules, deal, chance):
    assert_moves_are_all(reached(rules, deal, chance, 60).position)


@settings(max_examples=40)
@given(mixes(), deals, chances)
def test_undo_leads_back_as_far_as_the_rules_allow(rules, deal, chance):
    game = Game(deal, rules)
    past = [(game.position, game.score)]
    while len(past) <= 40 and game.outcome is None:
        game.play(pick(game, chance))
        past.append((game.position, game.score))
    if game.position.is_won:
        assert not game.can_undo
        return
    made = len(past) - 1
    moves = game.moves
    allowed = made if rules.undo_limit is None else min(made, rules.undo_limit)
    for number in range(1, allowed + 1):
        assert game.undo().is_action
        assert (game.position, game.score) == past[-1 - number]
    assert not game.can_undo
    assert not game.undo().is_action
    assert game.moves == moves + (allowed if rules.undo_counts else 0)


@given(mixes())
def test_the_text_of_a_rule_set_reads_back(rules):
    assert Rules.parse(rules.text) == rules
    assert Rules.parse(f"  {rules.text.upper()} ") == rules


@settings(max_examples=40)
@given(mixes(), deals, chances)
def test_the_transcript_of_a_game_reads_back_and_replays(rules, deal, chance):
    game = Game(deal, rules)
    for _number in range(60):
        if game.outcome is not None:
            break
        if game.can_undo and chance.random() < 0.2:
            game.undo()
        else:
            game.play(pick(game, chance))
    transcript = Transcript.from_game(game)
    again = Transcript.parse(transcript.write())
    assert again == transcript
    replayed = again.replay()
    assert replayed.position == game.position
    assert (replayed.score, replayed.moves, replayed.undos) == (game.score, game.moves, game.undos)
    assert again.mismatches(replayed) == ()
    assert replayed.log.count(UNDO) == game.undos
