"""What every registered operator on trees promises."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.core.crossover import Crossover
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling

from anonopt.masking.equations import Equation
from anonopt.operators import OPERATORS, get_operator
from tests.contracts.toy_equations import TREE_OPERATORS, ToyEquations
from tests.contracts.toy_problems import ToyLattice
from tests.examples import examples

every = pytest.mark.parametrize("name", TREE_OPERATORS)
copying = pytest.mark.parametrize(
    "name", [name for name in TREE_OPERATORS if OPERATORS[name].kind != "sampling"]
)


def parents(problem: Problem, n: int, seed: int = 11) -> Population:
    generator = np.random.default_rng(seed)
    return get_operator("HalfAndHalfSampling")(problem, n, random_state=generator)


def applied(operator: Any, problem: Problem, pop: Population, seed: int) -> Population:
    generator = np.random.default_rng(seed)
    if isinstance(operator, Sampling):
        return operator(problem, len(pop), random_state=generator)
    if isinstance(operator, Crossover):
        pairs = np.arange(len(pop)).reshape(-1, 2)
        return operator(problem, pop, pairs, random_state=generator)
    return operator(problem, pop, random_state=generator)


def texts(pop: Population) -> list[str]:
    return [str(individual.X[0]) for individual in pop]


@every
@pytest.mark.parametrize("n", [2, 60])
@examples(10)
@given(max_depth=st.integers(1, 7), seed=st.integers(0, 2**32))
def test_whole_trees_within_the_depth_limit(name, n, max_depth, seed):
    problem = ToyEquations(max_depth=max_depth)
    made = applied(get_operator(name), problem, parents(problem, n, seed), seed)
    assert len(made) == n
    assert made.get("X").shape == (n, 1)
    assert made.get("X").dtype == object
    for individual in made:
        assert Equation(individual.X[0]).depth <= max_depth
        assert individual.X[0].height + 1 == Equation(individual.X[0]).depth


@every
def test_parents_are_left_as_they_were_and_share_nothing(name):
    problem = ToyEquations()
    pop = parents(problem, 40)
    pop.set("F", problem.evaluate(pop.get("X"), return_values_of=["F"]))
    before = texts(pop), pop.get("F").copy()
    made = applied(get_operator(name), problem, pop, seed=1)
    assert not set(made) & set(pop)
    trees = [individual.X[0] for individual in (*made, *pop)]
    assert len({id(tree) for tree in trees}) == len(trees)
    for individual in made:
        assert not individual.evaluated
        individual.X[0].clear()
    assert texts(pop) == before[0]
    np.testing.assert_array_equal(pop.get("F"), before[1])


@copying
def test_individuals_that_are_not_chosen_are_copied(name):
    problem = ToyEquations()
    pop = parents(problem, 40)
    made = applied(get_operator(name, prob=0.0), problem, pop, seed=1)
    assert sorted(texts(made)) == sorted(texts(pop))
    assert not {id(i.X[0]) for i in made} & {id(i.X[0]) for i in pop}


@copying
def test_share_of_individuals_that_change(name):
    problem = ToyEquations(max_depth=6)
    pop = parents(problem, 600)
    kept = [
        np.isin(
            texts(applied(get_operator(name, prob=prob), problem, pop, seed=1)), texts(pop)
        ).mean()
        for prob in (0.0, 0.5, 1.0)
    ]
    assert kept[0] == 1.0
    assert kept[1] == pytest.approx((1 + kept[2]) / 2, abs=0.05)


@every
@pytest.mark.usefixtures("entropy_guard")
def test_the_generator_decides(name):
    problem, operator = ToyEquations(), get_operator(name)
    pop = parents(problem, 40)
    first, again, other = (texts(applied(operator, problem, pop, seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@every
def test_without_a_generator_it_refuses(name):
    problem, operator = ToyEquations(), get_operator(name)
    pop = parents(problem, 4)
    with pytest.raises(ValueError, match="random_state"):
        if isinstance(operator, Sampling):
            operator(problem, 4)
        elif isinstance(operator, Crossover):
            operator(problem, pop, np.arange(4).reshape(-1, 2))
        else:
            operator(problem, pop)


@every
def test_problem_without_trees_is_refused(name):
    pop = parents(ToyEquations(), 4)
    options = {} if OPERATORS[name].kind == "sampling" else {"prob": 1.0}
    with pytest.raises(ValueError, match="expected genomes that are trees"):
        applied(get_operator(name, **options), ToyLattice((3,)), pop, seed=1)


@copying
def test_parent_beyond_the_limit_is_refused(name):
    deep = parents(ToyEquations(max_depth=6), 40)
    with pytest.raises(ValueError, match="expected trees of depth 3 at most, found 6"):
        applied(get_operator(name), ToyEquations(max_depth=3), deep, seed=1)


@copying
def test_genome_that_is_no_tree_is_refused(name):
    X = np.full((4, 1), None, dtype=object)
    with pytest.raises(TypeError, match="expected a genome that is a PrimitiveTree, found None"):
        applied(get_operator(name), ToyEquations(), Population.new("X", X), seed=1)


@every
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_behave_alike(name, copied):
    operator, problem = get_operator(name), ToyEquations()
    pop = parents(problem, 40)
    twin, revived = copied(operator), copied(pop)
    assert texts(applied(twin, problem, revived, 3)) == texts(applied(operator, problem, pop, 3))


@pytest.mark.parametrize(
    "name", [name for name in TREE_OPERATORS if OPERATORS[name].kind == "mutation"]
)
def test_mutation_in_place_is_refused(name):
    problem = ToyEquations()
    with pytest.raises(ValueError, match="expected inplace=False"):
        get_operator(name)(problem, parents(problem, 2), inplace=True, seed=1)
