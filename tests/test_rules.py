"""Rule sets: each named one and each option by a hand-checked example from its source's words; mixes and their text."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramide_core.cards import DECK, RANKS
from pyramide_core.deals import Deal
from pyramide_core.errors import RulesError
from pyramide_core.game import Game
from pyramide_core.moves import parse_move
from pyramide_core.position import Outcome, Position
from pyramide_core.rules import NUMBER_RANGES, PAIRINGS, VARIANTS, Rules, choices, is_unlimited_allowed
from tests.tables import after, cards_of, deal_with, moves_of, small_deal, spelled_out

DOCUMENTED = Deal.from_code("PY1-N-AAAAAAS")
TALON = Position.start(DOCUMENTED, Rules(draws_at_start=0))
TALON_CARDS = cards_of(TALON, TALON.stock).split()
each_variant = pytest.mark.parametrize("name", VARIANTS)


def why(position, move):
    return position.why_illegal(parse_move(move))


def piles_of(position):
    return [cards_of(position, pile).split() for pile in position.waste]


# The named rule sets -------------------------------------------------------------------------------------------------

# docs/variants.md: cards on the waste piles and in the stock at the start, stock top playable, cards of a draw, passes,
# kings alone, two cards of the talon, and what has to go.
TABLE = {
    "pyramide": ([1], 23, False, 1, None, True, False, 28),
    "classic": ([0], 24, False, 1, None, True, False, 28),
    "thirteen": ([0], 24, False, 1, 1, True, False, 28),
    "thirteen_three_piles": ([0, 0, 0], 24, False, 3, 1, True, True, 28),
    "three_passes": ([0], 24, True, 1, 3, True, True, 28),
    "pyramid": ([1], 23, True, 1, 3, True, True, 52),
    "relaxed_pyramid": ([1], 23, True, 1, 3, True, True, 28),
    "pyramid_thirteen": ([1], 23, True, 1, 1, True, True, 52),
    "giza": ([0], 0, False, 0, None, True, False, 52),
    "triangle": ([1], 23, True, 1, 3, True, True, 52),
    "tuts_tomb": ([3], 21, False, 3, None, True, False, 28),
    "apophis": ([1, 1, 1], 21, False, 3, 3, True, True, 52),
    "cheops": ([1], 23, True, 1, 1, False, True, 52),
    "pharaohs": ([0], 0, False, 0, None, True, False, 52),
}


@each_variant
def test_each_named_rule_set_starts_and_draws_as_its_source_says(name):
    piles, stock, playable, draw, passes, kings, talon_pairs, goal = TABLE[name]
    rules = VARIANTS[name]
    start = Position.start(DOCUMENTED, rules)
    assert [len(pile) for pile in piles_of(start)] == piles
    assert start.stock.bit_count() == stock
    assert bool(start.available & start.stock) == playable
    drawn = start.apply(parse_move("D")) if stock else start
    assert start.stock.bit_count() - drawn.stock.bit_count() == draw
    assert rules.passes == passes
    assert rules.pair_rule.alone(13) == kings
    assert rules.talon_pairs == talon_pairs
    assert start.table.goal.bit_count() == goal


def test_the_passes_of_each_named_rule_set_are_played_out():
    for name, (_piles, stock, *_others) in TABLE.items():
        if not stock:
            continue
        rules = VARIANTS[name]
        position = Position.start(DOCUMENTED, rules)
        for _pass in range((rules.passes or 5) - 1):
            while position.stock:
                position = position.apply(parse_move("D"))
            position = position.apply(parse_move("R"))
        while position.stock:
            position = position.apply(parse_move("D"))
        assert position.can_recycle == (rules.passes is None)
        assert why(position, "R") == ("" if rules.passes is None else "No pass is left.")


def test_classic_counts_each_undo_as_a_move_and_allows_any_number():
    game = Game(DOCUMENTED, VARIANTS["classic"])
    for move in spelled_out("D*24 R " * 5):
        game.play(move)
    for _undo in range(125):
        game.undo()
    assert game.moves == 250
    assert game.position == Position.start(DOCUMENTED, VARIANTS["classic"])


def test_classic_wants_to_know_as_soon_as_it_is_lost():
    assert VARIANTS["classic"].dead_end == "lost"
    assert [name for name, rules in VARIANTS.items() if rules.dead_end == "lost"] == ["classic"]


def test_pyramide_undoes_a_hundred_actions_and_the_counter_does_not_go_down():
    game = Game(DOCUMENTED, VARIANTS["pyramide"])
    for move in spelled_out("D*23 R " + "D*24 R " * 4):
        game.play(move)
    undone = 0
    while game.undo().is_action:
        undone += 1
    assert (undone, game.moves) == (100, 124)


def test_thirteen_has_no_second_pass():
    position = after(DOCUMENTED, VARIANTS["thirteen"], "D*24")
    assert why(position, "R") == "No pass is left."


def test_thirteen_is_not_won_when_the_stock_is_exhausted():
    # The source's words call that a win; the product counts only a cleared pyramid.
    deal = deal_with({7: "AC 2C 3C 4C 5C 6C AD"}, talon=" ".join(f"{rank}{suit}" for suit in "DHS" for rank in "23456"))
    position = after(deal, VARIANTS["thirteen"], "D*24")
    assert position.outcome() in (None, Outcome.DEAD_END)
    assert not position.is_won


def test_three_piles_get_one_card_of_each_draw_always_in_the_same_order():
    position = after(DOCUMENTED, VARIANTS["thirteen_three_piles"], "D D")
    assert piles_of(position) == [TALON_CARDS[0:6:3], TALON_CARDS[1:6:3], TALON_CARDS[2:6:3]]
    assert position.waste_tops == tuple(DOCUMENTED.place_of[c] for c in position.table.cards(position.available_talon))


def test_the_tops_of_two_of_three_piles_go_together():
    deal = deal_with(talon="6C 7C KC 8C 2C 5C")
    position = after(deal, VARIANTS["thirteen_three_piles"], "D")
    assert {"7C+6C", "KC"} <= moves_of(position)
    assert "8C+5C" in moves_of(position.apply(parse_move("D")))


def test_three_passes_pairs_stock_top_and_waste_top():
    position = after(deal_with(talon="6C 7C"), VARIANTS["three_passes"], "D")
    assert "7C+6C" in moves_of(position)
    left = position.apply(parse_move("7C+6C"))
    assert left.stock.bit_count() == 22
    assert not left.wasted


def test_three_passes_plays_a_king_and_a_pair_from_the_stock_top():
    deal = deal_with({7: "6C"}, talon="KC 7C")
    assert "KC" in moves_of(Position.start(deal, VARIANTS["three_passes"]))
    assert "7C+6C" in moves_of(after(deal, VARIANTS["three_passes"], "KC"))


def test_relaxed_pyramid_is_three_passes_after_one_draw():
    assert VARIANTS["relaxed_pyramid"] == replace(VARIANTS["three_passes"], draws_at_start=1, scoring="ten_a_card")
    start = Position.start(DOCUMENTED, VARIANTS["relaxed_pyramid"])
    drawn = after(DOCUMENTED, VARIANTS["three_passes"], "D")
    assert (start.tableau, start.stock, start.waste) == (drawn.tableau, drawn.stock, drawn.waste)


def test_pyramid_thirteen_shows_the_bottom_row_only():
    start = Position.start(DOCUMENTED, VARIANTS["pyramid_thirteen"])
    assert start.hidden & start.tableau == sum(start.table.tableau.rows[:6])


def test_giza_plays_the_front_card_of_a_column_and_pairs_different_columns():
    # Columns are places 28-30, 31-33, ...: the front card of a column is its last.
    deal = deal_with({7: "4C"}, places={28: "6C", 29: "7C", 30: "9C", 31: "5D", 32: "8D", 33: "KD", 36: "8C"})
    start = Position.start(deal, VARIANTS["giza"])
    assert {"KD", "9C+4C"} <= moves_of(start)
    assert why(start, "7C+6C") == "7♣ is not available."
    freed = after(deal, VARIANTS["giza"], "KD 9C+4C")
    assert why(freed, "7C+6C") == "6♣ is not available."
    assert why(freed, "8D+5D") == "5♦ is not available."
    assert "8C+5D" not in moves_of(freed)
    assert why(freed, "D") == "The stock is empty."


def test_giza_is_won_when_the_columns_are_empty_too():
    goal = Position.start(DOCUMENTED, VARIANTS["giza"]).table.goal
    assert goal.bit_count() == 52


def test_triangle_opens_from_the_tip():
    deal = deal_with(places={27: "KC", 25: "6C", 26: "7C"})
    assert moves_of(Position.start(deal, VARIANTS["triangle"])) >= {"KC"}
    assert cards_of(after(deal, VARIANTS["triangle"], "KC"), 0b11 << 25) == "6C 7C"
    assert "7C+6C" in moves_of(after(deal, VARIANTS["triangle"], "KC"))


def test_tuts_tomb_turns_three_onto_one_pile_and_plays_the_last():
    start = Position.start(DOCUMENTED, VARIANTS["tuts_tomb"])
    assert piles_of(start) == [TALON_CARDS[:3]]
    assert cards_of(start, start.available_talon) == TALON_CARDS[2]
    # With one card of 24 gone, the last draw of the pass turns two.
    deal = deal_with(talon="2C 3C KC")
    position = after(deal, VARIANTS["tuts_tomb"], "KC D*7 R D*7")
    assert position.stock.bit_count() == 2
    assert after(deal, VARIANTS["tuts_tomb"], "KC D*7 R D*8").stock == 0


def test_tuts_tomb_shifts_its_groups_when_a_card_has_gone():
    deal = deal_with(talon="2C 3C KC 4C 5C")
    position = after(deal, VARIANTS["tuts_tomb"], "KC D*7 R D")
    assert piles_of(position) == [["2C", "3C", "4C"]]


def test_apophis_keeps_the_order_of_turning_on_a_recycle():
    # docs/variants.md: the program it comes from stacks the piles instead.
    position = after(DOCUMENTED, VARIANTS["apophis"], "D*7 R")
    assert cards_of(position, position.stock).split() == TALON_CARDS
    assert piles_of(position) == [[], [], []]
    assert piles_of(position.apply(parse_move("D"))) == [[card] for card in TALON_CARDS[:3]]


def test_cheops_pairs_equal_and_neighbouring_ranks_but_not_king_and_ace():
    start = Position.start(deal_with({7: "KC AC QC QD 2C 4C 5C"}), VARIANTS["cheops"])
    listed = moves_of(start)
    assert {"KC+QC", "KC+QD", "QC+QD", "2C+AC", "5C+4C"} <= listed
    assert not {"KC", "KC+AC", "QC+AC", "4C+2C"} & listed
    assert why(start, "KC+AC") == "The ranks must be equal or neighbours"
    assert why(start, "KC") == "K♣ does not go alone."


def test_pharaohs_pairs_cards_of_different_pyramids():
    deal = deal_with(places={1: "6C", 24: "7C", 46: "KC"})
    assert {"7C+6C", "KC"} <= moves_of(Position.start(deal, VARIANTS["pharaohs"]))


# The options, one by one ---------------------------------------------------------------------------------------------

SMALL = Rules(layout="pyramid_3", draws_at_start=0)


def test_strict_win_wants_stock_and_waste_gone_too():
    deal, line = small_deal("KC KD KH 6C 7C KS 5D 8D"), "7C+6C KS KD KH KC"
    assert after(deal, SMALL, line).outcome() is Outcome.WON
    strict = replace(SMALL, goal="all", drawn_pairs=True)
    assert after(deal, strict, line).outcome() is None
    assert after(deal, strict, f"{line} D D 8D+5D").outcome() is Outcome.WON


@pytest.mark.parametrize("passes", [1, 2, 3])
def test_the_stock_is_gone_through_so_many_times(passes):
    rules = Rules(draws_at_start=0, passes=passes)
    position = after(DOCUMENTED, rules, "D*24 R " * (passes - 1) + "D*24")
    assert why(position, "R") == "No pass is left."


def test_a_drawn_card_may_pair_with_the_waste_card_it_covers():
    deal, rules = deal_with(talon="6C 5D 8D 7C"), Rules(drawn_pairs=True)
    assert "8D+5D" in moves_of(after(deal, rules, "D D"))
    assert "8D+5D" not in moves_of(after(deal, Rules(), "D D"))
    # It leaves 6C on top, which goes with the next card drawn.
    assert "7C+6C" in moves_of(after(deal, rules, "D D 8D+5D D"))
    # Only with the card right below.
    assert why(after(deal, rules, "D D D"), "7C+6C") == "6♣ is not available."


def test_a_card_may_pair_with_the_only_card_that_still_covers_it():
    deal, rules = deal_with({6: "QC", 7: "KC AC"}), Rules(cover_pairs=True)
    assert "QC+AC" not in moves_of(Position.start(deal, rules))
    position = after(deal, rules, "KC")
    assert "QC+AC" in moves_of(position)
    assert "QC+AC" not in moves_of(after(deal, Rules(), "KC"))
    assert position.apply(parse_move("QC+AC")).tableau.bit_count() == 25


def test_a_card_does_not_pair_with_its_last_cover_while_that_is_covered_itself():
    # 5C of row 5 is covered by 6D and 8C of row 6, 8C by 7H and KD of row 7.
    deal = deal_with({5: "5C", 6: "6D 8C", 7: "KC 7H KD 7D"})
    rules = Rules(cover_pairs=True)
    position = after(deal, rules, "KC 7H+6D")
    assert "8C+5C" not in moves_of(position)
    assert "8C+5C" in moves_of(after(deal, rules, "KC 7H+6D KD"))


def test_several_waste_piles_get_the_cards_of_a_draw_in_turn():
    position = after(DOCUMENTED, Rules(draws_at_start=0, draw_count=4, waste_piles=2), "D")
    assert piles_of(position) == [TALON_CARDS[0:4:2], TALON_CARDS[1:4:2]]


def test_tops_of_two_piles_pair_only_where_the_rules_say_so():
    deal = deal_with(talon="6C 7C")
    rules = Rules(draws_at_start=1, draw_count=2, waste_piles=2)
    assert why(Position.start(deal, rules), "7C+6C") == "Two cards of stock and waste do not pair under these rules."
    assert "7C+6C" in moves_of(Position.start(deal, replace(rules, talon_pairs=True)))


def test_a_face_up_stock_is_seen_but_not_played():
    start = Position.start(deal_with({7: "6C"}, talon="AD 7C"), Rules(stock_face_up=True))
    assert start.hidden == 0
    assert "7C+6C" not in moves_of(start)


def test_draw_three_turns_three_or_what_is_left():
    position = after(DOCUMENTED, Rules(draws_at_start=1, draw_count=3), "D*6")
    assert position.stock.bit_count() == 3
    assert after(DOCUMENTED, Rules(draws_at_start=0, draw_count=5), "D*5").stock == 0


def test_undo_is_limited_to_so_many_actions():
    game = Game(DOCUMENTED, Rules(undo_limit=2))
    for move in spelled_out("D*5"):
        game.play(move)
    assert [game.undo().is_action for _undo in range(3)] == [True, True, False]
    assert not Game(DOCUMENTED, Rules(undo_limit=0)).can_undo


@pytest.mark.parametrize(("counts", "moves"), [(True, 3), (False, 2)])
def test_an_undo_counts_as_a_move_where_the_rules_say_so(counts, moves):
    game = Game(DOCUMENTED, Rules(undo_counts=counts))
    game.play("D")
    game.play("D")
    game.undo()
    assert game.moves == moves


def test_draws_at_the_start_are_no_moves():
    game = Game(DOCUMENTED, Rules(draws_at_start=3))
    assert piles_of(game.position) == [TALON_CARDS[:3]]
    assert game.moves == 0


# Pairings ------------------------------------------------------------------------------------------------------------


def test_thirteen_pairs_what_adds_up_and_kings_go_alone():
    rule = PAIRINGS["thirteen"]
    pairs = {(a, b) for a in RANKS for b in RANKS if a < b and rule.pairs(a, b)}
    assert pairs == {(1, 12), (2, 11), (3, 10), (4, 9), (5, 8), (6, 7)}
    assert [rank for rank in RANKS if rule.alone(rank)] == [13]


@pytest.mark.parametrize("rule", PAIRINGS.values(), ids=PAIRINGS)
def test_pairing_is_the_same_both_ways_and_partners_are_its_pairs(rule):
    for a in RANKS:
        assert rule.partners[a] == {b for b in RANKS if rule.pairs(a, b)}
        assert all(a in rule.partners[b] for b in rule.partners[a])


def test_no_card_goes_alone_under_neighbours():
    assert not any(PAIRINGS["neighbours"].alone(rank) for rank in RANKS)
    assert len(DECK) % 2 == 0


# Names, texts and mixes ----------------------------------------------------------------------------------------------


@each_variant
def test_a_named_rule_set_knows_its_name(name):
    assert VARIANTS[name].name == VARIANTS[name].text == name
    assert Rules.parse(name) == VARIANTS[name]
    assert len(set(VARIANTS.values())) == len(VARIANTS)


def test_a_mix_that_plays_like_a_named_rule_set_is_that_rule_set():
    assert Rules.parse("mix,draws_at_start=0,passes=1").name == "thirteen"
    assert Rules.parse("mix") == VARIANTS["pyramide"]
    assert (
        Rules.parse("thirteen, passes=unlimited, dead-end=lost, undo_limit=unlimited, undo_counts=yes").name
        == "classic"
    )


@pytest.mark.parametrize("text", ["three_passes", "Three-Passes", " three passes "])
def test_a_name_is_read_in_any_case_and_with_dashes(text):
    assert Rules.parse(text) == VARIANTS["three_passes"]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "There is no rule set “”"),
        ("clasic", "There is no rule set “clasic”. There are: pyramide, classic"),
        ("classic,pases=1", "“pases=1” is no option"),
        ("classic,passes", "The option passes has no value; it is written passes=…, and it can be: 1–999, unlimited."),
        ("mix,passes=0", "passes cannot be “0”; it can be: 1–999, unlimited"),
        ("mix,passes=two", "passes cannot be “two”"),
        ("mix,passes=²", "passes cannot be “²”"),
        ("mix,goal=some", "goal cannot be “some”; it can be: pyramid, all"),
        ("mix,face_down=maybe", "face_down cannot be “maybe”; it can be: no, yes"),
        ("mix,draw_count=unlimited", "draw_count cannot be “unlimited”; it can be: 1–24"),
        ("mix,passes=1,passes=2", "The option passes stands twice"),
        ("mix,waste_piles=3", "(draw_count=1) must be a multiple of “Waste piles” (waste_piles=3)"),
        ("x" * 5000, "…"),
        ("mix," + "y" * 5000, "…"),
        ("mix,goal=" + "z" * 5000, "…"),
    ],
)
def test_a_text_that_is_no_rule_set_is_refused_with_the_word(text, part):
    with pytest.raises(RulesError) as refusal:
        Rules.parse(text)
    assert part in str(refusal.value)
    assert len(str(refusal.value)) < 500


@pytest.mark.parametrize(
    "options",
    [{"passes": 0}, {"draw_count": True}, {"face_down": 1}, {"goal": None}, {"undo_limit": -1}, {"waste_piles": 2}],
)
def test_impossible_options_are_refused_in_code_too(options):
    with pytest.raises(RulesError):
        Rules(**options)


@given(st.text(max_size=30) | st.text(max_size=30).map("mix,passes=".__add__))
def test_any_text_is_a_rule_set_or_refused(text):
    try:
        rules = Rules.parse(text)
    except RulesError:
        return
    assert Rules.parse(rules.text) == rules


def test_the_choices_of_each_option_are_known():
    for option in Rules.__dataclass_fields__:
        assert (choices(option) is None) == (option in NUMBER_RANGES)
    assert choices("stock_playable") == (False, True)
    assert [option for option in NUMBER_RANGES if is_unlimited_allowed(option)] == ["passes", "undo_limit"]


# Contradictions ------------------------------------------------------------------------------------------------------


@each_variant
def test_no_named_rule_set_contradicts_itself(name):
    assert VARIANTS[name].contradictions() == ()


@pytest.mark.parametrize(
    ("mix", "part"),
    [
        ("layout=giza", "Draws before the first move: 1."),
        ("layout=giza,draws_at_start=0,passes=3", "Passes through the stock: 3."),
        ("layout=giza,draws_at_start=0,waste_piles=2,draw_count=2", "Cards of one draw: 2; Waste piles: 2."),
        ("layout=giza,draws_at_start=0,stock_playable=yes", "The top card of the stock can be played: yes."),
        ("layout=pharaohs,draws_at_start=0", "the same goal"),
        ("talon_pairs=yes", "only one of them is available"),
        ("draws_at_start=24,draw_count=2", "24 draws of 2 cards"),
        ("face_down=yes,cover_pairs=yes", "cannot be seen before"),
        ("undo_limit=0,undo_counts=yes", "No undo is allowed"),
        ("scoring=rows,layout=pyramid_5", "made for one pyramid of 7 rows; here a pyramid has 5"),
        ("scoring=rows,layout=pharaohs,draws_at_start=0,goal=all", "here a pyramid has 2, 7, 6"),
    ],
)
def test_a_contradiction_is_explained_and_can_be_played(mix, part):
    rules = Rules.parse(f"mix,{mix}")
    (sentence,) = rules.contradictions()
    assert part in sentence
    assert Position.start(DOCUMENTED, rules).outcome() is None


@pytest.mark.parametrize(
    "mix",
    [
        "talon_pairs=yes,stock_playable=yes",
        "talon_pairs=yes,waste_piles=2,draw_count=2",
        "draws_at_start=24",
        "scoring=rows,layout=triangle",
        "scoring=rows,layout=giza,draws_at_start=0",
        "undo_limit=0",
        "stock_face_up=yes,stock_playable=yes",
        "layout=pyramid_3,face_down=yes",
    ],
)
def test_choices_that_go_well_together_are_not_called_contradictions(mix):
    assert Rules.parse(f"mix,{mix}").contradictions() == ()
