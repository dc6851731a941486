"""ExactRecodingSearch: the proven optimum of a small table by integer programming.

Idea: every combination of labels that holds k rows of the table is a candidate. An integer program
says which are used and how many rows of each distinct tuple are recoded to each, so that each that
is used has k rows or more and the general loss metric is least. HiGHS solves it, by branch and cut.

Paper: none; the program is facility location with lower bounds (D. R. Karger and M. Minkoff,
*Building Steiner Trees with Incomplete Global Knowledge*, FOCS 2000), labels being the facilities.
The solver: Q. Huangfu and J. A. J. Hall, *Parallelizing the Dual Revised Simplex Method*,
Mathematical Programming Computation 10 (2018).

Decided:

- Of labels that hold the same rows the lowest is the candidate.
- Classes, not groups, hold k rows: all rows of equal labels are one class.
- A bound of ``l`` is modelled by a mark for each label and sensitive value; others are refused.
- The gap of the solver is 0: what is proven is the optimum, but for its feasibility tolerance.
- A table is refused where the program would have more than 20,000 pairs of a label and a tuple.
"""

from __future__ import annotations

from typing import Any

from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt._checks import check_number
from anonopt.algorithms.base import Search
from anonopt.local_recoding.bounds.exact_recoding import RecodingModel, size_refusal
from anonopt.local_recoding.regions.whole_table import whole_refusal
from anonopt.problems.local_recoding import LocalRecodingProblem


class ExactRecodingSearch(Search):
    """Integer programming for local recodings of small tables; see `exact_recoding`.

    Parameters
    ----------
    max_seconds : float, optional
        Time of the solver; without it, until the optimum is proven.
    termination : pymoo Termination or tuple, optional

    Attributes
    ----------
    bound : float
        No recoding loses less.

    Raises
    ------
    ValueError
        If the time is not above 0; when it is set up, if the problem is not one of local recodings
        as groups whose only objective is ``glm``, has constraints or class bounds other than of
        ``l``, the whole table misses k or its bounds, or it is too large (names the number).

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.problems.LocalRecodingProblem(
    ...     ao.load_dataset("patients"), ["glm"], k=3, genome="groups"
    ... )
    >>> result = ao.solve(problem, ExactRecodingSearch())
    >>> result.algorithm.is_proven
    True
    """

    ends_by_itself = True

    def __init__(self, *, max_seconds: float | None = None, **options: Any) -> None:
        super().__init__(**options)
        if max_seconds is not None:
            check_number("max_seconds", max_seconds, above=0)
        self.max_seconds = max_seconds
        self.bound = 0.0
        self._is_proven = False

    @property
    def is_proven(self) -> bool:
        """Whether the solver has proven the optimum."""
        return self._is_proven

    def particular_refusal(self, problem: Problem) -> str | None:
        """Why it does not take a problem of groups."""
        if not isinstance(problem, LocalRecodingProblem):
            return f"expected a LocalRecodingProblem, found {type(problem).__name__}"
        if list(problem.objective_names) != ["glm"] or problem.constraints:
            names = [*problem.objective_names, *(one.name for one, _ in problem.constraints)]
            return f"expected the objective glm alone, found {', '.join(names)}"
        tuples, rule = problem.evaluator.tuples, problem.evaluator.rule
        return whole_refusal(tuples, rule) or size_refusal(tuples, rule)

    def _begin(self, problem: Problem) -> None:
        self.bound, self._is_proven = 0.0, False

    def _infill(self) -> Population:
        evaluator = self.problem.evaluator
        model = RecodingModel.of(evaluator.tuples, evaluator.rule, evaluator.weights)
        found = model.solved(self.max_seconds)
        self.bound, self._is_proven = found.bound, found.is_proven
        return Population.new("X", self.problem.space.genomes([found.groups]))

    def _advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        self.pop = infills
        self.end("the optimum is proven" if self._is_proven else "the time of the solver ran out")
