"""PRAM matrices as genomes: the search for those that mask a file best."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt._typing import AnyArray, FloatArray, Generator, RandomState
from anonopt.data.columns.markov import MarkovMatrix
from anonopt.data.columns.masked_columns import MaskingSet
from anonopt.data.values import as_text
from anonopt.evaluation.pram.expected_gradients import ExpectedGradients
from anonopt.evaluation.pram.pram_score import DRAWS
from anonopt.masking.pram.pram_matrices import pram_matrix
from anonopt.measures import Measure, get_measure
from anonopt.problems.measured import Columns, MeasuredProblem, columns_of
from anonopt.problems.pram.masked_table import MaskedTable
from anonopt.problems.pram.matrix_figures import MatrixFigures
from anonopt.problems.pram.matrix_rules import MatrixRules
from anonopt.problems.spaces.matrices import Encoding, Matrices

RECORDED = ("IL", "DR")
"""Stored with every solution if a loss or risk of masked files is measured at all."""

FAMILY = np.linspace(0.0, 1.0, 21)
"""Parameters of the named matrices that a population starts with."""


class PRAMProblem(MeasuredProblem):
    """Search PRAM matrices, one for each masked column, for low loss and low risk.

    Mares 2013, Section 4.1. Every objective is a percentage, and less is better.

    Parameters
    ----------
    original : DataFrame (n_rows, ...), or MaskingSet
        The file; a benchmark set brings its columns and their orders along.
    objectives : sequence of str or Measure
        ``"IL"`` and ``"DR"`` for a front; ``"score_max"`` or ``"score_mean"`` for one objective;
        also the parts of IL and DR: DBIL, CTBIL, EBIL, ID, DBRL, PRL. All are means over the
        draws (see :class:`~anonopt.evaluation.PRAMScore`). ``"bivariate_difference"`` (Eq. 4.5)
        needs one masked column and `crossed`. ``"expectation_share"`` is never drawn: the
        expected share of the records of a masked category that have it originally, meaned over
        categories by their frequency, then over columns (r/(1+r) of the expectation ratios r,
        which may be infinite). Measures of your own see the matrices and the frequencies, see
        ``ao.list_measures(of="matrix")``.
    constraints : mapping of str or Measure to float, optional
        Bounds, such as ``{"DR": 30}``.
    columns : list of columns, optional
        Columns that are masked, and by which the file is measured; by default all.
    ordinal : mapping of column to list of values or None, optional
        Columns whose categories have an order, of a DataFrame.
    crossed : column, optional
        The column, not masked, that bivariate counts are taken with.
    encoding : ``"gray"`` or ``"simplex"``
        Whole numbers for the operators of the thesis, or real numbers for SBX and the like; see
        :class:`~anonopt.problems.spaces.Matrices`.
    rules : MatrixRules or mapping, optional
        Invariance and control of the diagonal, or the options of them.
    start : str or sequence of array_like (L, L)
        Matrices a search starts from: a name of :func:`~anonopt.masking.pram_matrix`, or one a
        column.
    p, theta : float, optional
        Of `start` if it is a name.
    mask_missing : bool
        Whether missing cells are a category that may change; by default they stay.
    seed, draws, common, expected, loss, accelerator
        As in :class:`~anonopt.evaluation.PRAMScore`. The same genome has the same objectives in
        whatever order genomes are evaluated.

    Attributes
    ----------
    columns : CategoricalColumns
        The masked columns as codes.
    loss : str
        What scores take for the loss.
    start : array (n_var,)
        The genome a search starts from.

    Raises
    ------
    ValueError
        If an option is unknown or out of range, the columns are not those of the file, or the
        objectives and `crossed` do not go together.

    Examples
    --------
    >>> from anonopt.data import masking_set
    >>> problem = PRAMProblem(masking_set("german"), ["IL", "DR"], expected=True)
    >>> F = problem.evaluate(problem.start[np.newaxis])
    >>> problem.objectives_frame(F).round(1).iloc[0].tolist()
    [41.9, 25.8]
    >>> problem.matrices(problem.start)[0].to_frame().round(2).loc["A11"].tolist()
    [0.5, 0.16, 0.23, 0.11]
    """

    space: Matrices

    def __init__(
        self,
        original: pd.DataFrame | MaskingSet,
        objectives: Sequence[str | Measure] = RECORDED,
        *,
        constraints: Mapping[Any, float] | None = None,
        columns: Sequence[Any] | None = None,
        ordinal: Mapping[Any, Sequence[object] | None] | None = None,
        crossed: Any = None,
        encoding: Encoding = "gray",
        rules: MatrixRules | Mapping[str, Any] | None = None,
        start: str | Sequence[npt.ArrayLike] = "frequency",
        p: float | None = None,
        theta: float | None = None,
        mask_missing: bool = False,
        seed: int = 0,
        draws: int = DRAWS,
        common: bool = False,
        expected: bool = False,
        loss: str = "IL",
        accelerator: Any = "auto",
    ) -> None:
        self._table = MaskedTable.of(
            original, columns=columns, ordinal=ordinal, mask_missing=mask_missing
        )
        self.columns, self._frequencies = self._table.columns, self._table.frequencies
        self.rules = rules if isinstance(rules, MatrixRules) else MatrixRules(**(rules or {}))
        labels = self._table.labels
        names = [as_text(name) for name in self.columns.names]
        self._rule_names = [c for name in names for c in self.rules.constraint_names(name)]
        super().__init__(
            space=Matrices(labels, encoding, columns=names, start=self._starting_population),
            objectives=objectives,
            constraints=constraints,
            measure=partial(get_measure, of="matrix"),
            further_constraints=self._rule_names,
        )
        self._figures = MatrixFigures(
            self.measures,
            self._table,
            crossed,
            seed=seed,
            draws=draws,
            common=common,
            expected=expected,
            loss=loss,
            accelerator=accelerator,
        )
        self.loss = loss
        if self._figures.uses_files:
            self._record(RECORDED)
        self.start = self.genome(self._named(start, p, theta) if isinstance(start, str) else start)

    @property
    def original_file(self) -> pd.DataFrame:
        """The original file, with the columns that are not masked."""
        return self._table.frame

    @property
    def measures_files(self) -> bool:
        """Whether an objective or constraint is made of the losses and risks of masked files."""
        return self._figures.uses_files

    @property
    def frequencies(self) -> list[FloatArray]:
        """Records of the categories that matrices are over, float arrays (L,), one a column."""
        return list(self._table.frequencies)

    def genome(self, matrices: Sequence[npt.ArrayLike]) -> AnyArray:
        """Genome of matrices; of Gray-coded ones, probabilities lose all but three decimals.

        Parameters
        ----------
        matrices : sequence of matrices (L, L), one a masked column

        Raises
        ------
        ValueError
            If there are not as many as columns, or one is no Markov matrix of its categories.
        """
        if len(matrices) != len(self._table.labels):
            raise ValueError(
                f"expected a matrix for each of {list(self.columns.names)}, found {len(matrices)}"
            )
        checked = [
            MarkovMatrix.of(matrix, labels=labels, name=f"matrix of column {name!r}")
            for matrix, labels, name in zip(
                matrices, self._table.labels, self.columns.names, strict=True
            )
        ]
        return self.space.encode([matrix.probabilities for matrix in checked])

    def matrices(self, x: AnyArray) -> list[MarkovMatrix]:
        """The matrices that a genome masks with, repaired as the rules say.

        Parameters
        ----------
        x : array (n_var,)

        Returns
        -------
        list of MarkovMatrix, one a masked column
        """
        return self._table.labelled(self._used(x)[1])

    def expected_gradients(self) -> ExpectedGradients:
        """Loss and risk that matrices are expected to give, and their gradients.

        Returns
        -------
        anonopt.evaluation.pram.expected_gradients.ExpectedGradients
            Of matrices over all categories of their columns, that of missing cells included.

        Raises
        ------
        ValueError
            If there are too many combinations of categories.
        """
        return self._figures.expected_gradients()

    def redrawn(self, occasion: int) -> PRAMProblem:
        """The same problem, whose genomes are measured by other draws.

        Parameters
        ----------
        occasion : int
            At least 0. Of equal occasions, the same genome has the same draws.

        Raises
        ------
        ValueError
            If genomes have no draws of their own, since these are common or figures expected.
        """
        twin = copy.copy(self)
        twin._figures = self._figures.redrawn(occasion)
        return twin

    def _protected(self, x: AnyArray, random_state: RandomState) -> pd.DataFrame:
        return self._table.masked(self._used(x)[1], random_state)

    def _starting_population(self, generator: Generator) -> AnyArray:
        """`start`, then named matrices of evenly spread parameters; none is drawn."""
        rows = [self.start]
        for share in FAMILY.tolist():
            rows.append(self.genome(self._named("frequency", share, None)))
            rows.append(self.genome(self._named("maximum_entropy", share, None)))
            rows.append(self.genome(self._named("diagonal", None, share)))
        _, first = np.unique(np.array(rows), axis=0, return_index=True)
        return np.array(rows)[np.sort(first)]

    def _named(self, name: str, p: float | None, theta: float | None) -> list[FloatArray]:
        return [pram_matrix(name, counts, p=p, theta=theta) for counts in self._frequencies]

    def _used(self, x: AnyArray) -> tuple[list[FloatArray], list[FloatArray]]:
        """Matrices of a genome, as they are and as they are used."""
        own = self.space.decode(x)
        pairs = zip(own, self._frequencies, strict=True)
        return own, [self.rules.applied(P, frequencies) for P, frequencies in pairs]

    def _columns(self, X: AnyArray, measures: Sequence[Measure]) -> Columns:
        measured, violations = [], []
        for x in X:
            own, used = self._used(x)
            measured.append(self._figures.values(used, measures))
            violations.append(
                [
                    violation
                    for P, R, frequencies in zip(own, used, self._frequencies, strict=True)
                    for violation in self.rules.violations(P, R, frequencies)
                ]
            )
        columns = columns_of(measured, [one.name for one in measures])
        return {**columns, **columns_of(violations, self._rule_names)}

    def _further_violations(self, columns: Columns) -> Sequence[AnyArray]:
        return [columns[name] for name in self._rule_names]

    def _data(self) -> str:
        return repr([self._figures.describe(), self.rules, self._table.labels])
