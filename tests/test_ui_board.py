"""The board's widgets without a browser: clicks on buttons in, what the page is sent out."""

import pytest

from pyramide_core.cards import Card
from pyramide_core.deals import Deal
from pyramide_core.game import EventKind, Game
from pyramide_core.rules import VARIANTS, Rules
from pyramide_core.ui import Board
from tests.lines import DOCUMENTED, DOCUMENTED_ROWS, KNOWN, TALON, WON_CODE, WON_LINE, stuck
from tests.widgets import Wire, button_of, click, nothing_logged, shown, state_of, tell, wire

__all__ = ["nothing_logged", "wire"]

NOTHING = "\u00a0"


def board_of(rules: str = "pyramide", deal: Deal = KNOWN, **options: object) -> Board:
    return Board(Game(deal, Rules.parse(rules), **options))


@pytest.fixture
def board() -> Board:
    """The documented deal under the `pyramide` rules."""
    return board_of(deal=Deal.from_code(DOCUMENTED))


def figures(board: Board) -> tuple[int, int]:
    return board.companion.figures["score"], board.companion.figures["moves"]


def message(board: Board) -> str:
    return str(board.companion.message["text"])


def play(board: Board, line: list[str]) -> None:
    """Play moves by clicks; U is the undo button."""
    for move in line:
        if move == "U":
            board.actions_box.children[0].click()
        else:
            click(board, *(["stock"] if move in "DR" else move.split("+")))


# Showing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "many"),
    [
        *((name, False) for name in VARIANTS),
        ("mix,waste_piles=3,draw_count=3", False),
        ("mix,waste_piles=4,draw_count=4", True),
        ("mix,waste_piles=8,draw_count=8", True),
        ("mix,waste_piles=3,draw_count=3,drawn_pairs=yes", True),
        ("mix,stock_playable=yes,drawn_pairs=yes", False),
        ("mix,layout=giza,waste_piles=8,draw_count=8", False),
    ],
)
def test_piles_that_would_cover_the_pyramid_stand_below_it(rules: str, many: bool) -> None:
    assert board_of(rules).companion.shape["many"] is many


def test_the_documented_deal_is_on_the_table(board: Board) -> None:
    cards = [card for row in DOCUMENTED_ROWS for card in row]
    assert [place[3] for place in board.companion.places] == cards
    assert [place[1] for place in board.companion.places] == [y for y, row in enumerate(DOCUMENTED_ROWS) for _ in row]
    assert board.companion.state == "b" * 21 + "a" * 7
    signs = dict(zip("CDHS", "♣♦♥♠", strict=True))
    faces = [button.description for button in board.tableau_box.children]
    assert faces == [card[:-1] + signs[card[-1]] for card in cards]
    assert (board.companion.piles["stock"]["count"], board.companion.piles["waste0"]["card"]) == (23, "7D")
    assert board.companion.piles["foundation"]["count"] == 0
    assert (board.companion.code, figures(board)) == (DOCUMENTED, (0, 0))


def test_the_documented_opening(board: Board) -> None:
    click(board, "KD")
    assert (figures(board), state_of(board, "KD")) == ((10, 1), ".")
    click(board, "10C")
    assert state_of(board, "10C") == "s"
    assert message(board) == "10 of clubs selected."
    click(board, "3S")
    assert figures(board) == (30, 2)
    places, state = board.companion.places, board.companion.state
    row = [place[3] for place, letter in zip(places[21:], state[21:], strict=True) if letter == "a"]
    assert row == ["7C", "3H", "4H", "7S"]
    assert (board.companion.piles["stock"]["count"], board.companion.piles["waste0"]["card"]) == (23, "7D")
    assert board.companion.piles["foundation"]["count"] == 3
    assert board.companion.piles["foundation"]["caption"] == "3 removed"
    # J♠ lay under K♦ and 7♠, Q♣ under 7♣ and 10♣: each still has one cover.
    assert (state_of(board, "JS"), state_of(board, "QC")) == ("b", "b")


