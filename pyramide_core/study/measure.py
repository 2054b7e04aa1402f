"""The measuring itself: a range of deals in, arrays with one entry a deal out. Knows no files, tables or workers.

This is what a worker process runs. What it returns depends on the study and the range alone: never on the machine, the
time, or how a study was cut into ranges.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pyramide_core.deals import Deal
from pyramide_core.position import Position
from pyramide_core.rules import Rules
from pyramide_core.study.referee import play, player_name
from pyramide_core.study.settings import Settings, Study

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Arrays = Mapping[str, NDArray[Any]]

VERDICTS = ("unwinnable", "winnable", "unknown")
"""What the numbers of a verdict array mean."""
UNWINNABLE, WINNABLE, UNKNOWN = range(3)
NONE = -1
"""Stands in an array for a number that does not exist or is not known."""

_PLAYER_COLUMNS = {"won": "bool", "moves": "int16", "removed": "int8", "left": "int64"}


def columns(settings: Settings) -> dict[str, str]:
    """Return the names of a study's arrays with their dtypes.

    `verdict` is a place in VERDICTS; `shortest` a number of moves; `most` a number of cards; for each player `won`,
    `moves`, `removed` (cards) and `left`, the mask of the tableau places not cleared.
    """
    found: dict[str, str] = {}
    if settings.verdict:
        found["verdict"] = "int8"
    if settings.shortest:
        found["shortest"] = "int16"
    if settings.most:
        found["most"] = "int8"
    for name in settings.players:
        found |= {f"{name}_{column}": dtype for column, dtype in _PLAYER_COLUMNS.items()}
    return found


def measure(study: Study, rules: Rules, first_seed: int, count: int) -> "Arrays":
    """Return the arrays of `columns` for so many deals from a seed on under a rule set."""
    import numpy as np

    arrays = {name: np.full(count, NONE, dtype=dtype) for name, dtype in columns(study.settings).items()}
    if study.verdict:
        arrays["verdict"][:] = _verdicts(study, rules, np.arange(first_seed, first_seed + count))
    if study.shortest or study.most or study.players:
        for row, seed in enumerate(range(first_seed, first_seed + count)):
            for name, value in _measure_deal(study, rules, Deal.from_seed(seed)):
                arrays[name][row] = value
    return arrays


def _verdicts(study: Study, rules: Rules, seeds: "NDArray[np.int64]") -> "NDArray[np.int8]":
    from pyramide_core.solver import verdicts

    return verdicts(seeds, rules, limit=study.verdict_limit, workers=1)


def _measure_deal(study: Study, rules: Rules, deal: Deal) -> Iterator[tuple[str, int]]:
    if study.shortest or study.most:
        yield from _searched(study, Position.start(deal, rules))
    for player in study.players:
        played = play(deal, rules, player, patience=study.patience)
        name = player_name(player)
        yield f"{name}_won", played.won
        yield f"{name}_moves", len(played.line)
        yield f"{name}_removed", played.removed
        yield f"{name}_left", played.position.tableau


def _searched(study: Study, position: Position) -> Iterator[tuple[str, int]]:
    from pyramide_core.solver import max_removable, solve

    if study.shortest:
        line = solve(position, limit=study.search_limit).line
        yield "shortest", NONE if line is None else len(line)
    if study.most:
        found = max_removable(position, limit=study.search_limit)
        yield "most", found.cards if found.is_exact else NONE
