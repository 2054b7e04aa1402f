"""What a rule set of a table is called where there is little room: on an axis, at the head of a row. Knows no table."""

from functools import lru_cache

from pyramide_core.explain import title
from pyramide_core.rules import VARIANTS, Rules


@lru_cache(maxsize=256)
def _nearest(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the named rule set nearest to one, `pyramide` first of all, and the options that differ."""
    rules = Rules.parse(text)
    name = min(VARIANTS, key=lambda name: len(rules.differences(VARIANTS[name])))
    return name, rules.differences(VARIANTS[name])


def rules_label(text: str) -> str:
    """Return what a rule set of a table is called on an axis: its title, or the nearest title and what differs.

    >>> rules_label("classic"), rules_label("classic,passes=2")
    ('Classic', 'Classic, passes=2')
    """
    name, differences = _nearest(text)
    return ", ".join((title(VARIANTS[name]), *differences))
