"""Repair of real-valued genomes that are rows of probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.core.repair import Repair

from anonopt._typing import AnyArray, FloatArray
from anonopt.operators.base import own_space


class SimplexRepair(Repair):
    """Divide each row of a genome by its sum, so that it is a distribution again.

    The space of a problem says by ``row_lengths`` how many genes its rows have; without a space
    a genome is one row. Genes must be at least 0. A row of zeros stays one: what it stands for is
    up to the problem (of PRAM matrices, the identity's row).

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.population import Population
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=2, n_obj=1, xl=0.0, xu=1.0)
    >>> pop = Population.new("X", np.array([[0.5, 1.0]]))
    >>> SimplexRepair()(problem, pop).get("X").round(3)
    array([[0.333, 0.667]])
    """

    def _do(self, problem: Any, X: AnyArray, **kwargs: Any) -> FloatArray:
        genomes = np.array(X, dtype=np.float64)
        space = own_space(problem)
        lengths = np.array((problem.n_var,) if space is None else space.row_lengths)
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        sums = np.add.reduceat(genomes, starts, axis=1)
        # Rows that are distributions already stay as they are, to the bit.
        sums[(sums == 0) | (np.abs(sums - 1) <= 1e-15 * lengths)] = 1.0
        return np.asarray(genomes / np.repeat(sums, lengths, axis=1))
