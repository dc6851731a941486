"""Groups of records of which some lack numbers: by pattern, what is missing in each record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from anonopt._progress import stage
from anonopt._typing import FloatArray, IntArray
from anonopt.data.grouping import group_rows
from anonopt.masking.groups.distances import category_distances_to
from anonopt.masking.groups.records import RecordColumn, Records, described_rows


class Pattern(NamedTuple):
    """The rows that lack the same numbers.

    Attributes
    ----------
    rows : int64 array
    columns : tuple of RecordColumn
        The columns they have, over all rows; categories of any column count as had, since a
        missing cell is one of them.
    """

    rows: IntArray
    columns: tuple[RecordColumn, ...]


def missing_patterns(records: Records) -> list[Pattern]:
    """Part records by the continuous columns in which they have no number.

    Returns
    -------
    list of Pattern
        In the order of their first rows. Rows that show nothing at all are in none.
    """
    lacking = [column for column in records.columns if column.lacks_numbers]
    if not lacking:
        return [Pattern(np.arange(records.n_rows), records.columns)]
    gaps = [column.is_missing.astype(np.int64) for column in lacking]
    _, pattern = group_rows(gaps, [2] * len(gaps))
    _, first = np.unique(pattern, return_index=True)
    patterns = []
    for number in np.argsort(first):
        gone = {column.name for column in lacking if column.is_missing[first[number]]}
        columns = tuple(column for column in records.columns if column.name not in gone)
        if columns:
            patterns.append(Pattern(np.flatnonzero(pattern == number), columns))
    return patterns


def check_patterns(records: Records, k: int) -> None:
    """Refuse patterns of fewer than k rows.

    Raises
    ------
    ValueError
        If there is one; names the columns that it lacks and its rows.
    """
    for rows, columns in missing_patterns(records):
        if len(rows) < k:
            chosen = np.zeros(records.n_rows, dtype=bool)
            chosen[rows] = True
            kept = {column.name for column in columns}
            gone = [column.name for column in records.columns if column.name not in kept]
            raise ValueError(
                f"k: expected at least {k} rows with each pattern of missing numbers, found "
                f"{described_rows(chosen)} that lack {gone or 'none'} and have "
                f"{[column.name for column in columns]}: no others could look like them (blank "
                f"cells of theirs or of other rows, mask the columns one by one, take fewer, or "
                f"allow_rare_missing lets them through)"
            )


def groups_by_pattern(
    records: Records, k: int, group: Callable[[Records, int], IntArray], *, allow_rare: bool
) -> IntArray:
    """Group records that lack the same numbers, each pattern as a table of its own.

    So a record cannot be told from the others of its group by what is missing. Rows that show
    none of the columns are one group, however few they are: nothing is there to tell them by.

    Parameters
    ----------
    records : Records of n_rows
    k : int
    group : callable
        Groups of the rows of records without missing numbers, such as ``mdav_groups``.
    allow_rare : bool
        What becomes of patterns of fewer than k rows: refused, or each row joins the group of
        the record nearest to it on what it has, among those of other patterns that have at least
        that. Distances are those of MDAV, with the standard deviations of the table; of equally
        near ones the lowest row; time grows with such rows times all. Then k records or more share
        whatever a record shows, but what it lacks may tell it.

    Returns
    -------
    int64 array (n_rows,)
        Numbered from 0 without gaps.

    Raises
    ------
    ValueError
        As :func:`~anonopt.masking.groups.missing_patterns.check_patterns`; or, with
        `allow_rare`, if fewer than k rows have what a record has.
    """
    if not any(column.lacks_numbers for column in records.columns):
        return group(records, k)
    if not allow_rare:
        check_patterns(records, k)
    patterns = missing_patterns(records)
    groups = np.full(records.n_rows, -1, dtype=np.int64)
    n_groups = n_done = 0
    for rows, columns in patterns:
        if len(rows) >= k:
            with stage(n_done / records.n_rows, (n_done + len(rows)) / records.n_rows):
                groups[rows] = group(records.part(rows, columns), k) + n_groups
            n_groups = int(groups.max()) + 1
        n_done += len(rows)
    for row, source in _joined(records, patterns, k):
        groups[row] = groups[source]
    groups[groups < 0] = n_groups
    return groups


def _joined(records: Records, patterns: Sequence[Pattern], k: int) -> Iterator[tuple[int, int]]:
    """Each row of a rare pattern, and the row whose group it joins."""
    for rows, columns in patterns:
        if len(rows) >= k:
            continue
        names = {column.name for column in columns}
        parts = [
            other.rows
            for other in patterns
            if len(other.rows) >= k and names <= {column.name for column in other.columns}
        ]
        if not parts:
            raise ValueError(
                f"k: expected {k} rows that have at least the columns "
                f"{[column.name for column in columns]}, found none for row {rows[0]}, counted "
                f"from 0 (blank cells of that row, or mask fewer columns)"
            )
        others = np.sort(np.concatenate(parts))
        for row in rows.tolist():
            distances = sum((_squares(column, others, row) for column in columns), np.zeros(1))
            yield row, int(others[np.argmin(distances)])


def _squares(column: RecordColumn, rows: IntArray, row: int) -> FloatArray:
    """Squared distance of some rows to another, on a column that all have."""
    if column.kind != "continuous":
        return category_distances_to(column, column.values[rows], int(column.values[row])) ** 2
    present = column.values[~column.is_missing]
    spread = present.std() if present.min() < present.max() else 1.0
    return np.asarray(((column.values[rows] - column.values[row]) / spread) ** 2)
