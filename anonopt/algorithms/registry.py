"""Every algorithm once: its name, how it is made, where it comes from, what it can do.

Contract tests, the tables of the documentation and the command line read this registry, so an
algorithm that is listed here is tested and documented.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd
from pymoo.core.algorithm import Algorithm
from pymoo.core.problem import Problem

from anonopt.algorithms.exact.branch_and_bound import BranchAndBound
from anonopt.algorithms.exact.datafly import Datafly
from anonopt.algorithms.exact.exhaustive import ExhaustiveSearch
from anonopt.algorithms.exact.fixed_k import check_fixed_k
from anonopt.algorithms.exact.incognito import Incognito
from anonopt.algorithms.exact.ola import OLA
from anonopt.algorithms.exact.samarati import Samarati
from anonopt.algorithms.local.greedy_descent import GreedyDescent
from anonopt.algorithms.local.lattice_vnd import LatticeVND
from anonopt.algorithms.local.level_search import LevelSearch
from anonopt.algorithms.local.node_memory import require_one_objective
from anonopt.algorithms.masking.masking_ea import MaskingEA
from anonopt.algorithms.masking.pramea import PRAMEA
from anonopt.algorithms.masking.pramgp import PRAMGP
from anonopt.algorithms.population.kgen import KGEN
from anonopt.algorithms.population.pbgea import PBGEA
from anonopt.algorithms.population.presets import ga, nsga2, nsga3, smsemoa, spea2
from anonopt.algorithms.population.random_search import RandomSearch
from anonopt.algorithms.recipes import remember_options
from anonopt.operators.base import own_space
from anonopt.operators.trees.tree_genomes import tree_space


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
    fixed_k : bool
        Whether it takes nothing but lattice problems of one objective under the fixed-k rule.
    equations : bool
        Whether it takes nothing but problems whose solutions are equations.
    matrices : bool
        Whether it takes nothing but problems whose solutions are Gray-coded matrices.
    """

    factory: Callable[..., Algorithm]
    summary: str
    paper: str
    single_objective: bool = True
    multi_objective: bool = True
    constraints: bool = True
    exact: bool = False
    stochastic: bool = True
    fixed_k: bool = False
    equations: bool = False
    matrices: bool = False


def _without_problem(algorithm_class: type[Algorithm]) -> Callable[..., Algorithm]:
    """Factory of a class whose constructor does not need to know the problem."""
    remember_options(algorithm_class)

    @functools.wraps(algorithm_class, updated=())
    def make(problem: Problem, **options: Any) -> Algorithm:
        return algorithm_class(**options)

    return make


def _for_one_objective(algorithm_class: type[Algorithm], name: str) -> Callable[..., Algorithm]:
    """Factory of a class that takes problems of one objective only."""
    remember_options(algorithm_class)

    @functools.wraps(algorithm_class, updated=())
    def make(problem: Problem, **options: Any) -> Algorithm:
        require_one_objective(problem, name)
        return algorithm_class(**options)

    return make


def _for_equations(algorithm_class: type[Algorithm], name: str) -> Callable[..., Algorithm]:
    """Factory of a class that searches equations for one objective."""
    remember_options(algorithm_class)

    @functools.wraps(algorithm_class, updated=())
    def make(problem: Problem, **options: Any) -> Algorithm:
        tree_space(problem)
        require_one_objective(problem, name)
        return algorithm_class(**options)

    return make


def _for_matrices(algorithm_class: type[Algorithm], name: str) -> Callable[..., Algorithm]:
    """Factory of a class that searches Gray-coded matrices for one objective."""
    remember_options(algorithm_class)

    @functools.wraps(algorithm_class, updated=())
    def make(problem: Problem, **options: Any) -> Algorithm:
        space = own_space(problem)
        if space is None or space.kind != "matrices" or space.vtype is not int:
            raise ValueError(
                f"{name}: expected a problem of Gray-coded matrices, such as PRAMProblem with "
                f"encoding='gray'; found {problem.name()} of {problem.vtype}"
            )
        require_one_objective(problem, name)
        return algorithm_class(**options)

    return make


