"""What can go wrong with records; each text is a sentence for the player, and the game goes on without records."""

from pyramide_core.errors import PyramideError


class RecordsError(PyramideError):
    """Records that cannot be opened, read or written."""


class OffError(RecordsError):
    """Records that somebody has switched off on purpose, which needs no warning."""


class DamagedError(RecordsError):
    """A database that is damaged or not one of Pyramide's; it is left as it is."""


class NewerError(RecordsError):
    """A database that a newer version of Pyramide has made; it is left as it is."""


class NotYoursError(RecordsError):
    """A game, class or player that does not belong to the token that asks for it, or is not there: the two look alike."""


class ConflictError(RecordsError):
    """A saved game that is no longer as this program has left it: another window has played it on."""


class NameTakenError(RecordsError):
    """A name that another learner of the class has already."""


class OverError(RecordsError):
    """A class that is closed, or whose time is over for a learner: what comes now is not recorded."""


class ExchangeError(RecordsError):
    """A file of games that cannot be read; the text names the line."""
