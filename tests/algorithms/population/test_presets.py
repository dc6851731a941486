"""Presets: operators, options, what pymoo would do wrong."""

from __future__ import annotations

import numpy as np
import pytest
from pymoo.core.problem import Problem
from pymoo.optimize import minimize

from anonopt.algorithms import ga, nsga2, nsga3, smsemoa, spea2
from anonopt.algorithms.population.presets import reference_directions
from anonopt.operators import (
    ExtremesSampling,
    GenomeDuplicateElimination,
    ResetMutation,
    SinglePointCrossover,
    StepMutation,
    UniformSampling,
)
from anonopt.runs import solve
from tests.contracts.toy_problems import ToyLattice

several = pytest.mark.parametrize("preset", [nsga2, nsga3, spea2, smsemoa])


@several
def test_operators_are_those_for_lattices(preset):
    algorithm = preset(ToyLattice(), pop_size=20)
    assert algorithm.pop_size == algorithm.n_offsprings == 20
    assert type(algorithm.initialization.sampling) is UniformSampling
    assert type(algorithm.mating.crossover) is SinglePointCrossover
    assert type(algorithm.mating.mutation) is StepMutation
    assert type(algorithm.mating.eliminate_duplicates) is GenomeDuplicateElimination
    assert algorithm.termination is None


@several
def test_options_replace_them(preset):
    algorithm = preset(
        ToyLattice(),
        pop_size=20,
        sampling=ExtremesSampling(),
        mutation=ResetMutation(),
        n_offsprings=7,
        termination=("n_gen", 3),
        seed=5,
    )
    assert type(algorithm.initialization.sampling) is ExtremesSampling
    assert type(algorithm.mating.mutation) is ResetMutation
    outcome = minimize(ToyLattice(), algorithm)
    assert outcome.algorithm.evaluator.n_eval == 20 + 7 + 7
    assert outcome.algorithm.seed == 5


@several
def test_populations_hold_each_genome_once(preset):
    outcome = minimize(ToyLattice(), preset(ToyLattice(), pop_size=20), ("n_gen", 10), seed=1)
    X = outcome.pop.get("X")
    assert len(np.unique(X, axis=0)) == len(X)


@several
def test_instances_share_no_state(preset):
    for objectives in (("privacy", "loss"), ("privacy", "loss", "spread")):
        problem = ToyLattice(objectives=objectives)
        algorithm = preset(problem, pop_size=20).setup(problem, seed=1, termination=("n_gen", 5))
        while algorithm.has_next():
            algorithm.next()
    one, other = preset(ToyLattice()), preset(ToyLattice())
    for part in ("survival", "mating", "initialization", "eliminate_duplicates"):
        assert getattr(one, part) is not getattr(other, part)
    assert one.mating.mutation is not other.mating.mutation


@pytest.mark.parametrize(
    ("n_obj", "pop_size", "n_directions"),
    [(2, 2, 2), (2, 50, 50), (3, 3, 3), (3, 50, 45), (5, 50, 35)],
)
def test_most_reference_directions_that_fit(n_obj, pop_size, n_directions):
    directions = reference_directions(n_obj, pop_size)
    assert directions.shape == (n_directions, n_obj)
    np.testing.assert_allclose(directions.sum(axis=1), 1)


def test_reference_directions_follow_the_problem_and_can_be_given():
    three = ToyLattice(objectives=("privacy", "loss", "spread"))
    assert nsga3(three).ref_dirs.shape == (45, 3)
    given = np.eye(3)
    assert nsga3(three, ref_dirs=given).ref_dirs is given
    with pytest.raises(ValueError, match="each of 3 objectives, found 2"):
        nsga3(three, pop_size=2)


@pytest.mark.parametrize("preset", [nsga2, nsga3, spea2, smsemoa])
def test_one_objective_is_refused_with_a_hint(preset):
    with pytest.raises(ValueError, match=r"2 objectives or more, found 1 .* ga, "):
        preset(ToyLattice(objectives=("loss",)))


def test_ga_refuses_several_objectives():
    with pytest.raises(ValueError, match="1 objective, found 2"):
        ga(ToyLattice())


def test_real_valued_problems_are_refused():
    with pytest.raises(ValueError, match="whole numbers"):
        nsga2(Problem(n_var=2, n_obj=2, xl=0, xu=0.5))


def test_ga_finds_the_best_feasible_node():
    problem = ToyLattice((6, 5, 4), objectives=("loss",), least_privacy=20)
    X = problem.nodes()
    feasible = X[np.prod(X + 1, axis=1) >= 20]
    best = (feasible @ [3, 4, 5]).min()
    result = solve(problem, ga(problem, pop_size=20), budget=120, seed=1)
    assert result.F[0, 0] == best


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"popsize": 8}, TypeError, "pymoo's NSGA3, found 'popsize'; did you mean pop_size?"),
        ({"selection": "x"}, TypeError, "selection: expected an object that is a pymoo Selection"),
        ({"survival": 5}, TypeError, "survival: expected an object that is a pymoo Survival"),
        ({"sampling": "x"}, TypeError, "sampling: expected a pymoo Sampling, a Population or an"),
        ({"repair": 5}, TypeError, "repair: expected a pymoo Repair or None, found 5"),
        ({"archive": 5}, TypeError, "archive: expected a pymoo Archive or None, found 5"),
        ({"eliminate_duplicates": "x"}, TypeError, "expected True, False or a pymoo Duplicate"),
        ({"n_offsprings": 0}, ValueError, "n_offsprings: expected a whole number of at least 1"),
        ({"ref_dirs": 5}, ValueError, "ref_dirs: expected numbers of at least 0 in 2 columns"),
        ({"ref_dirs": [[1, 0, 0]]}, ValueError, "ref_dirs: .* found the shape"),
        ({"ref_dirs": [[1, "x"]]}, ValueError, "ref_dirs: expected numbers"),
        ({"ref_dirs": [[1, -1]]}, ValueError, "ref_dirs: .* found -1"),
        ({"ref_dirs": []}, ValueError, "ref_dirs: .* found the shape"),
    ],
)
def test_options_that_cannot_be_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        nsga3(ToyLattice(), pop_size=8, **options)


def test_reference_directions_may_be_lists():
    algorithm = nsga3(ToyLattice(), pop_size=8, ref_dirs=[[1, 0], [0, 1]])
    assert algorithm.ref_dirs.tolist() == [[1.0, 0.0], [0.0, 1.0]]
