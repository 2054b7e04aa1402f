"""The review of a game: what it says of each move, compared with plain search from every position."""

import random
import threading

import pytest

from pyramide_core import VARIANTS, Deal, Position, Remove, Rules
from pyramide_core.errors import IllegalMoveError
from pyramide_core.moves import Move, parse_move
from pyramide_core.solver import Kind, Limit, Solution, Verdict, review, reviewing, verdict
from pyramide_core.solver.reviewing import Review
from tests.brute import Explored, TooManyPositionsError, small_deal_for, small_rules
from tests.lines import WON_CODE, WON_LINE
from tests.tables import small_deal, spelled_out


def played(chance: random.Random, start: Position, most: int = 30) -> tuple[list[Move], list[Position]]:
    """Play at random, removals oftener than not."""
    line: list[Move] = []
    positions = [start]
    while len(line) < most and not positions[-1].is_won and (moves := positions[-1].legal_moves()):
        removals = [move for move in moves if isinstance(move, Remove)]
        line.append(chance.choice(removals if removals and chance.random() < 0.7 else moves))
        positions.append(positions[-1].apply(line[-1]))
    return line, positions


@pytest.mark.parametrize("chunk", range(4))
def test_each_move_is_judged_as_plain_search_judges_it(chunk: int) -> None:
    losing = wasteful = 0
    for number in range(chunk, 160, 4):
        chance = random.Random(f"review {number}")
        rules = small_rules(chance)
        start = Position.start(small_deal_for(rules, chance), rules)
        try:
            game = Explored(start, 2000)
        except TooManyPositionsError:
            continue
        line, positions = played(chance, start)
        found = review(start.deal, rules, line)
        assert found.won == positions[-1].is_won
        assert found.shortest.length == game.distance.get(start)
        kinds = [Kind.WINNABLE if game.is_winnable(position) else Kind.UNWINNABLE for position in positions]
        assert [move.before for move in found.moves] == kinds[:-1]
        assert [move.after for move in found.moves] == kinds[1:]
        lengths = [game.distance.get(position) for position in positions]
        assert [move.shortest_before for move in found.moves] == lengths[:-1]
        assert [move.shortest_after for move in found.moves] == lengths[1:]
        first = next((i for i, kind in enumerate(kinds) if kind is Kind.UNWINNABLE), 0)
        assert (found.first_losing.number if found.first_losing else 0) == first
        losing += first > 0
        wasteful += len(found.wasteful)
        assert (found.reason != "") == (Kind.UNWINNABLE in kinds)
    assert losing
    assert wasteful


def test_a_game_won_in_the_fewest_moves_wastes_none() -> None:
    rules = Rules.parse("mix,layout=pyramid_3,draws_at_start=0")
    line = [parse_move(text) for text in "KS 8D+5C KH KD KC".split()]
    found = review(small_deal("KC KD KH KS 5C 8D 4H"), rules, line)
    assert not found.wasteful
    assert found.first_losing is None
    assert found.texts == ("The shortest win takes 5 moves.", "Your win took 5 moves. There is no shorter win.")


def test_a_detour_is_named() -> None:
    rules = Rules.parse("mix,layout=pyramid_3,draws_at_start=0")
    line = [parse_move(text) for text in "D KS 8D+5C KH KD KC".split()]
    found = review(small_deal("KC KD KH KS 5C 8D 4H"), rules, line)
    assert [move.wasted for move in found.moves] == [1, 0, 0, 0, 0, 0]
    assert found.texts == (
        "The shortest win takes 5 moves.",
        "Your win took 6 moves. That is 1 move more than the fewest.",
        "Move 1 made the way 1 move longer (draw).",
    )


def test_the_move_that_lost_the_game_is_named_with_its_reason() -> None:
    rules = Rules.parse("mix,layout=pyramid_3,draws_at_start=0")
    line = [parse_move(text) for text in "KS D 8H+5C".split()]
    found = review(small_deal("KC KD KH 5C KS 8D 8H"), rules, line)
    assert found.first_losing is not None
    assert (found.first_losing.number, found.first_losing.is_losing) == (3, True)
    assert found.texts[1] == (
        "Move 3 lost the game (8 of hearts and 5 of clubs): before it the game could still be won. "
        "No 5 is left for the 8 of diamonds in row 3."
    )


