"""What memetic searches in loss and risk share: gaps of the front, and what children aim at."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import moocore
import numpy as np
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt._checks import check_integer, check_share
from anonopt._typing import AnyArray, FloatArray, IntArray
from anonopt.algorithms.population.evolutionary import EvolutionarySearch, best_first
from anonopt.evaluation.aim import Aim

OWN_AIMS = {
    # Of those whose larger one of both is the same, less of both is better.
    "score_max": Aim(loss=0.01, risk=0.01, larger=1.0),
    "score_mean": Aim(loss=0.5, risk=0.5),
}
"""Objectives that are their own aim."""

FIGURES = ("anon_IL", "anon_DR")
"""Loss and risk, under the names by which individuals hold them."""

PROB_NEIGHBOUR = 0.7
"""Probability that the second parent is the other end of the gap."""


class MemeticSearch(EvolutionarySearch):
    """Base class: children of neighbours on the front take local steps before they are measured.

    Subclasses implement ``_improved``, and name their operators.

    Parameters
    ----------
    pop_size : int
        Most individuals that are kept, at least 1.
    n_generations : int
        Generations after the starting population, at least 1. A termination replaces it.
    n_matings : int
        Matings of a generation, at least 1; each has two children.
    prob_mutation : float
        Probability that a child is mutated before its local steps, in 0..1.
    **options
        As of `EvolutionarySearch`.

    Raises
    ------
    ValueError
        If a parameter is out of its range.
    """

    n_parents = 2

    def __init__(
        self,
        *,
        pop_size: int,
        n_generations: int,
        n_matings: int,
        prob_mutation: float,
        **options: Any,
    ) -> None:
        super().__init__(pop_size=pop_size, n_generations=n_generations, **options)
        self.n_matings = check_integer("n_matings", n_matings, least=1)
        self.prob_mutation = check_share("prob_mutation", prob_mutation)

    @abstractmethod
    def _improved(self, genome: AnyArray, aim: Aim) -> AnyArray:
        """A genome after local steps."""

    def _begin(self, problem: Problem) -> None:
        super()._begin(problem)
        names = tuple(problem.objective_names)
        self._aim = OWN_AIMS.get(names[0]) if len(names) == 1 and not problem.constraints else None

    def _offspring(self) -> Population:
        parents, aims = self._matings()
        children = self._crossed(parents)
        mutated = np.flatnonzero(self.random_state.random(len(children)) < self.prob_mutation)
        if len(mutated):
            children[mutated] = self._mutated(children[mutated])
        # All first children come before the second ones.
        for child, aim in zip(children, [*aims, *aims], strict=True):
            child.X = self._improved(child.X, aim)
        return children

    def _matings(self) -> tuple[IntArray, Sequence[Aim]]:
        """Rows of the parents, (n_matings, 2), and what the children of each aim at."""
        generator, n = self.random_state, self.n_matings
        if self._aim is not None:
            return generator.integers(len(self.pop), size=(n, 2)), self._own_aims(self._aim)
        rows, figures = self._front()
        if len(rows) == 1:
            return np.repeat(rows, 2 * n).reshape(n, 2), [Aim(loss=0.5, risk=0.5)] * n
        gaps = np.abs(np.diff(figures, axis=0))
        areas = gaps.prod(axis=1)
        drawn = generator.choice(len(gaps), size=n, p=areas / areas.sum())
        ends = rows[np.column_stack([drawn, drawn + 1])]
        parents = np.where(generator.random((n, 1)) < 0.5, ends, ends[:, ::-1])
        others = generator.random(n) >= PROB_NEIGHBOUR
        parents[others, 1] = generator.choice(rows, size=int(others.sum()))
        weights = gaps[drawn] / gaps[drawn].sum(axis=1, keepdims=True)
        return parents, [Aim(loss=float(risk), risk=float(loss)) for loss, risk in weights]

    def _own_aims(self, aim: Aim) -> Sequence[Aim]:
        """What the children of each mating aim at where the objective is its own aim."""
        return [aim] * self.n_matings

    def _front(self) -> tuple[IntArray, FloatArray]:
        """Those of the least loss and risk: rows, and IL and DR (n, 2), by ascending loss."""
        figures = np.column_stack(
            [np.asarray(self.pop.get(name), dtype=np.float64).reshape(-1) for name in FIGURES]
        )
        rows = np.flatnonzero(moocore.is_nondominated(figures))
        rows = rows[np.argsort(figures[rows, 0], kind="stable")]
        return rows, figures[rows]

    def _replace(self, children: Population) -> IntArray | None:
        known = {one.tobytes() for one in self.pop.get("F")}
        new = []
        for row, child in enumerate(children):
            key = child.F.tobytes()
            if key not in known:
                known.add(key)
                new.append(row)
        self.pop = self._survivors(Population.merge(self.pop, children[new]))
        return None

    def _survivors(self, pop: Population) -> Population:
        if len(pop) <= self.pop_size:
            return pop
        if self.problem.n_obj == 1:
            return pop[best_first(pop)[: self.pop_size]]
        # pymoo's survival loads matplotlib, which takes longer than most searches.
        from pymoo.operators.survival.rank_and_crowding import RankAndCrowding

        return RankAndCrowding().do(
            self.problem, pop, n_survive=self.pop_size, random_state=self.random_state
        )
