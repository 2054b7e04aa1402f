"""Sentences: the parts of an explanation, each made from the options of a rule set. Knows no rule set by name."""

from pyramide_core.cards import DECK, KING, RANKS
from pyramide_core.messages import _, ngettext
from pyramide_core.options import is_upside_down
from pyramide_core.position import Position
from pyramide_core.rules import Rules
from pyramide_core.scoring import least_removals, score_range
from pyramide_core.wording import rank_letter

# Setup -----------------------------------------------------------------------------------------------------------


def setup(rules: Rules, start: Position) -> list[str]:
    """Return where the cards lie when the game begins; `start` is the position after the deal."""
    sentences = [*_layout(rules)]
    if rules.face_down:
        sentences.append(_("Covered cards lie face down; a card turns up when no card covers it any more."))
    else:
        sentences.append(_("All these cards lie face up."))
    if not rules.talon_size:
        return [*sentences, _("No card is left over.")]
    if start.wasted:
        sentences.append(
            ngettext(
                "The dealer has already turned {n} card onto the waste.",
                "The dealer has already turned {n} cards onto the waste.",
                start.wasted.bit_count(),
            )
        )
    else:
        sentences.append(_("The waste is empty at the start."))
    sentences.append(
        ngettext("The stock holds {n} card.", "The stock holds the other {n} cards.", start.stock.bit_count())
        if start.stock
        else _("The stock is empty at the start.")
    )
    if rules.stock_face_up:
        sentences.append(_("The stock lies face up: the order in which its cards will come is seen."))
    elif rules.stock_playable:
        sentences.append(_("The stock lies face down but for its top card."))
    else:
        sentences.append(_("The stock lies face down."))
    return sentences


def _layout(rules: Rules) -> list[str]:
    tableau = rules.tableau
    counts = [sum(row.bit_count() for row in rows) for rows in tableau.pyramids]
    rows = [len(part) for part in tableau.pyramids]
    if len(rows) > 1:
        return [
            _(
                "The cards form pyramids of {rows} rows ({cards} cards), each by itself; every row lies upon the row "
                "above it, so that two cards cover each card above the bottom row."
            ).format(rows=_and(rows), cards=_and(counts))
        ]
    if is_upside_down(tableau):
        return [
            _(
                "{cards} cards form a pyramid that stands on its tip: {rows} rows, {longest} cards in the top row and "
                "one card in the bottom row."
            ).format(cards=counts[0], rows=rows[0], longest=tableau.rows[0].bit_count()),
            _("Every row lies upon the row above it: its end cards are covered by one card, the others by two."),
        ]
    sentences = [
        _(
            "{cards} cards form a pyramid of {rows} rows, from one card at the apex to {longest} cards in the bottom "
            "row; every row lies upon the row above it, so that two cards cover each card above the bottom row."
        ).format(cards=counts[0], rows=rows[0], longest=tableau.rows[-1].bit_count())
    ]
    if tableau.reserve:
        sentences.append(
            _(
                "Under it lie {columns} columns of {cards} cards, the reserve; in a column each card is covered by the "
                "one in front of it."
            ).format(columns=len(tableau.reserve), cards=len(tableau.reserve[0]))
        )
    return sentences


def _and(numbers: list[int]) -> str:
    *first, last = map(str, numbers)
    return _("{list} and {last}").format(list=", ".join(first), last=last)


# Available cards and pairs ---------------------------------------------------------------------------------------


def available(rules: Rules) -> list[str]:
    """Return which cards can be played."""
    sentences = [_("A card of the pyramid is available when no card covers it any more.")]
    if rules.tableau.reserve:
        sentences.append(_("In each reserve column the front card is available; without it, the next one is."))
    if not rules.talon_size:
        return sentences
    if rules.waste_piles > 1:
        sentences.append(_("The top card of each waste pile is available; without it, the next one below is."))
    else:
        sentences.append(_("The top card of the waste is available; without it, the next one below is."))
    if rules.stock_playable:
        sentences.append(_("The top card of the stock is available too; without it, the next one below is."))
    else:
        sentences.append(_("No card of the stock is available before it is drawn."))
    return sentences