def test_a_deal_that_cannot_be_won_is_nobodys_fault() -> None:
    deal = Deal.from_code("PY1-N-AAAAAAJ")
    found = review(deal, VARIANTS["pyramide"], [parse_move(text) for text in "KC KS D".split()])
    assert found.first_losing is None
    assert found.texts == (
        "This deal cannot be won. All 4 cards left that pair with the 4 of clubs in row 7 lie under it "
        "(9♦, 9♣, 9♠, 9♥): they never meet it.",
    )


def test_a_whole_game_of_the_game() -> None:
    line = [parse_move(text) for text in spelled_out(" ".join(WON_LINE))]
    deal, rules = Deal.from_code(WON_CODE), VARIANTS["pyramide"]
    found = review(deal, rules, line)
    assert found.won
    assert found.shortest.length is not None
    # Each wasted move is one that the fewest moves do without, so together they make the difference.
    assert sum(move.wasted or 0 for move in found.moves) == len(line) - found.shortest.length
    assert all(move.wasted is not None and move.wasted >= 0 for move in found.moves)
    assert len(found.texts) <= 3 + reviewing.MOST_SAID


def test_a_game_that_goes_on_can_be_reviewed() -> None:
    found = review(Deal.from_code(WON_CODE), VARIANTS["pyramide"], [])
    assert found.moves == ()
    assert found.texts[0].startswith("The shortest win takes ")
    found = review(Deal.from_code(WON_CODE), VARIANTS["pyramide"], [parse_move("D")])
    assert found.texts[1] == "As it stands, the game can still be won."


def test_a_line_that_is_not_legal_is_refused() -> None:
    with pytest.raises(IllegalMoveError):
        review(Deal.from_code(WON_CODE), VARIANTS["pyramide"], [parse_move("R")])


def lost_line() -> tuple[Deal, Rules, list[Move]]:
    """A game of the main rules that was lost on the way."""
    rules = VARIANTS["pyramide"]
    for seed in range(100):
        start = Position.start(Deal.from_seed(seed), rules)
        line, positions = played(random.Random(seed), start, 60)
        if verdict(start).kind is Kind.WINNABLE and verdict(positions[-1]).kind is Kind.UNWINNABLE:
            return start.deal, rules, line
    raise AssertionError("no game was lost")


def test_what_is_not_known_is_counted_and_no_move_blamed_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    deal, rules, line = lost_line()
    full = review(deal, rules, line)
    assert full.first_losing is not None
    number = full.first_losing.number
    unknown = Verdict(Kind.UNKNOWN, reason=Limit.NODES)
    positions = [Position.start(deal, rules)]
    for move in line:
        positions.append(positions[-1].apply(move))
    dark = set(positions[number - 2 : number + 2])
    monkeypatch.setattr(
        reviewing, "verdict", lambda position, **_limits: unknown if position in dark else verdict(position)
    )
    found = review(deal, rules, line)
    assert found.first_losing is None
    assert 0 < found.unknown <= len(dark)
    for one, other in zip(found.moves, full.moves, strict=True):
        assert one.after in (other.after, Kind.UNKNOWN)
    assert any("it is not known whether" in text for text in found.texts)
    assert any(text.startswith("At the end the game could no longer be won.") for text in found.texts)


def test_without_time_nothing_is_claimed() -> None:
    deal, rules, line = lost_line()
    found = review(deal, rules, line, seconds=-1)
    assert found.first_losing is None
    assert found.unknown
    assert all(move.after in (Kind.UNKNOWN, Kind.WINNABLE) for move in found.moves)


def test_a_review_can_be_called_off() -> None:
    off = threading.Event()
    off.set()
    deal, rules, line = lost_line()
    found = review(deal, rules, line, cancel=off)
    assert isinstance(found, Review)
    assert len(found.moves) == len(line)
    assert found.texts


def test_an_unknown_shortest_win_is_called_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewing, "solve", lambda position, **_limits: Solution(Kind.UNKNOWN, reason=Limit.NODES))
    line = [parse_move(text) for text in spelled_out(" ".join(WON_LINE))]
    found = review(Deal.from_code(WON_CODE), VARIANTS["pyramide"], line)
    assert found.texts == (
        Solution(Kind.UNKNOWN, reason=Limit.NODES).text,
        f"Your win took {len(line)} moves.",
    )
    assert all(move.wasted is None for move in found.moves)