def test_a_wrong_pair_is_told_and_the_second_card_stays_selected(board: Board) -> None:
    click(board, "7C", "7S")
    assert (state_of(board, "7C"), state_of(board, "7S")) == ("a", "s")
    assert board.companion.message["text"] == "The sum must be 13"
    assert board.companion.message["kind"] == "warning"
    number = board.companion.message["number"]
    click(board, "7C")
    assert (state_of(board, "7C"), state_of(board, "7S")) == ("s", "a")
    # The same words again are a new message, so that they are spoken again.
    assert (message(board), board.companion.message["number"] > number) == ("The sum must be 13", True)
    assert figures(board) == (0, 0)


def test_a_touch_on_the_selected_card_lets_it_go(board: Board) -> None:
    click(board, "7C", "7C")
    assert (state_of(board, "7C"), message(board)) == ("a", "Nothing is selected now.")


def test_a_blocked_card_does_nothing_without_the_error_help(board: Board) -> None:
    click(board, "7C", "QC")
    assert (state_of(board, "7C"), state_of(board, "QC"), message(board)) == ("s", "b", "")
    board.game.error_help = True
    click(board, "QC")
    assert (state_of(board, "7C"), state_of(board, "QC")) == ("s", "b")
    assert message(board) == "This card is blocked by another card"
    assert figures(board) == (0, 0)


def test_a_waste_card_goes_with_a_pyramid_card_for_ten_points() -> None:
    board = board_of()
    click(board, "stock", "stock", "stock", "stock")
    assert board.companion.piles["waste0"]["card"] == "QD"
    click(board, "waste0")
    assert board.companion.piles["waste0"]["state"] == "s"
    click(board, "stock")
    assert board.companion.piles["waste0"]["card"] == TALON[5] == "3C"
    click(board, "waste0", "10C")
    assert figures(board) == (10, 6)
    # The card beneath is on top again.
    assert (board.companion.piles["waste0"]["card"], board.companion.piles["waste0"]["count"]) == ("QD", 5)


def test_the_stock_is_recycled_in_the_same_order(board: Board) -> None:
    tops = [board.companion.piles["waste0"]["card"]]
    for left in range(22, -1, -1):
        click(board, "stock")
        assert (board.companion.piles["stock"]["count"] or 0) == left
        tops.append(board.companion.piles["waste0"]["card"])
    stock = board.companion.piles["stock"]
    assert (stock["state"], stock["caption"]) == ("r", "Recycle")
    assert stock["name"] == "Stock is empty: recycle 24 waste cards"
    click(board, "stock")
    assert message(board) == "The waste is the stock again."
    assert (board.companion.piles["stock"]["count"], board.companion.piles["waste0"]["state"]) == (24, "e")
    assert button_of(board, "waste0").description == NOTHING
    again = []
    for _ in range(24):
        click(board, "stock")
        again.append(board.companion.piles["waste0"]["card"])
    assert again == tops
    assert len(set(tops)) == 24
    assert figures(board) == (0, 23 + 1 + 24)


def test_undo_gives_the_points_back_and_keeps_the_counter(board: Board) -> None:
    [undo] = board.actions_box.children
    click(board, "KD", "10C", "3S")
    undo.click()
    assert (figures(board), state_of(board, "10C"), state_of(board, "3S")) == ((10, 2), "a", "a")
    assert message(board) == "Taken back: 10 of clubs and 3 of spades."
    undo.click()
    assert (figures(board), state_of(board, "KD")) == ((0, 2), "a")
    undo.click()
    assert (figures(board), message(board)) == ((0, 2), "There is nothing to undo.")


def test_a_known_game_is_won_by_clicks() -> None:
    board = board_of(deal=Deal.from_code(WON_CODE))
    events = []
    board.on_event(events.append)
    play(board, WON_LINE)
    assert (board.companion.state, figures(board)) == ("." * 28, (280, len(WON_LINE)))
    assert events[-1].outcome is not None
    assert message(board).endswith("You have won!")
    assert [event.kind for event in events].count(EventKind.RECYCLED) == 1
    after = board.companion.message["number"]
    click(board, "stock")
    assert figures(board) == (280, len(WON_LINE)), after


