"""What a draft is made from: cells of a CSV file, or of the first rows of Parquet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anonopt.cli.columns import numeric_columns

if TYPE_CHECKING:
    import pandas as pd

    from anonopt.data.tables.table_files import TableFile
    from anonopt.sources.source import Source

FIRST_ROWS = 1 << 18
"""Rows of Parquet that are looked at."""


@dataclass(frozen=True, eq=False)
class DraftedTable:
    """Cells that roles and hierarchies are guessed from.

    Attributes
    ----------
    name : str
    frame : DataFrame
        Cells as text, missing ones None.
    kinds : mapping of str to str
        What each column holds; see `anonopt.data.tables.spellings.kind_of_cells`.
    n_rows : int
        Rows of the whole table, of which the frame may be the first.
    found_out : list of str
        Lines of comments on how it is read.
    is_in_memory : bool
        Whether all rows are; recodings of single groups of rows need that.
    """

    name: str
    frame: pd.DataFrame
    kinds: Mapping[str, str]
    n_rows: int
    found_out: list[str]
    is_in_memory: bool = True

    @classmethod
    def of_file(cls, table: TableFile) -> DraftedTable:
        """That of a CSV file in memory."""
        found = table.dialect.described()
        line = (
            f"# found out: separator {found['separator']}, encoding {found['encoding']}, decimal "
            f"{found['decimal']}; the keys separator, encoding, decimal and missing say otherwise"
        )
        return cls(table.name, table.frame, table.kinds, len(table.frame), [line])

    @classmethod
    def of_source(cls, source: Source, *, first_rows: int = FIRST_ROWS) -> DraftedTable:
        """That of rows which stay where they are; the first are looked at."""
        import pandas as pd

        from anonopt._registry import engine

        arrow = engine("pyarrow", repr(source))
        batches, n_read = [], 0
        for batch in source.batches(first_rows):
            batches.append(batch)
            n_read += len(batch)
            if n_read >= first_rows:
                break
        # Of a table without rows there is no batch.
        rows = arrow.Table.from_batches(batches, schema=None if batches else source.schema)
        texts = {name: _texts(rows[name].slice(0, first_rows)) for name in rows.column_names}
        frame = pd.DataFrame(texts, columns=rows.column_names, dtype=object)
        numeric = numeric_columns(source)
        kinds = {name: _kind(name in numeric, frame[name]) for name in rows.column_names}
        lines = ['# memory_limit = "4GB"  # of DuckDB, which reads and writes the rows']
        if len(frame) < source.n_rows:
            lines.insert(0, f"# looked at: the first {len(frame):,} rows")
        return cls(repr(source), frame, kinds, source.n_rows, lines, is_in_memory=False)


def _texts(cells: Any) -> list[str | None]:
    """Cells of an Arrow array as a hierarchy writes them."""
    from anonopt.data.values import as_text, is_missing

    values = cells.to_pylist()
    known = {value: as_text(value) for value in set(values) if not is_missing(value)}
    return [known.get(value) for value in values]


def _kind(is_of_numbers: bool, cells: pd.Series[Any]) -> str:
    """What a column holds; text that looks like numbers are codes."""
    from anonopt.data.tables.spellings import kind_of_cells

    if is_of_numbers:
        return "numbers"
    kind: str = kind_of_cells(list(cells.dropna().unique()))
    return "codes" if kind == "numbers" else kind
