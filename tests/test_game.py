"""A game under the `pyramide` rules, touch by touch: the words of the rules page, and a plain model of them."""

import random
from collections.abc import Iterable
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pyramide_core import (
    VARIANTS,
    Card,
    Deal,
    EventKind,
    Game,
    IllegalMoveError,
    MoveTextError,
    Outcome,
    Position,
    Recycle,
    Remove,
    Suit,
)
from pyramide_core.cards import DECK
from tests import plain_pyramide as plain

PYRAMIDE = VARIANTS["pyramide"]
SUM, BLOCKED, NO_MOVES = "The sum must be 13", "This card is blocked by another card", "No more moves can be made"


class Time:
    """A time that passes only when told."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def card(text: str) -> Card:
    return Card.parse(text)


def new_game(code: str = "PY1-N-AAAAAAS", **options: bool) -> Game:
    return Game(Deal.from_code(code), PYRAMIDE, **options)


def touch(game: Game, *texts: str) -> list[EventKind]:
    return [game.touch(card(text)).kind for text in texts]


def pyramid(game: Game) -> set[str]:
    return {*map(str, game.position.table.cards(game.position.tableau))}


def stock(game: Game) -> list[str]:
    return [*map(str, game.position.table.cards(game.position.stock))]


def waste(game: Game) -> list[str]:
    return [*map(str, game.position.table.cards(game.position.waste[0]))]


def picture(game: Game) -> tuple[object, ...]:
    """All that a player can see of a game, the move counter left out."""
    return pyramid(game), stock(game), waste(game), game.score


# The documented opening -----------------------------------------------------------------------------------------------


def test_the_start() -> None:
    game = new_game()
    assert len(pyramid(game)) == 28
    assert waste(game) == ["7D"]
    assert len(stock(game)) == 23
    assert (game.score, game.moves, game.selected, game.outcome) == (0, 0, None, None)
    assert not game.can_undo
    available = {str(c) for c in DECK if game.position.is_available(c)}
    assert available == {"7C", "10C", "3H", "4H", "3S", "KD", "7S", "7D"}


def test_documented_play() -> None:
    game = new_game()
    first = game.touch(card("KD"))
    assert (first.kind, str(first.move), first.points) == (EventKind.REMOVED, "KD", 10)
    assert touch(game, "10C", "3S") == [EventKind.SELECTED, EventKind.REMOVED]
    assert (game.score, game.moves, game.selected) == (30, 2, None)
    assert [*map(str, game.line)] == ["KD", "10C+3S"]
    bottom = {str(c) for c in game.deal.cards[21:28]}
    assert pyramid(game) & bottom == {"7C", "3H", "4H", "7S"}
    assert len(stock(game)) == 23
    assert waste(game) == ["7D"]


# Touching -------------------------------------------------------------------------------------------------------------


def test_after_a_wrong_sum_the_second_card_stays_selected() -> None:
    game = new_game()
    game.touch(card("7C"))
    event = game.touch(card("7S"))
    assert (event.kind, event.message, event.is_action) == (EventKind.WRONG_PAIR, SUM, False)
    assert game.selected == card("7S")
    # And the next touch is judged with that second card: 10 goes with 3, not with 7.
    assert touch(game, "10C", "3H") == [EventKind.WRONG_PAIR, EventKind.REMOVED]
    assert (game.moves, game.score) == (1, 20)


@pytest.mark.parametrize("error_help", [False, True])
def test_the_sum_message_needs_no_error_help(error_help: bool) -> None:
    game = new_game(error_help=error_help)
    game.touch(card("7C"))
    assert game.touch(card("7D")).message == SUM
    assert game.selected == card("7D")


def test_a_touch_on_the_selected_card_lets_it_go() -> None:
    game = new_game()
    before = picture(game)
    assert touch(game, "10C", "10C") == [EventKind.SELECTED, EventKind.RELEASED]
    assert game.selected is None
    assert touch(game, "3S") == [EventKind.SELECTED]
    assert picture(game) == before
    assert game.moves == 0


@pytest.mark.parametrize("selected", [None, "10C"])
@pytest.mark.parametrize("error_help", [False, True])
def test_a_blocked_card_does_nothing(error_help: bool, selected: str | None) -> None:
    game = new_game(error_help=error_help)
    if selected:
        game.touch(card(selected))
    before = picture(game)
    for blocked in ("QC", "JD", "KH", "KS"):
        event = game.touch(card(blocked))
        assert (event.kind, event.message) == (EventKind.BLOCKED, BLOCKED if error_help else "")
        assert (picture(game), game.moves) == (before, 0)
        assert game.selected == (card(selected) if selected else None)


def test_error_help_can_be_switched_in_mid_game() -> None:
    game = new_game()
    assert game.touch(card("QC")).message == ""
    game.error_help = True
    assert game.touch(card("QC")).message == BLOCKED


def test_a_waste_card_under_another_is_blocked_too() -> None:
    game = new_game(error_help=True)
    game.touch_stock()
    event = game.touch(card("7D"))
    assert (event.kind, event.message) == (EventKind.BLOCKED, BLOCKED)


def test_a_removed_card_does_nothing() -> None:
    game = new_game(error_help=True)
    touch(game, "KD")
    event = game.touch(card("KD"))
    assert (event.kind, event.message) == (EventKind.NOTHING, "")


def test_a_card_with_one_coverer_left_is_still_blocked() -> None:
    game = new_game()
    # 10S lies under 3S and KD, JS under KD and 7S.
    assert touch(game, "KD", "10S", "JS") == [EventKind.REMOVED, EventKind.BLOCKED, EventKind.BLOCKED]
    assert touch(game, "3S", "10C") == [EventKind.SELECTED, EventKind.REMOVED]
    assert touch(game, "10S") == [EventKind.SELECTED]


def test_a_card_never_goes_with_the_card_that_covers_it() -> None:
    # The only coverer left of 10S (row 6) is 3S once KD is gone; 10 and 3 make 13 all the same.
    game = new_game()
    touch(game, "KD")
    with pytest.raises(IllegalMoveError):
        game.play("10S+3S")
    assert touch(game, "3S", "10S") == [EventKind.SELECTED, EventKind.BLOCKED]
    assert "10S" in pyramid(game)


def deal_with(*tops: str, talon: Iterable[str] = ()) -> Deal:
    """Return a full deal with these cards at the end of the pyramid's bottom row and these first in the talon."""
    chosen = [*map(card, tops)]
    turned = [*map(card, talon)]
    rest = [c for c in DECK if c not in chosen and c not in turned]
    room = 28 - len(chosen)
    return Deal.of([*rest[:room], *chosen, *turned, *rest[room:]])


