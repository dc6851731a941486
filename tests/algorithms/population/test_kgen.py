"""KGEN: De Pascale 2022, Algorithm 1, and what was decided differently."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anonopt as ao
from anonopt.algorithms import KGEN
from anonopt.operators import AgePenaltySelection, SinglePointCrossover, StepMutation
from anonopt.problems import LatticeProblem
from anonopt.runs import solve
from tests.algorithms.small_problems import de_pascale_table, small_problems
from tests.contracts.toy_problems import ToyLattice
from tests.examples import examples

WIDE = (9, 9, 9, 9)


def test_defaults_are_those_of_table_7():
    algorithm = KGEN()
    algorithm.setup(ToyLattice(WIDE, objectives=("loss",)), seed=1)
    assert algorithm.pop_size == 100
    assert algorithm.termination.n_max_evals == 5000
    assert algorithm.crossover.prob.value == 0.9
    assert algorithm.mutation.prob == 0.2
    assert (algorithm.horizontal_mutation.prob, algorithm.horizontal_mutation.share) == (0.4, 0.5)


@examples(12)
@given(small_problems(), st.integers(0, 9))
def test_no_node_below_the_lower_bounds_is_evaluated(small, seed):
    problem = small.problem("generalization_level")
    result = solve(problem, KGEN(pop_size=10), budget=30, seed=seed)
    lowest = np.min(small.feasible(), axis=0)
    levels = result.history[list(problem.space.names)].to_numpy()
    assert (levels >= lowest).all()


def test_bounds_of_table_3():
    problem = LatticeProblem(de_pascale_table(4), ["generalization_level"], k=2)
    result = solve(problem, KGEN(pop_size=4), seed=1)
    levels = result.history[list(problem.space.names)].to_numpy()
    assert levels.min(axis=0).tolist() == [2, 1, 0]
    assert result.X.tolist() == [[2, 1, 1]]


def test_bounds_without_suppression_can_exclude_the_optimum():
    problem = LatticeProblem(de_pascale_table(3), ["height"], k=2, suppression=0.35)
    assert solve(problem, KGEN(), seed=1).X.tolist() == [[2, 1, 1]]
    assert solve(problem, KGEN(as_printed=True), seed=1).X.tolist() == [[2, 1, 1]]
    assert solve(problem, KGEN(bounds="no_suppression"), seed=1).X.tolist() == [[3, 4, 1]]
    assert solve(problem, KGEN(bounds=(2, 3, 1)), seed=1).X.tolist() == [[2, 3, 1]]


def test_loss_of_the_selection_is_that_of_the_whole_lattice():
    table = de_pascale_table(3)
    whole, raised = (
        LatticeProblem(table, ["height"], k=2, suppression=0.35, bounds=bounds)
        for bounds in (None, (2, 1, 0))
    )
    runs = [solve(problem, KGEN(pop_size=6), budget=13, seed=4) for problem in (whole, raised)]
    assert runs[0].history["height"].tolist() == runs[1].history["height"].tolist()


@pytest.mark.parametrize("survival", ["best", "drawn"])
def test_survivors_are_distinct_and_older_than_children(survival):
    problem = ToyLattice(WIDE, objectives=("loss",), least_privacy=100)
    algorithm = KGEN(pop_size=20, survival=survival)
    algorithm.setup(problem, seed=1)
    algorithm.next()
    for _ in range(12):
        before = {x.tobytes(): individual for individual in algorithm.pop for x in [individual.X]}
        ages = {key: individual.data.get("anon_age", 0) for key, individual in before.items()}
        algorithm.next()
        X = algorithm.pop.get("X")
        assert len(X) == len(np.unique(X, axis=0)) == 20
        for individual in algorithm.pop:
            key = individual.X.tobytes()
            expected = min(ages[key], 9) + 1 if key in before else 0
            assert individual.data.get("anon_age", 0) == expected


def test_the_best_survive_and_infeasible_nodes_come_last():
    problem = ToyLattice(WIDE, objectives=("loss",), least_privacy=2000)
    algorithm = KGEN(pop_size=20)
    algorithm.setup(problem, seed=3)
    algorithm.next()
    for _ in range(8):
        parents = algorithm.pop
        algorithm.next()
        everything = {
            tuple(individual.X): (max(individual.CV[0], 0), individual.F[0])
            for pop in (parents, algorithm.off)
            for individual in pop
        }
        expected = sorted(everything.values())[:20]
        assert [everything[tuple(x)] for x in algorithm.pop.get("X")] == expected


def test_drawn_survival_does_not_lose_the_best_node_of_the_run():
    problem = ToyLattice(WIDE, objectives=("loss",), least_privacy=500)
    result = solve(problem, KGEN(pop_size=10, survival="drawn"), budget=400, seed=2)
    assert result.algorithm.opt[0].F[0] == result.F[0, 0]


def test_nodes_the_crossover_asks_about_are_evaluations():
    problem = ToyLattice(WIDE, objectives=("loss",), least_privacy=100)
    algorithm = KGEN(pop_size=20)
    algorithm.setup(problem, seed=1)
    for _ in range(5):
        algorithm.next()
    assert algorithm.evaluator.n_eval == sum(map(len, problem.batches)) > 5 * 20


def test_it_ends_after_its_number_of_evaluations():
    problem = ToyLattice(WIDE, objectives=("loss",), least_privacy=100)
    result = solve(problem, KGEN(pop_size=20), seed=1)
    # A generation is 20 children and at most 10 minimum nodes.
    assert 5000 <= result.n_evaluations < 5030
    result = solve(problem, KGEN(pop_size=20, n_generations=7), seed=1)
    assert result.n_evaluations == 20 * 8 + result.algorithm.n_tests
    assert len(result.algorithm.history()) == 8


def test_tests_of_the_crossover_are_not_counted_as_printed():
    problem = ToyLattice(WIDE, objectives=("loss",), least_privacy=100)
    for options in ({"counts_tests": False}, {"as_printed": True}):
        result = solve(problem, KGEN(pop_size=20, **options), seed=1)
        # Of 5000 evaluations, two a mating: the first population and 249 of children.
        assert result.n_evaluations == 5000
        assert len(result.algorithm.history()) == 250
        assert result.algorithm.n_tests > 100
    budgeted = solve(problem, KGEN(pop_size=20, counts_tests=False), budget=90, seed=1)
    assert budgeted.n_unique == 90
    counted = solve(problem, KGEN(pop_size=20, counts_tests=True), budget=90, seed=1)
    np.testing.assert_array_equal(budgeted.history["loss"], counted.history["loss"])


def test_crossover_and_mutation_can_be_replaced():
    problem = ToyLattice(WIDE, objectives=("loss",), least_privacy=100)
    algorithm = KGEN(pop_size=10, crossover=SinglePointCrossover(), mutation=StepMutation())
    result = solve(problem, algorithm, budget=100, seed=1)
    assert (result.n_unique, result.algorithm.n_tests) == (100, 0)


def test_printed_selection_is_less_good():
    problem = LatticeProblem(
        ao.load_dataset("adult"), ["generalization_level"], k=50, suppression=0.01
    )
    sound = solve(problem, KGEN(), budget=300, seed=1).history
    selection = AgePenaltySelection(as_printed=True)
    printed = solve(problem, KGEN(selection=selection), budget=300, seed=1).history
    assert sound["generalization_level"].mean() < printed["generalization_level"].mean()


def test_attribute_loss_is_that_of_the_best_node():
    problem = LatticeProblem(
        ao.load_dataset("adult"), ["generalization_level"], k=5, suppression=0.01
    )
    result = solve(problem, KGEN(pop_size=20), budget=200, seed=1)
    found = result.algorithm.attribute_loss()
    nodes = result.X.tolist()
    assert found["level"].tolist() in nodes
    assert found["generalization_level"].mean() == pytest.approx(result.F[0, 0])
    pd.testing.assert_frame_equal(found, problem.evaluator.attribute_loss(found["level"]))


def test_attribute_loss_needs_a_run_on_a_table():
    with pytest.raises(ValueError, match="at least one generation"):
        KGEN().attribute_loss()
    result = solve(ToyLattice(objectives=("loss",)), KGEN(pop_size=5), budget=20, seed=1)
    with pytest.raises(ValueError, match="expected a LatticeProblem, found ToyLattice"):
        result.algorithm.attribute_loss()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pop_size": 1}, "pop_size: expected a whole number of at least 2, found 1"),
        ({"n_generations": 0}, "n_generations: expected a whole number of at least 1"),
        ({"prob_crossover": 1.5}, "prob_crossover: expected a number in 0..1, found 1.5"),
        ({"survival": "elite"}, "survival"),
    ],
)
def test_options_out_of_range_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        KGEN(**options)


@pytest.mark.parametrize("name", ["as_printed", "counts_tests"])
def test_a_flag_that_is_no_truth_value_is_refused(name):
    with pytest.raises(TypeError, match=f"{name}: expected True or False, found 'no'"):
        KGEN(**{name: "no"})


def test_bytes_are_no_bounds():
    with pytest.raises(TypeError, match="bounds: expected a level for each column"):
        KGEN(bounds=b"ab")
