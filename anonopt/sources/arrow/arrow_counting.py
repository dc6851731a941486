"""Values and combinations of codes counted in Arrow tables, which other processes can send.

Batches are counted one by one and their counts put together, so that no column is ever whole in
memory. Floats are counted without the sign of zero, and what is not a number as missing, since
Arrow tells those apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from anonopt._registry import engine
from anonopt._typing import IntArray
from anonopt.sources.arrow.arrow_values import dictionary_places, without_views
from anonopt.sources.counted_arrays import packed_rows
from anonopt.sources.packed_words import PackedWords
from anonopt.sources.source import CodedColumn

MERGED_ROWS = 2_000_000
"""Rows of counts that are gathered before they are put together, at least."""


def plain(array: Any) -> Any:
    """An array whose equal values are equal to Arrow, too.

    Examples
    --------
    >>> import pyarrow as pa
    >>> plain(pa.array([-0.0, float("nan"), 2.5])).to_pylist()
    [0.0, None, 2.5]
    """
    arrow, compute = engine("pyarrow", "this source"), engine("pyarrow.compute", "this source")
    if not arrow.types.is_floating(array.type):
        return without_views(array)
    if arrow.types.is_float16(array.type):
        # Arrow computes nothing with them; as a wider type they stay what they are.
        return plain(array.cast(arrow.float32())).cast(array.type)
    nothing = arrow.scalar(None, array.type)
    numbers = compute.if_else(compute.is_nan(array), nothing, array)
    return compute.add(numbers, arrow.scalar(0.0, array.type))


def counted_values(array: Any) -> Any:
    """Values of an array, each once.

    Parameters
    ----------
    array : pyarrow Array (n,)
        Of a dictionary its values count.

    Returns
    -------
    pyarrow Table
        Columns ``v`` and ``n``.
    """
    arrow = engine("pyarrow", "this source")
    if arrow.types.is_dictionary(array.type):
        numbers = np.bincount(dictionary_places(array), minlength=len(array.dictionary) + 1)
        found = np.flatnonzero(numbers)
        # One place beyond the end of the dictionary is that of missing cells.
        places = arrow.array(found, mask=found == len(array.dictionary))
        values = array.dictionary.take(places)
        return merged_values([arrow.table({"v": plain(values), "n": numbers[found]})])
    ones = np.ones(len(array), dtype=np.int64)
    return merged_values([arrow.table({"v": plain(array), "n": ones})])


def merged_values(tables: Sequence[Any]) -> Any:
    """Counts of values put together, as `counted_values` has them.

    Raises
    ------
    ValueError
        If values are of several types: parts of a column differ.
    """
    arrow = engine("pyarrow", "this source")
    table = arrow.concat_tables(_of_one_type(tables))
    if arrow.types.is_null(table["v"].type):
        rows = table["n"].to_numpy()
        return arrow.table({"v": table["v"][:1], "n": [rows.sum()][: len(rows)]})
    return _grouped(table, ["v"])


def _of_one_type(tables: Sequence[Any]) -> list[Any]:
    """Tables of values of one type; those that are missing alone have none of their own."""
    arrow = engine("pyarrow", "this source")
    kinds = {table["v"].type for table in tables if not arrow.types.is_null(table["v"].type)}
    if len(kinds) > 1:
        kinds = {arrow.large_string() if arrow.types.is_string(kind) else kind for kind in kinds}
    if len(kinds) > 1:
        raise ValueError(
            f"values: expected one type in all parts of a column, found {sorted(map(str, kinds))}"
        )
    return [
        table.set_column(0, "v", table["v"].cast(kind)) for kind in kinds for table in tables
    ] or list(tables)


def ordered_values(table: Any) -> Any:
    """The same, the most frequent first, then in order of the values."""
    arrow, compute = engine("pyarrow", "this source"), engine("pyarrow.compute", "this source")
    values = table["v"]
    if arrow.types.is_null(values.type):
        return table
    if arrow.types.is_float16(values.type):
        # Arrow neither sorts them nor looks them up.
        values = values.cast(arrow.float32())
    keys = arrow.table({"n": table["n"], "v": values})
    return table.take(compute.sort_indices(keys, [("n", "descending"), ("v", "ascending")]))


def places_of(array: Any, values: Any) -> IntArray:
    """Place of each cell among the values of its column, (n,); -1 if it is none of them."""
    arrow, compute = engine("pyarrow", "this source"), engine("pyarrow.compute", "this source")
    if arrow.types.is_dictionary(array.type):
        known = places_of(array.dictionary, values)
        missing = places_of(arrow.nulls(1, values.type), values)
        places: IntArray = np.concatenate([known, missing]).take(dictionary_places(array))
        return places
    if arrow.types.is_null(values.type):
        return np.zeros(len(array), dtype=np.int64)
    if array.type != values.type:
        array = array.cast(values.type)
    array = plain(array)
    if arrow.types.is_float16(values.type):
        array, values = array.cast(arrow.float32()), values.cast(arrow.float32())
    found = compute.index_in(array, value_set=values)
    return np.asarray(found.fill_null(-1).to_numpy(zero_copy_only=False), dtype=np.int64)


def counted_words(
    columns: dict[object, Any],
    values: dict[object, Any],
    groups: Sequence[PackedWords],
    coded: Sequence[Sequence[CodedColumn]],
) -> Any:
    """Combinations of codes in some rows, each once.

    Parameters
    ----------
    columns : dict of pyarrow Array (n,)
        By column.
    values : dict of pyarrow Array (n_values,)
        Values of each column, in the order of their codes.
    groups : sequence of PackedWords
    coded : sequence of sequences of CodedColumn
        Columns of each group.

    Returns
    -------
    pyarrow Table
        Columns ``w0``, ``w1``, ... and ``n``; rows with a value that is not known are left out.
    """
    arrow = engine("pyarrow", "this source")
    places = {name: places_of(array, values[name]) for name, array in columns.items()}
    is_known = np.logical_and.reduce([place >= 0 for place in places.values()])
    if not is_known.all():
        places = {name: place[is_known] for name, place in places.items()}
    words = packed_rows(groups, coded, places)
    named = {f"w{number}": word for number, word in enumerate(words)}
    return merged_words([arrow.table({**named, "n": np.ones(len(words[0]), dtype=np.int64)})])


def merged_words(tables: Sequence[Any]) -> Any:
    """Counts of combinations put together, as `counted_words` has them."""
    table = engine("pyarrow", "this source").concat_tables(tables)
    return _grouped(table, table.column_names[:-1])


def _grouped(table: Any, names: Sequence[str]) -> Any:
    found = table.group_by(list(names)).aggregate([("n", "sum")])
    return found.rename_columns(
        ["n" if name == "n_sum" else name for name in found.column_names]
    ).select([*names, "n"])


def gathered(tables: Iterable[Any], merge: Callable[[Sequence[Any]], Any]) -> Any:
    """Tables put together by and by, so that few of them are held at a time; None without any."""
    held: list[Any] = []
    size, most = 0, MERGED_ROWS
    for table in tables:
        held.append(table)
        size += len(table)
        if size > most:
            held = [merge(held)]
            size = len(held[0])
            most = max(MERGED_ROWS, 2 * size)
    return merge(held) if held else None


def as_words(table: Any) -> tuple[list[IntArray], IntArray]:
    """Words and counts of a table of combinations."""
    arrays = [np.asarray(table[name].to_numpy(), np.int64) for name in table.column_names]
    return arrays[:-1], arrays[-1]