def _for_fixed_k(
    algorithm_class: type[Algorithm], name: str, *, summary: str, paper: str, exact: bool
) -> AlgorithmEntry:
    """Entry of a class that searches k-anonymous nodes and draws nothing at random."""
    remember_options(algorithm_class)

    @functools.wraps(algorithm_class, updated=())
    def make(problem: Problem, **options: Any) -> Algorithm:
        check_fixed_k(problem, name)
        return algorithm_class(**options)

    return AlgorithmEntry(
        factory=make,
        summary=summary,
        paper=paper,
        multi_objective=False,
        exact=exact,
        stochastic=False,
        fixed_k=True,
    )


ALGORITHMS: dict[str, AlgorithmEntry] = {
    "pbgea": AlgorithmEntry(
        factory=_without_problem(PBGEA),
        summary="evolutionary search with an archive of boxes",
        paper="Dewri et al. 2010, Algorithm 2",
    ),
    "lattice-vnd": AlgorithmEntry(
        factory=_without_problem(LatticeVND),
        summary="neighbourhoods of the front, pruned by bounds, ordered by estimates",
        paper="this library",
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
    "kgen": AlgorithmEntry(
        factory=_for_one_objective(KGEN, "kgen"),
        summary="genetic algorithm for k-anonymity with many quasi-identifiers",
        paper="De Pascale et al. 2022, Algorithm 1",
        multi_objective=False,
    ),
    "greedy": AlgorithmEntry(
        factory=_for_one_objective(GreedyDescent, "greedy"),
        summary="random-restart descent from the top node",
        paper="baseline",
        multi_objective=False,
    ),
    "level-search": AlgorithmEntry(
        factory=_for_one_objective(LevelSearch, "level-search"),
        summary="iterated local search along the border of feasibility",
        paper="this library",
        multi_objective=False,
    ),
    "branch-and-bound": _for_fixed_k(
        BranchAndBound,
        "branch-and-bound",
        summary="proven optimum of a loss under the fixed-k rule",
        paper="this library",
        exact=True,
    ),
    "ola": _for_fixed_k(
        OLA,
        "ola",
        summary="all k-minimal nodes, by binary search on paths of the lattice",
        paper="El Emam et al. 2009",
        exact=True,
    ),
    "incognito": _for_fixed_k(
        Incognito,
        "incognito",
        summary="all k-minimal nodes, from small sets of columns up",
        paper="LeFevre et al. 2005",
        exact=True,
    ),
    "samarati": _for_fixed_k(
        Samarati,
        "samarati",
        summary="a k-anonymous node of least height, by binary search",
        paper="Samarati 2001",
        exact=False,
    ),
    "datafly": _for_fixed_k(
        Datafly,
        "datafly",
        summary="a k-anonymous node, raising the column with most values",
        paper="Sweeney 2002",
        exact=False,
    ),
    "masking-ea": AlgorithmEntry(
        factory=_for_one_objective(MaskingEA, "masking-ea"),
        summary="evolution of masked files by single cells and stretches of cells",
        paper="Mares 2013, Algorithm 5",
        multi_objective=False,
    ),
    "pramea": AlgorithmEntry(
        factory=_for_matrices(PRAMEA, "pramea"),
        summary="evolution of PRAM matrices by single bits and ranges of numbers",
        paper="Mares 2013, Algorithm 6",
        multi_objective=False,
        matrices=True,
    ),
    "pramgp": AlgorithmEntry(
        factory=_for_equations(PRAMGP, "pramgp"),
        summary="steady-state genetic programming for equations of PRAM matrices",
        paper="Mares 2013, Algorithm 7",
        multi_objective=False,
        equations=True,
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
