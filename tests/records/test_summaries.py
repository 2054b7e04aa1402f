"""Statistics, rankings and charts, against a plain count by hand and by brute force; names, tokens and the daily deal."""

import random
from dataclasses import replace
from datetime import date, timedelta
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramide_core import Deal
from pyramide_core.deals import SEED_COUNT
from pyramide_core.messages import set_language
from pyramide_core.records import charts
from pyramide_core.records.daily import deal_of_the_day
from pyramide_core.records.errors import RecordsError
from pyramide_core.records.saved import GameFacts
from pyramide_core.records.summaries import (
    Statistics,
    by_moves,
    by_time,
    hinted,
    played,
    streaks,
    summarise,
    unaided,
)
from pyramide_core.records.tokens import make_class_code, make_token, name_key, read_class_code, read_name


def facts(number: int, result: str = "won", **values: object) -> GameFacts:
    plain = GameFacts(key=f"{number:032x}", rules="pyramide", code="PY1-N-AAAAAAS", entries=10, is_current=False)
    return replace(plain, result=result, updated_at=float(number), **values)  # type: ignore[arg-type]


GAMES = [
    facts(1, "won", seconds=100.0, moves=50, undos=1),
    facts(2, "won", seconds=80.0, moves=60, hints=2),
    facts(3, "dead-end", seconds=10.0, moves=9, cards_left=12),
    facts(4, "won", seconds=80.0, moves=40),
    facts(5, "won", seconds=300.0, moves=40, undos=3),
    facts(6, "won", seconds=90.0, moves=70, hints=1),
    facts(7, "", cards_left=20, moves=5),
    facts(8, "won", seconds=120.0, moves=30),
    # These do not count: nothing was played, or it is still being played.
    facts(9, "", entries=0),
    facts(10, "", is_current=True, cards_left=3),
]


def test_figures_of_ten_games_counted_by_hand() -> None:
    assert summarise(random.Random(1).sample(GAMES, len(GAMES))) == Statistics(
        games=8,
        won=6,
        dead_ends=1,
        left=1,
        current_streak=1,
        best_streak=3,
        best_seconds=80.0,
        mean_seconds=(100 + 80 + 80 + 300 + 90 + 120) / 6,
        best_moves=30,
        mean_moves=(50 + 60 + 40 + 40 + 70 + 30) / 6,
        mean_cards_left=16.0,
        undos=4,
        hints=3,
        hinted_games=2,
    )


def test_no_games_have_no_best_and_no_mean() -> None:
    assert summarise([]) == summarise([GAMES[-1]]) == Statistics()
    assert Statistics().share_won is None


def test_dead_end_on_the_table_counts_and_can_still_be_undone() -> None:
    assert summarise([facts(1, "dead-end", is_current=True, cards_left=4)]).dead_ends == 1


def test_two_rankings_and_games_with_hints_apart() -> None:
    assert [int(game.key, 16) for game in by_time(unaided(GAMES))] == [4, 1, 8, 5]
    assert [int(game.key, 16) for game in by_moves(unaided(GAMES))] == [8, 4, 5, 1]
    assert [int(game.key, 16) for game in by_time(hinted(GAMES))] == [2, 6]
    assert [int(game.key, 16) for game in by_moves(hinted(GAMES))] == [2, 6]
    assert len(by_time(unaided(GAMES), most=2)) == 2


@given(st.lists(st.booleans(), max_size=30))
def test_streaks_against_brute_force(wins: list[bool]) -> None:
    games = [facts(number, "won" if win else "dead-end") for number, win in enumerate(wins)]
    stretches = [
        stop - start for start in range(len(wins)) for stop in range(start + 1, len(wins) + 1) if all(wins[start:stop])
    ]
    trailing = [length for length in range(1, len(wins) + 1) if all(wins[-length:])]
    assert streaks(games) == (max(trailing, default=0), max(stretches, default=0))


@given(st.lists(st.booleans(), min_size=1, max_size=60))
def test_share_of_the_last_games_against_brute_force(wins: list[bool]) -> None:
    games = [facts(number, "won" if win else "") for number, win in enumerate(wins)]
    expected = [mean(map(float, wins[max(0, end - 20) : end])) for end in range(1, len(wins) + 1)]
    assert charts.shares_won(games) == pytest.approx(expected)


