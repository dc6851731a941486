"""Equations of PRAM matrices as genomes: the search for one that masks a whole file well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray, FloatArray, RandomState
from anonopt.data.columns.markov import MarkovMatrix
from anonopt.data.columns.masked_columns import MaskingSet
from anonopt.evaluation.pram.pram_score import DRAWS
from anonopt.masking.equations.interpreter import equation_matrix
from anonopt.measures import Measure, get_measure
from anonopt.problems.measured import Columns, MeasuredProblem, columns_of
from anonopt.problems.pram.masked_table import MaskedTable
from anonopt.problems.pram.matrix_figures import MatrixFigures
from anonopt.problems.spaces.trees import Trees

RECORDED = ("IL", "DR")
"""Stored with every solution, whatever the objectives."""

SIZE = "size"

MAX_DEPTH = 5
"""Most levels of a tree in the experiments of Mares 2013, Section 4.2.4."""


class PRAMEquationProblem(MeasuredProblem):
    """Search equations of PRAM matrices for low information loss and low disclosure risk.

    Genomes are object arrays (1,) that hold a DEAP tree; result tables show equations as text.
    Mares 2013, Section 4.2. One equation masks all columns: the matrix of each comes from the
    frequencies of its own categories. Columns are masked independently, all at once.

    Parameters
    ----------
    original : DataFrame (n_rows, ...), or MaskingSet
        The file; a benchmark set brings its columns and their orders along.
    objectives : sequence of str or Measure
        ``"IL"``, ``"DR"`` and ``"size"`` for a front of equations, the last one being the
        number of nodes; ``"score_max"`` or ``"score_mean"`` (Eqs. 4.11, 4.12) for one
        objective; also the parts of IL and DR: DBIL, CTBIL, EBIL, ID, DBRL, PRL. All but the
        size are percentages, means over the draws (see
        :class:`~anonopt.evaluation.pram.pram_score.PRAMScore`), and less is better. Measures of
        your own see the matrices and the frequencies, see ``ao.list_measures(of="equation")``.
    constraints : mapping of str or Measure to float, optional
        Bounds, such as ``{"size": 10}``.
    columns : list of columns, optional
        Columns that are masked, and by which the file is measured; by default all.
    ordinal : mapping of column to list of values or None, optional
        Columns whose categories have an order, of a DataFrame.
    max_depth : int
        Most levels of an equation, at least 1; a terminal alone has one.
    seed, draws, common, expected, accelerator
        As in :class:`~anonopt.evaluation.pram.pram_score.PRAMScore`. The same equation has the same
        objectives in whatever order equations are evaluated.

    Attributes
    ----------
    columns : CategoricalColumns
        The masked columns as codes.

    Raises
    ------
    TypeError
        If the objectives are a single text.
    ValueError
        If an option is unknown or out of range, or the columns are not those of the file.

    Notes
    -----
    Missing cells stay missing, and are not counted in N.

    Every solution holds its IL and DR under ``"anon_IL"`` and ``"anon_DR"``.

    Examples
    --------
    >>> from anonopt.data.datasets.masking_sets import masking_set
    >>> from anonopt.masking.equations import Equation
    >>> problem = PRAMEquationProblem(masking_set("german"), expected=True)
    >>> X = problem.space.genomes([Equation.parse("freq_j"), Equation.parse("freq_i - freq_i")])
    >>> problem.frame(X, problem.evaluate(X)).round(1)
              equation    IL    DR  size
    0           freq_j  43.5  16.2   1.0
    1  freq_i - freq_i   0.0  54.2   3.0
    """

    space: Trees

    def __init__(
        self,
        original: pd.DataFrame | MaskingSet,
        objectives: Sequence[str | Measure] = (*RECORDED, SIZE),
        *,
        constraints: Mapping[Any, float] | None = None,
        columns: Sequence[Any] | None = None,
        ordinal: Mapping[Any, Sequence[object] | None] | None = None,
        max_depth: int = MAX_DEPTH,
        seed: int = 0,
        draws: int = DRAWS,
        common: bool = False,
        expected: bool = False,
        accelerator: Any = "auto",
    ) -> None:
        self._table = MaskedTable.of(original, columns=columns, ordinal=ordinal)
        self.columns = self._table.columns
        super().__init__(
            space=Trees(max_depth=max_depth),
            objectives=objectives,
            constraints=constraints,
            measure=partial(get_measure, of="equation"),
            recorded=RECORDED,
        )
        self._figures = MatrixFigures(
            [*self.measures, *self._recorded],
            self._table,
            seed=seed,
            draws=draws,
            common=common,
            expected=expected,
            accelerator=accelerator,
        )

    @property
    def original_file(self) -> pd.DataFrame:
        """The original file, with the columns that are not masked."""
        return self._table.frame

    @property
    def frequencies(self) -> list[FloatArray]:
        """Records of the categories that matrices are over, float arrays (L,), one a column."""
        return list(self._table.frequencies)

    def matrices(self, x: AnyArray) -> list[MarkovMatrix]:
        """The matrices of an equation, one a masked column, without its missing cells.

        Parameters
        ----------
        x : object array (1,)
        """
        return self._table.labelled(self._matrices(x))

    def _protected(self, x: AnyArray, random_state: RandomState) -> pd.DataFrame:
        return self._table.masked(self._matrices(x), random_state)

    def _matrices(self, x: AnyArray) -> list[FloatArray]:
        return [equation_matrix(x[0], frequencies) for frequencies in self._table.frequencies]

    def _columns(self, X: AnyArray, measures: Sequence[Measure]) -> Columns:
        others = [one for one in measures if one.name != SIZE]
        rows = [self._figures.values(self._matrices(x), others) for x in X]
        columns = columns_of(rows, [one.name for one in others])
        return {**columns, SIZE: np.array([float(len(x[0])) for x in X])}

    def _data(self) -> str:
        return repr([self._table.labels, self._figures.describe()])
