"""Run an algorithm on a problem: pymoo's ``minimize`` with a budget, a memory and a record."""

from __future__ import annotations

import copy
import operator
import time
from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np
from pymoo.core.algorithm import Algorithm
from pymoo.core.evaluator import Evaluator
from pymoo.core.termination import NoTermination, Termination
from pymoo.termination.default import DefaultTermination

from anonopt.problems.base import AnonymizationProblem
from anonopt.runs.callbacks import AnyCallback, CallbackList
from anonopt.runs.memory import BudgetReached, MemoizingEvaluator
from anonopt.runs.progress import progress_bar
from anonopt.runs.result import Result, make_result
from anonopt.runs.saving.checkpoint import CheckpointWriter

STALL_LIMIT = 5_000
"""A run ends after so many requests in a row for solutions that are all known already."""

BUDGET_REACHED = "budget reached"
FINISHED = "algorithm finished"
"""How messages begin of runs ended by their budget, and by their algorithm or termination."""


def solve(
    problem: AnonymizationProblem,
    algorithm: Algorithm,
    *,
    budget: int | None = None,
    termination: Termination | tuple[Any, ...] | None = None,
    seed: int | None = None,
    callback: AnyCallback | Sequence[AnyCallback] | None = None,
    progress: bool = False,
    checkpoint: str | PathLike[str] | None = None,
    checkpoint_every: float | tuple[str, int] = 60.0,
) -> Result:
    """Search a problem and report the front of everything that was evaluated.

    The algorithm is copied, set up and advanced as by pymoo's ``minimize``. On top of that,
    each distinct genome is evaluated once, a budget of distinct evaluations is kept exactly,
    every evaluation is recorded and the seed is known. One and several objectives are
    handled alike.

    The run ends at the first of: the budget is reached; every solution of the search space
    is evaluated; 5,000 requests in a row were for known solutions; the termination, or the
    algorithm itself, says so. ``message`` tells which.

    Parameters
    ----------
    problem : AnonymizationProblem
    algorithm : pymoo Algorithm
        One of ours, a preset, or any of pymoo's; it is left as it was and can be used again.
    budget : int, optional
        Most distinct solutions to evaluate, at least 1.
    termination : pymoo Termination or tuple, optional
        As in pymoo, for example ``("n_gen", 50)``; it replaces the algorithm's own. Without
        one, a run with a budget is ended by the budget or by a rule that is the algorithm's
        own (pymoo's default rules for stalled fronts are left out), a run without a budget by
        the rule pymoo would use.
    seed : int, optional
        Seed of the random generator, at least 0. The algorithm's own seed if left out; if it
        has none, one is drawn from the operating system. The result names it.
    callback : function, pymoo Callback, or sequence of them, optional
        Called with the algorithm after every generation.
    progress : bool
        Show a progress bar on standard error.
    checkpoint : path, optional
        File to save the run to while it goes on, replaced if it exists; ``resume_run`` goes on
        from it. If the run is killed, at most one interval is lost.
    checkpoint_every : float or ("n_gen", int)
        Interval, in seconds or in generations. It is looked at after each generation.

    Returns
    -------
    Result

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    OSError
        If the checkpoint cannot be written.
    ValueError
        If the budget is below 1, the seed is negative, or the algorithm was set up before or
        has an evaluator of its own.

    Examples
    --------
    >>> import numpy as np
    >>> from anonopt.algorithms import ExhaustiveSearch
    >>> from anonopt.problems.base import AnonymizationProblem
    >>> from anonopt.problems.spaces import Levels
    >>> class Sides(AnonymizationProblem):
    ...     def _values(self, X):
    ...         return np.column_stack([X.sum(axis=1), (X**2).sum(axis=1)]), None
    >>> problem = Sides(
    ...     space=Levels(["age", "sex"], upper=[2, 1]),
    ...     objective_names=["privacy", "loss"], maximize=[True, False],
    ... )
    >>> result = solve(problem, ExhaustiveSearch(), seed=1)
    >>> result.front
       age  sex  privacy  loss
    0    2    1      3.0   5.0
    1    1    1      2.0   2.0
    2    0    1      1.0   1.0
    3    1    0      1.0   1.0
    4    0    0      0.0   0.0
    >>> result.message
    'search space exhausted'
    """
    return search(
        problem,
        algorithm,
        MemoizingEvaluator(budget=budget),
        termination=termination,
        seed=seed,
        callback=callback,
        progress=progress,
        writer=None if checkpoint is None else CheckpointWriter(checkpoint, every=checkpoint_every),
    )


