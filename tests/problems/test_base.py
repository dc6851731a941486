"""The base class: signs, names, bounds, checks of what a subclass returns."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.spaces import Levels
from tests.contracts.other_genomes import Word, Words, words
from tests.contracts.toy_problems import ToyLattice

NUMBERS = st.floats(-1e29, 1e29) | st.sampled_from([-np.inf, np.inf])


class Given(AnonymizationProblem):
    """Returns what it was given."""

    def __init__(self, values, G=None, **options):
        settings = {
            "space": Levels(["age", "sex"], upper=[4, 1]),
            "objective_names": ["k", "glm"],
            "maximize": [True, False],
        }
        super().__init__(**{**settings, **options})
        self.values, self.G = values, G

    def _values(self, X):
        return self.values, self.G


def test_pymoo_sees_minimized_objectives_and_constraints():
    problem = Given(np.array([[5, 2.5]]), np.array([[-1.0]]), constraint_names=["k"])
    out = problem.evaluate(np.array([[1, 1]]), return_as_dictionary=True)
    assert out["F"].tolist() == [[-5.0, 2.5]]
    assert out["G"].tolist() == [[-1.0]]
    assert (problem.n_var, problem.n_obj, problem.n_ieq_constr) == (2, 2, 1)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=5))
def test_natural_and_minimized_are_inverse(rows):
    problem, values = ToyLattice(), np.array(rows, dtype=float)
    np.testing.assert_array_equal(problem.natural(problem.minimized(values)), values)
    seen = np.clip(values * [-1, 1], None, 1e30)
    np.testing.assert_array_equal(problem.minimized(values), seen)


def test_zero_has_no_sign():
    problem = ToyLattice()
    assert not np.signbit(problem.minimized([[0.0, -0.0]])).any()


def test_frame_shows_integers_and_natural_values():
    problem = ToyLattice((2, 1))
    frame = problem.frame(np.array([[2, 1], [0, 0]]), np.array([[-6.0, 10.0], [-1.0, 0.0]]))
    assert frame.to_dict("list") == {
        "column0": [2, 0],
        "column1": [1, 0],
        "privacy": [6.0, 1.0],
        "loss": [10.0, 0.0],
    }
    assert frame["column0"].dtype == np.int64
    empty = problem.frame(np.empty((0, 2), dtype=np.int64), np.empty((0, 2)))
    assert list(empty.columns) == list(frame.columns)


@pytest.mark.parametrize(
    ("heights", "n_solutions"),
    [((2, 1), 6), ((0,), 1), ((1,) * 70, 1180591620717411303424)],
)
def test_size_of_the_search_space_is_exact(heights, n_solutions):
    space = ToyLattice(heights).space
    assert space.size == n_solutions
    assert space.is_exhausted(n_solutions)
    assert not space.is_exhausted(n_solutions - 1)


def test_seventy_columns_can_be_evaluated():
    problem = ToyLattice((1,) * 70)
    assert problem.evaluate(np.eye(70, dtype=int)[:2]).tolist() == [[-2.0, 3.0], [-2.0, 4.0]]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.array([[1.0, np.nan]]), "objective 'glm': .*, found nan at age=3, sex=1"),
        (np.array([[np.inf, 0.0]]), "objective 'k': .*, found inf at age=3, sex=1"),
        (np.array([[1.0, -np.inf]]), "objective 'glm': .*, found -inf at age=3, sex=1"),
        (np.array([1.0, 2.0]), r"objectives: .* \(n, 2\) with n = 1 genomes, found shape \(2,\)"),
        (np.ones((1, 3)), r"objectives: .* \(n, 2\) with n = 1 genomes, found shape \(1, 3\)"),
        (None, "objectives: expected one array .*, found None"),
    ],
)
def test_missing_objectives_are_refused(values, message):
    with pytest.raises(ValueError, match=message):
        Given(values).evaluate(np.array([[3, 1]]))


@pytest.mark.parametrize(
    ("G", "message"),
    [
        (None, "constraints: expected one array .*, found None"),
        (np.array([[np.nan]]), "constraint 'k': .*, found nan at age=3, sex=1"),
        (np.zeros((1, 2)), r"constraints: expected shape \(n, 1\)"),
    ],
)
def test_missing_constraints_are_refused(G, message):
    problem = Given(np.ones((1, 2)), G, constraint_names=["k"])
    with pytest.raises(ValueError, match=message):
        problem.evaluate(np.array([[3, 1]]))


def test_infinite_violation_is_just_infeasible():
    problem = Given(np.ones((1, 2)), np.array([[np.inf]]), constraint_names=["t"])
    assert problem.evaluate(np.array([[3, 1]]), return_as_dictionary=True)["G"].tolist() == [
        [np.inf]
    ]


@pytest.mark.parametrize(
    ("x", "found"),
    [([0.5, 0], "0.5"), ([5, 0], "5"), ([0, -1], "-1"), ([np.nan, 0], "nan")],
)
def test_genomes_that_are_no_nodes_are_refused(x, found):
    with pytest.raises(ValueError, match=f"expected a whole number in .*, found {found}"):
        Given(np.ones((1, 2))).evaluate(np.array([x]))


def test_whole_floats_arrive_as_integers():
    problem = ToyLattice((2, 1))
    problem.evaluate(np.array([[1.0, 0.0]]))
    assert problem.batches[0].dtype == np.int64


def test_genomes_of_other_types_are_handed_on_untouched():
    problem = Words()
    X = words([Word("ab"), Word("bb")])
    assert problem.evaluate(X).tolist() == [[-1.0, 2.0], [0.0, 2.0]]
    assert problem.xl is problem.xu is None
    assert problem.space.size is None
    assert not problem.space.is_exhausted(5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"space": Levels(["age", "k"], upper=[4, 1])}, "'k' twice"),
        ({"space": Levels(["age", "feasible"], upper=[4, 1])}, "found 'feasible'"),
        ({"objective_names": ["k", "violation"]}, "found 'violation'"),
        ({"objective_names": ["k", "k"]}, "'k' twice"),
        ({"constraint_names": ["t", "t"]}, "each constraint name once, found 't' twice"),
        ({"objective_names": []}, "objectives: expected at least one, found none"),
        ({"maximize": [True]}, "maximize: expected length n_obj = 2, found length 1"),
    ],
)
def test_contradictory_arguments_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Given(None, **options)


def test_what_is_no_space_is_refused():
    with pytest.raises(TypeError, match=r"space: expected a Space, such as Levels, found \[4, 1\]"):
        Given(None, space=[4, 1])


def test_constraints_without_names_are_refused():
    problem = Given(np.ones((2, 2)), np.zeros((2, 1)))
    with pytest.raises(
        ValueError, match=r"constraint of Given, found none, and G of shape \(2, 1\)"
    ):
        problem.evaluate(np.array([[3, 1], [0, 0]]))


def test_infinitely_bad_objectives_rank_last_and_are_shown_as_infinite():
    values = np.array([[-np.inf, np.inf], [1.0, np.inf], [1.0, 2.0]])
    problem = Given(values)
    X = np.array([[0, 0], [1, 0], [2, 0]])
    F = problem.evaluate(X)
    assert F.tolist() == [[1e30, 1e30], [-1.0, 1e30], [-1.0, 2.0]]
    np.testing.assert_array_equal(problem.frame(X, F)[["k", "glm"]].to_numpy(), values)


def test_deepcopy_shares_the_table():
    problem = ToyLattice()
    twin = copy.deepcopy(problem)
    assert twin is not problem
    assert twin.table is problem.table
    nested = copy.deepcopy({"a": problem, "b": problem})
    assert nested["a"] is nested["b"]


def test_pickled_problem_is_equal():
    problem = ToyLattice(least_privacy=3)
    twin = pickle.loads(pickle.dumps(problem))
    assert twin.fingerprint == problem.fingerprint
    X = problem.nodes()
    np.testing.assert_array_equal(twin.evaluate(X)[1], problem.evaluate(X)[1])


def test_fingerprint_follows_everything_that_decides_the_objectives():
    problems = [
        ToyLattice(),
        ToyLattice((4, 3, 2)),
        ToyLattice(objectives=("loss", "privacy")),
        ToyLattice(least_privacy=2),
        ToyLattice(least_privacy=3),
    ]
    assert len({problem.fingerprint for problem in problems}) == len(problems)
    assert ToyLattice().fingerprint == ToyLattice().fingerprint


def test_maximize_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        ToyLattice().maximize[0] = False
