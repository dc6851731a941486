"""KGEN's two mutations: one level by one step, and half of the levels by any distance."""

from __future__ import annotations

import numpy as np

from anonopt._checks import check_share
from anonopt._typing import Generator, IntArray
from anonopt.operators.variation import IntegerMutation


class SingleStepMutation(IntegerMutation):
    """One level, drawn uniformly, goes up or down by one and is clipped.

    De Pascale et al. 2022, Section 3.5, "standard mutation": the node moves along its strategy
    path. A level at its bound that is sent beyond it stays.

    Parameters
    ----------
    prob : float
        Probability of each genome to be changed, in 0..1.

    Raises
    ------
    ValueError
        If prob is not in 0..1.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.population import Population
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=5, n_obj=1, xl=0, xu=4)
    >>> pop = Population.new("X", np.array([[2, 2, 2, 2, 2]]))
    >>> mutation = SingleStepMutation(prob=1.0)
    >>> mutation(problem, pop, random_state=np.random.default_rng(1)).get("X")
    array([[2, 2, 1, 2, 2]])
    """

    def __init__(self, *, prob: float = 0.2) -> None:
        super().__init__()
        self.prob = check_share("prob", prob)

    def _changed(
        self, genomes: IntArray, lower: IntArray, upper: IntArray, generator: Generator
    ) -> IntArray:
        n, n_var = genomes.shape
        steps = 2 * generator.integers(2, size=n) - 1
        genomes[np.arange(n), generator.integers(n_var, size=n)] += steps
        clipped: IntArray = np.clip(genomes, lower, upper)
        return clipped


class HorizontalMutation(IntegerMutation):
    """A share of the levels, drawn at random, is raised and lowered in turn by any distance.

    De Pascale et al. 2022, Section 3.5: the node moves to another strategy path. Of the levels
    drawn the first, third, ... becomes any level from its own to the highest, the second,
    fourth, ... any from the lowest to its own.

    Parameters
    ----------
    prob : float
        Probability of each genome to be changed, in 0..1.
    share : float
        Share of the levels that are drawn, in 0..1, rounded down but at least one level.

    Raises
    ------
    ValueError
        If a number is not in 0..1.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.population import Population
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=5, n_obj=1, xl=0, xu=4)
    >>> pop = Population.new("X", np.array([[2, 2, 2, 2, 2]]))
    >>> mutation = HorizontalMutation(prob=1.0)
    >>> mutation(problem, pop, random_state=np.random.default_rng(6)).get("X")
    array([[2, 2, 3, 2, 1]])
    """

    def __init__(self, *, prob: float = 0.4, share: float = 0.5) -> None:
        super().__init__()
        self.prob = check_share("prob", prob)
        self.share = check_share("share", share)

    def _changed(
        self, genomes: IntArray, lower: IntArray, upper: IntArray, generator: Generator
    ) -> IntArray:
        n, n_var = genomes.shape
        n_drawn = max(1, int(self.share * n_var))
        order = generator.permuted(np.tile(np.arange(n_var), (n, 1)), axis=1)
        rows = np.arange(n)[:, np.newaxis]
        raised, lowered = order[:, 0:n_drawn:2], order[:, 1:n_drawn:2]
        genomes[rows, raised] = generator.integers(
            genomes[rows, raised], upper[raised], endpoint=True
        )
        genomes[rows, lowered] = generator.integers(
            lower[lowered], genomes[rows, lowered], endpoint=True
        )
        return genomes
