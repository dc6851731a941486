"""What the items of Dewri 2010 share: sets of objectives, and one run of PBG-EA on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from anonopt._typing import FloatArray
from anonopt.algorithms.population.pbgea import PBGEA
from anonopt.measures.fronts.indicators import convergence_error, representation_ratio
from anonopt.problems.base import AnonymizationProblem
from anonopt.runs.solve import solve

N_SEEDS = 20
"""Runs of Section 7: "Each experiment is run 20 times"."""

PROBLEMS = {
    "k, GLM": "adult-k-glm",
    "k, l, GLM": "adult-k-l-glm",
    "S_k, GLM": "adult-sk-glm",
    "S_k, S_l, GLM": "adult-sk-sl-glm",
    "k, GLM, CM": "adult-k-glm-cm",
}
"""Sets of objectives as the paper names them."""


class Search(NamedTuple):
    """What one run of PBG-EA came to.

    Attributes
    ----------
    problem : AnonymizationProblem
    archive : float array (n, n_obj)
        Natural values of the archive.
    found : float array (m, n_obj)
        Those of the non-dominated ones of all nodes that the run evaluated.
    n_unique : int
        Distinct nodes among them.
    """

    problem: AnonymizationProblem
    archive: FloatArray
    found: FloatArray
    n_unique: int

    def errors_and_ratio(self, row: str, eps: Sequence[float]) -> Mapping[str, float]:
        """Convergence error, as a mean and as a sum, and representation ratio, by labels."""
        front = self.problem.natural(self.problem.pareto_front())
        maximize = self.problem.maximize
        return {
            f"{row}: CE": convergence_error(self.archive, front, reduction="mean"),
            f"{row}: CE as a sum": convergence_error(self.archive, front),
            f"{row}: RR": representation_ratio(self.archive, front, eps=eps, maximize=maximize),
        }


def search(problem: AnonymizationProblem, eps: Sequence[float], seed: int) -> Search:
    """Run PBG-EA with the parameters of Section 7.

    Parents come from the union of population and archive (Section 6), as a set.

    Parameters
    ----------
    problem : AnonymizationProblem
    eps : sequence of float, (n_obj,)
        Discretization vector.
    seed : int
    """
    result = solve(problem, PBGEA(eps=eps, counts_once=True), seed=seed)
    archive = problem.natural(result.algorithm.archive.population().get("F"))
    return Search(problem, archive, problem.natural(result.F), result.n_unique)


def ones(problem: AnonymizationProblem) -> tuple[float, ...]:
    """The discretization vector of Tables 1(b) and 2(b), "all ones"."""
    return (1.0,) * int(problem.n_obj)
