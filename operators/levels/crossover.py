"""Crossover: new integer genomes from the parts of two, or plain copies."""

from __future__ import annotations

from typing import Any

import numpy as np

from anonopt._checks import check_share
from anonopt._typing import Generator, IntArray
from anonopt.operators.variation import IntegerCrossover


class SinglePointCrossover(IntegerCrossover):
    """Two parents swap all genes behind one point.

    Dewri 2010, Section 6. The point is drawn uniformly from ``1..n_var - 1``, so each child has
    a gene of either parent; genomes of one gene are copied. Every gene of a child is the same
    gene of a parent, so bounds hold.

    Parameters
    ----------
    prob : float
        Probability, per mating, to swap; otherwise the parents are copied. In 0..1.

    Raises
    ------
    ValueError
        If prob is not in 0..1.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.population import Population
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=4, n_obj=1, xl=0, xu=9)
    >>> parents = Population.new("X", np.array([[1, 2, 3, 4], [5, 6, 7, 8]]))
    >>> crossover = SinglePointCrossover(prob=1.0)
    >>> children = crossover(problem, [parents], random_state=np.random.default_rng(2))
    >>> children.get("X").tolist()
    [[1, 6, 7, 8], [5, 2, 3, 4]]
    """

    def __init__(self, *, prob: float = 0.9) -> None:
        super().__init__(n_parents=2, n_offsprings=2, prob=check_share("prob", prob))

    def _crossed(self, problem: Any, X: IntArray, generator: Generator) -> IntArray:
        _, n_matings, n_var = X.shape
        if n_var == 1:
            return X
        points = generator.integers(1, n_var, size=(n_matings, 1))
        swapped = np.arange(n_var) >= points
        return np.where(swapped, X[::-1], X)


class CloneCrossover(IntegerCrossover):
    """One parent, one child that is its copy: for searches by mutation alone.

    The child is a new individual, not evaluated yet. pymoo's own ``NoCrossover`` hands on the
    parents themselves, so that a mutation changes the population behind the search's back.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.population import Population
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=2, n_obj=1, xl=0, xu=9)
    >>> parents = Population.new("X", np.array([[1, 2]]))
    >>> child = CloneCrossover()(problem, [parents], random_state=np.random.default_rng(1))[0]
    >>> child.X.tolist(), child is parents[0]
    ([1, 2], False)
    """

    def __init__(self) -> None:
        super().__init__(n_parents=1, n_offsprings=1, prob=1.0)

    def _crossed(self, problem: Any, X: IntArray, generator: Generator) -> IntArray:
        return X
