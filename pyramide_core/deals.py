"""Deals: an order of the cards, its code, and its text forms. Knows no rules and no moves.

The cards of a deal stand in dealing order: the tableau from the apex down, each row from left to right, then the
talon in the order of turning.

The generator of the `PY1-N-` deals, version 1
----------------------------------------------
A code is `PY1-N-` and seven letters of the alphabet A-Z2-7 (A = 0, ..., Z = 25, 2 = 26, ..., 7 = 31), most
significant first: a seed of 35 bits. The deal is made from the seed as follows, so that a code means the same deal
for ever and in any programming language:

1. SplitMix64. The state is a 64-bit number, at first the seed. Each call adds 0x9E3779B97F4A7C15 to the state
   (modulo 2**64) and returns z after z = state; z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
   z = (z ^ (z >> 27)) * 0x94D049BB133111EB; z = z ^ (z >> 31), with products modulo 2**64.
2. A number below n: let L be the largest multiple of n that is at most 2**64. Call the generator until it returns
   a number below L; the answer is that number modulo n.
3. Fisher-Yates from the top down: start from BASE_ORDER; for i = 51, 50, ..., 1 draw j below i + 1 and swap the
   cards i and j.

BASE_ORDER is the order for which two documented facts hold: PY1-N-AAAAAAS is the deal of the rules page, and
PY1-N-AAAAAAJ never lets more than 14 cards go under the `pyramide` rules. `scripts/find_base_order.py` found it.

The second kind, `PY1-X-`, carries any order of the 52 cards: see `explicit_code`.
"""

import operator
import re
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import factorial
from string import ascii_lowercase, ascii_uppercase
from typing import TypeVar
from unicodedata import category

from pyramide_core.cards import DECK, Card
from pyramide_core.errors import CardError, CodeError, DealError
from pyramide_core.messages import _, shorten

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
SEED_LETTERS = 7
SEED_COUNT = 32**SEED_LETTERS
SEED_PREFIX, EXPLICIT_PREFIX = "PY1-N-", "PY1-X-"

# 52! - 1 has 226 bits: 46 letters carry it, two more carry the check.
RANK_LETTERS_X, CHECK_LETTERS = 46, 2
CHECK_MODULUS = 1021

BASE_ORDER = tuple(
    Card.parse(word)
    for row in (
        "3C AC 6C 3D 4D AS 10H 6H AH 7D 5D 10S 10C",
        "JD 8S 3S 8D 7C 2S 7H QS 5C 2H 8H KC KH",
        "QH 5H 2C 6D 9S 9H 6S KS QC KD 4H JH JS",
        "7S 3H 2D JC QD AD 9D 9C 5S 10D 4S 8C 4C",
    )
    for word in row.split()
)

_MASK_64 = (1 << 64) - 1
_T = TypeVar("_T")


def splitmix64(seed: int) -> Callable[[], int]:
    """Return the generator SplitMix64 as a function that gives the next 64-bit number."""
    state = seed & _MASK_64

    def following() -> int:
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & _MASK_64
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK_64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK_64
        return z ^ (z >> 31)

    return following


