"""Save a finished run, and go on with a saved one as if it had never stopped."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from os import PathLike
from typing import Any

from pymoo.core.algorithm import Algorithm
from pymoo.core.termination import NoTermination

from anonopt._checks import check_integer
from anonopt.algorithms.node_tests import TESTS_USED_UP
from anonopt.problems.base import AnonymizationProblem
from anonopt.runs.callbacks import AnyCallback
from anonopt.runs.result import Result
from anonopt.runs.saving.checkpoint import CheckpointWriter, describe_run
from anonopt.runs.saving.repetition import repeated, searched_again
from anonopt.runs.saving.replay import ReplayingEvaluator
from anonopt.runs.saving.saved_run import SavedRun, read_run, write_run
from anonopt.runs.search import BUDGET_REACHED, FINISHED
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
    problem, algorithm = searched_again(path, saved, problem, algorithm)
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
    return repeated(
        path,
        saved,
        problem,
        algorithm,
        evaluator,
        termination=rule,
        callback=callback,
        progress=progress,
        shown={"verbose": verbose, "output": output, "display": display},
        writer=writer,
    )


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
