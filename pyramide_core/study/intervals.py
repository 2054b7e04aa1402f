"""Intervals for shares: Wilson's score interval, also where some answers are unknown. Knows no games."""

from functools import cache
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from pyramide_core.errors import PyramideError
from pyramide_core.messages import _

CONFIDENCE = 0.95


class CountError(PyramideError):
    """Counts that cannot be the counts of a sample."""


class Interval(NamedTuple):
    """Where a share lies, from `low` to `high`, both between 0 and 1."""

    low: float
    high: float

    def __contains__(self, share: object) -> bool:
        return isinstance(share, int | float) and self.low <= share <= self.high

    @property
    def width(self) -> float:
        """High minus low."""
        return self.high - self.low


@cache
def quantile(confidence: float) -> float:
    """Return how many standard deviations on both sides of the mean hold a share `confidence` of the normal law.

    >>> round(quantile(0.95), 6)
    1.959964
    """
    if not 0 < confidence < 1:
        raise CountError(
            _("The confidence must lie between 0 and 1, not at {confidence}.").format(confidence=confidence)
        )
    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson(successes: int, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """Return Wilson's score interval, without continuity correction, for a share seen as successes in trials.

    Without trials it is the whole interval from 0 to 1. Source: E. B. Wilson, Probable inference, the law of succession,
    and statistical inference, Journal of the American Statistical Association 22 (1927). Raises CountError when the
    counts are impossible.

    >>> low, high = wilson(81, 263)
    >>> round(low, 4), round(high, 4)
    (0.2553, 0.3662)
    """
    if not 0 <= successes <= trials:
        raise CountError(
            _("There cannot be {successes} successes in {trials} trials.").format(successes=successes, trials=trials)
        )
    z = quantile(confidence)
    if trials == 0:
        return Interval(0.0, 1.0)
    share = successes / trials
    middle = share + z * z / (2 * trials)
    half = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    # Rounding must not push the ends beyond what is exact: 0 of n starts at 0, n of n ends at 1.
    low = 0.0 if successes == 0 else max(0.0, (middle - half) / scale)
    high = 1.0 if successes == trials else min(1.0, (middle + half) / scale)
    return Interval(low, high)


def wilson_with_unknown(successes: int, unknown: int, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """Return an interval for a share when the answer of some of the trials is unknown.

    It reaches from the low end as if all unknown ones were failures to the high end as if all were successes: so it
    holds the truth at least as often as it says, whatever the unknown ones are.
    """
    if not 0 <= unknown <= trials - successes:
        raise CountError(
            _("There cannot be {successes} successes and {unknown} unknown answers in {trials} trials.").format(
                successes=successes, unknown=unknown, trials=trials
            )
        )
    return Interval(wilson(successes, trials, confidence).low, wilson(successes + unknown, trials, confidence).high)
