"""pymoo's DE and PSO without the unseeded generators that pymoo makes inside of them.

pymoo 0.6.2 sorts the individuals by an operator that makes a generator where it is handed none.
Nothing is drawn from it, but a run that asks the operating system for entropy is one that nobody
can prove to be repeatable.
"""

from __future__ import annotations

from typing import Any

from pymoo.algorithms.soo.nonconvex.de import DE
from pymoo.algorithms.soo.nonconvex.ga import FitnessSurvival
from pymoo.algorithms.soo.nonconvex.pso import PSO
from pymoo.core.population import Population
from pymoo.core.replacement import ImprovementReplacement
from pymoo.operators.mutation.pm import PM

from anonopt.algorithms.population.evolutionary import best_first


class SeededDE(DE):  # type: ignore[misc]  # pymoo has no types
    """Differential evolution of pymoo; parameters as there."""

    def _initialize_advance(self, infills: Any = None, **kwargs: Any) -> None:
        self._rank()

    def _advance(self, infills: Any = None, **kwargs: Any) -> None:
        rows = infills.get("index")
        self.pop[rows] = ImprovementReplacement().do(self.problem, self.pop[rows], infills)
        self._rank()

    def _rank(self) -> None:
        FitnessSurvival().do(
            self.problem, self.pop, return_indices=True, random_state=self.random_state
        )


class SeededPSO(PSO):  # type: ignore[misc]  # pymoo has no types
    """Particle swarm of pymoo; parameters as there.

    Parameters
    ----------
    pertube_best : bool
        Whether a mutant of the best place known takes the turn of its particle.
    """

    def __init__(self, pertube_best: bool = True, **options: Any) -> None:
        super().__init__(pertube_best=False, **options)
        self.mutates_best = pertube_best

    def _infill(self) -> Population:
        flown = super()._infill()
        if self.mutates_best:
            best = int(best_first(self.pop)[0])
            mutation = PM(prob=0.9, eta=self.random_state.uniform(5, 30), at_least_once=False)
            known = Population.new("X", self.pop[[best]].get("X").copy())
            mutant = mutation(self.problem, known, random_state=self.random_state)
            flown[best].set("X", self.repair(self.problem, mutant)[0].X)
        return flown
