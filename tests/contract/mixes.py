"""Rule sets for tests: every named one, and mixes of all options as hypothesis makes them."""

from hypothesis import strategies as st

from pyramide_core.deals import SEED_COUNT, Deal
from pyramide_core.rules import NUMBER_RANGES, VARIANTS, Rules, choices

OPTIONS = tuple(Rules.__dataclass_fields__)

named = st.sampled_from(list(VARIANTS.values()))
deals = st.integers(0, SEED_COUNT - 1).map(Deal.from_seed)


@st.composite
def mixes(draw):
    """Any rule set at all; small numbers are the likelier ones."""
    piles = draw(st.integers(1, 8))
    numbers = {
        "waste_piles": piles,
        "draw_count": piles * draw(st.integers(1, 24 // piles)),
        "draws_at_start": draw(st.integers(0, 2) | st.integers(0, 24)),
        "passes": draw(st.none() | st.integers(1, 4) | st.sampled_from(NUMBER_RANGES["passes"])),
        "undo_limit": draw(st.none() | st.integers(0, 5) | st.sampled_from(NUMBER_RANGES["undo_limit"])),
    }
    words = {option: draw(st.sampled_from(choices(option))) for option in OPTIONS if option not in numbers}
    return Rules(**numbers, **words)
