"""Graphs of two tables, one of ties and one of nodes, in CSV or Parquet files.

Ties come as blocks of rows and go straight into whole numbers, so that neither text nor objects
of all of them are ever in memory.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt._typing import AnyArray, CodeArray, IntArray
from anonopt.data.tables.spellings import MISSING_SPELLINGS
from anonopt.data.tables.table_files import read_table
from anonopt.graphs.files.node_attributes import NodeTexts, cell_text
from anonopt.graphs.files.parquet_tables import ParquetTable
from anonopt.graphs.files.plain_csv import NotPlainError, PlainCsv

TABLES = (".csv", ".parquet")
"""Endings of files that hold a table."""


class NodeTable:
    """Names of nodes and what they say, from the rows of a table.

    Parameters
    ----------
    path : Path
        Ending in ``.csv`` or ``.parquet``; the first column holds the names.

    Attributes
    ----------
    names : sequence of str or int
    attributes : sequence of str

    Raises
    ------
    ValueError
        If the file is no table, or a name is missing or there twice.
    """

    def __init__(self, path: Path) -> None:
        self._parquet = ParquetTable(path) if path.suffix.lower() == ".parquet" else None
        if self._parquet is not None:
            columns = self._parquet.columns
            self.names: list[Any] = self._parquet.names()
        else:
            self._frame = _csv_frame(path)
            columns = [str(column) for column in self._frame.columns]
            self.names = self._frame.iloc[:, 0].tolist()
        self.attributes = columns[1:]
        self._check_names(path)

    def _check_names(self, path: Path) -> None:
        known: set[Hashable] = set()
        for name in self.names:
            if name is None or name in known:
                raise ValueError(
                    f"{path}: expected a name for each node, each once, found {name!r}"
                )
            known.add(name)

    def cells(self, attribute: str) -> list[Any]:
        """Cells of an attribute, one a node; None where they are missing, or it is."""
        if attribute not in self.attributes:
            return [None] * len(self.names)
        if self._parquet is not None:
            return self._parquet.cells(attribute)
        return list(self._frame[attribute])

    def present(self, node: Hashable) -> Sequence[str]:
        """Names of the attributes, which are those of every node."""
        return self.attributes

    def texts(self, attribute: str) -> NodeTexts:
        """Text of an attribute of each node.

        Raises
        ------
        ValueError
            If a node lacks it; names the node.
        """
        codes, values = self._coded(attribute)
        first = NodeTexts(codes, ("",) * len(values)).first_nodes()
        texts = [""] * len(values)
        for code in np.argsort(first, kind="stable").tolist():
            if first[code] < len(self.names):
                name = self.names[first[code]]
                texts[code] = cell_text(values[code], name, attribute, self.attributes)
        return NodeTexts(codes, tuple(texts))

    def _coded(self, attribute: str) -> tuple[CodeArray, Sequence[Any]]:
        if attribute not in self.attributes:
            return np.zeros(len(self.names), dtype=np.int32), [None] * bool(self.names)
        if self._parquet is not None:
            return self._parquet.coded(attribute)
        codes, values = pd.factorize(self._frame[attribute].to_numpy(dtype=object))
        # Missing cells have the code -1, that of the last value.
        return codes.astype(np.int32), [*values, None]


def read_ties(path: Path, names: Sequence[Any], *, directed: bool) -> IntArray:
    """Ties of a table as positions of their ends, those of each node together.

    Parameters
    ----------
    path : Path
        Ending in ``.csv`` or ``.parquet``; the first two columns hold the ends.
    names : sequence of str or int
        Of the nodes.
    directed : bool

    Returns
    -------
    int64 array (n_edges, 2)
        By the first end, which of an undirected tie is the one that stands first among the nodes;
        ties of one first end in the order of the file.

    Raises
    ------
    ValueError
        If the file is no table of two columns, or an end is no node; names the tie.
    """
    book = _Positions(path, names)
    parts = [np.empty((2, 0), dtype=np.int32), *_tie_blocks(path, book)]
    first, second = np.concatenate(parts, axis=1)
    del parts
    if not directed:
        first, second = np.minimum(first, second), np.maximum(first, second)
    n_ties = len(first)
    order = first * np.int64(max(n_ties, 1)) + np.arange(n_ties)
    order.sort()
    order %= max(n_ties, 1)
    edges = np.empty((n_ties, 2), dtype=np.int64, order="F")
    edges[:, 0], edges[:, 1] = first[order], second[order]
    return edges


def _tie_blocks(path: Path, book: _Positions) -> Iterator[npt.NDArray[np.int32]]:
    if path.suffix.lower() == ".parquet":
        table = ParquetTable(path)
        _check_ends(path, table.columns, None)
        for ends in table.ends(book.kind):
            yield book.positions(*ends)
        return
    plain = PlainCsv.find(path)
    if plain is not None:
        _check_ends(path, plain.header, book)
        try:
            yield from [_plain_positions(plain, block, book) for block in plain.blocks()]
            return
        except NotPlainError:
            pass
    table_of_text = read_table(path)
    _check_ends(path, [str(column) for column in table_of_text.columns], book)
    yield book.positions(*(table_of_text.iloc[:, place].to_numpy(dtype=object) for place in (0, 1)))


def _plain_positions(plain: PlainCsv, block: bytes, book: _Positions) -> npt.NDArray[np.int32]:
    numbers = plain.numbers(block) if book.has_numbers else None
    if numbers is not None:
        return book.positions(*numbers.to_numpy().T)
    cells = plain.cells(block, 2)
    if cells.isin(["", *MISSING_SPELLINGS]).any(axis=None):
        raise NotPlainError(f"{plain.path}: expected no end that may be a missing cell")
    return book.positions(cells[0].to_numpy(), cells[1].to_numpy())


def _check_ends(path: Path, columns: Sequence[str], book: _Positions | None) -> None:
    if len(columns) < 2:
        raise ValueError(f"{path}: expected two columns of ends of ties, found {len(columns)}")
    first = list(columns[:2])
    if book is not None and book.knows(first):
        raise ValueError(f"{path}: expected a line of names of columns, found the tie {first}")


def _csv_frame(path: Path) -> pd.DataFrame:
    plain = PlainCsv.find(path)
    if plain is not None:
        try:
            return plain.frame()
        except NotPlainError:
            pass
    return read_table(path)


class _Positions:
    """Positions of nodes by their names.

    Attributes
    ----------
    kind : str
        ``"text"`` or ``"whole numbers"``; empty if there are no names.
    has_numbers : bool
        Whether all names are whole numbers, written in the usual way.
    """

    def __init__(self, path: Path, names: Sequence[Any]) -> None:
        self._path = path
        is_text = len(names) == 0 or isinstance(names[0], str)
        self.kind = ("text" if is_text else "whole numbers") if len(names) else ""
        self._names = pd.Index(names, dtype=object if is_text else np.int64)
        self._numbers = _as_numbers(names) if is_text else self._names
        self.has_numbers = self._numbers is not None

    def knows(self, names: Sequence[str]) -> bool:
        """Whether all names are those of nodes."""
        return all(name in self._names for name in names)

    def positions(self, sources: AnyArray, targets: AnyArray) -> npt.NDArray[np.int32]:
        """Positions of the ends of ties, int32 array (2, n_ties).

        Raises
        ------
        ValueError
            If an end is no node; names the first such tie.
        """
        index = self._names if sources.dtype == object else self._numbers
        if index is None:
            index = self._names
        found = np.array(
            [index.get_indexer(pd.Index(ends, dtype=ends.dtype)) for ends in (sources, targets)],
            dtype=np.int32,
        )
        wrong = np.flatnonzero((found < 0).any(axis=0))
        if len(wrong):
            ends = [column[wrong[0]] for column in (sources, targets)]
            if sources.dtype != object:
                ends = [str(end) if self.kind == "text" else int(end) for end in ends]
            unknown = ends[0] if found[0, wrong[0]] < 0 else ends[1]
            raise ValueError(
                f"{self._path}: tie {ends[0]!r} - {ends[1]!r}: expected ends among the nodes, "
                f"found {unknown!r}"
            )
        return found


def _as_numbers(names: Sequence[str]) -> pd.Index[int] | None:
    """Whole numbers that all names are, written as Python writes them; None if they are not."""
    try:
        numbers = np.array(names, dtype=object).astype(np.int64)
    except (ValueError, OverflowError):
        return None
    are_usual = all(map(str.__eq__, names, map(str, numbers.tolist())))
    return pd.Index(numbers) if are_usual else None
