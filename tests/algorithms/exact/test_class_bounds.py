"""Searches under bounds of single classes: exact ones stay exact, or say why they refuse."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from anonopt.algorithms import (
    KGEN,
    OLA,
    BranchAndBound,
    Datafly,
    ExhaustiveSearch,
    GreedyDescent,
    Incognito,
    LatticeVND,
    LevelSearch,
    Samarati,
)
from anonopt.data import Hierarchy, Microdata
from anonopt.measures import MEASURES, Measure
from anonopt.problems import LatticeProblem
from anonopt.runs import solve
from tests.algorithms.small_problems import SmallProblem, bounded_problems
from tests.examples import examples

OBJECTIVES = ("glm", "precision_loss", "generalization_level", "height")


def is_monotone(small: SmallProblem) -> bool:
    """By looking at all pairs of nodes."""
    feasible = set(small.feasible())
    nodes = small.small.table.lattice.nodes().tolist()
    return all(
        tuple(above) in feasible
        for above in nodes
        for node in feasible
        if all(a >= b for a, b in zip(above, node, strict=True))
    )


def best(problem: LatticeProblem) -> float:
    """Least objective, every node looked at; infinite if none is feasible."""
    return found_by(problem, ExhaustiveSearch())


def found_by(problem: LatticeProblem, search) -> float:
    result = solve(problem, search, seed=1)
    return float(result.F.min()) if result.success else math.inf


@given(bounded_problems())
@examples(20)
def test_exhaustive_search_knows_the_feasible_nodes_of_the_slow_twin(small):
    problem = small.problem("height")
    nodes = problem.lattice.nodes()
    feasible = problem.evaluator.suppressed_rows(nodes) <= small.budget
    assert [tuple(node) for node in nodes[feasible].tolist()] == small.feasible()


@pytest.mark.parametrize("accelerator", ["numpy", "auto"])
@pytest.mark.parametrize("objective", OBJECTIVES)
@given(bounded_problems())
@examples(8)
def test_branch_and_bound_is_exact_under_every_bound(accelerator, objective, small):
    problem = small.problem(objective, accelerator=accelerator)
    search = BranchAndBound()
    assert found_by(problem, search) == pytest.approx(best(problem), rel=1e-9)
    assert solve(problem, BranchAndBound(), seed=1).algorithm.gap == 0


@given(bounded_problems())
@examples(16)
def test_searches_that_conclude_are_exact_or_refuse(small):
    problem = small.problem("height")
    rule = problem.evaluator.rule
    declared = all(bound == "l" for bound in small.bounds) or small.budget == 0
    assert rule.feasibility_is_monotone is declared
    if declared:
        assert is_monotone(small)
    for search in (OLA(), Incognito(), Samarati()):
        if not declared:
            with pytest.raises(ValueError, match="merged with others into one that misses them"):
                solve(problem, search, seed=1)
            continue
        assert found_by(problem, search) == best(problem)
        if not isinstance(search, Samarati):
            result = solve(problem, type(search)(), seed=1)
            found = set(map(tuple, result.algorithm.minimal_nodes.tolist()))
            assert found == (small.minimal() if result.success else set())


@given(bounded_problems())
@examples(10)
def test_heuristics_report_feasible_nodes_and_end(small):
    problem = small.problem("glm")
    feasible = set(small.feasible())
    for search in (
        Datafly(),
        LatticeVND(),
        LevelSearch(),
        GreedyDescent(),
        KGEN(pop_size=4, n_generations=3),
    ):
        result = solve(problem, search, seed=1, budget=60)
        assert not result.success or tuple(result.X[0].tolist()) in feasible


@given(bounded_problems())
@examples(12)
def test_protected_table_front_and_constraint_follow_the_bounds(small):
    problem = small.problem("glm")
    G = problem.evaluate(problem.lattice.nodes(), return_values_of=["G"])[:, 0]
    twins = [small.small.classes(n, small.budget, small.k, small.bounds) for n in all_nodes(small)]
    n_rows = small.small.table.n_rows
    expected = [(len(twin.suppressed) - small.budget) / n_rows for twin in twins]
    assert G.tolist() == pytest.approx(expected)
    for twin in twins[:: max(len(twins) // 4, 1)]:
        if len(twin.suppressed) > small.budget:
            with pytest.raises(ValueError, match="misses suppression"):
                problem.protect(twin.node)
        else:
            assert np.flatnonzero(problem.suppressed_rows(twin.node)).tolist() == sorted(
                twin.suppressed
            )
            protected = problem.protect(twin.node)[list(small.small.table.quasi_identifiers)]
            for row in twin.suppressed:
                assert set(protected.iloc[row]) == {"*"}


def all_nodes(small):
    return [tuple(node) for node in small.small.table.lattice.nodes().tolist()]


def two_towns() -> Microdata:
    """Class x is diverse and y is not; together they are less diverse than x."""
    frame = pd.DataFrame({"town": list("xxyyyy"), "illness": list("pqpppp")})
    town = Hierarchy([["x", "y"], ["*", "*"]])
    return Microdata(
        frame, quasi_identifiers=["town"], hierarchies={"town": town}, sensitive="illness"
    )


def test_a_node_can_be_feasible_under_an_infeasible_top():
    problem = LatticeProblem(
        two_towns(), ["glm"], k=2, class_bounds={"entropy_l": 1.9}, suppression=4
    )
    assert problem.evaluator.suppressed_rows(np.array([[0], [1]])).tolist() == [4, 6]
    result = solve(problem, BranchAndBound(), seed=1)
    assert result.X.tolist() == [[0]]
    assert (result.algorithm.incumbent, result.algorithm.gap) == (4.0, 0.0)
    assert found_by(problem, LatticeVND()) == found_by(problem, LevelSearch()) == 4.0
    counted = LatticeProblem(
        two_towns(), ["height"], k=2, class_bounds={"entropy_l": 1.9}, suppression=4
    )
    with pytest.raises(ValueError, match="found bounds of entropy_l"):
        solve(counted, OLA(), seed=1)


def test_no_feasible_node_is_said_so():
    problem = LatticeProblem(two_towns(), ["glm"], k=2, class_bounds={"t": 0.01, "l": 3})
    result = solve(problem, BranchAndBound(), seed=1)
    assert not result.success
    assert result.algorithm.gap == 0


def spread_of_codes(merged):
    """A user's measure of single classes."""
    return Measure(
        "share_of_most_frequent",
        maximize=False,
        unit="share",
        range="0..1",
        per_class=lambda classes: classes.sensitive_counts().max(axis=1) / classes.sizes,
        merged=merged,
    )


