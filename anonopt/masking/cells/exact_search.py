"""The least weight of suppressed cells on small tables, by integer programming.

Both programs are solved by HiGHS (``scipy.optimize.milp``) to proven optimality.
"""

from __future__ import annotations

import numpy as np
import scipy

from anonopt._typing import BoolArray, FloatArray, IntArray
from anonopt.masking.cells.coded_cells import ABSENT, CodedCells
from anonopt.masking.cells.patterns import Patterns
from anonopt.masking.cells.value_search import ValueDecoder

MOST_PLACEMENTS = 20_000
"""Pairs of a distinct row and a group that a program by value may have."""

MOST_ROWS = 20
"""Distinct rows of a program by wildcard, which has a variable for each pair."""


def least_by_value(cells: CodedCells, k: int) -> BoolArray:
    """Suppressed cells of least weight where a suppressed cell is a value of its own.

    Candidates are the groups that hold k rows of the table, under every set of columns. Whole
    numbers tell how many rows of each distinct row are placed in each of its groups, and 0/1
    whether a group is there; one that is there holds k.

    Parameters
    ----------
    cells : CodedCells of n_rows
    k : int
        From 1 to n_rows.

    Returns
    -------
    bool array (n_rows, n_columns)

    Raises
    ------
    ValueError
        If the table has more than 9 columns, or more than 20,000 pairs of a distinct row and a
        group that could hold it.
    RuntimeError
        If the solver finds no proven optimum.
    """
    patterns = Patterns.of(cells, k)
    held = patterns.rows_of_groups(cells.counts)
    places, rows = np.nonzero(held[patterns.group_of] >= k)
    _check_size("columns of the table", cells.n_columns, 9 if not patterns.is_complete else None)
    _check_size("pairs of a distinct row and a group", len(rows), MOST_PLACEMENTS)
    wanted, group = np.unique(patterns.group_of[places, rows], return_inverse=True)
    n_pairs, n_groups = len(rows), len(wanted)
    pairs, groups = np.arange(n_pairs), np.arange(n_groups)
    here = cells.counts[rows]
    # All rows placed; a group that is there holds k; nothing is placed in one that is not.
    placed = _matrix((np.ones(n_pairs), rows, pairs), len(cells.codes), n_pairs + n_groups)
    filled = _matrix(
        (np.ones(n_pairs), group, pairs), n_groups, n_pairs + n_groups,
        (np.full(n_groups, -float(k)), groups, n_pairs + groups),
    )  # fmt: skip
    opened = _matrix(
        (np.ones(n_pairs), pairs, pairs), n_pairs, n_pairs + n_groups,
        (-here.astype(float), pairs, n_pairs + group),
    )  # fmt: skip
    found = scipy.optimize.milp(
        np.concatenate([patterns.weights[places], np.zeros(n_groups)]),
        constraints=[
            scipy.optimize.LinearConstraint(placed, cells.counts, cells.counts),
            scipy.optimize.LinearConstraint(filled, 0, np.inf),
            scipy.optimize.LinearConstraint(opened, -np.inf, 0),
        ],
        integrality=np.ones(n_pairs + n_groups, dtype=np.int64),
        bounds=scipy.optimize.Bounds(0, np.concatenate([here, np.ones(n_groups)])),
        options={"mip_rel_gap": 0},
    )
    n_placed = np.rint(_solution(found)[:n_pairs]).astype(np.int64)
    chosen = np.column_stack([rows, places, n_placed])[n_placed > 0]
    return ValueDecoder(cells, patterns, k, accelerator="numpy").mask(chosen)


def least_by_wildcard(cells: CodedCells, k: int) -> BoolArray:
    """Suppressed cells of least weight where a suppressed cell matches every value.

    A number 0 or 1 tells whether a cell is suppressed, and one for each pair of rows whether they
    match: at most 1, and at most the sum of their two cells in each column in which they differ.
    The optimum is no protection, as emptied rows match everything: see
    `anonopt.masking.cells.wildcard_search`. It shows how far this reading goes, and what a search
    could reach at best.

    Parameters
    ----------
    cells : CodedCells of n_rows
        With code -1 for missing cells.
    k : int
        From 1 to n_rows.

    Returns
    -------
    bool array (n_rows, n_columns)
        Suppressed cells, those that were missing not included.

    Raises
    ------
    ValueError
        If the table has more than 20 rows.
    RuntimeError
        If the solver finds no proven optimum.
    """
    _check_size("rows of the table", cells.n_rows, MOST_ROWS)
    codes = cells.codes[cells.distinct_of_row]
    n_rows, n_columns = codes.shape
    one, other = np.triu_indices(n_rows, 1)
    n_cells, n_pairs = codes.size, len(one)
    n_variables = n_cells + n_pairs
    differ = (codes[one] != codes[other]) & (codes[one] >= 0) & (codes[other] >= 0)
    pair, column = np.nonzero(differ)
    each = np.arange(len(pair))
    ones = np.ones(len(pair))
    allowed = _matrix(
        (ones, each, n_cells + pair), len(pair), n_variables,
        (-ones, each, one[pair] * n_columns + column),
        (-ones, each, other[pair] * n_columns + column),
    )  # fmt: skip
    every = np.arange(n_pairs)
    matched = _matrix(
        (np.ones(n_pairs), one, n_cells + every), n_rows, n_variables,
        (np.ones(n_pairs), other, n_cells + every),
    )  # fmt: skip
    constraints = [scipy.optimize.LinearConstraint(matched, k - 1, np.inf)] if n_pairs else []
    if len(pair):
        constraints.append(scipy.optimize.LinearConstraint(allowed, -np.inf, 0))
    found = scipy.optimize.milp(
        np.concatenate([np.tile(cells.weights, n_rows), np.zeros(n_pairs)]),
        constraints=constraints,
        integrality=np.repeat([1, 0], [n_cells, n_pairs]),
        bounds=scipy.optimize.Bounds(
            0, np.concatenate([(codes != ABSENT).reshape(-1), np.ones(n_pairs)])
        ),
        options={"mip_rel_gap": 0},
    )
    return np.asarray(_solution(found)[:n_cells].reshape(codes.shape) > 0.5)


def _matrix(
    first: tuple[FloatArray, IntArray, IntArray],
    n_rows: int,
    n_columns: int,
    *more: tuple[FloatArray, IntArray, IntArray],
) -> scipy.sparse.csc_array:
    """Sparse matrix of values with their rows and columns."""
    values, rows, columns = (np.concatenate(parts) for parts in zip(first, *more, strict=True))
    return scipy.sparse.coo_array((values, (rows, columns)), shape=(n_rows, n_columns)).tocsc()


def _check_size(what: str, found: int, most: int | None) -> None:
    if most is not None and found > most:
        raise ValueError(
            f"search: expected a small table for 'exact', at most {most:,} {what}, found {found:,}"
        )


def _solution(found: scipy.optimize.OptimizeResult) -> FloatArray:
    if found.status != 0:
        raise RuntimeError(f"HiGHS: expected a proven optimum, found: {found.message}")
    return np.asarray(found.x, dtype=np.float64)
