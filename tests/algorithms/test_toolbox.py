"""The DEAP toolbox: what is registered, and DEAP's own loops and selections on it."""

from __future__ import annotations

import copy
import operator
import pickle
import random

import numpy as np
import pandas as pd
import pytest
from deap import algorithms, gp, tools
from pymoo.core.problem import Problem

import anonopt as ao
from anonopt.algorithms.toolbox import PENALTY, Individual, TreeIndividual
from anonopt.graphs import karate_club
from anonopt.problems import GraphProblem, MaskingProblem, PRAMProblem
from tests.contracts.other_genomes import Words
from tests.contracts.toy_equations import ToyEquations
from tests.contracts.toy_problems import ToyLattice, front_of_all


def toolbox_of(problem, seed=1):
    return ao.deap_toolbox(problem, np.random.default_rng(seed))


def evaluated(toolbox, population):
    for individual, values in zip(
        population, toolbox.map(toolbox.evaluate, population), strict=True
    ):
        individual.fitness.values = values
    return population


def evolved(problem, *, seed=1, n_generations=10, n=12, select=None):
    """A loop in the manner of DEAP that draws from nothing but its generator."""
    rng = np.random.default_rng(seed)
    toolbox = ao.deap_toolbox(problem, rng)
    select = select or toolbox.select
    population = evaluated(toolbox, toolbox.population(n=n))
    for _ in range(n_generations):
        offspring = [toolbox.clone(population[i]) for i in rng.integers(n, size=n)]
        for one, other in zip(offspring[::2], offspring[1::2], strict=True):
            toolbox.mate(one, other)
        for individual in offspring:
            toolbox.mutate(individual)
            del individual.fitness.values
        population = select(population + evaluated(toolbox, offspring), n)
    return toolbox, population


def test_population_is_of_distinct_genomes_within_the_bounds():
    problem = ToyLattice((4, 3, 3))
    population = toolbox_of(problem).population(n=80)
    assert sorted(map(tuple, population)) == list(map(tuple, problem.nodes().tolist()))
    assert {type(level) for individual in population for level in individual} == {int}
    assert not any(individual.fitness.valid for individual in population)
    assert len(toolbox_of(problem).individual()) == 3


def test_evaluation_is_that_of_the_problem_in_floats():
    problem = ToyLattice()
    toolbox = toolbox_of(problem)
    population = toolbox.population(n=10)
    expected = problem.evaluate(np.array(population)).tolist()
    found = toolbox.map(toolbox.evaluate, population)
    assert [list(values) for values in found] == expected
    assert [toolbox.evaluate(individual) for individual in population] == found
    assert {type(value) for values in found for value in values} == {float}


def test_a_generation_is_one_evaluation():
    problem = ToyLattice()
    toolbox = toolbox_of(problem)
    problem.batches.clear()
    toolbox.map(toolbox.evaluate, iter(toolbox.population(n=30)))
    assert [len(X) for X in problem.batches] == [30]
    assert toolbox.map(toolbox.evaluate, []) == []
    assert len(problem.batches) == 1


def test_other_functions_are_mapped_one_by_one():
    toolbox = toolbox_of(ToyLattice())
    assert toolbox.map(len, [[1], [1, 2]]) == [1, 2]
    assert toolbox.map(lambda a, b: a + b, [1, 2], [10, 20]) == [11, 22]


def test_variation_is_in_place_and_stays_within_the_bounds():
    problem = ToyLattice((4, 0, 3))
    toolbox = toolbox_of(problem)
    for _ in range(100):
        one, other = toolbox.individual(), toolbox.individual()
        levels = [set(pair) for pair in zip(one, other, strict=True)]
        mated = toolbox.mate(one, other)
        assert mated[0] is one
        assert mated[1] is other
        assert [set(pair) for pair in zip(one, other, strict=True)] == levels
        before = list(one)
        (mutant,) = toolbox.mutate(one)
        assert mutant is one
        assert all(abs(a - b) <= 1 for a, b in zip(one, before, strict=True))
        assert all(0 <= level <= high for level, high in zip(one, problem.xu, strict=True))
    assert type(one[0]) is int


@pytest.mark.parametrize("n_obj", [1, 2])
def test_individuals_survive_cloning_and_pickling(n_obj):
    objectives = ("privacy", "loss")[:n_obj]
    toolbox = toolbox_of(ToyLattice(objectives=objectives))
    fresh, measured = toolbox.population(n=2)
    evaluated(toolbox, [measured])
    for individual in (fresh, measured):
        for copied in (
            toolbox.clone(individual),
            copy.copy(individual),
            pickle.loads(pickle.dumps(individual)),
        ):
            assert type(copied) is Individual
            assert copied == individual
            assert copied.fitness.wvalues == individual.fitness.wvalues
            assert copied.fitness.weights == (-1.0,) * n_obj
    clone = toolbox.clone(measured)
    clone[0] += 1
    del clone.fitness.values
    assert measured.fitness.valid
    assert clone != measured


