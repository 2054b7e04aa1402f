"""Explanations: no sentence may disagree with the engine, and no option may change without its sentence."""

import json
import re
import string
from dataclasses import replace

import pytest
from hypothesis import given, settings

from pyramide_core import messages
from pyramide_core.cards import RANKS
from pyramide_core.explain import SECTIONS, TITLES, explain, mix_differences, summary, title
from pyramide_core.game import Game
from pyramide_core.moves import parse_move
from pyramide_core.options import LABELS, option_help, value_label
from pyramide_core.position import Position
from pyramide_core.rules import NUMBER_RANGES, VARIANTS, Rules, choices
from pyramide_core.scoring import score_range
from tests.contract.mixes import OPTIONS, deals, mixes
from tests.naive import PYRAMIDS
from tests.naive import RANKS as LETTERS
from tests.tables import deal_with, spelled_out

each_variant = pytest.mark.parametrize("name", VARIANTS)


def told(rules, key):
    return " ".join(explain(rules).section(key).sentences)


def everything(rules):
    return " ".join(sentence for section in explain(rules).sections for sentence in section.sentences)


# Every option has its sentence -----------------------------------------------------------------------------------------

# An option turned over, the section that tells it, and words that come and words that go.
TURNED = [
    ({"layout": "triangle"}, "setup", "stands on its tip: 7 rows, 7 cards", "7 cards in the bottom row"),
    ({"layout": "giza"}, "setup", "8 columns of 3 cards", "The stock holds"),
    ({"layout": "pharaohs"}, "setup", "pyramids of 2, 7 and 6 rows (3, 28 and 21 cards)", "28 cards form a pyramid"),
    ({"layout": "pyramid_4"}, "setup", "10 cards form a pyramid of 4 rows", "28 cards"),
    ({"layout": "pyramid_4"}, "setup", "the other 41 cards", "the other 23 cards"),
    ({"face_down": True}, "setup", "Covered cards lie face down", "All these cards lie face up"),
    ({"draws_at_start": 0}, "setup", "The waste is empty at the start", "already turned"),
    ({"draws_at_start": 4}, "setup", "already turned 4 cards", "already turned 1 card "),
    ({"draw_count": 3}, "stock", "A draw turns 3 cards", "A draw turns 1 card "),
    ({"draw_count": 3}, "setup", "already turned 3 cards", "already turned 1 card "),
    ({"draw_count": 2, "waste_piles": 2}, "stock", "1 onto each of the 2 waste piles", "onto the waste."),
    ({"draw_count": 2, "waste_piles": 2}, "available", "top card of each waste pile", "top card of the waste"),
    ({"passes": 1}, "stock", "There is one pass", "can go back"),
    ({"passes": 1}, "end", "removed or drawn any more", "put back"),
    ({"passes": 1}, "scoring", "To draw gives", "put the waste back"),
    ({"passes": 1}, "scoring", "Removals and draws count", "putting the waste back"),
    ({"passes": 3}, "stock", "2 times in a game", "as often as you like"),
    ({"stock_face_up": True}, "setup", "The stock lies face up", "The stock lies face down"),
    ({"stock_playable": True}, "setup", "face down but for its top card", "The stock lies face down."),
    ({"stock_playable": True}, "available", "The top card of the stock is available too", "before it is drawn"),
    ({"drawn_pairs": True}, "pairs", "may go with the waste card right below", "card of the waste never goes"),
    ({"cover_pairs": True}, "pairs", "that it alone still covers", "never goes with a card that covers it"),
    ({"pairing": "neighbours"}, "pairs", "equal or neighbours", "add up to 13"),
    ({"pairing": "neighbours"}, "pairs", "No card goes alone", "A king goes alone"),
    ({"goal": "all"}, "end", "all 52 cards are gone", "pyramid is empty"),
    ({"dead_end": "lost"}, "end", "as soon as it can no longer be won", "only when nothing"),
    ({"scoring": "rows"}, "scoring", "25, 50, 75, 100, 150, 250, 500", "gives 10 points"),
    ({"undo_limit": None}, "scoring", "Every action can be undone", "The last 100"),
    ({"undo_limit": 0}, "scoring", "Nothing can be undone", "The last 100"),
    ({"undo_limit": 7}, "scoring", "The last 7 actions", "The last 100"),
    ({"undo_counts": True}, "scoring", "counts as a move", "neither goes down nor up"),
]


@pytest.mark.parametrize(("change", "key", "comes", "goes"), TURNED)
def test_an_option_turned_over_changes_its_sentence(change, key, comes, goes):
    usual, turned = told(Rules(), key), told(Rules(**change), key)
    assert comes not in usual
    assert goes in usual
    assert comes in turned
    assert goes not in turned


