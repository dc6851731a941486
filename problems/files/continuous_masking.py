"""Masked numeric files as genomes: one Gray-code perturbation for each cell."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray, FloatArray, Generator, IntArray
from anonopt.data.columns.scaled_columns import ScaledColumns
from anonopt.evaluation.continuous.continuous_evaluator import ContinuousMaskingEvaluator
from anonopt.evaluation.continuous.continuous_state import ContinuousMaskingState
from anonopt.masking.continuous_starting_files import continuous_starting_population, fitting_number
from anonopt.measures import Measure
from anonopt.measures.continuous.classical_loss import LossKind
from anonopt.measures.continuous.record_agreement import AGREEMENT
from anonopt.problems.files.masked_files import RECORDED, MaskedFileProblem


class ContinuousMaskingProblem(MaskedFileProblem[ContinuousMaskingState]):
    """Search masked versions of a numeric file for low information loss and low risk.

    Mares 2013, Chapter 3: a genome is a whole masked file. Its genes are the cells of the masked
    columns in row-major order, gene ``row * n_columns + column``: the xor of the Gray codes of the
    masked and the original number, so an unchanged cell is 0 and every genome is that of a file
    (Eq. 3.1). Every objective is a percentage, and less is better.

    Parameters
    ----------
    frame : DataFrame (n_rows, ...)
        The original file.
    objectives : sequence of str or Measure
        ``"IL"`` and ``"DR"`` for a front; ``"score_mean"`` (Eq. 3.2, the thesis's choice for
        numeric files) or ``"score_max"`` for one objective; also ID, DBRL, PRL, and PIL;
        and measures of your own, see ``ao.list_measures(of="numeric file")``.
    constraints : mapping of str or Measure to float, optional
        Bounds, such as ``{"DR": 30}``.
    columns : list of columns, optional
        Columns that are masked, at most 20, by default all.
    decimals : mapping of column to int, optional
        Decimals of the numbers of a column, by default 0; masked values are rounded to them.
    n_files : int, optional
        Masked files of the starting population, see
        :func:`~anonopt.masking.continuous_starting_population`; by default the
        thesis's 16, fewer where the rows are too few for so many groups.
    agreement : float
        Window of probabilistic linkage, in percent of the rows.
    information_loss : ``"probabilistic"`` or ``"classical"``
        Loss that IL and the scores take: PIL of Section 3.4, or the older
        :class:`~anonopt.measures.continuous.classical_loss.ClassicalLoss`, which the scores that
        Section 3.5 quotes are made of.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``
        As in :class:`~anonopt.evaluation.ContinuousMaskingEvaluator`.

    Attributes
    ----------
    columns : ScaledColumns
        The original cells as whole numbers.
    evaluator : ContinuousMaskingEvaluator

    Raises
    ------
    ValueError
        If an objective is unknown, or the columns cannot be taken as numbers of that many
        decimals.

    Notes
    -----
    Every solution holds its IL and DR under ``"anon_IL"`` and ``"anon_DR"``
    (``individual.get("anon_IL")``). A run keeps genomes of the best solutions only.

    A masked value has the bits of its column's largest original: values beyond
    ``2**n_bits - 1`` have no genome (:meth:`genomes` names them).

    Examples
    --------
    >>> frame = pd.DataFrame({"income": [10, 20, 30, 40], "debt": [-5, 1, 7, 3]})
    >>> problem = ContinuousMaskingProblem(frame, ["IL", "DR"])
    >>> problem.genomes([frame]).tolist()
    [[0, 0, 0, 0, 0, 0, 0, 0]]
    >>> x = problem.genomes([frame.assign(debt=[-5, 1, 7, 7])])[0]
    >>> x.tolist(), problem.protect(x)["debt"].tolist()
    ([0, 0, 0, 0, 0, 0, 0, 6], [-5, 1, 7, 7])
    """

    def __init__(
        self,
        frame: pd.DataFrame,
        objectives: Sequence[str | Measure] = RECORDED,
        *,
        constraints: Mapping[Any, float] | None = None,
        columns: Sequence[Hashable] | None = None,
        decimals: Mapping[Hashable, int] | None = None,
        n_files: int | None = None,
        agreement: float = AGREEMENT,
        information_loss: LossKind = "probabilistic",
        accelerator: Any = "auto",
    ) -> None:
        self.columns = ScaledColumns.of(frame, columns=columns, decimals=decimals)
        self.n_files = fitting_number(len(frame)) if n_files is None else n_files
        self.evaluator = ContinuousMaskingEvaluator(
            self.columns.values(self.columns.numbers),
            agreement=agreement,
            information_loss=information_loss,
            accelerator=accelerator,
        )
        super().__init__(
            frame,
            objectives,
            constraints=constraints,
            of="numeric file",
            highest=[2**bits - 1 for bits in self.columns.n_bits],
            gray=True,
            state_bytes=self.evaluator.measure(self.evaluator.original).n_bytes,
        )

    def _starting_population(self, generator: Generator) -> AnyArray:
        files = continuous_starting_population(
            self._original, columns=self.columns.names, n_files=self.n_files, random_state=generator
        )
        return self.genomes([file.frame for file in files])

    def _genes(self, frame: pd.DataFrame) -> IntArray:
        return self.columns.genomes(self.columns.encode(frame))

    def _decoded(self, genes: AnyArray) -> pd.DataFrame:
        return self.columns.decode(self.columns.masked_numbers(genes), self._original)

    def _measured(self, genes: AnyArray) -> ContinuousMaskingState:
        return self.evaluator.measure(self._masked(genes))

    def _updated(
        self, x: AnyArray, parent: ContinuousMaskingState, first: int, last: int
    ) -> ContinuousMaskingState:
        masked = self._masked(x.reshape(self.space.shape)).ravel()
        before = parent.masked.reshape(-1)
        changed = np.flatnonzero(masked[first : last + 1] != before[first : last + 1]) + first
        return parent.changed(changed, masked[changed], like=self._like(masked, first, last))

    def _like(self, masked: FloatArray, first: int, last: int) -> ContinuousMaskingState | None:
        """A file that cells first..last probably are from: the other parent of a crossover."""
        n_columns = self.space.shape[1]
        row = (first + last) // 2 // n_columns
        record = masked[row * n_columns : (row + 1) * n_columns]
        states = reversed(self._memory.states())
        return next((state for state in states if (state.masked[row] == record).all()), None)

    def _masked(self, genes: AnyArray) -> FloatArray:
        return self.columns.values(self.columns.masked_numbers(genes))

    def _data(self) -> str:
        data = f"{self.columns.fingerprint} {self.evaluator.agreement}"
        # The default goes without saying: runs saved before there was a choice are of it.
        is_default = self.evaluator.information_loss == "probabilistic"
        return data if is_default else f"{data} {self.evaluator.information_loss}"
