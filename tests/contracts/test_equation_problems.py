"""What every named problem of equations promises."""

from __future__ import annotations

import copy
import pickle
from functools import cache

import numpy as np
import pytest

from anonopt.masking.equations import Equation
from anonopt.operators import HalfAndHalfSampling
from anonopt.problems import PRAMEquationProblem, get_problem, list_problems

NAMES = [name for name in list_problems().index if name.endswith("-equations")]

every = pytest.mark.parametrize("name", NAMES)


@cache
def problem_named(name: str) -> PRAMEquationProblem:
    return get_problem(name)


def some_genomes(problem: PRAMEquationProblem) -> np.ndarray:
    pop = HalfAndHalfSampling()(problem, 8, random_state=np.random.default_rng(5))
    return pop.get("X")


@every
def test_evaluation_is_repeatable_and_does_not_depend_on_the_batch(name):
    problem = problem_named(name)
    X = some_genomes(problem)
    before = [str(x[0]) for x in X]
    F = problem.evaluate(X)
    assert [str(x[0]) for x in X] == before
    np.testing.assert_array_equal(problem.evaluate(X[::-1]), F[::-1])
    for x, f in zip(X, F, strict=True):
        np.testing.assert_array_equal(problem.evaluate(x[np.newaxis]), f[np.newaxis])


@every
def test_frame_shows_equations_and_natural_values(name):
    problem = problem_named(name)
    X = some_genomes(problem)
    F = problem.evaluate(X)
    frame = problem.frame(X, F)
    assert list(frame.columns) == ["equation", *problem.objective_names]
    assert [Equation.parse(text) for text in frame["equation"]] == list(
        map(problem.space.equation, X)
    )
    np.testing.assert_array_equal(frame[list(problem.objective_names)].to_numpy(), F)
    assert np.all(F >= 0)


@every
def test_copies_give_the_same_objectives(name):
    problem = problem_named(name)
    X = some_genomes(problem)
    F = problem.evaluate(X)
    for twin in (copy.deepcopy(problem), pickle.loads(pickle.dumps(problem))):
        np.testing.assert_array_equal(twin.evaluate(X), F)
        assert twin.fingerprint == problem.fingerprint


@every
def test_fingerprint_tells_it_from_the_other_problems(name):
    others = [other for other in NAMES if other != name]
    assert problem_named(name).fingerprint not in {problem_named(o).fingerprint for o in others}


@every
def test_trees_beyond_the_limit_are_refused(name):
    problem = problem_named(name)
    deep = Equation.parse("N + (N + (N + (N + (N + N))))")
    with pytest.raises(ValueError, match="expected trees of depth 5 at most, found 6"):
        problem.evaluate(problem.space.genomes([deep]))
    with pytest.raises(ValueError, match=r"expected an object array \(n, 1\) of trees"):
        problem.evaluate(np.zeros((1, 1)))