def test_talon_pairs_are_told_where_there_can_be_any():
    for base, yes, no in (
        (
            Rules(stock_playable=True),
            "The top card of the stock and a top card of the waste may go together.",
            "The top card of the stock never goes with a card of the waste.",
        ),
        (
            Rules(draw_count=2, waste_piles=2),
            "The top cards of two waste piles may go together.",
            "The top cards of two waste piles never go together.",
        ),
    ):
        assert no in told(base, "pairs")
        assert yes not in told(base, "pairs")
        assert yes in told(replace(base, talon_pairs=True), "pairs")
        assert no not in told(replace(base, talon_pairs=True), "pairs")


def test_no_option_is_left_out_of_the_list_above():
    assert {option for change, *_words in TURNED for option in change} | {"talon_pairs"} == set(OPTIONS)


@settings(max_examples=200)
@given(mixes())
def test_each_single_change_is_told(rules):
    for option in OPTIONS:
        values = choices(option) or [v for v in (0, 1, 2, 3, None) if v in NUMBER_RANGES[option] or v is None]
        for value in values:
            try:
                changed = replace(rules, **{option: value})
            except ValueError:
                continue
            if changed == rules or changed.contradictions() or rules.contradictions():
                continue
            assert everything(changed) != everything(rules), option


# The engine bears it out ----------------------------------------------------------------------------------------------


def number_before(words, text):
    return int(re.search(rf"(\d+) {words}", text)[1])


@settings(max_examples=60)
@given(mixes().filter(lambda rules: rules.talon_size), deals)
def test_the_setup_counts_what_the_engine_lays_out(rules, deal):
    start, text = Position.start(deal, rules), told(rules, "setup")
    pyramid = sum(sum(range(1, rows + 1)) for rows in PYRAMIDS.get(rules.layout, [7]))
    assert number_before("cards form a pyramid", text) == pyramid == start.tableau.bit_count()
    if start.wasted:
        assert int(re.search(r"already turned (\d+)", text)[1]) == start.wasted.bit_count()
    else:
        assert "The waste is empty at the start" in text
    if start.stock:
        assert int(re.search(r"The stock holds (?:the other )?(\d+)", text)[1]) == start.stock.bit_count()
    else:
        assert "The stock is empty at the start" in text


@each_variant
def test_the_pairs_that_are_told_are_those_that_go(name):
    rules, text = VARIANTS[name], told(VARIANTS[name], "pairs")
    listed = {tuple(pair.split("+")) for pair in re.findall(r"\b\w+\+\w+\b", text)}
    going = {(LETTERS[a - 1], LETTERS[b - 1]) for a in RANKS for b in RANKS if a <= b and rules.pair_rule.pairs(a, b)}
    assert listed == going if rules.pairing == "thirteen" else listed < going
    assert ("A king goes alone" in text) == rules.pair_rule.alone(13)
    assert ("King and ace are not neighbours" in text) == (rules.pairing == "neighbours")


@each_variant
def test_the_passes_that_are_told_are_those_that_can_be_made(name):
    rules = VARIANTS[name]
    if not rules.talon_size:
        return
    text, position, recycles = told(rules, "stock"), Position.start(deal_with(), rules), 0
    while recycles < 10 and (position.can_draw or position.can_recycle):
        recycles += position.can_recycle
        position = position.apply(parse_move("D" if position.can_draw else "R"))
    assert ("as often as you like" in text) == (recycles == 10)
    assert ("There is one pass" in text) == (recycles == 0)
    if 0 < recycles < 10:
        assert number_before("times? in a game", text) == recycles


def test_the_order_after_a_recycle_is_told():
    assert "in the same order" in told(VARIANTS["pyramid"], "stock")
    assert "in the order in which they were turned, whichever pile they lay on" in told(VARIANTS["apophis"], "stock")


@settings(max_examples=60)
@given(mixes())
def test_what_a_won_game_is_worth_is_told(rules):
    low, high = score_range(rules)
    text = told(rules, "scoring")
    assert (f"always gives {low} points" if low == high else f"from {low} to {high} points") in text


def test_a_won_game_of_pyramide_is_worth_280_and_one_of_three_passes_at_most_1290():
    assert "A won game always gives 280 points." in told(VARIANTS["pyramide"], "scoring")
    assert "A won game gives from 1225 to 1290 points." in told(VARIANTS["three_passes"], "scoring")


@each_variant
def test_no_text_says_that_fourteen_moves_can_win(name):
    assert "fewer than 14 moves" not in everything(VARIANTS[name])
    if VARIANTS[name].goal == "pyramid":
        assert "No game is won in fewer than 15 moves." in told(VARIANTS[name], "scoring")


def test_undo_does_what_is_told():
    game = Game(deal_with(), Rules(undo_limit=7))
    for move in spelled_out("D*9"):
        game.play(move)
    undone = sum(game.undo().is_action for _undo in range(9))
    assert number_before("actions can be undone", told(Rules(undo_limit=7), "scoring")) == undone


def test_thirteen_says_what_it_counts_as_won():
    for name in ("thirteen", "thirteen_three_piles"):
        assert "only the goal above counts as a win" in told(VARIANTS[name], "notes")


# Titles, summaries, forms ----------------------------------------------------------------------------------------------


