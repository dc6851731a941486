"""Whether an algorithm, a problem and budgets go together, told before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from textwrap import shorten

import numpy as np
from pymoo.core.algorithm import Algorithm
from pymoo.core.initialization import Initialization

from anonopt.algorithms.node_tests import TestingSearch
from anonopt.algorithms.registry import UnfitError
from anonopt.experiments.execution.job import termination_of
from anonopt.experiments.grid.budgets import Budget
from anonopt.experiments.grid.entries import AlgorithmEntry, ProblemEntry
from anonopt.problems.base import AnonymizationProblem
from anonopt.runs.termination import termination_under

N_FIRST = 4
"""Genomes that are drawn to see whether a problem takes them."""

MOST_SHOWN = 120
"""Characters of what is wrong with a genome, which may have thousands of genes."""


def check_fits(entry: AlgorithmEntry, problem: ProblemEntry, budgets: Iterable[Budget]) -> None:
    """Refuse what could not run.

    Raises
    ------
    UnfitError
        If the algorithm does not take the problem.
    ValueError
        If an option of it is wrong, a budget does not bound it, or the sampling that it was given
        draws genomes which are none of the problem.
    TypeError
        If it cannot be made.
    """
    with _of_pair(entry.name, problem.name):
        algorithm = entry.make(problem.problem)
        # Those of the registry bring what fits, and a masked file takes a while to draw.
        if entry.registered is None:
            _check_first_genomes(algorithm, problem.problem)
        for budget in budgets:
            _check_budget(entry, problem.problem, budget)


@contextmanager
def _of_pair(algorithm: str, problem: str) -> Iterator[None]:
    """Say of which algorithm and problem an error is."""
    start = f"algorithm {algorithm!r}"
    try:
        yield
    except UnfitError as error:
        raise UnfitError(f"problem {problem!r}: {error}", error.reason) from error
    except (TypeError, ValueError) as error:
        if str(error).startswith(start):
            raise
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{start} on problem {problem!r}: {error}") from error


def _check_first_genomes(algorithm: Algorithm, problem: AnonymizationProblem) -> None:
    """Refuse operators that are made for other spaces, which pymoo's algorithms bring along."""
    initialization = getattr(algorithm, "initialization", None)
    if not isinstance(initialization, Initialization):
        return
    rng = np.random.default_rng(0)
    genomes = initialization.do(problem, N_FIRST, random_state=rng).get("X")
    try:
        problem.space.checked(genomes)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"expected operators for a space of {problem.space.kind} (registered algorithms bring "
            f"them, and problem.space has them), found a sampling that draws "
            f"{shorten(str(error), MOST_SHOWN, placeholder=' ...')}"
        ) from error


def _check_budget(entry: AlgorithmEntry, problem: AnonymizationProblem, budget: Budget) -> None:
    """Refuse tests of what makes none, and no generations for what plans by them, such as RVEA."""
    if budget.tests is not None and not isinstance(entry.make(problem), TestingSearch):
        fitting = "algorithms that test nodes, such as branch-and-bound"
        raise ValueError(f"budget tests: expected {fitting}, found {entry.name!r}")
    if budget.evaluations is not None or budget.generations is not None:
        return
    try:
        termination_under(None, termination_of(budget), entry.make(problem))
    except ValueError as error:
        raise ValueError(
            f"budget: expected evaluations or generations too, by which {entry.name!r} plans its "
            f"search, found {budget.name}"
        ) from error
