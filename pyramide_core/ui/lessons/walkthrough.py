"""Walkthroughs: captioned steps forward and back over positions, the cards in question lit. Nothing is played here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import traitlets

from pyramide_core.messages import _
from pyramide_core.moves import Move
from pyramide_core.ui.lessons.course import LessonError
from pyramide_core.ui.lessons.game import LessonGame, spelled_out
from pyramide_core.ui.lessons.part import Part
from pyramide_core.ui.lessons.scene import PILES, Light, scene_data, table_data


@dataclass(frozen=True)
class Step:
    """A step: its caption, the moves made just before it (as text or values), and what is lit."""

    caption: str
    play: str | Sequence[Move] = ""
    light: Light = ""


def step(caption: str, play: str | Sequence[Move] = "", light: Light = "") -> Step:
    """Return a step of a walkthrough: `step(text("…"), play="KD", light="10C 3S")`."""
    return Step(caption, play, light)


class Walkthrough(Part):
    """Steps over one game. The page goes through them by itself; `at` says where it is (counted from 0)."""

    at = traitlets.Int(0).tag(sync=True)

    def __init__(
        self,
        game: LessonGame,
        steps: Iterable[Step],
        show: str | Iterable[str] = PILES,
        *,
        rows: bool = False,
        **options: Any,
    ) -> None:
        game = game.again()
        self.steps = tuple(steps)
        if not self.steps:
            raise LessonError(_("A walkthrough needs at least one step."))
        parts = show.split() if isinstance(show, str) else tuple(show)
        scenes = []
        for one in self.steps:
            for move in spelled_out(one.play) if isinstance(one.play, str) else one.play:
                game.replay([move])
            scenes.append({**scene_data(game.position, one.light), "caption": one.caption})
        count = len(scenes)
        super().__init__(
            kind="walkthrough",
            data={**table_data(game.position, parts, rows=rows), "steps": scenes},
            texts={
                "label": _("Walkthrough"),
                "previous": _("Back"),
                "next": _("Next"),
                "first": _("To the first step"),
                "places": [_("Step {number} of {count}").format(number=n, count=count) for n in range(1, count + 1)],
            },
            **options,
        )

    @property
    def caption(self) -> str:
        """The caption of the step that is shown."""
        return self.steps[self.at].caption

    def next(self) -> None:
        """Go one step on, up to the last."""
        self.at = min(self.at + 1, len(self.steps) - 1)

    def previous(self) -> None:
        """Go one step back, up to the first."""
        self.at = max(self.at - 1, 0)
