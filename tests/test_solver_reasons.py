"""Reasons why a position cannot be won: each one is compared with every way to play on, by plain search."""

import random
import re
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from pyramide_core import VARIANTS, Deal, Position, Remove, Rules
from pyramide_core.solver import Kind, Limit, ReasonKind, Verdict, explain_unwinnable, verdict
from pyramide_core.solver.deductions import Knowledge, by_cases, refutation
from pyramide_core.solver.reasons import followable_reason
from pyramide_core.solver.schedule import schedule
from pyramide_core.tableau import bits
from tests.brute import Explored, TooManyPositionsError, small_deal_for, small_rules
from tests.tables import after, small_deal

SMALL_GAMES = range(260)
CHUNKS = 9


@cache
def explored(number: int) -> tuple[Position, Explored] | None:
    """Return a small game under a mix of options with all that can come of it, None when that is too much."""
    chance = random.Random(f"reasons {number}")
    rules = small_rules(chance)
    if number % 4 == 0:
        rules = replace(rules, passes=1, drawn_pairs=True)
    elif number % 4 == 1:
        rules = replace(rules, cover_pairs=True)
    start = Position.start(small_deal_for(rules, chance), rules)
    try:
        return start, Explored(start, 2500)
    except TooManyPositionsError:
        return None


def games(chunk: int) -> list[tuple[Position, Explored]]:
    found = [explored(number) for number in SMALL_GAMES[chunk::CHUNKS]]
    return [game for game in found if game is not None]


def some(game: Explored, most: int = 30) -> list[Position]:
    """Return some of the positions of a game, the start among them."""
    positions = [position for position in game.moves if not position.is_won]
    return positions[:1] + random.Random(1).sample(positions[1:], min(most, len(positions) - 1)) if positions else []


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_reason_is_given_only_where_no_way_to_play_on_wins(chunk: int) -> None:
    for _start, game in games(chunk):
        for position in some(game):
            reason = followable_reason(position)
            if reason is not None:
                assert not game.is_winnable(position), (position.rules.text, position.deal.text, position, reason)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_chain_of_deductions_of_any_length_refutes_a_position_that_can_be_won(chunk: int) -> None:
    for _start, game in games(chunk):
        for position in some(game, 12):
            if game.is_winnable(position):
                assert refutation(Knowledge(position)) is None
                assert by_cases(Knowledge(position), most_options=4) is None


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_what_is_deduced_holds_in_every_win(chunk: int) -> None:
    """Cards that wait, go not before; and only those go together that are held to be possible partners."""
    facts = 0
    for start, game in games(chunk):
        if not game.is_winnable(start):
            continue
        known = Knowledge(start)
        assert known.refute() is None
        facts += sum(map(int.bit_count, known.before))
        for position, moves in game.moves.items():
            if not game.is_winnable(position):
                continue
            for x in bits(start.remaining & ~position.remaining):
                assert not known.before[x] & position.remaining
            for move, following in moves:
                if isinstance(move, Remove) and move.second is not None and game.is_winnable(following):
                    x, y = (start.deal.place_of[card] for card in move.cards)
                    # A pair that the goal does not need may go on the way to a win; it says nothing of those it needs.
                    assert known.options[x] >> y & 1, (start.rules.text, start.deal.text, str(move))
    assert facts


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_nothing_goes_that_the_generous_play_cannot_take(chunk: int) -> None:
    for start, game in games(chunk):
        gone = 0
        for position in game.moves:
            gone |= start.remaining & ~position.remaining
        assert not gone & ~schedule(start).gone


def test_nearly_every_small_game_that_is_lost_has_a_reason_to_follow() -> None:
    counts = Counter(
        followable_reason(position) is not None
        for chunk in range(CHUNKS)
        for _start, game in games(chunk)
        for position in some(game, 10)
        if not game.is_winnable(position)
    )
    assert counts.total() > 400
    assert counts[True] / counts.total() > 0.95


