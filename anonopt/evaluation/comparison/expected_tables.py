"""Contingency tables of a generalized file as they are expected, beside those of its original."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.evaluation.comparison.generalized_columns import GeneralizedColumn


def expected_difference(columns: Sequence[GeneralizedColumn]) -> float:
    """Sum over the cells of a table of one or two columns of ``|original - expected count|``.

    A masked record counts for each combination of values under its labels by the product of
    their shares: of the originals with a value under the label, those that have this one; each
    value alike where no original is under the label.

    Expected counts add up to the rows, so cells without originals need not be visited: the sum is
    the number of rows plus the sum over the other cells of ``|n - e| - e``.

    Parameters
    ----------
    columns : one or two of GeneralizedColumn

    Returns
    -------
    float
        0..2 * n_rows.
    """
    keys = columns[0].original
    for column in columns[1:]:
        keys = keys * column.n_values + column.original
    cells, counts = np.unique(keys, return_counts=True)
    values = _parts(cells, [column.n_values for column in columns])
    expected = _expected(columns, cells, values)
    return float(len(keys) + (np.abs(counts - expected) - expected).sum())


def _expected(
    columns: Sequence[GeneralizedColumn], cells: IntArray, values: list[IntArray]
) -> FloatArray:
    """Expected masked records in some cells, (n_cells,)."""
    keys = columns[0].masked
    for column in columns[1:]:
        keys = keys * len(column.runs) + column.masked
    pairs, rows = np.unique(keys, return_counts=True)
    labels = _parts(pairs, [len(column.runs) for column in columns])
    # Records of single values are counted as they are, so nothing is rounded there.
    is_point = np.logical_and.reduce(
        [column.n_covered[label] == 1 for column, label in zip(columns, labels, strict=True)]
    )
    expected = np.zeros(len(cells))
    point = np.zeros(int(is_point.sum()), dtype=np.int64)
    for column, label in zip(columns, labels, strict=True):
        point = point * column.n_values + _first_code(column, label[is_point])
    place = np.searchsorted(cells, point)
    inside = place < len(cells)
    inside[inside] = cells[place[inside]] == point[inside]
    np.add.at(expected, place[inside], rows[is_point][inside])
    others = ~is_point
    if others.any():
        weights = rows[others].astype(np.float64)
        for column, label in zip(columns, labels, strict=True):
            total = column.weights[label[others]]
            # Labels over no original reach no cell that is asked for.
            weights *= np.divide(1.0, total, out=np.zeros(len(total)), where=total > 0)
        spread = _spread(columns, [label[others] for label in labels], weights, values)
        for column, value in zip(columns, values, strict=True):
            spread *= column.counts[value]
        expected += spread
    return expected


def _spread(
    columns: Sequence[GeneralizedColumn],
    labels: list[IntArray],
    weights: FloatArray,
    values: list[IntArray],
) -> FloatArray:
    """Sum of the weights of the label combinations that cover cells, (n_cells,)."""
    axes = [_Axis(column, label) for column, label in zip(columns, labels, strict=True)]
    at = [axis.atom(value) for axis, value in zip(axes, values, strict=True)]
    found = np.zeros(len(values[0]))
    if len(axes) == 1:
        steps = np.zeros(axes[0].n_atoms + 1)
        for place, sign, part in axes[0].corners(np.arange(len(weights))):
            np.add.at(steps, place, sign * weights[part])
        return np.asarray(np.cumsum(steps)[at[0]])
    first, second = axes
    corners = [
        (place, other, sign * other_sign * weights[chosen])
        for place, sign, part in first.corners(np.arange(len(weights)))
        for other, other_sign, chosen, place in second.corners_of(part, place)
    ]
    rows, columns_, steps = (np.concatenate(parts) for parts in zip(*corners, strict=True))
    order = np.argsort(rows, kind="stable")
    rows, columns_, steps = rows[order], columns_[order], steps[order]
    by_cell = np.lexsort((at[1], at[0]))
    corner_ends, cell_ends = (
        np.searchsorted(keys, np.arange(first.n_atoms + 1)).tolist()
        for keys in (rows, at[0][by_cell])
    )
    row = np.zeros(second.n_atoms + 1)
    for atom in range(first.n_atoms):
        corner = slice(*corner_ends[atom : atom + 2])
        np.add.at(row, columns_[corner], steps[corner])
        cells = by_cell[slice(*cell_ends[atom : atom + 2])]
        if len(cells):
            found[cells] = _sums_up_to(row, at[1][cells])
    return found


def _sums_up_to(row: FloatArray, places: IntArray) -> FloatArray:
    """Sum of a row up to each of some places, which are in ascending order."""
    ends, position = np.unique(places, return_inverse=True)
    starts = np.concatenate([[0], ends[:-1] + 1])
    parts = np.add.reduceat(row[: ends[-1] + 1], starts)
    return np.asarray(np.cumsum(parts)[position])


class _Axis:
    """Values of a column, those together that all labels cover alike."""

    def __init__(self, column: GeneralizedColumn, labels: IntArray) -> None:
        label, start, stop = column.flat_runs
        used = np.isin(label, labels)
        self._label, start, stop = label[used], start[used], stop[used]
        self._edges = np.unique(np.concatenate([[0], start, stop]))
        self._start, self._stop = (np.searchsorted(self._edges, codes) for codes in (start, stop))
        self.n_atoms = len(self._edges)
        self._labels = labels

    def atom(self, values: IntArray) -> IntArray:
        """Atom of each value."""
        return np.asarray(np.searchsorted(self._edges, values, side="right") - 1)

    def corners(self, part: IntArray) -> Iterator[tuple[IntArray, int, IntArray]]:
        """Atoms where labels begin (sign 1) and end (sign -1), and which of the labels."""
        first = np.searchsorted(self._label, self._labels[part])
        last = np.searchsorted(self._label, self._labels[part], side="right")
        for i in range(int((last - first).max(initial=0))):
            has = np.flatnonzero(last - first > i)
            run = first[has] + i
            yield self._start[run], 1, part[has]
            yield self._stop[run], -1, part[has]

    def corners_of(
        self, part: IntArray, place: IntArray
    ) -> Iterator[tuple[IntArray, int, IntArray, IntArray]]:
        """The same of some labels, with what stands beside each of them."""
        beside = np.zeros(len(self._labels), dtype=np.int64)
        beside[part] = place
        for other, sign, chosen in self.corners(part):
            yield other, sign, chosen, beside[chosen]


def _first_code(column: GeneralizedColumn, labels: IntArray) -> IntArray:
    label, start, _ = column.flat_runs
    return start[np.searchsorted(label, labels)]


def _parts(keys: IntArray, radices: Sequence[int]) -> list[IntArray]:
    """Columns that keys were packed from."""
    if len(radices) == 1:
        return [keys]
    return list(np.divmod(keys, radices[1]))
