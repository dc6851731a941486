"""Run an algorithm on a problem: pymoo's ``minimize`` with a budget, a memory and a record."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from os import PathLike
from typing import Any

from pymoo.core.algorithm import Algorithm

from anonopt.problems.base import AnonymizationProblem
from anonopt.runs.callbacks import AnyCallback
from anonopt.runs.memory import MemoizingEvaluator
from anonopt.runs.result import Result
from anonopt.runs.saving.checkpoint import CheckpointWriter
from anonopt.runs.search import search
from anonopt.runs.termination import AnyTermination


def solve(
    problem: AnonymizationProblem,
    algorithm: Algorithm,
    *,
    budget: int | None = None,
    test_budget: int | None = None,
    termination: AnyTermination = None,
    seed: int | None = None,
    callback: AnyCallback | Sequence[AnyCallback] | None = None,
    archive: Any = None,
    progress: bool = False,
    verbose: bool = False,
    output: Any = None,
    display: Any = None,
    checkpoint: str | PathLike[str] | None = None,
    checkpoint_every: float | tuple[str, int] = 60.0,
) -> Result:
    """Search a problem and report the front of everything that was evaluated.

    The algorithm is copied, set up and advanced as by pymoo's ``minimize``. On top of that,
    each distinct genome is evaluated once, a budget of distinct evaluations is kept exactly,
    every evaluation is recorded and the seed is known. One and several objectives are
    handled alike.

    The run ends at the first of: a budget is reached; every solution of the search space
    is evaluated; 5,000 requests in a row were for known solutions; the termination, or the
    algorithm itself, says so. ``message`` tells which.

    Parameters
    ----------
    problem : AnonymizationProblem
        One of ours, also in a wrapper of pymoo that keeps the values of what it wraps, such as
        ``ConstraintsAsObjective``: the algorithm sees what the wrapper makes of them, the
        result is in terms of the problem itself.
    algorithm : pymoo Algorithm
        One of ours, a preset, or any of pymoo's; it is left as it was and can be used again.
    budget : int, optional
        Most distinct solutions to evaluate, at least 1.
    test_budget : int, optional
        Most nodes that a search which tests nodes for feasibility, such as OLA, may test, at
        least 1.
    termination : pymoo Termination, tuple, str or int, optional
        As in pymoo, for example ``("n_gen", 50)``; a number alone is one of generations. It
        replaces the algorithm's own. Without one, a run with a budget is ended by the budget or
        by a rule that is the algorithm's own (pymoo's default rules for stalled fronts are left
        out), a run without a budget by the rule pymoo would use. RVEA, which has to know its
        generations beforehand, gets as many as the budget allows.
    seed : int, optional
        Seed of the random generator, at least 0. The algorithm's own seed if left out; if it
        has none, one of 32 bits is drawn from the operating system. The result names it.
    callback : function, pymoo Callback, or sequence of them, optional
        Called with the algorithm after every generation.
    archive : archive, optional
        One of your own that gets every distinct solution, such as ``BoxArchive``: a copy of it
        is ``result.archive``, its members are ``result.archive_front``.
    progress : bool
        Show a progress bar on standard error.
    verbose : bool
        Print a line a generation, as pymoo does.
    output, display : pymoo Output, pymoo Display, optional
        What to print, and how to show it, in place of the algorithm's own.
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
        If a budget is below 1, the seed is negative, pymoo has no such termination, or the
        algorithm was set up before, has an evaluator of its own, tests no nodes though there is
        a budget of tests, or does not take the problem.

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
        MemoizingEvaluator(budget=budget, archive=copy.deepcopy(archive)),
        test_budget=test_budget,
        termination=termination,
        seed=seed,
        callback=callback,
        progress=progress,
        shown={"verbose": verbose, "output": output, "display": display},
        writer=None if checkpoint is None else CheckpointWriter(checkpoint, every=checkpoint_every),
    )
