"""Side by side: one deal on two tables under two rule sets, given or chosen, and what differs. Decides no rule."""

from collections.abc import Iterable
from dataclasses import fields

import ipywidgets as widgets

from pyramide_core.cards import Card
from pyramide_core.deals import Deal
from pyramide_core.explain import title
from pyramide_core.game import Event
from pyramide_core.messages import _, ngettext
from pyramide_core.options import option_help, value_label
from pyramide_core.rules import Rules
from pyramide_core.ui.lessons.board import USUAL, LessonBoard
from pyramide_core.ui.lessons.course import LessonError
from pyramide_core.ui.lessons.game import LessonGame, game_at
from pyramide_core.ui.lessons.part import Part


def differences(left: Rules, right: Rules) -> tuple[tuple[str, str, str], ...]:
    """Return each option in which two rule sets differ: its label, and its value in each.

    >>> differences(Rules(), Rules(passes=1))
    (('Passes through the stock', 'without limit', '1'),)
    """
    return tuple(
        (
            option_help(field.name).label,
            value_label(field.name, getattr(left, field.name)),
            value_label(field.name, getattr(right, field.name)),
        )
        for field in fields(Rules)
        if getattr(left, field.name) != getattr(right, field.name)
    )


class TwinBoard(LessonBoard):
    """One of the two tables. While both play together it passes each touch on to the other."""

    twin: "TwinBoard | None" = None

    def __init__(self, game: LessonGame, show: str | Iterable[str], pair: "SideBySide") -> None:
        self.pair = pair
        super().__init__(game, show)

    def touch(self, card: Card, *, passed: bool = False) -> Event | None:
        """Touch a card here, and on the other table too."""
        if not passed and self.pair.together and self.twin is not None:
            self.twin.touch(card, passed=True)
        return super().touch(card)

    def touch_stock(self, *, passed: bool = False) -> Event | None:
        """Touch the stock here, and on the other table too."""
        if not passed and self.pair.together and self.twin is not None:
            self.twin.touch_stock(passed=True)
        return super().touch_stock()

    def undo(self) -> Event | None:
        """Take back the last action of this table only: the other may have made another one."""
        return super().undo()


class SideBySide(widgets.VBox):
    """A deal under two rule sets: a head with what differs, and two tables.

    With `together` a touch on one table is made on the other as well, and each says what comes of it.
    """

    def __init__(
        self,
        deal: str | Deal,
        left: Rules,
        right: Rules,
        moves: str = "",
        show: str | Iterable[str] = USUAL,
        *,
        together: bool = True,
        names: tuple[str, str] | None = None,
    ) -> None:
        self.together = together
        self.rules = left, right
        self.names = names or (title(left), title(right))
        self.head = Part(
            kind="beside",
            data={"names": list(self.names), "rows": [list(row) for row in differences(left, right)]},
            texts={
                "label": _("Side by side"),
                "differences": _("What differs"),
                "option": _("Option"),
                "none": _("The two play the same."),
            },
        )
        self.boards = tuple(TwinBoard(game_at(deal, moves, rules), show, self) for rules in self.rules)
        for name, board, other in zip(self.names, self.boards, reversed(self.boards), strict=True):
            # Two tables on a page: who hears them needs to know which is which.
            board.companion.texts = {**board.companion.texts, "table": name}
            board.twin = other
            board.on_event(lambda _event: self._count())
        self.notes = tuple(Part(kind="note", shown={"text": ""}) for _board in self.boards)
        sides = []
        for note, board in zip(self.notes, self.boards, strict=True):
            side = widgets.VBox([note, board])
            side.add_class("py-side")
            sides.append(side)
        both = widgets.Box(sides)
        both.add_class("py-sides")
        super().__init__([self.head, both])
        self.add_class("py-exercise")
        self._count()

    def _count(self) -> None:
        """Say above each table how many moves its rules allow now."""
        for name, note, board in zip(self.names, self.notes, self.boards, strict=True):
            moves = len(board.game.position.legal_moves())
            text = _("{rules}: {moves}").format(
                rules=name, moves=ngettext("{n} move is possible now", "{n} moves are possible now", moves)
            )
            note.show(text=text)


class AnyTwo(widgets.VBox):
    """Any two of several rule sets on one deal: a menu for each side, and below them what differs and the two tables.

    `rules` are the rule sets to choose from, `left` and `right` the names of those that are shown first. Each table is
    played by itself, as a touch on one layout says nothing about another.
    """

    def __init__(
        self, deal: str | Deal, rules: Iterable[Rules], left: str, right: str, show: str | Iterable[str] = USUAL
    ) -> None:
        self.deal, self.show = deal, show
        self.rules = {each.name: each for each in rules}
        for name in (left, right):
            if name not in self.rules:
                raise LessonError(
                    _("There is no rule set “{name}” to choose. There are: {names}.").format(
                        name=name, names=", ".join(self.rules)
                    )
                )
        labels = [(title(each), name) for name, each in self.rules.items()]
        self.menus = tuple(
            widgets.Dropdown(
                options=labels,
                value=name,
                description=side,
                style={"description_width": "initial"},
                layout={"width": "auto"},
            )
            for side, name in ((_("First rule set"), left), (_("Second rule set"), right))
        )
        for menu in self.menus:
            menu.observe(lambda _change: self._lay(), "value")
        self.chosen = widgets.HBox(self.menus)
        self.chosen.add_class("py-menus")
        super().__init__()
        self.add_class("py-exercise")
        self._lay()

    def _lay(self) -> None:
        """Lay the deal under the two rule sets that are chosen now."""
        left, right = (self.rules[menu.value] for menu in self.menus)
        self.pair = SideBySide(self.deal, left, right, show=self.show, together=False)
        self.children = [self.chosen, self.pair]
