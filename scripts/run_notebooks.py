"""Run the lesson notebooks again and write them back as they are kept: `python scripts/run_notebooks.py [NAME ...]`.

Kept are the outputs of cells tagged `nbval-check-output`, with their execution counts: nbval compares nothing without
them. Other outputs and counts go, and so does all that differs from one run, program or machine to another. A second
run changes nothing. With `--check` nothing is written, and the exit code says whether a run would change anything.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
CHECKED = "nbval-check-output"
KEPT_METADATA = ("title", "pyramide")
# A picture, a widget's address and the like are nothing that a test compares or a reader of the file wants.
KEPT_TYPE = "text/plain"


def run(notebook: Any, folder: Path) -> None:
    """Execute a notebook in its folder; raises CellExecutionError when a cell fails."""
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()


def normalise(notebook: Any) -> None:
    """Take away what is not kept. A notebook that was not executed keeps its counts."""
    notebook.metadata = {
        **{name: notebook.metadata[name] for name in KEPT_METADATA if name in notebook.metadata},
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.source = "\n".join(line.rstrip() for line in cell.source.strip().splitlines())
        tags = cell.metadata.get("tags", [])
        cell.metadata = {"tags": tags} if tags else {}
        if cell.cell_type != "code":
            cell.pop("attachments", None)
            continue
        if CHECKED in tags:
            cell.outputs = list(_kept(cell.outputs))
        else:
            cell.outputs, cell.execution_count = [], None


def _kept(outputs: list[Any]) -> Any:
    """Yield the text of outputs, one stream where several follow each other."""
    last = None
    for output in outputs:
        if output.output_type == "stream":
            if last is not None and last.name == output.name:
                last.text += output.text
                continue
            last = nbformat.v4.new_output("stream", name=output.name, text=output.text)
            yield last
            continue
        last = None
        if KEPT_TYPE in output.get("data", {}):
            kept = nbformat.v4.new_output(output.output_type, data={KEPT_TYPE: output.data[KEPT_TYPE]})
            if output.output_type == "execute_result":
                kept.execution_count = output.execution_count
            yield kept


def text_of(notebook: Any) -> str:
    """Return a notebook as the text of its file."""
    return nbformat.writes(notebook, indent=1, ensure_ascii=False).rstrip("\n") + "\n"


def main(arguments: list[str]) -> int:
    """Run the notebooks that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="file names in notebooks/, with or without .ipynb")
    parser.add_argument("--check", action="store_true", help="write nothing; 1 when a run would change a notebook")
    options = parser.parse_args(arguments)
    names = [name.removesuffix(".ipynb") for name in options.names]
    changed = []
    for path in sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb")):
        if names and path.stem not in names:
            continue
        before = path.read_text(encoding="utf-8")
        notebook = nbformat.reads(before, as_version=4)
        run(notebook, path.parent)
        normalise(notebook)
        nbformat.validate(notebook)
        after = text_of(notebook)
        if after != before:
            changed.append(path.name)
            if not options.check:
                path.write_text(after, encoding="utf-8")
        print(f"{path.name}: {'changed' if after != before else 'as it was'}")
    return int(options.check and bool(changed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
