"""How a population went, generation by generation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt._typing import FloatArray, IntArray
from anonopt.algorithms.growing_array import GrowingArray
from anonopt.problems.any_problem import natural_objectives
from anonopt.problems.base import EXTRA

SUMMARIES = ("min", "mean", "max")


class History(list[Any]):
    """Table of all generations, when it is called.

    It is a list as well: pymoo keeps the copies of ``save_history=True`` in an attribute of
    this name.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.get_problem("german-pram", objectives=["score_mean"], expected=True)
    >>> result = ao.solve(problem, ao.algorithms.PRAMEA(n_generations=2), seed=1)
    >>> result.algorithm.history().columns.tolist()[:4]
    ['n_generations', 'score_mean_min', 'score_mean_mean', 'score_mean_max']
    """

    def __init__(self) -> None:
        super().__init__()
        self._names: list[str] = []
        self._figures: FloatArray = np.empty((0, 0))
        self._first = pd.DataFrame()
        self._rows = GrowingArray()

    def start(self, problem: Problem, pop: Population) -> None:
        """Begin with the first population."""
        figures = _figures_of(problem, pop)
        self._names, self._figures = list(figures), np.array(list(figures.values()))
        self._rows = GrowingArray()
        self._first = self.present()
        self._summarize()

    def extend_by(self, problem: Problem, pop: Population, rows: IntArray | None = None) -> None:
        """Append a generation.

        Parameters
        ----------
        problem : pymoo Problem
        pop : pymoo Population
            Evaluated.
        rows : int64 array, optional
            The individuals that may have changed, perhaps none; by default all.
        """
        if rows is not None and not len(rows):
            self._summarize()
            return
        changed = pop if rows is None else pop[rows]
        figures = _figures_of(problem, changed)
        # What is not known of a solution, such as one from the memory of another run, is NaN.
        unknown = np.full(len(changed), np.nan)
        found = np.array([figures.get(name, unknown) for name in self._names])
        if rows is None:
            self._figures = found
        else:
            self._figures[:, rows] = found
        self._summarize()

    def present(self) -> pd.DataFrame:
        """Objectives and figures of the population as it is now: a row an individual."""
        return pd.DataFrame(self._figures.T, columns=self._names)

    def first(self) -> pd.DataFrame:
        """The first population, in the form of :meth:`present`."""
        return self._first

    def __call__(self) -> pd.DataFrame:
        """All generations.

        Returns
        -------
        DataFrame (n_generations + 1, 1 + 3 * n_figures)
            ``n_generations``, from 0 for the first population; then the least, mean and largest
            value in the population of each objective, and of whatever else the problem records
            of a solution, in natural units: columns such as ``IL_min``, ``IL_mean``, ``IL_max``.
        """
        columns = [f"{name}_{summary}" for name in self._names for summary in SUMMARIES]
        table = pd.DataFrame(
            self._rows.view().reshape(len(self._rows), len(columns)), columns=columns
        )
        table.insert(0, "n_generations", np.arange(len(table)))
        return table

    def _summarize(self) -> None:
        figures = self._figures
        row = np.stack([figures.min(axis=1), figures.mean(axis=1), figures.max(axis=1)], axis=1)
        self._rows.extend(row.reshape(1, -1))


def _figures_of(problem: Problem, pop: Population) -> dict[str, FloatArray]:
    """Objectives and what the problem records of solutions, arrays (n,) in natural units."""
    figures = natural_objectives(problem, np.array([individual.F for individual in pop]))
    for name in sorted(name for name in pop[0].evaluated if name.startswith(EXTRA)):
        values = np.array([individual.data.get(name) for individual in pop], dtype=np.float64)
        if values.ndim == 1:
            figures.setdefault(name.removeprefix(EXTRA), values)
    return figures