def test_a_drawn_card_never_goes_with_the_waste_card_that_it_covers() -> None:
    game = Game(deal_with("2C", talon=["6H", "7H"]), PYRAMIDE)
    assert waste(game) == ["6H"]
    game.touch(card("6H"))
    game.touch_stock()
    assert waste(game) == ["6H", "7H"]
    assert game.selected is None
    assert touch(game, "7H", "6H") == [EventKind.SELECTED, EventKind.BLOCKED]
    with pytest.raises(IllegalMoveError):
        game.play("7H+6H")
    assert waste(game) == ["6H", "7H"]


def test_a_king_goes_at_one_touch_from_pyramid_and_waste() -> None:
    game = Game(deal_with("KS", talon=["KH", "4C", "KC"]), PYRAMIDE)
    event = game.touch(card("KH"))
    assert (event.kind, event.points, waste(game)) == (EventKind.REMOVED, 0, [])
    event = game.touch(card("KS"))
    assert (event.kind, event.points) == (EventKind.REMOVED, 10)
    game.touch_stock()
    game.touch_stock()
    assert waste(game) == ["4C", "KC"]
    assert touch(game, "KC") == [EventKind.REMOVED]
    assert waste(game) == ["4C"]
    assert (game.score, game.moves) == (10, 5)


def test_a_blocked_king_stays() -> None:
    game = new_game()
    assert touch(game, "KH", "KC", "KS") == [EventKind.BLOCKED] * 3
    assert {"KH", "KC", "KS"} <= pyramid(game)


