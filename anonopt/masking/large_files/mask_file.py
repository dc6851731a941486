"""A masked file of rows that do not fit in memory."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

import pandas as pd

from anonopt._checks import check_integer
from anonopt._registry import engine
from anonopt.data.output_files import check_target, same_file
from anonopt.data.roles import find_columns
from anonopt.data.tables.streamed_files import replaced
from anonopt.masking.base import MaskingMethod
from anonopt.masking.large_files.masked_cells import drawn_cells, recoded_cells
from anonopt.masking.large_files.masked_parts import masked_parts
from anonopt.masking.merged_categories import Recoding
from anonopt.masking.pram.pram_method import PRAM
from anonopt.masking.pre_clustering import PreClustered
from anonopt.sources.file_kinds import check_written
from anonopt.sources.opening import Rows, opened
from anonopt.sources.paths import check_unchanged, file_states
from anonopt.sources.source import Source, check_outside
from anonopt.sources.writing.row_files import finest_of_source, write_rows

BATCH_ROWS = 2**18
"""Rows that are read at a time."""
SAMPLE_ROWS = 100_000
"""Rows that clusters are found of."""
PART_ROWS = 1_000_000
"""Rows of the clusters that are in memory together, where none is larger."""


class MaskedColumn(Protocol):
    """A column that is masked while its rows go by in their order."""

    @property
    def kind(self) -> Any:
        """Arrow type of the masked cells."""

    def masked(self, cells: Any) -> Any:
        """Masked cells of an Arrow array (n,)."""


def mask_file(
    method: MaskingMethod,
    original: Rows,
    to: str | PathLike[str],
    *,
    batch_rows: int = BATCH_ROWS,
    sample_rows: int = SAMPLE_ROWS,
    part_rows: int = PART_ROWS,
) -> pd.Series[Any]:
    """Mask a file that does not fit in memory.

    Recodings and PRAM mask each cell on its own: a first pass counts the values of each column, and
    a second one masks row by row. Cells are those that ``method.fit_transform`` gives in memory, of
    PRAM under the same seed, whatever `batch_rows` is.

    Any other method is masked in parts, as :class:`~anonopt.masking.PreClustered` does (Mares 2013,
    Chapter 5), ``PreClustered(MDAV(k=3), n_clusters=50)``. Clusters are those of a sample of rows,
    and every other row belongs to the cluster of the nearest centroid, under ranges of the sample.
    The parts are masked one after the other. A file of at most `sample_rows` rows is its own sample
    and is masked as in memory, under the same seeds. In memory are the sample, then parts of
    `part_rows` rows together or the largest one alone, and up to 40 bytes a row; masked columns
    wait beside the target in files of 4 or 8 bytes a cell.

    Parameters
    ----------
    method : MaskingMethod
        A recoding, PRAM, or PreClustered. It names the columns, by default all of the file.
    original : path, DataFrame, Source or LargeTable
        A path is a file, a pattern or a folder; names end in ``.parquet``, or in ``.csv``,
        ``.csv.gz``, ``.tsv`` or ``.tsv.gz``, of which all cells are text.
    to : path
        A name that ends in ``.parquet`` or ``.csv``. It is there when all of it is written.
    batch_rows, sample_rows, part_rows : int
        At least 1.

    Returns
    -------
    Series
        ``rows`` of the file, ``parts`` that were masked on their own, rows of the ``largest_part``
        (0 and 0 where cells were masked one by one), ``seconds``.

    Raises
    ------
    TypeError
        If the method is another one, or an argument is of a wrong type.
    ValueError
        As ``method.fit_transform``; or if the target is the original or would be read with it
        next, a name ends otherwise, PRAM has strata, clusters
        are asked for of a query (whose rows have no order), continuous columns hold numbers beyond
        2**53 or decimals, or masked values are of several types.
    OSError, ModuleNotFoundError
        If a file cannot be read or written, or the extra ``scale`` is not installed.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from anonopt.masking import TopCoding
    >>> frame = pd.DataFrame({"age": [21, 35, 89, 93]})
    >>> with TemporaryDirectory() as folder:
    ...     report = mask_file(TopCoding(p=2), frame, f"{folder}/masked.parquet")
    ...     masked = pd.read_parquet(f"{folder}/masked.parquet")
    >>> masked["age"].tolist(), report["rows"]
    ([21, 35, 89, 89], 4)
    """
    started, target = time.perf_counter(), Path(to)
    if not isinstance(method, Recoding | PRAM | PreClustered):
        raise TypeError(
            "method: expected a recoding, PRAM, or PreClustered(...) of any other method, found "
            f"{method!r}"
        )
    for name, value in (
        ("batch_rows", batch_rows),
        ("sample_rows", sample_rows),
        ("part_rows", part_rows),
    ):
        check_integer(name, value, least=1)
    ending = check_written(target, "to")
    source = opened(original, "original")
    states = file_states(source.paths)
    names = _checked(method, source, target)
    parts, largest = 0, 0
    is_csv = ending == ".csv"
    finest = finest_of_source(source, source.schema.names, batch_rows) if is_csv else {}

    def write(part: Path, columns: Mapping[Hashable, MaskedColumn]) -> None:
        write_rows(part, _rows(source, columns, batch_rows), ending=ending, finest=finest)

    with replaced(target) as part:
        if isinstance(method, PreClustered):
            limits = (batch_rows, sample_rows, part_rows)
            with masked_parts(method, source, names, target, limits) as found:
                write(part, found.columns)
                parts, largest = len(found.sizes), max(found.sizes, default=0)
        elif isinstance(method, PRAM):
            write(part, drawn_cells(method, source, names))
        else:
            write(part, recoded_cells(method, source, names))
        check_unchanged(states, source)
    return pd.Series(
        {
            "rows": source.n_rows,
            "parts": parts,
            "largest_part": largest,
            "seconds": time.perf_counter() - started,
        },
        dtype=object,
    )


def _checked(method: MaskingMethod, source: Source, target: Path) -> tuple[Hashable, ...]:
    """Columns to mask, once everything that can be known before any work is right."""
    if source.n_rows == 0:
        raise ValueError(f"original: expected at least one row, found none in {source!r}")
    columns, ordinal = method.roles()
    header = pd.DataFrame([[None] * len(source.columns)], columns=list(source.columns))
    names = find_columns(header, columns, ordinal=ordinal)
    if isinstance(method, PreClustered):
        method.check_options(source.n_rows)
        if not source.is_ordered:
            raise ValueError(
                f"original: expected rows in an order, as they are read several times, found "
                f"{source!r} (write them to Parquet, and mask that)"
            )
    check_target(target)
    for path in source.paths:
        if same_file(path, target):
            raise ValueError(f"to: expected another file than the original, found {target}")
    check_outside(source, target)
    return names


def _rows(
    source: Source, columns: Mapping[Hashable, MaskedColumn], batch_rows: int
) -> Iterator[Any]:
    """Record batches of the rows, with the masked columns in place of their originals."""
    arrow = engine("pyarrow", "rows of a source")
    schema = arrow.schema(
        field.with_type(columns[field.name].kind) if field.name in columns else field
        for field in source.schema
    )
    n_rows = 0
    for batch in source.batches(batch_rows):
        cells = [
            columns[name].masked(batch[name]) if name in columns else batch[name]
            for name in schema.names
        ]
        n_rows += len(batch)
        yield arrow.RecordBatch.from_arrays(cells, schema=schema)
    if n_rows != source.n_rows:
        raise ValueError(
            f"{source!r}: expected {source.n_rows} rows, found {n_rows}; it was changed in the "
            "meantime"
        )
