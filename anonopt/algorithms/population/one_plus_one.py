"""(1+1)-ES: a parent, a child a step away, and a step size that follows success.

Idea: a child is the parent plus a normal step; it replaces the parent unless it is worse. Where
more than a fifth of the children are better, steps grow; where fewer are, they shrink. Where steps
have become so short that nothing changes any more, the search starts anew elsewhere.

Paper: I. Rechenberg, *Evolutionsstrategie* (1973); the rule of the fifth child by child as
N. Hansen, D. V. Arnold, A. Auger, *Evolution Strategies*, Springer Handbook of Computational
Intelligence (2015), "The 1/5th Rule".

Decided where the papers are silent:

- The parent is the best of a few first genomes.
- A child as good as its parent replaces it, but counts as no success: objectives of protected
  data have plateaus, which a search has to wander across.
- What leaves its bounds is reflected at them.
- Less violation of the constraints is better than any objective.
- The best of a step is that of the run, whatever the number of restarts.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling

from anonopt._checks import check_integer, check_number
from anonopt._typing import AnyArray, FloatArray
from anonopt.algorithms.population.evolutionary import best_first
from anonopt.algorithms.population.restarted import RestartedSearch

FIFTH = 0.2
"""Share of successes that leaves the step size as it is."""


class OnePlusOneES(RestartedSearch):
    """One parent, one child, steps by the rule of the fifth child.

    Parameters
    ----------
    sigma : float
        First standard deviation of the step of each gene, as a share of its range, above 0.
    least_sigma : float
        Below this the search starts anew, above 0 and at most `sigma`.
    n_first : int
        First genomes, the best of which is the first parent, at least 1; also after a restart.
    sampling : pymoo Sampling, Population, or array (n, n_var), optional
        Makes the first genomes; by default that of the space. Restarts begin with uniform ones.
    termination : pymoo Termination or tuple, optional
    output : pymoo Output, optional
    archive : object, optional

    Attributes
    ----------
    step_size : float
        Present standard deviation of a gene, as a share of its range.
    n_restarts : int

    Raises
    ------
    ValueError
        If an option is out of its range.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.get_problem(
    ...     "german-pram", encoding="simplex", expected=True, objectives=["score_max"]
    ... )
    >>> result = ao.solve(problem, OnePlusOneES(), budget=30, seed=1)
    >>> result.n_unique
    30
    """

    def __init__(
        self,
        *,
        sigma: float = 0.1,
        least_sigma: float = 0.005,
        n_first: int = 10,
        sampling: Sampling | Population | AnyArray | None = None,
        **options: Any,
    ) -> None:
        super().__init__(sigma=sigma, sampling=sampling, **options)
        self.least_sigma = check_number("least_sigma", least_sigma, above=0)
        if self.least_sigma > self.sigma:
            raise ValueError(f"least_sigma: expected at most sigma = {sigma}, found {least_sigma}")
        self.n_first = check_integer("n_first", n_first, least=1)

    def _begin(self, problem: Problem) -> None:
        super()._begin(problem)
        self._parent: Any = None
        self.step_size = self.sigma

    @property
    def _n_first(self) -> int:
        return self.n_first

    def _infill(self) -> Population:
        if self._parent is None:
            return self._repaired(self._uniform())
        step = self.step_size * (self._upper - self._lower)
        drawn = self._parent[0].X + step * self.random_state.standard_normal(len(step))
        return self._repaired(reflected(drawn, self._lower, self._upper)[np.newaxis])

    def _advance(self, infills: Any = None, **kwargs: Any) -> None:
        if self._parent is None:
            self._parent = infills[best_first(infills)[:1]]
            self.step_size = self.sigma
        else:
            self._meet(infills)
        self.pop = infills if self._parent is None else self._parent

    def _meet(self, child: Population) -> None:
        violated, other = (np.maximum(pop.get("CV")[0, 0], 0) for pop in (self._parent, child))
        old, new = (violated, self._parent[0].F[0]), (other, child[0].F[0])
        damping = math.sqrt(self.problem.n_var + 1)
        self.step_size *= math.exp(((new < old) - FIFTH) / damping)
        if new <= old:
            self._parent = child
        if self.step_size < self.least_sigma:
            self.n_restarts += 1
            self._parent = None


def reflected(x: FloatArray, lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Genes beyond a bound, as far inside of it as they were outside.

    Parameters
    ----------
    x : float array (n_var,)
    lower, upper : float arrays (n_var,)

    Returns
    -------
    float array (n_var,)
        Within the bounds.

    Examples
    --------
    >>> reflected(np.array([-0.25, 0.5, 1.5, 2.25]), np.zeros(4), np.ones(4))
    array([0.25, 0.5 , 0.5 , 0.25])
    """
    span = upper - lower
    places = np.mod(x - lower, 2 * np.where(span == 0, 1.0, span))
    return np.asarray(np.clip(lower + np.minimum(places, 2 * span - places), lower, upper))