# Charts --------------------------------------------------------------------------------------------------------------


def test_charts_draw_the_figures() -> None:
    times = charts.draw_times(GAMES)
    dots = {tuple(map(float, dot)) for group in times.collections for dot in group.get_offsets()}
    won = [game for game in played(GAMES) if game.is_won]
    assert dots == {(float(number), game.seconds / 60) for number, game in enumerate(won, 1)}
    (best,) = times.lines
    assert list(best.get_ydata()) == [min(game.seconds for game in won[:n]) / 60 for n in range(1, len(won) + 1)]
    moves = charts.draw_moves(GAMES)
    assert list(moves.lines[0].get_ydata()) == [50, 50, 40, 40, 40, 30]
    left = charts.draw_cards_left(GAMES)
    assert {(bar.get_x() + bar.get_width() / 2, bar.get_height()) for bar in left.patches} == {(0, 6), (12, 1), (20, 1)}
    share = charts.draw_share_won(GAMES)
    assert share.lines[0].get_ydata()[-1] == pytest.approx(100 * 6 / 8)


def test_charts_leave_room_for_the_legend_and_speak_the_language() -> None:
    for ax, most in ((charts.draw_moves(GAMES), 70), (charts.draw_times(GAMES), 5)):
        assert ax.get_ylim()[1] >= 1.3 * most
    try:
        set_language("fr")
        write = charts.draw_times(GAMES).yaxis.get_major_formatter()
        assert [write(value, 0) for value in (0, 0.25, 1.5, 20)] == ["0", "0,25", "1,5", "20"]
    finally:
        set_language("en")


def test_charts_take_axes_and_say_when_there_is_nothing() -> None:
    from matplotlib.figure import Figure

    axes = Figure().subplots(4)
    for draw, ax in zip(
        (charts.draw_times, charts.draw_moves, charts.draw_share_won, charts.draw_cards_left), axes, strict=True
    ):
        assert draw([], ax) is ax
        assert [text.get_text() for text in ax.texts] == ["no games yet"]


def test_picture_and_its_words() -> None:
    assert charts.progress_svg(GAMES).lstrip().startswith("<?xml")
    assert charts.alternative(GAMES) == "6 of 8 games won. Best time 1:20, fewest moves 30."
    assert charts.alternative([]) == "0 of 0 games won."


# The daily deal, names and tokens ------------------------------------------------------------------------------------


def splitmix(seed: int) -> int:
    """SplitMix64's first number, written out anew."""
    mask = 2**64 - 1
    z = (seed + 0x9E3779B97F4A7C15) & mask
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z = ((z ^ (z >> shift)) * factor) & mask
    return z ^ (z >> 31)


def test_deal_of_the_day_follows_from_the_date() -> None:
    day = date(2026, 1, 1)
    codes = set()
    for _number in range(400):
        deal = deal_of_the_day(day)
        assert deal == Deal.from_seed(splitmix(int(day.strftime("%Y%m%d"))) % SEED_COUNT)
        codes.add(deal.code)
        day += timedelta(days=1)
    assert len(codes) == 400


def test_tokens_are_long_and_different() -> None:
    tokens = {make_token() for _number in range(100)}
    assert len(tokens) == 100
    assert all(len(token) >= 32 for token in tokens)


def test_class_codes_read_back_however_typed() -> None:
    for _number in range(50):
        code = make_class_code()
        assert read_class_code(f" {code[:3].lower()}-{code[3:]} ") == code
        assert not set(code) & set("IO01")
    # A Ukrainian keyboard gives letters that look the same.
    assert read_class_code("\u0430\u0412\u0421-\u0415\u041a7") == "ABCEK7"


@pytest.mark.parametrize(
    ("text", "words"), [("ABC", "6 letters, not 3"), ("ABCDE0", "“0”"), ("", "not 0"), (99 * "A", "99")]
)
def test_wrong_class_code_is_told(text: str, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        read_class_code(text)


def test_names() -> None:
    assert read_name(" Ada \u00a0Lovelace ") == "Ada Lovelace"
    assert read_name("e\u0301") == "é"
    assert read_name("", needed=False) == ""
    with pytest.raises(RecordsError, match="give a name"):
        read_name("  ")
    assert name_key("Straße") == name_key("STRASSE")
    assert name_key("Ada") != name_key("Adam")
