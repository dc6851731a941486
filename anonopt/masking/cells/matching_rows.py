"""How many rows of a table each row matches, under both readings of a suppressed cell.

**Wildcard**: a cell that shows nothing matches every value, so two rows match if they agree in all
columns where both show a value. That is how ``freqCalc`` of the R package sdcMicro counts the
frequency of a key with missing values for ``alpha = 1``, where each match by a missing value
counts in full (Templ, Kowarik and Meindl 2015); with one difference: there, of several columns, a
row that lacks all of them is not counted for complete rows. Matching is not transitive: rows that
match the same row need not match each other.

**Value**: a suppressed cell equals other suppressed cells only, and rows match if they are equal:
the equivalence classes of :func:`anonopt.check`.

A row matches itself, so every count is at least 1.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import pandas as pd

from anonopt._checks import check_choice
from anonopt._typing import Accelerator, AnyIntArray, BoolArray, IntArray
from anonopt.data.grouping import group_rows
from anonopt.evaluation.accelerator import uses_numba
from anonopt.masking.cells.coded_cells import ABSENT, MATCHINGS, CodedCells, Matching


def matching_rows(
    frame: pd.DataFrame,
    columns: Sequence[Hashable] | None = None,
    *,
    matching: Matching = "wildcard",
    accelerator: Accelerator = "auto",
) -> pd.Series[int]:
    """Count the rows that each row of a table matches.

    Parameters
    ----------
    frame : DataFrame (n_rows, ...)
        Any table.
    columns : list of columns, optional
        What rows are compared on, by default all columns.
    matching : ``"wildcard"`` or ``"value"``
        ``"wildcard"``: a missing cell (None, NaN, NA, the text ``<missing>``) matches every value,
        and a row matches those that agree with it in all columns where both hold a value. ``*`` is
        a value like others. ``"value"``: missing cells are a value, ``*`` another one, and a row
        matches those that equal it.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``
        Whether the compiled kernel of the extra ``fast`` counts; the numbers are the same.

    Returns
    -------
    Series of int64 (n_rows,), of the index of the frame
        From 1 to n_rows; a row matches itself.

    Raises
    ------
    TypeError, ValueError
        If `frame` is no table with rows, a column is absent or named twice, or `matching` is
        neither.

    References
    ----------
    Templ, Kowarik and Meindl 2015, Statistical Disclosure Control for Micro-Data Using the R
    Package sdcMicro, Journal of Statistical Software 67(4); its function ``freqCalc``.

    Examples
    --------
    >>> frame = pd.DataFrame({"sex": ["f", "f", None], "zone": ["N", "S", "S"]})
    >>> matching_rows(frame).tolist()
    [1, 2, 2]
    >>> matching_rows(frame, matching="value").tolist()
    [1, 1, 1]
    """
    check_choice("matching", matching, MATCHINGS)
    cells = CodedCells.of(frame, columns, matching=matching)
    matches = wildcard_matches(cells.codes, cells.counts, accelerator=accelerator)
    return pd.Series(matches[cells.distinct_of_row], index=frame.index, name="matches")


def wildcard_matches(
    codes: AnyIntArray, counts: IntArray, *, accelerator: Accelerator = "auto"
) -> IntArray:
    """Rows that each distinct row matches, where code -1 matches everything.

    Parameters
    ----------
    codes : int array (n_distinct, n_columns)
        Distinct rows; of those with code -1 some may be equal.
    counts : int64 array (n_distinct,)
        Rows that are each of them.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``

    Returns
    -------
    int64 array (n_distinct,)
        At least `counts`.

    Examples
    --------
    >>> wildcard_matches(np.array([[0, 0], [0, 1], [-1, 1]]), np.array([1, 1, 3])).tolist()
    [1, 4, 4]
    """
    shows = codes != ABSENT
    if shows.all():
        return counts.astype(np.int64)
    if uses_numba(accelerator):
        from anonopt.masking.cells.kernel_matching import count_pairs

        return np.asarray(count_pairs(np.ascontiguousarray(codes, dtype=np.int32), counts))
    return _by_patterns(codes, counts, shows)


def _by_patterns(codes: AnyIntArray, counts: IntArray, shows: BoolArray) -> IntArray:
    """Counts from each pair of sets of columns that rows show.

    Rows of two sets are compared on the columns that both show, all of them at once.
    """
    _, pattern_of = np.unique(shows, axis=0, return_inverse=True)
    members = [
        np.flatnonzero(pattern_of.reshape(-1) == pattern) for pattern in range(pattern_of.max() + 1)
    ]
    found = np.zeros(len(codes), dtype=np.int64)
    for ours in members:
        for others in members:
            common = np.flatnonzero(shows[ours[0]] & shows[others[0]])
            found[ours] += _agreeing(
                codes[ours][:, common], codes[others][:, common], counts[others]
            )
    return found


def _agreeing(ours: AnyIntArray, others: AnyIntArray, counts: IntArray) -> IntArray:
    """Rows of others that equal each of ours."""
    if ours.shape[1] == 0:
        return np.full(len(ours), counts.sum())
    both = np.concatenate([ours, others])
    n_groups, group = group_rows(list(both.T), [int(column.max()) + 1 for column in both.T])
    sizes = np.zeros(n_groups, dtype=np.int64)
    np.add.at(sizes, group[len(ours) :], counts)
    return sizes[group[: len(ours)]]
