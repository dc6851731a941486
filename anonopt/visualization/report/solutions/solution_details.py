"""Which detail a solution has, by the class of its problem."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from pymoo.core.problem import Problem

from anonopt._typing import AnyArray
from anonopt.measures import MEASURES
from anonopt.problems import (
    AnonymizationProblem,
    ContinuousMaskingProblem,
    GraphProblem,
    LatticeProblem,
    LocalRecodingProblem,
    MaskingProblem,
    PRAMEquationProblem,
    PRAMProblem,
)
from anonopt.visualization.report.solutions.detail import Detail, Part, Shown, counted, shortened
from anonopt.visualization.report.solutions.equation_detail import equation_detail
from anonopt.visualization.report.solutions.file_detail import (
    RISK_UTILITY,
    file_detail,
    risk_utility_background,
)
from anonopt.visualization.report.solutions.graph_detail import (
    GRAPH,
    graph_background,
    graph_detail,
)
from anonopt.visualization.report.solutions.lattice_detail import lattice_detail
from anonopt.visualization.report.solutions.matrix_detail import matrix_detail
from anonopt.visualization.report.solutions.measured_values import measures_table, number_text
from anonopt.visualization.report.solutions.recoding_detail import recoding_detail

if TYPE_CHECKING:
    import plotly.graph_objects as go

MAX_GENES = 100
"""Genes that are listed of a solution of which nothing else is known."""


def unwrapped(problem: Any) -> Any:
    """The problem that pymoo's wrappers, such as ``ConstraintsAsPenalty``, were put around.

    Data are protected by it, and measured as it measures them.
    """
    while isinstance(problem, Problem) and "__object__" in vars(problem):
        problem = vars(problem)["__object__"]
    return problem


@singledispatch
def solution_detail(problem: Any, x: AnyArray, shown: Shown) -> Detail:
    """Describe a solution in its own terms.

    Parameters
    ----------
    problem : AnonymizationProblem
        Of any class: subclasses have the detail of what they are made from, and of wrappers what
        is `unwrapped` is described. A class of your own gets a detail of its own by
        ``solution_detail.register``; without, genome, objectives and constraints are shown.
    x : array (n_var,)
        A genome, such as a row of ``result.X``.
    shown : Shown

    Returns
    -------
    Detail

    Raises
    ------
    TypeError
        If it is no problem of this library.
    ValueError
        If it is no genome of the problem.
    """
    if not isinstance(problem, AnonymizationProblem):
        raise TypeError(f"problem: expected an AnonymizationProblem, found {problem!r}")
    genome = problem.space.checked_one(x)
    values = problem.evaluate(genome[np.newaxis], return_as_dictionary=True)
    objectives = dict(
        zip(problem.objective_names, problem.natural(values["F"][0]).tolist(), strict=True)
    )
    parts = [
        Part("Objectives", table=measures_table(objectives, MEASURES)),
        *([_constraints(problem, values["G"][0])] if problem.constraint_names else []),
        _genome(problem, genome),
    ]
    return Detail(
        f"solution of {type(problem).__name__}",
        f"{counted(problem.n_var, 'gene')} of {problem.space.kind}: "
        f"{shortened(problem.space.text(genome), 300)}.",
        tuple(parts),
    )


solution_detail.register(LatticeProblem, lattice_detail)
solution_detail.register(LocalRecodingProblem, recoding_detail)
solution_detail.register(MaskingProblem, file_detail)
solution_detail.register(ContinuousMaskingProblem, file_detail)
solution_detail.register(PRAMProblem, matrix_detail)
solution_detail.register(PRAMEquationProblem, equation_detail)
solution_detail.register(GraphProblem, graph_detail)


def _constraints(problem: AnonymizationProblem, G: AnyArray) -> Part:
    rows = [
        [name, number_text(float(value)), "met" if value <= 0 else "missed"]
        for name, value in zip(problem.constraint_names, G, strict=True)
    ]
    table = pd.DataFrame(rows, columns=["constraint", "violation", "state"])
    return Part("Constraints", "Met where the violation is at most 0.", table)


def _genome(problem: AnonymizationProblem, genome: AnyArray) -> Part:
    names = problem.space.names or [str(gene) for gene in range(problem.n_var)]
    kept = list(zip(names, genome, strict=True))[:MAX_GENES]
    table = pd.DataFrame(
        {"gene": [name for name, _ in kept], "value": [shortened(str(one)) for _, one in kept]}
    )
    n_more = problem.n_var - len(kept)
    notes = (f"{n_more:,} further genes are not listed.",) if n_more else ()
    return Part("Genome", table=table, notes=notes)


@singledispatch
def backgrounds(problem: Any, shown: Shown) -> dict[str, go.Figure]:
    """Figures behind those of details, by name: what is the same for all solutions of a problem."""
    return {}


@backgrounds.register(MaskingProblem)
@backgrounds.register(ContinuousMaskingProblem)
def _of_files(problem: Any, shown: Shown) -> dict[str, go.Figure]:
    return {RISK_UTILITY: risk_utility_background(shown.evaluated)}


@backgrounds.register(GraphProblem)
def _of_graphs(problem: GraphProblem, shown: Shown) -> dict[str, go.Figure]:
    return {GRAPH: graph_background(problem)} if shown.sample_rows else {}
