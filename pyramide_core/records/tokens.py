"""Secrets and names: what keeps players apart. Knows no database.

A token is made once in each browser and never shown. The database holds only its hash: a token is random, at least
128 bits, so that a fast hash is enough and no salt is needed.
"""

import hashlib
import re
import secrets
import unicodedata

from pyramide_core.messages import _, shorten
from pyramide_core.records.errors import RecordsError

LONGEST_NAME = 40
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters and digits that nobody takes for another one on a projector: no I, O, 0 and 1."""
CODE_LENGTH = 6
_LOOKALIKES = str.maketrans("АВСЕНКМРТУХ", "ABCEHKMPTYX")
"""Cyrillic letters, which a Ukrainian keyboard gives, and the Latin ones that look the same on the projector."""
# 32 letters hold at least 128 bits, be they of base 16 or of base 64.
_TOKEN = re.compile(r"[A-Za-z0-9_-]{32,128}")


def make_token() -> str:
    """Return a new secret token of 192 bits."""
    return secrets.token_urlsafe(24)


def hash_token(token: object) -> str:
    """Return the 64 hexadecimal digits that the database knows a token by; raises RecordsError for what is no token."""
    if not isinstance(token, str) or not _TOKEN.fullmatch(token):
        raise RecordsError(_("This browser sends no valid key, so nothing is recorded."))
    return hashlib.sha256(b"pyramide " + token.encode("ascii")).hexdigest()


def read_name(text: str, *, needed: bool = True) -> str:
    """Return a player's name without stray spaces; raises RecordsError for one that cannot be shown.

    >>> read_name("  Ada \u00a0 L. ")
    'Ada L.'
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name and needed:
        raise RecordsError(_("Please give a name."))
    if len(name) > LONGEST_NAME:
        raise RecordsError(
            _("The name “{name}” is too long: a name has at most {most} letters.").format(
                name=shorten(name), most=LONGEST_NAME
            )
        )
    if not name.isprintable():
        raise RecordsError(_("The name “{name}” has a letter that cannot be shown.").format(name=shorten(name)))
    return name


def name_key(name: str) -> str:
    """Return what two names have in common that people take for the same.

    >>> name_key("ADA") == name_key("ada")
    True
    """
    return unicodedata.normalize("NFKC", name).casefold()


def make_class_code() -> str:
    """Return a new short code of a class, to be read aloud and typed."""
    return "".join(secrets.choice(CODE_LETTERS) for _letter in range(CODE_LENGTH))


def read_class_code(text: str) -> str:
    """Return a class code typed in any case and with spaces or dashes; raises RecordsError saying what is wrong.

    >>> read_class_code(" abc-2x7 ")
    'ABC2X7'
    """
    code = re.sub(r"[\s\-–—_]", "", unicodedata.normalize("NFKC", text)).upper().translate(_LOOKALIKES)
    wrong = next((letter for letter in code if letter not in CODE_LETTERS), None)
    if wrong is not None:
        raise RecordsError(
            _("“{letter}” cannot stand in the code of a class: only letters and digits without I, O, 0 and 1.").format(
                letter=shorten(wrong)
            )
        )
    if len(code) != CODE_LENGTH:
        raise RecordsError(
            _("The code of a class has {wanted} letters, not {found}.").format(wanted=CODE_LENGTH, found=len(code))
        )
    return code