@pytest.mark.parametrize(
    ("first", "second"), ["A Q".split(), "2 J".split(), "3 10".split(), "4 9".split(), "5 8".split(), "6 7".split()]
)
@pytest.mark.parametrize("suits", ["CC", "CS", "DH"])
def test_the_six_pairs_go_whatever_their_suits(first: str, second: str, suits: str) -> None:
    low, high = first + suits[0], second + suits[1]
    for here, there in ((low, high), (high, low)):
        game = Game(deal_with(low, high), PYRAMIDE)
        assert touch(game, here, there) == [EventKind.SELECTED, EventKind.REMOVED]
        assert (game.score, game.removed) == (20, 2)
        game = Game(deal_with(here, talon=[there]), PYRAMIDE)
        assert touch(game, there, here) == [EventKind.SELECTED, EventKind.REMOVED]
        assert (game.score, game.removed, waste(game)) == (10, 2, [])


def test_a_pair_lets_the_waste_card_below_be_played() -> None:
    game = Game(deal_with("9C", "9D", talon=["4H", "4S"]), PYRAMIDE)
    game.touch_stock()
    touch(game, "4S", "9C")
    assert waste(game) == ["4H"]
    assert touch(game, "9D", "4H") == [EventKind.SELECTED, EventKind.REMOVED]


def test_a_selection_lasts_while_its_card_can_be_played() -> None:
    # A player who holds a card looks for its partner: drawing, a king on the way or an undo must not take it from him.
    game = Game(deal_with("KS", "9C", "8C", talon=["5H", "KH", "4S"]), PYRAMIDE)
    game.touch(card("9C"))
    game.touch_stock()
    assert game.selected == card("9C")
    assert touch(game, "KH", "KS") == [EventKind.REMOVED, EventKind.REMOVED]
    assert game.selected == card("9C")
    game.touch_stock()
    game.undo()
    assert game.selected == card("9C")
    game.touch_stock()
    assert touch(game, "4S") == [EventKind.REMOVED]
    assert game.selected is None
    # A waste card that gets covered, or goes back to the stock, can be played no more.
    game.touch(card("5H"))
    game.touch_stock()
    assert game.selected is None
    while game.position.can_draw:
        game.touch_stock()
    game.touch(card(waste(game)[-1]))
    game.touch_stock()
    assert game.selected is None


def test_an_undo_lets_a_card_go_that_is_covered_again() -> None:
    game = new_game()
    touch(game, "KD", "3S", "10C", "10S")
    assert game.selected == card("10S")
    game.undo()
    assert game.selected is None


# Stock and waste ------------------------------------------------------------------------------------------------------


def test_the_stock_can_be_touched_at_any_time() -> None:
    game = new_game()
    order = stock(game)
    first = game.touch_stock()
    assert (first.kind, first.points, waste(game)) == (EventKind.DREW, 0, ["7D", order[0]])
    touch(game, "KD", "10C")
    assert game.touch_stock().kind is EventKind.DREW
    assert waste(game) == ["7D", *order[:2]]
    assert (game.moves, game.score) == (3, 10)


def test_a_recycle_brings_the_same_cards_in_the_same_order_without_limit() -> None:
    game = new_game()
    everything = waste(game) + stock(game)
    positions = set()
    for _pass in range(30):
        while game.position.can_draw:
            assert game.touch_stock().kind is EventKind.DREW
        assert waste(game) == everything
        moves = game.moves
        event = game.touch_stock()
        assert (event.kind, event.points, event.message) == (EventKind.RECYCLED, 0, "")
        assert game.moves == moves + 1
        assert (stock(game), waste(game)) == (everything, [])
        # The same cards in the same places are the same position, however often the stock was gone through.
        positions.add(game.position)
    assert len(positions) == 1
    assert game.recycles == 30
    assert (game.score, game.outcome) == (0, None)


def test_a_recycle_leaves_out_the_cards_that_went() -> None:
    game = Game(deal_with("9C", talon=["5H", "4S", "6D"]), PYRAMIDE)
    everything = waste(game) + stock(game)
    game.touch_stock()
    touch(game, "4S", "9C")
    while game.position.can_draw:
        game.touch_stock()
    game.touch_stock()
    assert stock(game) == [text for text in everything if text != "4S"]


# The end --------------------------------------------------------------------------------------------------------------


# Deals that the plain search wins at once.
WINNABLE = (0, 1, 7, 8, 10, 11, 13, 15, 16, 17, 18)


