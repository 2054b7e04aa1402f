"""The board: a game's cards as ipywidgets buttons, kept in step with the game. It decides nothing about the rules.

A touch is one call of the game and then one message to the page with what changed. Buttons are made once for a
layout: a move changes traits, never widgets.
"""

import functools
import logging
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from pyramide_core.cards import Card
from pyramide_core.game import Event, EventKind, Game
from pyramide_core.messages import N_, _, ngettext
from pyramide_core.moves import Draw, Move, Recycle, Remove
from pyramide_core.rules import Rules
from pyramide_core.tableau import PYRAMID, bits
from pyramide_core.ui.companion import Companion
from pyramide_core.ui.texts import page_texts
from pyramide_core.wording import card_face, card_name, sentence

LOG = logging.getLogger(__name__)
NO_BREAK_SPACE = "\u00a0"
"""What an empty button shows: an empty description would leave the old text in the page."""

MOST_PILE_ROOM = 3.8
"""How many widths of a card the piles on one side may take: the rows beside them leave no more room to the piles."""

Handler = Callable[..., None]


def guarded(handler: Handler) -> Handler:
    """Catch what a handler raises, in one place: the player reads one sentence, the log has the whole story."""

    @functools.wraps(handler)
    def caught(self: "Board", *args: Any, **kwargs: Any) -> None:
        try:
            handler(self, *args, **kwargs)
        except Exception:
            LOG.exception("a handler of the table failed")
            self.say(_("Something went wrong here. The game is still as it was."), warning=True)

    return caught


def _pile_room(rules: Rules) -> float:
    """Return the width of the piles on the wider side of the pyramid, in widths of a card: see `.py-piles` in the style."""
    gap, strip = 1.16, 0.42
    if not rules.talon_size:
        return 0
    waste = rules.waste_piles * (gap + strip * rules.drawn_pairs)
    left = gap * (1 + rules.stock_playable)
    # The last pile of a side has no gap after it.
    return (left + waste if rules.waste_piles == 1 else max(left + gap, waste)) - (gap - 1)


