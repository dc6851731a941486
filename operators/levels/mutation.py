"""Mutation: single levels of integer genomes changed at random."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.mutation import Mutation
from pymoo.core.population import Population
from pymoo.core.variable import get

from anonopt._typing import IntArray
from anonopt.operators.base import genomes_in_bounds, probability, required_generator


class _IntegerMutation(Mutation):
    """What both mutations share: a new population, and the choice of the genes that change."""

    def __init__(self, *, prob_var: float | None = None) -> None:
        super().__init__(prob_var=probability(prob_var, "prob_var"))

    def do(
        self,
        problem: Any,
        pop: Any,
        inplace: bool = False,
        *args: Any,
        random_state: np.random.Generator | None = None,
        seed: int | None = None,
        **kwargs: Any,
    ) -> Any:
        """Make a mutated copy of a population; the given one is not changed.

        Parameters
        ----------
        problem : pymoo Problem
            Bounds are whole numbers.
        pop : pymoo Population
        inplace : bool
            Must be False. pymoo's own mutations change the given individuals, which then keep
            objective values that are not those of their genomes.
        random_state : numpy.random.Generator
            Source of all randomness.
        seed : int, optional
            Used if ``random_state`` is not given.

        Returns
        -------
        pymoo Population of new individuals, none of them evaluated
            Genomes are int64 arrays (n_var,).

        Raises
        ------
        ValueError
            If neither a generator nor a seed is given, a gene is not a whole number or out of
            its bounds, or inplace is True.
        """
        if inplace:
            raise ValueError(f"{self.name}: expected inplace=False, found True")
        generator = required_generator(random_state, self, seed=seed)
        fresh = Population.new("X", pop.get("X"))
        return super().do(problem, fresh, *args, random_state=generator, **kwargs)

    def get_prob_var(self, problem: Any, **kwargs: Any) -> Any:
        """Probability of each gene to change: ``prob_var``, or ``1 / n_var`` if that is None."""
        prob_var = 1 / problem.n_var if self.prob_var is None else self.prob_var
        return get(prob_var, **kwargs)

    def _do(
        self,
        problem: Any,
        X: npt.NDArray[Any],
        *args: Any,
        random_state: np.random.Generator | None = None,
        **kwargs: Any,
    ) -> IntArray:
        generator = required_generator(random_state, self)
        genomes, lower, upper = genomes_in_bounds(problem, X)
        chosen = generator.random(genomes.shape) < self.get_prob_var(problem)
        return np.where(chosen, self._changed(genomes, lower, upper, generator), genomes)

    def _changed(
        self, genomes: IntArray, lower: IntArray, upper: IntArray, generator: np.random.Generator
    ) -> IntArray:
        """Every gene as it would be if it were chosen, shape (n, n_var)."""
        raise NotImplementedError


class StepMutation(_IntegerMutation):
    """Each level goes up or down by one, with the same probability, and is clipped.

    Dewri 2010, Section 6. A level at its bound that is sent beyond it stays.

    Parameters
    ----------
    prob_var : float, optional
        Probability of each gene to be changed, in 0..1; 1 / n_var if not given.

    Raises
    ------
    ValueError
        If prob_var is not in 0..1.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.population import Population
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=6, n_obj=1, xl=0, xu=4)
    >>> pop = Population.new("X", np.array([[0, 0, 2, 2, 4, 4]]))
    >>> StepMutation(prob_var=1.0)(problem, pop, random_state=np.random.default_rng(1)).get("X")
    array([[0, 1, 1, 1, 4, 4]])
    """

    def _changed(
        self, genomes: IntArray, lower: IntArray, upper: IntArray, generator: np.random.Generator
    ) -> IntArray:
        steps = 2 * generator.integers(2, size=genomes.shape) - 1
        clipped: IntArray = np.clip(genomes + steps, lower, upper)
        return clipped


class ResetMutation(_IntegerMutation):
    """Each level is replaced by another one of its column, drawn uniformly.

    A chosen gene always changes, unless its column has a single level.

    Parameters
    ----------
    prob_var : float, optional
        Probability of each gene to be changed, in 0..1; 1 / n_var if not given.

    Raises
    ------
    ValueError
        If prob_var is not in 0..1.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.population import Population
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=4, n_obj=1, xl=0, xu=[4, 4, 1, 0])
    >>> pop = Population.new("X", np.array([[0, 3, 1, 0]]))
    >>> ResetMutation(prob_var=1.0)(problem, pop, random_state=np.random.default_rng(1)).get("X")
    array([[1, 0, 0, 0]])
    """

    def _changed(
        self, genomes: IntArray, lower: IntArray, upper: IntArray, generator: np.random.Generator
    ) -> IntArray:
        spans = upper - lower + 1
        shifts = generator.integers(1, np.maximum(spans, 2), size=genomes.shape)
        return lower + (genomes - lower + shifts) % spans
