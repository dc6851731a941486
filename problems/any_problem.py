"""What searches ask of any pymoo problem, of this library or not."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from pymoo.core.problem import Problem

from anonopt._typing import BoolArray, FloatArray
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.local_recoding import GENOMES, LocalRecodingProblem


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


def way_to(problem: Problem, kinds: Collection[str]) -> str:
    """How a problem is asked for genomes of one of some kinds, as the end of a refusal.

    Empty if it has no such twin.
    """
    if not isinstance(problem, LocalRecodingProblem):
        return ""
    calls = [f"problem.with_genome({one!r})" for one in GENOMES if one in kinds]
    return f"; {' or '.join(calls)} has such" if calls else ""


def unmet_rule(problem: Problem) -> str | None:
    """Why no genome of a problem can be feasible, as far as it is known beforehand."""
    return problem.refusal if isinstance(problem, LocalRecodingProblem) else None
