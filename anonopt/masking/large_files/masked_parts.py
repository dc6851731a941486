"""Clusters of a large file, each masked in memory, and the masked cells in the order of rows."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np
import pandas as pd

from anonopt._checks import as_generator
from anonopt._registry import engine
from anonopt._typing import IntArray
from anonopt.masking.large_files.clustered_rows import ClusteredRows
from anonopt.masking.large_files.source_columns import frame_of
from anonopt.masking.large_files.stored_columns import StoredColumn
from anonopt.masking.pre_clustering import PreClustered
from anonopt.sources.source import Source


@dataclass(frozen=True)
class MaskedParts:
    """Masked columns of a file, and how large the parts were.

    Attributes
    ----------
    columns : dict of column to StoredColumn
    sizes : list of int
        Rows of each part.
    """

    columns: dict[Hashable, StoredColumn]
    sizes: list[int]


@contextmanager
def masked_parts(
    method: PreClustered,
    source: Source,
    names: Sequence[Hashable],
    target: Path,
    limits: tuple[int, int, int],
) -> Iterator[MaskedParts]:
    """Mask each cluster of a file; the masked columns are there within the block.

    Parameters
    ----------
    method : PreClustered
    source : Source
        With an order of its rows.
    names : sequence of columns
        To mask.
    target : Path
        Beside which masked columns wait.
    limits : three int
        Rows that are read at a time, of the sample, and of the parts that are in memory together.
    """
    batch_rows, sample_rows, part_rows = limits
    k = method.check_options(source.n_rows)
    rng = as_generator(method.random_state, fresh=True)
    rows = ClusteredRows(method, source, names, rng, sample_rows, batch_rows)
    inner = method.method_of_parts(names, rows.orders)
    parts = method.parts(rows.gaps, rows.labels, k)
    with ExitStack() as stack:
        columns = {}
        for name in names:
            # Without a name, nothing stays of it however the process ends.
            file = stack.enter_context(TemporaryFile(dir=target.parent))
            columns[name] = StoredColumn(file, source, name, rows.columns.get(name))
        for together in _together(parts, part_rows):
            chosen = np.sort(np.concatenate(together))
            frame = _frame(source, names, chosen, batch_rows)
            for part in together:
                own = frame.iloc[np.searchsorted(chosen, part)].reset_index(drop=True)
                masked = inner.fit_transform(own)
                for name in names:
                    columns[name].put(part, masked[name], own[name])
        yield MaskedParts(columns, [len(part) for part in parts])


def _together(parts: Sequence[IntArray], part_rows: int) -> Iterator[list[IntArray]]:
    """Parts, one after the other, as many together as have so many rows."""
    together: list[IntArray] = []
    n_rows = 0
    for part in parts:
        if together and n_rows + len(part) > part_rows:
            yield together
            together, n_rows = [], 0
        together.append(part)
        n_rows += len(part)
    if together:
        yield together


def _frame(
    source: Source, names: Sequence[Hashable], rows: IntArray, batch_rows: int
) -> pd.DataFrame:
    """Some rows of a source, in ascending order."""
    arrow = engine("pyarrow", "rows of a source")
    texts = [str(name) for name in names]
    found, start = [], 0
    for batch in source.batches(batch_rows, columns=texts):
        first, last = np.searchsorted(rows, [start, start + len(batch)])
        if last > first:
            found.append(batch.take(arrow.array(rows[first:last] - start)))
        start += len(batch)
    return frame_of(found, source, texts)