# Other layouts, towards the end of a game -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["giza", "pharaohs", "triangle", "cheops", "apophis", "tuts_tomb", "thirteen"])
def test_a_reason_is_sound_at_the_end_of_games_on_other_layouts(name: str) -> None:
    checked = reasons = 0
    for number in range(60):
        chance = random.Random(f"{name} {number}")
        rules = VARIANTS[name]
        if number % 2:
            rules = Rules.parse(f"{name},cover_pairs=yes,goal=pyramid,passes=2")
        position = Position.start(Deal.from_seed(chance.randrange(2**35)), rules)
        while (moves := position.legal_moves()) and position.remaining.bit_count() > 12:
            removals = [move for move in moves if isinstance(move, Remove)]
            position = position.apply(chance.choice(removals or moves))
            if not removals and chance.random() < 0.02:
                break
        if position.is_won:
            continue
        reason = followable_reason(position)
        if reason is None:
            continue
        reasons += 1
        try:
            game = Explored(position, 3000)
        except TooManyPositionsError:
            continue
        checked += 1
        assert not game.is_winnable(position), (position, reason)
    assert reasons >= 5
    assert checked


# Deals of the game ------------------------------------------------------------------------------------------------


def test_every_unwinnable_deal_of_the_game_has_a_reason_to_follow() -> None:
    kinds: Counter[ReasonKind | None] = Counter()
    for seed in range(90):
        start = Position.start(Deal.from_seed(seed), VARIANTS["pyramide"])
        winnable = verdict(start).kind is Kind.WINNABLE
        reason = None if winnable and seed % 3 else followable_reason(start)
        assert not (winnable and reason)
        if not winnable:
            kinds[reason.kind if reason else None] += 1
    assert kinds.total() > 20
    assert kinds[None] / kinds.total() < 0.05
    shown = kinds[ReasonKind.LOCKED] + kinds[ReasonKind.COUNT] + kinds[ReasonKind.NO_PARTNER]
    assert shown / kinds.total() > 0.6


# The words --------------------------------------------------------------------------------------------------------


def reason_of(cards: str, options: str = "", moves: str = "") -> tuple[ReasonKind, str]:
    """The reason on a pyramid of three rows: places 0; 1 2; 3 4 5, then the talon."""
    rules = Rules.parse("mix,layout=pyramid_3,draws_at_start=0" + options)
    reason = explain_unwinnable(after(small_deal(cards), rules, moves))
    return reason.kind, reason.text


def test_a_card_without_a_partner() -> None:
    assert reason_of("5H KC KD KH KS 4C 9C") == (ReasonKind.NO_PARTNER, "No 8 is left for the 5 of hearts in row 1.")
    assert reason_of("KC KD KH KS QC 9C QD QH", ",pairing=neighbours") == (
        ReasonKind.NO_PARTNER,
        "No card is left that pairs with the 9 of clubs in row 3.",
    )


def test_cards_of_the_talon_that_do_not_pair_with_each_other() -> None:
    assert reason_of("KC KD KH KS 5C 8D 6H 7H", ",goal=all") == (
        ReasonKind.NO_PARTNER,
        "What could go with the 6 of hearts lies in stock and waste like itself (7♥), and two cards from there do not "
        "pair.",
    )


def test_a_card_under_its_only_partner() -> None:
    assert reason_of("8C KD KH KS 5H KC") == (
        ReasonKind.LOCKED,
        "The only card left that pairs with the 8 of clubs in row 1 lies over it (5♥): the two never meet.",
    )


def test_a_card_over_its_partners() -> None:
    assert reason_of("8C 8D KH KS 5H KC 5S 5C") == (
        ReasonKind.LOCKED,
        "All 2 cards left that pair with the 5 of hearts in row 3 lie under it (8♣, 8♦): they never meet it.",
    )


def test_a_card_between_its_partners() -> None:
    assert reason_of("8C 5H KH KS 8D KC 5S 5C") == (
        ReasonKind.LOCKED,
        "All 2 cards left that pair with the 5 of hearts in row 2 lie over or under it (8♣, 8♦): they never meet it.",
    )


def test_too_few_partners() -> None:
    assert reason_of("KC KD KH 5C 5D 5H 8S") == (
        ReasonKind.COUNT,
        "5♣, 5♦ need a partner each, and only 1 card is left that can be one: 8♠.",
    )
    assert reason_of("8C KD KH 5D 5H KS 8S 5S") == (
        ReasonKind.COUNT,
        "5♦, 5♥ need a partner each, and only 1 card is left that can be one: 8♠. "
        "Over or under them, so that they never meet: 8♣.",
    )


def test_two_cards_that_wait_for_each_other() -> None:
    assert reason_of("KC 6D 8C 5H KS 7C") == (
        ReasonKind.CHAIN,
        "5♥ has to wait for 7♣: all that can go with it lies under that (8♣). "
        "So no partner is left for the 6 of diamonds in row 2. Possible only earlier or later: 7♣.",
    )