def test_no_more_moves_are_told_when_stock_and_waste_are_used_up() -> None:
    deal, line = stuck()
    board = board_of(deal=deal)
    play(board, line[:-1])
    assert "No more moves" not in message(board)
    play(board, line[-1:])
    assert message(board).endswith("No more moves can be made")
    assert (board.companion.piles["stock"]["state"], board.companion.piles["waste0"]["state"]) == ("e", "e")
    assert board.companion.state.replace(".", "") == "bbbbbaaa"
    board.actions_box.children[0].click()
    assert (board.companion.piles["waste0"]["card"], figures(board)) == (line[-1], (200, len(line)))


# Messages to the page ----------------------------------------------------------------------------------------------


def test_a_move_changes_traits_and_no_widget(board: Board) -> None:
    made = [*board.tableau_box.children, *board.piles_box.children, *board.actions_box.children]
    play(board, "KD 10C+3S D D U D".split())
    assert [*board.tableau_box.children, *board.piles_box.children, *board.actions_box.children] == made


def test_a_move_is_one_message_with_what_changed(board: Board, wire: Wire) -> None:
    click(board, "10C")
    wire.clear()
    click(board, "3S")
    [update] = wire.to(board.companion)
    assert set(update["state"]) <= {"state", "piles", "figures", "message", "clock"}
    assert {"state", "piles", "figures", "message"} <= set(update["state"])
    assert wire.size < 4096
    assert {sender for sender, _message in wire.sent} == {board.companion}


def test_a_selection_sends_neither_piles_nor_figures(board: Board, wire: Wire) -> None:
    click(board, "7C")
    [update] = wire.to(board.companion)
    assert set(update["state"]) == {"state", "message"}


def test_a_draw_sends_the_new_face_to_its_button_alone(board: Board, wire: Wire) -> None:
    click(board, "stock")
    assert {sender for sender, _message in wire.sent} == {board.companion, button_of(board, "waste0")}
    assert wire.size < 4096


def test_a_hidden_page_holds_the_clock() -> None:
    now = [100.0]
    board = board_of(now=lambda: now[0])
    click(board, "KD")
    assert board.companion.clock == {"elapsed": 0, "running": True}
    now[0] = 110
    tell(board, event="hidden", hidden=True)
    assert board.companion.clock == {"elapsed": 10, "running": False}
    now[0] = 200
    tell(board, event="hidden", hidden=False)
    now[0] = 207
    click(board, "stock")
    tell(board, event="hidden", hidden=True)
    assert board.companion.clock["running"] is False
    # How the time between the page's return and the next action counts is the clock's own affair.
    assert 10 <= board.companion.clock["elapsed"] <= 17


def test_words_of_the_page_that_nobody_knows_are_let_go(board: Board) -> None:
    before = dict(board.companion.message)
    tell(board, event="nonsense")
    tell(board)
    tell(board, event="hidden")
    assert board.companion.message == before


