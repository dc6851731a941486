"""The memoizing evaluator: answers, counts, budget."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.core.evaluator import Evaluator
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.optimize import minimize

from anonopt.algorithms import nsga2
from anonopt.runs import BudgetReached, MemoizingEvaluator
from tests.contracts.toy_problems import ToyLattice

GENOMES = st.lists(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), min_size=1, max_size=6), max_size=6
)


def population(rows):
    return Population.new("X", np.array(rows))


class Constrained(Problem):
    """A plain pymoo problem with both kinds of constraints and a value of its own."""

    def __init__(self):
        super().__init__(n_var=2, n_obj=1, n_ieq_constr=1, n_eq_constr=1, xl=0, xu=5)
        self.n_calls = 0

    def _evaluate(self, X, out, *args, **kwargs):
        self.n_calls += 1
        out["F"] = X.sum(axis=1)
        out["G"] = 2 - X[:, 0]
        out["H"] = X[:, 1] - 1
        out["label"] = np.array(["x" * int(x) for x in X[:, 0]])


@given(GENOMES)
def test_answers_are_those_of_the_problem_and_each_genome_is_evaluated_once(batches):
    problem, plain = ToyLattice((2, 1), least_privacy=3), ToyLattice((2, 1), least_privacy=3)
    evaluator = MemoizingEvaluator()
    for batch in batches:
        pop, expected = population(batch), population(batch)
        evaluator.eval(problem, pop)
        Evaluator().eval(plain, expected)
        for value in ("F", "G", "H", "CV", "feas"):
            np.testing.assert_array_equal(pop.get(value), expected.get(value))
    requests = [genome for batch in batches for genome in batch]
    distinct = list(dict.fromkeys(requests))
    assert evaluator.n_evaluations == len(requests)
    assert evaluator.n_unique == len(distinct)
    assert [tuple(x) for X in problem.batches for x in X.tolist()] == distinct
    assert [tuple(x) for x in evaluator.record.X.tolist()] == distinct


@given(GENOMES, st.integers(1, 7))
def test_budget_is_kept_to_the_last_evaluation(batches, budget):
    problem, evaluator = ToyLattice((2, 1)), MemoizingEvaluator(budget=budget)
    requests = [genome for batch in batches for genome in batch]
    distinct = list(dict.fromkeys(requests))
    stopped = False
    for batch in batches:
        try:
            evaluator.eval(problem, population(batch))
        except BudgetReached:
            stopped = True
            break
    assert stopped is (len(distinct) > budget)
    assert [tuple(x) for x in evaluator.record.X.tolist()] == distinct[:budget]
    n_answered = requests.index(distinct[budget]) if stopped else len(requests)
    assert evaluator.n_evaluations == n_answered


def test_what_fits_into_the_budget_is_assigned_before_it_is_reached():
    evaluator = MemoizingEvaluator(budget=2)
    pop = population([[0, 0], [0, 0], [1, 0], [2, 0], [1, 0]])
    with pytest.raises(BudgetReached, match="budget of 2 distinct evaluations"):
        evaluator.eval(ToyLattice((2, 1)), pop)
    assert [len(individual.F) for individual in pop] == [2, 2, 2, 0, 0]
    assert evaluator.n_evaluations == 3
    with pytest.raises(BudgetReached):
        evaluator.eval(ToyLattice((2, 1)), pop[3:])
    evaluator.eval(ToyLattice((2, 1)), pop[4:])
    assert evaluator.n_unique == 2


def test_requests_since_the_last_new_one_are_counted():
    problem, evaluator = ToyLattice((2, 1)), MemoizingEvaluator()
    counts = []
    for rows in ([[0, 0], [1, 0], [0, 0]], [[0, 0], [0, 0]], [[2, 1]], [[0, 0]]):
        evaluator.eval(problem, population(rows))
        counts.append(evaluator.n_since_new)
    assert counts == [1, 3, 0, 1]


def test_known_genomes_stay_known_as_floats():
    problem, evaluator = ToyLattice((2, 1)), MemoizingEvaluator()
    evaluator.eval(problem, population([[1, 1]]))
    evaluator.eval(problem, population([[1.0, 1.0]]))
    assert evaluator.n_unique == 1


def test_equality_constraints_and_values_of_the_problem_are_remembered():
    problem, evaluator = Constrained(), MemoizingEvaluator()
    first, second = population([[1, 3], [2, 1]]), population([[2, 1], [1, 3]])
    evaluator.eval(problem, first)
    evaluator.eval(problem, second)
    assert problem.n_calls == 1
    for value in ("F", "G", "H", "label", "feas"):
        np.testing.assert_array_equal(second.get(value)[::-1], first.get(value))
    assert second.get("feas").tolist() == [True, False]
    np.testing.assert_allclose(evaluator.record.CV, [1 + 2 - 1e-4, 0])


def test_what_is_written_into_one_individual_changes_no_other():
    problem, evaluator = ToyLattice((2, 1)), MemoizingEvaluator()
    pop, later = population([[1, 1], [1, 1]]), population([[1, 1]])
    evaluator.eval(problem, pop)
    F = pop[1].F.copy()
    pop[0].F[:] = np.inf
    evaluator.eval(problem, later)
    for known in (pop[1].F, later[0].F, evaluator.record.F[0], evaluator.answers()["F"][0]):
        np.testing.assert_array_equal(known, F)


def test_changed_genome_gets_its_own_violation():
    problem, evaluator = ToyLattice((2, 1), least_privacy=3), MemoizingEvaluator()
    individual = population([[0, 0]])[0]
    evaluator.eval(problem, individual)
    assert individual.CV.tolist() == [2.0]
    individual.X = np.array([2, 1])
    individual.evaluated = set()
    evaluator.eval(problem, individual)
    assert individual.CV.tolist() == [0.0]


def test_another_problem_is_refused_and_an_equal_one_accepted():
    evaluator = MemoizingEvaluator()
    evaluator.eval(ToyLattice((2, 1)), population([[0, 0]]))
    evaluator.eval(ToyLattice((2, 1)), population([[1, 0]]))
    with pytest.raises(ValueError, match="one evaluator for each problem"):
        evaluator.eval(ToyLattice((2, 2)), population([[1, 0]]))
    with pytest.raises(ValueError, match="found another, Constrained"):
        evaluator.eval(Constrained(), population([[1, 0]]))


def test_gradients_are_refused():
    with pytest.raises(ValueError, match=r"found .*'dF'"):
        MemoizingEvaluator().eval(
            ToyLattice((2, 1)), population([[0, 0]]), evaluate_values_of=["F", "dF"]
        )


@pytest.mark.parametrize("budget", [0, -3])
def test_budget_below_one_is_refused(budget):
    with pytest.raises(ValueError, match=f"budget: expected a whole number .*, found {budget}"):
        MemoizingEvaluator(budget=budget)


def test_budget_has_to_be_whole():
    with pytest.raises(TypeError, match=r"budget: expected a whole number .*found 2\.5"):
        MemoizingEvaluator(budget=2.5)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_go_on_by_themselves(copied):
    problem, evaluator = ToyLattice((2, 1)), MemoizingEvaluator(budget=3)
    evaluator.eval(problem, population([[0, 0], [1, 0]]))
    twin = copied(evaluator)
    twin.eval(problem, population([[1, 0], [2, 0]]))
    assert (twin.n_unique, evaluator.n_unique) == (3, 2)
    assert evaluator.record.X.tolist() == [[0, 0], [1, 0]]


def test_plain_minimize_gives_the_same_run_with_fewer_evaluations():
    results, n_evaluated = [], []
    for options in ({}, {"evaluator": MemoizingEvaluator()}):
        problem = ToyLattice()
        results.append(
            minimize(problem, nsga2(problem, pop_size=20), ("n_gen", 20), seed=1, **options)
        )
        n_evaluated.append(sum(len(X) for X in problem.batches))
    np.testing.assert_array_equal(results[0].pop.get("X"), results[1].pop.get("X"))
    np.testing.assert_array_equal(results[0].F, results[1].F)
    assert n_evaluated[1] <= 80 < n_evaluated[0]
    assert results[1].algorithm.evaluator.n_evaluations == n_evaluated[0]
