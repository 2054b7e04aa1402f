"""Deals: golden codes, codes of any order, decks from text, and every way to get them wrong."""

import json
import random
import re
import shutil
import subprocess
from math import factorial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramide_core import Game, Move, Rules
from pyramide_core.cards import DECK, Card
from pyramide_core.deals import ALPHABET, Deal, explicit_code, read_deal, seed_code, shuffle, splitmix64
from pyramide_core.errors import CodeError, DealError, PyramideError
from tests.plain_pyramide import longest_line

DATA = Path(__file__).parent / "data"
GOLDEN = json.loads((DATA / "deals.json").read_text(encoding="utf-8"))
SPLITMIX64 = json.loads((DATA / "splitmix64.json").read_text(encoding="utf-8"))

orders = st.permutations(DECK)


def words(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


# The generator --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", SPLITMIX64["vectors"], ids=lambda vector: vector["source"].partition(",")[0])
def test_splitmix64_gives_the_published_numbers(vector: dict) -> None:
    following = splitmix64(vector["seed"])
    assert [following() for _number in vector["numbers"]] == vector["numbers"]


@pytest.mark.parametrize("golden", GOLDEN["deals"], ids=lambda golden: golden["code"])
def test_golden_deals(golden: dict) -> None:
    deal = Deal.from_code(golden["code"])
    assert words(deal.cards) == golden["cards"]
    assert (deal.seed, deal.code) == (golden["seed"], golden["code"])
    assert Deal.from_seed(golden["seed"]) == deal


@pytest.mark.parametrize("golden", GOLDEN["shuffles"], ids=lambda golden: golden["seed"])
def test_golden_shuffles_with_numbers_that_are_refused(golden: dict) -> None:
    assert list(shuffle(range(52), int(golden["seed"]))) == golden["order"]
    first = splitmix64(int(golden["seed"]))()
    # The largest multiple of 52 below 2**64, written out by hand: 2**64 - 16.
    assert (first >= 18446744073709551600) == (golden["refused"] == 1)


def test_golden_shuffles_reach_the_refusal() -> None:
    assert [golden["refused"] for golden in GOLDEN["shuffles"]].count(1) == 2


def test_golden_file_is_what_the_second_generator_writes() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("the second generator is in JavaScript, and there is no node here")
    done = subprocess.run([node, DATA / "deals.mjs"], capture_output=True, encoding="utf-8", check=True)
    assert json.loads(done.stdout) == GOLDEN


def test_every_place_gets_every_card() -> None:
    # Chi-square over all 52 x 52 frequencies of 5,200 deals: 51 * 51 degrees of freedom. With a fixed set of seeds the
    # value is fixed too; five standard deviations from its mean would be a biased shuffle.
    counts = [[0] * 52 for _place in range(52)]
    for seed in range(5200):
        for place, item in enumerate(shuffle(range(52), seed)):
            counts[place][item] += 1
    chi_square = sum((count - 100) ** 2 / 100 for row in counts for count in row)
    freedom = 51 * 51
    assert abs(chi_square - freedom) < 5 * (2 * freedom) ** 0.5


# The documented deals -------------------------------------------------------------------------------------------------


def test_documented_deal() -> None:
    deal = Deal.from_code("PY1-N-AAAAAAS")
    rows = ["J♦", "6♣ 7♥", "A♠ 4♦ Q♠", "5♥ 3♦ 6♥ 8♠", "K♥ K♣ A♦ K♠ 9♣", "Q♣ 2♣ 8♦ 10♦ 10♠ J♠", "7♣ 10♣ 3♥ 4♥ 3♠ K♦ 7♠"]
    assert " ".join(card.symbol for card in deal.cards[:29]) == " ".join([*rows, "7♦"])


def test_documented_stuck_deal_never_loses_more_than_14_cards() -> None:
    (golden,) = (golden for golden in GOLDEN["deals"] if golden["code"] == "PY1-N-AAAAAAJ")
    most, line = longest_line(tuple(golden["cards"].split()))
    assert most == 14
    game = Game(Deal.from_code("PY1-N-AAAAAAJ"), Rules())
    moves: list[Move | str] = list(line)
    game.replay(moves)
    assert game.removed == 14
    # It goes on all the same: what is left can be drawn and recycled for ever.
    assert game.outcome is None
    stock_and_waste = {*game.position.table.cards(game.position.stock | game.position.wasted)}
    for _touch in range(3 * len(stock_and_waste)):
        assert game.touch_stock().is_action
        assert game.outcome is None


# Codes ----------------------------------------------------------------------------------------------------------------


@given(st.integers(0, 32**7 - 1))
def test_every_seed_has_a_code_that_deals_it_again(seed: int) -> None:
    code = seed_code(seed)
    assert re.fullmatch("PY1-N-[A-Z2-7]{7}", code)
    assert Deal.from_code(code).seed == seed
    assert sorted(Deal.from_seed(seed).cards) == sorted(DECK)


def test_a_seed_may_come_out_of_an_array() -> None:
    deal = Deal.from_seed(np.arange(2**34 + 5, 2**34 + 6)[0])
    assert deal == Deal.from_seed(2**34 + 5)
    assert type(deal.seed) is int


@pytest.mark.parametrize("seed", [-1, 32**7, 10**5000, -(10**5000)], ids=["-1", "32**7", "huge", "minus huge"])
def test_other_seeds_are_refused(seed: int) -> None:
    with pytest.raises(CodeError) as caught:
        Deal.from_seed(seed)
    assert str(32**7 - 1) in str(caught.value)
    assert len(str(caught.value)) < 150


def test_random_deals_are_deals_with_a_code_and_differ() -> None:
    deals = [Deal.random() for _deal in range(50)]
    assert all(Deal.from_code(deal.code) == deal for deal in deals)
    assert len({deal.code for deal in deals}) == 50  # two equal ones: once in 28 million runs


@given(orders)
def test_any_order_has_a_code_that_deals_it_again(cards: list[Card]) -> None:
    deal = Deal.of(cards)
    assert re.fullmatch("PY1-X-[A-Z2-7]{48}", deal.code)
    assert Deal.from_code(deal.code) == deal
    assert Deal.from_code(deal.code).code == deal.code
    assert eval(repr(deal), {"Deal": Deal}) == deal


def letters_of(number: int, length: int) -> str:
    """Return a number in the code's alphabet: an own way to write it, over the bits."""
    bits = f"{number:0{5 * length}b}"
    return "".join(ALPHABET[int(bits[i : i + 5], 2)] for i in range(0, len(bits), 5))


def test_first_and_last_order() -> None:
    assert explicit_code(DECK) == "PY1-X-" + "A" * 48
    last = factorial(52) - 1
    assert explicit_code(DECK[::-1]) == "PY1-X-" + letters_of(last, 46) + letters_of(last % 1021, 2)
    assert Deal.from_code("PY1-X-" + "A" * 48).cards == DECK
    assert Deal.from_code(explicit_code(DECK[::-1])).cards == DECK[::-1]


def test_second_order_swaps_the_last_two_cards() -> None:
    second = (*DECK[:-2], DECK[-1], DECK[-2])
    assert explicit_code(second) == "PY1-X-" + "A" * 45 + "B" + "AB"


def test_a_rank_beyond_the_last_order_is_refused() -> None:
    number = factorial(52)
    with pytest.raises(CodeError):
        Deal.from_code("PY1-X-" + letters_of(number, 46) + letters_of(number % 1021, 2))


def explicit_codes(count: int) -> list[str]:
    dealer = random.Random(52)
    codes = ["PY1-X-" + "A" * 48, explicit_code(DECK[::-1])]
    return codes + [explicit_code(dealer.sample(DECK, 52)) for _code in range(count)]


@pytest.mark.parametrize("code", explicit_codes(4), ids=lambda code: code[6:14])
def test_any_wrong_letter_of_a_long_code_is_noticed(code: str) -> None:
    for place in range(len(code)):
        for letter in ALPHABET + "0189-":
            damaged = code[:place] + letter + code[place + 1 :]
            # A dash less or more is no damage: dashes are for the eye.
            if damaged.replace("-", "") != code.replace("-", ""):
                with pytest.raises(CodeError):
                    Deal.from_code(damaged)


@pytest.mark.parametrize("code", explicit_codes(40), ids=lambda code: code[6:14])
def test_swapped_neighbours_in_a_long_code_are_noticed(code: str) -> None:
    for place in range(6, len(code) - 1):
        swapped = code[:place] + code[place + 1] + code[place] + code[place + 2 :]
        if swapped != code:
            with pytest.raises(CodeError):
                Deal.from_code(swapped)


@given(orders, st.data())
def test_one_damaged_letter_of_any_long_code_is_noticed(cards: list[Card], data: st.DataObject) -> None:
    code = explicit_code(cards)
    place = data.draw(st.integers(6, len(code) - 1))
    letter = data.draw(st.sampled_from(ALPHABET).filter(lambda letter: letter != code[place]))
    with pytest.raises(CodeError):
        Deal.from_code(code[:place] + letter + code[place + 1 :])
    with pytest.raises(CodeError, match="too short"):
        Deal.from_code(code[:place] + code[place + 1 :])
    with pytest.raises(CodeError, match="too long"):
        Deal.from_code(code[:place] + letter + code[place:])


@pytest.mark.parametrize(
    "text",
    [
        "py1-n-aaaaaas",
        "  PY1-N-AAAAAAS\n",
        "PY1NAAAAAAS",
        "PY1 N AAAAAAS",
        "p y 1 - n - a a a a a a s",
        "PY1–N—AAA AAAS",
        "PY1\u2011N\u2212AAAA\u00adAAS",
        "\ufeffPY1_N_AAAAAAS\u200b",
        "\u202aPY1-N-AAAAAAS\u202c",
        "PY1-N-AAAAAAS\u200e",
        "PY1\uff0dN\u30fcAAAAAAS",
        "PY1-N-\u00a0AAAAAAS",
    ],
)
def test_case_spaces_and_dashes_do_not_matter(text: str) -> None:
    assert Deal.from_code(text).seed == 18


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["empty", "PY1-N-"]),
        (" - ", ["empty"]),
        ("PY2-N-AAAAAAS", ["PY2-N-AAAAAAS", "PY1-N-", "PY1-X-"]),
        ("AB1-N-AAAAAAS", ["AB1-N-AAAAAAS", "PY1-N-"]),
        ("hello", ["“hello”", "PY1-N-"]),
        ("PY1-N-AAAAAA", ["too short", "7", "6"]),
        ("PY1-N-", ["too short", "7", "0"]),
        ("PY1-N-AAAAAAAA", ["too long", "7", "8"]),
        ("PY1-N-AAAA0AA", ["“0”", "letter 5", "PY1-N-"]),
        ("PY1-N-1AAAAAA", ["“1”", "letter 1"]),
        ("PY1-N-AAAAAÀA", ["“À”", "letter 6"]),
        ("PY1-X-AAAAAA", ["too short", "48", "6", "PY1-X-"]),
        ("PY1-X-" + "A" * 47 + "B", ["check"]),
    ],
)
def test_a_wrong_code_is_told_what_is_wrong(text: str, words: list[str]) -> None:
    with pytest.raises(CodeError) as caught:
        Deal.from_code(text)
    for word in words:
        assert word in str(caught.value)


