"""Tasks: something to do on a board, checked by the engine, with help in three levels.

A task knows its goal and nothing of the rules. Help goes from a word, over where to look, to the next move.
"""

from collections.abc import Callable, Iterable
from typing import Any

import ipywidgets as widgets

from pyramide_core.cards import Card
from pyramide_core.deals import Deal
from pyramide_core.errors import PyramideError
from pyramide_core.game import Event, EventKind
from pyramide_core.messages import N_, _
from pyramide_core.moves import DRAW, RECYCLE, Move, Remove
from pyramide_core.ui.lessons.board import USUAL, LessonBoard, Pick
from pyramide_core.ui.lessons.course import LessonError
from pyramide_core.ui.lessons.game import LessonGame
from pyramide_core.ui.lessons.goals import Goal
from pyramide_core.ui.lessons.part import Part
from pyramide_core.ui.lessons.texts import move_text
from pyramide_core.wording import card_face

SHEET_KINDS = {"pdf": "application/pdf", "png": "image/png"}


class TaskHead(Part):
    """What stands above the board of an exercise: what to do, how far it is, help, and things for the class."""

    def __init__(self, prompt: str, label: str, *, sheets: bool, **options: Any) -> None:
        super().__init__(
            kind="task",
            data={"prompt": prompt, "sheets": sheets},
            texts={
                "label": label,
                "done": _("Done"),
                "class": _("For the class"),
                "link": _("Copy a link to this task"),
                "copied": _("Copied: {link}"),
                "not_copied": _("The browser does not let this page copy. The link is: {link}"),
                "sheet": _("Sheet (PDF)"),
                "solved_sheet": _("Sheet with solution (PDF)"),
                "sheet_png": _("Sheet (PNG)"),
            },
            **options,
        )
        self.heard: Callable[[str, dict[str, Any]], None] = lambda _event, _content: None

    def hear(self, event: str, content: dict[str, Any]) -> None:
        """Pass on what the page says."""
        self.heard(event, content)


class TaskBoard(LessonBoard):
    """The board of a task: it refuses moves that the task does not allow, and asks its task for help."""

    def __init__(self, task: "Task", game: LessonGame, show: str | Iterable[str]) -> None:
        self.task = task
        super().__init__(game, show)

    def _actions(self) -> list[widgets.Button]:
        return [*super()._actions(), self._action("hint", N_("Hint"), self.task.hint)]

    def touch(self, card: Card) -> Event | None:
        """Touch a card, unless the move that follows is out of bounds."""
        return self._refused(self._meant(card)) or super().touch(card)

    def touch_stock(self) -> Event | None:
        """Touch the stock, unless the task goes without it."""
        return self._refused(DRAW if self.game.position.can_draw else RECYCLE) or super().touch_stock()

    def again(self) -> None:
        """Put the task's position on the table again."""
        super().again()
        self.task.started_again()

    def _meant(self, card: Card) -> Move | None:
        """Return the removal that a touch on a card makes, if it makes one."""
        position, selected = self.game.position, self.game.selected
        for move in [Remove(card), *([Remove(selected, card)] if selected not in (None, card) else [])]:
            if position.is_legal(move):
                return move
        return None

    def _refused(self, move: Move | None) -> Event | None:
        reason = self.task.goal.refuse(self.game.position, move) if move is not None else ""
        if not reason:
            return None
        self.say(reason, warning=True)
        return Event(EventKind.NOTHING, message=reason)