def test_toolbox_is_pickled_with_its_generator():
    toolbox = toolbox_of(ToyLattice())
    twin = pickle.loads(pickle.dumps(toolbox))
    assert twin.population(n=5) == toolbox.population(n=5)
    assert twin.map(twin.evaluate, twin.population(n=2)) == toolbox.map(
        toolbox.evaluate, toolbox.population(n=2)
    )


def test_infeasible_individuals_are_dominated_and_ordered_by_violation():
    problem = ToyLattice((4, 3, 3), least_privacy=20)
    toolbox = toolbox_of(problem)
    population = evaluated(toolbox, toolbox.population(n=80))
    missing = [max(20 - np.prod(np.array(one) + 1), 0) for one in population]
    for one, a in zip(population, missing, strict=True):
        assert (one.fitness.values[0] >= PENALTY) == (a > 0)
        for other, b in zip(population, missing, strict=True):
            if a < b:
                assert one.fitness.dominates(other.fitness)


@pytest.mark.parametrize(
    "select",
    [
        None,
        tools.selSPEA2,
        lambda population, k: tools.selNSGA2(population, k, nd="log"),
        tools.selBest,
    ],
    ids=["selNSGA2", "selSPEA2", "selNSGA2 log", "selBest"],
)
def test_selections_of_deap_reach_feasible_nodes(select):
    problem = ToyLattice((9, 9, 9), least_privacy=500)
    toolbox, population = evolved(problem, n_generations=15, select=select)
    front = toolbox.front(population)
    assert len(front) > 0
    assert (front["privacy"] >= 500).all()
    assert all(one.fitness.values[0] < PENALTY for one in population)


def test_front_is_feasible_natural_and_each_genome_once():
    problem = ToyLattice((3, 2, 2), least_privacy=4)
    toolbox = toolbox_of(problem)
    population = toolbox.population(n=36)
    front = toolbox.front(population + population)
    genomes = front[list(problem.space.names)].to_numpy()
    assert len(front) == len(np.unique(genomes, axis=0))
    assert set(map(tuple, genomes.tolist())) == front_of_all(problem)
    assert (front["privacy"] == np.prod(genomes + 1, axis=1)).all()


def test_front_of_infeasible_individuals_is_empty():
    problem = ToyLattice((2, 1), least_privacy=100)
    toolbox = toolbox_of(problem)
    front = toolbox.front(toolbox.population(n=6))
    assert front.empty
    assert list(front.columns) == [*problem.space.names, *problem.objective_names]
    assert toolbox.front([]).empty


@pytest.mark.usefixtures("entropy_guard")
def test_same_generator_same_result_and_no_global_randomness():
    problem = ToyLattice((9, 9, 9))
    one, same, other = (evolved(problem, seed=seed)[1] for seed in (1, 1, 2))
    assert one == same
    assert [i.fitness.values for i in one] == [i.fitness.values for i in same]
    assert one != other


@pytest.mark.parametrize("heights", [(0, 0), (1, 0), (1, 1), (3,)])
def test_loop_on_a_tiny_lattice_ends(heights):
    problem = ToyLattice(heights)
    toolbox, population = evolved(problem, n=8)
    assert len(population) == 8
    found = toolbox.front(population)[list(problem.space.names)].to_numpy()
    assert set(map(tuple, found.tolist())) <= front_of_all(problem)


def mu_plus_lambda(problem, seed):
    random.seed(seed)
    toolbox = toolbox_of(problem, seed)
    population = toolbox.population(n=20)
    final, _ = algorithms.eaMuPlusLambda(
        population, toolbox, mu=20, lambda_=20, cxpb=0.6, mutpb=0.4, ngen=15, verbose=False
    )
    return toolbox.front(final)


def test_deaps_own_loop_runs_and_repeats():
    problem = ToyLattice((9, 9, 9))
    state = random.getstate()
    try:
        front = mu_plus_lambda(problem, seed=3)
        pd.testing.assert_frame_equal(front, mu_plus_lambda(problem, seed=3))
    finally:
        random.setstate(state)
    assert front["privacy"].max() > 500
    assert len(front) > 5


def test_one_objective_is_selected_by_the_best():
    problem = ToyLattice((5, 5, 5), objectives=("loss",), least_privacy=30)
    toolbox, population = evolved(problem, n_generations=30)
    best = min(x for x in range(100) if x in set(losses_of_feasible(problem)))
    assert toolbox.front(population)["loss"].tolist()[0] == best


def losses_of_feasible(problem):
    nodes = problem.nodes()
    values, G = problem._values(nodes)
    return values[G[:, 0] <= 0, 0].astype(int).tolist()


class Huge(ToyLattice):
    """Objectives as large as the penalty."""

    def _values(self, X):
        values, G = super()._values(X)
        return values * 1e31, G


