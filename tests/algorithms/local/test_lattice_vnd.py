"""LatticeVND: what it leaves out is out of the question, and what it finds is good."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anonopt as ao
from anonopt.algorithms import LatticeVND
from anonopt.algorithms.local.promise import Promise
from anonopt.data import Hierarchy, Microdata
from anonopt.evaluation import LatticeEvaluator
from anonopt.measures import Measure
from anonopt.measures.fronts.indicators import representation_ratio
from anonopt.problems import LatticeProblem, get_problem
from anonopt.runs import solve
from tests.contracts.toy_problems import ToyLattice, front_of_all
from tests.evaluation.lattice.small_tables import rules, small_tables
from tests.examples import examples
from tests.histories import without_seconds

ROUNDING = 1e-9


def goals(problem, nodes):
    """Minimized objectives and the constraint violation."""
    F, G = problem.evaluate(nodes, return_values_of=["F", "G"])
    return np.column_stack([F, np.maximum(G, 0).sum(axis=1)])


def assert_closed(problem, history):
    """Around the archive, every node was evaluated or could not have entered it.

    Returns the nodes that were left out.
    """
    heights = problem.xu.astype(int)
    nodes = np.stack(np.unravel_index(np.arange(np.prod(heights + 1)), heights + 1), axis=1)
    evaluated = history[list(problem.space.names)].to_numpy()
    assert len(np.unique(evaluated, axis=0)) == len(evaluated)
    found = goals(problem, evaluated)
    worse = [((found <= one).all(axis=1) & (found < one).any(axis=1)).any() for one in found]
    members = evaluated[~np.array(worse)]
    steps = np.abs(nodes[:, np.newaxis] - members).sum(axis=2).min(axis=1)
    seen = set(map(tuple, evaluated.tolist()))
    left_out = [node for node in nodes[steps <= 2].tolist() if tuple(node) not in seen]
    for node, one in zip(
        left_out, goals(problem, np.array(left_out).reshape(-1, len(heights))), strict=True
    ):
        slack = ROUNDING * (1 + np.abs(one))
        assert (found <= one + slack).all(axis=1).any(), f"{node} was worth a look"
    return left_out


@given(small_tables(), st.data())
@examples(25)
def test_only_nodes_that_cannot_enter_the_archive_are_left_out(small, data):
    rule = data.draw(rules(small))
    names = sorted(set(small.measures(rule["k"])) - {"recursive_cl", "feasible"})
    objectives = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
    limits = {
        name: data.draw(st.integers(1, 10))
        for name in data.draw(st.lists(st.sampled_from(names), max_size=2, unique=True))
    }
    problem = LatticeProblem(small.table, objectives, limits, accelerator="numpy", **rule)
    batch_size = data.draw(st.integers(1, 5))
    algorithm = LatticeVND(batch_size=batch_size, pool_size=data.draw(st.integers(batch_size, 20)))
    result = solve(problem, algorithm, seed=data.draw(st.integers(0, 3)))
    assert result.message.startswith(("algorithm finished", "search space exhausted"))
    assert_closed(problem, result.history)


@pytest.mark.parametrize("pool_size", [8, 30, 2000])
def test_a_small_pool_misses_nothing(pool_size):
    """Nodes are dropped from it and made again."""
    problem = get_problem("german-k-glm", objectives=["k", "l", "glm"], suppression=0.05)
    result = solve(problem, LatticeVND(pool_size=pool_size), seed=1)
    assert len(assert_closed(problem, result.history)) > 50
    front = problem.natural(problem.pareto_front())
    found = problem.natural(result.F)
    assert representation_ratio(found, front, eps=1, maximize=problem.maximize) > 0.95


def test_dropped_candidates_are_made_again():
    """Three nodes are one step from the optimum, and the pool never keeps more than two."""
    problem = ToyLattice((6, 6, 6), objectives=("loss",))
    result = solve(problem, LatticeVND(batch_size=1, pool_size=1), seed=1)
    assert assert_closed(problem, result.history) == []


def test_without_bounds_both_neighbourhoods_are_evaluated():
    problem = ToyLattice((4, 3, 3, 0), objectives=("privacy", "loss"))
    result = solve(problem, LatticeVND(), seed=1)
    assert assert_closed(problem, result.history) == []
    found = set(map(tuple, result.front[list(problem.space.names)].to_numpy().tolist()))
    assert found == front_of_all(problem)


@pytest.mark.parametrize("objectives", [("privacy",), ("loss", "spread")])
def test_bottom_and_top_come_first(objectives):
    problem = ToyLattice((4, 3), objectives=objectives)
    solve(problem, LatticeVND(), seed=1)
    assert problem.batches[0].tolist() == [[0, 0], [4, 3]]


def test_one_step_comes_before_two():
    problem = ToyLattice((6, 6, 6), objectives=("loss",))
    solve(problem, LatticeVND(batch_size=2), seed=1)
    # The bottom node is the optimum from the start, so all happens around it.
    steps = np.concatenate(problem.batches[1:]).sum(axis=1)
    assert steps.tolist() == [1, 1, 1, 2, 2, 2, 2, 2, 2]


def test_estimates_put_the_front_early():
    """Nothing is pruned here, so only the order can do it, in 15 % of the lattice."""
    problem = ToyLattice((9, 9, 9), objectives=("privacy", "loss"))
    front = front_of_all(problem)
    result = solve(problem, LatticeVND(), budget=150, seed=1)
    found = [
        tuple(x) in front for x in result.history[list(problem.space.names)].to_numpy().tolist()
    ]
    assert sum(found) > 0.85 * len(front)


class WithoutTies(Promise):
    """Estimates differ by a little from node to node."""

    def _estimate(self, nodes, bounds):
        estimates, errors = super()._estimate(nodes, bounds)
        weights = np.sqrt([2, 3, 5, 7, 11, 13])[: nodes.shape[1]]
        return estimates + 1e-6 * (nodes @ weights)[:, np.newaxis], errors


def test_seed_only_breaks_ties(monkeypatch):
    # Columns may be exchanged, so that nodes of equal promise are many.
    problem = ToyLattice((9, 9, 9), objectives=("privacy", "loss"))

    def histories():
        return [
            without_seconds(solve(problem, LatticeVND(), budget=100, seed=seed).history)
            for seed in (1, 2)
        ]

    one, other = histories()
    assert not one.equals(other)
    monkeypatch.setattr("anonopt.algorithms.local.lattice_vnd.Promise", WithoutTies)
    pd.testing.assert_frame_equal(*histories())


def test_a_node_is_grouped_once_also_for_the_bounds(monkeypatch):
    asked = []
    values = LatticeEvaluator.values

    def counted(self, nodes, measures):
        asked.extend(map(tuple, nodes.tolist()))
        return values(self, nodes, measures)

    monkeypatch.setattr(LatticeEvaluator, "values", counted)
    problem = LatticeProblem(ao.load_dataset("german"), ["l", "cm"], {"k": 3}, suppression=0.05)
    result = solve(problem, LatticeVND(), seed=1)
    assert len(asked) == len(set(asked)) == result.n_unique


def test_the_problem_is_left_as_it_was():
    problem = LatticeProblem(ao.load_dataset("german"), ["l", "cm"], suppression=0.05)
    before = dict(vars(problem))
    solve(problem, LatticeVND(), budget=30, seed=1)
    assert vars(problem) == before


def test_a_measure_that_declares_nothing_is_not_pruned_on():
    middle = Measure(
        "middle", maximize=True, unit="", range="0..1",
        from_classes=lambda classes: float(classes.node[0] == 2),
    )  # fmt: skip
    problem = LatticeProblem(ao.load_dataset("german"), ["k", middle], suppression=0.05)
    result = solve(problem, LatticeVND(), seed=1)
    assert assert_closed(problem, result.history) == []


def test_an_optimum_behind_infeasible_nodes_is_found():
    """The best feasible node has no better neighbour, and the way from the top is long."""
    adult = ao.load_dataset("adult")
    for options in ({"k": 5}, {"constraints": {"k": 5}}):
        problem = LatticeProblem(adult, ["glm"], suppression=0.01, **options)
        result = solve(problem, LatticeVND(), budget=200, seed=1)
        assert result.F.tolist() == problem.pareto_front().tolist()


def test_an_infinite_violation_is_worked_with():
    table = ao.load_dataset("german")
    problem = LatticeProblem(table, ["glm"], {"recursive_cl": 1.0}, suppression=0.05)
    result = solve(problem, LatticeVND(), seed=1)
    assert np.isinf(problem.evaluate(problem.xl[np.newaxis], return_values_of=["G"])).all()
    assert result.success
    assert result.F.tolist() == problem.pareto_front().tolist()


def wide_table(n_columns, n_rows=300):
    generator = np.random.default_rng(1)
    columns = {f"q{i}": generator.integers(0, 8, n_rows) for i in range(n_columns)}
    tree = Hierarchy.from_frame(
        pd.DataFrame([[str(v), f"a{v // 2}", f"b{v // 4}", "*"] for v in range(8)])
    )
    return Microdata(
        pd.DataFrame(columns),
        quasi_identifiers=list(columns),
        hierarchies=dict.fromkeys(columns, tree),
    )


def test_seventy_columns_are_searched_with_a_bounded_pool():
    table = wide_table(70)
    assert table.lattice.size == 4**70
    problem = LatticeProblem(table, ["S_k", "glm"])
    algorithm = LatticeVND(pool_size=100)
    algorithm.setup(problem, seed=1)
    sizes = []
    for _ in range(40):
        algorithm.next()
        sizes.append(len(algorithm._pool))
    # Between two choices, at most a batch of new members adds its neighbours.
    assert max(sizes) <= 2 * 100 + 8 * 140
    assert min(sizes[10:]) < 300
    assert len(algorithm.opt) > 10


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch_size": 0}, "batch_size: expected a whole number of at least 1, found 0"),
        (
            {"batch_size": 9, "pool_size": 8},
            "pool_size: expected .* of at least 9, found 8",
        ),
    ],
)
def test_sizes_out_of_range_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        LatticeVND(**options)
