"""KGEN's selection: the less general and the younger a node, the likelier it is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from anonopt._typing import FloatArray, Generator, IntArray
from anonopt.operators.base import genomes_in_bounds
from anonopt.operators.drawing import GenomeSelection

AGE = "anon_age"
"""Entry of an individual: generations it survived."""

MAX_AGE = 9
"""The penalty of an age; one more, and the probability would be 0."""


class AgePenaltySelection(GenomeSelection):
    """Draw parents with probability proportional to ``(1 - LOG)(1 - age / 10)``.

    De Pascale et al. 2022, Section 3.5 (which calls it a tournament). LOG is the level of
    generalization of the node, the mean of level / height (Eq. 2), whatever the objective; the
    age is the number of generations the individual survived, its entry ``anon_age`` (0 where it
    has none), and counts as at most 9. If all weights are 0, all individuals are equally likely.

    Eq. 3 as printed is proportional to LOG, which prefers the most general nodes although less
    generalization is better; it is an option.

    Parameters
    ----------
    as_printed : bool
        Use Eq. 3 as it is in the paper: proportional to ``LOG * (1 - age / 10)``.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.population import Population
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=2, n_obj=1, xl=0, xu=4)
    >>> pop = Population.new("X", np.array([[4, 4], [0, 4], [0, 0]]), "anon_age", [0, 5, 0])
    >>> AgePenaltySelection().probabilities(problem, pop)
    array([0. , 0.2, 0.8])
    >>> AgePenaltySelection(as_printed=True).probabilities(problem, pop)
    array([0.8, 0.2, 0. ])
    """

    def __init__(self, *, as_printed: bool = False) -> None:
        super().__init__()
        self.as_printed = as_printed

    def probabilities(self, problem: Any, pop: Any) -> FloatArray:
        """Probability of each individual to be drawn.

        Parameters
        ----------
        problem : pymoo Problem
            Its bounds are the lowest levels and the heights.
        pop : pymoo Population

        Returns
        -------
        float array (n,)
            Their sum is 1.

        Raises
        ------
        ValueError
            If a gene is out of its bounds, or not a whole number.
        """
        levels, lower, upper = genomes_in_bounds(problem, pop.get("X"))
        generalization = ((levels - lower) / np.maximum(upper - lower, 1)).mean(axis=1)
        merit = generalization if self.as_printed else 1 - generalization
        weights = merit * (1 - ages(pop) / (MAX_AGE + 1))
        total = weights.sum()
        if total == 0:
            return np.full(len(pop), 1 / len(pop))
        return np.asarray(weights / total)

    def _selected(
        self, problem: Any, pop: Any, n_select: int, n_parents: int, generator: Generator
    ) -> IntArray:
        probabilities = self.probabilities(problem, pop)
        return generator.choice(len(pop), size=(n_select, n_parents), p=probabilities)


def ages(pop: Any) -> IntArray:
    """Generations each individual survived, at most 9 (n,)."""
    found = [individual.data.get(AGE, 0) for individual in pop]
    return np.minimum(np.array(found, dtype=np.int64), MAX_AGE)
