"""Hints: whoever follows them wins what can be won, and what they say is true. Compared with plain search."""

import random
import re
import threading
from collections.abc import Iterator

import pytest

from pyramide_core import VARIANTS, Deal, Position, Remove, Rules
from pyramide_core.moves import Draw, Recycle, parse_move
from pyramide_core.solver import Hint, Kind, Limit, Solution, Verdict, hint, hints
from pyramide_core.solver.hint_reasons import HintReason
from pyramide_core.solver.hints import forget_lines
from pyramide_core.tableau import bits
from tests.brute import Explored, TooManyPositionsError, small_deal_for, small_rules
from tests.tables import after, small_deal

SMALL_GAMES = 160


def small_games() -> Iterator[tuple[Position, Explored]]:
    for number in range(SMALL_GAMES):
        chance = random.Random(f"hints {number}")
        rules = small_rules(chance)
        start = Position.start(small_deal_for(rules, chance), rules)
        try:
            yield start, Explored(start, 1500)
        except TooManyPositionsError:
            continue


@pytest.fixture(scope="module")
def games() -> list[tuple[Position, Explored]]:
    return list(small_games())


@pytest.fixture(autouse=True)
def _forget() -> None:
    forget_lines()


def followed(start: Position, most: int = 400) -> list[tuple[Position, Hint]]:
    """Follow hints and nothing else until there is none."""
    position, found = start, []
    for _number in range(most):
        one = hint(position)
        found.append((position, one))
        if one.move is None:
            return found
        position = position.apply(one.move)
    raise AssertionError("hints lead round and round")


# Where they lead --------------------------------------------------------------------------------------------------


def test_hints_win_small_games_in_the_fewest_moves(games: list[tuple[Position, Explored]]) -> None:
    won = 0
    for start, game in games:
        if game.is_winnable(start):
            steps = followed(start)
            assert steps[-1][0].is_won
            assert len(steps) - 1 == game.distance[start]
            assert [step.moves_left for _position, step in steps] == [*range(len(steps) - 1, -1, -1)]
            won += 1
    assert won > 15


def test_a_hint_in_any_position_keeps_the_win_and_takes_the_fastest_way(
    games: list[tuple[Position, Explored]],
) -> None:
    for _start, game in games:
        for position in random.Random(3).sample([*game.moves], min(8, len(game.moves))):
            if game.is_winnable(position) and not position.is_won:
                found = hint(position)
                assert found.move is not None
                assert found.verdict is Kind.WINNABLE
                assert game.distance[position.apply(found.move)] == game.distance[position] - 1


def test_in_a_lost_game_hints_remove_as_many_cards_as_can_go(games: list[tuple[Position, Explored]]) -> None:
    lost = 0
    for start, game in games:
        if not game.is_winnable(start):
            steps = followed(start)
            assert all(step.verdict is Kind.UNWINNABLE for _position, step in steps)
            removed = start.remaining.bit_count() - steps[-1][0].remaining.bit_count()
            assert removed == game.most_removed(start)
            lost += 1
    assert lost > 15


@pytest.mark.parametrize("name", ["pyramide", "classic", "three_passes", "tuts_tomb"])
def test_hints_win_a_deal_of_the_game(name: str) -> None:
    starts = (Position.start(Deal.from_seed(seed), VARIANTS[name]) for seed in range(12))
    start = next(start for start in starts if hint(start).verdict is Kind.WINNABLE)
    assert followed(start)[-1][0].is_won


def test_hints_go_on_with_what_they_began(games: list[tuple[Position, Explored]]) -> None:
    start, _game = next((start, game) for start, game in games if len(followed(start)) > 5)
    forget_lines()
    line = [step.move for _position, step in followed(start)]
    for position, step in followed(start):
        assert hint(position) == step
    assert [step.move for _position, step in followed(start)] == line


