"""Descent of PRAM matrices in the loss and risk that they are expected to give.

Steps are those of exponentiated gradient descent (J. Kivinen, M. K. Warmuth, *Exponentiated
Gradient versus Gradient Descent for Linear Predictors*, Information and Computation 132, 1997):
each cell is multiplied by the exponential of its slope and each row divided by its sum, so rows
stay distributions, and a cell of 0 stays 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from anonopt._typing import FloatArray
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.evaluation.aim import Aim
from anonopt.evaluation.figures import MaskedFigures
from anonopt.evaluation.pram.expected_gradients import ExpectedGradients
from anonopt.evaluation.pram.pram_score import full_matrices

RATE, FASTER, SLOWER = 1.0, 1.6, 0.4
"""Length of the first step, in the exponent of the steepest cell, and what becomes of it after a
step that was kept and after one that was not."""

LEAST_CELL = 1e-9
"""Cells below it become 0."""

WIDTH = 1.0
"""Percentage points over which the slope goes over from the one to the other of loss and risk,
where the larger one counts."""


class MatrixDescent:
    """Moves PRAM matrices to less of an aim, without a draw.

    Parameters
    ----------
    columns : CategoricalColumns
        The original file.
    gradients : ExpectedGradients
        Of that file.
    loss : ``"IL"``, ``"DBIL"``, ``"CTBIL"`` or ``"EBIL"``
        What aims take for the loss.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.get_problem("german-pram", expected=True)
    >>> descent = MatrixDescent(problem.columns, problem.expected_gradients())
    >>> start = [matrix.probabilities for matrix in problem.matrices(problem.start)]
    >>> moved = descent.moved(start, Aim(loss=0.5, risk=0.5), n_steps=20)
    >>> found = problem.evaluate(problem.genome(moved)[np.newaxis])
    >>> bool(found.mean() < 20), float(problem.evaluate(problem.start[np.newaxis]).mean().round(1))
    (True, 33.8)
    """

    def __init__(
        self, columns: CategoricalColumns, gradients: ExpectedGradients, *, loss: str = "IL"
    ) -> None:
        self.columns, self.gradients, self.loss = columns, gradients, loss
        of_one = {name: MaskedFigures.of(**_only(name)) for name in _PARTS}
        self._loss = {name: getattr(figures, loss) for name, figures in of_one.items()}
        self._risk = {name: figures.DR for name, figures in of_one.items()}

    def moved(
        self, matrices: Sequence[npt.ArrayLike], aim: Aim, *, n_steps: int
    ) -> list[FloatArray]:
        """Matrices after so many steps, some of which may be taken back.

        Parameters
        ----------
        matrices : sequence of array_like (L, L), one a column
            As for `PRAMScore`. A cell of 0 stays 0.
        aim : Aim
        n_steps : int
            Each computes expected figures, and their gradient where the last step was kept.

        Returns
        -------
        list of float arrays (L, L), one a column
        """
        sizes = [len(np.asarray(matrix)) for matrix in matrices]
        present = full_matrices(self.columns, matrices)
        figures = self.gradients.figures(present)
        value, rate = self._value(figures, aim), RATE
        slopes = self._slopes(present, figures, aim)
        for _ in range(n_steps):
            tried = [
                _stepped(matrix, rate * slope)
                for matrix, slope in zip(present, slopes, strict=True)
            ]
            found = self.gradients.figures(tried)
            reached = self._value(found, aim)
            if reached < value:
                present, value, rate = tried, reached, rate * FASTER
                slopes = self._slopes(present, found, aim)
            else:
                rate *= SLOWER
        return [matrix[:size, :size] for matrix, size in zip(present, sizes, strict=True)]

    def _value(self, figures: MaskedFigures, aim: Aim) -> float:
        return aim.of(getattr(figures, self.loss), figures.DR)

    def _slopes(
        self, matrices: Sequence[FloatArray], figures: MaskedFigures, aim: Aim
    ) -> list[FloatArray]:
        """A record's slopes within each row, the steepest of all rows being 1."""
        ahead = (getattr(figures, self.loss) - figures.DR) / WIDTH
        share = 1 / (1 + math.exp(-max(min(ahead, 500.0), -500.0)))
        loss, risk = aim.loss + aim.larger * share, aim.risk + aim.larger * (1 - share)
        weights = {name: loss * self._loss[name] + risk * self._risk[name] for name in _PARTS}
        slopes = []
        for matrix, slope, counts in zip(
            matrices,
            self.gradients.gradients(matrices, weights),
            self.gradients.frequencies,
            strict=True,
        ):
            of_record = slope / np.maximum(counts, 1.0)[:, np.newaxis]
            slopes.append(of_record - (of_record * matrix).sum(axis=1, keepdims=True))
        steepest = max(float(np.abs(slope).max()) for slope in slopes) or 1.0
        return [slope / steepest for slope in slopes]


_PARTS = ("DBIL", "CTBIL", "EBIL", "ID", "DBRL", "PRL")
"""Figures that IL and DR are weighted sums of."""


def _only(name: str) -> dict[str, float]:
    return {part.lower(): float(part == name) for part in _PARTS}


def _stepped(matrix: FloatArray, slope: FloatArray) -> FloatArray:
    # The largest exponent of a row is 0: no row vanishes, whatever the rate. Cells of 0 would have
    # larger ones, which overflow.
    least = slope.min(axis=1, keepdims=True, where=matrix > 0, initial=np.inf)
    cells = matrix * np.exp(np.minimum(least - slope, 0.0))
    cells[cells < LEAST_CELL] = 0.0
    return np.asarray(cells / cells.sum(axis=1, keepdims=True))
