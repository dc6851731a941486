"""What a source of rows has to give: values of columns, and counts of combinations of codes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from anonopt._typing import CodeArray, IntArray
from anonopt.data.column_values import ColumnValues
from anonopt.sources.packed_words import PackedWords
from anonopt.sources.paths import Files

MOST_ROWS = 2**31 - 1
"""Rows of a table: classes are counted in 32 bits."""


@dataclass(frozen=True, eq=False)
class DistinctValues:
    """The values of a column, each once, the most frequent first.

    Attributes
    ----------
    values : Series (n_values,)
        Missing cells are a value; two of them may be equal (a null, and what is not a number).
    counts : int64 array (n_values,)
        Rows with each.
    is_order_lost : bool
        Whether the column has ordered categories whose order the source does not tell.
    """

    values: pd.Series[Any] = field(repr=False)
    counts: IntArray = field(repr=False)
    is_order_lost: bool = False

    @cached_property
    def cells(self) -> ColumnValues:
        """The values as hierarchies code them."""
        return ColumnValues.of(self.values, self.counts)


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """A column with the code of each of its values.

    Attributes
    ----------
    name : column
    codes : int32 array (n_values,)
        Code of each value, as `Source.distinct` numbers them; equal values have equal codes.
    n_codes : int
        Codes are in 0..n_codes - 1.
    """

    name: Hashable
    codes: CodeArray = field(repr=False)
    n_codes: int


class CountedWords(NamedTuple):
    """Combinations, each once, in ascending order of their words.

    Attributes
    ----------
    words : list of lists of int64 arrays (n,)
        Words of each group of columns that was asked for.
    counts : int64 array (n,)
        Rows of each combination.
    """

    words: list[list[IntArray]]
    counts: IntArray


class Combinations(ABC):
    """The combinations of codes in the rows of a source, with their counts.

    They stay where the source keeps them, and only what is asked for comes into memory.

    Parameters
    ----------
    groups : sequence of PackedWords
        How the codes of each group of columns are packed.
    """

    def __init__(self, groups: Sequence[PackedWords]) -> None:
        self.groups = tuple(groups)

    @abstractmethod
    def counted(self, groups: Sequence[int]) -> CountedWords:
        """Combinations of the columns of some of the groups.

        Parameters
        ----------
        groups : sequence of int
            Numbers of groups; the order of the words goes by their order.
        """

    def is_at_most(self, groups: Sequence[int], most: int) -> bool:
        """Whether there are at most so many; by an estimate where that is clear."""
        return self.n_combinations(groups) <= most

    @abstractmethod
    def n_combinations(self, groups: Sequence[int]) -> int:
        """How many these are, found without bringing them into memory where that is possible."""


class Source(ABC):
    """Rows that stay where they are; no hierarchy and no search is known here.

    A subclass is one engine. What it returns does not depend on the order of the rows.
    """

    _files: Files | None = None

    @property
    @abstractmethod
    def columns(self) -> Mapping[Hashable, str]:
        """Type of each column, as the engine calls it, in the order of the columns."""

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """Number of rows."""

    @abstractmethod
    def distinct(self, column: Hashable) -> DistinctValues:
        """Values of a column with their counts; the source keeps their numbering.

        Raises
        ------
        TypeError
            If the cells are no single values (lists, records).
        """

    def distinct_of_all(self, columns: Sequence[Hashable]) -> dict[Hashable, DistinctValues]:
        """Values of several columns, in one pass over the rows where a pass has its price."""
        return {column: self.distinct(column) for column in columns}

    @abstractmethod
    def combine(self, groups: Sequence[Sequence[CodedColumn]]) -> Combinations:
        """Count the combinations of codes of groups of columns, in one pass over the rows.

        Parameters
        ----------
        groups : sequence of sequences of CodedColumn
            Columns whose values were asked for before.

        Raises
        ------
        ValueError
            If the rows are no longer those whose values were found.
        """

    @property
    @abstractmethod
    def schema(self) -> Any:
        """Arrow schema of the rows, with the types that they were declared with."""

    @abstractmethod
    def batches(self, rows: int, *, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """The rows in their order, as Arrow record batches.

        Parameters
        ----------
        rows : int
            Most rows of a batch; where batches end may depend on the columns.
        columns : sequence of str, optional
            By default all, in their order.
        """

    @property
    def is_ordered(self) -> bool:
        """Whether the rows have an order, which is that of :meth:`batches` each time."""
        return True

    @property
    def paths(self) -> Sequence[str]:
        """Files that the rows are read from."""
        return () if self.files is None else self.files.files

    @property
    def files(self) -> Files | None:
        """The file, pattern or folder that :attr:`paths` are of, if there is one."""
        return self._files

    def close(self) -> None:  # noqa: B027
        """Give back what is held for the source, such as tables or a cluster of its own."""

    @abstractmethod
    def __repr__(self) -> str:
        """What the rows are, for messages: ``Parquet people/*.parquet by DuckDB``."""


def packed_groups(groups: Sequence[Sequence[CodedColumn]]) -> list[PackedWords]:
    """How the codes of each group are packed."""
    return [PackedWords.of([column.n_codes for column in group]) for group in groups]


def check_rows(source: Source) -> None:
    """Refuse more rows than a table can have.

    Raises
    ------
    ValueError
    """
    if source.n_rows > MOST_ROWS:
        raise ValueError(f"{source!r}: expected at most {MOST_ROWS} rows, found {source.n_rows}")


def check_outside(source: Source, target: Path) -> None:
    """Refuse a file to be written that would be read with those of a source next.

    Raises
    ------
    ValueError
    """
    if source.files is not None:
        source.files.check_outside(target)


def changed_rows(source: Source, found: int) -> ValueError:
    """The error of a source whose rows are not those that it had before."""
    return ValueError(
        f"{source!r}: expected the {source.n_rows} rows whose values were found before, found "
        f"{found} of them; it was changed in the meantime"
    )