def test_what_a_handler_raises_becomes_a_sentence_and_a_log_entry(
    board: Board, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(card: Card) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(board.game, "touch", fail)
    click(board, "KD")
    assert message(board) == "Something went wrong here. The game is still as it was."
    [record] = caplog.records
    assert record.exc_info is not None
    assert record.exc_info[0] is ZeroDivisionError
    caplog.clear()


# What rule sets put on the table -----------------------------------------------------------------------------------

BASIC = {"stock", "waste0", "foundation"}
PILES = {
    "pyramide": BASIC,
    "classic": BASIC,
    "thirteen": BASIC,
    "thirteen_three_piles": BASIC | {"waste1", "waste2"},
    "three_passes": BASIC | {"next"},
    "pyramid": BASIC | {"next"},
    "relaxed_pyramid": BASIC | {"next"},
    "pyramid_thirteen": BASIC | {"next"},
    "giza": {"foundation"},
    "triangle": BASIC | {"next"},
    "tuts_tomb": BASIC,
    "apophis": BASIC | {"waste1", "waste2"},
    "cheops": BASIC | {"next"},
    "pharaohs": {"foundation"},
    "mix,drawn_pairs=yes": BASIC | {"under0"},
}
"""Which piles each rule set has on the table, besides the tableau, by its rules."""


def test_every_named_rule_set_is_in_the_table_of_piles() -> None:
    assert set(VARIANTS) < set(PILES)


@pytest.mark.parametrize("rules", PILES)
def test_a_rule_set_has_its_piles(rules: str) -> None:
    board = board_of(rules)
    assert set(board.companion.piles) == PILES[rules]
    places = len(VARIANTS[rules].tableau) if rules in VARIANTS else 28
    assert len(board.companion.state) == len(board.tableau_box.children) == places
    assert {key for key in board.buttons if not key.startswith("t")} == PILES[rules]


@pytest.mark.parametrize("before", ["pyramide", "giza", "apophis"])
@pytest.mark.parametrize("rules", ["pyramide", "giza", "apophis", "pharaohs", "mix,drawn_pairs=yes"])
def test_one_board_shows_one_rule_set_after_the_other(before: str, rules: str) -> None:
    board = board_of(before)
    board.show(Game(KNOWN, Rules.parse(rules)))
    fresh = board_of(rules)
    assert set(board.companion.piles) == set(fresh.companion.piles) == PILES[rules]
    for name in ("places", "state", "piles", "shape", "fan", "figures"):
        assert getattr(board.companion, name) == getattr(fresh.companion, name), name
    assert [button.description for button in board.tableau_box.children] == [
        button.description for button in fresh.tableau_box.children
    ]
    piles = [[tuple(button._dom_classes) for button in pile.children] for pile in board.piles_box.children]
    assert piles == [[tuple(button._dom_classes) for button in pile.children] for pile in fresh.piles_box.children]


def test_three_waste_piles_take_a_card_each_in_order() -> None:
    board = board_of("thirteen_three_piles")
    assert [board.companion.piles[f"waste{n}"]["state"] for n in range(3)] == ["e", "e", "e"]
    click(board, "stock")
    assert [board.companion.piles[f"waste{n}"]["card"] for n in range(3)] == list(TALON[:3])
    assert message(board) == "7 of diamonds, 6 of diamonds, 6 of spades turned up."
    click(board, "7D", "6S")
    assert [board.companion.piles[f"waste{n}"]["state"] for n in range(3)] == ["e", "a", "e"]
    assert board.companion.piles["waste0"]["name"] == "Waste 1: empty"
    assert figures(board) == (0, 2)


def test_the_next_stock_card_is_played_from_where_it_lies() -> None:
    board = board_of("three_passes")
    assert board.companion.piles["next"]["card"] == TALON[0]
    click(board, "stock")
    assert (board.companion.piles["next"]["card"], board.companion.piles["waste0"]["card"]) == ("6D", "7D")
    click(board, "next", "waste0")
    assert (board.companion.piles["next"]["card"], board.companion.piles["waste0"]["state"]) == ("6S", "e")
    assert board.companion.piles["stock"]["count"] == 22
    assert figures(board) == (5, 2)


def test_the_card_under_the_waste_top_can_be_touched_where_the_two_may_pair() -> None:
    board = board_of("mix,drawn_pairs=yes")
    assert board.companion.piles["under0"]["state"] == "x"
    click(board, "stock")
    assert (board.companion.piles["under0"]["card"], board.companion.piles["waste0"]["card"]) == ("7D", "6D")
    click(board, "under0", "waste0")
    assert (board.companion.piles["under0"]["state"], board.companion.piles["waste0"]["state"]) == ("x", "e")
    assert board.companion.piles["foundation"]["count"] == 2


def test_the_passes_are_counted_and_the_last_one_ends() -> None:
    board = board_of("three_passes")
    notes = []
    for _ in range(3):
        notes.append(board.companion.piles["stock"]["note"])
        play(board, ["D"] * 24)
        state = board.companion.piles["stock"]["state"]
        click(board, "stock")
    assert notes == ["pass 1 of 3", "pass 2 of 3", "pass 3 of 3"]
    assert (state, message(board)) == ("e", "No pass is left.")
    assert board.companion.piles["stock"]["name"] == "Stock is empty; pass 3 of 3"
    # Seventy-two draws and two recyclings; the touch that nothing answered is no move.
    assert figures(board) == (0, 74)


def test_a_stock_that_lies_face_up_shows_its_order() -> None:
    board = board_of("mix,stock_face_up=yes")
    assert [card for card, _face, _name in board.companion.fan] == list(TALON[1:])
    click(board, "stock")
    assert [card for card, _face, _name in board.companion.fan] == list(TALON[2:])
    assert board_of("pyramide").companion.fan == []


def test_cards_face_down_are_not_told_before_they_turn_up() -> None:
    board = board_of("pyramid_thirteen")
    hidden = [card for row in DOCUMENTED_ROWS[:6] for card in row]
    assert board.companion.state == "d" * 21 + "a" * 7
    assert not set(hidden) & set(shown(board))
    texts = [str(place) for place in board.companion.places[:21]] + [
        button.description for button in board.tableau_box.children[:21]
    ]
    assert {button.description for button in board.tableau_box.children[:21]} == {NOTHING}
    assert not any(sign in text for sign in "♣♦♥♠" for text in texts)
    assert not any(word in text for word in ("clubs", "diamonds", "hearts", "spades") for text in texts)
    click(board, "stock", "KD", "7S", "6D")
    assert state_of(board, "JS") == "a"
    assert button_of(board, "JS").description == "J♠"
    assert board.companion.state.count("d") == 20


def test_reserve_columns_are_named_and_their_front_cards_available() -> None:
    board = board_of("giza")
    reserve = [place for place in board.companion.places if place[2] == "reserve"]
    assert len(reserve) == 24
    assert reserve[0][5] == "7 of diamonds, column 1"
    front = [
        place[3] for place, state in zip(board.companion.places, board.companion.state, strict=True) if state == "a"
    ]
    assert front == [*DOCUMENTED_ROWS[-1], *TALON[2::3]]
    click(board, "6S", "7C")
    assert (state_of(board, "6D"), state_of(board, "6S")) == ("a", ".")
    # Ten points for the card of the pyramid, none for that of the reserve.
    assert figures(board) == (10, 1)


def test_neighbours_pair_and_kings_do_not_go_alone() -> None:
    board = board_of("cheops")
    click(board, "KD")
    assert state_of(board, "KD") == "s"
    click(board, "7C")
    assert message(board) == "The ranks must be equal or neighbours"
    click(board, "7S")
    assert (state_of(board, "7C"), state_of(board, "7S"), figures(board)) == (".", ".", (20, 1))


def test_three_cards_at_a_time_fall_onto_one_waste() -> None:
    board = board_of("tuts_tomb")
    assert (board.companion.piles["waste0"]["card"], board.companion.piles["waste0"]["count"]) == (TALON[2], 3)
    click(board, "stock")
    assert (board.companion.piles["waste0"]["card"], board.companion.piles["stock"]["count"]) == (TALON[5], 18)


def test_an_undo_counts_where_the_rules_say_so() -> None:
    board = board_of("classic")
    play(board, ["KD", "U"])
    assert figures(board) == (0, 2)


def test_the_foundation_shows_the_last_removed_card() -> None:
    board = board_of()
    click(board, "KD", "10C", "3S")
    foundation = board.companion.piles["foundation"]
    assert (foundation["face"], foundation["suit"], foundation["count"]) == ("3♠", "S", 3)
    assert foundation["name"] == "Foundation: 3 cards removed"
    # `data-card` marks cards in play, and this one is not.
    assert "card" not in foundation
    click(board, "stock")
    assert board.companion.piles["foundation"]["face"] == "3♠"
    board.undo()
    board.undo()
    assert (board.companion.piles["foundation"]["face"], board.companion.piles["foundation"]["count"]) == ("K♦", 1)


def test_a_board_without_a_game_has_its_buttons_and_nothing_on_them() -> None:
    board = Board()
    assert len(board.tableau_box.children) == 28
    assert (board.companion.state, board.companion.code, board.companion.piles) == ("", "", {})
    click(board, "stock", "t27", "waste0")
    board.actions_box.children[0].click()
    assert board.companion.state == ""
