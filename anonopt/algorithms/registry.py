"""Every algorithm once: its name, how it is made, where it comes from, what it can do.

Contract tests, the tables of the documentation and the command line read this registry, so an
algorithm that is listed here is tested and documented.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd
from pymoo.core.algorithm import Algorithm
from pymoo.core.problem import Problem

from anonopt.algorithms.exhaustive import ExhaustiveSearch
from anonopt.algorithms.pbgea import PBGEA
from anonopt.algorithms.presets import ga, nsga2, nsga3, smsemoa, spea2
from anonopt.algorithms.random_search import RandomSearch


@dataclass(frozen=True)
class AlgorithmEntry:
    """One algorithm of the registry.

    Attributes
    ----------
    factory : function
        Takes the problem and keyword options, returns a fresh algorithm.
    summary : str
        What it does, in a line.
    paper : str
        Where it is from.
    single_objective, multi_objective : bool
        Whether it handles problems of one objective, and of several.
    constraints : bool
        Whether it prefers feasible solutions.
    exact : bool
        Whether what it reports, run to its end, is proven to be the true front.
    stochastic : bool
        Whether the seed matters.
    """

    factory: Callable[..., Algorithm]
    summary: str
    paper: str
    single_objective: bool = True
    multi_objective: bool = True
    constraints: bool = True
    exact: bool = False
    stochastic: bool = True


def _without_problem(algorithm_class: type[Algorithm]) -> Callable[..., Algorithm]:
    """Factory of a class whose constructor does not need to know the problem."""

    def make(problem: Problem, **options: Any) -> Algorithm:
        return algorithm_class(**options)

    return make


ALGORITHMS: dict[str, AlgorithmEntry] = {
    "pbgea": AlgorithmEntry(
        factory=_without_problem(PBGEA),
        summary="evolutionary search with an archive of boxes",
        paper="Dewri et al. 2010, Algorithm 2",
    ),
    "exhaustive": AlgorithmEntry(
        factory=_without_problem(ExhaustiveSearch),
        summary="every node, in lattice order",
        paper="Dewri et al. 2010, Section 7",
        exact=True,
        stochastic=False,
    ),
    "random": AlgorithmEntry(
        factory=_without_problem(RandomSearch),
        summary="distinct nodes in a random order",
        paper="baseline",
    ),
    "nsga2": AlgorithmEntry(
        factory=nsga2,
        summary="non-dominated ranks and crowding distance",
        paper="Deb et al. 2002",
        single_objective=False,
    ),
    "nsga3": AlgorithmEntry(
        factory=nsga3,
        summary="non-dominated ranks and reference directions",
        paper="Deb and Jain 2014",
        single_objective=False,
    ),
    "spea2": AlgorithmEntry(
        factory=spea2,
        summary="strength of the dominators and density",
        paper="Zitzler et al. 2001",
        single_objective=False,
    ),
    "smsemoa": AlgorithmEntry(
        factory=smsemoa,
        summary="non-dominated ranks and hypervolume contribution",
        paper="Beume et al. 2007",
        single_objective=False,
    ),
    "ga": AlgorithmEntry(
        factory=ga,
        summary="genetic algorithm for one objective",
        paper="Holland 1975",
        multi_objective=False,
    ),
}
"""Name to entry, in the order of the documentation."""


def get_algorithm(name: str, problem: Problem, **options: Any) -> Algorithm:
    """Make an algorithm of the registry for a problem.

    Parameters
    ----------
    name : str
        A key of :data:`ALGORITHMS`.
    problem : pymoo Problem
    **options
        Options of its class or preset.

    Returns
    -------
    pymoo Algorithm

    Raises
    ------
    ValueError
        If there is no algorithm of that name.
    """
    if name not in ALGORITHMS:
        raise ValueError(f"expected one of {sorted(ALGORITHMS)}; found {name!r}")
    return ALGORITHMS[name].factory(problem, **options)


def list_algorithms() -> pd.DataFrame:
    """Table of the registry: one row an algorithm, indexed by ``name``.

    Returns
    -------
    DataFrame
        Columns ``summary``, ``paper`` and the capabilities, which are booleans.

    Examples
    --------
    >>> list_algorithms().loc["exhaustive", ["exact", "stochastic"]].tolist()
    [True, False]
    """
    columns = [field.name for field in dataclasses.fields(AlgorithmEntry)][1:]
    rows = {
        name: {column: getattr(entry, column) for column in columns}
        for name, entry in ALGORITHMS.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("name")