@cache
def winning_line(seed: int) -> list[str]:
    line = plain.win(tuple(map(str, Deal.from_seed(seed).cards)))
    assert line is not None
    return line


@pytest.mark.parametrize("seed", WINNABLE)
def test_every_won_game_has_280_points_and_ends_at_once(seed: int) -> None:
    time = Time()
    game = Game(Deal.from_seed(seed), PYRAMIDE, now=time)
    line = winning_line(seed)
    for number, move in enumerate(line, 1):
        assert game.outcome is None
        time.seconds += 1
        event = game.play(move)
        assert (event.outcome is Outcome.WON) == (number == len(line))
    assert (game.score, game.moves, game.outcome, event.message) == (280, len(line), Outcome.WON, "You have won!")
    assert pyramid(game) == set()
    assert game.removed == 52 - len(stock(game)) - len(waste(game))
    assert time.seconds - 1 == game.clock.elapsed
    assert not game.clock.is_running
    # Nothing moves any more, whatever is left.
    before = picture(game)
    for c in (*DECK, None):
        event = game.touch(c) if c else game.touch_stock()
        assert (event.kind, event.is_action) == (EventKind.NOTHING, False)
    assert not game.can_undo
    assert game.undo().kind is EventKind.NOTHING
    with pytest.raises(IllegalMoveError):
        game.play("D")
    assert (picture(game), game.moves) == (before, len(line))


def test_some_won_games_leave_cards_in_stock_and_waste() -> None:
    left = []
    for seed in WINNABLE:
        game = Game(Deal.from_seed(seed), PYRAMIDE)
        game.replay(winning_line(seed))
        left.append((len(stock(game)), len(waste(game))))
    assert any(stock_left for stock_left, _waste in left)
    assert any(waste_left for _stock, waste_left in left)


# Eight cards stay at the top of the pyramid: places 0 to 7, of which 5, 6 and 7 lie free at last. Below them lie the other
# cards from ace to 6, and the talon has a partner for each of these and the four kings.
STAY = "2D QC QD JC JD AC AD 2C".split()
# Here two of the three that lie free at last, A and Q, go together.
STAY_BUT_FOR_A_PAIR = "2D AD QD JC JD AC QC 2C".split()


def deal_of_which_stay(stay: list[str], seed: int) -> Deal:
    top = [*map(card, stay)]
    others = random.Random(seed).sample([c for c in DECK if c not in top], 44)
    return Deal.of([*top, *(c for c in others if c.rank <= 6), *(c for c in others if c.rank > 6)])


def play_all_but(game: Game, stay: list[str]) -> list[str]:
    """Play until only the named cards are left and return each message on the way."""
    messages = []
    while pyramid(game) | {*stock(game)} | {*waste(game)} != {*stay}:
        top = card(waste(game)[-1]) if waste(game) else None
        partners = [c for c in map(card, pyramid(game) - {*stay}) if top and c.rank + top.rank == 13]
        free = [c for c in partners if game.position.is_available(c)]
        if top and top.rank == 13:
            event = game.touch(top)
        elif top and free:
            game.touch(top)
            event = game.touch(free[0])
        else:
            event = game.touch_stock()
        assert event.is_action
        messages.append(event.message)
    return messages


@pytest.mark.parametrize("seed", range(3))
def test_a_dead_end_is_said_only_when_stock_and_waste_are_empty(seed: int) -> None:
    time = Time()
    game = Game(deal_of_which_stay(STAY, seed), PYRAMIDE, now=time)
    assert Deal.from_code(game.deal.code) == game.deal
    time.seconds = 60
    game.touch_stock()
    time.seconds = 90
    messages = play_all_but(game, STAY)
    # 20 pairs and 4 kings are gone; the last of these moves was the first that was told anything.
    assert messages[-1] == NO_MOVES
    assert {*messages[:-1]} == {""}
    assert game.outcome is Outcome.DEAD_END
    assert (game.removed, game.score, stock(game), waste(game)) == (44, 200, [], [])
    time.seconds = 500
    assert (game.clock.elapsed, game.clock.is_running) == (30, False)
    # Nothing can be touched any more, but the last action can be taken back, and then the game and its clock go on.
    moves = game.moves
    assert touch(game, "AC", "2C") == [EventKind.NOTHING] * 2
    assert game.touch_stock().kind is EventKind.NOTHING
    undone = game.undo()
    assert undone.kind is EventKind.UNDONE
    assert (game.outcome, game.moves, game.clock.is_running) == (None, moves, True)
    time.seconds = 510
    assert game.clock.elapsed == 40
    assert undone.move is not None
    again = game.play(undone.move)
    assert (again.message, again.outcome, game.clock.is_running) == (NO_MOVES, Outcome.DEAD_END, False)


