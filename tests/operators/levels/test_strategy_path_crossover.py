"""KGEN's crossover: the three cases of De Pascale 2022, Section 3.5."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.core.evaluator import Evaluator
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt.operators import StrategyPathCrossover


class TotalProblem(Problem):
    """A node is feasible if its levels sum to enough, as in a lattice above some border."""

    def __init__(self, upper, least_total):
        super().__init__(n_var=len(upper), n_obj=1, n_ieq_constr=1, xl=0, xu=np.array(upper))
        self.least_total = least_total
        self.asked = []

    def _evaluate(self, X, out, *args, **kwargs):
        self.asked += X.tolist()
        out["F"] = X.sum(axis=1)
        out["G"] = self.least_total - X.sum(axis=1)


class Running:
    """What the crossover uses of a running algorithm."""

    def __init__(self, problem):
        self.problem, self.evaluator = problem, Evaluator()


def cross(problem, parents, seed=1, algorithm=None, prob=1.0):
    pop = Population.new("X", np.array(parents))
    Evaluator().eval(problem, pop)
    problem.asked = []
    generator = np.random.default_rng(seed)
    children = StrategyPathCrossover(prob=prob)(
        problem, [pop], algorithm=algorithm, random_state=generator
    )
    return children.get("X")


def seen(problem, parents, n=300):
    """All pairs of children that come up."""
    return {tuple(map(tuple, cross(problem, parents, seed).tolist())) for seed in range(n)}


def between(low, high):
    grid = np.meshgrid(*(range(a, b + 1) for a, b in zip(low, high, strict=True)))
    return set(map(tuple, np.stack([axis.ravel() for axis in grid], axis=1).tolist()))


PARENTS = [[2, 1, 0], [0, 2, 1]]
LOWEST, HIGHEST = [0, 1, 0], [2, 2, 1]


def test_both_feasible_and_the_minimum_too_gives_the_minimum():
    children = seen(TotalProblem([3, 3, 3], least_total=1), PARENTS)
    assert {first for first, _ in children} == {tuple(LOWEST)}
    assert {second for _, second in children} == between(LOWEST, HIGHEST)


def test_both_feasible_but_not_the_minimum_gives_a_node_below_either_parent():
    children = seen(TotalProblem([3, 3, 3], least_total=3), PARENTS)
    assert {first for first, _ in children} == between(LOWEST, PARENTS[0])
    assert {second for _, second in children} == between(LOWEST, PARENTS[1])


def test_neither_feasible_gives_the_maximum():
    children = seen(TotalProblem([3, 3, 3], least_total=4), PARENTS)
    assert {first for first, _ in children} == {tuple(HIGHEST)}


@pytest.mark.parametrize("order", [1, -1])
def test_one_feasible_gives_a_node_between_the_minimum_and_that_parent(order):
    parents = [[3, 1, 0], [0, 2, 1]][::order]
    children = seen(TotalProblem([3, 3, 3], least_total=4), parents)
    assert {first for first, _ in children} == between([0, 1, 0], [3, 1, 0])


@pytest.mark.parametrize(("least_total", "asked"), [(1, [LOWEST]), (3, [LOWEST]), (4, [])])
def test_what_is_asked_is_counted_by_the_algorithm(least_total, asked):
    problem = TotalProblem([3, 3, 3], least_total)
    algorithm = Running(problem)
    cross(problem, PARENTS, algorithm=algorithm)
    assert problem.asked == asked
    assert algorithm.evaluator.n_eval == len(asked)


def test_parents_that_were_not_evaluated_are_and_stay_as_they_are():
    problem = TotalProblem([3, 3, 3], least_total=4)
    algorithm = Running(problem)
    pop = Population.new("X", np.array(PARENTS))
    StrategyPathCrossover(prob=1.0)(
        problem, pop, [[0, 1]], algorithm=algorithm, random_state=np.random.default_rng(1)
    )
    assert algorithm.evaluator.n_eval == 2
    assert not any(individual.evaluated for individual in pop)


def test_without_crossing_the_parents_are_copied():
    problem = TotalProblem([3, 3, 3], least_total=3)
    assert cross(problem, PARENTS, prob=0.0).tolist() == PARENTS


@given(
    upper=st.lists(st.integers(0, 4), min_size=1, max_size=5),
    shares=st.lists(st.tuples(*[st.floats(0, 1)] * 2), min_size=5, max_size=5),
    least=st.floats(0, 1.2),
    seed=st.integers(0, 99),
)
def test_children_lie_between_the_parents(upper, shares, least, seed):
    problem = TotalProblem(upper, least_total=round(least * sum(upper)))
    rows = zip(upper, shares, strict=False)
    parents = np.array([[round(h * s) for s in pair] for h, pair in rows]).T
    children = cross(problem, parents, seed)
    assert children.dtype == np.int64
    assert np.all((children >= parents.min(axis=0)) & (children <= parents.max(axis=0)))
