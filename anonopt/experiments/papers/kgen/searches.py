"""Runs of KGEN and of random search by number of quasi-identifiers, and their curves."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from anonopt._typing import IntArray
from anonopt.algorithms.base import Search
from anonopt.algorithms.exact.branch_and_bound import BranchAndBound
from anonopt.algorithms.population.kgen import KGEN, N_EVALUATIONS
from anonopt.algorithms.population.random_search import RandomSearch
from anonopt.measures.fronts.accuracy import node_accuracy
from anonopt.problems.catalogue import get_problem
from anonopt.runs.solve import solve

CARGO, STAND_IN = "cargo", "freight"

EXACT_COLUMNS = (5, 6, 7)
"""Numbers of quasi-identifiers up to which the paper knows the optimum (Section 5.2)."""

COLUMNS = (*EXACT_COLUMNS, 10, 15, 20, 25)


class Figures(NamedTuple):
    """What a search comes to; NaN where it found no feasible node.

    Attributes
    ----------
    accuracy, suppressed : float
        In percent.
    level : float
        LOG, 0..1.
    looked_at : int
        Nodes that were evaluated or tested, repeated ones included.
    """

    accuracy: float
    level: float
    suppressed: float
    looked_at: int


def _kgen() -> Search:
    return KGEN(counts_tests=False)


def _kgen_as_printed() -> Search:
    return KGEN(as_printed=True)


def random_above_section_3_2() -> Search:
    """Random search of the nodes above the lowest levels of Section 3.2."""
    return RandomSearch(bounds="no_suppression")


def random_above_table_8() -> Search:
    """Random search of the nodes above the lowest levels that Table 8 has."""
    return RandomSearch(bounds="sound")


KGEN_AS_PRINTED = "KGEN, as printed"
RANDOM, RANDOM_ABOVE_TABLE_8 = "random, Section 3.2", "random, Table 8"

SEARCHES: dict[str, Callable[[], Search]] = {
    "KGEN": _kgen,
    KGEN_AS_PRINTED: _kgen_as_printed,
    RANDOM: random_above_section_3_2,
    RANDOM_ABOVE_TABLE_8: random_above_table_8,
}
"""KGEN with the paper's count of evaluations, and with Eq. 3 to the letter; random search on the
lattice reduced by Section 3.2, and by the rule of Table 8."""

BUDGETS = dict.fromkeys((RANDOM, RANDOM_ABOVE_TABLE_8), N_EVALUATIONS)
"""Distinct nodes of searches that have no limit of their own, as KGEN has."""


@cache
def problem_of(data: str, n_columns: int) -> Any:
    """Named problem of a data set.

    Raises
    ------
    FileNotFoundError
        If the data set is nowhere.
    """
    try:
        return get_problem(f"{data}-{n_columns}")
    except (FileNotFoundError, ConnectionError) as error:
        raise FileNotFoundError(
            f"{error} (figures-8-10-freight is the same on data that the library draws)"
        ) from error


@cache
def optimum_of(data: str, n_columns: int) -> IntArray:
    """A node that is proven to be best."""
    result = solve(problem_of(data, n_columns), BranchAndBound(), seed=1)
    if not result.proven:
        raise RuntimeError(f"{data}, {n_columns} columns: expected a proven optimum, found none")
    best: IntArray = result.X[0]
    return best


@cache
def figures_of(data: str, n_columns: int, search: str, seed: int) -> Figures:
    """What one run of a search comes to."""
    problem = problem_of(data, n_columns)
    result = solve(problem, SEARCHES[search](), budget=BUDGETS.get(search), seed=seed)
    looked_at = result.n_evaluations + result.n_tests
    if not result.success:
        return Figures(np.nan, np.nan, np.nan, looked_at)
    return figures_at(data, n_columns, result.X[0])._replace(looked_at=looked_at)


def figures_at(data: str, n_columns: int, node: IntArray) -> Figures:
    """Accuracy, level of generalization and of suppression of a node, (n_columns,)."""
    problem = problem_of(data, n_columns)
    nodes = node[np.newaxis].astype(np.int64)
    found = problem.evaluator.values(nodes, ["generalization_level", "suppressed"])
    optimum = optimum_of(data, n_columns)
    accuracy = node_accuracy(nodes, optimum=optimum, worst=problem.lattice.top)[0]
    share = found["suppressed"][0] / problem.table.n_rows
    return Figures(100 * accuracy, found["generalization_level"][0], 100 * share, 0)


def seconds_of(data: str, columns: tuple[int, ...]) -> dict[tuple[str, int], float]:
    """Processor seconds by search and number of columns."""
    found = {}
    for n_columns in columns:
        problem = problem_of(data, n_columns)
        # What is made once for a problem belongs to no search.
        problem.evaluate(np.array([problem.lattice.top]))
        for search in ("KGEN", RANDOM):
            started = time.process_time()
            solve(problem, SEARCHES[search](), budget=BUDGETS.get(search), seed=1)
            found[search, n_columns] = time.process_time() - started
    return found


def _curves(figure: str) -> pd.DataFrame:
    """Means over three seeds, by search and number of columns."""
    data, name = _at_hand()
    rows = []
    for n_columns in COLUMNS:
        best = figures_at(data, n_columns, optimum_of(data, n_columns))
        rows.append((name, "optimum", n_columns, getattr(best, figure)))
        for search in SEARCHES:
            found = [getattr(figures_of(data, n_columns, search, s), figure) for s in (1, 2, 3)]
            rows.append((name, search, n_columns, float(np.mean(found))))
    return pd.DataFrame(rows, columns=["panel", "series", "x", "y"])


def _at_hand() -> tuple[str, str]:
    """Data set to draw curves of, and its title: that of the paper, or the stand-in."""
    try:
        problem_of(CARGO, 5)
    except FileNotFoundError:
        return STAND_IN, "freight (drawn, not Cargo 2000)"
    return CARGO, "Cargo 2000"


def curves_of_accuracy(quick: bool) -> pd.DataFrame:
    """Figure 8."""
    return _curves("accuracy")


def curves_of_level(quick: bool) -> pd.DataFrame:
    """Figure 9."""
    return _curves("level")


def curves_of_suppression(quick: bool) -> pd.DataFrame:
    """Figure 10."""
    return _curves("suppressed")


def curves_of_time(quick: bool) -> pd.DataFrame:
    """Figure 7."""
    data, name = _at_hand()
    rows = [(name, *key, seconds) for key, seconds in seconds_of(data, COLUMNS).items()]
    return pd.DataFrame(rows, columns=["panel", "series", "x", "y"])
