"""The results of a study as a pandas table, and its Parquet file with the settings inside. Runs nothing, draws nothing.

pandas and pyarrow come with the extra `study`; they are imported when they are first needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyramide_core.messages import _
from pyramide_core.rules import Rules
from pyramide_core.study.measure import NONE, VERDICTS, columns
from pyramide_core.study.parts import Part, Parts, write_whole
from pyramide_core.study.settings import Settings, StudyError

if TYPE_CHECKING:
    import pandas as pd

METADATA_KEY = b"pyramide"
_NULLABLE = {"shortest": "Int16", "most": "Int8"}


@dataclass(frozen=True)
class Results:
    """The table of a study and the settings it came from.

    One row a deal and rule set, in the order of the rule sets and then of the seeds. Columns: `rules` (the rule set's
    short text), `seed`, and what was measured: `verdict` (winnable, unwinnable, unknown), `shortest` (moves of the
    shortest win; missing where there is none or none was proved), `most` (most cards that can go; missing where it was
    not proved), and for each player NAME `NAME_won`, `NAME_moves`, `NAME_removed`, `NAME_left` (mask of the tableau
    places not cleared). A study that was stopped has fewer rows than asked for.
    """

    settings: Settings
    table: "pd.DataFrame"

    @property
    def rules(self) -> tuple[Rules, ...]:
        """The rule sets."""
        return tuple(Rules.parse(text) for text in self.settings.rules)

    @property
    def is_complete(self) -> bool:
        """Whether every deal asked for is in the table."""
        return len(self.table) == self.settings.deals * len(self.settings.rules)

    @classmethod
    def of_parts(cls, settings: Settings, parts: Sequence[Parts]) -> "Results":
        """Make the table of the parts that are there, for each rule set up to the first gap."""
        import numpy as np
        import pandas as pd

        kept = [part for each in parts for part in each.unbroken()]
        data: dict[str, Any] = {
            "rules": pd.Categorical.from_codes(
                np.repeat([part.rules_index for part in kept], [part.count for part in kept]).astype(np.int8),
                categories=list(settings.rules),
            ),
            "seed": np.concatenate([np.arange(part.first_seed, part.end) for part in kept] or [np.empty(0, np.int64)]),
        }
        for name, dtype in columns(settings).items():
            array = np.concatenate([part.arrays[name] for part in kept] or [np.empty(0, dtype)]).astype(dtype)
            if name == "verdict":
                data[name] = pd.Categorical.from_codes(array, categories=list(VERDICTS))
            elif name in _NULLABLE:
                data[name] = pd.Series(array).astype(_NULLABLE[name]).mask(array == NONE)
            else:
                data[name] = array
        return cls(settings, pd.DataFrame(data))

    def parts(self) -> list[Part]:
        """Return the table as parts again, so that a study of more deals can go on from it."""
        found = []
        for index, text in enumerate(self.settings.rules):
            rows = self.table[self.table["rules"] == text]
            if len(rows):
                found.append(Part(index, self.settings.first_seed, len(rows), dict(self._arrays(rows))))
        return found

    def _arrays(self, rows: "pd.DataFrame") -> list[tuple[str, Any]]:
        arrays = []
        for name, dtype in columns(self.settings).items():
            column = rows[name]
            if name == "verdict":
                column = column.cat.codes
            elif name in _NULLABLE:
                column = column.fillna(NONE)
            arrays.append((name, column.to_numpy(dtype=dtype)))
        return arrays

    # Files ------------------------------------------------------------------------------------------------------------

    def to_parquet(self) -> bytes:
        """Return the table as the content of a Parquet file, with the version and the settings in its metadata."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.Table.from_pandas(self.table, preserve_index=False)
        metadata = {**(table.schema.metadata or {}), METADATA_KEY: self.settings.to_json().encode()}
        buffer = BytesIO()
        pq.write_table(table.replace_schema_metadata(metadata), buffer, compression="zstd")
        return buffer.getvalue()

    def save(self, path: str | Path) -> None:
        """Write the table as a Parquet file; raises StudyError when the file cannot be written."""
        try:
            write_whole(Path(path), self.to_parquet())
        except OSError as error:
            raise StudyError(_("The file {file} cannot be written.").format(file=path)) from error

    @classmethod
    def load(cls, path: str | Path) -> "Results":
        """Read a file that `save` wrote; raises StudyError when it is none."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            table = pq.read_table(path, memory_map=False)
            settings = Settings.from_json((table.schema.metadata or {})[METADATA_KEY].decode())
        except FileNotFoundError as error:
            raise StudyError(_("There is no file {file}.").format(file=path)) from error
        except (OSError, KeyError, ValueError, pa.ArrowException) as error:
            raise StudyError(_("{file} is no file of a study's results.").format(file=path)) from error
        return cls(settings, table.to_pandas())

    def to_csv(self) -> str:
        """Return the table as CSV."""
        text: str = self.table.to_csv(index=False)
        return text
