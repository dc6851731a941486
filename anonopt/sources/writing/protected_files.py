"""Protected tables written to Parquet or CSV row by row, and read again before they get a name."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from anonopt.data.microdata import Microdata
from anonopt.data.output_files import check_target, same_file
from anonopt.data.tables.streamed_files import replaced
from anonopt.sources.arrow.arrow_values import check_single_values
from anonopt.sources.engines import engine
from anonopt.sources.large_table import LargeTable
from anonopt.sources.row_batches import record_batch
from anonopt.sources.writing.protected_batches import ROWS, ProtectedBatches
from anonopt.sources.writing.protected_checks import check_counts, check_order
from anonopt.sources.writing.row_files import writer_of
from anonopt.sources.writing.suppressed_classes import SuppressedClasses

Check = Callable[[Path, SuppressedClasses], object]
"""Looks at a file before it gets its name."""


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
) -> pd.Series[Any]:
    """Write a protected table to a file; see :meth:`anonopt.Microdata.apply`.

    Parameters
    ----------
    table, node, to, k, suppression, class_bounds, flag
        As there.
    check : callable, optional
        Is given the path of the file as it is written, and the suppressed classes; what it raises
        leaves what was there.

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
    write = writer_of(target)
    _check_flag(table, flag)
    check_target(target)
    if isinstance(table, LargeTable):
        for path in table.source.paths:
            if same_file(path, target):
                raise ValueError(f"to: expected another file than the table's own, found {target}")
        # Refused where there are no rows.
        schema = table.source.schema
        if target.suffix == ".csv":
            for field in schema:
                if field.name not in table.identifiers:
                    check_single_values(field.name, str(field.type))
        table.check_files()
    levels = table.lattice.validate(node)
    if len(levels) != 1:
        raise ValueError(f"node: expected one vector of levels, found {len(levels)}")
    rule: dict[str, Any] = {"k": k, "suppression": suppression, "class_bounds": class_bounds}
    suppressed = SuppressedClasses.of(table, levels[0].tolist(), **rule)
    with replaced(target) as part:
        if isinstance(table, LargeTable):
            rows = ProtectedBatches(table, levels[0].tolist(), suppressed, flag=flag)
            write(part, iter(rows))
            if table.source.is_ordered and target.suffix == ".parquet":
                check_order(part, table, rows.kept, ROWS)
        else:
            write(part, _rows(table, node, rule, flag, target.suffix))
        check_counts(part, table, levels[0].tolist(), suppressed, suffix=target.suffix, flag=flag)
        if isinstance(table, LargeTable):
            table.check_files()
        if check is not None:
            check(part, suppressed)
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


def _rows(
    table: Microdata, node: Sequence[int], rule: dict[str, Any], flag: str | None, suffix: str
) -> Iterator[Any]:
    """Protected rows of a table in memory, some at a time: frames, or for Parquet batches."""
    frame, mask = table.apply(node, return_mask=True, **rule)
    if flag is not None:
        frame[flag] = mask
    schema = None
    if suffix == ".parquet":
        # The first rows do not tell the types: of a column they may all be missing.
        arrow = engine("pyarrow", "writing Parquet")
        schema = arrow.Schema.from_pandas(frame, preserve_index=False)
    for start in range(0, len(frame), ROWS):
        part = frame[start : start + ROWS]
        yield part if schema is None else record_batch(part, schema)
