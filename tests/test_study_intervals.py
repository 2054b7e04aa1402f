"""Wilson's interval against published values and other programs, and what unknown answers do to it."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramide_core.study.intervals import CountError, Interval, quantile, wilson, wilson_with_unknown

CASES = json.loads((Path(__file__).parent / "data" / "wilson.json").read_text(encoding="utf-8"))["cases"]


# R. G. Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998), table I,
# method 3 (score, without continuity correction).
@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_published_values(successes: int, trials: int, low: float, high: float) -> None:
    interval = wilson(successes, trials)
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


@pytest.mark.parametrize(("successes", "trials", "confidence", "low", "high"), CASES)
def test_other_programs(successes: int, trials: int, confidence: float, low: float, high: float) -> None:
    interval = wilson(successes, trials, confidence)
    assert interval.low == pytest.approx(low, abs=1e-9)
    assert interval.high == pytest.approx(high, abs=1e-9)


def test_quantile_is_the_one_of_the_tables() -> None:
    assert [round(quantile(c), 4) for c in (0.8, 0.9, 0.95, 0.99)] == [1.2816, 1.6449, 1.96, 2.5758]


def test_no_trials_tell_nothing() -> None:
    assert wilson(0, 0) == Interval(0.0, 1.0)


counts = st.integers(1, 10**9).flatmap(
    lambda trials: st.tuples(st.integers(0, trials), st.integers(0, trials), st.just(trials))
)


@given(counts)
def test_share_lies_within_and_failures_mirror_successes(count: tuple[int, int, int]) -> None:
    successes, _other, trials = count
    low, high = wilson(successes, trials)
    assert 0 <= low <= successes / trials <= high <= 1
    mirrored = wilson(trials - successes, trials)
    assert mirrored.low == pytest.approx(1 - high, abs=1e-12)
    assert mirrored.high == pytest.approx(1 - low, abs=1e-12)


@given(counts)
def test_unknown_answers_widen_to_both_extremes(count: tuple[int, int, int]) -> None:
    first, second, trials = count
    successes, unknown = min(first, second), abs(first - second)
    widened = wilson_with_unknown(successes, unknown, trials)
    # Whatever the unknown ones are, the interval of the full answer lies within.
    for hidden in {0, unknown // 2, unknown}:
        full = wilson(successes + hidden, trials)
        assert widened.low <= full.low + 1e-15
        assert full.high <= widened.high + 1e-15
    assert widened.low == wilson(successes, trials).low
    assert widened.high == wilson(successes + unknown, trials).high


@pytest.mark.parametrize(("successes", "unknown", "trials"), [(3, 0, 2), (-1, 0, 2), (1, 2, 2), (1, -1, 2)])
def test_impossible_counts_are_refused(successes: int, unknown: int, trials: int) -> None:
    with pytest.raises(CountError, match=r"There cannot be .* in 2 trials\."):
        wilson_with_unknown(successes, unknown, trials)


def test_confidence_is_a_share() -> None:
    with pytest.raises(CountError, match="between 0 and 1, not at 95"):
        wilson(1, 2, 95)


def test_interval_holds_what_lies_in_it() -> None:
    assert 0.3 in Interval(0.25, 0.3)
    assert 0.31 not in Interval(0.25, 0.3)
