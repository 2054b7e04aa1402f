"""The exact solver: it answers with proof, or says honestly what it does not know.

    >>> from pyramide_core import Deal, Position, VARIANTS
    >>> from pyramide_core.solver import verdict
    >>> verdict(Position.start(Deal.from_code("PY1-N-AAAAAAJ"), VARIANTS["pyramide"])).kind.value
    'unwinnable'

Importing it imports no compiler. Where the order of the talon is free, a verdict needs none; the compiled search is
loaded when it is first needed, or ahead of time by `warm_up()`.
"""

from pyramide_core.solver.answers import max_removable, solve, verdict
from pyramide_core.solver.bulk import verdicts
from pyramide_core.solver.compiled import is_loaded, warm_up
from pyramide_core.solver.grading import Difficulty, Level, difficulty, find_deal
from pyramide_core.solver.hints import Hint, hint
from pyramide_core.solver.reasons import Reason, ReasonKind, explain_unwinnable
from pyramide_core.solver.results import Effort, Kind, Limit, MostRemoved, Solution, Verdict
from pyramide_core.solver.reviewing import Review, review

__all__ = [
    "Difficulty",
    "Effort",
    "Hint",
    "Kind",
    "Level",
    "Limit",
    "MostRemoved",
    "Reason",
    "ReasonKind",
    "Review",
    "Solution",
    "Verdict",
    "difficulty",
    "explain_unwinnable",
    "find_deal",
    "hint",
    "is_loaded",
    "max_removable",
    "review",
    "solve",
    "verdict",
    "verdicts",
    "warm_up",
]