# `str.upper` makes SS, S, K, I and FI of these: they are no letters of a code all the same.
@pytest.mark.parametrize("trap", "ß \u017f \u212a \u0131 \ufb01 \uff21 \u0410 \u0391 \u00b2 \u0662 \uff12".split())
def test_letters_that_only_look_like_the_alphabet_are_refused(trap: str) -> None:
    for length in (5, 6):
        with pytest.raises(CodeError) as caught:
            Deal.from_code("PY1-N-" + "A" * length + trap)
        assert f"“{trap}”" in str(caught.value)


def check_message(error: PyramideError) -> None:
    message = str(error)
    assert len(message) < 400
    assert message.isprintable()


any_text = st.text(alphabet=st.characters(exclude_categories=()))
code_like = st.builds(
    lambda prefix, body: prefix + body,
    st.sampled_from(["PY1-N-", "PY1-X-", "py1n", "PY1", "PY1-Z-"]),
    st.text(alphabet=ALPHABET + ALPHABET.lower() + "0189ßſıK\u200b\udc80-– \0", max_size=60),
)


@given(any_text | code_like)
def test_any_text_is_a_code_or_refused(text: str) -> None:
    try:
        deal = Deal.from_code(text)
    except PyramideError as error:
        check_message(error)
    else:
        assert sorted(deal.cards) == sorted(DECK)
        assert Deal.from_code(deal.code) == deal


