"""The errors of the project: every bad input ends in one of these, with a sentence made for a person.

The sentence says what is wrong, with which value and where; it comes from the message catalogue.
"""


class PyramideError(ValueError):
    """Base of every error that bad input can cause; its text can be shown to a player as it is."""


class CardError(PyramideError):
    """A text that names no card."""


class DealError(PyramideError):
    """Cards that make no deal: one is missing, stands twice, or cannot be read."""


class CodeError(DealError):
    """A deal code that cannot be read."""


class RulesError(PyramideError):
    """A rule set that does not exist or contradicts itself."""


class MoveTextError(PyramideError):
    """A text that names no move."""


class IllegalMoveError(PyramideError):
    """A move that the rules do not allow in a position; the text names the move and the reason."""
