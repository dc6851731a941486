"""Figures of PRAM matrices when they are searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from anonopt._typing import FloatArray
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.evaluation.pram.pair_difference import PairDifference
from anonopt.evaluation.pram.pram_score import PRAMFigures, PRAMScore
from anonopt.measures import Measure
from anonopt.measures.categorical.expectation_ratios import posterior_probabilities

DIFFERENCE = "bivariate_difference"
SHARE = "expectation_share"


class MatrixFigures:
    """Computes the figures of matrices that are asked for, and no others.

    Parameters
    ----------
    columns : CategoricalColumns
        The masked columns.
    frequencies : sequence of float arrays (L,), one a column
        Records of the categories that matrices are over.
    crossed : CategoricalColumns of one column, or None
        What bivariate counts are taken with.
    seed, draws, common, expected, accelerator
        As in :class:`~anonopt.evaluation.PRAMScore`.

    Raises
    ------
    ValueError
        If a column is crossed with several masked columns.
    """

    def __init__(
        self,
        columns: CategoricalColumns,
        frequencies: Sequence[FloatArray],
        crossed: CategoricalColumns | None,
        *,
        seed: int,
        draws: int,
        common: bool,
        expected: bool,
        accelerator: Any,
    ) -> None:
        if crossed is not None and columns.n_columns != 1:
            raise ValueError(f"crossed: expected one masked column, found {list(columns.names)}")
        options: dict[str, Any] = {"draws": draws, "common": common, "expected": expected}
        self.frequencies = frequencies
        self._score = PRAMScore(columns, seed=seed, accelerator=accelerator, **options)
        self._pair: PairDifference | None = None
        if crossed is not None:
            self._pair = PairDifference(columns, crossed, seed=seed, **options)

    def values(self, matrices: Sequence[FloatArray], measures: Sequence[Measure]) -> list[float]:
        """Measures of matrices.

        Parameters
        ----------
        matrices : sequence of float arrays (L, L), one a column
        measures : sequence of Measure of matrices

        Returns
        -------
        list of float, one a measure
        """
        figures: dict[str, float] = {}
        names = {one.name for one in measures if one.from_matrices is None}
        if names & set(PRAMFigures._fields):
            figures |= self._score.figures(matrices)._asdict()
        if self._pair is not None and DIFFERENCE in names:
            figures[DIFFERENCE] = self._pair.difference(matrices[0])
        if SHARE in names:
            figures[SHARE] = self._expectation_share(matrices)
        return [
            figures[one.name]
            if one.from_matrices is None
            else float(one.from_matrices(matrices, self.frequencies))
            for one in measures
        ]

    def _expectation_share(self, matrices: Sequence[FloatArray]) -> float:
        shares = [
            posterior_probabilities(matrix, counts).diagonal() @ counts / counts.sum()
            for matrix, counts in zip(matrices, self.frequencies, strict=True)
        ]
        return 100 * float(np.mean(shares))

    def describe(self) -> str:
        """Text of all that the figures depend on, for fingerprints."""
        shares = [counts.tolist() for counts in self.frequencies]
        pair = None if self._pair is None else self._pair.describe()
        return repr([shares, self._score.describe(), pair])


def needs_score(measures: Sequence[Measure]) -> bool:
    """Whether one of the measures is made of the losses and risks of masked files."""
    return any(one.from_matrices is None and one.name in PRAMFigures._fields for one in measures)


def check_crossed(measures: Sequence[Measure], crossed: object) -> None:
    """Check that the bivariate difference and the crossed column go together.

    Raises
    ------
    ValueError
        If one is there without the other.
    """
    names = [one.name for one in measures]
    if (DIFFERENCE in names) != (crossed is not None):
        found = "none" if crossed is None else repr(crossed)
        raise ValueError(
            f"crossed: expected a column with the measure {DIFFERENCE!r}, and only with it, "
            f"found {found} with {names}"
        )
