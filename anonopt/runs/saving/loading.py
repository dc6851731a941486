"""Look at a saved run as it is, without going on with it."""

from __future__ import annotations

import dataclasses
from os import PathLike

from pymoo.core.algorithm import Algorithm
from pymoo.core.termination import NoTermination

from anonopt.algorithms.registry import get_algorithm
from anonopt.problems.base import AnonymizationProblem
from anonopt.runs.result import Result
from anonopt.runs.saving.replay import RecordedEvaluator, ReplayError
from anonopt.runs.saving.resume import checked_problem, divergence, made_again
from anonopt.runs.saving.saved_run import read_run
from anonopt.runs.search import search
from anonopt.runs.termination import NO_RULE

UNFINISHED = "not ended: what the file holds of the run so far"
"""Message of a run that was still under way when its file was written."""

NOTHING = "; no feasible solution"
"""What follows the reason why a run ended that found nothing feasible."""


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
    problem = checked_problem(path, saved, problem)
    if algorithm is None:
        algorithm = made_again(path, "algorithm", saved.algorithm, get_algorithm, problem)
    if len(saved.X) == 0:
        raise ValueError(f"{path}: expected a run that evaluated something, found none")
    # A rule that cannot be saved is that of the record: the run ends where it does.
    has_rule = saved.termination != NO_RULE and not isinstance(saved.termination, dict)
    try:
        result = search(
            problem,
            algorithm,
            RecordedEvaluator(saved, budget=saved.budget),
            test_budget=saved.test_budget,
            termination=saved.termination if has_rule else NoTermination(),
            seed=saved.seed,
            callback=None,
            progress=False,
            shown={"verbose": False},
            writer=None,
        )
    except ReplayError as error:
        raise ValueError(divergence(path, saved, str(error))) from error
    if result.n_unique < len(saved.X):
        found = f"the run ended after {result.n_unique} of {len(saved.X)} saved evaluations"
        raise ValueError(divergence(path, saved, found))
    return dataclasses.replace(
        result,
        message=_message(saved.message or UNFINISHED, result),
        n_evaluations=saved.n_evaluations,
        seconds=float(saved.seconds.max()),
    )


def _message(message: str, result: Result) -> str:
    """Message of the run, with what is wrong if nothing is feasible."""
    _, sign, wrong = result.message.partition(NOTHING)
    return message if NOTHING in message else f"{message}{sign}{wrong}"