def test_while_a_pair_is_left_there_is_no_dead_end() -> None:
    game = Game(deal_of_which_stay(STAY_BUT_FOR_A_PAIR, 0), PYRAMIDE)
    assert {*play_all_but(game, STAY_BUT_FOR_A_PAIR)} == {""}
    assert (stock(game), waste(game), game.outcome) == ([], [], None)
    game.touch(card("QC"))
    event = game.touch(card("AC"))
    assert (event.message, event.outcome, event.points) == (NO_MOVES, Outcome.DEAD_END, 20)


def test_while_a_king_is_left_there_is_no_dead_end() -> None:
    lows = [c for c in DECK if c.rank < 7]
    game = Game(Deal.of([*map(card, ["KC", "KD", "KH"]), *lows, card("KS")]), PYRAMIDE)
    assert (stock(game), waste(game), game.outcome) == ([], [], None)
    event = game.touch_stock()
    assert (event.kind, event.is_action, event.message) == (EventKind.NOTHING, False, "The waste is empty.")
    event = game.touch(card("KS"))
    assert (event.message, event.outcome, game.moves) == (NO_MOVES, Outcome.DEAD_END, 1)


# Undo -----------------------------------------------------------------------------------------------------------------


def test_undo_gives_cards_and_points_back_and_leaves_the_counter() -> None:
    game = new_game()
    pictures = [picture(game)]
    for move in ("KD", "10C+3S", "D", "D"):
        game.play(move)
        pictures.append(picture(game))
    assert (game.score, game.moves) == (30, 4)
    points = []
    for before in reversed(pictures[:-1]):
        points.append(game.undo().points)
        assert picture(game) == before
        assert game.moves == 4
    assert points == [0, 0, -20, -10]
    assert not game.can_undo
    event = game.undo()
    assert (event.kind, event.message) == (EventKind.NOTHING, "There is nothing to undo.")
    assert (game.moves, game.score, game.undos) == (4, 0, 4)


def test_undo_of_a_recycle() -> None:
    game = new_game()
    while game.position.can_draw:
        game.touch_stock()
    before = picture(game)
    game.touch_stock()
    event = game.undo()
    assert (event.kind, event.move) == (EventKind.UNDONE, Recycle())
    assert picture(game) == before


@pytest.mark.parametrize("actions", [99, 100, 101, 250])
def test_undo_takes_back_the_last_100_actions(actions: int) -> None:
    game = new_game()
    game.touch(card("KD"))
    pictures = [picture(game)]
    for _action in range(actions - 1):
        game.touch_stock()
        pictures.append(picture(game))
    back = min(actions, 100)
    for _undo in range(back):
        assert game.can_undo
        assert game.undo().kind is EventKind.UNDONE
    assert not game.can_undo
    assert game.undo().kind is EventKind.NOTHING
    assert game.moves == actions
    if actions > 100:
        assert picture(game) == pictures[actions - 101]
        assert game.score == 10
    else:
        assert (len(pyramid(game)), game.score) == (28, 0)


def test_after_an_undo_play_goes_on_from_there() -> None:
    game = new_game()
    game.play("KD")
    game.undo()
    game.play("10C+3S")
    assert (game.score, game.moves) == (20, 2)
    assert [*map(str, game.line)] == ["10C+3S"]
    assert [*map(str, game.log)] == ["KD", "U", "10C+3S"]


# Clock ----------------------------------------------------------------------------------------------------------------


def test_the_clock_starts_at_the_first_action() -> None:
    time = Time()
    game = Game(Deal.from_code("PY1-N-AAAAAAS"), PYRAMIDE, now=time)
    time.seconds = 50
    touch(game, "7C", "7S", "QC")
    time.seconds = 60
    assert (game.clock.elapsed, game.clock.is_started) == (0, False)
    touch(game, "KD")
    time.seconds = 65
    assert game.clock.elapsed == 5


