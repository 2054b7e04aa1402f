"""Write the notebooks in every language: `notebooks/<language>/…` from the English ones and the catalogue of the lessons.

    python scripts/translate_notebooks.py            write what is behind, remove what has no source any more
    python scripts/translate_notebooks.py --check    change nothing, say what is behind, and fail if anything is

The code is the same in all languages, as its texts are looked up when it runs: a notebook speaks the language of its
folder. Translated are the Markdown cells and the title. Outputs are left out; to run the notebook makes them.
"""

import argparse
import copy
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from messages import LESSONS, NOTEBOOKS, ROOT, PlainCatalogue, catalogue_path, languages, read, source_notebooks

CHECKED, IGNORED = "nbval-check-output", "nbval-ignore-output"


def translated(notebook: dict[str, Any], catalogue: PlainCatalogue) -> dict[str, Any]:
    """Return a notebook in the language of a catalogue; a cell that is not translated stays English."""

    def translation(text: str) -> str:
        message = catalogue.get(text)
        return text if message is None or message.fuzzy or not message.string else str(message.string)

    made = copy.deepcopy(notebook)
    if title := made["metadata"].get("title"):
        made["metadata"]["title"] = translation(title)
    for cell in made["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            cell["source"] = translation(source).splitlines(keepends=True)
        elif cell["cell_type"] == "code":
            cell["execution_count"], cell["outputs"] = None, []
            # There is no output to compare with.
            tags = cell["metadata"].get("tags", [])
            if CHECKED in tags:
                cell["metadata"]["tags"] = [IGNORED if tag == CHECKED else tag for tag in tags]
    return made


def wanted_files() -> Iterator[tuple[Path, str]]:
    """Yield the path and the content of every translated notebook; a language without any translation has none."""
    for language in languages():
        catalogue = read(catalogue_path(language, LESSONS), language)
        if not any(message.string and not message.fuzzy for message in catalogue if message.id):
            continue
        for path in source_notebooks():
            made = translated(json.loads(path.read_text(encoding="utf-8")), catalogue)
            text = json.dumps(made, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
            yield NOTEBOOKS / language / path.name, text


def differences() -> Iterator[tuple[Path, str | None]]:
    """Yield the files that are not as they should be, with what they should hold; None for one that should not be there."""
    wanted = dict(wanted_files())
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            yield path, text
    for language in languages():
        yield from ((path, None) for path in sorted((NOTEBOOKS / language).glob("*.ipynb")) if path not in wanted)


def main() -> int:
    """Do what the arguments ask for; the exit code is 1 when a check found something."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing; say what is behind")
    args = parser.parse_args()
    found = list(differences())
    for path, text in found:
        print(f"{'behind' if args.check else 'written' if text else 'removed'}: {path.relative_to(ROOT)}")
        if args.check:
            continue
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return min(len(found), 1) if args.check else 0


if __name__ == "__main__":
    sys.exit(main())