def test_no_move_is_left() -> None:
    assert reason_of("KC 6D 8C 5H KS 7C", moves="KS") == (ReasonKind.NO_MOVE, "No move is left.")


def test_an_odd_number_of_cards() -> None:
    assert reason_of(
        "3H 4C 4D 7C 8C 8D 3D 2C 2D", ",pairing=neighbours,goal=all,talon_pairs=yes,stock_playable=yes"
    ) == (ReasonKind.ODD, "3 cards pair only among themselves, so one of them is left over: 7♣, 8♣, 8♦.")


def test_a_partner_that_is_buried_in_the_last_pass() -> None:
    kind, text = reason_of("5H 9C KD KH KS KC 8C 10S 4C", ",passes=1")
    assert kind is ReasonKind.CHAIN
    assert text == (
        "5♥ has to wait for 9♣, which can only go with 4♣. "
        "Once 5♥ is free, 8♣ cannot be reached: 10♠ lies on top and cannot go before. "
        "So no partner is left for the 5 of hearts in row 1. Possible only earlier or later: 8♣."
    )
    # With another pass the 8 comes again.
    assert reason_of("5H 9C KD KH KS KC 8C 10S 4C", ",passes=2")[0] is ReasonKind.WINNABLE


def test_the_order_of_the_stock() -> None:
    assert reason_of("5H 9C KD KH KS KC 8C 10S 4C 4D", ",passes=1") == (
        ReasonKind.ORDER,
        "Even if cards could be used again and again, the 5 of hearts in row 1 would not be free before 4♣ is turned, "
        "and meet none of its partners (8♣) after that.",
    )


def lost_games() -> Iterator[Position]:
    for number in SMALL_GAMES:
        if game := explored(number):
            yield from (position for position in some(game[1]) if not game[1].is_winnable(position))


def test_every_choice_leads_nowhere() -> None:
    cards = "8C 8H 7S 8S 5H 7C 8D 5S 5D 7D 6S 6D"
    buried = "Once 8♣ is free, 5♠, 5♦ cannot be reached: 7♦ lies on top and cannot go before."
    end = (
        "So no partner is left for the 8 of clubs in row 1. Over or under it, so that they never meet: 5♥. "
        "Possible only earlier or later: 5♠, 5♦."
    )
    assert reason_of(cards, ",passes=1") == (
        ReasonKind.CASES,
        "The 7 of spades in row 2 can only go with 6♠, 6♦, and each of these ways fails. "
        f"With 6♠: 8♣ has to wait for 7♣, which can only go with 6♦. {buried} {end} "
        f"With 6♦: 8♣ has to wait for 7♠, which can only go with 6♦. {buried} {end}",
    )


def test_where_no_short_reason_is_found_the_search_is_the_reason() -> None:
    position = next(position for position in lost_games() if followable_reason(position) is None)
    reason = explain_unwinnable(position)
    assert reason.kind is ReasonKind.SEARCHED
    assert not reason.is_followable
    assert reason.text.startswith("A search proves it:")
    assert reason.text.endswith("no way to play on wins.")


def test_what_is_not_lost_is_not_explained_away() -> None:
    start = Position.start(small_deal("KC KD KH KS 5C 8D"), Rules.parse("mix,layout=pyramid_3"))
    assert explain_unwinnable(start).kind is ReasonKind.WINNABLE
    unknown = Verdict(Kind.UNKNOWN, reason=Limit.NODES)
    reason = explain_unwinnable(start, known=unknown)
    assert (reason.kind, reason.text) == (ReasonKind.UNKNOWN, unknown.text)
    assert not reason.is_followable


def test_the_cards_of_a_reason_are_those_it_speaks_of() -> None:
    for position in list(lost_games())[:200]:
        reason = followable_reason(position)
        if reason is not None and reason.kind in (ReasonKind.LOCKED, ReasonKind.COUNT, ReasonKind.CHAIN):
            faces = set(re.findall(r"(?:10|[2-9AJQK])[♣♦♥♠]", reason.text))
            assert faces <= {card.symbol for card in reason.cards}
            assert {position.deal.place_of[card] for card in reason.cards} <= set(bits(position.remaining))


def test_a_search_for_a_reason_that_is_called_off_ends() -> None:
    off = threading.Event()
    off.set()
    position = next(position for position in lost_games() if followable_reason(position) is None)
    assert explain_unwinnable(position, cancel=off).kind in (ReasonKind.UNKNOWN, ReasonKind.SEARCHED)