def test_the_clock_stands_still_while_held_even_when_cards_go() -> None:
    time = Time()
    game = Game(Deal.from_code("PY1-N-AAAAAAS"), PYRAMIDE, now=time)
    game.touch_stock()
    game.clock.hold("hidden")
    time.seconds = 10
    game.touch_stock()
    time.seconds = 20
    assert game.clock.elapsed == 0
    game.clock.release("hidden")
    time.seconds = 23
    assert game.clock.elapsed == 3


# Moves as text --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("R", ["R ", "stock is not empty"]),
        ("QC", ["QC ", "Q♣", "not available"]),
        ("7C", ["7C ", "7♣", "alone"]),
        ("7C+7S", ["7C+7S ", SUM]),
        ("QC+AD", ["QC+AD", "not available"]),
        ("2D+JC", ["JC+2D", "not available"]),
    ],
)
def test_an_illegal_move_is_named_with_its_reason_and_changes_nothing(move: str, words: list[str]) -> None:
    game = new_game()
    before = picture(game)
    with pytest.raises(IllegalMoveError) as caught:
        game.play(move)
    for word in words:
        assert word in str(caught.value)
    assert (picture(game), game.moves, game.log, game.can_undo) == (before, 0, [], False)
    assert not game.clock.is_started


@pytest.mark.parametrize("text", ["", "X", "KD+", "KD+KD", "7C+6D+AC", "U", "draw"])
def test_a_text_that_is_no_move_is_refused(text: str) -> None:
    game = new_game()
    with pytest.raises(MoveTextError):
        game.play(text)
    assert game.moves == 0


def test_a_replay_names_the_move_that_is_not_possible() -> None:
    game = new_game()
    with pytest.raises(IllegalMoveError, match=r"^Move 3: QC[+]10C"):
        game.replay(["KD", "D", "10C+QC", "D"])
    assert [*map(str, game.log)] == ["KD", "D"]
    with pytest.raises(MoveTextError, match=r"^Move 1: "):
        game.replay(["XX"])
    with pytest.raises(IllegalMoveError, match=r"^Move 3: "):
        game.replay(["U", "U", "U"])


# A plain model --------------------------------------------------------------------------------------------------------


class Model:
    """The rules page, touch by touch, over positions of `plain_pyramide`."""

    def __init__(self, deal: tuple[str, ...]) -> None:
        self.value = plain.values(deal)
        self.position = plain.START
        self.selected: int | None = None
        self.score = self.moves = 0
        self.past: list[tuple[plain.Position, int]] = []

    @property
    def playable(self) -> tuple[int, ...]:
        left, _stock, turned = self.position
        return (*plain.free(left), *turned[-1:])

    @property
    def is_won(self) -> bool:
        return not self.position[0]

    @property
    def is_over(self) -> bool:
        _left, face_down, turned = self.position
        return self.is_won or not (face_down or turned or list(plain.removals(self.value, self.position)))

    def touch(self, number: int) -> str:
        """Touch a card and return the message."""
        if self.is_over or number not in self.playable:
            return ""
        other, self.selected = self.selected, number
        if other == number:
            self.selected = None
        elif self.value[number] == 13:
            self.selected = other
            self.act(plain.without(self.position, (number,)))
        elif other is not None and self.value[other] + self.value[number] == 13:
            self.act(plain.without(self.position, (other, number)))
        elif other is not None:
            return SUM
        return ""

    def touch_stock(self) -> None:
        if not self.is_over and (self.position[1] or self.position[2]):
            self.act(plain.turned(self.position))

    def act(self, after: plain.Position) -> None:
        points = 10 * (len(self.position[0]) - len(after[0]))
        self.past = [*self.past, (self.position, points)][-100:]
        self.position = after
        self.score += points
        self.moves += 1
        self.let_go()

    def undo(self) -> None:
        if self.past and not self.is_won:
            self.position, points = self.past.pop()
            self.score -= points
            self.let_go()

    def let_go(self) -> None:
        if self.is_over or self.selected not in self.playable:
            self.selected = None


