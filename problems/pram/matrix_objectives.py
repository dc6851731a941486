"""What PRAM matrices are judged by when they are searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from anonopt._typing import FloatArray
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.evaluation.pram.pair_difference import PairDifference
from anonopt.evaluation.pram.pram_score import PRAMFigures, PRAMScore
from anonopt.measures.categorical.expectation_ratios import posterior_probabilities

DIFFERENCE = "bivariate_difference"
SHARE = "expectation_share"
OBJECTIVES = (*PRAMFigures._fields, DIFFERENCE, SHARE)
"""What can be an objective, all minimized percentages."""

OBSERVED = ("IL", "DR")
"""Figures that are known of every candidate if one of the figures is an objective."""


class MatrixJudge:
    """Computes the figures that objectives ask for, and no others.

    Parameters
    ----------
    objectives : sequence of str
        Of `OBJECTIVES`.
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
    TypeError
        If the objectives are a single text.
    ValueError
        If an objective is unknown, or the bivariate difference is asked for without a crossed
        column, or the other way round, or with several masked columns.
    """

    def __init__(
        self,
        objectives: Sequence[str],
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
        _check(objectives, columns, crossed)
        options: dict[str, Any] = {"draws": draws, "common": common, "expected": expected}
        self._frequencies = frequencies
        self._share = SHARE in objectives
        self._score: PRAMScore | None = None
        self._pair: PairDifference | None = None
        if set(objectives) & set(PRAMFigures._fields):
            self._score = PRAMScore(columns, seed=seed, accelerator=accelerator, **options)
        if crossed is not None:
            self._pair = PairDifference(columns, crossed, seed=seed, **options)

    @property
    def observed(self) -> tuple[str, ...]:
        """Figures that are known of every candidate, whatever the objectives."""
        return OBSERVED if self._score is not None else ()

    def figures(self, matrices: Sequence[FloatArray]) -> dict[str, float]:
        """Figures of matrices, one a column, by name."""
        figures: dict[str, float] = {}
        if self._score is not None:
            figures |= self._score.figures(matrices)._asdict()
        if self._pair is not None:
            figures[DIFFERENCE] = self._pair.difference(matrices[0])
        if self._share:
            shares = [
                posterior_probabilities(matrix, counts).diagonal() @ counts / counts.sum()
                for matrix, counts in zip(matrices, self._frequencies, strict=True)
            ]
            figures[SHARE] = 100 * float(np.mean(shares))
        return figures

    def describe(self) -> str:
        """Text of all that the figures depend on, for fingerprints."""
        judges = (self._score, self._pair)
        shares = [counts.tolist() for counts in self._frequencies]
        return repr([shares, *(None if judge is None else judge.describe() for judge in judges)])


def _check(
    objectives: Sequence[str], columns: CategoricalColumns, crossed: CategoricalColumns | None
) -> None:
    if isinstance(objectives, str):
        raise TypeError(f"objectives: expected a list of names, found {objectives!r}")
    for name in objectives:
        if name not in OBJECTIVES:
            raise ValueError(f"objectives: expected names among {OBJECTIVES}, found {name!r}")
    if (DIFFERENCE in objectives) != (crossed is not None):
        found = "none" if crossed is None else repr(crossed.names[0])
        raise ValueError(
            f"crossed: expected a column with the objective {DIFFERENCE!r}, and only with it; "
            f"found {found} with {list(objectives)}"
        )
    if crossed is not None and columns.n_columns != 1:
        raise ValueError(f"crossed: expected one masked column, found {list(columns.names)}")
