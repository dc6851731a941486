"""Gradients of the loss and risk that PRAM matrices are expected to give."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import scipy

from anonopt._typing import FloatArray
from anonopt.evaluation.pram.expected_counts import (
    agreement_tables,
    changed_and_kept,
    masked_axis,
    masked_counts,
)
from anonopt.evaluation.pram.expected_figures import ExpectedFigures
from anonopt.measures.categorical.information_loss import contingency_loss
from anonopt.measures.categorical.interval_disclosure import WIDTHS

LEAST_VARIANCE = 1e-2
"""Variance of a masked count, in records, below which its deviation is taken as constant: the
slope of a deviation is infinite where nothing varies."""

LEAST_CHANCE = 1e-12
"""Share of a masked category below which the slope of its entropy is taken as constant."""


class ExpectedGradients(ExpectedFigures):
    """Expected figures, and how they change with each cell of each matrix.

    Cells are taken as free; what matters is their difference within a row. The order of agreement
    patterns of PRL, a step function, is taken as constant. Near matrices that change nothing the
    slopes of CTBIL and EBIL are infinite and are bounded.

    Parameters and errors as of `ExpectedFigures`.

    Examples
    --------
    >>> import anonopt as ao
    >>> from anonopt.evaluation import MaskingEvaluator
    >>> german = ao.data.masking_set("german").categorical
    >>> expected = ExpectedGradients(MaskingEvaluator(german).plan)
    >>> uniform = [np.full((n, n), 1 / n) for n in german.n_categories]
    >>> slopes = expected.gradients(uniform, {"DBIL": 1.0})
    >>> slopes[0].diagonal().tolist(), bool((slopes[0] >= 0).all())
    ([0.0, 0.0, 0.0, 0.0], True)
    """

    def gradients(
        self, matrices: Sequence[FloatArray], weights: dict[str, float]
    ) -> list[FloatArray]:
        """Gradient of a weighted sum of figures.

        Parameters
        ----------
        matrices : sequence of float arrays (L, L), one a column
        weights : dict of str to float
            Of DBIL, CTBIL, EBIL, ID, DBRL, PRL; 0 where one is missing.

        Returns
        -------
        list of float arrays (L, L), one a column
        """
        total = self._column_slopes(matrices, weights)
        for name, slopes in (
            ("CTBIL", self._contingency_slopes),
            ("DBRL", self._distance_slopes),
            ("PRL", self._probabilistic_slopes),
        ):
            weight = weights.get(name, 0.0)
            if weight:
                for sum_, part in zip(total, slopes(matrices), strict=True):
                    sum_ += weight * part
        return total

    def _column_slopes(
        self, matrices: Sequence[FloatArray], weights: dict[str, float]
    ) -> list[FloatArray]:
        """Those of DBIL, EBIL and ID, each a mean over the columns of what one decides."""
        plan, static, slopes = self._plan, self._static, []
        for j, (matrix, counts) in enumerate(zip(matrices, self._marginals, strict=True)):
            part, size = slice(static.joint_starts[j], static.joint_starts[j + 1]), len(counts)
            steps = static.steps[part].reshape(size, size) / plan.distances.scales[j]
            hits = static.hits[part].reshape(size, size) / WIDTHS
            cell = weights.get("DBIL", 0.0) * steps + weights.get("ID", 0.0) * hits
            if size > 1 and weights.get("EBIL", 0.0):
                cell = cell + weights["EBIL"] * _surprise(matrix, counts) / math.log(size)
            slopes.append(100 * counts[:, np.newaxis] * cell / (plan.n_rows * plan.n_columns))
        return slopes

    def _contingency_slopes(self, matrices: Sequence[FloatArray]) -> list[FloatArray]:
        plan = self._plan
        slopes = [np.zeros_like(matrix) for matrix in matrices]
        for table, subset in zip(self._tables, plan.subsets, strict=True):
            chosen = [matrices[j] for j in subset]
            squares = [matrix * matrix for matrix in chosen]
            mean = masked_counts(table, chosen)
            variance = np.maximum(mean - masked_counts(table, squares), LEAST_VARIANCE)
            deviation = np.sqrt(variance)
            z = (mean - table) / deviation
            by_variance = np.exp(-z * z / 2) / (deviation * math.sqrt(2 * math.pi))
            by_mean = scipy.special.erf(z / math.sqrt(2)) + by_variance
            for place, j in enumerate(subset):
                slopes[j] += _count_slope(table, chosen, place, by_mean)
                slopes[j] -= 2 * chosen[place] * _count_slope(table, squares, place, by_variance)
        one = contingency_loss(1.0, len(plan.subsets), plan.n_rows, n_cells=plan.n_cells)
        return [one * slope for slope in slopes]

    def _distance_slopes(self, matrices: Sequence[FloatArray]) -> list[FloatArray]:
        chances = [
            matrix[originals, masked]
            for matrix, originals, masked in zip(
                matrices, self._originals, self._masked, strict=True
            )
        ]
        slopes = []
        for j, matrix in enumerate(matrices):
            others = self._weights.copy()
            for i, chance in enumerate(chances):
                if i != j:
                    others *= chance
            cells = self._originals[j] * len(matrix) + self._masked[j]
            sums = np.bincount(cells, others, minlength=matrix.size)
            slopes.append(100 * sums.reshape(matrix.shape) / self._plan.n_rows)
        return slopes

    def _probabilistic_slopes(self, matrices: Sequence[FloatArray]) -> list[FloatArray]:
        levels = agreement_tables(self._counts, matrices)
        agreement = np.stack([table.ravel() for table in levels[-1]], axis=1)
        is_best, links = self._links(agreement)
        worth = np.where(is_best, 1 / links.ties[links.tie_rank][:, np.newaxis], 0.0)
        grown = [column.reshape(self._counts.shape) for column in worth.T]
        slopes: list[FloatArray] = []
        for axis in range(len(matrices) - 1, -1, -1):
            tables = levels[axis]
            parts = changed_and_kept(matrices[axis])
            halves = grown[: len(tables)], grown[len(tables) :]
            by_part = [
                sum(
                    _axis_slope(table, axis, above)
                    for table, above in zip(tables, half, strict=True)
                )
                for half in halves
            ]
            slope = np.array(by_part[0])
            np.fill_diagonal(slope, np.diagonal(by_part[1]))
            slopes.insert(0, 100 * slope / self._plan.n_rows)
            grown = [
                masked_axis(changed, axis, parts[0].T) + masked_axis(kept, axis, parts[1].T)
                for changed, kept in zip(*halves, strict=True)
            ]
        return slopes


def _surprise(matrix: FloatArray, counts: FloatArray) -> FloatArray:
    """Nats by which a masked category leaves the original unknown, for each cell."""
    joint = counts[:, np.newaxis] * matrix
    seen = np.maximum(joint.sum(axis=0), LEAST_CHANCE)
    return np.asarray(-np.log(np.maximum(joint / seen, LEAST_CHANCE)))


def _count_slope(
    counts: FloatArray, matrices: Sequence[FloatArray], axis: int, slope: FloatArray
) -> FloatArray:
    """Slope by the matrix of one axis of masked counts, given that by the masked counts."""
    others = [np.eye(len(m)) if i == axis else m for i, m in enumerate(matrices)]
    return _axis_slope(masked_counts(counts, others), axis, slope)


def _axis_slope(before: FloatArray, axis: int, slope: FloatArray) -> FloatArray:
    axes = [i for i in range(before.ndim) if i != axis]
    return np.asarray(np.tensordot(before, slope, (axes, axes)))
