"""Protected tables written to Parquet or CSV row by row, and read again before they get a name."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from anonopt._registry import engine
from anonopt.data.microdata import Microdata
from anonopt.data.output_files import check_target, same_file
from anonopt.data.tables.streamed_files import replaced_together
from anonopt.sources.arrow.arrow_values import check_single_values
from anonopt.sources.file_kinds import check_written
from anonopt.sources.large_table import LargeTable
from anonopt.sources.row_batches import record_batch
from anonopt.sources.source import check_outside
from anonopt.sources.writing.moments import finest_cells
from anonopt.sources.writing.protected_batches import ROWS, ProtectedBatches
from anonopt.sources.writing.protected_checks import check_counts
from anonopt.sources.writing.row_checks import check_order
from anonopt.sources.writing.row_files import finest_of_source, write_rows
from anonopt.sources.writing.suppressed_classes import SuppressedClasses

Check = Callable[[Path, SuppressedClasses], bytes | None]
"""Looks at a file before it gets its name; may give the content of one that belongs to it."""

SEVERAL = (list, tuple, dict, set, frozenset, np.ndarray)
"""Types of cells that hold several values."""


def write_protected(
    table: Microdata,
    node: Sequence[int],
    to: str | PathLike[str],
    *,
    k: int | None = None,
    suppression: float = 0.0,
    class_bounds: Mapping[Any, float] | None = None,
    flag: str | None = None,
    check: Check | None = None,
    beside: Path | None = None,
) -> pd.Series[Any]:
    """Write a protected table to a file; see :meth:`anonopt.Microdata.apply`.

    Parameters
    ----------
    table, node, to, k, suppression, class_bounds, flag
        As there.
    check : callable, optional
        Is given the path of the file as it is written, and the suppressed classes; what it raises
        leaves what was there.
    beside : Path, optional
        File that gets its name with it, of the content that `check` returns.

    Returns
    -------
    Series
        ``rows`` of the file, ``suppressed`` rows, ``k`` (rows of the smallest class that is kept,
        0 if none is), ``classes`` that are kept, ``seconds``.

    Raises
    ------
    TypeError, ValueError, OSError
        As :meth:`anonopt.Microdata.apply`; or if the file read again is not what it has to be.
    """
    started, target = time.perf_counter(), Path(to)
    ending = check_written(target, "to")
    _check_flag(table, flag)
    check_target(target)
    if isinstance(table, LargeTable):
        _check_source(table, target, ending)
    levels = table.lattice.validate(node)
    if len(levels) != 1:
        raise ValueError(f"node: expected one vector of levels, found {len(levels)}")
    rule: dict[str, Any] = {"k": k, "suppression": suppression, "class_bounds": class_bounds}
    suppressed = SuppressedClasses.of(table, levels[0].tolist(), **rule)
    with replaced_together([target, *([] if beside is None else [beside])]) as parts:
        part = parts[0]
        if isinstance(table, LargeTable):
            rows = ProtectedBatches(table, levels[0].tolist(), suppressed, flag=flag)
            is_csv = ending == ".csv"
            finest = finest_of_source(table.source, rows.kept, ROWS) if is_csv else {}
            write_rows(part, iter(rows), ending=ending, finest=finest)
            if table.source.is_ordered:
                check_order(part, table, rows.kept, ROWS, ending=ending, finest=finest)
        else:
            frame = _protected(table, node, rule, flag)
            if ending == ".csv":
                _check_cells(frame)
            write_rows(part, _parts(frame, ending), ending=ending, finest=finest_cells([frame]))
        check_counts(part, table, levels[0].tolist(), suppressed, ending=ending, flag=flag)
        if isinstance(table, LargeTable):
            table.check_files()
        content = None if check is None else check(part, suppressed)
        if beside is not None and content is not None:
            parts[1].write_bytes(content)
    return pd.Series(
        {
            "rows": table.n_rows,
            "suppressed": suppressed.rows,
            "k": suppressed.least,
            "classes": suppressed.n_kept,
            "seconds": time.perf_counter() - started,
        },
        dtype=object,
    )


def _check_flag(table: Microdata, flag: str | None) -> None:
    names = list(table.source.columns) if isinstance(table, LargeTable) else list(table.frame)
    if flag is None:
        return
    if not isinstance(flag, str) or not flag:
        raise TypeError(f"flag: expected the name of a new column, found {flag!r}")
    if flag in names:
        raise ValueError(f"flag: expected the name of a new column, found {flag!r}, which is there")


def _check_source(table: LargeTable, target: Path, ending: str) -> None:
    """Refuse before any work what cannot be written from files, or would write over them."""
    for path in table.paths:
        if same_file(path, target):
            raise ValueError(f"to: expected another file than the table's own, found {target}")
    check_outside(table.source, target)
    # Refused where there are no rows.
    schema = table.source.schema
    if ending == ".csv":
        for field in schema:
            if field.name not in table.identifiers:
                check_single_values(field.name, str(field.type))
    table.check_files()


def _protected(
    table: Microdata, node: Sequence[int], rule: dict[str, Any], flag: str | None
) -> pd.DataFrame:
    """Protected rows of a table in memory."""
    frame, mask = table.apply(node, return_mask=True, **rule)
    return frame if flag is None else frame.assign(**{flag: mask})


def _parts(frame: pd.DataFrame, ending: str) -> Iterator[Any]:
    """Rows of a frame, some at a time: frames, or for Parquet batches."""
    schema = None
    if ending == ".parquet":
        # The first rows do not tell the types: of a column they may all be missing.
        arrow = engine("pyarrow", "writing Parquet")
        schema = arrow.Schema.from_pandas(frame, preserve_index=False)
    for start in range(0, len(frame), ROWS):
        part = frame[start : start + ROWS]
        yield part if schema is None else record_batch(part, schema)


def _check_cells(frame: pd.DataFrame) -> None:
    """Refuse cells that are no single values; CSV would have their Python text."""
    for name, cells in frame.items():
        kinds = set(map(type, cells)) if cells.dtype == object else set()
        several = [kind.__name__ for kind in kinds if issubclass(kind, SEVERAL)]
        if several:
            raise TypeError(
                f"column {name!r}: expected single values for CSV, found cells of type {several[0]}"
            )
