"""Searches for few suppressed cells where a suppressed cell matches every value.

Only rows that lack matches lose cells, and each loses what gives it k matches. The least number of
suppressed cells altogether is another thing, and no protection: a row without any cell matches
every row, so k - 1 emptied rows give k matches to all others, which stay as they were, unique ones
too (Gionis, Mazza and Tassa 2008, on (1,k)-anonymity). See
:func:`anonopt.masking.cells.exact_search.least_by_wildcard`.
"""

from __future__ import annotations

import numpy as np

from anonopt._typing import Accelerator, BoolArray, CodeArray, FloatArray, IntArray
from anonopt.masking.cells.coded_cells import ABSENT, CodedCells
from anonopt.masking.cells.matching_rows import wildcard_matches
from anonopt.masking.cells.patterns import importance_order, nearest_sets, weights_of

LOOKED_THROUGH = 12
"""Columns of which every set is looked at: 4096 sets a row."""


def importance_by_wildcard(
    cells: CodedCells, k: int, *, accelerator: Accelerator = "auto"
) -> BoolArray:
    """Suppress cell by cell in the rows that lack matches, after ``kAnon`` of sdcMicro.

    In rounds, until no row lacks matches: each row that does loses one cell, rows with the fewest
    matches first (of equal ones the first). It is looked for among the rows that differ from it in
    the fewest columns, but at least one: the least important column in which one of them differs
    (``order(importance)`` in ``suppSubset`` of sdcMicro's ``localSuppression.R``). Equal rows
    lose the same cells, which sdcMicro does not promise.

    Parameters
    ----------
    cells : CodedCells of n_rows
        With code -1 for missing cells.
    k : int
        From 1 to n_rows.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``

    Returns
    -------
    bool array (n_rows, n_columns)
        Suppressed cells, those that were missing not included.
    """
    codes, order = cells.codes.copy(), importance_order(cells)
    while True:
        matches = wildcard_matches(codes, cells.counts, accelerator=accelerator)
        lacking = np.flatnonzero(matches < k)
        if not len(lacking):
            return _mask(cells, codes)
        for row in lacking[np.argsort(matches[lacking], kind="stable")]:
            differ = _differences(codes, int(row))
            n_differ = differ.sum(axis=1)
            if not n_differ.any():
                # All others match by now, by what rows before it have lost.
                continue
            nearest = differ[n_differ == n_differ[n_differ > 0].min()].any(axis=0)
            codes[row, order[nearest[order]][0]] = ABSENT


def greedy_by_wildcard(
    cells: CodedCells,
    k: int,
    *,
    factors: FloatArray | None = None,
    order: IntArray | None = None,
    accelerator: Accelerator = "auto",
) -> BoolArray:
    """Suppress in each row that lacks matches the cheapest set of cells that gives it k.

    One row after the other, those with the fewest matches first; a row counts the matches that
    rows before it have opened to it. Of up to 12 columns every set is looked at, and of equally
    cheap ones the first is taken; of more, the cells that make the row match the nearest one on
    top of the set so far, until there are k.

    Parameters
    ----------
    cells : CodedCells of n_rows
        With code -1 for missing cells.
    k : int
        From 1 to n_rows.
    factors : float array (n_columns,), optional
        By which weights count in what is cheap; all 1 by default.
    order : int64 array (n_distinct,), optional
        Distinct rows in the order in which they are looked at.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``

    Returns
    -------
    bool array (n_rows, n_columns)
        Suppressed cells, those that were missing not included.
    """
    codes = cells.codes.copy()
    weights = cells.weights if factors is None else cells.weights * factors
    if order is None:
        matches = wildcard_matches(codes, cells.counts, accelerator=accelerator)
        order = np.argsort(matches, kind="stable")
        order = order[matches[order] < k]
    is_small = cells.n_columns <= LOOKED_THROUGH
    sets = _sets_by_weight(weights) if is_small else np.zeros(0, dtype=np.int64)
    for row in order:
        differ = _differences(codes, int(row))
        if cells.counts[~differ.any(axis=1)].sum() >= k:
            continue
        if is_small:
            chosen = _cheapest_set(differ, cells.counts, k, sets)
        else:
            chosen = nearest_sets(codes, cells.counts, int(row), weights, k)[-1]
        codes[row, chosen] = ABSENT
    return _mask(cells, codes)


def _differences(codes: CodeArray, row: int) -> BoolArray:
    """Columns in which each distinct row does not match one of them, (n_distinct, n_columns)."""
    ours = codes[row]
    return np.asarray((codes != ours) & (codes >= 0) & (ours >= 0))


def _sets_by_weight(weights: FloatArray) -> IntArray:
    """All sets of columns as numbers whose bits are the columns, the cheapest ones first."""
    numbers = np.arange(1 << len(weights))
    bits = (numbers[:, np.newaxis] >> np.arange(len(weights))) & 1
    return np.argsort(weights_of(bits.astype(bool), weights), kind="stable")


def _cheapest_set(differ: BoolArray, counts: IntArray, k: int, sets: IntArray) -> BoolArray:
    """Cheapest set of columns outside of which k rows do not differ."""
    n_columns = differ.shape[1]
    numbers = differ @ (1 << np.arange(n_columns))
    within = np.bincount(numbers, weights=counts, minlength=1 << n_columns)
    # Rows that differ within a set: the sum over its subsets, one column at a time.
    for column in range(n_columns):
        halves = within.reshape(-1, 2, 1 << column)
        halves[:, 1] += halves[:, 0]
    found = sets[np.argmax(within[sets] >= k)]
    return np.asarray(((found >> np.arange(n_columns)) & 1).astype(bool))


def _mask(cells: CodedCells, codes: CodeArray) -> BoolArray:
    suppressed = (codes == ABSENT) & (cells.codes != ABSENT)
    return np.asarray(suppressed[cells.distinct_of_row])
