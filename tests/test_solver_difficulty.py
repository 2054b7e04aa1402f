"""The difficulty of a deal: random games counted against exact chances, and what the measure is worth."""

import random
from fractions import Fraction
from functools import cache

import pytest

from pyramide_core import VARIANTS, Deal, Position, Rules
from pyramide_core.moves import Remove
from pyramide_core.solver import Kind, Level, difficulty, find_deal, verdict
from pyramide_core.solver.grading import EASY_FROM, GAMES, HARD_BELOW, Difficulty, measure_text
from pyramide_core.solver.playouts import games_won, load
from tests.brute import small_deal_for, small_rules
from tests.tables import small_deal


def chance_to_win(start: Position) -> Fraction:
    """The exact chance of a random game: as the measure is said in words, through the rules and without its code."""

    @cache
    def chance(position: Position, idle: int) -> Fraction:
        if position.is_won:
            return Fraction(1)
        removals = [move for move in position.legal_moves() if isinstance(move, Remove)]
        alone = [move for move in removals if move.second is None]
        if alone:
            # Which goes first changes nothing: the others stay possible.
            return chance(position.apply(min(alone, key=lambda move: start.deal.place_of[move.first])), 0)
        if removals:
            return sum((chance(position.apply(move), 0) for move in removals), Fraction(0)) / len(removals)
        moves = position.legal_moves()
        if not moves:
            return Fraction(0)
        if position.can_recycle:
            return chance(position.apply(moves[0]), idle + 1) if idle == 0 else Fraction(0)
        return chance(position.apply(moves[0]), idle)

    return chance(start, 0)


@pytest.mark.parametrize("chunk", range(5))
def test_random_games_are_won_as_often_as_they_should_be(chunk: int) -> None:
    games = 1500
    between = 0
    for number in range(chunk, 150, 5):
        chance = random.Random(f"difficulty {number}")
        rules = small_rules(chance)
        start = Position.start(small_deal_for(rules, chance), rules)
        exact = chance_to_win(start)
        won = games_won(start, games)
        # Six standard deviations; chances of 0 and 1 leave no room at all.
        assert abs(won - games * exact) <= 6 * float(games * exact * (1 - exact)) ** 0.5, (rules.text, start.deal.text)
        between += 0 < exact < 1
    assert between


def test_compiled_and_plain_games_are_the_same() -> None:
    starts = [Position.start(Deal.from_seed(seed), rules) for seed, rules in enumerate(VARIANTS.values())]
    for number in range(60):
        chance = random.Random(number)
        rules = small_rules(chance)
        starts.append(Position.start(small_deal_for(rules, chance), rules))
    from pyramide_core.solver import playouts

    kept = playouts._compiled[:]
    playouts._compiled.clear()
    plain = [games_won(start, 40, seed=5) for start in starts]
    playouts._compiled.extend(kept)
    assert load()
    assert [games_won(start, 40, seed=5) for start in starts] == plain
    assert len(set(plain)) > 5


# Levels -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("won", "level"),
    [(0, Level.HARD), (49, Level.HARD), (50, Level.MEDIUM), (149, Level.MEDIUM), (150, Level.EASY), (200, Level.EASY)],
)
def test_the_levels_begin_where_the_explanation_says(won: int, level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyramide_core.solver.grading.games_won", lambda _position, _games: won)
    rules = Rules.parse("mix,layout=pyramid_3")
    found = difficulty(small_deal("KC KD KH KS 5C 8D"), rules)
    assert (found.level, found.won, found.measure) == (level, won, won / 200)
    assert (EASY_FROM, HARD_BELOW, GAMES) == (3 / 4, 1 / 4, 200)
    assert "at least three quarters" in measure_text()
    assert "fewer than a quarter" in measure_text()
    assert "200 games" in measure_text()


def test_a_deal_that_cannot_be_won_is_no_hard_one() -> None:
    found = difficulty(Deal.from_code("PY1-N-AAAAAAJ"), VARIANTS["pyramide"])
    assert (found.level, found.won) == (Level.UNWINNABLE, 0)
    assert found.text == "This deal cannot be won: a search has proved it."


def test_a_deal_without_a_verdict_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyramide_core.solver.grading.VERDICT_LIMIT", 0)
    rules = VARIANTS["thirteen"]
    deals = (Deal.from_seed(seed) for seed in range(200))
    found = next(found for deal in deals if (found := difficulty(deal, rules)).level is not Level.UNWINNABLE)
    assert found.level is Level.UNKNOWN
    assert found.text == "Whether this deal can be won is not known. Of 200 games played at random, 0 were won."


def test_the_words_of_each_level() -> None:
    assert Difficulty(Level.EASY, 180).text == "This deal is easy. Of 200 games played at random, 180 were won."
    assert Difficulty(Level.HARD, 1).text == "This deal is hard. Of 200 games played at random, 1 was won."
    assert len({level.text for level in Level}) == len(Level)


def test_the_levels_are_about_thirds_of_the_winnable_deals_and_agree_with_verdicts() -> None:
    load()
    levels = dict.fromkeys(Level, 0)
    for seed in range(1000, 1400):
        deal = Deal.from_seed(seed)
        level = difficulty(deal, VARIANTS["pyramide"]).level
        assert (level is Level.UNWINNABLE) == (
            verdict(Position.start(deal, VARIANTS["pyramide"])).kind is Kind.UNWINNABLE
        )
        levels[level] += 1
    winnable = levels[Level.EASY] + levels[Level.MEDIUM] + levels[Level.HARD]
    # 263 deals: three standard deviations around a third are 9 percent points.
    assert all(0.24 < levels[level] / winnable < 0.43 for level in (Level.EASY, Level.MEDIUM, Level.HARD))
    assert not levels[Level.UNKNOWN]


def test_what_is_called_hard_has_more_choices_that_lose() -> None:
    """Another measure that uses no random games: how many of the removals along one win would lose the game."""
    load()
    losing: dict[Level, list[int]] = {Level.EASY: [], Level.HARD: []}
    for seed in range(120):
        deal = Deal.from_seed(seed)
        position = Position.start(deal, VARIANTS["pyramide"])
        line = verdict(position).line
        level = difficulty(deal, VARIANTS["pyramide"]).level
        if level not in losing or line is None:
            continue
        count = 0
        for move in line:
            for other in position.legal_moves():
                if other != move and isinstance(other, Remove):
                    count += verdict(position.apply(other)).kind is Kind.UNWINNABLE
            position = position.apply(move)
        losing[level].append(count)
    easy, hard = (sum(counts) / len(counts) for counts in losing.values())
    assert hard > 3 * easy


# A deal to order --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [Level.EASY, Level.MEDIUM, Level.HARD, Level.UNWINNABLE])
def test_a_deal_of_a_level_is_found(level: Level) -> None:
    seeds = iter(range(1000))
    deal = find_deal(VARIANTS["classic"], frozenset({level}), deals=lambda: Deal.from_seed(next(seeds)))
    assert deal is not None
    assert difficulty(deal, VARIANTS["classic"]).level is level
    # It is the first of its level.
    assert deal.seed is not None
    for seed in range(deal.seed):
        assert difficulty(Deal.from_seed(seed), VARIANTS["classic"]).level is not level


def test_the_search_for_a_deal_ends() -> None:
    class Off:
        def is_set(self) -> bool:
            return True

    assert find_deal(VARIANTS["classic"], frozenset({Level.EASY}), cancel=Off()) is None
    assert find_deal(VARIANTS["classic"], frozenset(), tries=2) is None
