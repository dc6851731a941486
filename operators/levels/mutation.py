"""Mutation: single levels of integer genomes changed at random."""

from __future__ import annotations

from typing import Literal

import numpy as np

from anonopt._checks import check_choice, check_share
from anonopt._typing import Generator, IntArray
from anonopt.operators.variation import IntegerMutation


class GeneMutation(IntegerMutation):
    """Each gene is changed with the same probability; a subclass has `_moved`."""

    def __init__(self, *, prob_var: float | None = None) -> None:
        super().__init__(prob_var=None if prob_var is None else check_share("prob_var", prob_var))

    def _changed(
        self, genomes: IntArray, lower: IntArray, upper: IntArray, generator: Generator
    ) -> IntArray:
        prob_var = 1 / genomes.shape[1] if self.prob_var is None else self.prob_var.value
        chosen = generator.random(genomes.shape) < prob_var
        return np.where(chosen, self._moved(genomes, lower, upper, generator), genomes)

    def _moved(
        self, genomes: IntArray, lower: IntArray, upper: IntArray, generator: Generator
    ) -> IntArray:
        """Every gene as it is if it is chosen, (n, n_var)."""
        raise NotImplementedError


class StepMutation(GeneMutation):
    """Each level goes up or down by one, with the same probability.

    Dewri 2010, Section 6, where "appropriate rounding" keeps a step within the bounds. A step
    that would leave them goes the other way: staying makes half of the mutations of a column of
    two levels void, and takes searches further from the figures that the paper prints.

    Parameters
    ----------
    prob_var : float, optional
        Probability of each gene to be changed, in 0..1; 1 / n_var if not given.
    at_bound : ``"inward"`` or ``"stay"``
        What becomes of a step that would leave the bounds: it goes the other way, if there is
        another level, or the level stays.

    Raises
    ------
    ValueError
        If prob_var is not in 0..1, or at_bound is neither.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.population import Population
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=6, n_obj=1, xl=0, xu=4)
    >>> pop = Population.new("X", np.array([[0, 0, 2, 2, 4, 4]]))
    >>> StepMutation(prob_var=1.0)(problem, pop, random_state=np.random.default_rng(1)).get("X")
    array([[1, 1, 1, 1, 3, 3]])
    >>> staying = StepMutation(prob_var=1.0, at_bound="stay")
    >>> staying(problem, pop, random_state=np.random.default_rng(1)).get("X")
    array([[0, 1, 1, 1, 4, 4]])
    """

    def __init__(
        self, *, prob_var: float | None = None, at_bound: Literal["inward", "stay"] = "inward"
    ) -> None:
        super().__init__(prob_var=prob_var)
        self.at_bound = check_choice("at_bound", at_bound, ("inward", "stay"))

    def _moved(
        self, genomes: IntArray, lower: IntArray, upper: IntArray, generator: Generator
    ) -> IntArray:
        steps = 2 * generator.integers(2, size=genomes.shape) - 1
        moved: IntArray = genomes + steps
        if self.at_bound == "inward":
            moved = np.where((moved < lower) | (moved > upper), genomes - steps, moved)
        return np.clip(moved, lower, upper)


class ResetMutation(GeneMutation):
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

    def _moved(
        self, genomes: IntArray, lower: IntArray, upper: IntArray, generator: Generator
    ) -> IntArray:
        spans = upper - lower + 1
        shifts = generator.integers(1, np.maximum(spans, 2), size=genomes.shape)
        return lower + (genomes - lower + shifts) % spans