actions = st.lists(
    st.one_of(
        st.tuples(st.just("playable"), st.integers(0, 7)),
        st.tuples(st.just("playable"), st.integers(0, 7)),
        st.tuples(st.just("remove"), st.integers(0, 5)),
        st.tuples(st.just("remove"), st.integers(0, 5)),
        st.tuples(st.just("any"), st.integers(0, 51)),
        st.tuples(st.just("stock"), st.integers(1, 3)),
        st.tuples(st.just("undo"), st.integers(1, 3)),
    ),
    max_size=150,
)


def touches(model: Model, kind: str, number: int) -> list[int]:
    """Return the cards to touch."""
    if kind == "remove":
        found = list(plain.removals(model.value, model.position))
        return list(found[number % len(found)]) if found else []
    if kind == "playable":
        return [model.playable[number % len(model.playable)]] if model.playable else []
    return [number]


def check_equal(game: Game, model: Model) -> None:
    left, face_down, turned = model.position
    names = [*map(str, game.deal.cards)]
    assert pyramid(game) == {names[number] for number in left}
    assert stock(game) == [names[number] for number in face_down]
    assert waste(game) == [names[number] for number in turned]
    assert (game.score, game.moves) == (model.score, model.moves)
    assert game.score == 10 * (28 - len(left))
    assert game.selected == (None if model.selected is None else game.deal.cards[model.selected])
    assert {game.deal.place_of[c] for c in game.deal.cards if game.position.is_available(c)} == {*model.playable}
    assert (game.outcome is not None) == model.is_over
    assert game.can_undo == (bool(model.past) and not model.is_won)
    # All 52 cards are somewhere, once.
    assert game.removed == len(set(game.position.foundation)) == 52 - sum(map(len, model.position))


@given(st.integers(0, 32**7 - 1), actions)
@example(0, [("remove", 0), ("stock", 1)] * 75)
@example(10, [("undo", 1), ("remove", 0), ("remove", 0), ("stock", 2), ("undo", 1)] * 30)
def test_any_play_is_as_the_plain_model_has_it(seed: int, play: list[tuple[str, int]]) -> None:
    deal = Deal.from_seed(seed)
    game, model = Game(deal, PYRAMIDE), Model(tuple(map(str, deal.cards)))
    for kind, number in play:
        if kind in ("stock", "undo"):
            for _time in range(number):
                (game.touch_stock if kind == "stock" else game.undo)()
                (model.touch_stock if kind == "stock" else model.undo)()
        else:
            for place in touches(model, kind, number):
                was_over = model.is_over
                expected = model.touch(place)
                if model.is_over and not was_over:
                    expected = "You have won!" if model.is_won else NO_MOVES
                assert game.touch(deal.cards[place]).message == expected
        check_equal(game, model)
    again = Game(deal, PYRAMIDE)
    again.replay(game.log)
    assert (again.position, again.score, again.moves) == (game.position, game.score, game.moves)
    straight = Game(deal, PYRAMIDE)
    straight.replay(game.line)
    assert (straight.position, straight.score) == (game.position, game.score)


@given(st.integers(0, 32**7 - 1), st.lists(st.integers(0, 20), max_size=99))
def test_undo_returns_to_the_equal_position_and_score(seed: int, choices: list[int]) -> None:
    game = Game(Deal.from_seed(seed), PYRAMIDE)
    states: list[tuple[Position, int]] = []
    for choice in choices:
        legal = game.position.legal_moves()
        if game.outcome is not None:
            break
        states.append((game.position, game.score))
        game.play(legal[choice % len(legal)])
    moves = game.moves
    if game.outcome is Outcome.WON:
        return
    while states:
        game.undo()
        position, score = states.pop()
        assert game.position == position
        assert hash(game.position) == hash(position)
        assert game.score == score
    assert game.moves == moves
    assert not game.can_undo


def test_pairs_are_one_move_whichever_card_comes_first() -> None:
    assert Remove(card("3S"), card("10C")) == Remove(card("10C"), card("3S"))
    assert Remove(Card(7, Suit.CLUBS), Card(6, Suit.SPADES)) == Remove(Card(6, Suit.SPADES), Card(7, Suit.CLUBS))