def pairs(rules: Rules) -> list[str]:
    """Return which cards go together, and which alone."""
    rule = rules.pair_rule
    pairs = [f"{rank_letter(a)}+{rank_letter(b)}" for a in RANKS for b in RANKS if a <= b and rule.pairs(a, b)]
    if rule.total is None:
        sentences = [
            _(
                "Two available cards go together when their ranks are equal or neighbours: {first} and so on up to {last}."
            ).format(first=", ".join(pairs[:4]), last=", ".join(pairs[-2:])),
            _("King and ace are not neighbours."),
        ]
    else:
        sentences = [
            _("Two available cards go together when their ranks add up to {total}: {pairs}.").format(
                total=rule.total, pairs=", ".join(pairs)
            ),
            _("Ace counts 1, jack 11, queen 12 and king 13."),
        ]
    sentences.append(_("A king goes alone.") if rule.alone(KING) else _("No card goes alone, not even a king."))
    sentences.append(_("Suits do not matter. No removal is ever forced."))
    if rules.talon_size:
        sentences += _talon_pairs(rules)
    if rules.cover_pairs:
        sentences.append(_("An available card may also go with a card that it alone still covers."))
    else:
        sentences.append(_("A card never goes with a card that covers it."))
    return sentences


def _talon_pairs(rules: Rules) -> list[str]:
    sentences = []
    if rules.waste_piles > 1:
        sentences.append(
            _("The top cards of two waste piles may go together.")
            if rules.talon_pairs
            else _("The top cards of two waste piles never go together.")
        )
    if rules.stock_playable:
        sentences.append(
            _("The top card of the stock and a top card of the waste may go together.")
            if rules.talon_pairs
            else _("The top card of the stock never goes with a card of the waste.")
        )
    if rules.drawn_pairs:
        sentences.append(_("The top card of the waste, just drawn or not, may go with the waste card right below it."))
    else:
        sentences.append(_("A card of the waste never goes with a card that lies right below it."))
    return sentences


# Stock, end, points ----------------------------------------------------------------------------------------------


