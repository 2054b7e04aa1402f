"""Parts: what all widgets of a lesson have in common. A part holds data; the page draws it (`lesson.js`).

Everything that a person reads is in the part's traits, ready to be shown; the page adds no word of its own.
"""

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from pyramide_core.messages import _, language

if TYPE_CHECKING:
    from pyramide_core.ui.lessons.lesson import Lesson

HERE = Path(__file__).parent
LOG = logging.getLogger(__name__)


class Part(anywidget.AnyWidget):
    """A part of a lesson. `kind` says how the page draws it; `data` never changes, `shown` does.

    An exercise is a part with a `name`; it tells its lesson when it is done, and is `done` for ever then.
    """

    _esm = HERE / "lesson.js"

    kind = traitlets.Unicode().tag(sync=True)
    name = traitlets.Unicode().tag(sync=True)
    texts = traitlets.Dict().tag(sync=True)
    """Fixed texts by name."""
    data = traitlets.Dict().tag(sync=True)
    shown = traitlets.Dict().tag(sync=True)
    done = traitlets.Bool(False).tag(sync=True)
    solved_before = traitlets.Bool(False).tag(sync=True)
    """Whether the browser remembers it as done on another day."""

    def __init__(self, lesson: "Lesson | None" = None, **traits: Any) -> None:
        super().__init__(**traits)
        self.texts = {"lang": language(), "solved_before": _("Solved before"), **self.texts}
        self.lesson = lesson
        self.on_msg(self._receive)

    def _receive(self, _widget: object, content: dict[str, Any], _buffers: object) -> None:
        """Hear the page; whatever goes wrong is logged in full and said in one sentence."""
        try:
            self.hear(str(content.get("event")), content)
        except Exception:
            LOG.exception("a part of the lesson failed")
            self.show(problem=_("Something went wrong here. Please run this cell again, or reload the page."))

    def hear(self, event: str, content: dict[str, Any]) -> None:
        """Answer a message of the page."""

    def show(self, **values: Any) -> None:
        """Change what the page shows of this part; the rest stays."""
        self.shown = {**self.shown, **values}

    def finish(self) -> None:
        """Note that the exercise is done."""
        if not self.done:
            self.done = True
            if self.lesson is not None:
                self.lesson.note_done(self.name)

    def download(self, name: str, kind: str, content: bytes) -> None:
        """Give the page a file to save; `kind` is its media type."""
        self.send({"do": "download", "name": name, "kind": kind}, [content])
