"""Exact fronts: exhaustive search against plain evaluation, and a lattice of ten million nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

import anonopt as ao
from anonopt.algorithms import ExhaustiveSearch
from anonopt.problems.lattice import _FRONTS as FRONTS
from benchmarks._bench import Benchmark, Call, Goal, Way, require

OBJECTIVES = ["k", "glm"]
HEIGHTS = (6, 6, 6, 6, 4, 3, 3, 2, 2, 2, 1)
"""Of 11 columns: 10,372,320 nodes."""

FAN_OUTS = {6: 2, 4: 3}
"""Values below one of the next level, by the height of the hierarchy; else 4."""

N_ROWS = 14_827


def adult(quasi_identifiers: Sequence[str] | None) -> ao.problems.LatticeProblem:
    """Adult with some or all of its quasi-identifiers."""
    table = ao.load_dataset("adult", quasi_identifiers=quasi_identifiers)
    return ao.problems.LatticeProblem(table, OBJECTIVES, suppression=0.01)


def check_search(problem: ao.problems.LatticeProblem, results: Mapping[str, Any]) -> None:
    """The search has recorded what the evaluator measures, bit for bit."""
    recorded, measured = results["solve"].history[OBJECTIVES], results["evaluate_all"][OBJECTIVES]
    require(np.array_equal(recorded, measured), "the record differs from what was measured")


def drawn(heights: Sequence[int]) -> ao.Microdata:
    """A table of columns that are independent of each other, with many rare values."""
    rng = np.random.default_rng(0)
    columns: dict[str, list[str]] = {}
    hierarchies: dict[str, ao.Hierarchy] = {}
    for number, height in enumerate(heights):
        fan_out = FAN_OUTS.get(height, 4)
        n_leaves = fan_out**height
        values = rng.choice(n_leaves, N_ROWS, p=rng.dirichlet(np.full(n_leaves, 0.5)))
        levels = [
            [f"{level}:{leaf // fan_out**level}" for leaf in range(n_leaves)]
            for level in range(height)
        ]
        name = f"c{number}"
        columns[name] = [levels[0][value] for value in values]
        hierarchies[name] = ao.Hierarchy([*levels, ["*"] * n_leaves])
    return ao.Microdata(
        pd.DataFrame(columns), quasi_identifiers=list(columns), hierarchies=hierarchies
    )


def front(table: ao.Microdata, workers: int) -> Call:
    """The exact front, which is kept once it was found."""

    def call() -> Any:
        FRONTS.clear()
        problem = ao.problems.LatticeProblem(table, OBJECTIVES, suppression=0.01, workers=workers)
        return problem.pareto_set_and_front()

    return call


def check_fronts(table: ao.Microdata, results: Mapping[str, Any]) -> None:
    """One thread and two find the same."""
    for one, two in zip(results["1 thread"], results["2 threads"], strict=True):
        require(np.array_equal(one, two), "one thread and two differ")


SEARCH = Benchmark(
    name="exhaustive search of Adult",
    unit="node",
    sizes={"17920 nodes": None},
    quick={"40 nodes": ("age", "race", "sex")},
    setup=adult,
    ways={
        "evaluate_all": Way(
            start=lambda problem: partial(problem.evaluator.evaluate_all, OBJECTIVES),
            units=lambda problem: problem.lattice.size,
        ),
        "solve": Way(
            start=lambda problem: partial(ao.solve, problem, ExhaustiveSearch(), seed=1),
            units=lambda problem: problem.lattice.size,
        ),
    },
    check=check_search,
    goals=[Goal(way="solve", faster=0.67, than="evaluate_all")],
)

FRONT = Benchmark(
    name="exact front of a large lattice",
    unit="front",
    sizes={"10372320 nodes": HEIGHTS},
    quick={"840 nodes": (*HEIGHTS[3:6], *HEIGHTS[-2:])},
    setup=drawn,
    ways={
        "1 thread": Way(start=partial(front, workers=1), repeats=0, memory=True),
        "2 threads": Way(start=partial(front, workers=2), repeats=0),
    },
    check=check_fronts,
    goals=[
        Goal(way="2 threads", seconds=300, sizes=["10372320 nodes"]),
        Goal(way="1 thread", megabytes=2000),
    ],
)

BENCHMARKS = (SEARCH, FRONT)
