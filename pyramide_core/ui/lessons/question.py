"""Questions: a few answers to choose from, each with its own feedback. Which one is right is computed by the caller."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pyramide_core.messages import _
from pyramide_core.ui.lessons.course import LessonError
from pyramide_core.ui.lessons.part import Part
from pyramide_core.ui.lessons.texts import written

Reasons = Mapping[Any, str] | Callable[[Any], str]
"""The feedback for each answer: by its value, or as a function of it."""


class Question(Part):
    """A question with choices: values, or a mapping of values to labels.

    `right` is the right value, computed by the engine, or a function that tells of each value whether it is right.
    `because` has the feedback for each value, wrong ones and right ones alike. LessonError when there is no right or no
    wrong choice, or when a choice has no feedback.
    """

    def __init__(
        self,
        prompt: str,
        choices: Sequence[Any] | Mapping[Any, str],
        right: Any,
        because: Reasons,
        **options: Any,
    ) -> None:
        self.values = tuple(choices)
        labels = choices.values() if isinstance(choices, Mapping) else map(written, self.values)
        self.is_right = tuple(bool(right(value)) if callable(right) else value == right for value in self.values)
        self.because = tuple(_reason(because, value) for value in self.values)
        if len(set(self.is_right)) != 2:
            raise LessonError(_("A question needs a right choice and a wrong one: “{prompt}”.").format(prompt=prompt))
        super().__init__(
            kind="question",
            data={"prompt": prompt, "choices": [str(label) for label in labels]},
            texts={
                "label": _("Question"),
                "right": _("Right."),
                "wrong": _("Not quite."),
                "done": _("Answered"),
            },
            shown={"given": []},
            **options,
        )

    def answer(self, number: int) -> bool:
        """Give the answer of a number, counted from 0, and return whether it is right."""
        right = self.is_right[number]
        given = [one for one in self.shown["given"] if one["choice"] != number]
        self.show(given=[*given, {"choice": number, "right": right, "text": self.because[number]}])
        if right:
            self.finish()
        return right

    @property
    def feedback(self) -> str:
        """What was said to the last answer."""
        given = self.shown["given"]
        return str(given[-1]["text"]) if given else ""

    def hear(self, event: str, content: dict[str, Any]) -> None:
        """Hear the page: an answer was chosen."""
        number = content.get("choice")
        if event == "answer" and isinstance(number, int) and 0 <= number < len(self.values):
            self.answer(number)


def _reason(because: Reasons, value: Any) -> str:
    reason = because(value) if callable(because) else because.get(value, "")
    if not reason:
        raise LessonError(_("The answer “{answer}” has no feedback.").format(answer=written(value)))
    return reason
