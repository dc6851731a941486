"""The loop of a run: what is refused before it, how it is advanced, why it ends."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from pymoo.core.algorithm import Algorithm
from pymoo.core.evaluator import Evaluator

from anonopt._checks import check_integer
from anonopt.algorithms.base import default_output
from anonopt.algorithms.node_tests import TESTS_USED_UP, TestingSearch
from anonopt.algorithms.registry import declared_refusal, refused
from anonopt.problems.base import AnonymizationProblem, check_problem
from anonopt.runs.callbacks import AnyCallback, CallbackList
from anonopt.runs.memory import BudgetReached, MemoizingEvaluator
from anonopt.runs.progress import progress_bar
from anonopt.runs.result import Result, make_result
from anonopt.runs.saving.checkpoint import CheckpointWriter
from anonopt.runs.termination import AnyTermination, termination_under

STALL_LIMIT = 5_000
"""A run ends after so many requests in a row for solutions that are all known already."""

BUDGET_REACHED = "budget reached"
FINISHED = "algorithm finished"
STALLED = "no new solution"
"""How messages begin of runs ended by their budget, by their algorithm or termination, and by the
limit of requests for known solutions."""


def search(
    problem: AnonymizationProblem,
    algorithm: Algorithm,
    evaluator: MemoizingEvaluator,
    *,
    test_budget: int | None,
    termination: AnyTermination,
    seed: int | None,
    callback: AnyCallback | Sequence[AnyCallback] | None,
    progress: bool,
    shown: Mapping[str, Any],
    writer: CheckpointWriter | None,
) -> Result:
    """Run an algorithm with a given evaluator: what :func:`solve` and ``resume_run`` share.

    Parameters
    ----------
    problem, algorithm, test_budget, termination, seed, callback, progress
        As in :func:`solve`.
    evaluator : MemoizingEvaluator
        Brings the budget and the archive, and may know answers already.
    shown : mapping
        ``verbose``, ``output`` and ``display`` of :func:`solve`.
    writer : CheckpointWriter or None
    """
    _check_inputs(problem, algorithm)
    algorithm = copy.deepcopy(algorithm)
    seed = _resolve_seed(seed, algorithm)
    rule = termination_under(evaluator.budget, termination, algorithm)
    started = time.perf_counter()
    algorithm.setup(
        problem,
        evaluator=evaluator,
        # pymoo's wrappers of algorithms put an evaluator of their own before it.
        run_evaluator=evaluator,
        seed=seed,
        given_termination=termination,
        given_test_budget=test_budget,
        **({} if rule is None else {"termination": rule}),
        **_test_budget_option(test_budget, algorithm),
        **_callback_option(callback),
        **_shown_options(shown, algorithm, problem.n_obj),
    )
    message = None
    try:
        with progress_bar(visible=progress) as show:
            message = _run(algorithm, evaluator, problem.space.is_exhausted, show, writer)
    finally:
        if writer is not None:
            writer.write(algorithm, message=message)
    return make_result(
        problem, algorithm, evaluator, seconds=time.perf_counter() - started, message=message
    )


def _check_inputs(problem: AnonymizationProblem, algorithm: Algorithm) -> None:
    check_problem(problem)
    if not isinstance(algorithm, Algorithm):
        by_name = (
            f" (by name: ao.get_algorithm({algorithm!r}, problem))"
            if isinstance(algorithm, str)
            else ""
        )
        raise TypeError(
            f"algorithm: expected an object, such as PBGEA() or nsga2(problem), "
            f"found {algorithm!r}{by_name}"
        )
    if algorithm.problem is not None:
        raise ValueError("algorithm: expected a fresh one, found one that was set up before")
    if type(algorithm.evaluator) is not Evaluator:
        raise ValueError(
            f"algorithm: expected one without an evaluator of its own, as solve brings one, "
            f"found {type(algorithm.evaluator).__name__}"
        )
    # Classes that users registered declare what they take, but do not look at it themselves.
    reason = declared_refusal(type(algorithm).__mro__, problem)
    if reason is not None:
        raise refused(type(algorithm).__name__, problem, reason)
    space = problem.space
    wrapped, own = np.asarray([problem.xl, problem.xu]), np.asarray([space.lower, space.upper])
    if not np.array_equal(wrapped, own):
        raise ValueError(
            f"problem: expected the genomes of its space of {space.kind}, "
            f"found a wrapper that changes them, {problem.name()}"
        )
    if any(_is_mixed(part) for part in (algorithm, *vars(algorithm).values())):
        raise ValueError(
            f"algorithm: expected operators on genomes of {space.kind}, found those of pymoo's "
            f"mixed variables in {type(algorithm).__name__} (problem.space.operators() are "
            f"options that fit)"
        )


def _is_mixed(part: object) -> bool:
    return any(cls.__module__ == "pymoo.core.mixed" for cls in type(part).__mro__)


def _resolve_seed(seed: int | None, algorithm: Algorithm) -> int:
    if seed is None:
        seed = algorithm.seed
    if seed is None:
        # Some of pymoo's algorithms, such as CMAES, take no seed of more than 32 bits.
        seed = np.random.SeedSequence().generate_state(1)[0]
    return check_integer("seed", seed, least=0)


def _test_budget_option(test_budget: int | None, algorithm: Algorithm) -> dict[str, Any]:
    if test_budget is None:
        return {}
    if not isinstance(algorithm, TestingSearch):
        raise ValueError(
            f"test_budget: expected a search that tests nodes, such as OLA(), "
            f"found {type(algorithm).__name__}"
        )
    return {"test_budget": check_integer("test_budget", test_budget, least=1)}


def _callback_option(callback: AnyCallback | Sequence[AnyCallback] | None) -> dict[str, Any]:
    if callback is None:
        return {}
    return {"callback": CallbackList(callback if isinstance(callback, Sequence) else [callback])}


def _shown_options(shown: Mapping[str, Any], algorithm: Algorithm, n_obj: int) -> dict[str, Any]:
    options = {name: value for name, value in shown.items() if value is not None}
    if options["verbose"] and algorithm.output is None and "output" not in options:
        options["output"] = default_output(n_obj)
    return options


def _run(
    algorithm: Algorithm,
    evaluator: MemoizingEvaluator,
    is_exhausted: Callable[[int], bool],
    show: Callable[[float, int], None],
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
            reason = _reason_to_stop(evaluator, is_exhausted, n_idle)
            if reason is not None:
                break
        else:
            return _end_of(algorithm)
    except BudgetReached:
        reason = BUDGET_REACHED
    if algorithm.has_next():
        algorithm.finalize()
    return reason


def _end_of(algorithm: Algorithm) -> str:
    """Why an algorithm ended that ended by itself or by its termination."""
    own_reason = getattr(algorithm, "end_reason", "")
    if own_reason == TESTS_USED_UP:
        return TESTS_USED_UP
    # pymoo's algorithms end like this when mating makes only known genomes.
    detail = "no new offspring" if algorithm.off is None else own_reason
    return f"{FINISHED}: {detail}" if detail else FINISHED


def _reason_to_stop(
    evaluator: MemoizingEvaluator, is_exhausted: Callable[[int], bool], n_idle: int
) -> str | None:
    if is_exhausted(evaluator.n_unique):
        return "search space exhausted"
    if evaluator.n_unique == evaluator.budget:
        return BUDGET_REACHED
    n_stalled = evaluator.n_since_new + n_idle
    if n_stalled >= STALL_LIMIT:
        return f"{STALLED} in {n_stalled} requests"
    return None


def _share_done(algorithm: Algorithm, evaluator: MemoizingEvaluator) -> float:
    share = float(algorithm.termination.perc)
    return share if evaluator.budget is None else max(share, evaluator.n_unique / evaluator.budget)
