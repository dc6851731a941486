"""Masked files of categories as genomes: one category code for each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray, Generator
from anonopt.data.columns.masked_columns import MaskingSet, masked_columns
from anonopt.evaluation.categorical.masking_evaluator import MaskingEvaluator
from anonopt.evaluation.categorical.masking_state import MaskingState
from anonopt.masking.starting_files import FileCounts, starting_population
from anonopt.measures import Measure
from anonopt.problems.files.masked_files import RECORDED, MaskedFileProblem

SHARE_REPLAYED = 4
"""Offspring are measured from their parent if fewer than n_rows / 4 cells differ."""


class MaskingProblem(MaskedFileProblem[MaskingState]):
    """Search masked versions of a file of categories for low information loss and low risk.

    Mares 2013, Chapter 3: a genome is a whole masked file, and its genes are the cells of the
    protected columns in row-major order: gene ``row * n_columns + column`` is a code of
    ``problem.columns.categories[column]``. Every objective is a percentage, and less is better.

    Parameters
    ----------
    original : DataFrame (n_rows, ...), or MaskingSet
        The original file; a benchmark set brings its columns and their orders along.
    objectives : sequence of str or Measure
        ``"IL"`` and ``"DR"`` for a front; ``"score_max"`` or ``"score_mean"`` (Eqs. 3.4, 3.2) for
        one objective; also the parts of IL and DR: DBIL, CTBIL, EBIL, ID, DBRL, PRL; and measures
        of your own, see ``ao.list_measures(of="file")``.
    constraints : mapping of str or Measure to float, optional
        Bounds, such as ``{"DR": 30}``.
    columns : list of columns, optional
        Columns that are masked, by default all.
    ordinal : mapping of column to list of values or None, optional
        Columns whose categories have an order, as
        :meth:`~anonopt.data.columns.categories.CategoricalColumns.of` takes them.
    n_files : FileCounts, optional
        Numbers of masked files of each method in the starting population, as for
        :func:`~anonopt.masking.starting_population`.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``
        As in `MaskingEvaluator`.
    workers : int
        Threads that measure the files of a population at the same time, at least 1; results are
        the same for any number. With numpy alone they help little; files of less than 30,000 cells
        are measured by one.

    Attributes
    ----------
    original : MaskingSet
    columns : CategoricalColumns
        The original cells as codes.

    Raises
    ------
    ValueError
        If an objective is unknown, the columns are not those of the file, orders are given
        for a set, which brings its own, or there are no workers.

    Notes
    -----
    Every solution holds its IL and DR under ``"anon_IL"`` and ``"anon_DR"``
    (``individual.get("anon_IL")``). A run keeps genomes of the best solutions only.

    Examples
    --------
    >>> frame = pd.DataFrame({"size": ["S", "M", "L", "L"], "zone": ["a", "a", "b", "b"]})
    >>> problem = MaskingProblem(frame, ["IL", "DR"])
    >>> original = problem.genomes([frame])
    >>> problem.frame(original, problem.evaluate(original))["IL"].tolist()
    [0.0]
    >>> problem.protect(np.zeros(8, dtype=np.int8))["zone"].tolist()
    ['a', 'a', 'a', 'a']
    """

    def __init__(
        self,
        original: pd.DataFrame | MaskingSet,
        objectives: Sequence[str | Measure] = RECORDED,
        *,
        constraints: Mapping[Any, float] | None = None,
        columns: Sequence[Any] | None = None,
        ordinal: Mapping[Any, Sequence[object] | None] | None = None,
        n_files: FileCounts | None = None,
        accelerator: Any = "auto",
        workers: int = 1,
    ) -> None:
        self.original = masked_columns(original, columns=columns, ordinal=ordinal)
        self.columns = self.original.categorical
        self.evaluator = MaskingEvaluator(self.columns, accelerator=accelerator)
        self.n_files = n_files
        super().__init__(
            self.original.frame,
            objectives,
            constraints=constraints,
            of="file",
            highest=[n - 1 for n in self.columns.n_categories],
            gray=False,
            workers=workers,
        )

    def _starting_population(self, generator: Generator) -> AnyArray:
        masked = starting_population(self.original, random_state=generator, n_files=self.n_files)
        return np.array([file.codes.reshape(-1) for file in masked]).astype(self.space.dtype)

    def _genes(self, frame: pd.DataFrame) -> AnyArray:
        return self.columns.encode(frame)

    def _decoded(self, genes: AnyArray) -> pd.DataFrame:
        return self.columns.decode(genes, self.original.frame)

    def _measured(self, genes: AnyArray) -> MaskingState:
        return self.evaluator.measure(genes)

    def _updated(
        self, x: AnyArray, parent: MaskingState, first: int, last: int
    ) -> MaskingState | None:
        n_columns = self.columns.n_columns
        first_row, last_row = first // n_columns, last // n_columns
        before = parent.codes[first_row : last_row + 1]
        rows = x.reshape(self.space.shape)[first_row : last_row + 1].astype(before.dtype)
        if np.count_nonzero(rows != before) * SHARE_REPLAYED >= self.columns.n_rows:
            return None
        return parent.with_rows(rows, first_row)

    def _data(self) -> str:
        return self.columns.fingerprint