def test_long_texts_are_not_quoted_whole() -> None:
    for text in ("A" * 10**5, "PY1-N-" + "A" * 10**5, "PY1-N-" + "!" * 10**5, "K" * 10**5, "KD " * 10**4, "x " * 10**4):
        for read in (Deal.from_code, Deal.from_text, read_deal):
            with pytest.raises(PyramideError) as caught:
                read(text)
            check_message(caught.value)


# Decks from text ------------------------------------------------------------------------------------------------------

DEALT = Deal.from_code("PY1-N-AAAAAAS")
FRENCH = {"J": "V", "Q": "D", "K": "R"}


def written(card: Card, style: str) -> str:
    rank, suit = str(card)[:-1], str(card)[-1]
    symbol = dict(zip("CDHS", "♣♦♥♠", strict=True))[suit]
    return {
        "plain": rank + suit,
        "lower": (rank + suit).lower(),
        "T": rank.replace("10", "T") + suit,
        "symbols": rank + symbol,
        "outlines": rank + dict(zip("CDHS", "♧♢♡♤", strict=True))[suit],
        "emoji": rank + symbol + "\ufe0f",
        "text symbols": rank + symbol + "\ufe0e",
        "french": FRENCH.get(rank, rank) + symbol,
        "french letters": (FRENCH.get(rank, rank) + suit).lower(),
        "1 for ace": rank.replace("A", "1") + suit,
    }[style]


