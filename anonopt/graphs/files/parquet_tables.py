"""Tables of nodes and of ties in Parquet files (extra ``scale``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from anonopt._registry import engine
from anonopt._typing import AnyArray, CodeArray
from anonopt.sources.arrow.arrow_values import dictionary_places

BATCH_ROWS = 1 << 20


class ParquetTable:
    """Columns of a Parquet file, read when they are asked for.

    Parameters
    ----------
    path : Path

    Attributes
    ----------
    columns : list of str

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is not Parquet.
    ModuleNotFoundError
        If pyarrow is not installed; names the command that installs it.
    """

    def __init__(self, path: Path) -> None:
        parquet = engine("pyarrow.parquet", "reading Parquet")
        self._path = path
        if not path.exists():
            raise FileNotFoundError(f"{path}: expected a Parquet file, found none")
        try:
            self._file = parquet.ParquetFile(path)
        except (ValueError, OSError) as error:
            raise ValueError(f"{path}: expected Parquet, found {error}") from error
        self.columns: list[str] = list(self._file.schema_arrow.names)
        twice = [name for name in self.columns if self.columns.count(name) > 1]
        if twice:
            raise ValueError(f"{path}: expected each column once, found {twice[0]!r} twice")
        if not self.columns:
            raise ValueError(f"{path}: expected columns, found none")

    def names(self) -> list[Any]:
        """Names of nodes, text or whole numbers, from the first column; None where one is missing.

        Raises
        ------
        ValueError
            If they are neither.
        """
        self.kind_of_names(self.columns[0])
        return self.cells(self.columns[0])

    def kind_of_names(self, column: str) -> str:
        """What the names in a column are: ``"text"`` or ``"whole numbers"``.

        Raises
        ------
        ValueError
            If they are neither.
        """
        import pyarrow as pa

        kind = self._file.schema_arrow.field(column).type
        value = kind.value_type if pa.types.is_dictionary(kind) else kind
        if pa.types.is_integer(value):
            return "whole numbers"
        texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
        if any(is_kind(value) for is_kind in texts):
            return "text"
        raise ValueError(
            f"{self._path}, column {column!r}: expected names that are text or whole numbers, "
            f"found {kind}"
        )

    def cells(self, column: str) -> list[Any]:
        """Cells of a column as Python values, None where they are missing."""
        return list(self._read([column]).column(0).to_pylist())

    def coded(self, column: str) -> tuple[CodeArray, Sequence[Any]]:
        """Cells of a column as codes, and the value of each code, None for missing ones."""
        import pyarrow as pa

        whole = self._read([column]).column(0)
        if pa.types.is_nested(whole.type) or pa.types.is_null(whole.type):
            cells = whole.to_pylist()
            return np.arange(len(cells), dtype=np.int32), cells
        if not pa.types.is_dictionary(whole.type):
            whole = whole.dictionary_encode()
        whole = whole.unify_dictionaries().combine_chunks()
        if isinstance(whole, pa.ChunkedArray):
            return np.empty(0, dtype=np.int32), []
        return dictionary_places(whole).astype(np.int32), [*whole.dictionary.to_pylist(), None]

    def ends(self, kind: str) -> Iterator[tuple[AnyArray, AnyArray]]:
        """Ends of ties from the first two columns, a batch of rows at a time.

        Parameters
        ----------
        kind : str
            What the names of nodes are; empty where there are none.

        Raises
        ------
        ValueError
            If the ends are of another kind, or one is missing; names column or row.
        """
        columns = self.columns[:2]
        for column in columns:
            found = self.kind_of_names(column)
            if kind and found != kind:
                raise ValueError(
                    f"{self._path}, column {column!r}: expected {kind}, as the names of nodes "
                    f"are, found {found}"
                )
        row = 0
        try:
            for batch in self._file.iter_batches(batch_size=BATCH_ROWS, columns=columns):
                for column in columns:
                    self._check_whole(batch.column(column), column, row)
                row += batch.num_rows
                ends = [batch.column(column).to_pandas() for column in columns]
                stored = np.int64 if kind == "whole numbers" else object
                yield ends[0].to_numpy(dtype=stored), ends[1].to_numpy(dtype=stored)
        except OSError as error:
            raise ValueError(f"{self._path}: expected Parquet, found {error}") from error

    def _check_whole(self, cells: Any, column: str, row: int) -> None:
        if cells.null_count:
            missing = row + int(np.flatnonzero(cells.is_null().to_numpy(zero_copy_only=False))[0])
            raise ValueError(
                f"{self._path}, column {column!r}: expected an end of a tie, found none in row "
                f"{missing} (the first is 0)"
            )

    def _read(self, columns: list[str]) -> Any:
        try:
            return self._file.read(columns=columns)
        except (OSError, ValueError) as error:
            raise ValueError(f"{self._path}: expected Parquet, found {error}") from error


def parquet_bytes(columns: dict[str, pd.Series[Any] | AnyArray]) -> bytes:
    """Bytes of a Parquet file of some columns.

    Raises
    ------
    ModuleNotFoundError
        If pyarrow is not installed; names the command that installs it.
    """
    parquet, pa = engine("pyarrow.parquet", "writing Parquet"), engine("pyarrow", "writing Parquet")
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table(columns), sink, compression="zstd")
    return bytes(sink.getvalue().to_pybytes())
