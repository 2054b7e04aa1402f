"""Fonts for plots and sheets of paper: which ones have the letters of every language. Imports matplotlib when asked.

matplotlib takes each letter from the first font of a list that has it; a font that is not installed would be complained
about at every letter, so only those that are there are named.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

# The first ones have Cyrillic and the suits too; the others are those of Linux, Windows and macOS.
_LATIN = "DejaVu Sans|Noto Sans"  # not a text
_THAI = "Noto Sans Thai|Loma|Garuda|Waree|Leelawadee UI|Tahoma|Thonburi|Arial Unicode MS"  # not a text


@cache
def families() -> list[str]:
    """Return the fonts of this machine that a text in any of the languages needs, the usual one first."""
    from matplotlib.font_manager import fontManager

    there = {entry.name for entry in fontManager.ttflist}
    return [name for name in f"{_LATIN}|{_THAI}".split("|") if name in there]


@contextmanager
def for_pictures_in_pages() -> Iterator[None]:
    """Let figures be drawn and saved as SVG whose letters stay text: the page's browser sets it in its own fonts.

    So a server without Thai fonts still serves Thai plots; it measures the letters with whatever it has.
    """
    from matplotlib import rc_context

    with rc_context({"font.family": families(), "svg.fonttype": "none"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from")  # not a text
        yield
