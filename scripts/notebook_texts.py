"""Find the texts of notebooks for translators: each Markdown cell as one message, and `text(...)`, `counted(...)` in code.

A Babel extraction method; the settings of Babel name it so:

    [extractors]
    notebook = notebook_texts:extract

    [notebook: notebooks/**.ipynb]

Code stays as it is in every language: what a person reads in it goes through `pyramide_core.ui.lessons.text` and
`counted`. A Markdown cell is translated as a whole, so it is short and has one idea.
"""

import io
import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, BinaryIO

from babel.messages.extract import extract_python

# How notebooks name the functions of the catalogue, and how Babel knows them.
NAMES = {"text": "_", "counted": "ngettext"}
KEYWORDS = {"text": None, "counted": (1, 2)}

Message = tuple[int, str | None, Any, list[str]]


def extract(
    file: BinaryIO, _keywords: Mapping[str, Any], comment_tags: Collection[str], _options: Mapping[str, Any]
) -> Iterator[Message]:
    """Yield the messages of a notebook as Babel wants them; the line number is the number of the cell."""
    for number, cell in enumerate(json.load(file)["cells"], 1):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield number, None, source, [f"cell {cell['id']} (Markdown)"]
        elif cell["cell_type"] == "code":
            # The text of a plot, `axes.text(...)`, is somebody else's function.
            code = io.BytesIO(re.sub(r"\.(text|counted)\(", r".other_\1(", source).encode())
            for _line, name, message, comments in extract_python(code, KEYWORDS, comment_tags, {"encoding": "utf-8"}):
                # Arguments that are no texts, such as values by name, come as None; so does a call without any text.
                texts = tuple(part for part in (message if isinstance(message, tuple) else (message,)) if part)
                if texts:
                    # Of the values of `text` some may be texts, too: they are no plural.
                    found = texts[0] if name == "text" or len(texts) == 1 else texts
                    yield number, NAMES[name], found, [f"cell {cell['id']}", *comments]
