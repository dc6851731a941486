"""Two files of the same rows that stay in their sources: checked, and coded row by row."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import CodeArray, IntArray
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.evaluation.comparison.cell_codes import CellCodes
from anonopt.evaluation.comparison.compared_files import are_continuous, check_missing
from anonopt.evaluation.comparison.generalized_reading import (
    REPEATS,
    covers_values,
    read_generalized,
)
from anonopt.sources.source import Source

ROWS = 2**18
"""Rows of each file that are in memory at a time."""


class PairedSources:
    """An original and a masked file whose rows are the same, in the same order.

    Parameters
    ----------
    original, masked : Source
    columns : sequence of columns, optional
        What is compared; by default all.
    orders : mapping of column to list of values or None
        Columns whose categories have an order.

    Attributes
    ----------
    categories : CategoricalColumns
        Of no row: the categories of both files.
    counts : list of int64 arrays (n_categories,)
        Rows of the original of each.

    Raises
    ------
    ValueError
        If the files differ in their rows or columns, the rows of one have no order, a column is
        one of continuous numbers, or its masked labels cover several values.
    """

    def __init__(
        self,
        original: Source,
        masked: Source,
        columns: Sequence[Hashable] | None,
        orders: Mapping[Hashable, Any],
    ) -> None:
        self._files, self._orders = (original, masked), orders
        self._names = self._shared(columns)
        if unknown := [name for name in orders if name not in self._names]:
            raise ValueError(f"ordinal: expected columns among {self._names}, found {unknown}")
        self.columns, self.counts = [], []
        for name in self._names:
            categories, counts = self._categories(name, orders)
            self.columns.append(categories)
            self.counts.append(counts)
        self.categories = without_rows(self.columns)

    @property
    def n_rows(self) -> int:
        """Rows of each file."""
        return self._files[0].n_rows

    def codes(self) -> Iterator[tuple[list[CodeArray], list[CodeArray]]]:
        """Codes of some rows after the other, of both files, an int32 array (n,) a column."""
        parts = [
            _coded(source, [CellCodes(one, _kind(source, one.names[0])) for one in self.columns])
            for source in self._files
        ]
        first: list[CodeArray] = []
        second: list[CodeArray] = []
        done = 0
        while done < self.n_rows:
            first = first if first and len(first[0]) else next(parts[0], [])
            second = second if second and len(second[0]) else next(parts[1], [])
            n = min(len(first[0]) if first else 0, len(second[0]) if second else 0)
            if n == 0:
                raise ValueError(
                    f"expected {self.n_rows} rows of both files, found {done}; one was changed in "
                    "the meantime"
                )
            yield [one[:n] for one in first], [one[:n] for one in second]
            first, second = [one[n:] for one in first], [one[n:] for one in second]
            done += n

    def check_recodings(self, pairs: Sequence[tuple[IntArray, IntArray]]) -> None:
        """Refuse values that were merged into labels that cannot be read, as in memory.

        Parameters
        ----------
        pairs : sequence of pairs of int64 arrays (n,), one a column
            ``original * n_categories + masked``, and rows of each.

        Raises
        ------
        ValueError
            As :func:`~anonopt.evaluation.comparison.generalized_reading.read_generalized`.
        """
        for columns, (keys, counts) in zip(self.columns, pairs, strict=True):
            # Whether pairs repeat counts, and how often only up to there.
            rows = np.repeat(keys, np.minimum(counts, REPEATS + 1))
            values = columns.categories[0]
            (name,), (size,) = columns.names, columns.n_categories
            one, other = (pd.DataFrame({name: values[codes]}) for codes in np.divmod(rows, size))
            read_generalized(one, other, [name], self._order(name), {})

    def _order(self, name: Hashable) -> dict[Hashable, Any]:
        return {key: value for key, value in self._orders.items() if key == name}

    def _shared(self, columns: Sequence[Hashable] | None) -> list[Hashable]:
        original, masked = self._files
        for source in self._files:
            if not source.is_ordered:
                raise ValueError(
                    f"expected rows in an order, found {source!r}, which may give them in another "
                    "one each time (write them to Parquet, and compare that)"
                )
        if original.n_rows != masked.n_rows or original.n_rows == 0:
            raise ValueError(
                f"expected files of the same rows, at least one, found {original.n_rows} original "
                f"and {masked.n_rows} masked ones"
            )
        if isinstance(columns, str):
            raise TypeError(f"columns: expected a list of columns, found the text {columns!r}")
        names = list(original.columns) if columns is None else list(columns)
        for name in [*names, *(masked.columns if columns is None else ())]:
            for file, source in (("original", original), ("masked", masked)):
                if name not in source.columns:
                    raise ValueError(
                        f"column {name!r}: expected in both files, found none in the {file} one, "
                        f"which has {list(source.columns)}"
                    )
        if len(set(names)) < len(names) or not names:
            raise ValueError(f"columns: expected some columns, each once, found {names}")
        return names

    def _categories(
        self, name: Hashable, orders: Mapping[Hashable, Any]
    ) -> tuple[CategoricalColumns, IntArray]:
        """Categories of a column, and rows of the original of each."""
        found = [source.distinct(name) for source in self._files]
        if name not in orders and any(one.is_order_lost for one in found):
            raise ValueError(
                f"column {name!r}: expected values whose order is known, found ordered categories; "
                "name them in ordinal"
            )
        one, other = (pd.DataFrame({name: values.values}) for values in found)
        check_missing(one, other, [name])
        order = self._order(name)
        if covers_values(one[name], other[name], order):
            raise ValueError(
                f"column {name!r}: expected categories, found labels of the masked file that cover "
                "several values; compare generalized files in memory"
            )
        if are_continuous(one, other, [name], order):
            raise ValueError(
                f"column {name!r}: expected categories, found continuous numbers; name those that "
                "are categories in ordinal, or compare in memory"
            )
        columns = CategoricalColumns.of(one, columns=[name], ordinal=order, others=[other])
        counts = np.bincount(
            columns.codes[:, 0], found[0].counts, minlength=columns.n_categories[0]
        )
        # Rows are far fewer than 2**53, so floats hold their numbers exactly.
        return columns, counts.astype(np.int64)


def without_rows(columns: Sequence[CategoricalColumns]) -> CategoricalColumns:
    """Categories of several columns, of no row."""
    codes = np.empty((0, len(columns)), dtype=np.int32)
    codes.flags.writeable = False
    return CategoricalColumns(
        names=tuple(one.names[0] for one in columns),
        codes=codes,
        categories=tuple(one.categories[0] for one in columns),
        labels=tuple(one.labels[0] for one in columns),
        ordinal=tuple(one.ordinal[0] for one in columns),
    )


def _kind(source: Source, name: Hashable) -> Any:
    return source.schema.field(name).type


def _coded(source: Source, codes: Sequence[CellCodes]) -> Iterator[list[CodeArray]]:
    names = [str(one.name) for one in codes]
    for batch in source.batches(ROWS, columns=names):
        yield [one.of(batch[name]) for one, name in zip(codes, names, strict=True)]
