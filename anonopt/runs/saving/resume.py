"""Save a finished run, and go on with a saved one as if it had never stopped."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any

import numpy as np
from pymoo.core.algorithm import Algorithm
from pymoo.core.termination import NoTermination

from anonopt._checks import check_integer
from anonopt.algorithms.node_tests import TESTS_USED_UP
from anonopt.algorithms.registry import get_algorithm
from anonopt.problems.base import AnonymizationProblem, check_problem
from anonopt.runs.callbacks import AnyCallback
from anonopt.runs.result import Result
from anonopt.runs.saving.checkpoint import CheckpointWriter, describe_run
from anonopt.runs.saving.replay import ReplayError, ReplayingEvaluator
from anonopt.runs.saving.saved_run import Origin, SavedRun, installed_versions, read_run, write_run
from anonopt.runs.search import BUDGET_REACHED, FINISHED, search
from anonopt.runs.termination import GENERATIONS, NO_RULE, AnyTermination, generations

Extra = int | tuple[str, int]
"""So many more distinct evaluations, or ``("n_gen", n)``: n more generations."""


def save_run(result: Result, path: str | PathLike[str]) -> None:
    """Write a run to a file, from which :func:`resume_run` can go on.

    The file holds numbers and JSON: the seed, the limits, what problem and algorithm they were,
    and every distinct solution with its measured values. Genomes that are not numbers, or that
    the problem does not record, are held as digests. The file at the path, if there is one,
    is replaced in one step. To save a run while it goes on, give ``checkpoint`` to ``solve``.

    Parameters
    ----------
    result : Result
        As ``solve`` or ``resume_run`` returned it.
    path : path

    Raises
    ------
    TypeError
        If it is not a result of ``solve``, or measured values are not numbers.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.get_problem("german-k-glm")
    >>> result = ao.solve(problem, ao.algorithms.PBGEA(), budget=30, seed=1)
    >>> ao.save_run(result, "run.npz")
    >>> ao.resume_run("run.npz", extra=20).n_unique
    50
    """
    if not isinstance(result, Result):
        raise TypeError(
            f"result: expected a result of solve, found {type(result).__name__} "
            f"(solve(..., checkpoint=path) saves a run while it goes on)"
        )
    write_run(describe_run(result.algorithm, result.message), path)


def resume_run(
    path: str | PathLike[str],
    *,
    problem: AnonymizationProblem | None = None,
    algorithm: Algorithm | None = None,
    extra: Extra | None = None,
    termination: AnyTermination = None,
    callback: AnyCallback | Sequence[AnyCallback] | None = None,
    archive: Any = None,
    progress: bool = False,
    verbose: bool = False,
    output: Any = None,
    display: Any = None,
    checkpoint: str | PathLike[str] | None = None,
    checkpoint_every: float | tuple[str, int] = 60.0,
) -> Result:
    """Go on with a saved run; the result is that of a run that was never interrupted.

    The algorithm runs again from its seed, with the saved values in place of evaluations, and
    evaluates what comes after them.

    Parameters
    ----------
    path : path
        File of ``save_run`` or of ``solve(..., checkpoint=path)``.
    problem : AnonymizationProblem, optional
        The problem of the run. Needed unless ``get_problem`` made it.
    algorithm : pymoo Algorithm, optional
        A fresh algorithm, made as that of the run. Needed unless it is one of
        ``ao.list_algorithms()``, made with options that are numbers, text, or lists of them.
    extra : int or ("n_gen", int), optional
        How far to go on from what the file holds: so many distinct evaluations more, or so many
        generations more. It stands in for the limit that ended the run; a limit that did not
        end it still holds. Without `extra`, the limits are those the run was started with, so
        that an interrupted run comes to its end. Runs of RVEA, which plans its search by its
        length, and runs that a budget of tests ended can only come to their end.
    termination : pymoo Termination, tuple, str or int, optional
        As in ``solve``. Needed if the run was given an object that cannot be saved, such as
        one of a rule of your own.
    callback : function, pymoo Callback, or sequence of them, optional
        Called after every generation, from the first of the whole run on.
    archive : archive, optional
        As in ``solve``; it gets every solution of the whole run.
    progress, verbose, output, display
        As in ``solve``.
    checkpoint, checkpoint_every
        As in ``solve``; may be the path the run is read from.

    Returns
    -------
    Result
        Of the whole run. ``seconds`` are those of this part; in ``history`` they are those of the
        run, without its interruption.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file is damaged, problem, algorithm or termination are missing or not those of
        the run, or `extra` is given and the run cannot be made longer.
    """
    saved = read_run(path)
    problem = checked_problem(path, saved, problem)
    if algorithm is None:
        algorithm = made_again(path, "algorithm", saved.algorithm, get_algorithm, problem)
    if extra is not None and saved.message == TESTS_USED_UP:
        raise ValueError(
            f"{path}: expected a run that can be made longer, found one ended by its budget of "
            f"{saved.test_budget} tests, whose last steps a larger one would not repeat; start anew"
        )
    budget, rule = _limits(saved, extra, _given_termination(path, saved, extra, termination))
    evaluator = ReplayingEvaluator(saved, budget=budget, archive=copy.deepcopy(archive))
    writer = None
    if checkpoint is not None:
        writer = CheckpointWriter(checkpoint, every=checkpoint_every, n_held=len(saved.X))
    try:
        result = search(
            problem,
            algorithm,
            evaluator,
            test_budget=saved.test_budget,
            termination=rule,
            seed=saved.seed,
            callback=callback,
            progress=progress,
            shown={"verbose": verbose, "output": output, "display": display},
            writer=writer,
        )
    except ReplayError as error:
        raise ValueError(divergence(path, saved, str(error))) from error
    if result.n_unique < len(saved.X):
        found = f"the run ended after {result.n_unique} of {len(saved.X)} saved evaluations"
        raise ValueError(divergence(path, saved, found))
    return result


def checked_problem(
    path: str | PathLike[str], saved: SavedRun, problem: AnonymizationProblem | None
) -> AnonymizationProblem:
    """The problem of a saved run: the given one, if it is that, else made again by its name."""
    if problem is None:
        # Imported here, as it brings every kind of problem along.
        from anonopt.problems.catalogue import get_problem

        problem = made_again(path, "problem", saved.problem, get_problem)
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


def made_again(
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


def _given_termination(
    path: str | PathLike[str], saved: SavedRun, extra: Extra | None, termination: AnyTermination
) -> Any:
    if termination is not None:
        return termination
    if saved.termination == NO_RULE:
        return NoTermination()
    replaced = extra is not None and (generations("extra", extra) or _finished(saved))
    if isinstance(saved.termination, dict) and not replaced:
        raise ValueError(
            f"{path}: expected termination=<the rule of the run>, as "
            f"{saved.termination['class']} cannot be saved, found None"
        )
    return saved.termination


def _limits(saved: SavedRun, extra: Extra | None, rule: Any) -> tuple[int | None, Any]:
    """Budget and termination of the whole run."""
    if extra is None:
        return saved.budget, rule
    n_generations = generations("extra", extra)
    if n_generations is not None:
        by_budget = saved.message is not None and saved.message.startswith(BUDGET_REACHED)
        budget = None if by_budget else saved.budget
        return budget, (GENERATIONS, saved.n_generations + n_generations)
    n_more = check_integer("extra", extra, least=1)
    return len(saved.X) + n_more, NoTermination() if _finished(saved) else rule


def _finished(saved: SavedRun) -> bool:
    """Whether the run was ended by its termination or its algorithm."""
    return saved.message is not None and saved.message.startswith(FINISHED)


def divergence(path: str | PathLike[str], saved: SavedRun, found: str) -> str:
    """Message that an algorithm does not repeat a saved run."""
    return (
        f"{path}: the algorithm does not repeat the saved run: {found}. It must be the same "
        f"algorithm with the same options ({saved.algorithm.kind}); the run was made with "
        f"{dict(saved.versions)}, here are {installed_versions()}"
    )