def shuffle(items: Sequence[_T], seed: int) -> tuple[_T, ...]:
    """Return the items in the order of a seed: steps 1 to 3 of the module's page."""
    following = splitmix64(seed)
    order = list(items)
    for i in range(len(order) - 1, 0, -1):
        limit = (1 << 64) - (1 << 64) % (i + 1)
        number = following()
        while number >= limit:
            number = following()
        j = number % (i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def _to_letters(number: int, length: int) -> str:
    letters = []
    for _place in range(length):
        number, digit = divmod(number, 32)
        letters.append(ALPHABET[digit])
    return "".join(reversed(letters))


def _from_letters(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 32 + ALPHABET.index(letter)
    return number


def seed_code(seed: int) -> str:
    """Return the code of a seed from 0 to 2**35 - 1.

    >>> seed_code(18)
    'PY1-N-AAAAAAS'
    """
    if not 0 <= seed < SEED_COUNT:
        # Python writes no number of more than some thousand digits.
        found = str(seed) if seed.bit_length() <= 64 else shorten(hex(seed))
        raise CodeError(_("The seed must be from 0 to {last}, not {seed}.").format(last=SEED_COUNT - 1, seed=found))
    return SEED_PREFIX + _to_letters(seed, SEED_LETTERS)


def explicit_code(cards: Sequence[Card]) -> str:
    """Return the `PY1-X-` code of any order of the 52 cards.

    46 letters hold the order's rank among all 52! orders in lexicographic order of DECK, most significant first; two
    more hold that rank modulo 1021. As 1021 is a prime above 32, one wrong letter always changes the check, and so do
    two neighbours that have changed places. Raises DealError when the cards are not the 52, once each.
    """
    if len(cards) != len(DECK) or set(cards) != set(DECK):
        raise DealError(_("Only a deal of 52 different cards has a code."))
    left = list(DECK)
    rank = 0
    for card in cards:
        position = left.index(card)
        rank = rank * len(left) + position
        del left[position]
    return EXPLICIT_PREFIX + _to_letters(rank, RANK_LETTERS_X) + _to_letters(rank % CHECK_MODULUS, CHECK_LETTERS)


def _explicit_cards(letters: str) -> tuple[Card, ...]:
    rank, check = _from_letters(letters[:RANK_LETTERS_X]), _from_letters(letters[RANK_LETTERS_X:])
    if rank % CHECK_MODULUS != check or rank >= factorial(len(DECK)):
        raise CodeError(_("The check letters of this code do not fit: at least one letter is wrong."))
    positions = []
    for count in range(1, len(DECK) + 1):
        rank, position = divmod(rank, count)
        positions.append(position)
    left = list(DECK)
    return tuple(left.pop(position) for position in reversed(positions))


_LENGTHS = {SEED_PREFIX: SEED_LETTERS, EXPLICIT_PREFIX: RANK_LETTERS_X + CHECK_LETTERS}
# What people and programs put between letters without meaning it: look-alikes of the dash that Unicode does not call one.
_MORE_DASHES = "_\u02d7\u2043\u2212\u30fc"
_CAPITALS = str.maketrans(ascii_lowercase, ascii_uppercase)


def _bare(text: str) -> str:
    """Return a code's text in capitals, without spaces, dashes and characters that do not show."""
    return "".join(
        letter
        for letter in text
        if not letter.isspace() and letter not in _MORE_DASHES and category(letter) not in ("Cf", "Pd")
    ).translate(_CAPITALS)  # `str.upper` would turn letters outside the alphabet into letters of it


def _parse_code(text: str) -> tuple[str, str]:
    """Return a code's prefix and its letters, or raise CodeError saying what is wrong with it."""
    plain = _bare(text)
    if not plain:
        raise CodeError(_("The code is empty. A code looks like {example}.").format(example=seed_code(18)))
    prefix = next((prefix for prefix in _LENGTHS if plain.startswith(prefix.replace("-", ""))), None)
    if prefix is None:
        raise CodeError(
            _("“{text}” is not a Pyramide code: a code starts with PY1-N- or PY1-X-.").format(text=shorten(text))
        )
    length, letters = _LENGTHS[prefix], plain[len(prefix.replace("-", "")) :]
    for place, letter in enumerate(letters, 1):
        if letter not in ALPHABET:
            raise CodeError(
                _(
                    "“{letter}” (letter {place} after {prefix}) cannot stand in a code: only A to Z and 2 to 7 can."
                ).format(letter=shorten(letter), place=place, prefix=prefix)
            )
    if len(letters) != length:
        message = (
            _("The code is too short: {prefix} is followed by {wanted} letters, not {found}.")
            if len(letters) < length
            else _("The code is too long: {prefix} is followed by {wanted} letters, not {found}.")
        )
        raise CodeError(message.format(prefix=prefix, wanted=length, found=len(letters)))
    return prefix, letters


@dataclass(frozen=True)
class Deal:
    """An arrangement of the cards in dealing order; equal when the cards are.

    `seed` is the number that the shuffle started from, or None for cards given one by one. A deal has 52 different
    cards; `Deal.of` also makes a deal of fewer, for lessons and tests on small pyramids.
    """

    cards: tuple[Card, ...]
    seed: int | None = None

    def __hash__(self) -> int:
        return hash(self.cards)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deal) and self.cards == other.cards

    @classmethod
    def of(cls, cards: Iterable[Card]) -> "Deal":
        """Make a deal of different cards, as many as there are; raises DealError when a card stands twice."""
        ordered = tuple(cards)
        seen: dict[Card, int] = {}
        for number, card in enumerate(ordered, 1):
            if card in seen:
                raise DealError(
                    _("{card} stands twice: as card {first} and as card {second}.").format(
                        card=card.symbol, first=seen[card], second=number
                    )
                )
            seen[card] = number
        return cls(ordered)

    @classmethod
    def from_seed(cls, seed: int) -> "Deal":
        """Return the deal of a seed from 0 to 2**35 - 1; raises CodeError outside of that."""
        seed = operator.index(seed)  # a number of numpy has 64 bits, too few for the shuffle's products
        seed_code(seed)
        return cls(shuffle(BASE_ORDER, seed), seed)

    @classmethod
    def random(cls) -> "Deal":
        """Return a deal whose seed comes from the system's randomness."""
        return cls.from_seed(secrets.randbelow(SEED_COUNT))

    @classmethod
    def from_code(cls, text: str) -> "Deal":
        """Return the deal of a code, written in any case and with stray spaces or dashes.

        Raises CodeError saying what is wrong: another prefix, a letter outside the alphabet, the length, the check.

        >>> print(Deal.from_code(" py1–n–aaaaaas").code)
        PY1-N-AAAAAAS
        """
        prefix, letters = _parse_code(text)
        if prefix == SEED_PREFIX:
            return cls.from_seed(_from_letters(letters))
        return cls(_explicit_cards(letters))

    @classmethod
    def from_text(cls, text: str) -> "Deal":
        """Return the deal of 52 cards written one after the other: apex first, then the talon in order of turning.

        Any of the forms of `Card.parse`, between spaces, line ends, commas or semicolons. Raises DealError naming
        the unreadable, doubled or missing cards and where they stand.
        """
        words = _words(text)
        if not words:
            raise DealError(_("There are no cards in the text."))
        cards = []
        for number, word in enumerate(words, 1):
            try:
                cards.append(Card.parse(word))
            except CardError as error:
                raise DealError(
                    _("Card {number} cannot be read: “{word}”. Write rank and suit, such as KD, 10C or 7♥.").format(
                        number=number, word=shorten(word, 20)
                    )
                ) from error
        deal = cls.of(cards)
        missing = [card for card in DECK if card not in deal.place_of]
        if missing:
            raise DealError(
                _("A deal has 52 cards; this one has {count}. Missing: {cards}.").format(
                    count=len(cards), cards=" ".join(card.symbol for card in missing)
                )
            )
        return deal

    @cached_property
    def place_of(self) -> dict[Card, int]:
        """The place of each card in dealing order, counted from 0."""
        return {card: place for place, card in enumerate(self.cards)}

    @cached_property
    def code(self) -> str:
        """The code that deals just these cards again; empty for a deal of fewer than 52 cards."""
        if self.seed is not None:
            return seed_code(self.seed)
        return explicit_code(self.cards) if len(self.cards) == len(DECK) else ""

    @property
    def text(self) -> str:
        """The cards in dealing order as text that `Deal.from_text` reads."""
        return " ".join(map(str, self.cards))

    def __repr__(self) -> str:
        return f"Deal.from_code({self.code!r})" if self.code else f"Deal.of({self.cards!r})"


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,;|/\u200b\ufeff]+", text) if word]


def _is_card(word: str) -> bool:
    try:
        Card.parse(word)
    except CardError:
        return False
    return True


def read_deal(text: str) -> Deal:
    """Return the deal of a text that is either a code or the 52 cards, whichever it looks like.

    Raises DealError with the reason that fits: a text in which a word is a card is read as cards, any other as a code.
    """
    if not _bare(text).startswith("PY") and any(map(_is_card, _words(text))):
        return Deal.from_text(text)
    return Deal.from_code(text)
