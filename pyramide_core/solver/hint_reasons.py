"""Why a hint's move is a good one, in words. Searches nothing: what other choices lead to is given."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from pyramide_core.cards import Card
from pyramide_core.messages import _, ngettext
from pyramide_core.moves import Draw, Move, Recycle, Remove
from pyramide_core.position import Position
from pyramide_core.solver.deductions import Knowledge
from pyramide_core.solver.reason_words import Words
from pyramide_core.solver.reasons import LONGEST_CONTRAST, followable_reason
from pyramide_core.tableau import bits
from pyramide_core.wording import card_name, rank_name


class HintReason(Enum):
    """What sort of reason a hint gives."""

    ALONE = "goes alone"
    ONLY = "every other choice loses"
    PARTNER = "with another partner it loses"
    LAST = "the last partner"
    BLOCKS = "lies on what another card needs"
    FREES = "frees cards"
    TALON = "uses a card of the talon"
    STEP = "a step of the way to win"
    DRAW = "nothing helps now"
    RECYCLE = "the stock is empty"
    LOST = "lost"
    UNKNOWN = "unknown"
    WON = "won"


@dataclass(frozen=True)
class Judged:
    """What the other legal moves lead to: proved lost, proved still winnable, or left open by a limited search."""

    lost: tuple[Move, ...] = ()
    kept: tuple[Move, ...] = ()
    opened: tuple[Move, ...] = ()


def removal_reason(position: Position, move: Remove, judged: Judged) -> tuple[HintReason, str]:
    """Return the reason for a removal that keeps the win, and its text."""
    if move.second is None:
        text = _("The {card} goes alone and needs no other card: take it.").format(card=card_name(move.first))
        return HintReason.ALONE, text
    words = _Removal(position, move, judged)
    reason, text = next(words.reasons())
    return reason, " ".join([text, *words.remark()])


class _Removal:
    """What can be said for one pair."""

    def __init__(self, position: Position, move: Remove, judged: Judged) -> None:
        self.position, self.move, self.judged = position, move, judged
        self.words = Words(position)
        self.places = tuple(position.deal.place_of[card] for card in move.cards)
        self.mask = sum(1 << p for p in self.places)
        self.named = 0
        """The cards whose places the text tells besides those of the pair."""

    def reasons(self) -> Iterator[tuple[HintReason, str]]:
        """Yield the reasons that hold, the most instructive first; there is always one."""
        judged = self.judged
        if judged.lost and not (judged.kept or judged.opened):
            text = ngettext(
                "Only this pair wins: the other choice loses.",
                "Only this pair wins: all {n} other choices lose.",
                len(judged.lost),
            )
            yield HintReason.ONLY, " ".join([text, *self._contrast()])
        yield from self._partner()
        yield from self._last()
        yield from self._blocks()
        yield from self._frees()
        yield from self._talon()
        yield HintReason.STEP, _("This pair is the next step of the way to win.")

    def _contrast(self) -> Iterator[str]:
        """Yield why one of the other removals loses, when that is said shortly; those that share a card first."""
        others = [other for other in self.judged.lost if isinstance(other, Remove)]
        for other in sorted(others, key=lambda other: not set(other.cards) & set(self.move.cards)):
            reason = followable_reason(self.position.apply(other), LONGEST_CONTRAST)
            if reason is not None:
                self._name(reason.cards)
                yield _("After {pair}: {why}").format(pair=self._faces(other), why=reason.text)
                return

    def _partner(self) -> Iterator[tuple[HintReason, str]]:
        """Yield that a card of the pair would lose the game with another partner."""
        for other in self.judged.lost:
            if not isinstance(other, Remove) or other.second is None:
                continue
            shared = set(other.cards) & set(self.move.cards)
            reason = followable_reason(self.position.apply(other), LONGEST_CONTRAST) if shared else None
            if reason is not None:
                self._name(reason.cards)
                text = _("{card} has to go with {partner}: with {other} the game would be lost. {why}").format(
                    card=self._face(*shared),
                    partner=self._face(*set(self.move.cards) - shared),
                    other=self._face(*set(other.cards) - shared),
                    why=reason.text,
                )
                yield HintReason.PARTNER, text

    def _last(self) -> Iterator[tuple[HintReason, str]]:
        """Yield that a card that must go can go with no other card than this one."""
        knowledge = Knowledge(self.position).after_layout()
        # The card higher up in the layout waits longer for its partner: it is the one to speak of.
        for x in sorted(self.places):
            partner = self.places[0] if x == self.places[1] else self.places[1]
            if not knowledge.needed >> x & 1 or knowledge.options[x] != 1 << partner:
                continue
            others = knowledge.partners[x] & ~(1 << partner)
            rank = rank_name(self.position.deal.cards[partner].rank)
            if not others and self.position.rules.pair_rule.total is not None:
                text = _("This is the last {rank} for the {card}.").format(rank=rank, card=self.words.name(x))
            elif not others:
                text = _("This is the last card that goes with the {card}.").format(card=self.words.name(x))
            else:
                self.named |= others
                text = _("The {card} can go with no other card than this one: {others} lie over or under it.").format(
                    card=self.words.name(x), others=self.words.faces(others)
                )
            yield HintReason.LAST, text

    def _blocks(self) -> Iterator[tuple[HintReason, str]]:
        """Yield that a card of the pair lies on everything that another card needs."""
        knowledge = Knowledge(self.position).after_layout()
        free = self.position.available
        waiting = sorted(bits(knowledge.needed & ~knowledge.alone & ~self.mask), key=lambda p: not free >> p & 1)
        for blocker in self.places:
            for x in waiting:
                options = knowledge.options[x]
                if options and all(knowledge.layout[y] >> blocker & 1 for y in bits(options)):
                    self.named |= options | 1 << x
                    text = ngettext(
                        "{blocker} lies over the only card that can go with {card}: {partners}.",
                        "{blocker} lies over all {n} cards that can go with {card}: {partners}.",
                        options.bit_count(),
                        blocker=self.words.face(blocker),
                        card=self.words.face(x),
                        partners=self.words.faces(options),
                    )
                    yield HintReason.BLOCKS, text

    def _frees(self) -> Iterator[tuple[HintReason, str]]:
        after = self.position.apply(self.move)
        freed = after.exposed & ~self.position.exposed
        if freed & self.position.hidden:
            yield (
                HintReason.FREES,
                ngettext("This pair turns up {n} card.", "This pair turns up {n} cards.", freed.bit_count()),
            )
        elif freed.bit_count() == 1:
            yield HintReason.FREES, _("This pair frees the {card}.").format(card=self.words.name(next(bits(freed))))
        elif freed:
            text = ngettext(
                "This pair frees {n} card: {cards}.",
                "This pair frees {n} cards: {cards}.",
                freed.bit_count(),
                cards=self.words.faces(freed),
            )
            yield HintReason.FREES, text

    def _talon(self) -> Iterator[tuple[HintReason, str]]:
        tableau = self.position.tableau
        talon = [p for p in self.places if not tableau >> p & 1]
        in_tableau = [p for p in self.places if tableau >> p & 1]
        if talon and in_tableau:
            text = _("{partner} is at hand for {card} now: use it before it is covered again.").format(
                partner=self.words.face(talon[0]), card=self.words.face(in_tableau[0])
            )
            yield HintReason.TALON, text

    def remark(self) -> Iterator[str]:
        """Yield what is to be added: that the choice does not matter, and that the search saw more than the player."""
        judged = self.judged
        if judged.kept and not (judged.lost or judged.opened):
            yield _("Every other choice keeps the win too.")
        if self.named & self.position.hidden & self.position.tableau:
            yield _("An exact search looks at all cards, those that lie face down too.")

    def _name(self, cards: Sequence[Card]) -> None:
        for card in cards:
            self.named |= 1 << self.position.deal.place_of[card]

    def _face(self, card: Card) -> str:
        return self.words.face(self.position.deal.place_of[card])

    def _faces(self, move: Remove) -> str:
        return " + ".join(map(self._face, move.cards))


def draw_reason(position: Position, line: Sequence[Move], judged: Judged) -> tuple[HintReason, str]:
    """Return the reason for a draw or recycle at the head of a winning line, and its text."""
    move = line[0]
    lost = [other for other in judged.lost if isinstance(other, Remove)]
    others = [*lost, *(other for other in (*judged.kept, *judged.opened) if isinstance(other, Remove))]
    texts = []
    if not others:
        texts.append(_("Nothing can be removed now."))
    elif len(lost) == len(others):
        texts.append(
            ngettext(
                "The only removal possible now loses the game.",
                "All {n} removals possible now lose the game.",
                len(lost),
            )
        )
    else:
        texts.append(_("No removal is needed now."))
    if isinstance(move, Recycle):
        texts.append(_("The stock is empty: turn the waste over."))
    else:
        texts.append(_("Draw a card."))
    texts += _what_comes(position, line)
    return (HintReason.RECYCLE if isinstance(move, Recycle) else HintReason.DRAW), " ".join(texts)


def _what_comes(position: Position, line: Sequence[Move]) -> Iterator[str]:
    """Yield when the next card that is needed comes, without telling which it is."""
    number = next((number for number, move in enumerate(line) if isinstance(move, Remove)), len(line))
    wanted = line[number] if number < len(line) else None
    if not isinstance(wanted, Remove):
        return
    talon = position.stock | position.wasted
    if not any(talon >> position.deal.place_of[card] & 1 for card in wanted.cards):
        return
    draws = sum(isinstance(move, Draw) for move in line[:number])
    recycles = number - draws
    if recycles and isinstance(line[0], Draw):
        yield _("The card that is needed next comes only after the waste is turned over.")
    elif draws:
        yield ngettext(
            "The card that is needed next comes with the next draw.",
            "The card that is needed next comes after {n} draws.",
            draws,
        )
    else:
        yield _("The card that is needed next is then on top of the stock.")
    if position.hidden & talon:
        yield _("An exact search looks at all cards, those of the stock too.")
