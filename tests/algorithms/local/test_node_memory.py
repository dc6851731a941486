"""What evaluated nodes say of others: never wrong, under the fixed-k rule only."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.algorithms.local.node_memory import NodeMemory, search_bounds
from anonopt.problems import LatticeProblem
from tests.algorithms.small_problems import KEPT_DETAIL, de_pascale_table, small_problems
from tests.contracts.toy_problems import ToyLattice
from tests.evaluation.lattice.small_tables import tables_of

ADDITIVE = ["generalization_level", "height", "glm", "glm_normalized", "precision_loss"]


def outcomes(problem):
    nodes = problem.lattice.nodes()
    F, G = problem.evaluate(nodes, return_values_of=["F", "G"])
    return nodes, F[:, 0], (G <= 0).all(axis=1)


@given(small_problems(), st.randoms(use_true_random=False))
def test_skipped_nodes_are_infeasible(small, random):
    problem = small.problem()
    nodes, F, feasible = outcomes(problem)
    memory = NodeMemory(problem)
    for row in random.sample(range(len(nodes)), len(nodes) // 2):
        memory.learn(nodes[row], F[row] if feasible[row] else None)
    skipped = np.array([memory.is_below_infeasible(node) for node in nodes])
    assert not (skipped & feasible).any()
    learnt = [node for node in nodes if memory.is_evaluated(node) and memory.outcome(node) is None]
    expected = [any((node <= other).all() for other in learnt) for node in nodes]
    assert skipped.tolist() == expected


@given(small_problems(), st.sampled_from(ADDITIVE))
def test_cost_is_the_loss_without_suppression(small, objective):
    problem = small.problem(objective)
    nodes, F, _ = outcomes(problem)
    memory = NodeMemory(problem)
    costs = np.array([memory.cost(node) for node in nodes])
    unsuppressed = LatticeProblem(problem.table, [objective]).evaluate(nodes)[:, 0]
    np.testing.assert_allclose(costs, unsuppressed, atol=1e-9)
    assert np.all(costs <= F + 1e-9)


@pytest.mark.parametrize("objective", ["discernibility", "cm", KEPT_DETAIL])
def test_other_objectives_have_no_costs(objective):
    small = tables_of([("a",), ("b",)], [[["a", "b"], ["*", "*"]]], target=["yes", "no"])
    memory = NodeMemory(LatticeProblem(small.table, [objective], k=2))
    assert memory.level_costs is None
    with pytest.raises(TypeError, match="sums over the quasi-identifiers"):
        memory.cost(np.array([0]))


@pytest.mark.parametrize(
    "problem",
    [
        ToyLattice((3, 4, 1), objectives=("loss",), least_privacy=6),
        LatticeProblem(de_pascale_table(4), ["height"], {"k": 2}),
        LatticeProblem(de_pascale_table(4), ["height"], {"highest_risk": 0.5}, k=2),
    ],
    ids=["no lattice problem", "reverse rule", "another constraint"],
)
def test_elsewhere_nothing_is_inferred(problem):
    memory = NodeMemory(problem)
    memory.learn(np.array([3, 3, 1]), None)
    assert memory.is_settled(np.array([3, 3, 1]))
    assert not memory.is_settled(np.array([2, 3, 1]))


def test_search_bounds_are_those_of_the_columns_under_the_fixed_k_rule():
    table = de_pascale_table(3)
    problem = LatticeProblem(table, ["height"], k=2, suppression=0.35)
    lower, upper = search_bounds(problem)
    assert (lower.tolist(), upper.tolist()) == ([2, 1, 0], [3, 4, 1])
    assert search_bounds(problem, "no_suppression")[0].tolist() == [3, 4, 1]
    reverse = LatticeProblem(table, ["height"], suppression=0.35)
    assert search_bounds(reverse)[0].tolist() == [0, 0, 0]
