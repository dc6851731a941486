"""Equations of PRAM matrices as genomes: the search for one that masks a whole file well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt._typing import FloatArray
from anonopt.data.columns.markov import MarkovMatrix
from anonopt.data.columns.masked_columns import MaskingSet
from anonopt.evaluation.pram.pram_draws import AliasTable
from anonopt.evaluation.pram.pram_score import (
    DRAWS,
    PRAMFigures,
    PRAMScore,
    draw_file,
    full_matrices,
)
from anonopt.masking.equations.interpreter import equation_matrix
from anonopt.problems.pram.equations import MAX_DEPTH, EquationProblem
from anonopt.problems.pram.masked_columns import masked_columns, masked_labels

SIZE = "size"
OBJECTIVES = (*PRAMFigures._fields, SIZE)
"""What can be an objective, all minimized."""

OBSERVED = ("IL", "DR")
"""Figures that are stored with every solution, whatever the objectives."""


class PRAMEquationProblem(EquationProblem):
    """Search equations of PRAM matrices for low information loss and low disclosure risk.

    Mares 2013, Section 4.2. One equation masks all columns: the matrix of each comes from the
    frequencies of its own categories. Columns are masked independently, all at once.

    Parameters
    ----------
    original : DataFrame (n_rows, ...), or MaskingSet
        The file; a benchmark set brings its columns and their orders along.
    objectives : sequence of str
        ``"IL"``, ``"DR"`` and ``"size"`` for a front of equations, the last one being the
        number of nodes; ``"score_max"`` or ``"score_mean"`` (Eqs. 4.11, 4.12) for one
        objective; also the parts of IL and DR: DBIL, CTBIL, EBIL, ID, DBRL, PRL. All but the
        size are percentages, means over the draws (see
        :class:`~anonopt.evaluation.pram.pram_score.PRAMScore`), and less is better.
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
    max_depth : int

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
    >>> X = problem.genomes([Equation.parse("freq_j"), Equation.parse("freq_i - freq_i")])
    >>> problem.frame(X, problem.evaluate(X)).round(1)
              equation    IL    DR  size
    0           freq_j  43.5  16.2   1.0
    1  freq_i - freq_i   0.0  54.2   3.0
    """

    def __init__(
        self,
        original: pd.DataFrame | MaskingSet,
        objectives: Sequence[str] = (*OBSERVED, SIZE),
        *,
        columns: Sequence[Any] | None = None,
        ordinal: Mapping[Any, Sequence[object] | None] | None = None,
        max_depth: int = MAX_DEPTH,
        seed: int = 0,
        draws: int = DRAWS,
        common: bool = False,
        expected: bool = False,
        accelerator: Any = "auto",
    ) -> None:
        if isinstance(objectives, str):
            raise TypeError(f"objectives: expected a list of names, found {objectives!r}")
        if unknown := [name for name in objectives if name not in OBJECTIVES]:
            raise ValueError(f"objectives: expected names among {OBJECTIVES}, found {unknown[0]!r}")
        super().__init__(objective_names=objectives, max_depth=max_depth)
        self._frame, self.columns = masked_columns(original, columns, ordinal)
        self._labels = masked_labels(self.columns, mask_missing=False)
        self._frequencies = [
            np.bincount(codes, minlength=len(labels))[: len(labels)].astype(np.float64)
            for codes, labels in zip(self.columns.codes.T, self._labels, strict=True)
        ]
        self._score = PRAMScore(
            self.columns,
            seed=seed,
            draws=draws,
            common=common,
            expected=expected,
            accelerator=accelerator,
        )

    def matrices(self, x: npt.NDArray[Any]) -> list[MarkovMatrix]:
        """The matrices of an equation, one a masked column, without its missing cells.

        Parameters
        ----------
        x : object array (1,)
        """
        return [
            MarkovMatrix.of(matrix, labels=labels)
            for matrix, labels in zip(self._matrices(x), self._labels, strict=True)
        ]

    def protect(self, x: npt.NDArray[Any], generator: np.random.Generator) -> pd.DataFrame:
        """Mask the file with an equation.

        Parameters
        ----------
        x : object array (1,)
        generator : numpy Generator

        Returns
        -------
        DataFrame (n_rows, ...)
            Other columns, index and types are the original's.
        """
        tables = [AliasTable.of(m) for m in full_matrices(self.columns, self._matrices(x))]
        codes = draw_file(tables, self.columns.codes, generator)
        return self.columns.decode(codes, self._frame)

    def _matrices(self, x: npt.NDArray[Any]) -> list[FloatArray]:
        return [equation_matrix(x[0], frequencies) for frequencies in self._frequencies]

    def _values(self, X: npt.NDArray[Any]) -> tuple[FloatArray, None]:
        return self._values_and_extras(X)[0], None

    def _values_and_extras(
        self, X: npt.NDArray[Any]
    ) -> tuple[FloatArray, None, Mapping[str, npt.NDArray[Any]]]:
        figures = pd.DataFrame(
            [self._score.figures(self._matrices(x)) for x in X],
            columns=list(PRAMFigures._fields),
            dtype=np.float64,
        )
        figures[SIZE] = [float(len(x[0])) for x in X]
        extras = {name: figures[name].to_numpy() for name in OBSERVED}
        return figures[list(self.objective_names)].to_numpy(), None, extras

    def _content(self) -> str:
        return repr([self.max_depth, self._labels, self._score.describe()])
