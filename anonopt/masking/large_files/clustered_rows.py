"""The cluster of each row of a large file, from the clusters of a sample."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonopt._registry import engine
from anonopt._typing import AnyArray
from anonopt.data.columns.categories import Orders
from anonopt.data.columns.numeric_values import exact_numbers
from anonopt.masking.groups.clustering import NearestCentroids
from anonopt.masking.groups.records import Kind, RecordColumn, Records, column_kind
from anonopt.masking.large_files.source_columns import SourceColumn, frame_of
from anonopt.masking.pre_clustering import PreClustered
from anonopt.sources.source import Source


class ClusteredRows:
    """Clusters of a sample, and every row in the cluster of the nearest centroid.

    Parameters
    ----------
    method : PreClustered
    source : Source
    names : sequence of columns
    rng : numpy Generator
        Draws the sample, unless it is the file, and the first centroids.
    sample_rows, batch_rows : int

    Attributes
    ----------
    columns : dict of column to SourceColumn
        Of the columns that are not continuous.
    labels : int32 array (n_rows,)
    gaps : Records of n_rows
        What is missing in each row; nothing else is known of it.
    orders : dict of column to list of values
        Values of each ordinal column from lowest to highest.
    """

    def __init__(
        self,
        method: PreClustered,
        source: Source,
        names: Sequence[Hashable],
        rng: np.random.Generator,
        sample_rows: int,
        batch_rows: int,
    ) -> None:
        self._source, self._names, self._batch_rows = source, names, batch_rows
        _, ordinal = method.roles()
        self._kinds = {name: self._kind(name, ordinal) for name in names}
        self.columns = {
            name: SourceColumn.of(source, name, ordinal)
            for name in names
            if self._kinds[name] != "continuous"
        }
        sample = self._sample(rng, sample_rows)
        clusters = NearestCentroids(sample, method.clustered(sample, rng))
        self.labels = np.empty(source.n_rows, dtype=np.int32)
        gaps = {
            name: np.zeros(source.n_rows, dtype=np.float16)
            for name in names
            if self._kinds[name] == "continuous"
        }
        start = 0
        for values in self._batches():
            stop = start + len(values[0])
            self.labels[start:stop] = clusters.labels(values)
            for name, cells in zip(names, values, strict=True):
                if name in gaps:
                    gaps[name][start:stop][np.isnan(cells)] = np.nan
            start = stop
        nothing = np.zeros(0, dtype=np.int64)
        self.gaps = Records(
            pd.DataFrame(index=pd.RangeIndex(source.n_rows)),
            tuple(
                RecordColumn(name, self._kinds[name], gaps.get(name, nothing), 1) for name in names
            ),
            None,
        )

    @property
    def orders(self) -> Orders:
        """See the class."""
        return {
            name: list(column.categories.categories[0][: column.n_present])
            for name, column in self.columns.items()
            if self._kinds[name] == "ordinal"
        }

    def _kind(self, name: Hashable, ordinal: Orders | None) -> Kind:
        empty = engine("pyarrow", "rows of a source").nulls(0, self._source.schema.field(name).type)
        column = frame_of([{str(name): empty}], self._source, [str(name)])[str(name)]
        kind = column_kind(column, ordinal)
        if str(empty.type).startswith("decimal") and kind != "ordinal":
            raise ValueError(
                f"column {name!r}: expected numbers of 64 bits or less, or categories, found "
                f"{empty.type}; name it in ordinal"
            )
        return kind

    def _sample(self, rng: np.random.Generator, sample_rows: int) -> Records:
        """Rows that are clustered: all, if they are few enough."""
        n_rows = self._source.n_rows
        chosen = np.arange(n_rows)
        if n_rows > sample_rows:
            chosen = np.sort(rng.choice(n_rows, sample_rows, replace=False))
        parts: list[list[AnyArray]] = []
        start = 0
        for values in self._batches():
            stop = start + len(values[0])
            first, last = np.searchsorted(chosen, [start, stop])
            parts.append([cells[chosen[first:last] - start] for cells in values])
            start = stop
        columns = [np.concatenate(cells) for cells in zip(*parts, strict=True)]
        records = []
        for name, values in zip(self._names, columns, strict=True):
            n_ordered = self.columns[name].n_present if name in self.columns else 0
            records.append(RecordColumn(name, self._kinds[name], values, n_ordered))
        return Records(pd.DataFrame(index=pd.RangeIndex(len(chosen))), tuple(records), None)

    def _batches(self) -> Any:
        """Numbers or codes of the columns, some rows at a time."""
        coders = {name: column.coder() for name, column in self.columns.items()}
        names = [str(name) for name in self._names]
        for batch in self._source.batches(self._batch_rows, columns=names):
            values: list[AnyArray] = []
            for name in self._names:
                if name in coders:
                    values.append(coders[name].of(batch[str(name)]).astype(np.int64))
                else:
                    cells = frame_of([batch], self._source, [str(name)])[str(name)]
                    values.append(_numbers(cells))
            yield values


def _numbers(cells: pd.Series[Any]) -> AnyArray:
    offset, (values,) = exact_numbers(cells)
    if offset:
        raise ValueError(
            f"column {cells.name!r}: expected numbers of at most 2**53, found larger ones"
        )
    if np.isinf(values).any():
        raise ValueError(
            f"column {cells.name!r}: expected finite numbers, found {int(np.isinf(values).sum())} "
            "infinite ones"
        )
    return values
