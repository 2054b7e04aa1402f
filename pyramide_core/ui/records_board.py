"""A board of a notebook that keeps its game: run the cell again, reload the page, restart the kernel, and it goes on.

No rule lives here; it joins a board and a recorder, without the dialogs and classes of the dashboard.
"""

from typing import Any

import ipywidgets as widgets

from pyramide_core.game import Event, Game
from pyramide_core.messages import N_, _
from pyramide_core.records.recorder import Recorder
from pyramide_core.ui.board import Board


class KeptBoard(Board):
    """A board for one deal, whose game is kept under a name: no two boards of a notebook have the same `slot`.

    A kept game comes back only for the same deal and rules. `records` is what PYRAMIDE_DATABASE is to the dashboard.
    """

    def __init__(self, game: Game, slot: str, *, records: str | None = None) -> None:
        self.recorder = Recorder(records, slot=slot)
        self._is_met = False
        super().__init__(game)
        self.companion.memory = {"slot": slot, "text": ""}
        self.on_event(self._happened)

    def _actions(self) -> list[widgets.Button]:
        return [*super()._actions(), self._action("restart", N_("Restart"), self.restart, quiet=True)]

    def restart(self) -> None:
        """Deal the same cards again."""
        if self.game is not None:
            game = Game(self.game.deal, self.game.rules, error_help=self.game.error_help)
            self.show(game, _("The same deal from the start."))
            self._begin(game)

    def hear(self, event: str, content: dict[str, Any]) -> None:
        """Answer the page: the first time that it is there, the kept game comes back."""
        if event == "ready" and not self._is_met and self.game is not None:
            self._is_met = True
            # A browser without storage has no key, and keeps nothing.
            if content.get("token"):
                self.recorder.identify(content["token"])
            self._resume(self.game, content)
        else:
            super().hear(event, content)

    def _resume(self, dealt: Game, content: dict[str, Any]) -> None:
        memory, elapsed = content.get("memory"), content.get("elapsed")
        resumed = self.recorder.resume(memory, dealt.deal.code, dealt.rules.text, elapsed)
        # What was played before the page was there is not given up for what was kept.
        if resumed is None or dealt.log:
            self._begin(dealt)
            return
        resumed.game.error_help = dealt.error_help
        self.show(resumed.game, resumed.message)
        self._remember()

    def _begin(self, game: Game) -> None:
        self.recorder.begin(game)
        self._remember()

    def _happened(self, event: Event) -> None:
        if event.is_action and self.game is not None and self._is_met:
            self.recorder.save(self.game)
            self._remember()

    def _hide(self, hidden: bool) -> None:
        super()._hide(hidden)
        if hidden and self.game is not None:
            self.recorder.save(self.game)
            self._remember()

    def _remember(self) -> None:
        self.companion.memory = {"slot": self.recorder.slot, "text": self.recorder.memory}
        notice = self.recorder.notice()
        if notice:
            self.say(notice, warning=True)