def test_measures_of_the_user_prune_as_they_declare():
    table = two_towns()
    for merged, monotone in ((None, False), ("worst", False), ("best", True)):
        bounds = {spread_of_codes(merged): 0.6}
        problem = LatticeProblem(table, ["glm"], k=2, class_bounds=bounds, suppression=4)
        assert problem.evaluator.rule.feasibility_is_monotone is monotone
        assert problem.evaluator.suppressed_rows(np.array([[0], [1]])).tolist() == [4, 6]
        assert found_by(problem, BranchAndBound()) == (4.0 if not monotone else math.inf)
    unsuppressed = LatticeProblem(table, ["glm"], k=2, class_bounds={spread_of_codes("worst"): 1})
    assert unsuppressed.evaluator.rule.feasibility_is_monotone
    # As an objective, a measure of single classes is that of the worst one that is kept.
    own = spread_of_codes(None)
    problem = LatticeProblem(table, [own], k=2, class_bounds={"l": 2}, suppression=4)
    assert problem.evaluate(np.array([[0], [1]]), return_values_of=["F"]).tolist() == [
        [0.5],
        [5 / 6],
    ]


def test_every_measure_of_single_classes_says_what_merging_does():
    bounded = {name: one.merged for name, one in MEASURES.items() if one.per_class is not None}
    assert {"l", "entropy_l", "recursive_cl", "t", "t_ordered"} <= set(bounded)
    assert {name for name, merged in bounded.items() if merged == "best"} == {
        "l",
        "journalist_risk",
    }
    assert None not in bounded.values()
