"""Lesson boards: a table limited to what the lesson is about. It decides nothing about the rules."""

from collections.abc import Callable, Iterable
from typing import Any

import ipywidgets as widgets

from pyramide_core.cards import Card
from pyramide_core.game import Event, EventKind
from pyramide_core.messages import N_, _
from pyramide_core.ui.board import Board
from pyramide_core.ui.lessons.course import LessonError
from pyramide_core.ui.lessons.game import LessonGame
from pyramide_core.ui.lessons.scene import Light, lit_keys

PARTS = ("stock", "waste", "foundation", "figures", "code", "undo", "again")
USUAL = ("stock", "waste", "foundation", "undo", "again")


class LessonBoard(Board):
    """A board on a lesson's game that shows only some parts: the pyramid, and those of PARTS that are named in `show`.

    What is not shown cannot be touched. `light` lights cards or piles until the next touch.
    """

    game: LessonGame

    def __init__(self, game: LessonGame, show: str | Iterable[str] = USUAL, light: Light = "") -> None:
        self.parts = tuple(show.split() if isinstance(show, str) else show)
        for part in self.parts:
            if part not in PARTS:
                raise LessonError(
                    _("A board has no part “{part}”. It has: {parts}.").format(part=part, parts=", ".join(PARTS))
                )
        super().__init__(game)
        self.add_class("py-lesson")
        for part in PARTS:
            if part not in self.parts:
                self.add_class(f"py-no-{part}")
        if light:
            self.light(light)

    def _actions(self) -> list[widgets.Button]:
        actions = [self._action("undo", N_("Undo"), self.undo)] if "undo" in self.parts else []
        if "again" in self.parts:
            actions.append(self._action("again", N_("Start again"), self.again, quiet=True))
        return actions

    def light(self, light: Light) -> None:
        """Light cards and piles until the next touch."""
        self.companion.lit = lit_keys(self.game.position, light)

    def again(self) -> None:
        """Put the game on the table as the lesson gave it."""
        self.show(self.game.again(), _("From the start again."))

    def touch_stock(self) -> Event | None:
        """Touch the stock, unless this lesson is not about it."""
        return super().touch_stock() if "stock" in self.parts else None


class Pick(LessonBoard):
    """A board on which a touch marks a card instead of playing it: for exercises of the kind “touch every card that …”.

    `wanted` is the mask of the right cards, from the engine; `why` says of a wrong card, in a sentence, what is wrong
    with it. A wrong card is not marked. When all right ones are, `on_found` hears it.
    """

    def __init__(
        self,
        game: LessonGame,
        wanted: int,
        why: Callable[[Card], str],
        show: str | Iterable[str] = (),
        on_found: Callable[[], None] = lambda: None,
    ) -> None:
        if not wanted:
            raise LessonError(_("There is no right card to touch here."))
        self.wanted, self.why, self.on_found = wanted, why, on_found
        self.marked = 0
        super().__init__(game, show)

    def _actions(self) -> list[widgets.Button]:
        return [*super()._actions(), self._action("hint", N_("Hint"), self.hint)]

    def hint(self) -> None:
        """Light one right card that is not marked yet."""
        left = self.wanted & ~self.marked
        if left:
            self.light(left & -left)
            self.say(_("The lit card is one of them. How is it like the others?"))

    def touch(self, card: Card) -> Event | None:
        """Mark a card, take its mark away, or say why it is none of them."""
        bit = 1 << self.game.deal.place_of[card]
        self.companion.lit = []
        if not self.wanted & bit:
            self.say(self.why(card), warning=True)
            return Event(EventKind.NOTHING)
        self.marked ^= bit
        left = (self.wanted & ~self.marked).bit_count()
        self.sync()
        if left:
            self.say(
                _("Marked: {marked} of {all}.").format(
                    marked=self.marked.bit_count(), all=self.marked.bit_count() + left
                )
            )
        else:
            self.say(_("You have found all of them."))
            self.on_found()
        return Event(EventKind.SELECTED)

    def again(self) -> None:
        """Take all marks away."""
        self.marked = 0
        super().again()

    def _state(self, game: Any, place: int) -> str:
        state = super()._state(game, place)
        return "s" if self.marked >> place & 1 and state in "ab" else state

    def _pile_card(self, game: Any, key: str, pile: str, card: Card | None, place: str, caption: str) -> dict[str, Any]:
        data = super()._pile_card(game, key, pile, card, place, caption)
        if card is not None and self.marked >> game.deal.place_of[card] & 1:
            data["state"] = "s"
        return data
