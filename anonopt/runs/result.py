"""What a run hands back: the front of everything it evaluated, in natural units."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from pymoo.core.algorithm import Algorithm

from anonopt.problems.base import AnonymizationProblem
from anonopt.runs.record import EvaluationRecord


@dataclass(frozen=True)
class Result:
    """Outcome of :func:`anonopt.runs.solve`.

    Attributes
    ----------
    X : array (n_front, n_var)
        Genomes of the front: the feasible solutions, among all that were evaluated, that no
        other feasible one dominates. Solutions with equal objectives are all kept; of problems
        that do not record genomes, the first of them. Rows are sorted by objectives, then by
        genome.
    F : float array (n_front, n_obj)
        Their minimized objectives, as pymoo sees them.
    front : DataFrame (n_front, n_var + n_obj)
        The same in natural units: columns of the genome, then of the objectives.
    n_evaluations : int
        Solutions the algorithm asked for, repeated ones included.
    n_unique : int
        Distinct solutions evaluated.
    seconds : float
        Wall time of the search.
    seed : int
        Seed of the run, also where none was given.
    history : DataFrame (n_unique, n_var + n_obj + 2)
        Every distinct solution in order: its number ``evaluation`` (from 1), genome (unless
        the problem does not record them), objectives in natural units, ``feasible``.
    message : str
        Why the run ended, and what is wrong if nothing is feasible.
    success : bool
        Whether at least one feasible solution was found.
    least_infeasible : DataFrame
        If nothing is feasible, one row: the solution of least constraint violation (the first
        evaluated among equals), with its ``violation``, the sum over the constraints of what
        exceeds 0. Otherwise no row.
    problem, algorithm
        The problem, and the algorithm in its last state.
    """

    X: npt.NDArray[Any]
    F: npt.NDArray[np.float64]
    front: pd.DataFrame
    n_evaluations: int
    n_unique: int
    seconds: float
    seed: int
    history: pd.DataFrame
    message: str
    success: bool
    least_infeasible: pd.DataFrame
    problem: AnonymizationProblem = field(repr=False)
    algorithm: Algorithm = field(repr=False)


def make_result(
    problem: AnonymizationProblem,
    algorithm: Algorithm,
    record: EvaluationRecord,
    *,
    n_evaluations: int,
    seconds: float,
    seed: int,
    message: str,
) -> Result:
    """Build the result of a run from the record of its evaluations.

    Parameters
    ----------
    problem, algorithm
        What was run.
    record : EvaluationRecord
        Every distinct solution, at least one.
    n_evaluations, seconds, seed, message
        As in :class:`Result`; the message is completed if nothing is feasible.
    """
    best, genomes = record.best()
    success = bool(record.CV[best[0]] <= 0)
    if not success:
        message = f"{message}; {_infeasibility(problem, record, int(best[0]), genomes[0])}"
    n_front = len(best) if success else 0
    X, F = genomes[:n_front], record.F[best[:n_front]]
    problem.confirm(X, F)
    least = best[n_front:]
    return Result(
        X=X,
        F=F,
        front=problem.frame(X, F),
        n_evaluations=n_evaluations,
        n_unique=len(record),
        seconds=seconds,
        seed=seed,
        history=_history(problem, record),
        message=message,
        success=success,
        least_infeasible=problem.frame(genomes[n_front:], record.F[least]).assign(
            violation=record.CV[least]
        ),
        problem=problem,
        algorithm=algorithm,
    )


def _history(problem: AnonymizationProblem, record: EvaluationRecord) -> pd.DataFrame:
    if record.X is None:
        history = problem.objectives_frame(record.F)
    else:
        history = problem.frame(record.X, record.F)
    history.insert(0, "evaluation", np.arange(1, len(record) + 1))
    return history.assign(feasible=record.CV <= 0)


def _infeasibility(
    problem: AnonymizationProblem, record: EvaluationRecord, least: int, x: npt.NDArray[Any]
) -> str:
    unmet = ", ".join(
        f"{name} by {amount:g}"
        for name, amount in zip(problem.constraint_names, record.G[least], strict=True)
        if amount > 0
    )
    return (
        f"no feasible solution among {len(record)} evaluated; the least infeasible, "
        f"{problem.space.text(x)}, fails {unmet}"
    )
