"""What the tests of the widgets share: a page that is not there, its messages both ways, and a check of what is logged."""

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import ipywidgets
import pytest

from pyramide_core.ui.board import Board


@dataclass
class Wire:
    """Everything that widgets send to the page, as (widget, message)."""

    sent: list[tuple[ipywidgets.Widget, dict[str, Any]]] = field(default_factory=list)

    def clear(self) -> None:
        """Forget what was sent so far."""
        self.sent.clear()

    def to(self, widget: ipywidgets.Widget) -> list[dict[str, Any]]:
        """Return what was sent for one widget."""
        return [message for sender, message in self.sent if sender is widget]

    @property
    def orders(self) -> list[dict[str, Any]]:
        """What the page was told to do, besides being sent state."""
        return [message["content"] for _sender, message in self.sent if message["method"] == "custom"]

    @property
    def size(self) -> int:
        """How many characters of JSON were sent."""
        return sum(len(json.dumps(message)) for _sender, message in self.sent)


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    """Return a record of all that widgets send from now on."""
    wire = Wire()
    monkeypatch.setattr(
        ipywidgets.Widget, "_send", lambda widget, message, buffers=None: wire.sent.append((widget, message))
    )
    return wire


@pytest.fixture(autouse=True)
def nothing_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail a test in which anything was logged: what a click raises reaches nobody else.

    A test that brings a warning about itself takes it out with `caplog.clear()`.
    """
    yield
    logged = [record.getMessage() for record in caplog.get_records("call") if record.levelno >= logging.WARNING]
    assert logged == []


def click(board: Board, *names: str) -> None:
    """Click cards by the name that the page knows them by (`KD`), and pile buttons by their key (`stock`)."""
    for name in names:
        button_of(board, name).click()


def button_of(board: Board, name: str) -> ipywidgets.Button:
    """Return the button of a key, or the one that shows a card now."""
    if name in board.buttons:
        return board.buttons[name]
    return board.buttons[shown(board)[name]]


def shown(board: Board) -> dict[str, str]:
    """Return the key of the button that shows each face-up card in play."""
    companion = board.companion
    cards = {
        place[3]: f"t{index}"
        for index, place in enumerate(companion.places)
        if companion.state[index : index + 1] != "."
    }
    cards |= {pile["card"]: key for key, pile in companion.piles.items() if "card" in pile}
    return {card: key for card, key in cards.items() if card}


def state_of(board: Board, card: str) -> str:
    """Return the letter of a tableau card's state: b, a, s, d or `.` when it is gone."""
    index = next(index for index, place in enumerate(board.companion.places) if place[3] == card)
    return board.companion.state[index]


def tell(board: Board, **content: object) -> None:
    """Let the page say something to the kernel."""
    board.companion._handle_custom_msg(content, [])


def answer(board: Board, action: str, **values: object) -> None:
    """Press a button of the open dialog; fields not given hold what the dialog opened with."""
    dialog = board.companion.dialog
    blocks = [inner for block in dialog["blocks"] for inner in block.get("blocks", [block])]
    before = {
        block["name"]: block.get("value", "") for block in blocks if "name" in block and block["kind"] != "notice"
    }
    tell(board, event="dialog", dialog=dialog["id"], action=action, values=before | values)
