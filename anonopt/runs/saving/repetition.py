"""Repeat a saved run: the same problem, the same algorithm, from the same seed, and checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any

import numpy as np
from pymoo.core.algorithm import Algorithm

from anonopt.algorithms.registry import get_algorithm
from anonopt.problems.base import AnonymizationProblem, check_problem
from anonopt.runs.callbacks import AnyCallback
from anonopt.runs.result import Result
from anonopt.runs.saving.checkpoint import CheckpointWriter
from anonopt.runs.saving.replay import ReplayError, ReplayingEvaluator
from anonopt.runs.saving.saved_run import Origin, SavedRun, installed_versions
from anonopt.runs.search import search


def searched_again(
    path: str | PathLike[str],
    saved: SavedRun,
    problem: AnonymizationProblem | None,
    algorithm: Algorithm | None,
) -> tuple[AnonymizationProblem, Algorithm]:
    """Problem and algorithm of a saved run: the given ones, else made again by their names."""
    problem = _problem_of_run(path, saved, problem)
    if algorithm is None:
        algorithm = _made_again(path, "algorithm", saved.algorithm, get_algorithm, problem)
    return problem, algorithm


def repeated(
    path: str | PathLike[str],
    saved: SavedRun,
    problem: AnonymizationProblem,
    algorithm: Algorithm,
    evaluator: ReplayingEvaluator,
    *,
    termination: Any,
    callback: AnyCallback | Sequence[AnyCallback] | None = None,
    progress: bool = False,
    shown: dict[str, Any] | None = None,
    writer: CheckpointWriter | None = None,
) -> Result:
    """Run the algorithm of a saved run from its seed, and check that it comes as far as the record.

    Raises
    ------
    ValueError
        If it asks for other solutions than those on record, or ends before the last of them.
    """
    try:
        result = search(
            problem,
            algorithm,
            evaluator,
            test_budget=saved.test_budget,
            termination=termination,
            seed=saved.seed,
            callback=callback,
            progress=progress,
            shown={"verbose": False} if shown is None else shown,
            writer=writer,
        )
    except ReplayError as error:
        raise ValueError(_divergence(path, saved, str(error))) from error
    if result.n_unique < len(saved.X):
        found = f"the run ended after {result.n_unique} of {len(saved.X)} saved evaluations"
        raise ValueError(_divergence(path, saved, found))
    return result


def _problem_of_run(
    path: str | PathLike[str], saved: SavedRun, problem: AnonymizationProblem | None
) -> AnonymizationProblem:
    """The problem of a saved run: the given one, if it is that, else made again by its name."""
    if problem is None:
        # Imported here, as it brings every kind of problem along.
        from anonopt.problems.catalogue import get_problem

        problem = _made_again(path, "problem", saved.problem, get_problem)
    check_problem(problem)
    if problem.portable_fingerprint != saved.portable_fingerprint:
        raise ValueError(
            f"{path}: expected the problem of the saved run, {saved.problem.kind} with "
            f"{saved.answers['F'].shape[1]} objectives, found "
            f"another one, {type(problem).__name__} of {problem.n_var} genes and the objectives "
            f"{problem.objective_names} (its table, measures, bounds or constraints differ)"
        )
    widths = {"F": problem.n_obj, "G": problem.n_ieq_constr, "H": problem.n_eq_constr}
    for name, width in widths.items():
        found = saved.answers[name].shape[1] if name in saved.answers else width
        if found != width:
            raise ValueError(f"{path}: {name}: expected {width} values a genome, found {found}")
    # Functions of one name are told apart by what they measure.
    if problem.fingerprint != saved.fingerprint:
        _check_measured(path, saved, problem)
    return problem


def _check_measured(
    path: str | PathLike[str], saved: SavedRun, problem: AnonymizationProblem
) -> None:
    rows = [0, -1]
    if saved.digested:
        raise ValueError(
            f"{path}: expected the problem of the saved run; its measures are functions, which "
            f"cannot be compared with those of the run, as the file holds no genomes"
        )
    measured = problem.evaluate(saved.X[rows], return_as_dictionary=True)
    for name, values in ((name, measured[name]) for name in ("F", "G") if name in measured):
        expected = saved.answers[name][rows]
        if not np.array_equal(values, expected):
            raise ValueError(
                f"{path}: expected the problem of the saved run; its functions measure "
                f"{name} = {np.asarray(values).tolist()} of the genomes "
                f"{saved.X[rows].tolist()}, found in the file {expected.tolist()}"
            )


def _made_again(
    path: str | PathLike[str], what: str, origin: Origin, make: Callable[..., Any], *arguments: Any
) -> Any:
    """Problem or algorithm of the name and the options that the file holds."""
    if origin.name is None:
        raise ValueError(
            f"{path}: expected {what}=<the {what} of the run>, as {origin.kind} was not made by "
            f"a name with options that can be saved, found None"
        )
    try:
        return make(origin.name, *arguments, **origin.options)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path}: {what} {origin.name!r}: {error}") from error


def _divergence(path: str | PathLike[str], saved: SavedRun, found: str) -> str:
    """Message that an algorithm does not repeat a saved run."""
    return (
        f"{path}: the algorithm does not repeat the saved run: {found}. It must be the same "
        f"algorithm with the same options ({saved.algorithm.kind}); the run was made with "
        f"{dict(saved.versions)}, here are {installed_versions()}"
    )