def stock(rules: Rules) -> list[str]:
    """Return what a draw does, and how often the waste goes back."""
    if not rules.talon_size:
        return [_("There is no stock and no waste.")]
    if rules.waste_piles > 1:
        draw = _(
            "A draw turns {cards} cards, {each} onto each of the {piles} waste piles, always in the same order of piles."
        ).format(cards=rules.draw_count, each=rules.draw_count // rules.waste_piles, piles=rules.waste_piles)
    else:
        draw = ngettext(
            "A draw turns {n} card from the stock onto the waste.",
            "A draw turns {n} cards from the stock onto the waste, one after the other.",
            rules.draw_count,
        )
    sentences = [draw, _("You may draw at any time, until the stock is empty.")]
    if rules.draw_count > 1:
        sentences.append(_("When the stock holds fewer cards than that, a draw turns what is left."))
    return sentences + _recycling(rules)


def _recycling(rules: Rules) -> list[str]:
    if rules.passes == 1:
        return [_("There is one pass: the waste never goes back to the stock.")]
    if rules.passes is None:
        limit = _("When the stock is empty, all of the waste can go back to it, as often as you like.")
    else:
        limit = ngettext(
            "When the stock is empty, all of the waste can go back to it, {n} time in a game.",
            "When the stock is empty, all of the waste can go back to it, {n} times in a game.",
            rules.passes - 1,
        )
    order = (
        _("The cards then come again in the order in which they were turned, whichever pile they lay on.")
        if rules.waste_piles > 1
        else _("The cards then come again in the same order.")
    )
    return [limit, order, _("To put the waste back is a move by itself and turns no card.")]


def end(rules: Rules) -> list[str]:
    """Return when the game is won, and when it says that it is over."""
    several = len(rules.tableau.pyramids) > 1
    if rules.goal == "all":
        won = ngettext(
            "The game is won when all cards are gone.", "The game is won when all {n} cards are gone.", len(DECK)
        )
    elif rules.tableau.reserve:
        won = _("The game is won as soon as the pyramid is empty, whatever is left in the reserve.")
    elif several:
        won = _("The game is won as soon as the pyramids are empty.")
    else:
        won = _("The game is won as soon as the pyramid is empty, whatever is left in stock and waste.")
    if rules.dead_end == "lost":
        end = _("The game tells you as soon as it can no longer be won.")
    elif rules.talon_size and rules.passes == 1:
        end = _("The game says that it is over only when nothing can be removed or drawn any more.")
    elif rules.talon_size:
        end = _("The game says that it is over only when nothing can be removed, drawn or put back any more.")
    else:
        end = _("The game says that it is over only when nothing can be removed any more.")
    return [won, end]


def points(rules: Rules) -> list[str]:
    """Return what gives points, and what a won game is worth."""
    points = rules.points
    sentences = []
    if points.pyramid_card:
        sentences.append(
            ngettext(
                "Each card that leaves the pyramid gives {n} point; other cards give none.",
                "Each card that leaves the pyramid gives {n} points; other cards give none.",
                points.pyramid_card,
            )
        )
    if points.removal:
        sentences.append(
            ngettext(
                "Each removal, of one card or of two, gives {n} point, wherever the cards come from.",
                "Each removal, of one card or of two, gives {n} points, wherever the cards come from.",
                points.removal,
            )
        )
    bonuses = points.row_bonus[: max(map(len, rules.tableau.pyramids))]
    if bonuses:
        sentences.append(
            _("Each row of the pyramid that becomes empty gives points, from the bottom row up: {points}.").format(
                points=", ".join(map(str, bonuses))
            )
        )
    if rules.talon_size and rules.passes == 1:
        sentences.append(_("To draw gives and costs nothing."))
    elif rules.talon_size:
        sentences.append(_("To draw or to put the waste back gives and costs nothing."))
    low, high = score_range(rules)
    if low == high:
        sentences.append(ngettext("A won game gives {n} point.", "A won game always gives {n} points.", low))
    else:
        sentences.append(_("A won game gives from {low} to {high} points.").format(low=low, high=high))
    return sentences


def moves_and_undo(rules: Rules) -> list[str]:
    """Return what counts as a move, and what undo does."""
    if rules.talon_size and rules.passes == 1:
        moves = _("Removals and draws count as moves.")
    elif rules.talon_size:
        moves = _("Removals, draws and putting the waste back count as moves.")
    else:
        moves = _("Removals count as moves.")
    sentences = [
        moves,
        ngettext(
            "No game is won in fewer than {n} move.",
            "No game is won in fewer than {n} moves.",
            least_removals(rules),
        ),
    ]
    if rules.undo_limit == 0:
        return [*sentences, _("Nothing can be undone.")]
    if rules.undo_limit is None:
        sentences.append(_("Every action can be undone."))
    else:
        sentences.append(
            ngettext("The last {n} action can be undone.", "The last {n} actions can be undone.", rules.undo_limit)
        )
    if rules.undo_counts:
        sentences.append(_("An undo takes the points of the action off and counts as a move."))
    else:
        sentences.append(_("An undo takes the points of the action off; the number of moves neither goes down nor up."))
    return sentences


def deal_order(rules: Rules) -> list[str]:
    """Return in which order a deal's cards come to lie, where the layout does not make that plain."""
    tableau = rules.tableau
    if tableau.reserve:
        return [_("A deal is laid out from the apex down, then column by column, the front card of a column last.")]
    if len(tableau.pyramids) > 1:
        return [_("A deal is laid out pyramid by pyramid, in the order named above, each from its apex down.")]
    return []
