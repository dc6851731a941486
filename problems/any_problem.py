"""What searches ask of any pymoo problem, of this library or not."""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.core.problem import Problem

from anonopt._typing import BoolArray, FloatArray
from anonopt.problems.base import AnonymizationProblem


def lattice_of(problem: Problem) -> Any:
    """The `LatticeProblem` whose evaluator tells the objectives of a problem; else None.

    Searches may then ask the evaluator in place of the problem. None of other problems, and of
    those that measure something of their own, see `AnonymizationProblem.as_lattice`.
    """
    return problem.as_lattice if isinstance(problem, AnonymizationProblem) else None


def maximize_of(problem: Problem) -> BoolArray:
    """Whether more of each objective is better, (n_obj,); plain pymoo problems minimize all.

    So do wrappers that change the number of objectives, such as pymoo's `ConstraintsAsObjective`.
    """
    if isinstance(problem, AnonymizationProblem) and len(problem.maximize) == problem.n_obj:
        return problem.maximize
    return np.zeros(problem.n_obj, dtype=bool)


def natural_objectives(problem: Problem, F: FloatArray) -> dict[str, FloatArray]:
    """Columns of minimized objectives (n, n_obj) by name, in natural units.

    Those of plain pymoo problems, and of wrappers that change their number, are called ``F1``,
    ``F2``, ..., and stay as they are.
    """
    if isinstance(problem, AnonymizationProblem) and len(problem.maximize) == F.shape[1]:
        return dict(zip(problem.objective_names, problem.natural(F).T, strict=True))
    return {f"F{i + 1}": column for i, column in enumerate(F.T)}
