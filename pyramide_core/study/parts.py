"""The parts of a study: which deals are measured, which are missing, and the folder that keeps them over an interruption.

Knows no workers. A part is the arrays of a range of seeds under one rule set.
"""

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from pyramide_core.messages import _, ngettext
from pyramide_core.study.measure import columns
from pyramide_core.study.settings import Settings, StudyError

if TYPE_CHECKING:
    from numpy.typing import NDArray

SETTINGS_FILE = "study.json"


@dataclass(frozen=True)
class Part:
    """The arrays of `count` deals from a seed on, under the study's rule set of this index."""

    rules_index: int
    first_seed: int
    count: int
    arrays: Mapping[str, "NDArray[Any]"]

    @property
    def end(self) -> int:
        """The seed after the last one."""
        return self.first_seed + self.count

    def cut(self, first: int, end: int) -> "Part":
        """Return the part of it from seed `first` to before seed `end`."""
        first, end = max(first, self.first_seed), min(end, self.end)
        rows = slice(first - self.first_seed, end - self.first_seed)
        return Part(self.rules_index, first, end - first, {name: array[rows] for name, array in self.arrays.items()})


class Parts:
    """The parts of one rule set that are there, in the order of their seeds and without overlap."""

    def __init__(self, first_seed: int, deals: int) -> None:
        self.first, self.end = first_seed, first_seed + deals
        self._parts: list[Part] = []

    def add(self, part: Part) -> None:
        """Take a part in; what of it is there already, or lies outside of the study, is left out."""
        for first, end in list(self.missing()):
            piece = part.cut(first, end)
            if piece.count > 0:
                self._parts.append(piece)
        self._parts.sort(key=lambda piece: piece.first_seed)

    def missing(self) -> Iterator[tuple[int, int]]:
        """Yield the ranges (first seed, seed after the last) that are not there."""
        at = self.first
        for part in self._parts:
            if part.first_seed > at:
                yield at, part.first_seed
            at = part.end
        if at < self.end:
            yield at, self.end

    @property
    def count(self) -> int:
        """How many deals are there."""
        return sum(part.count for part in self._parts)

    def unbroken(self) -> list[Part]:
        """Return the parts from the first seed on up to the first gap.

        Only these are a fair sample: what comes after a gap came sooner because it was easier.
        """
        gap = next(self.missing(), (self.end, self.end))[0]
        return [part for part in self._parts if part.first_seed < gap]


class Folder:
    """The folder beside the file of results in which parts wait until the study is complete."""

    def __init__(self, out: Path, settings: Settings) -> None:
        self.path = out.with_name(out.name + ".parts")
        self._settings = settings

    def open(self) -> list[Part]:
        """Make the folder, or return the parts that it holds.

        Raises StudyError when it belongs to another study or cannot be written.
        """
        note = self.path / SETTINGS_FILE
        try:
            if note.exists():
                check_same(Settings.from_json(note.read_text(encoding="utf-8")), self._settings, self.path)
            self.path.mkdir(exist_ok=True)
            write_whole(note, self._settings.to_json().encode())
        except OSError as error:
            raise StudyError(_("The folder {folder} cannot be written.").format(folder=self.path)) from error
        return list(self._read())

    def _read(self) -> Iterator[Part]:
        import numpy as np

        wanted = columns(self._settings)
        for path in sorted(self.path.glob("*.npz")):
            try:
                index, first, count = map(int, path.stem.split("-"))
                with np.load(path, allow_pickle=False) as file:
                    arrays = {name: file[name] for name in wanted}
                fits = all(len(array) == count for array in arrays.values())
            except (OSError, ValueError, KeyError, EOFError, BadZipFile):
                fits = False
            # A part that was damaged when the machine stopped is measured again.
            if fits and index < len(self._settings.rules):
                yield Part(index, first, count, arrays)

    def add(self, part: Part) -> None:
        """Keep a part."""
        import io

        import numpy as np

        buffer = io.BytesIO()
        np.savez(buffer, **part.arrays)  # type: ignore[arg-type]
        name = f"{part.rules_index}-{part.first_seed}-{part.count}.npz"
        try:
            write_whole(self.path / name, buffer.getvalue())
        except OSError as error:
            raise StudyError(_("The folder {folder} cannot be written.").format(folder=self.path)) from error

    def remove(self) -> None:
        """Remove the folder: its parts are in the file of results."""
        shutil.rmtree(self.path, ignore_errors=True)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that at any moment either the old or the whole new one is there."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def check_same(found: Settings, wanted: Settings, where: Path) -> None:
    """Raise StudyError when what is kept somewhere belongs to another study than the one that is run."""
    differences: Sequence[str] = found.differences(wanted)
    if differences:
        raise StudyError(
            _("{place} belongs to another study ({differences}). Name another file, or remove it.").format(
                place=where, differences="; ".join(differences)
            )
        )
    if found.deals > wanted.deals:
        raise StudyError(
            ngettext(
                "{place} holds a study of {n} deal already, which is more than is asked for.",
                "{place} holds a study of {n} deals already, which is more than is asked for.",
                found.deals,
                place=where,
            )
        )
