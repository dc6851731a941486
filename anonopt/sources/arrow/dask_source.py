"""Rows of a Dask frame, counted partition by partition on a cluster.

Each worker counts its partition, and the counts are put together in a tree. They travel as bytes:
Dask takes Arrow tables for larger than they are, and ran out of memory over some of megabytes. A
partition that is lost with its worker is counted anew by another one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
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
    merged_values,
    merged_words,
    ordered_values,
)
from anonopt.sources.arrow.arrow_source import ArrowSource
from anonopt.sources.arrow.arrow_values import as_series, check_known_values, unknown_values
from anonopt.sources.arrow.broken_files import what_is_broken
from anonopt.sources.arrow.dask_clients import connected
from anonopt.sources.counted_arrays import CountedArrays
from anonopt.sources.packed_words import PackedWords
from anonopt.sources.paths import Files
from anonopt.sources.row_batches import record_batch
from anonopt.sources.source import (
    CodedColumn,
    DistinctValues,
    Source,
    changed_rows,
    packed_groups,
)

Contents = list[bytes]
"""Arrow tables as they travel."""

FAN_IN = 8
"""Counts that one task puts together."""

_UNKNOWN = "the rows of a Dask frame"


class DaskSource(Source):
    """The rows of a Dask frame.

    They are those that its ``compute()`` returns: Dask itself turns objects such as decimals and
    dates into text when it takes a frame over, unless its option ``dataframe.convert-string`` is
    off.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
    client : distributed.Client or str, optional
        The cluster, or the address of its scheduler such as ``"tcp://10.0.0.5:8786"``; anonopt has
        to be installed on its workers. By default the current client if there is one, else a
        ``LocalCluster``. `close` ends what was made here.

    Raises
    ------
    ModuleNotFoundError
        If Dask is not installed (says how to install it).
    TypeError
        If it is no Dask frame, or no client.
    ValueError
        If two columns have the same name.
    ConnectionError
        If no scheduler answers at the address.
    """

    def __init__(self, frame: Any, *, client: Any = None) -> None:
        frames = engine("dask.dataframe", _UNKNOWN)
        if not isinstance(frame, frames.DataFrame):
            raise TypeError(f"frame: expected a Dask frame, found {type(frame).__name__}")
        names = list(frame.columns)
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"frame: expected columns of different names, found {twice!r} twice")
        self.frame = frame
        self._name = f"a Dask frame of {frame.npartitions} partitions"
        self._values: dict[Hashable, Any] = {}
        self._files: Files | None = None
        self._client, self._is_own = connected(client, _UNKNOWN)
        self._address, self._process = str(self._client.scheduler.address), os.getpid()

    @classmethod
    def of_parquet(cls, path: str | PathLike[str], *, client: Any = None) -> DaskSource:
        """The rows of Parquet files.

        Parameters
        ----------
        path : path
            A file, a pattern such as ``people/*.parquet``, or a folder.
        client
            As for the class.

        Raises
        ------
        FileNotFoundError
            If there is no such file.
        ValueError
            If a file is no Parquet, or the files differ in their columns.
        """
        frames, arrow = engine("dask.dataframe", "reading Parquet"), engine("pyarrow", "Parquet")
        files = Files("Parquet", path)
        # Dask takes the columns of the first file for those of all.
        ArrowSource.of_parquet(path)
        name = f"Parquet {files.path} by Dask"
        try:
            frame = frames.read_parquet(files.files)
        except (arrow.ArrowInvalid, OSError) as error:
            found = what_is_broken(error, files.files)
            raise ValueError(f"{name}: expected rows that can be read, found: {found}") from error
        made = cls(frame, client=client)
        made._name, made._files = name, files
        return made

    @property
    def client(self) -> Any:
        """The cluster; in a process that was sent the source it is found by its address.

        Raises
        ------
        ValueError
            If its workers are threads of another process.
        ConnectionError
            If no scheduler answers there.
        """
        if self._client is None:
            if self._address.startswith("inproc:") and os.getpid() != self._process:
                raise ValueError(
                    f"{self!r}: expected the process that has its cluster, whose workers are "
                    "threads (a cluster of processes is found from others, too)"
                )
            self._client, self._is_own = connected(self._address, _UNKNOWN)
        return self._client

    def close(self) -> None:
        """End the client, and the cluster, that were made here."""
        if self._is_own and self._client is not None:
            cluster = self.client.cluster
            self.client.close()
            if cluster is not None:
                cluster.close()

    @cached_property
    def columns(self) -> Mapping[Hashable, str]:
        """See `Source.columns`."""
        return {name: str(kind) for name, kind in self.frame.dtypes.items()}

    @cached_property
    def n_rows(self) -> int:
        """See `Source.n_rows`."""
        return int(self.client.compute(self.frame.shape[0]).result())

    def distinct(self, column: Hashable) -> DistinctValues:
        """See `Source.distinct`."""
        return self.distinct_of_all([column])[column]

    def distinct_of_all(self, columns: Sequence[Hashable]) -> dict[Hashable, DistinctValues]:
        """See `Source.distinct_of_all`."""
        parts = [self._task(_part_values, part, columns) for part in self._parts(columns)]
        found = zip(columns, self._together(_merged_values, parts), strict=True)
        return {column: self._as_distinct(column, content) for column, content in found}

    def _as_distinct(self, column: Hashable, content: bytes) -> DistinctValues:
        found = ordered_values(_unpacked(content))
        self._values[column] = found["v"].combine_chunks()
        kind = self.frame.dtypes[column]
        is_ordered = isinstance(kind, pd.CategoricalDtype) and bool(kind.ordered)
        is_known = is_ordered and self.frame[column].cat.known
        with unknown_values(column):
            values = as_series(self._values[column])
        counts = np.asarray(found["n"].to_numpy(), np.int64)
        return DistinctValues(
            values.astype(kind) if is_known else values,
            counts,
            is_order_lost=is_ordered and not is_known,
        )

    def combine(self, groups: Sequence[Sequence[CodedColumn]]) -> CountedArrays:
        """See `Source.combine`."""
        packed = packed_groups(groups)
        names = [column.name for group in groups for column in group]
        known = {name: _packed(_one_column(self._values[name])) for name in names}
        # A task of its own, as what is scattered is lost for good with the workers that have it.
        arguments = engine("dask", self._name).delayed(
            (known, packed, list(groups)), traverse=False
        )
        parts = [self._task(_part_words, part, arguments) for part in self._parts(names)]
        words, counts = as_words(_unpacked(*self._together(_merged_words, parts)))
        if counts.sum() != self.n_rows:
            raise changed_rows(self, int(counts.sum()))
        return CountedArrays(packed, words, counts)

    @cached_property
    def schema(self) -> Any:
        """See `Source.schema`; of the first partitions that have a cell in each column."""
        arrow = engine("pyarrow", self._name)
        found = None
        for part in self._frames():
            own = arrow.Schema.from_pandas(part, preserve_index=False)
            known = own if found is None else found
            pairs = zip(known, own, strict=True)
            fields = [one if one.type != arrow.null() else other for one, other in pairs]
            found = arrow.schema(fields)
            if all(field.type != arrow.null() for field in fields):
                break
        return found

    def batches(self, rows: int, *, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """See `Source.batches`: one partition after the other comes to this process."""
        arrow = engine("pyarrow", self._name)
        names = self.schema.names if columns is None else list(columns)
        schema = arrow.schema([self.schema.field(name) for name in names])
        for part in self._frames(names):
            for start in range(0, len(part), rows):
                yield record_batch(part[start : start + rows], schema)

    def _frames(self, columns: Sequence[Hashable] | None = None) -> Iterator[pd.DataFrame]:
        for part in self._parts(columns):
            yield self.client.compute(part).result()

    def _parts(self, columns: Sequence[Hashable] | None = None) -> list[Any]:
        frame = self.frame if columns is None else self.frame[list(columns)]
        found: list[Any] = frame.to_delayed()
        return found

    def _task(self, function: Callable[..., Any], *args: Any) -> Any:
        return engine("dask", self._name).delayed(function)(*args)

    def _together(self, merge: Callable[[list[Contents]], Contents], parts: list[Any]) -> Contents:
        """Result of merging the results of tasks in a tree."""
        while len(parts) > 1:
            parts = [
                self._task(merge, parts[start : start + FAN_IN])
                for start in range(0, len(parts), FAN_IN)
            ]
        found: list[Contents] = self._done(parts)
        return found[0]

    def _done(self, tasks: list[Any]) -> list[Any]:
        """Results of tasks.

        Raises
        ------
        ValueError
            If the rows cannot be read.
        """
        arrow = engine("pyarrow", self._name)
        try:
            return list(self.client.gather(self.client.compute(tasks)))
        except (arrow.ArrowInvalid, arrow.ArrowNotImplementedError, arrow.ArrowTypeError) as error:
            found = what_is_broken(error, self._files.files if self._files is not None else ())
            raise ValueError(
                f"{self._name}: expected rows that can be read, found: {found}"
            ) from error

    def __getstate__(self) -> dict[str, Any]:
        # A cluster stays where it is; its address leads to it.
        return {**self.__dict__, "_client": None, "_is_own": False}

    def __repr__(self) -> str:
        return self._name


def _part_values(part: Any, columns: Sequence[Hashable]) -> Contents:
    found = []
    for column in columns:
        array = _array(part[column])
        check_known_values(column, str(array.type))
        found.append(_packed(counted_values(array)))
    return found


def _part_words(part: Any, arguments: tuple[Any, list[PackedWords], list[Any]]) -> Contents:
    known, packed, groups = arguments
    columns = {name: _array(part[name]) for name in known}
    values = {name: _unpacked(content)["v"].combine_chunks() for name, content in known.items()}
    return [_packed(counted_words(columns, values, packed, groups))]


def _merged_values(parts: list[Contents]) -> Contents:
    return [
        _packed(merged_values([_unpacked(part) for part in column]))
        for column in zip(*parts, strict=True)
    ]


def _merged_words(parts: list[Contents]) -> Contents:
    return [_packed(merged_words([_unpacked(part) for (part,) in parts]))]


def _array(cells: Any) -> Any:
    """Cells of a part of a column as one array."""
    arrow = engine("pyarrow", _UNKNOWN)
    found = arrow.array(cells, from_pandas=True)
    return found.combine_chunks() if isinstance(found, arrow.ChunkedArray) else found


def _one_column(values: Any) -> Any:
    return engine("pyarrow", _UNKNOWN).table({"v": values})


def _packed(table: Any) -> bytes:
    arrow = engine("pyarrow", _UNKNOWN)
    sink = arrow.BufferOutputStream()
    with arrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _unpacked(content: bytes) -> Any:
    return engine("pyarrow", _UNKNOWN).ipc.open_stream(content).read_all()
