"""Every algorithm once: its name, how it is made, where it comes from, what it takes.

Contract tests, the tables of the documentation and the command line read this registry, so an
algorithm that is listed here is tested and documented. It names classes by where they are, so
that nobody imports a family that is not used.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

import pandas as pd
from pymoo.core.algorithm import Algorithm
from pymoo.core.problem import Problem

from anonopt._registry import Registry
from anonopt.algorithms.built_in import BUILT_IN, LEVELS
from anonopt.algorithms.entry import AlgorithmEntry, Particular, entry_of, path_of
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.recipes import Recipe

PROVING = "branch-and-bound"


ALGORITHMS = Registry("algorithms", "algorithm", BUILT_IN, make=entry_of)
"""Name to entry, in the order of the documentation; those that users registered come last."""


def name_of(path: str) -> str | None:
    """Name under which a class or function is registered; None if it is not.

    Parameters
    ----------
    path : str
        As :func:`path_of` tells it, such as ``algorithm.recipe.name``.
    """
    return next((name for name, entry in ALGORITHMS.items() if entry.path == path), None)


def is_deterministic(path: str) -> bool:
    """Whether it is known of a class or function that its runs do not depend on the seed.

    Parameters
    ----------
    path : str
        As for :func:`name_of`; of what is not registered nothing is known.
    """
    name = name_of(path)
    return name is not None and not ALGORITHMS[name].stochastic


def declared_refusal(classes: Iterable[Any], problem: Problem) -> str | None:
    """Why a problem does not fit the entry of the first of the classes that is registered."""
    names = (name_of(path_of(one)) for one in classes)
    name = next((name for name in names if name is not None), None)
    return None if name is None else ALGORITHMS[name].declared_refusal(problem)


class UnfitError(ValueError):
    """An algorithm does not take a problem.

    Attributes
    ----------
    reason : str
        What was expected and found, without the names of algorithms.
    """

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


def refused(name: str, problem: Problem, reason: str) -> UnfitError:
    """The error of an algorithm that does not take a problem; it names those that do."""
    fitting = [other for other, entry in ALGORITHMS.items() if entry.refusal(problem) is None]
    message = f"{name}: {reason} (algorithms that fit: {', '.join(fitting) or 'none'})"
    return UnfitError(message, reason)


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
    'expected a problem of 1 objective, found 3'
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
        The first of :func:`default_algorithms`.

    Examples
    --------
    >>> from anonopt.problems import get_problem
    >>> default_algorithm(get_problem("german-pram-equations"))
    'nsga2'
    """
    return default_algorithms(problem)[0]


OF_ONE = {"keys": "es", "groups": "recoding-search"}
"""Algorithm that is taken for one objective of genomes of a kind, in place of ``"ga"``."""


def default_algorithms(problem: AnonymizationProblem) -> list[str]:
    """Algorithms that are taken for a problem if nobody names one, in turn until one has a proof.

    Parameters
    ----------
    problem : AnonymizationProblem

    Returns
    -------
    list of str
        For one objective of levels under a fixed k ``"ga"``, after ``"branch-and-bound"`` where
        that takes the problem; for all other levels ``"pbgea"``. For one objective of random keys
        ``"es"``, of local recodings ``"recoding-search"`` where that takes the problem. For other
        genomes, such as masked files, matrices, equations and graphs, ``"nsga2"``, or ``"ga"`` if
        there is one objective.

    Examples
    --------
    >>> from anonopt.problems import get_problem
    >>> default_algorithms(get_problem("german-k-glm", objectives=["glm"], k=5))
    ['branch-and-bound', 'ga']
    """
    if problem.space.kind not in LEVELS:
        own = OF_ONE.get(problem.space.kind, "ga")
        of_one = own if ALGORITHMS[own].refusal(problem) is None else "ga"
        return ["nsga2" if problem.n_obj > 1 else of_one]
    lattice = problem.as_lattice
    if problem.n_obj > 1 or lattice is None or lattice.evaluator.rule.k is None:
        return ["pbgea"]
    proves = ALGORITHMS[PROVING].refusal(problem) is None
    return [PROVING, "ga"] if proves else ["ga"]