def test_every_named_rule_set_has_a_title_and_a_mix_has_none():
    assert list(TITLES) == list(VARIANTS)
    assert len(set(TITLES.values())) == len(TITLES)
    assert title(VARIANTS["tuts_tomb"]) == "Tut's Tomb"
    assert title(Rules(passes=2)) == "Own mix"


def test_summaries_tell_the_named_rule_sets_apart():
    lines = {name: summary(rules) for name, rules in VARIANTS.items()}
    assert all("\n" not in line and len(line) < 140 for line in lines.values())
    assert len(set(lines.values())) == len(lines)
    assert lines["classic"] == f"{lines['pyramide']} · a lost game is told at once"
    assert lines["three_passes"] == f"{lines['relaxed_pyramid']} · points for each row"


@each_variant
def test_every_section_is_there_in_its_order(name):
    keys = [section.key for section in explain(VARIANTS[name]).sections]
    assert keys == [key for key in SECTIONS if key in keys]
    assert set(SECTIONS) - set(keys) <= {"notes"}
    with pytest.raises(KeyError):
        explain(VARIANTS[name]).section("weather")


@settings(max_examples=100)
@given(mixes())
def test_no_placeholder_is_left_in_a_sentence(rules):
    explanation = explain(rules)
    for sentence in [everything(rules), explanation.summary, *explanation.contradictions]:
        assert not [name for _text, name, _form, _conversion in string.Formatter().parse(sentence) if name]
        assert sentence.strip() == sentence != ""


@each_variant
def test_the_text_has_every_sentence_within_the_width(name):
    explanation = explain(VARIANTS[name])
    wide = explanation.as_text()
    assert wide.startswith(f"{explanation.title}\n{explanation.summary}\n\nSetup\n- ")
    assert all(f"- {s}\n" in wide + "\n" for section in explanation.sections for s in section.sentences)
    narrow = explanation.as_text(60)
    assert all(len(line) <= 60 for line in narrow.split("\n\n", 1)[1].splitlines())
    assert narrow.split() == wide.split()


def test_contradictions_stand_at_the_end_of_the_text():
    rules = Rules(undo_limit=0, undo_counts=True)
    assert explain(rules).as_text().endswith(f"\n\n! {rules.contradictions()[0]}")


@settings(max_examples=40)
@given(mixes())
def test_the_plain_values_are_json_and_hold_the_rule_set(rules):
    values = json.loads(json.dumps(explain(rules).as_dict()))
    assert Rules(**values["options"]) == rules == Rules.parse(values["text"])
    assert [section["key"] for section in values["sections"]] == [section.key for section in explain(rules).sections]
    assert values["contradictions"] == list(rules.contradictions())


# Options for a panel ---------------------------------------------------------------------------------------------------


def test_every_option_has_a_label_a_sentence_and_choices():
    assert tuple(LABELS) == OPTIONS
    panel = [option_help(option) for option in OPTIONS]
    assert len({words.label for words in panel}) == len(panel)
    for words in panel:
        assert words.sentence.endswith(".")
        labels = [choice.label for choice in words.choices]
        assert len(set(labels)) == len(labels) >= 2
        for choice in words.choices:
            assert choice.label == value_label(words.option, choice.value)
            if words.option != "waste_piles":
                assert getattr(Rules.parse(f"mix,{words.option}={choice.text}"), words.option) == choice.value
        if words.numbers is None:
            assert tuple(choice.value for choice in words.choices) == choices(words.option)
        else:
            assert {choice.value for choice in words.choices} <= {*words.numbers, None}
            assert words.is_unlimited_allowed == (None in [choice.value for choice in words.choices])


def test_a_mix_is_told_by_what_it_changes():
    assert mix_differences(Rules()) == ()
    assert mix_differences(Rules(layout="giza", undo_limit=None)) == (
        "Layout: Pyramid of 7 rows over 8 columns of 3 cards",
        "Actions that can be undone: without limit",
    )


def test_every_text_comes_from_the_catalogue(monkeypatch):
    """Each sentence, title and label is looked up when it is told, so that a language set later is the one shown."""

    class Shouting(messages._gettext.NullTranslations):
        def gettext(self, message):
            return re.sub(r"(?<!\{)\b[a-z]+\b(?!\})", lambda match: match[0].upper(), message)

        def ngettext(self, singular, plural, n):
            return self.gettext(singular if n == 1 else plural)

    monkeypatch.setattr(messages, "_catalogue", Shouting())
    for rules in [*VARIANTS.values(), Rules(layout="giza"), Rules(scoring="rows", layout="pyramid_4")]:
        explanation = explain(rules)
        for text in [everything(rules), explanation.summary, *explanation.contradictions]:
            assert not re.search(r"\b[a-z]{2,}\b", text)
    for option in OPTIONS:
        words = option_help(option)
        for text in (words.label, words.sentence, *(choice.label for choice in words.choices)):
            assert not re.search(r"\b[a-z]{2,}\b", text)