STYLES = [*"plain lower T symbols outlines emoji french".split(), "text symbols", "french letters", "1 for ace"]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("between", [" ", ",", ", ", "; ", "\n", "\r\n", "\t", " | ", "\u00a0", "\u3000", "/"])
def test_every_way_to_write_a_deck(style: str, between: str) -> None:
    text = between.join(written(card, style) for card in DEALT.cards)
    assert Deal.from_text(text) == DEALT
    assert read_deal(text) == DEALT


@given(orders, st.data())
def test_ways_may_be_mixed(cards: list[Card], data: st.DataObject) -> None:
    styles = data.draw(st.lists(st.sampled_from(STYLES), min_size=52, max_size=52))
    separators = data.draw(st.lists(st.sampled_from([" ", ",", "\n", " ; ", "\u00a0\u00a0"]), min_size=53, max_size=53))
    text = separators[0] + "".join(
        written(card, style) + separator for card, style, separator in zip(cards, styles, separators[1:], strict=True)
    )
    assert Deal.from_text(text).cards == tuple(cards)


def test_rows_with_comments_of_white_space_and_a_byte_order_mark() -> None:
    rows = [DEALT.cards[:1], DEALT.cards[1:3], DEALT.cards[3:]]
    text = "\ufeff" + "\n".join("     " + "  ".join(map(str, row)) for row in rows) + "\n\n"
    assert Deal.from_text(text) == DEALT
    assert read_deal(text) == DEALT


@given(orders)
def test_text_is_read_back(cards: list[Card]) -> None:
    deal = Deal.of(cards)
    assert Deal.from_text(deal.text) == deal
    assert read_deal(deal.text) == deal
    assert read_deal(deal.code) == deal


