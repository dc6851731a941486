"""What problems, measures and runs are given is checked before anything is measured."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pymoo.core.repair import Repair

import anonopt as ao
from anonopt.measures import Measure
from anonopt.operators import StepMutation, UniformSampling
from anonopt.problems import AnonymizationProblem, GraphProblem, LatticeProblem
from anonopt.problems.spaces import Levels, Matrices
from tests.contracts.problem_kinds import FILE_MEASURE, UNIT, small_table


def lattice(**options):
    return LatticeProblem(small_table(), **{"objectives": ["k", "glm"], **options})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"objectives": None}, "objectives: expected a list of measures, found None"),
        ({"constraints": ["k"]}, r"constraints: expected a dictionary of bounds.*found \['k'\]"),
        ({"constraints": "k"}, "constraints: expected a dictionary of bounds.*found 'k'"),
        ({"constraints": {3: 1}}, "measure: expected a name or a Measure, found 3"),
    ],
)
def test_objectives_and_constraints_of_a_wrong_type(options, message):
    with pytest.raises(TypeError, match=message):
        lattice(**options)


def test_data_of_a_wrong_type():
    with pytest.raises(TypeError, match="table: expected a Microdata, found DataFrame"):
        LatticeProblem(pd.DataFrame({"a": [1]}), ["k"])
    with pytest.raises(TypeError, match="graph: expected a SocialGraph, found DataFrame"):
        GraphProblem(pd.DataFrame({"a": [1]}), k=1)


def test_genomes_that_are_no_numbers():
    problem = lattice()
    with pytest.raises(TypeError, match="x: expected a genome of numbers, found <U1"):
        problem.protect(["a"] * problem.n_var)
    with pytest.raises(ValueError, match="x: expected a genome, found what is no array"):
        problem.protect([[1], [1, 2]])


def test_large_bounds_are_shown_in_full():
    class Large(AnonymizationProblem):
        def _values(self, X):
            return X, None

    problem = Large(space=Levels(upper=[1048575]), objective_names=["level"], maximize=[False])
    with pytest.raises(ValueError, match=r"in 0\.\.1048575, found 1048576"):
        problem.evaluate(np.array([[1048576]]))


@pytest.mark.parametrize(
    "termination",
    ["n_gen", ("n_gen",), ("n_gen", "a"), ("n_gen", 0), ("n_gen", -3), ("n_gen", 1.5),
     ("n_gen", None), ("n_gen", True), ("n_eval", 0), ("time", "x")],
)  # fmt: skip
def test_limits_that_end_no_run(termination):
    problem = lattice()
    search = ao.algorithms.nsga2(problem, pop_size=5)
    with pytest.raises((TypeError, ValueError), match=r"termination: .*expected .*found"):
        ao.solve(problem, search, termination=termination, budget=20, seed=1)


def test_archives_that_take_nothing():
    problem = lattice()
    with pytest.raises(TypeError, match=r"archive: expected an object with add.*found 3"):
        ao.solve(problem, ao.algorithms.nsga2(problem), budget=5, archive=3)


@pytest.mark.parametrize("pop_size", [0, -1, "5", True, 2.5])
@pytest.mark.parametrize("preset", ["nsga2", "nsga3", "spea2", "smsemoa"])
def test_sizes_of_no_population(preset, pop_size):
    with pytest.raises((TypeError, ValueError), match="pop_size: expected"):
        getattr(ao.algorithms, preset)(lattice(), pop_size=pop_size)


@pytest.mark.parametrize("name", ["crossover", "mutation"])
@pytest.mark.parametrize("operator", [StepMutation, "x", 3])
def test_operators_that_are_none(name, operator):
    expected = f"{name}: expected an object that is a pymoo {name.title()}, found"
    with pytest.raises(TypeError, match=expected):
        ao.algorithms.nsga2(lattice(), **{name: operator})
    with pytest.raises(TypeError, match=expected):
        ao.algorithms.PBGEA(**{name: operator})


@pytest.mark.parametrize("problem", [3, "adult-k-glm"])
def test_what_is_no_problem(problem):
    for ask in (ao.list_algorithms, lambda one: ao.get_algorithm("nsga2", one)):
        with pytest.raises(TypeError, match=f"problem: expected a problem.*found {problem!r}"):
            ask(problem)


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"from_classes": 3}, "from_classes: expected a function, found 3"),
        ({"from_classes": len, "maximize": "no"}, "maximize: expected True or False, found 'no'"),
    ],
)
def test_measures_of_a_wrong_type(facts, message):
    with pytest.raises(TypeError, match=message):
        Measure("own", **{**UNIT, **facts})


@pytest.mark.parametrize("function", ["from_classes", "from_rows"])
@pytest.mark.parametrize("value", ["x", None, np.ones(2)])
def test_measures_that_return_no_number(function, value):
    own = Measure("own", **UNIT, **{function: lambda classes: value})
    problem = lattice(objectives=[own])
    with pytest.raises(TypeError, match="measure 'own': expected a number from its function"):
        problem.evaluate(np.zeros((1, problem.n_var), dtype=int))


def test_measures_of_a_kind_of_ones_own():
    own = Measure("moved", of="map", from_protected=lambda before, after: after - before, **UNIT)
    assert own.of == ("map",)
    assert own.function("map")(1, 3) == 2
    assert ao.get_measure(own, of="map") is own
    with pytest.raises(ValueError, match="expected one of 'map', found one of 'file'"):
        ao.get_measure(FILE_MEASURE, of="map")
    with pytest.raises(ValueError, match="expected one of 'node', found one of 'map'"):
        lattice(objectives=[own])
    with pytest.raises(ValueError, match="of: expected one of"):
        Measure("moved", of="map", from_files=lambda before, after: 1, **UNIT)
    with pytest.raises(ValueError, match=r"of: expected one of 'node'.*found 'nod'"):
        ao.list_measures(of="nod")


def test_real_genomes_are_drawn_within_their_bounds():
    class Numbers(AnonymizationProblem):
        def _values(self, X):
            return (X[:, :1] - 0.3) ** 2, None

    space = Matrices([["a", "b"]], "simplex")
    problem = Numbers(space=space, objective_names=["distance"], maximize=[False])
    X = UniformSampling()(problem, 50, random_state=np.random.default_rng(1)).get("X")
    assert X.shape == (50, 4)
    assert X.dtype == np.float64
    assert (X >= 0).all()
    assert (X <= 1).all()
    assert len(np.unique(X)) == X.size
    assert len(ao.solve(problem, ao.algorithms.ga(problem), budget=60, seed=1).front) == 1


class DrawsLevels(Repair):
    """Of each genome, the first level is drawn anew."""

    def _do(self, problem, X, random_state=None, **kwargs):
        X[:, 0] = random_state.integers(2, size=len(X))
        return X


class RepairedLevels(Levels):
    def repair(self):
        return DrawsLevels()


def test_a_repair_gets_the_generator_of_the_run():
    class Heights(AnonymizationProblem):
        def _values(self, X):
            return np.column_stack([X.sum(axis=1), X[:, 1]]), None

    problem = Heights(
        space=RepairedLevels(["age", "sex", "zip"], upper=[9, 9, 9]),
        objective_names=["level", "privacy"],
        maximize=[False, True],
    )
    results = [ao.solve(problem, ao.algorithms.PBGEA(), budget=120, seed=3) for _ in range(2)]
    assert results[0].front.equals(results[1].front)


def test_toolbox_of_genomes_of_another_length():
    toolbox = ao.deap_toolbox(lattice(), np.random.default_rng(1))
    with pytest.raises(ValueError, match="individual: expected 3 genes, found 1"):
        toolbox.evaluate([1])
