"""The notebooks as files: what play.ipynb may hold, and that what nbval is to compare can be compared.

nbval runs the notebooks themselves (`testpaths`); it compares nothing of a cell whose execution count is missing.
"""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
ALL = sorted(NOTEBOOKS.glob("*.ipynb"))
CHECKED, IGNORED = "nbval-check-output", "nbval-ignore-output"


def cells(path: Path, kind: str = "code") -> list[dict[str, Any]]:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


def tags(cell: dict[str, Any]) -> set[str]:
    return set(cell["metadata"].get("tags", []))


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS / "play.ipynb" in ALL


def test_the_dashboard_notebook_is_at_most_three_short_cells() -> None:
    code = cells(NOTEBOOKS / "play.ipynb")
    assert 1 <= len(code) <= 3
    assert all(len("".join(cell["source"]).splitlines()) <= 10 for cell in code)


def test_the_dashboard_notebook_deals_nothing_itself() -> None:
    """A page prepared in advance would give every visitor the same game."""
    source = "\n".join("".join(cell["source"]) for cell in cells(NOTEBOOKS / "play.ipynb"))
    names = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    assert "Dashboard" in names
    assert not names & {"Deal", "Game", "random"}


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_checked_cells_keep_their_counts_and_outputs(path: Path) -> None:
    for cell in cells(path):
        if CHECKED in tags(cell):
            assert cell["execution_count"] is not None, "".join(cell["source"])
            assert cell["outputs"], "".join(cell["source"])


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_kept_outputs_are_checked_and_hold_no_widgets_or_pictures(path: Path) -> None:
    for cell in cells(path):
        kinds = {kind for output in cell["outputs"] for kind in output.get("data", {})}
        assert not any("widget" in kind for kind in kinds), "".join(cell["source"])
        assert "error" not in {output["output_type"] for output in cell["outputs"]}, "".join(cell["source"])
        if cell["outputs"]:
            assert CHECKED in tags(cell) or cell["execution_count"] is not None, "".join(cell["source"])
        assert not {CHECKED, IGNORED} <= tags(cell)


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_a_notebook_has_the_plain_kernel_and_installs_nothing(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert (notebook["nbformat"], "widgets" in notebook["metadata"]) == (4, False)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(ids) == len(set(ids))
    for cell in cells(path):
        source = "".join(cell["source"])
        tree = ast.parse(source)  # No shell line, no magic.
        stars = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"]
        assert stars == []