class Board(widgets.VBox):
    """A table for one game: tableau, stock, waste, foundation and the line of message.

    `show(game)` puts a game on the table; `touch`, `touch_stock` and `undo` are what the player's clicks call. Functions
    given to `on_event` hear every event after it is shown. A board without a game shows nothing yet.
    """

    def __init__(self, game: Game | None = None, *, rules: Rules | None = None, page: bool = False) -> None:
        self.game: Game | None = None
        self._listeners: list[Callable[[Event], None]] = []
        self._spoken = 0
        self._action_texts: list[tuple[widgets.Button, str]] = []
        # One layout and one style serve all buttons and boxes: the page opens a channel for each, and styles them by class.
        self._layout, self._style = widgets.Layout(), widgets.ButtonStyle()
        self.companion = Companion(texts=page_texts())
        self.companion.on_msg(self._receive)
        self.tableau_box = widgets.Box(layout=self._layout)
        self.tableau_box.add_class("py-tableau")
        self.piles_box = widgets.Box(layout=self._layout)
        self.piles_box.add_class("py-piles")
        self.actions_box = widgets.Box(self._actions(), layout=self._layout)
        self.actions_box.add_class("py-actions")
        self.buttons: dict[str, widgets.Button] = {}
        self._made: dict[str, widgets.Button] = {}
        self._layout_key: tuple[object, ...] = ()
        super().__init__([self.companion, self.tableau_box, self.piles_box, self.actions_box])
        self.add_class("pyramide-table")
        if page:
            self.add_class("py-page")
        if game is not None:
            self.show(game)
        else:
            self._lay_out(rules or Rules())

    # Building --------------------------------------------------------------------------------------------------

    def _actions(self) -> list[widgets.Button]:
        """The buttons below the table; a dashboard has more."""
        return [self._action("undo", N_("Undo"), self.undo)]

    def _action(self, name: str, text: str, act: Callable[[], object], quiet: bool = False) -> widgets.Button:
        """Make a button below the table; the text is a message, translated again when the language changes."""
        button = widgets.Button(description=_(text), layout=self._layout, style=self._style)
        self._action_texts.append((button, text))
        button.add_class(f"py-do-{name}")
        if quiet:
            button.add_class("py-quiet")
        button.on_click(lambda _button: self._act(act))
        return button

    @guarded
    def _act(self, act: Callable[[], object]) -> None:
        act()

    def _card_button(self, key: str, kind: str, act: Callable[[], object]) -> widgets.Button:
        button = self._made.get(key)
        if button is None:
            button = widgets.Button(description=NO_BREAK_SPACE, layout=self._layout, style=self._style)
            self._made[key] = button
            for name in ("py-card", f"py-{kind}", f"py-k-{key}"):
                button.add_class(name)
            button.on_click(lambda _button: self._act(act))
        self.buttons[key] = button
        return button

    def _lay_out(self, rules: Rules) -> None:
        """Put the buttons that a rule set needs on the table; a button once made serves every layout that has its key."""
        key = (rules.layout, rules.waste_piles, rules.stock_playable, rules.drawn_pairs)
        if key == self._layout_key:
            return
        self._layout_key = key
        self.buttons = {}
        places = [
            self._card_button(f"t{place}", "place", functools.partial(self._touch_place, place))
            for place in range(len(rules.tableau))
        ]
        piles: list[widgets.Box] = []
        # A layout that holds the whole deck has neither stock nor waste.
        if len(rules.tableau) < 52:
            piles.append(self._pile(self._card_button("stock", "stock", self.touch_stock)))
            if rules.stock_playable:
                piles.append(self._pile(self._card_button("next", "next", self._touch_next)))
            for number in range(rules.waste_piles):
                top = self._card_button(f"waste{number}", "waste", functools.partial(self._touch_waste, number, 0))
                if rules.drawn_pairs:
                    touch = functools.partial(self._touch_waste, number, 1)
                    piles.append(self._pile(self._card_button(f"under{number}", "under", touch), top, two=True))
                else:
                    piles.append(self._pile(top))
                if rules.waste_piles > 1:
                    piles[-1].add_class("py-right")
        foundation = self._pile(self._card_button("foundation", "foundation", lambda: None))
        foundation.add_class("py-right")
        if rules.waste_piles > 1:
            piles.insert(1, foundation)
            foundation.remove_class("py-right")
        else:
            piles.append(foundation)
        self.tableau_box.children = places
        before, self.piles_box.children = self.piles_box.children, piles
        for pile in before:
            pile.close()

    def _pile(self, *buttons: widgets.Button, two: bool = False) -> widgets.Box:
        pile = widgets.Box(buttons, layout=self._layout)
        pile.add_class("py-pile")
        if two:
            pile.add_class("py-two")
        return pile

    # The player's actions --------------------------------------------------------------------------------------

    def show(self, game: Game, message: str = "", *, warning: bool = False) -> None:
        """Put a game on the table, as it stands."""
        self.game = game
        self._lay_out(game.rules)
        with self.companion.hold_sync():
            self.companion.lit = []
            self.sync()
            self.say(message, warning=warning)

    def touch(self, card: Card) -> Event | None:
        """Touch a card, as a click on it does."""
        return self._done(self.game.touch(card)) if self.game else None

    def touch_stock(self) -> Event | None:
        """Touch the stock: draw or recycle."""
        return self._done(self.game.touch_stock()) if self.game else None

    def play(self, move: Move) -> Event | None:
        """Make a move as the touches that stand for it would."""
        return self._done(self.game.play(move)) if self.game else None

    def undo(self) -> Event | None:
        """Take back the last action."""
        return self._done(self.game.undo()) if self.game else None

    def _touch_place(self, place: int) -> None:
        if self.game:
            self.touch(self.game.deal.cards[place])

    def _touch_next(self) -> None:
        if self.game and self.game.position.stock:
            self.touch(self.game.deal.cards[next(bits(self.game.position.stock))])

    def _touch_waste(self, pile: int, depth: int) -> None:
        if self.game:
            cards = self._waste_cards(self.game, pile)
            if len(cards) > depth:
                self.touch(cards[-1 - depth])

    @staticmethod
    def _waste_cards(game: Game, pile: int) -> tuple[Card, ...]:
        return game.position.table.cards(game.position.waste[pile])

    def on_event(self, listener: Callable[[Event], None]) -> None:
        """Call a function with each event after it is shown."""
        self._listeners.append(listener)

    def _done(self, event: Event) -> Event:
        with self.companion.hold_sync():
            self.companion.lit = []
            self.sync()
            self.say(self.describe(event), warning=event.kind in (EventKind.WRONG_PAIR, EventKind.BLOCKED))
            for listener in self._listeners:
                listener(event)
        return event

    @guarded
    def _receive(self, _widget: object, content: dict[str, Any], _buffers: object) -> None:
        event = content.get("event")
        if event == "hidden":
            self._hide(bool(content.get("hidden")))
        else:
            self.hear(str(event), content)

    def hear(self, event: str, content: dict[str, Any]) -> None:
        """Answer a message of the page; a board knows none beside the hidden page, a dashboard more."""

    def _hide(self, hidden: bool) -> None:
        if self.game:
            (self.game.clock.hold if hidden else self.game.clock.release)("hidden")
            self._sync_clock()

    # Showing ---------------------------------------------------------------------------------------------------

    def say(self, text: str, *, warning: bool = False) -> None:
        """Show a text in the line of message, where it is also spoken."""
        self._spoken += 1
        self.companion.message = {"text": text, "kind": "warning" if warning else "info", "number": self._spoken}

    def describe(self, event: Event) -> str:
        """Return the sentence that says what an event came to."""
        return self.describe_in(self.game, event) if self.game else ""

    def describe_in(self, game: Game, event: Event) -> str:
        """Return the sentence that says what an event of a game came to."""
        if event.message and event.outcome is None:
            return event.message
        if event.kind is EventKind.SELECTED and game.selected:
            return sentence(_("{card} selected.").format(card=card_name(game.selected)))
        if event.kind is EventKind.RELEASED:
            return _("Nothing is selected now.")
        text = self._describe_move(game, event)
        return f"{text} {event.message}".strip() if event.outcome is not None else text

    def _describe_move(self, game: Game, event: Event) -> str:
        move = event.move
        if move is None:
            return ""
        if event.kind is EventKind.UNDONE:
            return _("Taken back: {move}.").format(move=self.move_name(move))
        if isinstance(move, Remove):
            left = (game.position.tableau & game.position.table.goal).bit_count()
            if game.rules.goal == "all":
                left = game.position.remaining.bit_count()
            gone = sentence(_("{cards} removed.").format(cards=self.move_name(move)))
            rest = ngettext("{n} card left.", "{n} cards left.", left)
            return f"{gone} {rest}"
        if isinstance(move, Recycle):
            return _("The waste is the stock again.")
        drawn = [card for pile in range(game.rules.waste_piles) for card in self._waste_cards(game, pile)[-1:]]
        tops = ", ".join(card_name(card) for card in drawn)
        return sentence(_("{cards} turned up.").format(cards=tops))

    @staticmethod
    def move_name(move: object) -> str:
        """Return a move in words."""
        if isinstance(move, Remove):
            first, *second = (card_name(card) for card in move.cards)
            return _("{first} and {second}").format(first=first, second=second[0]) if second else first
        return _("draw") if isinstance(move, Draw) else _("recycle")

    def sync(self) -> None:
        """Bring the page in step with the game; only what differs is sent."""
        game = self.game
        if game is None:
            return
        tableau = game.rules.tableau
        with self.companion.hold_sync():
            self.companion.shape = self._shape(game.rules)
            self.companion.places = [self._place(game, place) for place in range(len(tableau))]
            self.companion.state = "".join(self._state(game, place) for place in range(len(tableau)))
            self.companion.piles = self._piles(game)
            self.companion.fan = self._fan(game)
            self.companion.figures = {"score": game.score, "moves": game.moves}
            self.companion.code = game.deal.code
            self._sync_clock()
        for place in range(len(tableau)):
            self._describe_button(f"t{place}", "" if self._is_face_down(game, place) else game.deal.cards[place])
        self._sync_actions()

    def _sync_actions(self) -> None:
        """Bring the buttons below the table in step with the game."""

    def translate(self) -> None:
        """Show everything in the language in force; the game stays as it is."""
        with self.companion.hold_sync():
            self.companion.texts = page_texts()
            self.sync()
        for button, text in self._action_texts:
            button.description = _(text)

    def _sync_clock(self) -> None:
        if self.game:
            clock = self.game.clock
            shown = self.companion.clock
            # A running clock ticks in the page by itself: it is sent when it starts, stops or stands still.
            if shown.get("running") != clock.is_running or not clock.is_running:
                self.companion.clock = {"elapsed": round(clock.elapsed, 2), "running": clock.is_running}

    def _describe_button(self, key: str, card: Card | str) -> None:
        self.buttons[key].description = card_face(card) if isinstance(card, Card) else NO_BREAK_SPACE

    @staticmethod
    def _shape(rules: Rules) -> dict[str, Any]:
        places = rules.tableau.places
        bottom = max(place.y for place in places)
        widest = max(places, key=lambda place: sum(other.y == place.y for other in places))
        return {
            "columns": max(place.x for place in places) + 1,
            "rows": bottom + 1,
            "fan": rules.stock_face_up,
            "many": _pile_room(rules) > MOST_PILE_ROOM,
            "crowded": rules.stock_playable or rules.drawn_pairs or rules.waste_piles > 1 or not rules.talon_size,
            # The piles stand beside the narrow end of the tableau.
            "low": widest.y < bottom / 2,
            # Rows less than a step apart leave a covered card room for one line.
            "tight": min(abs(a.y - b.y) for a in places for b in places if a.y != b.y) < 1,
        }

    @staticmethod
    def _is_face_down(game: Game, place: int) -> bool:
        return bool(game.position.hidden >> place & 1)

    def _place(self, game: Game, place: int) -> tuple[object, ...]:
        spot, card = game.rules.tableau.places[place], game.deal.cards[place]
        down = self._is_face_down(game, place)
        name = _("face-down card") if down else card_name(card)
        if spot.kind == PYRAMID:
            rows = max(other.row for other in game.rules.tableau.places if other.part == spot.part)
            where = _("{card}, row {row} of {rows}").format(card=name, row=spot.row, rows=rows)
        else:
            where = _("{card}, column {column}").format(card=name, column=spot.part)
        return (spot.x, spot.y, spot.kind, "" if down else str(card), "" if down else card_face(card), sentence(where))

    def _state(self, game: Game, place: int) -> str:
        bit = 1 << place
        if not game.position.tableau & bit:
            return "."
        if game.selected == game.deal.cards[place]:
            return "s"
        if self._is_face_down(game, place):
            return "d"
        return "a" if game.position.exposed & bit else "b"

    def _piles(self, game: Game) -> dict[str, dict[str, Any]]:
        piles: dict[str, dict[str, Any]] = {}
        if "stock" in self.buttons:
            piles["stock"] = self._stock(game)
        if "next" in self.buttons:
            first = next(bits(game.position.stock), None)
            card = None if first is None else game.deal.cards[first]
            piles["next"] = self._pile_card(game, "next", "stock", card, _("Next stock card"), _("Next"))
        for number in range(game.rules.waste_piles if "waste0" in self.buttons else 0):
            cards = self._waste_cards(game, number)
            pile_name = _("Waste") if game.rules.waste_piles == 1 else _("Waste {number}").format(number=number + 1)
            top = cards[-1] if cards else None
            waste = self._pile_card(game, f"waste{number}", "waste", top, pile_name, pile_name)
            piles[f"waste{number}"] = waste | {"count": len(cards)}
            if f"under{number}" in self.buttons:
                under = cards[-2] if len(cards) > 1 else None
                below = self._pile_card(game, f"under{number}", "waste", under, _("Waste, beneath the top"), "")
                piles[f"under{number}"] = {**below, "state": below["state"] if under else "x", "caption": pile_name}
        removed = game.position.foundation
        last = game.line[-1] if game.line and isinstance(game.line[-1], Remove) else None
        piles["foundation"] = self._foundation(game, len(removed), last)
        return piles

    def _stock(self, game: Game) -> dict[str, Any]:
        count = game.position.stock.bit_count()
        if count:
            state, name = "a", ngettext("Stock, {n} card: draw", "Stock, {n} cards: draw", count)
        elif game.position.can_recycle:
            wasted = game.position.wasted.bit_count()
            state = "r"
            name = ngettext("Stock is empty: recycle {n} waste card", "Stock is empty: recycle {n} waste cards", wasted)
        else:
            state, name = "e", _("Stock is empty")
        note = ""
        if game.rules.passes is not None:
            note = _("pass {number} of {passes}").format(number=game.position.recycles + 1, passes=game.rules.passes)
        caption = _("Recycle") if state == "r" else _("Stock")
        full = f"{name}; {note}" if note else name
        return {"pile": "stock", "state": state, "count": count or None, "name": full, "caption": caption, "note": note}

    def _pile_card(
        self, game: Game, key: str, pile: str, card: Card | None, place: str, caption: str
    ) -> dict[str, Any]:
        self._describe_button(key, card or "")
        if card is None:
            return {"pile": pile, "state": "e", "name": _("{pile}: empty").format(pile=place), "caption": caption}
        name = _("{pile}: {card}").format(pile=place, card=card_name(card))
        if game.selected == card:
            name = _("{name}, {state}").format(name=name, state=_("selected"))
        return {
            "pile": pile,
            "state": "s" if game.selected == card else "a",
            "card": str(card),
            "face": card_face(card),
            "name": name,
            "caption": caption,
        }

    def _foundation(self, game: Game, count: int, last: Remove | None) -> dict[str, Any]:
        name = ngettext("Foundation: {n} card removed", "Foundation: {n} cards removed", count)
        pile: dict[str, Any] = {
            "pile": "foundation",
            "state": "e",
            "count": count,
            "name": name,
            "caption": ngettext("{n} removed", "{n} removed", count),
        }
        # The last removed card lies on top; its name is not `data-card`, which marks the cards in play.
        if count:
            removal = last or next(move for move in reversed(game.line) if isinstance(move, Remove))
            pile |= {"state": "f", "face": card_face(removal.cards[-1]), "suit": str(removal.cards[-1])[-1]}
        return pile

    def _fan(self, game: Game) -> list[tuple[str, str, str]]:
        if not game.rules.stock_face_up:
            return []
        return [
            (str(card), card_face(card), card_name(card)) for card in game.position.table.cards(game.position.stock)
        ]
