"""Every algorithm once: its name, how it is made, where it comes from, what it takes.

Contract tests, the tables of the documentation and the command line read this registry, so an
algorithm that is listed here is tested and documented. It names classes by where they are, so
that nobody imports a family that is not used.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, runtime_checkable

import pandas as pd
from pymoo.core.algorithm import Algorithm
from pymoo.core.problem import Problem

from anonopt._registry import Registry
from anonopt.problems.any_problem import lattice_of
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.recipes import Recipe
from anonopt.problems.spaces import space_of

HERE = __name__.rpartition(".")[0]


@runtime_checkable
class Particular(Protocol):
    """An algorithm that takes fewer problems than its entry says, such as small lattices only."""

    def particular_refusal(self, problem: Problem) -> str | None:
        """Why it does not take a problem that fits its entry; None if it does."""
        ...


@dataclass(frozen=True)
class AlgorithmEntry:
    """One algorithm of the registry.

    Attributes
    ----------
    maker : str or callable
        A class whose options have defaults, or a function of the problem and options; as text,
        the module and name where it is.
    summary : str
        What it does, in a line.
    paper : str
        Where it is from.
    spaces : frozenset of str, or None
        Kinds of the spaces it searches, see `Space.kind`; None for all.
    single_objective, multi_objective : bool
        Whether it handles problems of one objective, and of several.
    constraints : bool
        Whether it prefers feasible solutions.
    exact : bool
        Whether what it reports, run to its end, is proven to be the true front.
    stochastic : bool
        Whether the seed matters.
    fixed_k : bool
        Whether it takes nothing but lattice problems under the fixed-k rule alone.
    whole_numbers : bool
        Whether genes have to be whole numbers within bounds.
    """

    maker: str | Callable[..., Algorithm]
    summary: str
    paper: str
    spaces: frozenset[str] | None = None
    single_objective: bool = True
    multi_objective: bool = True
    constraints: bool = True
    exact: bool = False
    stochastic: bool = True
    fixed_k: bool = False
    whole_numbers: bool = False

    @property
    def path(self) -> str:
        """Module and name of the maker, which recipes of saved runs hold."""
        return self.maker if isinstance(self.maker, str) else path_of(self.maker)

    def load(self) -> Callable[..., Algorithm]:
        """The class or function; only now is its module imported."""
        if not isinstance(self.maker, str):
            return self.maker
        module, _, name = self.maker.rpartition(".")
        found: Callable[..., Algorithm] = getattr(import_module(module), name)
        return found

    def make(self, problem: Problem, **options: Any) -> Algorithm:
        """Make a fresh algorithm.

        Parameters
        ----------
        problem : pymoo Problem
        **options
            Options of its class or function.
        """
        maker = self.load()
        return maker(**options) if isinstance(maker, type) else maker(problem, **options)

    def refusal(self, problem: Problem) -> str | None:
        """Why the algorithm, with its default options, does not take a problem.

        Parameters
        ----------
        problem : pymoo Problem

        Returns
        -------
        str or None
            What was expected and found; None if it takes the problem.
        """
        reason = self.declared_refusal(problem)
        if reason is not None:
            return reason
        maker = self.load()
        if isinstance(maker, type) and issubclass(maker, Particular):
            return maker().particular_refusal(problem)
        return None

    def declared_refusal(self, problem: Problem) -> str | None:
        """Why a problem does not fit what the entry declares; None if it does."""
        try:
            space = space_of(problem)
        except ValueError as error:
            return str(error)
        if self.spaces is not None and space.kind not in self.spaces:
            return f"expected a space of {' or '.join(sorted(self.spaces))}, found {space.kind}"
        if self.whole_numbers and space.vtype is not int:
            return (
                f"expected genomes of whole numbers, found {space.kind} of {space.vtype.__name__}"
            )
        if problem.n_obj == 1 and not self.single_objective:
            return "expected a problem of 2 objectives or more, found 1"
        if problem.n_obj > 1 and not self.multi_objective:
            return f"expected a problem of 1 objective, found {problem.n_obj}"
        return _fixed_k_refusal(problem) if self.fixed_k else None


def _fixed_k_refusal(problem: Problem) -> str | None:
    lattice = lattice_of(problem)
    if lattice is None:
        return (
            "expected a LatticeProblem with the values of its own measures, "
            f"found {type(problem).__name__}"
        )
    if lattice.evaluator.rule.k is None:
        return "expected a problem with a fixed k (option k), found none"
    if lattice.constraints:
        names = ", ".join(measure.name for measure, _ in lattice.constraints)
        return f"expected no constraint but that of the fixed k, found {names}"
    return None


LEVELS = frozenset({"levels"})


def _for_fixed_k(maker: str, *, summary: str, paper: str, exact: bool) -> AlgorithmEntry:
    """Entry of a class that searches k-anonymous nodes and draws nothing at random."""
    return AlgorithmEntry(
        maker=f"{HERE}.exact.{maker}",
        summary=summary,
        paper=paper,
        spaces=LEVELS,
        multi_objective=False,
        exact=exact,
        stochastic=False,
        fixed_k=True,
    )


BUILT_IN: Mapping[str, AlgorithmEntry] = {
    "pbgea": AlgorithmEntry(
        maker=f"{HERE}.population.pbgea.PBGEA",
        summary="evolutionary search with an archive of boxes",
        paper="Dewri et al. 2010, Algorithm 2",
    ),
    "lattice-vnd": AlgorithmEntry(
        maker=f"{HERE}.local.lattice_vnd.LatticeVND",
        summary="neighbourhoods of the front, pruned by bounds, ordered by estimates",
        paper="this library",
        spaces=LEVELS,
    ),
    "exhaustive": AlgorithmEntry(
        maker=f"{HERE}.exact.exhaustive.ExhaustiveSearch",
        summary="every genome, such as all nodes in lattice order",
        paper="Dewri et al. 2010, Section 7",
        exact=True,
        stochastic=False,
        whole_numbers=True,
    ),
    "random": AlgorithmEntry(
        maker=f"{HERE}.population.random_search.RandomSearch",
        summary="distinct genomes in a random order",
        paper="baseline",
    ),
    "nsga2": AlgorithmEntry(
        maker=f"{HERE}.population.presets.nsga2",
        summary="non-dominated ranks and crowding distance",
        paper="Deb et al. 2002",
        single_objective=False,
    ),
    "nsga3": AlgorithmEntry(
        maker=f"{HERE}.population.presets.nsga3",
        summary="non-dominated ranks and reference directions",
        paper="Deb and Jain 2014",
        single_objective=False,
    ),
    "spea2": AlgorithmEntry(
        maker=f"{HERE}.population.presets.spea2",
        summary="strength of the dominators and density",
        paper="Zitzler et al. 2001",
        single_objective=False,
    ),
    "smsemoa": AlgorithmEntry(
        maker=f"{HERE}.population.presets.smsemoa",
        summary="non-dominated ranks and hypervolume contribution",
        paper="Beume et al. 2007",
        single_objective=False,
    ),
    "ga": AlgorithmEntry(
        maker=f"{HERE}.population.presets.ga",
        summary="genetic algorithm for one objective",
        paper="Holland 1975",
        multi_objective=False,
    ),
    "kgen": AlgorithmEntry(
        maker=f"{HERE}.population.kgen.KGEN",
        summary="genetic algorithm for k-anonymity with many quasi-identifiers",
        paper="De Pascale et al. 2022, Algorithm 1",
        spaces=LEVELS,
        multi_objective=False,
    ),
    "greedy": AlgorithmEntry(
        maker=f"{HERE}.local.level_search.GreedyDescent",
        summary="random-restart descent from the top node",
        paper="baseline",
        spaces=LEVELS,
        multi_objective=False,
    ),
    "level-search": AlgorithmEntry(
        maker=f"{HERE}.local.level_search.LevelSearch",
        summary="iterated local search between feasible and infeasible nodes",
        paper="this library",
        spaces=LEVELS,
        multi_objective=False,
    ),
    "branch-and-bound": _for_fixed_k(
        "branch_and_bound.BranchAndBound",
        summary="proven optimum of a loss under the fixed-k rule",
        paper="this library",
        exact=True,
    ),
    "ola": _for_fixed_k(
        "ola.OLA",
        summary="all k-minimal nodes, by binary search on paths of the lattice",
        paper="El Emam et al. 2009",
        exact=True,
    ),
    "incognito": _for_fixed_k(
        "incognito.Incognito",
        summary="all k-minimal nodes, from small sets of columns up",
        paper="LeFevre et al. 2005",
        exact=True,
    ),
    "samarati": _for_fixed_k(
        "samarati.Samarati",
        summary="a k-anonymous node of least height, by binary search",
        paper="Samarati 2001",
        exact=False,
    ),
    "datafly": _for_fixed_k(
        "datafly.Datafly",
        summary="a k-anonymous node, raising the column with most values",
        paper="Sweeney 2002",
        exact=False,
    ),
    "masking-ea": AlgorithmEntry(
        maker=f"{HERE}.masking.masking_ea.MaskingEA",
        summary="evolution of masked files by single cells and stretches of cells",
        paper="Mares 2013, Algorithm 5",
        multi_objective=False,
        whole_numbers=True,
    ),
    "pramea": AlgorithmEntry(
        maker=f"{HERE}.masking.pramea.PRAMEA",
        summary="evolution of PRAM matrices by single bits and ranges of numbers",
        paper="Mares 2013, Algorithm 6",
        spaces=frozenset({"matrices"}),
        multi_objective=False,
        whole_numbers=True,
    ),
    "pramgp": AlgorithmEntry(
        maker=f"{HERE}.masking.pramgp.PRAMGP",
        summary="steady-state genetic programming for equations of PRAM matrices",
        paper="Mares 2013, Algorithm 7",
        spaces=frozenset({"trees"}),
        multi_objective=False,
    ),
}


def _entry(name: str, thing: Any, **facts: Any) -> AlgorithmEntry:
    """Entry of what a user registers: an algorithm class, a function of the problem, an entry."""
    if isinstance(thing, AlgorithmEntry):
        return dataclasses.replace(thing, **facts)
    if not callable(thing) or (isinstance(thing, type) and not issubclass(thing, Algorithm)):
        raise TypeError(
            f"algorithm {name!r}: expected a class of pymoo Algorithms, or a function of the "
            f"problem that makes one, found {thing!r}"
        )
    if isinstance(facts.get("spaces"), str | list | tuple | set):
        spaces = facts["spaces"]
        facts["spaces"] = frozenset([spaces] if isinstance(spaces, str) else spaces)
    summary = (thing.__doc__ or "").strip().partition("\n")[0]
    return AlgorithmEntry(maker=thing, **{"summary": summary, "paper": "", **facts})


ALGORITHMS = Registry("algorithms", "algorithm", BUILT_IN, make=_entry)
"""Name to entry, in the order of the documentation; those that users registered come last."""


def path_of(maker: Any) -> str:
    """Module and name of a class or function."""
    return f"{maker.__module__}.{maker.__qualname__}"


def name_of(path: str) -> str | None:
    """Name under which a class or function is registered; None if it is not.

    Parameters
    ----------
    path : str
        As :func:`path_of` tells it, such as ``algorithm.recipe.name``.
    """
    return next((name for name, entry in ALGORITHMS.items() if entry.path == path), None)


def declared_refusal(classes: Iterable[Any], problem: Problem) -> str | None:
    """Why a problem does not fit the entry of the first of the classes that is registered."""
    names = (name_of(path_of(one)) for one in classes)
    name = next((name for name in names if name is not None), None)
    return None if name is None else ALGORITHMS[name].declared_refusal(problem)


def refused(name: str, problem: Problem, reason: str) -> ValueError:
    """The error of an algorithm that does not take a problem; it names those that do."""
    fitting = [other for other, entry in ALGORITHMS.items() if entry.refusal(problem) is None]
    return ValueError(f"{name}: {reason} (algorithms that fit: {', '.join(fitting) or 'none'})")


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
        If there is no algorithm of that name, or it does not take the problem (says why, and
        names those that do).
    """
    entry = ALGORITHMS.find(name)
    reason = entry.declared_refusal(problem)
    if reason is None:
        algorithm = entry.make(problem, **options)
        if isinstance(algorithm, Particular):
            reason = algorithm.particular_refusal(problem)
    if reason is not None:
        raise refused(name, problem, reason)
    algorithm.recipe = Recipe(entry.path, options)
    return algorithm


