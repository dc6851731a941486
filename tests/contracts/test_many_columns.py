"""Every search by evaluations on 70 quasi-identifiers, whose lattice outgrows 64 bits."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.algorithms import ALGORITHMS, get_algorithm
from anonopt.problems import LatticeProblem
from tests.histories import assert_same_history

N_COLUMNS = 70

# Those that test nodes do so beyond any budget of evaluations, equations are no nodes.
every = pytest.mark.parametrize(
    "name",
    [
        name
        for name, entry in ALGORITHMS.items()
        if not (entry.fixed_k or entry.node_measures or entry.real_numbers)
        and (entry.spaces is None or "levels" in entry.spaces)
    ],
)


@cache
def wide_table() -> ao.Microdata:
    generator = np.random.default_rng(7)
    codes = generator.integers(8, size=(60, N_COLUMNS))
    frame = pd.DataFrame(codes, columns=[f"column{i}" for i in range(N_COLUMNS)])
    hierarchy = ao.Hierarchy.ordered(range(8), fan_outs=[2, 2])
    return ao.Microdata(
        frame,
        quasi_identifiers=list(frame.columns),
        hierarchies=dict.fromkeys(frame.columns, hierarchy),
    )


def wide_problem(name: str, **options: object) -> LatticeProblem:
    objectives = ["k", "glm"] if ALGORITHMS[name].multi_objective else ["glm"]
    return LatticeProblem(wide_table(), objectives=objectives, suppression=0.05, **options)


def refuses_what_it_cannot_enumerate(name: str, problem: LatticeProblem) -> bool:
    if name != "exhaustive":
        return False
    with pytest.raises(ValueError, match=str(4**N_COLUMNS)):
        ao.solve(problem, get_algorithm(name, problem), budget=40, seed=1)
    return True


@every
@pytest.mark.filterwarnings("ignore:invalid value encountered in divide")  # SPEA2 of pymoo
def test_budget_holds_and_values_are_those_of_the_nodes(name):
    problem = wide_problem(name)
    assert problem.space.size == 4**N_COLUMNS
    if refuses_what_it_cannot_enumerate(name, problem):
        return
    result = ao.solve(problem, get_algorithm(name, problem), budget=40, seed=1)
    assert result.success
    assert 1 <= result.n_unique <= 40
    assert result.X.shape[1] == N_COLUMNS
    np.testing.assert_array_equal(problem.evaluate(result.X), result.F)
    node = result.X[0]
    protected = wide_table().apply(node, suppression=0.05)
    assert protected.shape == (60, N_COLUMNS)


@every
@pytest.mark.filterwarnings("ignore:invalid value encountered in divide")  # SPEA2 of pymoo
def test_saved_and_resumed_it_is_as_never_interrupted(name, tmp_path):
    problem = wide_problem(name)
    if refuses_what_it_cannot_enumerate(name, problem):
        return
    ao.save_run(
        ao.solve(problem, get_algorithm(name, problem), budget=25, seed=1), tmp_path / "run.npz"
    )
    resumed = ao.resume_run(tmp_path / "run.npz", problem=problem, extra=15)
    through = ao.solve(problem, get_algorithm(name, problem), budget=40, seed=1)
    assert_same_history(resumed.history, through.history)
    assert (resumed.message, resumed.n_evaluations) == (through.message, through.n_evaluations)


@every
def test_constrained_it_reports_feasible_nodes_only(name):
    problem = wide_problem(name, constraints={"k": 3})
    if refuses_what_it_cannot_enumerate(name, problem):
        return
    result = ao.solve(problem, get_algorithm(name, problem), budget=40, seed=1)
    found = problem.evaluator.evaluate(result.X, ["k"]) if len(result.X) else {"k": np.array([9])}
    assert (found["k"] >= 3).all()
    assert result.success is (len(result.front) > 0)
    assert len(result.least_infeasible) == (not result.success)
