"""Rows of an Arrow dataset, read batch by batch."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from anonopt._registry import engine
from anonopt.sources.arrow.arrow_counting import (
    as_words,
    counted_values,
    counted_words,
    gathered,
    merged_values,
    merged_words,
    ordered_values,
)
from anonopt.sources.arrow.arrow_errors import reading_errors
from anonopt.sources.arrow.arrow_values import as_series, check_known_values, unknown_values
from anonopt.sources.counted_arrays import CountedArrays
from anonopt.sources.paths import Files, check_same_columns
from anonopt.sources.source import (
    CodedColumn,
    DistinctValues,
    Source,
    changed_rows,
    packed_groups,
)


class ArrowSource(Source):
    """The rows of an Arrow dataset; the counts of their combinations are in memory.

    Parameters
    ----------
    dataset : pyarrow Dataset or Table

    Attributes
    ----------
    dataset : pyarrow Dataset

    Raises
    ------
    ModuleNotFoundError
        If pyarrow is not installed (says how to install it).
    TypeError
        If it is no dataset.
    ValueError
        If two columns have the same name.

    Examples
    --------
    >>> import pyarrow as pa
    >>> source = ArrowSource(pa.table({"age": [39, 21, 39]}))
    >>> source.columns, source.distinct("age").counts
    ({'age': 'int64'}, array([2, 1]))
    """

    def __init__(self, dataset: Any) -> None:
        arrow, datasets = _engines("an Arrow dataset")
        if isinstance(dataset, arrow.Table):
            dataset = datasets.dataset(dataset)
        if not isinstance(dataset, datasets.Dataset):
            raise TypeError(
                f"dataset: expected an Arrow dataset or table, found {type(dataset).__name__}"
            )
        self.dataset = dataset
        self._name = "an Arrow dataset"
        self._files: Files | None = None
        self._values: dict[Hashable, Any] = {}
        names = list(dataset.schema.names)
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"dataset: expected columns of different names, found {twice!r} twice")

    @classmethod
    def of_parquet(cls, path: str | PathLike[str]) -> ArrowSource:
        """The rows of Parquet files.

        Parameters
        ----------
        path : path
            A file, a pattern such as ``people/*.parquet``, or a folder.

        Raises
        ------
        FileNotFoundError
            If there is no such file.
        ValueError
            If a file is no Parquet, or the files differ in their columns.
        """
        _, datasets = _engines("reading Parquet")
        files = Files("Parquet", path)
        files.check_there()
        name = f"Parquet {files.path} by Arrow"
        with reading_errors(name, files.files):
            # As other engines do, columns are taken from names of folders such as year=2020, too.
            dataset = datasets.dataset(files.files, format="parquet", partitioning="hive")
            check_fragments(dataset)
        made = cls(dataset)
        made._name, made._files = name, files
        return made

    @cached_property
    def columns(self) -> Mapping[Hashable, str]:
        """See `Source.columns`."""
        return {field.name: str(field.type) for field in self.dataset.schema}

    @cached_property
    def n_rows(self) -> int:
        """See `Source.n_rows`."""
        with reading_errors(self._name, self._own_files):
            return int(self.dataset.count_rows())

    def distinct(self, column: Hashable) -> DistinctValues:
        """See `Source.distinct`."""
        arrow, _ = _engines(self._name)
        kind = self.dataset.schema.field(column).type
        is_dictionary = arrow.types.is_dictionary(kind)
        check_known_values(column, str(kind.value_type if is_dictionary else kind))
        orders: list[Any] = []

        def counted() -> Iterator[Any]:
            for batch in self._batches([column]):
                array = batch.column(0)
                if (
                    is_dictionary
                    and kind.ordered
                    and not any(array.dictionary.equals(known) for known in orders)
                ):
                    orders.append(array.dictionary)
                yield counted_values(array)

        found = ordered_values(gathered(counted(), merged_values))
        self._values[column] = found["v"].combine_chunks()
        with unknown_values(column):
            values = as_series(self._values[column])
        if len(orders) == 1:
            categories = pd.Index(orders[0].to_pandas())
            values = pd.Series(pd.Categorical(values, categories=categories, ordered=True))
        return DistinctValues(
            values, np.asarray(found["n"].to_numpy(), np.int64), is_order_lost=len(orders) > 1
        )

    def combine(self, groups: Sequence[Sequence[CodedColumn]]) -> CountedArrays:
        """See `Source.combine`."""
        packed = packed_groups(groups)
        names = [column.name for group in groups for column in group]
        values = {name: self._values[name] for name in names}
        counted = (
            counted_words(dict(zip(names, batch.columns, strict=True)), values, packed, groups)
            for batch in self._batches(names)
        )
        words, counts = as_words(gathered(counted, merged_words))
        if counts.sum() != self.n_rows:
            raise changed_rows(self, int(counts.sum()))
        return CountedArrays(packed, words, counts)

    @property
    def schema(self) -> Any:
        """See `Source.schema`."""
        return self.dataset.schema

    def batches(self, rows: int, *, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """See `Source.batches`."""
        yield from self._batches(self.schema.names if columns is None else columns, batch_size=rows)

    @property
    def _own_files(self) -> Sequence[str]:
        """Those on this machine, if it was made of their path."""
        return self._files.files if self._files is not None else ()

    @property
    def paths(self) -> Sequence[str]:
        """See `Source.paths`."""
        _, datasets = _engines(self._name)
        is_of_files = isinstance(self.dataset, datasets.FileSystemDataset)
        return list(self.dataset.files) if is_of_files else ()

    def _batches(self, columns: Sequence[Hashable], **options: int) -> Iterator[Any]:
        with reading_errors(self._name, self._own_files):
            for batch in self.dataset.to_batches(columns=list(columns), **options):
                if len(batch):
                    yield batch

    def __repr__(self) -> str:
        return self._name


def check_fragments(dataset: Any) -> None:
    """Refuse Parquet files that differ in names, types or order of their columns.

    Parameters
    ----------
    dataset : pyarrow FileSystemDataset

    Raises
    ------
    ValueError
        Names two files that do, and what differs.
    """
    first, *others = dataset.get_fragments()
    expected = {field.name: str(field.type) for field in first.physical_schema}
    for other in others:
        found = {field.name: str(field.type) for field in other.physical_schema}
        check_same_columns(other.path, found, first.path, expected)
        if list(found) != list(expected):
            raise ValueError(
                f"{other.path}: expected the columns of {first.path} in the same order, found "
                f"{list(found)}, there {list(expected)}"
            )


def _engines(what: str) -> tuple[Any, Any]:
    return engine("pyarrow", what), engine("pyarrow.dataset", what)
