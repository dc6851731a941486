"""CMA-ES: evolution strategy that learns the covariance of good steps, for genomes of real numbers.

Idea: genomes are drawn from a normal distribution; its mean moves to the better half of them, and
its covariance grows along the steps that led there, so that after a while it stretches the way
the objective falls, whatever the directions and the scales of the genes. Where a run has come to
rest, another one starts elsewhere, with twice as many genomes a generation.

Paper: N. Hansen, A. Ostermeier, *Completely Derandomized Self-Adaptation in Evolution
Strategies*, Evolutionary Computation 9 (2001); restarts as A. Auger, N. Hansen, *A Restart CMA
Evolution Strategy With Increasing Population Size*, IEEE Congress on Evolutionary Computation
(2005); as the package ``cma`` implements it, which pymoo requires.

Decided differently from pymoo's ``CMAES``, and why:

- Normal numbers come from the generator of the run: pymoo's seeds the global generator of numpy
  and draws from it, which disturbs whatever else does.
- It can be copied and pickled in mid-run: pymoo's holds a suspended function, which cannot.
- The mean starts at the best of a first generation of the space's own sampling.
- Of infeasible genomes the one that violates the constraints less is better, and each is worse than
  any feasible one: for pymoo's all of them are equal.
- It restarts until the budget is used up. Genes run from 0 to 1 of their bounds inside.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling

from anonopt._checks import check_integer
from anonopt._typing import AnyArray, FloatArray, Generator
from anonopt.algorithms.population.restarted import RestartedSearch
from anonopt.measures.fronts.boxes import INFINITE

# The package cma is imported where it is used: it takes as long as many a search.


class CMAES(RestartedSearch):
    """Covariance matrix adaptation, with restarts of growing generations.

    Parameters
    ----------
    pop_size : int, optional
        Genomes of a generation, at least 2; by default ``4 + floor(3 ln n_var)``, as the paper has
        it. Each restart doubles them.
    sigma : float
        First standard deviation of each gene, as a share of its range, above 0.
    sampling : pymoo Sampling, Population, or array (n, n_var), optional
        Makes the first generation, the best of which is the first mean; by default that of the
        space. Restarts begin with uniform genomes.
    termination : pymoo Termination or tuple, optional
    output : pymoo Output, optional
    archive : object, optional

    Attributes
    ----------
    n_restarts : int
        Runs that came to rest.

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
    >>> result = ao.solve(problem, CMAES(), budget=60, seed=1)
    >>> result.n_unique
    60
    """

    def __init__(
        self,
        *,
        pop_size: int | None = None,
        sigma: float = 0.1,
        sampling: Sampling | Population | AnyArray | None = None,
        **options: Any,
    ) -> None:
        super().__init__(sigma=sigma, sampling=sampling, **options)
        self.pop_size = None if pop_size is None else check_integer("pop_size", pop_size, least=2)

    def _begin(self, problem: Problem) -> None:
        super()._begin(problem)
        self._size = self.pop_size or 4 + int(3 * np.log(problem.n_var))
        self._strategy: Any = None
        self._asked: list[FloatArray] = []

    @property
    def _n_first(self) -> int:
        return self._size

    def _infill(self) -> Population:
        if self._strategy is None:
            return self._repaired(self._uniform())
        self._asked = self._strategy.ask()
        genes = self._lower + np.array(self._asked) * (self._upper - self._lower)
        # A gene of the range 0.1..0.3 must not become 0.30000000000000004.
        return self._repaired(np.clip(genes, self._lower, self._upper))

    def _advance(self, infills: Any = None, **kwargs: Any) -> None:
        values = single_values(infills)
        self.pop = infills
        if self._strategy is None:
            self._strategy = self._started_at(infills[int(np.argmin(values))].X)
            return
        self._strategy.tell(self._asked, values.tolist())
        if self._strategy.stop():
            self.n_restarts += 1
            self._size *= 2
            self._strategy = None

    def _started_at(self, x: FloatArray) -> Any:
        import cma

        span = self._upper - self._lower
        shares = (x - self._lower) / np.where(span == 0, 1.0, span)
        options = {
            "bounds": [0.0, 1.0],
            "popsize": max(self._size, 2),
            "randn": NormalNumbers(self.random_state),
            "seed": np.nan,  # the package leaves numpy's generator alone
            "verbose": -9,
            "verb_log": 0,
        }
        return cma.CMAEvolutionStrategy(shares, self.sigma, options)


class NormalNumbers:
    """Standard normal numbers of a generator, by their shape; can be copied with the generator.

    Parameters
    ----------
    generator : numpy Generator

    Examples
    --------
    >>> NormalNumbers(np.random.default_rng(1))(2, 3).shape
    (2, 3)
    """

    def __init__(self, generator: Generator) -> None:
        self.generator = generator

    def __call__(self, *shape: int) -> Any:
        """Array of the shape; a number without one."""
        return self.generator.standard_normal(shape or None)


def single_values(pop: Population) -> FloatArray:
    """One number for each individual: the objective, or what is above any for infeasible ones.

    Parameters
    ----------
    pop : Population
        Evaluated, of one objective.

    Returns
    -------
    float array (n,)
        Less is better; of infeasible ones that which violates less.
    """
    violation = np.maximum(pop.get("CV")[:, 0], 0)
    F = pop.get("F")[:, 0]
    return np.asarray(np.where(violation > 0, INFINITE * (10 + 10 * violation), F))