def list_algorithms(problem: Problem | None = None) -> pd.DataFrame:
    """Table of the registry: one row an algorithm, indexed by ``name``.

    Parameters
    ----------
    problem : pymoo Problem, optional
        Tell which algorithms, with their default options, take it; those that do come first.

    Returns
    -------
    DataFrame
        Columns ``summary``, ``paper``, ``spaces`` (kinds, or ``"all"``) and the capabilities,
        which are booleans; with a problem also ``fits``, and ``reason``, which is empty where
        it fits.

    Examples
    --------
    >>> list_algorithms().loc["exhaustive", ["exact", "stochastic"]].tolist()
    [True, False]
    >>> from anonopt.problems import get_problem
    >>> table = list_algorithms(get_problem("german-pram-equations"))
    >>> table.index[table["fits"]].tolist()
    ['pbgea', 'random', 'nsga2', 'nsga3', 'spea2', 'smsemoa']
    >>> table.loc["ga", "reason"]
    'expected a problem of 1 objective, found 2'
    """
    columns = [field.name for field in dataclasses.fields(AlgorithmEntry)][1:]
    rows = {
        name: {column: getattr(entry, column) for column in columns}
        | {"spaces": "all" if entry.spaces is None else ", ".join(sorted(entry.spaces))}
        for name, entry in ALGORITHMS.items()
    }
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("name")
    if problem is None:
        return table
    reasons = [entry.refusal(problem) for entry in ALGORITHMS.values()]
    table["fits"] = [reason is None for reason in reasons]
    table["reason"] = [reason or "" for reason in reasons]
    return table.sort_values("fits", ascending=False, kind="stable")


def default_algorithm(problem: AnonymizationProblem) -> str:
    """Name of the algorithm that is taken for a problem if nobody names one.

    Parameters
    ----------
    problem : AnonymizationProblem

    Returns
    -------
    str
        ``"pbgea"`` for levels; for other genomes, such as masked files, matrices, equations
        and graphs, ``"nsga2"``, or ``"ga"`` if there is one objective.

    Examples
    --------
    >>> from anonopt.problems import get_problem
    >>> default_algorithm(get_problem("german-pram-equations"))
    'nsga2'
    """
    if problem.space.kind in LEVELS:
        return "pbgea"
    return "nsga2" if problem.n_obj > 1 else "ga"
