"""How a search for one objective went: its best solution, generation by generation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from anonopt.algorithms.growing_array import GrowingArray
from anonopt.problems.base import EXTRA, AnonymizationProblem


class Course:
    """Objectives of one solution a generation, and its IL and DR if the problem tells them.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.get_problem("german-pram", objectives=["score_mean"], expected=True)
    >>> result = ao.solve(problem, ao.algorithms.PRAMEA(n_generations=2), seed=1)
    >>> result.algorithm.course().columns.tolist()
    ['score_mean', 'IL', 'DR']
    """

    def __init__(self) -> None:
        self._columns: dict[str, GrowingArray] = {}

    def note(self, problem: AnonymizationProblem, individual: Any) -> None:
        """Append a generation.

        Parameters
        ----------
        problem : AnonymizationProblem
        individual : pymoo Individual
            Evaluated.
        """
        noted = dict(zip(problem.objective_names, problem.natural(individual.F), strict=True))
        for name in ("IL", "DR"):
            if f"{EXTRA}{name}" in individual.data:
                noted.setdefault(name, individual.get(f"{EXTRA}{name}"))
        for name, value in noted.items():
            self._columns.setdefault(name, GrowingArray()).extend(np.array([value], dtype=float))

    def frame(self) -> pd.DataFrame:
        """All generations, in natural units.

        Returns
        -------
        DataFrame (n_generations, ...), indexed by ``generation``, from 0
        """
        columns = {name: rows.view() for name, rows in self._columns.items()}
        return pd.DataFrame(columns).rename_axis("generation")
