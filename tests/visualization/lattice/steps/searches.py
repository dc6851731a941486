"""Searches of the patients' lattice that the tests of this folder look at."""

from __future__ import annotations

from functools import cache

import anonopt as ao
from anonopt.algorithms import OLA, BranchAndBound, Datafly, Incognito, Samarati
from anonopt.runs.result import Result
from anonopt.visualization import Recorder

TESTING = (Samarati, OLA, Incognito, Datafly, BranchAndBound)
TESTS = {"feasible", "infeasible"}


def least_problem(**options):
    return ao.problems.LatticeProblem(
        ao.load_dataset("patients"), ["generalization_level"], **{"k": 3, **options}
    )


def front_problem():
    return ao.problems.LatticeProblem(ao.load_dataset("patients"), ["k", "glm"])


@cache
def traced(search) -> Result:
    return ao.solve(least_problem(), search(trace=True))


@cache
def kgen() -> Result:
    search = ao.algorithms.KGEN(pop_size=6, n_generations=4, bounds=None)
    return ao.solve(least_problem(), search, seed=1, callback=Recorder())


@cache
def pbgea() -> Result:
    search = ao.algorithms.PBGEA(pop_size=6, n_generations=4, eps=[2.0, 10.0])
    return ao.solve(front_problem(), search, seed=1, callback=[print_nothing, Recorder()])


def print_nothing(algorithm):
    """Another callback beside the recorder."""


def trace_rows(result):
    """Node, event and number of tests of each step of a trace."""
    trace = result.algorithm.trace()
    nodes = [tuple(row) for row in trace[["age", "postcode", "sex"]].to_numpy().tolist()]
    return list(zip(nodes, trace["event"], trace["reason"], trace["n_tests"], strict=True))
