"""What every registered operator promises on genomes of whole numbers."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt.operators import OPERATORS, get_operator, list_operators
from anonopt.problems.spaces import Cells, Keys, Levels, Matrices, Space, Trees, Visits
from tests.contracts.toy_equations import TREE_OPERATORS
from tests.contracts.toy_problems import ToyLattice

VARIATION = ("sampling", "crossover", "mutation")
KINDS = {name: entry.kind for name, entry in OPERATORS.items()}

# Operators on trees and on local recodings have files of their own; keys are no whole numbers.
NAMES = [
    name
    for name, entry in OPERATORS.items()
    if name not in TREE_OPERATORS and entry.spaces not in (("groups",), ("keys",))
]

SPACES: dict[str, Space] = {
    space.kind: space
    for space in (
        Levels(["age", "sex"], upper=[4, 1]),
        Visits(5),
        Cells(3, [3, 1], start=lambda generator: generator.integers(2, size=(20, 6))),
        Matrices(["ab", "cde"]),
        Keys(["weight", "exponent"]),
        Trees(max_depth=3),
    )
}

every = pytest.mark.parametrize("name", NAMES)
variation = pytest.mark.parametrize("name", [name for name in NAMES if KINDS[name] in VARIATION])
archives = pytest.mark.parametrize(
    "name", [name for name, kind in KINDS.items() if kind == "archive"]
)
spaces = pytest.mark.parametrize(
    ("xl", "xu"),
    [([0, 0, 0], [4, 3, 1]), ([2, -3, 0], [2, 5, 1]), ([0], [3]), ([0, 0], [0, 0])],
    ids=["lattice", "shifted", "one gene", "one node"],
)


def make(name: str) -> Any:
    options = {"eps": 1.0, "maximize": [True, False]} if name == "BoxArchive" else {}
    return get_operator(name, **options)


def genomes(problem: Problem, n: int) -> np.ndarray:
    generator = np.random.default_rng(11)
    return generator.integers(
        problem.xl.astype(int), problem.xu.astype(int), endpoint=True, size=(n, problem.n_var)
    )


def applied(name: str, operator: Any, problem: Problem, pop: Population, seed: int) -> Population:
    generator, kind = np.random.default_rng(seed), KINDS[name]
    if kind == "sampling":
        return operator(problem, len(pop), random_state=generator)
    if kind == "crossover":
        parents = np.arange(len(pop)).reshape(-1, operator.n_parents)
        return operator(problem, pop, parents, random_state=generator)
    if kind == "selection":
        return operator(problem, pop, len(pop), 1, random_state=generator)[:, 0]
    if kind == "survival":
        return operator.do(problem, pop, n_survive=len(pop) // 2, random_state=generator)
    return operator(problem, pop, random_state=generator)


@variation
@spaces
def test_genomes_are_new_integers_within_the_bounds(name, xl, xu):
    problem = Problem(n_var=len(xl), n_obj=1, xl=xl, xu=xu)
    pop = Population.new("X", genomes(problem, 40))
    made = applied(name, make(name), problem, pop, seed=1)
    X = made.get("X")
    assert X.shape == (40, len(xl))
    assert {individual.X.dtype for individual in made} == {np.dtype(np.int64)}
    assert np.all((xl <= X) & (xu >= X))
    assert not set(made) & set(pop)


@variation
def test_parents_are_left_as_they_were(name):
    problem = ToyLattice()
    pop = Population.new("X", genomes(problem, 40))
    pop.set("F", problem.evaluate(pop.get("X")))
    before = [
        (individual.X.copy(), individual.F.copy(), individual.data.copy()) for individual in pop
    ]
    made = applied(name, make(name), problem, pop, seed=1)
    for individual in made:
        individual.X[...] = 0
        assert not individual.evaluated
    for individual, (x, f, data) in zip(pop, before, strict=True):
        np.testing.assert_array_equal(individual.X, x)
        np.testing.assert_array_equal(individual.F, f)
        assert individual.data == data


@variation
@pytest.mark.usefixtures("entropy_guard")
def test_the_generator_decides(name):
    problem, operator = ToyLattice(), make(name)
    pop = Population.new("X", genomes(problem, 40))
    first, again, other = (
        applied(name, operator, problem, pop, seed).get("X") for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, again)
    assert np.array_equal(first, other) is (name == "CloneCrossover")


@variation
def test_without_a_generator_it_refuses(name):
    problem, operator = ToyLattice(), make(name)
    pop = Population.new("X", genomes(problem, 4))
    with pytest.raises(ValueError, match="random_state"):
        if KINDS[name] == "sampling":
            operator(problem, 4)
        elif KINDS[name] == "crossover":
            operator(problem, pop, np.arange(4).reshape(-1, operator.n_parents))
        else:
            operator(problem, pop)


@every
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_behave_alike(name, copied):
    operator = make(name)
    # What selects by a score takes one objective.
    problem = ToyLattice(objectives=("loss",)) if name == "LeaderSelection" else ToyLattice()
    X = genomes(problem, 40)
    pop = Population.new("X", X, "F", problem.evaluate(X))
    if KINDS[name] == "archive":
        operator.add(pop[:20])
        twin = copied(operator)
        assert twin.add(pop).keys == operator.add(pop).keys
    elif KINDS[name] == "duplicates":
        np.testing.assert_array_equal(copied(operator).do(pop).get("X"), operator.do(pop).get("X"))
    else:
        np.testing.assert_array_equal(
            applied(name, copied(operator), problem, pop, 3).get("X"),
            applied(name, operator, problem, pop, 3).get("X"),
        )


@archives
def test_archive_holds_no_dominated_member_and_each_genome_once(name):
    archive, problem = make(name), ToyLattice()
    X = genomes(problem, 60)
    pop = Population.new("X", X, "F", problem.evaluate(X))
    for _ in range(3):
        archive.add(pop)
    members = archive.population()
    F = members.get("F")
    for one in F:
        assert not any((other <= one).all() and (other < one).any() for other in F)
    assert len(set(archive.keys)) == len(archive) == len(members)
    np.testing.assert_array_equal(problem.evaluate(members.get("X")), F)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (name, kind)
        for name, entry in OPERATORS.items()
        if entry.kind in VARIATION
        for kind in entry.spaces or SPACES
        if kind != "groups"
    ],
)
def test_it_makes_genomes_of_every_space_it_lists(name, kind):
    space = SPACES[kind]
    problem = Problem(n_var=space.n_var, n_obj=1, xl=space.lower, xu=space.upper, vtype=space.vtype)
    problem.space = space
    pop = space.sampling()(problem, 20, random_state=np.random.default_rng(1))
    made = applied(name, make(name), problem, pop, seed=2)
    assert len(made) == 20
    X = np.array([individual.X for individual in made])
    assert space.checked(X).shape == (20, space.n_var)


@variation
def test_whole_numbers_that_came_as_floats_become_integers(name):
    problem = ToyLattice()
    pop = Population.new("X", genomes(problem, 40).astype(float))
    made = applied(name, make(name), problem, pop, seed=1)
    assert {individual.X.dtype for individual in made} == {np.dtype(np.int64)}


def test_list_has_a_row_for_each_operator():
    table = list_operators()
    assert table.index.tolist() == list(OPERATORS)
    assert table["kind"].tolist() == [entry.kind for entry in OPERATORS.values()]
    assert not table["summary"].eq("").any()
    assert table.loc["SubtreeMutation", ["spaces", "paper"]].tolist() == [
        "trees",
        "Mares 2013, Section 2.2.2",
    ]
    with pytest.raises(ValueError, match="unknown operator 'StepMutatio'; did you mean"):
        get_operator("StepMutatio")


def test_what_is_no_operator_is_not_registered():
    for thing in (int, "StepMutation", Problem):
        with pytest.raises(TypeError, match="operator 'mine': expected a subclass"):
            OPERATORS.register("mine", thing)
    assert "mine" not in OPERATORS


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if kind == "selection"])
@pytest.mark.usefixtures("entropy_guard")
def test_selection_draws_from_the_generator_or_the_seed(name):
    problem, operator = ToyLattice(objectives=("loss",)), make(name)
    X = genomes(problem, 40)
    pop = Population.new("X", X, "F", problem.evaluate(X))
    drawn = [
        operator(problem, pop, 30, 2, to_pop=False, **source).tolist()
        for source in (
            {"random_state": np.random.default_rng(4)},
            {"seed": 4},
            {"random_state": np.random.default_rng(5)},
        )
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    individuals = operator(problem, pop, 30, 2, seed=4)
    assert [[pop[row] for row in mating] for mating in drawn[0]] == individuals.tolist()
    with pytest.raises(ValueError, match=f"{name}: expected random_state"):
        operator(problem, pop, 30, 2)
    with pytest.raises(TypeError, match="numpy Generator, found int"):
        operator(problem, pop, 30, 2, random_state=4)