class Task(widgets.VBox):
    """A task on a board: `goal` makes the goal for a game, so that a teacher's own deal gets its own right answer.

    `hints` are up to two sentences of help in the author's words, for the task's own deal; without them help begins with
    the card to look at. The last level is the next move of the goal's plan.
    """

    def __init__(
        self,
        prompt: str,
        game: LessonGame,
        goal: Callable[[LessonGame], Goal],
        hints: Iterable[str] = (),
        show: str | Iterable[str] = USUAL,
        *,
        name: str = "",
        lesson: Any = None,
    ) -> None:
        self.make_goal = goal
        self.goal = goal(game)
        self.hints = tuple(hints)
        self.level = 0
        self.head = TaskHead(prompt, _("Task"), sheets=True, name=name, lesson=lesson)
        self.head.heard = self._heard
        self.board = TaskBoard(self, game, show)
        self.board.on_event(self._check)
        super().__init__([self.head, self.board])
        self.add_class("py-exercise")
        self._check(None)

    @property
    def game(self) -> LessonGame:
        """The game on the board."""
        return self.board.game

    @property
    def is_done(self) -> bool:
        """Whether the goal has been reached once."""
        return self.head.done

    # Checking --------------------------------------------------------------------------------------------------

    def _check(self, event: Event | None) -> None:
        if event is not None and event.is_action:
            self.level = 0
        if self.goal.reached(self.game):
            if event is not None:
                self.head.show(status=_("Well done, that is it."), state="done", help="")
                self.head.finish()
            return
        self.head.show(status=self.goal.missing(self.game), state="open", help="")

    def started_again(self) -> None:
        """Note that the board is back at the start."""
        self.level = 0
        self._check(None)

    # Help ------------------------------------------------------------------------------------------------------

    def hint(self) -> None:
        """Give the next level of help: the author's words, where to look, the move itself."""
        if self.goal.reached(self.game):
            self.head.show(help=_("The task is done; nothing is missing."))
            return
        way = self.goal.plan(self.game.position)
        if not way:
            self.head.show(help=_("From here it cannot be done any more. Take moves back, or start again."))
            return
        self.level = min(max(self.level + 1, 1 if self.hints else 2), 3)
        self.head.show(help=self._help(way[0]))

    def _help(self, move: Move) -> str:
        if self.level == 1:
            return self.hints[0]
        cards = move.cards if isinstance(move, Remove) else ()
        self.board.light(cards[: self.level - 1] or "stock")
        if self.level < 3:
            if len(self.hints) > 1:
                return self.hints[1]
            if len(cards) == 1:
                return _("Look at {card}. What does it add up to by itself?").format(card=card_face(cards[0]))
            if cards:
                return _("Look at {card}. What goes with it?").format(card=card_face(cards[0]))
            return _("Nothing on the table helps now. What else can you touch?")
        if cards:
            return _("The next move: {move}.").format(move=move_text(move))
        return _("The next move: touch the stock.")

    def solution(self) -> tuple[Move, ...]:
        """Return a line of moves from the task's start to its goal, empty when there is none."""
        return self.goal.plan(self.game.start) or ()

    # Links and sheets ------------------------------------------------------------------------------------------

    def deal_again(self, deal: Deal) -> None:
        """Give the task another deal, with its own goal; raises LessonError where there is nothing to do or no way."""
        game = self.game.again(deal)
        goal = self.make_goal(game)
        if not _has_way(goal, game):
            raise LessonError(
                _("The deal {code} does not suit this task; the task keeps its own deal.").format(code=deal.code)
            )
        self.goal = goal
        # The author's words speak of the cards of the task's own deal.
        self.hints = ()
        self.board.show(game, _("This deal comes from a link: {code}").format(code=deal.code))
        self.started_again()

    def open_link(self, code: str) -> None:
        """Deal the code of a link; what is wrong with it is said, and the task stays as it was."""
        try:
            self.deal_again(Deal.from_code(code))
        except PyramideError as error:
            self.board.say(str(error), warning=True)

    def _heard(self, event: str, content: dict[str, Any]) -> None:
        form = str(content.get("form"))
        if event == "sheet" and form in SHEET_KINDS:
            solved = bool(content.get("solution"))
            name = f"{self.head.name or 'pyramide'}{'-solution' if solved else ''}.{form}"
            self.head.download(name, SHEET_KINDS[form], self.sheet(form, solved=solved))

    def sheet(self, form: str = "pdf", *, solved: bool = False) -> bytes:
        """Return the printable sheet of the task, as PDF or PNG, with or without a solution."""
        # Imported here: only who prints waits for matplotlib.
        from pyramide_core.sheets import Sheet

        sheet = Sheet(
            self.game.start,
            task=str(self.head.data["prompt"]),
            solution=self.solution() if solved else None,
            stock="stock" in self.board.parts,
        )
        return sheet.as_bytes(form)


def _has_way(goal: Goal, game: LessonGame) -> bool:
    """Tell whether a goal is still to be reached and can be, as far as a search can tell."""
    try:
        return bool(goal.plan(game.start))
    except LessonError:
        # Too many positions to look at: perhaps there is one.
        return True


class Find(widgets.VBox):
    """An exercise on a board where the right cards are touched, see `Pick`."""

    def __init__(
        self,
        prompt: str,
        game: LessonGame,
        wanted: int,
        why: Callable[[Card], str],
        show: str | Iterable[str] = (),
        *,
        name: str = "",
        lesson: Any = None,
    ) -> None:
        self.head = TaskHead(prompt, _("Find"), sheets=False, name=name, lesson=lesson)
        self.board = Pick(game, wanted, why, show, self._found)
        super().__init__([self.head, self.board])
        self.add_class("py-exercise")

    @property
    def is_done(self) -> bool:
        """Whether all right cards have been marked once."""
        return self.head.done

    def _found(self) -> None:
        self.head.show(status=_("Well done, that is it."), state="done")
        self.head.finish()

    def hint(self) -> None:
        """Light one right card."""
        self.board.hint()

    def open_link(self, code: str) -> None:
        """A link to this exercise shows it as it is: its right cards belong to its own deal."""
