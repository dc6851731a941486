"""How long runs will take, from short ones: rough, as searches become slower or faster."""

from __future__ import annotations

from anonopt.experiments.execution.execute import run_here
from anonopt.experiments.execution.job import Job
from anonopt.experiments.grid.budgets import Budget
from anonopt.experiments.grid.entries import AlgorithmEntry, ProblemEntry
from anonopt.experiments.store.schema import DONE

SHORT = {"evaluations": (10, 40), "generations": (1, 3)}
"""Budgets of the two short runs, by the bound that is continued to the whole budget."""


def seconds_of(problem: ProblemEntry, algorithm: AlgorithmEntry, budget: Budget) -> float | None:
    """Estimate of the seconds that a run takes.

    Two short runs are timed, and the line through their times is continued.

    Parameters
    ----------
    problem, algorithm : entries
    budget : Budget

    Returns
    -------
    float or None
        None if nothing can be said: for budgets of tests alone, or if the short runs fail.
    """
    bounds = [budget.seconds] if budget.seconds is not None else []
    for kind, (few, more) in SHORT.items():
        whole = getattr(budget, kind)
        if whole is None:
            continue
        # What tests nodes may evaluate few of them for a long time.
        first, second = (
            _timed(problem, algorithm, Budget(tests=budget.tests and n, **{kind: n}))
            for n in (few, more)
        )
        if first is not None and second is not None:
            slope = max(0.0, (second - first) / (more - few))
            bounds.append(max(0.0, first + slope * (whole - few)))
    return min(bounds, default=None)


def _timed(problem: ProblemEntry, algorithm: AlgorithmEntry, budget: Budget) -> float | None:
    job = Job(
        problem=problem.name,
        algorithm=algorithm,
        seed=0,
        budget=budget,
        time_limit=None,
        memory_limit=None,
    )
    times = []
    for _ in range(2):
        # The first reads tables and compiles what is compiled.
        ((_, row),) = run_here({0: job}, {problem.name: problem.problem})
        if row.status != DONE:
            return None
        times.append(row.wall_seconds)
    return min(times)
