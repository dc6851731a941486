"""Look at a saved run as it is, without going on with it."""

from __future__ import annotations

import dataclasses
from os import PathLike

from pymoo.core.algorithm import Algorithm
from pymoo.core.termination import NoTermination

from anonopt.problems.base import AnonymizationProblem
from anonopt.runs.result import NO_FEASIBLE, Result
from anonopt.runs.saving.repetition import repeated, searched_again
from anonopt.runs.saving.replay import RecordedEvaluator
from anonopt.runs.saving.saved_run import read_run
from anonopt.runs.termination import NO_RULE

UNFINISHED = "not ended: what the file holds of the run so far"
"""Message of a run that was still under way when its file was written."""


def load_run(
    path: str | PathLike[str],
    *,
    problem: AnonymizationProblem | None = None,
    algorithm: Algorithm | None = None,
) -> Result:
    """Result of a saved run as its file holds it; nothing is evaluated.

    The algorithm runs again from its seed, with the saved values in place of evaluations, and stops
    where they end. To go on with the run, see :func:`anonopt.resume_run`.

    Parameters
    ----------
    path : path
        File of ``save_run`` or of ``solve(..., checkpoint=path)``.
    problem : AnonymizationProblem, optional
        The problem of the run. Needed unless ``get_problem`` made it.
    algorithm : pymoo Algorithm, optional
        A fresh algorithm, made as that of the run. Needed unless ``get_algorithm`` can make it.

    Returns
    -------
    Result
        With the message of the run; of one that was still under way, it says so.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file is damaged, or problem or algorithm are missing or not those of the run.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.get_problem("german-k-glm")
    >>> result = ao.solve(problem, ao.algorithms.PBGEA(), budget=30, seed=1)
    >>> ao.save_run(result, "run.npz")
    >>> loaded = load_run("run.npz")
    >>> loaded.front.equals(result.front), loaded.message == result.message
    (True, True)
    """
    saved = read_run(path)
    problem, algorithm = searched_again(path, saved, problem, algorithm)
    if len(saved.X) == 0:
        raise ValueError(f"{path}: expected a run that evaluated something, found none")
    # A rule that cannot be saved is that of the record: the run ends where it does.
    has_rule = saved.termination != NO_RULE and not isinstance(saved.termination, dict)
    result = repeated(
        path,
        saved,
        problem,
        algorithm,
        RecordedEvaluator(saved, budget=saved.budget),
        termination=saved.termination if has_rule else NoTermination(),
    )
    return dataclasses.replace(
        result,
        message=_message(saved.message or UNFINISHED, result),
        n_evaluations=saved.n_evaluations,
        seconds=float(saved.seconds.max()),
    )


def _message(message: str, result: Result) -> str:
    """Message of the run, with what is wrong if nothing is feasible."""
    _, sign, wrong = result.message.partition(NO_FEASIBLE)
    return message if NO_FEASIBLE in message else f"{message}{sign}{wrong}"
