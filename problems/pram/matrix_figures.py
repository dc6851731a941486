"""Figures of PRAM matrices when they are searched."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from anonopt._checks import check_choice
from anonopt._typing import FloatArray
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.evaluation.figures import LOSSES, MaskedFigures
from anonopt.evaluation.pram.expected_gradients import ExpectedGradients
from anonopt.evaluation.pram.pair_difference import PairDifference
from anonopt.evaluation.pram.pram_score import PRAMScore
from anonopt.measures import Measure
from anonopt.problems.pram.masked_table import MaskedTable

DIFFERENCE = "bivariate_difference"

FILE_FIGURES = frozenset(MaskedFigures._fields)
"""Figures of the files that matrices mask: their means, or their expectations."""


class MatrixFigures:
    """Computes the figures of matrices that are asked for, and no others.

    Parameters
    ----------
    measures : sequence of Measure of matrices
        What will be asked for, mostly.
    table : MaskedTable
        The file that is masked.
    crossed : column, optional
        The column, not masked, that bivariate counts are taken with.
    loss, accelerator, **drawing
        As in :class:`~anonopt.evaluation.PRAMScore`.

    Attributes
    ----------
    uses_files : bool
        Whether one of the measures is made of the losses and risks of masked files.

    Raises
    ------
    ValueError
        If a column is crossed with several masked columns, the bivariate difference and the
        crossed column do not go together, or an option is none of those there are.
    """

    def __init__(
        self,
        measures: Sequence[Measure],
        table: MaskedTable,
        crossed: Any = None,
        *,
        accelerator: Any,
        loss: str = "IL",
        **drawing: Any,
    ) -> None:
        names, columns = built_in_names(measures), table.columns
        _check_crossed(names, columns, crossed)
        check_choice("loss", loss, LOSSES)
        self.frequencies = table.frequencies
        self.uses_files = bool(names & FILE_FIGURES)
        # It counts the whole file, and for expected figures all combinations of categories.
        self._make_score: Callable[[], PRAMScore] = partial(
            PRAMScore, columns, accelerator=accelerator, loss=loss, **drawing
        )
        self._score = self._make_score() if self.uses_files else None
        self._pair: PairDifference | None = None
        if crossed is not None:
            other = CategoricalColumns.of(table.frame, columns=[crossed])
            self._pair = PairDifference(columns, other, **drawing)
        used = (self._score, self._pair)
        described = [None if one is None else one.describe() for one in used]
        self._description = repr([[counts.tolist() for counts in self.frequencies], *described])

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
        names = built_in_names(measures)
        if names & FILE_FIGURES:
            self._score = self._score or self._make_score()
            figures |= self._score.figures(matrices)._asdict()
        if self._pair is not None and DIFFERENCE in names:
            figures[DIFFERENCE] = self._pair.difference(matrices[0])
        return [
            figures[one.name]
            if one.from_matrices is None
            else one.one_number(one.from_matrices(matrices, self.frequencies))
            for one in measures
        ]

    def expected_gradients(self) -> ExpectedGradients:
        """Gradients of what matrices are expected to give, whether figures are drawn or not.

        Raises
        ------
        ValueError
            If there are too many combinations of categories.
        """
        evaluator = (self._score or self._make_score()).evaluator
        return ExpectedGradients(evaluator.plan, compiled=evaluator.compiled)

    def redrawn(self, occasion: int) -> MatrixFigures:
        """The same figures by other draws, see `PRAMScore.redrawn`."""
        twin = copy.copy(self)
        twin._make_score = lambda: self._make_score().redrawn(occasion)
        twin._score = None if self._score is None else self._score.redrawn(occasion)
        twin._pair = None if self._pair is None else self._pair.redrawn(occasion)
        twin._description = f"{self._description} redrawn {occasion}"
        return twin

    def describe(self) -> str:
        """Text of all that the figures depend on, for fingerprints."""
        return self._description


def built_in_names(measures: Sequence[Measure]) -> set[str]:
    """Names of the measures that come without a function of matrices."""
    return {one.name for one in measures if one.from_matrices is None}


def _check_crossed(names: set[str], columns: CategoricalColumns, crossed: Any) -> None:
    if (DIFFERENCE in names) != (crossed is not None):
        found = "none" if crossed is None else repr(crossed)
        raise ValueError(
            f"crossed: expected a column with the measure {DIFFERENCE!r}, and only with it, "
            f"found {found} with {sorted(names)}"
        )
    if crossed is not None and columns.n_columns != 1:
        raise ValueError(f"crossed: expected one masked column, found {list(columns.names)}")