def search(
    problem: AnonymizationProblem,
    algorithm: Algorithm,
    evaluator: MemoizingEvaluator,
    *,
    termination: Termination | tuple[Any, ...] | None,
    seed: int | None,
    callback: AnyCallback | Sequence[AnyCallback] | None,
    progress: bool,
    writer: CheckpointWriter | None,
) -> Result:
    """Run an algorithm with a given evaluator: what :func:`solve` and ``resume_run`` share.

    Parameters
    ----------
    problem, algorithm, termination, seed, callback, progress
        As in :func:`solve`.
    evaluator : MemoizingEvaluator
        Brings the budget, and may know answers already.
    writer : CheckpointWriter or None
    """
    _check_inputs(problem, algorithm)
    algorithm = copy.deepcopy(algorithm)
    seed = _resolve_seed(seed, algorithm)
    started = time.perf_counter()
    algorithm.setup(
        problem,
        evaluator=evaluator,
        seed=seed,
        given_termination=termination,
        **_termination_option(termination, algorithm, evaluator),
        **_callback_option(callback),
    )
    message = None
    try:
        with progress_bar(visible=progress) as show:
            message = _run(algorithm, evaluator, problem.space.size, show, writer)
    finally:
        if writer is not None:
            writer.write(algorithm, message=message)
    return make_result(
        problem,
        algorithm,
        evaluator.record,
        n_evaluations=evaluator.n_evaluations,
        seconds=time.perf_counter() - started,
        seed=seed,
        message=message,
    )


def _check_inputs(problem: AnonymizationProblem, algorithm: Algorithm) -> None:
    if not isinstance(problem, AnonymizationProblem):
        raise TypeError(
            f"expected an AnonymizationProblem; found {type(problem).__name__} "
            f"(for other pymoo problems use pymoo.optimize.minimize)"
        )
    if not isinstance(algorithm, Algorithm):
        raise TypeError(
            f"expected an algorithm object, such as PBGEA() or nsga2(problem); found {algorithm!r}"
        )
    if algorithm.problem is not None:
        raise ValueError("expected a fresh algorithm; found one that was set up before")
    if type(algorithm.evaluator) is not Evaluator:
        raise ValueError(
            f"expected an algorithm without an evaluator of its own, as solve brings one; "
            f"found {type(algorithm.evaluator).__name__}"
        )


def _resolve_seed(seed: int | None, algorithm: Algorithm) -> int:
    if seed is None:
        seed = algorithm.seed
    if seed is None:
        entropy = np.random.SeedSequence().entropy
        return int(entropy)  # type: ignore[arg-type]  # an int whenever none is given
    number = operator.index(seed)
    if number < 0:
        raise ValueError(f"expected a seed of at least 0; found {seed}")
    return number


def _termination_option(
    termination: Termination | tuple[Any, ...] | None,
    algorithm: Algorithm,
    evaluator: MemoizingEvaluator,
) -> dict[str, Any]:
    if termination is not None:
        return {"termination": copy.deepcopy(termination)}
    # Many pymoo algorithms carry a default rule that would end them long before the budget.
    by_default = algorithm.termination is None or isinstance(
        algorithm.termination, DefaultTermination
    )
    if evaluator.budget is not None and by_default:
        return {"termination": NoTermination()}
    return {}


def _callback_option(callback: AnyCallback | Sequence[AnyCallback] | None) -> dict[str, Any]:
    if callback is None:
        return {}
    return {"callback": CallbackList(callback if isinstance(callback, Sequence) else [callback])}


def _run(
    algorithm: Algorithm,
    evaluator: MemoizingEvaluator,
    n_solutions: int | None,
    show: Any,
    writer: CheckpointWriter | None,
) -> str:
    """Advance the algorithm to its end; returns why it ended."""
    n_idle = 0
    try:
        while algorithm.has_next():
            n_before = evaluator.n_evaluations
            algorithm.next()
            # A step without a request counts as one: no algorithm may spin for ever.
            n_idle = 0 if evaluator.n_evaluations > n_before else n_idle + 1
            show(_share_done(algorithm, evaluator), evaluator.n_unique)
            if writer is not None:
                writer.after_generation(algorithm)
            reason = _reason_to_stop(evaluator, n_solutions, n_idle)
            if reason is not None:
                break
        else:
            # pymoo's algorithms end like this when mating makes only known genomes.
            unable = algorithm.off is None
            detail = "no new offspring" if unable else getattr(algorithm, "end_reason", "")
            return f"{FINISHED}: {detail}" if detail else FINISHED
    except BudgetReached:
        reason = BUDGET_REACHED
    if algorithm.has_next():
        algorithm.finalize()
    return reason


def _reason_to_stop(
    evaluator: MemoizingEvaluator, n_solutions: int | None, n_idle: int
) -> str | None:
    if evaluator.n_unique == n_solutions:
        return "search space exhausted"
    if evaluator.n_unique == evaluator.budget:
        return BUDGET_REACHED
    n_stalled = evaluator.n_since_new + n_idle
    if n_stalled >= STALL_LIMIT:
        return f"no new solution in {n_stalled} requests"
    return None


def _share_done(algorithm: Algorithm, evaluator: MemoizingEvaluator) -> float:
    share = float(algorithm.termination.perc)
    return share if evaluator.budget is None else max(share, evaluator.n_unique / evaluator.budget)
