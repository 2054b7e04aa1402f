"""Lesson notebooks for tests: read, run in this process, and played through their widgets."""

import contextlib
import io
import re
from functools import cache
from pathlib import Path
from typing import Any

import nbformat

from pyramide_core.cards import Card
from pyramide_core.moves import Draw, Recycle, parse_move
from pyramide_core.ui.board import Board

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
LESSONS = sorted(path.stem for path in NOTEBOOKS.glob("[0-9][0-9]_*.ipynb") if not path.stem.startswith("00"))
CHECKED, IGNORED = "nbval-check-output", "nbval-ignore-output"


@cache
def notebook(name: str) -> Any:
    """Return a notebook by its name without the ending."""
    return nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)


def code_cells(name: str) -> list[Any]:
    return [cell for cell in notebook(name).cells if cell.cell_type == "code"]


def markdown_cells(name: str) -> list[str]:
    # The names of languages are written in those languages.
    return [cell.source for cell in notebook(name).cells if cell.cell_type == "markdown" and cell.id != "languages"]


def run(name: str) -> dict[str, Any]:
    """Run the code of a notebook here and return its names; what it prints is dropped."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()), contextlib.chdir(NOTEBOOKS):
        for cell in code_cells(name):
            exec(compile(cell.source, f"{name}[{cell.id}]", "exec"), names)
    return names


def button_of(board: Board, card: Card) -> Any:
    """Return the button that shows a card."""
    game = board.game
    assert game is not None
    place = game.deal.place_of[card]
    if place < len(game.rules.tableau):
        return board.buttons[f"t{place}"]
    for number, top in enumerate(game.position.waste_tops):
        if top == place:
            return board.buttons[f"waste{number}"]
    raise AssertionError(f"{card} is not on the table")


def touch(board: Board, card: str) -> None:
    """Click on a card."""
    button_of(board, Card.parse(card)).click()


def click_through(board: Board, moves: str) -> None:
    """Make moves by clicks: `KD 10C+3S D*2`; U clicks Undo."""
    for word in moves.split():
        one, _, times = word.partition("*")
        for _time in range(int(times or 1)):
            move = parse_move(one)
            if isinstance(move, Draw | Recycle):
                board.buttons["stock"].click()
            else:
                for card in move.cards:
                    button_of(board, card).click()


def action(board: Board, name: str) -> Any:
    """Return the button below a table: undo, again, hint."""
    return next(button for button in board.actions_box.children if f"py-do-{name}" in button._dom_classes)


def words_of(text: str) -> list[str]:
    """Return the words of prose: no code, no addresses, no mark-up."""
    text = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)|\{[^{}]*\}|PY1-[A-Z0-9-]+", " ", text, flags=re.S)
    return re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text)
