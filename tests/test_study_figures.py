"""Summaries and plots by their data: what is drawn is what was measured, checked against numbers made by hand."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure

from pyramide_core import VARIANTS, Deal
from pyramide_core.cards import KING
from pyramide_core.messages import set_language
from pyramide_core.study import Results, Study, StudyError, figure, save, summary, wilson
from pyramide_core.study.figures import PLOTS, all_figures, applicable, described, image
from pyramide_core.study.intervals import wilson_with_unknown
from pyramide_core.study.labels import rules_label
from pyramide_core.study.measure import NONE, UNKNOWN, UNWINNABLE, WINNABLE, columns
from pyramide_core.study.parts import Part, Parts
from pyramide_core.study.plots import COLOURS, _percent_axis, stuck_shares
from pyramide_core.study.summaries import digits_for, number, percent, text_tables

DEALS = 40


def results_of(study: Study, each: Sequence[Mapping[str, Sequence[Any]]]) -> Results:
    """Return results with given numbers, one mapping for each rule set; what is not given is 0 or not known."""
    parts = []
    for index, given in enumerate(each):
        arrays = {}
        for name, dtype in columns(study.settings).items():
            empty = NONE if name in ("shortest", "most") else 0
            arrays[name] = np.array(given.get(name, [empty] * study.deals), dtype=dtype)
        parts.append(Parts(study.first_seed, study.deals))
        parts[-1].add(Part(index, study.first_seed, study.deals, arrays))
    return Results.of_parts(study.settings, parts)


def verdicts(winnable: int, unknown: int = 0) -> list[int]:
    return [WINNABLE] * winnable + [UNKNOWN] * unknown + [UNWINNABLE] * (DEALS - winnable - unknown)


STUDY = Study.of(
    "classic,passes=1,classic,passes=2,classic,thirteen", DEALS, shortest=True, most=True, players=["greedy", "random"]
)
GIVEN: list[dict[str, Any]] = [
    {
        "verdict": verdicts(10, unknown=4),
        "shortest": [30] * 6 + [32] * 4 + [NONE] * 30,
        "most": [52] * 5 + [40] * 15 + [NONE] * 20,
        "greedy_won": [1] * 8 + [0] * 32,
        "greedy_moves": [31] * 6 + [36] * 2 + [50] * 32,
        "greedy_removed": [52] * 8 + [20] * 32,
        # Lost games: the apex is left in all, place 1 in half of them.
        "greedy_left": [0] * 8 + [0b11] * 16 + [0b01] * 16,
        "random_removed": [10] * 40,
        "random_left": [(1 << 28) - 1] * 40,
    },
    {"verdict": verdicts(20)},
    {"verdict": verdicts(26)},
    {"verdict": verdicts(0)},
]


@pytest.fixture(scope="module")
def results() -> Results:
    return results_of(STUDY, GIVEN)


@pytest.fixture
def ax() -> Axes:
    return Figure().add_subplot()


def bars(ax: Axes) -> list[tuple[float, float, float, float]]:
    """Return the points with error bars along x as (x, y, low, high)."""
    found = []
    for container in ax.containers:
        assert isinstance(container, ErrorbarContainer)
        line, _caps, (reach, *_more) = container.lines
        assert line is not None
        for (x, y), ((x_0, y_0), (x_1, y_1)) in zip(line.get_xydata(), reach.get_segments(), strict=True):
            found.append((float(x), float(y), *((x_0, x_1) if y_0 == y_1 else (y_0, y_1))))
    return found


# Summaries ----------------------------------------------------------------------------------------------------------


def test_winnable_share_is_widened_by_the_unknown(results: Results) -> None:
    first, second, *_others = summary(results)["winnable"].to_dict("records")
    assert [first[name] for name in ("deals", "winnable", "unwinnable", "unknown")] == [40, 10, 26, 4]
    assert first["share"] == pytest.approx(12 / 40)
    assert (first["low"], first["high"]) == wilson_with_unknown(10, 4, 40)
    assert first["low"] == wilson(10, 40).low
    assert first["high"] == wilson(14, 40).high
    assert (second["share"], second["low"], second["high"]) == (0.5, *wilson(20, 40))


def test_lengths_and_most_leave_out_what_is_not_known(results: Results) -> None:
    lengths = summary(results)["shortest"].iloc[0]
    assert [lengths[name] for name in ("solved", "min", "median", "max")] == [10, 30, 30, 32]
    assert lengths["mean"] == pytest.approx((6 * 30 + 4 * 32) / 10)
    assert summary(results)["shortest"].iloc[1]["solved"] == 0
    most = summary(results)["most"].iloc[0]
    assert (most["known"], most["min"], most["all"]) == (20, 40, 5)
    assert most["mean"] == pytest.approx((5 * 52 + 15 * 40) / 20)


def test_players_are_measured_against_what_can_be_won(results: Results) -> None:
    greedy, random, *_others = summary(results)["players"].to_dict("records")
    assert (greedy["won"], greedy["share"], greedy["low"], greedy["high"]) == (8, 0.2, *wilson(8, 40))
    assert greedy["of_winnable"] == pytest.approx(8 / 10)
    assert greedy["removed"] == pytest.approx((8 * 52 + 32 * 20) / 40)
    assert greedy["moves"] == pytest.approx((6 * 31 + 2 * 36) / 8)
    assert random["won"] == 0
    assert math.isnan(random["moves"])


def test_other_confidence_gives_other_intervals(results: Results) -> None:
    first = summary(results, 0.99)["winnable"].iloc[1]
    assert (first["low"], first["high"]) == wilson(20, 40, 0.99)


def test_texts_show_as_many_digits_as_the_interval_is_worth(results: Results) -> None:
    titles = [title for title, _heads, _rows in text_tables(results)]
    assert titles == [
        "How many deals can be won",
        "Moves of the shortest win",
        "The most cards that can be removed",
        "How the players did",
    ]
    _title, heads, rows = text_tables(results)[0]
    assert heads[-1] == "95 % interval"
    assert rows[1][1:6] == ["40", "20", "20", "0", "50.0 %"]
    assert rows[1][6] == "35.2–64.8 %"
    assert [digits_for(width) for width in (0.5, 0.02, 0.004, 0.0004)] == [1, 1, 2, 3]
    assert percent(1 / 3, 3) == "33.333 %"
    assert number(float("nan")) == "–"


# Plots --------------------------------------------------------------------------------------------------------------


def test_winnable_by_rules_draws_shares_and_intervals(results: Results, ax: Axes) -> None:
    PLOTS["winnable_by_rules"].draw(results, ax)
    points = bars(ax)
    assert [point[0] for point in points] == pytest.approx([12 / 40, 0.5, 26 / 40, 0])
    assert [point[2:] for point in points] == [
        pytest.approx(tuple(wilson_with_unknown(k, u, 40))) for k, u in ((10, 4), (20, 0), (26, 0), (0, 0))
    ]
    labels = [text.get_text() for text in ax.get_yticklabels()]
    assert labels == ["Classic, passes=1", "Classic, passes=2", "Classic", "Thirteen"]


def test_axes_write_percentages_as_the_language_does(ax: Axes) -> None:
    ax.set_ylim(0, 0.2)
    try:
        for language, wanted in (("en", "12.5 %"), ("fr", "12,5\N{NO-BREAK SPACE}%"), ("th", "12.5%")):
            set_language(language)
            _percent_axis(ax.yaxis)
            assert ax.yaxis.get_major_formatter()(0.125) == wanted
    finally:
        set_language("en")


def test_winnable_by_passes_joins_what_differs_in_passes_alone(results: Results, ax: Axes) -> None:
    PLOTS["winnable_by_passes"].draw(results, ax)
    assert [point[:2] for point in bars(ax)] == [(0, pytest.approx(0.3)), (1, 0.5), (2, pytest.approx(0.65))]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["1", "2", "without limit"]
    assert "winnable_by_passes" not in applicable(Study.of("classic,thirteen", 5).settings)


def test_narrowing_ends_at_the_whole_study(results: Results, ax: Axes) -> None:
    PLOTS["narrowing"].draw(results, ax)
    assert len(ax.lines) == 4
    line = ax.lines[1]
    assert line.get_xdata()[-1] == DEALS
    assert line.get_ydata()[-1] == 0.5
    # The first 20 deals of the second rule set can all be won.
    at = list(line.get_xdata()).index(next(count for count in line.get_xdata() if 10 <= count <= 20))
    assert line.get_ydata()[at] == 1.0
    band = ax.collections[1].get_paths()[0].vertices
    ends = [float(y) for x, y in band if x == DEALS]
    assert (min(ends), max(ends)) == pytest.approx(tuple(wilson(20, 40)))


def test_difficulty_by_kings_counts_kings_of_the_deals_themselves(results: Results, ax: Axes) -> None:
    PLOTS["difficulty_by_kings"].draw(results, ax, rules="classic,passes=2")
    wanted: dict[int, list[bool]] = {}
    for seed in range(DEALS):
        kings = sum(card.rank == KING for card in Deal.from_seed(seed).cards[:10])
        wanted.setdefault(kings, []).append(seed < 20)
    points = {point[0]: point[1:] for point in bars(ax)}
    assert points.keys() == wanted.keys()
    for kings, won in wanted.items():
        assert points[kings] == pytest.approx((sum(won) / len(won), *wilson(sum(won), len(won))))


def test_shortest_lengths_are_shares_of_the_solved(results: Results, ax: Axes) -> None:
    PLOTS["shortest_lengths"].draw(results, ax)
    (line,) = ax.lines
    assert list(line.get_xdata()) == [30, 31, 32]
    assert list(line.get_ydata()) == pytest.approx([0.6, 0.0, 0.4])


def test_cards_left_add_up(results: Results, ax: Axes) -> None:
    PLOTS["cards_left"].draw(results, ax)
    greedy, random, best = (dict(zip(line.get_xdata(), line.get_ydata(), strict=True)) for line in ax.lines)
    assert (greedy[0], greedy[31], greedy[32], greedy[52]) == pytest.approx((0.2, 0.2, 1, 1))
    assert (random[41], random[42]) == pytest.approx((0, 1))
    assert (best[0], best[11], best[12]) == pytest.approx((0.25, 0.25, 1))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["Greedy", "Random", "Perfect play"]


def test_strategies_stand_beside_perfect_play(results: Results, ax: Axes) -> None:
    PLOTS["strategies"].draw(results, ax)
    assert [point[0] for point in bars(ax)] == [0.0, 0.2]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["Random", "Greedy"]
    assert list(ax.lines[-1].get_xdata()) == pytest.approx([0.3, 0.3])
    band = ax.patches[0].get_extents().transformed(ax.transData.inverted())
    assert (band.x0, band.x1) == pytest.approx(tuple(wilson_with_unknown(10, 4, 40)))


def test_moves_wasted_compares_each_win_with_its_own_shortest(results: Results, ax: Axes) -> None:
    PLOTS["moves_wasted"].draw(results, ax)
    (line,) = ax.lines
    # Six wins of 31 moves where 30 would do, two of 36 where 32 would.
    assert list(line.get_xdata()) == [1] * 6 + [4] * 2
    assert line.get_ydata()[5] == pytest.approx(6 / 8)
    assert line.get_ydata()[-1] == 1


def test_stuck_map_shows_each_place_of_the_tableau(results: Results, ax: Axes) -> None:
    PLOTS["stuck_map"].draw(results, ax, player="greedy")
    assert len(ax.patches) == len(ax.texts) == 28
    assert [text.get_text() for text in ax.texts[:3]] == ["100", "50", "0"]
    assert stuck_shares(results, "greedy")[:3] == [1.0, 0.5, 0.0]
    # Dark to light with the share.
    light = [sum(patch.get_facecolor()[:3]) for patch in ax.patches[:3]]
    assert light[0] > light[1] > light[2]
    # As in the pyramid: the apex above the middle of the bottom row.
    apex, bottom = ax.texts[0].get_position(), [text.get_position() for text in ax.texts[21:]]
    assert apex[0] == pytest.approx(sum(x for x, _y in bottom) / 7)
    assert apex[1] < bottom[0][1]


def test_map_without_a_lost_game_says_so(ax: Axes) -> None:
    study = Study.of("giza", 3, verdict=False, players=["greedy"])
    PLOTS["stuck_map"].draw(results_of(study, [{"greedy_won": [1, 1, 1]}]), ax)
    assert {text.get_text() for text in ax.texts} == {"–"}
    assert len(ax.texts) == 52


# Figures ------------------------------------------------------------------------------------------------------------


def contrast_of_lightness(colours: Sequence[str]) -> list[float]:
    """Return the relative luminances of colours, as WCAG defines them."""
    found = []
    for colour in colours:
        channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        found.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return found


def test_colours_are_okabe_and_ito_s_and_marks_differ_too(results: Results, ax: Axes) -> None:
    known = {"#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7"}
    assert set(COLOURS) <= known
    assert len(set(COLOURS)) == len(COLOURS)
    # Dark enough on white to be seen.
    assert max(contrast_of_lightness(COLOURS)) < 0.5
    PLOTS["cards_left"].draw(results, ax)
    assert len({(line.get_marker(), to_hex(line.get_color())) for line in ax.lines}) == 3
    assert len({line.get_marker() for line in ax.lines}) == 3


def test_every_plot_is_saved_as_png_and_svg(results: Results, tmp_path: Path) -> None:
    made = list(all_figures(results))
    names = [name for name, _figure in made]
    assert len(set(names)) == len(names)
    assert {"winnable_by_rules", "stuck_map_mix_1_greedy", "cards_left_classic", "strategies_thirteen"} <= set(names)
    for name, drawn in made[:3]:
        save(drawn, tmp_path / f"{name}.png")
        save(drawn, tmp_path / f"{name}.svg")
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert "<svg" in (tmp_path / f"{name}.svg").read_text(encoding="utf-8")
    assert image(figure("narrowing", results), "svg") == image(figure("narrowing", results), "svg")


def test_plots_fit_what_was_measured(results: Results) -> None:
    assert applicable(results.settings) == list(PLOTS)
    assert applicable(Study.of("pyramide", 5, verdict=False, most=True).settings) == ["cards_left"]
    assert applicable(Study.of("pyramide", 5).settings) == ["winnable_by_rules", "narrowing", "difficulty_by_kings"]
    bare = results_of(Study.of("pyramide", 2, verdict=False, most=True), [{}])
    with pytest.raises(StudyError, match="did not measure what the plot “strategies” shows"):
        figure("strategies", bare)
    with pytest.raises(StudyError, match=r"There is no plot “pie”\. There are: winnable_by_rules,"):
        figure("pie", bare)
    with pytest.raises(StudyError, match="This study has no rule set “giza”"):
        figure("cards_left", bare, rules="giza")
    with pytest.raises(StudyError, match=r"must end in \.png or \.svg"):
        save(figure("cards_left", bare), "plot.gif")


def test_plots_are_told_in_words(results: Results) -> None:
    assert described("narrowing", results) == "How the intervals narrow"
    text = described("stuck_map", results, player="greedy")
    assert text.startswith(
        "Where games get stuck; Classic, passes=1; Greedy; row 1: 100 percent; row 2: 50, 0 percent; "
    )
    assert text.count("row ") == 7


def test_label_of_a_mix_names_the_nearest_rule_set() -> None:
    assert rules_label("giza") == "Giza"
    assert rules_label("mix,passes=2") == "Pyramide, passes=2"
    assert VARIANTS["three_passes"].text == "three_passes"
    assert rules_label("three_passes,cover_pairs=yes") == "Three passes, cover_pairs=yes"