def test_without_a_shortest_win_the_win_found_first_is_followed(
    games: list[tuple[Position, Explored]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "solve", lambda position, **limits: Solution(Kind.UNKNOWN, reason=Limit.NODES))
    for start, game in games:
        if game.is_winnable(start):
            steps = followed(start)
            assert steps[-1][0].is_won
            lengths = [step.moves_left for _position, step in steps]
            assert lengths == [*range(len(steps) - 1, -1, -1)]


def test_a_line_is_kept_without_its_detours() -> None:
    rules = Rules.parse("mix,layout=pyramid_3,draws_at_start=0")
    start = Position.start(small_deal("KC KD KH KS 5C 8D 4H"), rules)
    line = [parse_move(text) for text in "D R D R KS 8D+5C D R KH KD KC".split()]
    kept = hints._LINES.keep(start, hints._Purpose.WIN, line)
    assert [*map(str, kept)] == "KS 8D+5C KH KD KC".split()


# What they say ----------------------------------------------------------------------------------------------------


def test_what_a_hint_says_of_the_other_choices_is_true(games: list[tuple[Position, Explored]]) -> None:
    seen = set()
    for start, game in games:
        if not game.is_winnable(start):
            continue
        for position, found in followed(start)[:-1]:
            moves = dict(game.moves[position])
            others = {move: game.is_winnable(following) for move, following in moves.items() if move != found.move}
            seen.add(found.reason)
            if found.reason is HintReason.ONLY:
                assert others
                assert not any(others.values())
            if "Every other choice keeps the win too." in found.text:
                assert others
                assert all(others.values())
            removals = [won for move, won in others.items() if isinstance(move, Remove)]
            if found.text.startswith("Nothing can be removed now."):
                assert not removals
            if "lose the game." in found.text or "loses the game." in found.text:
                assert removals
                assert not any(removals)
            if "Only this pair" not in found.text and found.reason is HintReason.PARTNER:
                assert not all(removals)
    assert {HintReason.ALONE, HintReason.ONLY, HintReason.LAST, HintReason.FREES, HintReason.DRAW} <= seen


def test_the_last_partner_is_the_only_one_in_every_win(games: list[tuple[Position, Explored]]) -> None:
    checked = 0
    for start, game in games:
        if not game.is_winnable(start):
            continue
        for position, found in followed(start)[:-1]:
            if found.reason is not HintReason.LAST:
                continue
            assert isinstance(found.move, Remove)
            sides = []
            for card in found.move.cards:
                pairs = set()
                for before, moves in game.moves.items():
                    if before.remaining & ~position.remaining or not game.is_winnable(before):
                        continue
                    pairs |= {
                        move
                        for move, following in moves
                        if isinstance(move, Remove) and card in move.cards and game.is_winnable(following)
                    }
                sides.append(pairs == {found.move})
            assert any(sides)
            checked += 1
    assert checked


def test_the_draws_until_the_next_card_are_counted(games: list[tuple[Position, Explored]]) -> None:
    counted = 0
    for start, game in games:
        if not game.is_winnable(start):
            continue
        steps = followed(start)
        for number, (_position, found) in enumerate(steps[:-1]):
            match = re.search(r"comes after (\d+) draws|comes with the (next) draw", found.text)
            if match is None:
                continue
            said = int(match[1]) if match[1] else 1
            moves = [step.move for _position, step in steps[number:]]
            turns = next(i for i, move in enumerate(moves) if isinstance(move, Remove))
            draws = [move for move in moves[:turns] if isinstance(move, Draw)]
            assert len(draws) == said
            assert isinstance(moves[0], Recycle) or len(draws) == turns
            counted += 1
    assert counted > 5


def text_of(cards: str, options: str = "", moves: str = "", layout: int = 3) -> tuple[str, str]:
    rules = Rules.parse(f"mix,layout=pyramid_{layout},draws_at_start=0{options}")
    found = hint(after(small_deal(cards), rules, moves))
    return str(found.move), found.text


def test_a_king_needs_nothing() -> None:
    assert text_of("KC KD KH 5C KS 8D") == ("KS", "The king of spades goes alone and needs no other card: take it.")


def test_the_last_partner_is_named() -> None:
    move, text = text_of("KC 9C 4D 5C KS 8D 9H", moves="KS")
    assert (move, text) == (
        "8D+5C",
        "This is the last 8 for the 5 of clubs in row 3. Every other choice keeps the win too.",
    )


def test_the_only_partner_that_is_not_over_or_under_it() -> None:
    # The 5 of clubs lies over the 8 of clubs: it has only the 8 of diamonds.
    move, text = text_of("8C KD KH 5C KS 8D 5D", moves="KS")
    assert move == "8D+5C"
    assert text.startswith("Only this pair wins") or "8♣ lie over or under it." in text


def test_another_partner_would_lose_the_game() -> None:
    # The 5 of clubs must go with the 8 of the pyramid: with the 8 of the stock, the 8 of diamonds would stay.
    move, text = text_of("KC KD KH 5C KS 8D 8H", ",passes=1", moves="KS D")
    assert move == "8D+5C"
    assert "the other choice loses" in text
    assert "After 8♥ + 5♣: No 5 is left for the 8 of diamonds in row 3." in text


def test_nothing_helps_now_but_a_draw() -> None:
    move, text = text_of("KC KD KH 5C 5D 5H 4C 4D 8C 8D 8H")
    assert move == "D"
    assert text == (
        "Nothing can be removed now. Draw a card. The card that is needed next comes after 3 draws. "
        "An exact search looks at all cards, those of the stock too."
    )
    assert "stock too" not in text_of("KC KD KH 5C 5D 5H 4C 4D 8C 8D 8H", ",stock_face_up=yes")[1]


def test_the_waste_is_to_be_turned_over() -> None:
    move, text = text_of("KC KD KH 5C 5D 5H 8C 8D 8H 4C", moves="D*4")
    assert move == "R"
    assert text.startswith("Nothing can be removed now. The stock is empty: turn the waste over.")
    assert "comes with the next draw" in text


def test_cards_that_lie_face_down_are_not_named_as_freed() -> None:
    cards = "KC 9C KH 5C 8D KS 4H 8H 5S"
    every = " Every other choice keeps the win too."
    assert text_of(cards, moves="KS") == ("8D+5C", "This pair frees 2 cards: 9♣, K♥." + every)
    assert text_of(cards, ",face_down=yes", moves="KS") == ("8D+5C", "This pair turns up 2 cards." + every)


def test_a_hint_that_names_cards_face_down_says_how_it_knows_them() -> None:
    named = 0
    rules = Rules.parse("mix,face_down=yes")
    for seed in range(8):
        start = Position.start(Deal.from_seed(seed), rules)
        if hint(start).verdict is not Kind.WINNABLE:
            continue
        for position, found in followed(start):
            hidden = {position.deal.cards[p].symbol for p in bits(position.hidden & position.tableau)}
            is_told = found.text.endswith("An exact search looks at all cards, those that lie face down too.")
            assert is_told or not any(face in found.text for face in hidden)
            named += is_told
    assert named


def test_the_cards_to_light_are_those_of_the_move(games: list[tuple[Position, Explored]]) -> None:
    for start, _game in games[:30]:
        for _position, found in followed(start):
            assert found.cards == (found.move.cards if isinstance(found.move, Remove) else ())


def test_a_lost_game_is_called_lost_with_its_reason() -> None:
    move, text = text_of("8C 8D KH KS 5H KC 5S 5C")
    assert move in ("KS", "KC")
    assert text == (
        "The game can no longer be won. All 2 cards left that pair with the 5 of hearts in row 3 lie under it "
        "(8♣, 8♦): they never meet it. This way 2 more cards go, the most that can."
    )
    _move, text = text_of("8C 8D KH KS 5H KC 5S 5C", moves="KS KC")
    assert text.endswith("No more cards can go.")


def test_a_won_game_needs_no_hint() -> None:
    position = after(small_deal("KC KD KH KS 5C 8D"), Rules.parse("mix,layout=pyramid_3"), "KS 8D+5C KH KD KC")
    found = hint(position)
    assert (found.move, found.text, found.verdict) == (None, "The game is won.", Kind.WINNABLE)


# What is not known ------------------------------------------------------------------------------------------------


def test_what_is_not_known_is_said_and_a_sensible_move_named(
    games: list[tuple[Position, Explored]], monkeypatch: pytest.MonkeyPatch
) -> None:
    unknown = Verdict(Kind.UNKNOWN, reason=Limit.NODES)
    monkeypatch.setattr(hints, "verdict", lambda position, **limits: unknown)
    for start, _game in games[:30]:
        found = hint(start)
        assert found.verdict is Kind.UNKNOWN
        assert found.text.startswith(unknown.text)
        if start.legal_moves():
            assert found.move in start.legal_moves()
            alone = start.available & start.table.alone
            assert not alone or (isinstance(found.move, Remove) and found.move.second is None)


def test_a_sensible_move_is_none_that_is_known_to_lose(games: list[tuple[Position, Explored]]) -> None:
    for start, game in games:
        if game.is_winnable(start) and not start.is_won:
            move = hints.sensible_move(start)
            assert move is not None
            assert game.is_winnable(start.apply(move))


def test_a_hint_that_is_called_off_comes_at_once_and_is_not_kept() -> None:
    off = threading.Event()
    off.set()
    starts = (Position.start(Deal.from_seed(seed), VARIANTS["thirteen"]) for seed in range(100))
    start = next(start for start in starts if hint(start).verdict is Kind.WINNABLE)
    forget_lines()
    found = hint(start, cancel=off)
    assert found.verdict is Kind.UNKNOWN
    assert found.move in start.legal_moves()
    assert hint(start).verdict is Kind.WINNABLE
