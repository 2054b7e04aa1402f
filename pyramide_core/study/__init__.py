"""Studies: what many deals say. Runs them on one machine or a cluster, sums them up with honest intervals, draws them.

Importing it imports neither pandas nor a solver: names are looked up in its modules when they are first used.

>>> from pyramide_core.study import Study
>>> Study.of("pyramide,thirteen", deals=1000).settings.rules
('pyramide', 'thirteen')
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyramide_core.study.figures import PLOTS, figure, save
    from pyramide_core.study.intervals import Interval, wilson, wilson_with_unknown
    from pyramide_core.study.players import PLAYERS, look_ahead, player_named
    from pyramide_core.study.referee import Played, Player, play
    from pyramide_core.study.running import run
    from pyramide_core.study.settings import Settings, Study, StudyError
    from pyramide_core.study.summaries import summary
    from pyramide_core.study.table import Results
    from pyramide_core.study.view import Dice, View

_MODULES = {
    "intervals": ("Interval", "wilson", "wilson_with_unknown"),
    "referee": ("Played", "Player", "play"),
    "players": ("PLAYERS", "look_ahead", "player_named"),
    "figures": ("PLOTS", "figure", "save"),
    "running": ("run",),
    "settings": ("Settings", "Study", "StudyError"),
    "summaries": ("summary",),
    "table": ("Results",),
    "view": ("Dice", "View"),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [  # noqa: RUF022 - grouped as the modules are
    "Interval", "wilson", "wilson_with_unknown",
    "Played", "Player", "play",
    "PLAYERS", "look_ahead", "player_named",
    "PLOTS", "figure", "save",
    "run",
    "Settings", "Study", "StudyError",
    "summary",
    "Results",
    "Dice", "View",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
