"""Each algorithm on the packaged lattice of three attributes, small enough to be followed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anonopt.algorithms.node_tests import TestingSearch
from anonopt.algorithms.registry import ALGORITHMS
from anonopt.data import load_dataset
from anonopt.problems.lattice import LatticeProblem
from anonopt.runs.result import Result
from anonopt.runs.solve import solve
from anonopt.visualization.lattice.steps.recorder import Recorder

TABLE, K = "patients", 3

OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "kgen": {"pop_size": 6, "n_generations": 4, "bounds": None},
    "pbgea": {"pop_size": 6, "n_generations": 6, "eps": [2.0, 10.0]},
    **{name: {"pop_size": 6} for name in ("nsga2", "spea2", "smsemoa", "ga")},
}
"""Sizes at which there is something to see in few steps."""

BUDGET = 20
"""Evaluations of algorithms that would go on for longer."""

UNLIMITED = ("exhaustive", "kgen", "pbgea", "lattice-vnd", "epsilon-constraint")


def example_search(name: str, *, seed: int = 1) -> Result:
    """Run an algorithm on the lattice of ``load_dataset("patients")``, to be shown.

    Searches by tests and others of one objective look for the least ``generalization_level`` with
    k = 3; those of several objectives for the front of ``k`` and ``glm``. Whatever
    :func:`plot_lattice` and :func:`animate` can show of it was kept.

    Parameters
    ----------
    name : str
        See ``ao.list_algorithms()``.
    seed : int
        Of algorithms that draw.

    Returns
    -------
    Result

    Raises
    ------
    ValueError
        If there is no such algorithm, or it does not search lattices.

    Examples
    --------
    >>> result = example_search("ola")
    >>> result.front["generalization_level"].round(3).tolist(), result.n_tests
    ([0.556], 14)
    """
    entry = ALGORITHMS.find(name)
    table = load_dataset(TABLE)
    problem = LatticeProblem(table, ["k", "glm"])
    if not entry.multi_objective or entry.fixed_k:
        problem = LatticeProblem(table, ["generalization_level"], k=K)
    refusal = entry.refusal(problem)
    if refusal is not None:
        raise ValueError(f"name: expected an algorithm that searches lattices, {name!r}: {refusal}")
    options = dict(OPTIONS.get(name, {}))
    maker = entry.load()
    if isinstance(maker, type) and issubclass(maker, TestingSearch):
        options["trace"] = True
    budget = None if entry.fixed_k or name in UNLIMITED else BUDGET
    search = entry.make(problem, **options)
    return solve(problem, search, budget=budget, seed=seed, callback=Recorder())