def test_objectives_that_look_like_a_penalty_are_refused():
    toolbox = toolbox_of(Huge())
    with pytest.raises(ValueError, match=r"objectives: expected numbers below 1e\+31"):
        toolbox.map(toolbox.evaluate, toolbox.population(n=80))


def test_wrong_inputs_are_refused():
    rng = np.random.default_rng(1)
    with pytest.raises(TypeError, match="problem: expected an AnonymizationProblem"):
        ao.deap_toolbox(Problem(n_var=1, n_obj=1, xl=0, xu=1), rng)
    with pytest.raises(TypeError, match="rng: expected a numpy Generator, found 1"):
        ao.deap_toolbox(ToyLattice(), 1)


def some_file(n_rows=60):
    generator = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "zone": generator.choice(list("abc"), n_rows),
            "size": generator.choice(list("SML"), n_rows),
        }
    )


KINDS = {
    "equations": lambda: ToyEquations(max_depth=4),
    "real matrices": lambda: PRAMProblem(some_file(), encoding="simplex", expected=True),
    "gray matrices": lambda: PRAMProblem(some_file(), expected=True),
    "files": lambda: MaskingProblem(some_file()),
    "visits": lambda: GraphProblem(karate_club(), k=3),
    "words": Words,
}


@pytest.fixture(params=KINDS)
def kind(request):
    return KINDS[request.param]()


@pytest.fixture
def seeded_random():
    state = random.getstate()
    random.seed(3)
    yield
    random.setstate(state)


@pytest.mark.usefixtures("seeded_random")
@pytest.mark.parametrize("loop", ["simple", "mu + lambda"])
def test_deaps_loops_take_every_kind_of_genome(kind, loop):
    toolbox = toolbox_of(kind)
    population = toolbox.population(n=8)
    before = copy.deepcopy(population)
    rates = {"cxpb": 0.5, "mutpb": 0.5, "ngen": 3, "verbose": False}
    if loop == "simple":
        toolbox.register("select", tools.selTournament, tournsize=2)
        final, _ = algorithms.eaSimple(population, toolbox, **rates)
    else:
        final, _ = algorithms.eaMuPlusLambda(population, toolbox, mu=8, lambda_=8, **rates)
    assert final != before
    expected = toolbox.map(toolbox.evaluate, [toolbox.clone(one) for one in final])
    assert [one.fitness.values for one in final] == expected
    front = toolbox.front(final)
    F = kind.minimized(front[list(kind.objective_names)].to_numpy())
    assert {tuple(row) for row in F.tolist()} <= {one.fitness.values for one in final}


@pytest.mark.usefixtures("entropy_guard")
def test_every_kind_repeats_and_draws_from_its_generator_alone(kind):
    state = random.getstate()
    one, same, other = (evolved(kind, seed=seed, n_generations=2)[1] for seed in (1, 1, 2))
    assert one == same
    assert one != other
    assert random.getstate() == state


def test_variation_keeps_to_the_space_and_changes_what_it_is_given(kind):
    toolbox = toolbox_of(kind)
    one, other = toolbox.population(n=8)[:2]
    parents = copy.deepcopy([one, other])
    n_changed = 0
    for _ in range(20):
        mutant, partner = toolbox.clone(one), toolbox.clone(other)
        toolbox.mate(mutant, partner)
        toolbox.mutate(mutant)
        n_changed += mutant != one
        toolbox.evaluate(mutant)
    assert [one, other] == parents
    assert n_changed > 15


def test_equations_are_trees_that_survive_cloning_and_pickling():
    problem = ToyEquations(max_depth=3)
    toolbox = toolbox_of(problem)
    (individual,) = evaluated(toolbox, toolbox.population(n=1))
    for copied in (
        toolbox.clone(individual),
        copy.copy(individual),
        pickle.loads(pickle.dumps(individual)),
    ):
        assert type(copied) is TreeIndividual
        assert str(copied) == str(individual)
        assert copied.height <= 2
        assert copied.fitness.values == individual.fitness.values


@pytest.mark.usefixtures("seeded_random")
def test_deaps_own_operators_on_trees_keep_the_limit_they_are_given():
    problem = ToyEquations(max_depth=3)
    toolbox = toolbox_of(problem)
    toolbox.register("mate", gp.cxOnePoint)
    toolbox.decorate("mate", gp.staticLimit(operator.attrgetter("height"), 2))
    population = toolbox.population(n=10)
    final, _ = algorithms.eaMuPlusLambda(
        population, toolbox, mu=10, lambda_=10, cxpb=0.8, mutpb=0.2, ngen=5, verbose=False
    )
    assert max(one.height for one in final) <= 2


def test_real_matrices_are_repaired():
    problem = KINDS["real matrices"]()
    toolbox = toolbox_of(problem)
    one, other = toolbox.population(n=4)[:2]
    toolbox.mate(one, other)
    toolbox.mutate(one)
    for individual in (one, other):
        rows = np.split(np.array(individual), np.cumsum(problem.space.row_lengths)[:-1])
        np.testing.assert_allclose([row.sum() for row in rows], 1)
