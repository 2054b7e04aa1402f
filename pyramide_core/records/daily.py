"""The deal of the day: the same for everybody in the world, from the date alone. Knows no database and no network.

The day is that of Universal Time, so that it begins everywhere at the same moment. Its seed is the first number that
the generator of `pyramide_core.deals` gives when it starts from the date written as a number (20261130), modulo 2**35:
the upper bits are cut off, and each of the 2**35 deals is as likely as any other.
"""

from datetime import UTC, date, datetime

from pyramide_core.deals import SEED_COUNT, Deal, splitmix64


def today() -> date:
    """Return the date of Universal Time."""
    return datetime.now(UTC).date()


def deal_of_the_day(day: date | None = None) -> Deal:
    """Return the deal of a day; without one, of today.

    >>> deal_of_the_day(date(2026, 11, 30)).code
    'PY1-N-WISWRI6'
    """
    day = day or today()
    return Deal.from_seed(splitmix64(day.year * 10_000 + day.month * 100 + day.day)() % SEED_COUNT)