@given(orders, st.data())
def test_a_missing_card_is_named(cards: list[Card], data: st.DataObject) -> None:
    gone = set(data.draw(st.lists(st.sampled_from(cards), min_size=1, max_size=3)))
    with pytest.raises(DealError) as caught:
        Deal.from_text(words(tuple(card for card in cards if card not in gone)))
    message = str(caught.value)
    assert f"{52 - len(gone)}" in message
    assert set(re.findall(r"(?:10|[A2-9JQK])[♣♦♥♠]", message)) == {card.symbol for card in gone}


@given(orders, st.integers(0, 51), st.integers(0, 51))
def test_a_doubled_card_is_named_with_both_places(cards: list[Card], first: int, second: int) -> None:
    if first == second:
        cards = [*cards, cards[first]]
        places = [first + 1, 53]
    else:
        cards = list(cards)
        cards[second] = cards[first]
        places = sorted((first + 1, second + 1))
    with pytest.raises(DealError) as caught:
        Deal.from_text(words(tuple(cards)))
    message = str(caught.value)
    assert message.startswith(cards[first].symbol)
    assert [int(number) for number in re.findall(r"card (\d+)", message)] == places


@given(orders, st.integers(0, 51), st.sampled_from(["XX", "11H", "K", "Ñ", "♦K", "1٠♦", "10", "\x1b[0m"]))
def test_an_unreadable_card_is_named_with_its_place(cards: list[Card], place: int, word: str) -> None:
    texts = [*map(str, cards)]
    texts[place] = word
    with pytest.raises(DealError) as caught:
        Deal.from_text(" ".join(texts))
    assert f"Card {place + 1} " in str(caught.value)
    assert f"“{word.replace(chr(27), '�')}”" in str(caught.value)


@pytest.mark.parametrize("text", ["", " ", "\n\t", ",,;", "\u00a0", "\ufeff"])
def test_a_text_without_cards(text: str) -> None:
    with pytest.raises(DealError, match="no cards"):
        Deal.from_text(text)


@given(any_text | st.lists(st.sampled_from([*map(str, DECK), "XX", "\udc80", "ß♦", "²C"]), max_size=60).map(" ".join))
def test_any_text_is_a_deck_or_refused(text: str) -> None:
    for read in (Deal.from_text, read_deal):
        try:
            deal = read(text)
        except PyramideError as error:
            check_message(error)
        else:
            assert sorted(deal.cards) == sorted(DECK)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("PY1-N-AAAA", "too short"),
        ("PY1 N AAAA", "too short"),
        ("hello", "not a Pyramide code"),
        ("hello world", "not a Pyramide code"),
        ("KD", "52 cards"),
        ("KD hello", "Card 2"),
        ("KD,KD", "twice"),
        ("", "empty"),
    ],
)
def test_a_pasted_text_gets_the_reason_that_fits(text: str, word: str) -> None:
    with pytest.raises(DealError, match=word):
        read_deal(text)


# Deals as values ------------------------------------------------------------------------------------------------------


def test_equal_cards_make_equal_deals() -> None:
    same = Deal.of(DEALT.cards)
    assert same == DEALT
    assert hash(same) == hash(DEALT)
    assert (same.seed, DEALT.seed) == (None, 18)
    assert Deal.from_seed(0) != same
    assert DEALT.cards != same


def test_a_deal_of_fewer_cards_has_no_code() -> None:
    small = Deal.of([Card.parse("KD"), Card.parse("10C")])
    assert small.code == ""
    assert small.text == "KD 10C"
    assert eval(repr(small), {"Deal": Deal, "Card": Card}) == small
    with pytest.raises(DealError):
        explicit_code(small.cards)


def test_only_52_different_cards_have_a_code() -> None:
    with pytest.raises(DealError):
        explicit_code((*DECK[:51], DECK[0]))
    with pytest.raises(DealError):
        explicit_code((*DECK, DECK[0]))
    with pytest.raises(DealError, match="twice"):
        Deal.of((*DECK, DECK[0]))


def test_place_of_counts_in_dealing_order() -> None:
    assert DEALT.place_of[Card.parse("JD")] == 0
    assert DEALT.place_of[Card.parse("7D")] == 28
    assert len(DEALT.place_of) == 52
