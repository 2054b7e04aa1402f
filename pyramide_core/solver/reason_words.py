"""The words of reasons: sentences made from deductions about one position. Decides nothing itself."""

from collections.abc import Iterable

from pyramide_core.cards import Card
from pyramide_core.messages import _, ngettext
from pyramide_core.position import Position
from pyramide_core.solver.deductions import Knowledge
from pyramide_core.solver.facts import Cases, Fact, Refutation, Why
from pyramide_core.solver.schedule import Schedule
from pyramide_core.tableau import PYRAMID, bits
from pyramide_core.wording import card_face, card_name, rank_name


class Words:
    """What is said about one position."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.knowledge = Knowledge(position)

    # Cards -----------------------------------------------------------------------------------------------------

    def cards(self, mask: int) -> tuple[Card, ...]:
        """Return the cards of a mask."""
        return self.position.table.cards(mask)

    def face(self, place: int) -> str:
        """Return a card as its corner shows it."""
        return card_face(self.position.deal.cards[place])

    def faces(self, mask: int) -> str:
        """Return the cards of a mask as their corners show them."""
        return ", ".join(card_face(card) for card in self.cards(mask))

    def name(self, place: int) -> str:
        """Return a card's name, in a single pyramid with its row."""
        tableau = self.position.table.tableau
        name = card_name(self.position.deal.cards[place])
        if place < len(tableau) and len(tableau.pyramids) == 1 and tableau.places[place].kind == PYRAMID:
            # Translators: a card's name and where it lies, such as "5 of hearts in row 3"; it stands after "the".
            return _("{card} in row {row}").format(card=name, row=tableau.places[place].row)
        return name

    def shown_by(self, found: Refutation) -> int:
        """Return the mask of the cards that a refutation speaks of."""
        shown = found.left
        for x in found.cards:
            shown |= 1 << x
            if not found.is_circle:
                shown |= self.knowledge.partners[x]
        for fact in found.facts:
            shown |= fact.options | 1 << fact.card
            shown |= fact.other if fact.why is Why.TAKEN else 1 << fact.other
            if fact.above >= 0:
                shown |= 1 << fact.above
        return shown

    # Reasons that the layout shows -----------------------------------------------------------------------------

    def plain(self, found: Refutation) -> str:
        """Return the sentence for a refutation without facts."""
        if len(found.cards) > 1:
            return self._too_few(found)
        (x,) = found.cards
        partners = self.knowledge.partners[x]
        if not partners:
            return self._no_partner(x)
        lies_under, lies_over = self._layers(x, partners)
        card, faces, n = self.name(x), self.faces(partners), partners.bit_count()
        if not lies_over:
            return ngettext(
                "The only card left that pairs with the {card} lies under it ({partners}): the two never meet.",
                "All {n} cards left that pair with the {card} lie under it ({partners}): they never meet it.",
                n,
                card=card,
                partners=faces,
            )
        if not lies_under:
            return ngettext(
                "The only card left that pairs with the {card} lies over it ({partners}): the two never meet.",
                "All {n} cards left that pair with the {card} lie over it ({partners}): they never meet it.",
                n,
                card=card,
                partners=faces,
            )
        return ngettext(
            "The only card left that pairs with the {card} lies over or under it ({partners}): the two never meet.",
            "All {n} cards left that pair with the {card} lie over or under it ({partners}): they never meet it.",
            n,
            card=card,
            partners=faces,
        )

    def _layers(self, x: int, partners: int) -> tuple[int, int]:
        """Return the masks of the partners that lie under a card and over it."""
        layout = self.knowledge.layout
        return sum(1 << y for y in bits(partners) if layout[y] >> x & 1), partners & layout[x]

    def _no_partner(self, x: int) -> str:
        partners = self.position.table.partners[x] & self.position.remaining
        if partners:
            return _(
                "What could go with the {card} lies in stock and waste like itself ({partners}), and two cards from "
                "there do not pair."
            ).format(card=self.name(x), partners=self.faces(partners))
        total = self.position.rules.pair_rule.total
        if total is None:
            return _("No card is left that pairs with the {card}.").format(card=self.name(x))
        rank = rank_name(total - self.position.deal.cards[x].rank)
        # Translators: {rank} is a rank such as "8" or "queen", {card} the name of a card.
        return _("No {rank} is left for the {card}.").format(rank=rank, card=self.name(x))

    def _too_few(self, found: Refutation) -> str:
        needy = sum(1 << x for x in found.cards)
        text = ngettext(
            "{cards} need a partner each, and only {n} card is left that can be one: {partners}.",
            "{cards} need a partner each, and only {n} cards are left that can be one: {partners}.",
            found.left.bit_count(),
            cards=self.faces(needy),
            partners=self.faces(found.left),
        )
        return " ".join([text, *self._why_others(found)])

    def _why_others(self, found: Refutation) -> Iterable[str]:
        """Yield why the other cards of fitting ranks are no partners."""
        locked = waiting = elsewhere = 0
        taken = [fact for fact in found.facts if fact.why is Why.TAKEN]
        for y in bits(self._partners(found.cards) & ~found.left):
            bit = 1 << y
            if all(sum(self._layers(x, bit)) for x in found.cards if self.knowledge.partners[x] & bit):
                locked |= bit
            elif any(fact.options & bit for fact in taken):
                elsewhere |= bit
            else:
                waiting |= bit
        if locked:
            one = len(found.cards) == 1
            sentence = (
                _("Over or under it, so that they never meet: {cards}.")
                if one
                else _("Over or under them, so that they never meet: {cards}.")
            )
            yield sentence.format(cards=self.faces(locked))
        if waiting:
            yield _("Possible only earlier or later: {cards}.").format(cards=self.faces(waiting))
        if elsewhere:
            yield _("Needed elsewhere: {cards}.").format(cards=self.faces(elsewhere))

    def _partners(self, cards: Iterable[int]) -> int:
        mask = 0
        for x in cards:
            mask |= self.knowledge.partners[x]
        return mask

    def odd(self, mask: int) -> str:
        """Return the sentence for an odd number of cards that pair only among themselves."""
        return ngettext(
            "{n} card pairs with none of the others, and all cards have to go: {cards}.",
            "{n} cards pair only among themselves, so one of them is left over: {cards}.",
            mask.bit_count(),
            cards=self.faces(mask),
        )

    # Chains ----------------------------------------------------------------------------------------------------

    def chain(self, found: Refutation) -> str:
        """Return the sentences for a refutation with its facts."""
        merged: dict[tuple[Why, int, int, int], list[Fact]] = {}
        for fact in found.facts:
            merged.setdefault((fact.why, fact.card, fact.options, fact.above), []).append(fact)
        return " ".join([*map(self._fact, merged.values()), self._end(found)])

    def _fact(self, facts: list[Fact]) -> str:
        fact = facts[0]
        if fact.why is Why.TAKEN:
            return ngettext(
                "{cards} needs {partners}: it has no other partner.",
                "{cards} need {partners}: these {n} cards have no other partners.",
                fact.other.bit_count(),
                cards=self.faces(fact.other),
                partners=self.faces(fact.options),
            )
        blockers = 0
        for one in facts:
            blockers |= 1 << one.other
        values = {
            "card": self.face(fact.card),
            "blockers": self.faces(blockers),
            "partners": self.faces(fact.options),
            "upper": self.face(fact.above) if fact.above >= 0 else "",
        }
        return self._waiting(fact, blockers, values)

    def _waiting(self, fact: Fact, blockers: int, values: dict[str, str]) -> str:
        card, others, partners, upper = values["card"], values["blockers"], values["partners"], values["upper"]
        if fact.why is Why.NEVER:
            return _("{card} can never go: it has to wait for {others}, which has no partner left.").format(
                card=card, others=others
            )
        if fact.why is Why.BURIED:
            return _(
                "Once {card} is free, {partner} cannot be reached: {upper} lies on top and cannot go before."
            ).format(card=card, partner=others, upper=upper)
        if fact.why is Why.BETWEEN:
            return _("{card} has to wait for {upper}, and by then it lies under {others}.").format(
                card=card, upper=upper, others=others
            )
        if fact.why is Why.ONE_ABOVE:
            if fact.options == blockers:
                return _("{card} has to wait for {upper}, which can only go with {others}.").format(
                    card=card, upper=upper, others=others
                )
            return _("{card} has to wait for {upper}, which can only go with or after {others}.").format(
                card=card, upper=upper, others=others
            )
        layout = self.knowledge.layout
        if all(blockers & layout[y] == blockers for y in bits(fact.options)):
            return _("{card} has to wait for {others}: all that can go with it lies under that ({partners}).").format(
                card=card, others=others, partners=partners
            )
        return _(
            "{card} has to wait for {others}: all that can go with it has to wait for that too ({partners})."
        ).format(card=card, others=others, partners=partners)

    def _end(self, found: Refutation) -> str:
        if found.is_circle:
            first, second = found.cards
            return _("So {first} and {second} wait for each other, and neither can go.").format(
                first=self.face(first), second=self.face(second)
            )
        if len(found.cards) > 1:
            return self._too_few(found)
        (x,) = found.cards
        if not self.knowledge.partners[x]:
            return self._no_partner(x)
        text = _("So no partner is left for the {card}.").format(card=self.name(x))
        return " ".join([text, *self._why_others(found)])

    def cases(self, found: Cases) -> str:
        """Return the sentences for a card all of whose partners lead nowhere."""
        options = sum(1 << partner for partner, _case in found.cases)
        texts = [
            _("The {card} can only go with {partners}, and each of these ways fails.").format(
                card=self.name(found.card), partners=self.faces(options)
            )
        ]
        for partner, case in found.cases:
            texts.append(_("With {partner}: {why}").format(partner=self.face(partner), why=self.chain(case)))
        return " ".join(texts)

    # The order of the stock ------------------------------------------------------------------------------------

    def order(self, late: int, partners: int, plan: Schedule) -> str:
        """Return the sentence for a card that meets no partner even if no card were ever used up."""
        moment = plan.freed.get(late)
        card, cards = self.name(late), self.faces(partners)
        if moment is None or (moment.recycle == 0 and moment.turned < 0) or self.position.rules.passes is None:
            return _(
                "Even if cards could be used again and again, the {card} would not meet any of its partners ({cards}) "
                "in what is left of the stock's passes."
            ).format(card=card, cards=cards)
        if moment.turned < 0:
            return ngettext(
                "Even if cards could be used again and again, the {card} would not be free before the stock is turned "
                "over, and meet none of its partners ({cards}) after that.",
                "Even if cards could be used again and again, the {card} would not be free before the stock is turned "
                "over {n} times, and meet none of its partners ({cards}) after that.",
                moment.recycle,
                card=card,
                cards=cards,
            )
        turned = self.face(moment.turned)
        if moment.recycle == 0:
            return _(
                "Even if cards could be used again and again, the {card} would not be free before {turned} is turned, "
                "and meet none of its partners ({cards}) after that."
            ).format(card=card, turned=turned, cards=cards)
        return ngettext(
            "Even if cards could be used again and again, the {card} would not be free before {turned} is turned after "
            "{n} recycle, and meet none of its partners ({cards}) after that.",
            "Even if cards could be used again and again, the {card} would not be free before {turned} is turned after "
            "{n} recycles, and meet none of its partners ({cards}) after that.",
            moment.recycle,
            card=card,
            turned=turned,
            cards=cards,
        )
