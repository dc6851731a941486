"""PBG-EA: Algorithm 2 of Dewri 2010, step by step."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.optimize import minimize

from anonopt.algorithms import PBGEA
from anonopt.algorithms.population.pbgea import binary_tournament, dominance_fitness
from anonopt.measures.fronts.indicators import representation_ratio
from anonopt.operators import BoxArchive, CloneCrossover, ResetMutation
from anonopt.problems import get_problem
from anonopt.runs import solve
from tests.contracts.toy_problems import ToyLattice

POINTS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(-1, 2)), min_size=1, max_size=12
)


def everybody(algorithm):
    """Population and archive, as parents are picked from them."""
    return Population.merge(algorithm.pop, algorithm.archive.population())


def slow_fitness(F, CV):
    """Sum of the dominance counts of the nodes that dominate, by the words of Section 6."""

    def dominates(a, b):
        if CV[a] != CV[b]:
            return CV[a] < CV[b]
        return all(F[a] <= F[b]) and any(F[a] < F[b])

    nodes = range(len(F))
    count = [sum(dominates(a, b) for b in nodes) for a in nodes]
    return [sum(count[a] for a in nodes if dominates(a, b)) for b in nodes]


def run(algorithm, problem, n_steps, seed=1):
    algorithm.setup(problem, seed=seed)
    for _ in range(n_steps):
        algorithm.next()
    return algorithm


@given(POINTS)
def test_fitness_is_the_sum_of_the_counts_of_the_dominators(points):
    values = np.array(points, dtype=float)
    F, CV = values[:, :2], np.maximum(values[:, 2], 0)
    assert dominance_fitness(F, CV).tolist() == slow_fitness(F, CV)


def test_fitness_of_a_worked_example():
    # a dominates c, d and e (count 3), b dominates d and e (2), c dominates e, d dominates e
    F = np.array([[1, 3], [3, 1], [2, 4], [3, 3], [4, 4]], dtype=float)
    assert dominance_fitness(F, np.zeros(5)).tolist() == [0, 0, 3, 5, 7]


def test_tournament_draws_two_different_nodes_and_the_better_wins():
    fitness = np.array([0, 5, 9])
    winners = Counter(binary_tournament(fitness, 30_000, np.random.default_rng(1)).tolist())
    # The best wins 2 of 3 pairings, the middle one the third, the worst none.
    assert set(winners) == {0, 1}
    assert winners[0] == pytest.approx(20_000, abs=350)
    # Of two, both take part every time.
    assert set(binary_tournament(np.array([9, 0]), 100, np.random.default_rng(1)).tolist()) == {1}


def test_tournament_between_equals_is_even():
    winners = Counter(binary_tournament(np.zeros(4), 40_000, np.random.default_rng(2)).tolist())
    assert all(count == pytest.approx(10_000, abs=400) for count in winners.values())


def test_single_node_wins_every_tournament():
    assert binary_tournament(np.array([7]), 3, np.random.default_rng(1)).tolist() == [0, 0, 0]


def test_defaults_are_those_of_the_paper():
    problem = ToyLattice((6, 3, 3, 3, 1, 1, 4, 1))
    result = solve(problem, PBGEA(), seed=1)
    assert result.n_evaluations == 25 * 100
    assert len(result.algorithm.pop) == 25
    assert result.algorithm.crossover.prob.value == 0.8
    assert result.algorithm.mutation.get_prob_var(problem) == 0.125
    assert result.algorithm.archive.eps.tolist() == [1.0, 1.0]
    assert result.message == "algorithm finished"


def test_first_population_holds_bottom_and_top():
    problem = ToyLattice()
    run(PBGEA(), problem, 1)
    first = {tuple(x) for x in problem.batches[0].tolist()}
    assert {(0, 0, 0), (4, 3, 3)} <= first
    assert len(problem.batches[0]) == 25


def test_optimum_is_the_archive_of_everything_evaluated_in_order():
    problem = ToyLattice(objectives=("privacy", "loss", "spread"), least_privacy=4)
    algorithm = run(PBGEA(eps=[4, 6, 1]), problem, 12)
    X = np.concatenate(problem.batches)
    F, G = problem.evaluate(X, return_values_of=["F", "G"])
    archive = BoxArchive([4, 6, 1], problem.maximize)
    for row in range(len(X)):
        archive.add(Population.new("X", X[[row]], "F", F[[row]], "G", G[[row]]))
    np.testing.assert_array_equal(algorithm.opt.get("X"), archive.population().get("X"))
    assert len(algorithm.opt) > 1
    assert algorithm.opt.get("feas").all()


def test_larger_boxes_keep_fewer_nodes():
    sizes = [len(run(PBGEA(eps=eps), ToyLattice(), 15).opt) for eps in (1, [20, 5], 100)]
    assert sizes[0] > sizes[1] > sizes[2] == 1


def test_population_and_archive_are_put_together_as_they_stand():
    algorithm = run(PBGEA(), ToyLattice((2, 1)), 10)
    assert len(algorithm.pop) == 25
    joined = [tuple(x) for x in everybody(algorithm).get("X")]
    expected = [tuple(x) for x in [*algorithm.pop.get("X"), *algorithm.opt.get("X")]]
    assert sorted(joined) == sorted(expected)
    assert len(set(joined)) < len(joined)


def test_without_variation_children_are_copies_of_parents():
    algorithm = run(PBGEA(pop_size=7, prob_crossover=0, prob_mutation=0), ToyLattice(), 1)
    for _ in range(5):
        parents = {tuple(x) for x in everybody(algorithm).get("X")}
        algorithm.next()
        assert {tuple(x) for x in algorithm.pop.get("X")} <= parents
        assert len(algorithm.pop) == 7


def test_the_odd_one_passes_alone():
    # Crossing swaps everything behind a point, so the two nodes' children are never themselves.
    problem = ToyLattice((4, 3))
    algorithm = PBGEA(
        pop_size=3, prob_crossover=1, prob_mutation=0, sampling=np.array([[0, 0], [4, 3], [0, 0]])
    )
    run(algorithm, problem, 1)
    nodes = everybody(algorithm)
    children = algorithm._paired(nodes, np.array([0, 1, 1])).get("X").tolist()
    assert children == [[0, 3], [4, 0], [4, 3]]


def test_levels_move_by_one_and_stay_on_the_lattice():
    problem = ToyLattice()
    algorithm = run(PBGEA(prob_crossover=0, prob_mutation=1), problem, 1)
    for _ in range(5):
        parents = everybody(algorithm).get("X")
        algorithm.next()
        for child in algorithm.pop.get("X"):
            steps = np.abs(parents - child)
            at_edge = (parents == child) & ((parents == 0) | (parents == problem.xu))
            assert np.any(np.all((steps == 1) | at_edge, axis=1))


def test_while_nothing_is_feasible_the_least_infeasible_is_the_optimum():
    problem = ToyLattice(least_privacy=1000)
    algorithm = PBGEA(pop_size=6)
    algorithm.setup(problem, seed=4)
    for _ in range(6):
        algorithm.next()
        seen = np.concatenate(problem.batches)
        assert len(algorithm.opt) == 1
        assert algorithm.opt[0].CV == 1000 - np.prod(seen + 1, axis=1).max()


def test_plain_pymoo_problems_are_minimized():
    class Distance(Problem):
        def __init__(self):
            super().__init__(n_var=2, n_obj=2, xl=-2, xu=3)

        def _evaluate(self, X, out, *args, **kwargs):
            out["F"] = np.column_stack([X[:, 0] ** 2, X[:, 1] ** 2])

    outcome = minimize(Distance(), PBGEA(n_generations=39), seed=1)
    assert outcome.X.tolist() == [[0, 0]]


def test_operators_can_be_replaced():
    algorithm = PBGEA(crossover=CloneCrossover(), mutation=ResetMutation(prob_var=0.5))
    result = solve(ToyLattice(), algorithm, budget=60, seed=1)
    assert result.n_unique == 60


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pop_size": 1}, "pop_size: expected a whole number of at least 2, found 1"),
        ({"n_generations": 0}, "n_generations: expected a whole number of at least 1, found 0"),
        ({"prob_crossover": 1.5}, "prob_crossover: expected a number in 0..1, found 1.5"),
        ({"prob_mutation": -0.1}, "prob_mutation: expected a number in 0..1, found -0.1"),
    ],
)
def test_parameters_out_of_range_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        PBGEA(**options)


def test_crossover_that_loses_children_is_refused():
    from pymoo.core.crossover import Crossover

    with pytest.raises(ValueError, match="found 2 parents and 1 children"):
        PBGEA(crossover=Crossover(n_parents=2, n_offsprings=1))


@pytest.mark.parametrize("eps", [0, [1, -1], [1, 1, 1]])
def test_boxes_that_do_not_fit_are_refused(eps):
    with pytest.raises(ValueError, match="eps"):
        solve(ToyLattice(), PBGEA(eps=eps), seed=1)


def test_table_of_generations_is_printed_on_demand(capsys):
    minimize(ToyLattice(), PBGEA(n_generations=1), seed=1, verbose=True)
    assert "n_nds" in capsys.readouterr().out


def test_share_of_the_front_of_adult_is_that_of_the_paper():
    # Table 1(b): .94 with a variance of 8e-4 over 20 runs; Table 2(b): 916 nodes evaluated.
    problem = get_problem("adult-k-glm")
    exact = problem.natural(problem.pareto_front())
    ratios, n_nodes = [], []
    for seed in range(4):
        result = solve(problem, PBGEA(), seed=seed)
        archive = problem.natural(result.algorithm.opt.get("F"))
        ratios.append(representation_ratio(archive, exact, eps=1.0, maximize=problem.maximize))
        n_nodes.append(result.n_unique)
    assert np.mean(ratios) > 0.88
    assert 600 < np.mean(n_nodes) < 1000


@pytest.mark.parametrize("seed", [1, 2])
def test_parents_of_a_set_are_each_genome_once(seed):
    algorithm = run(PBGEA(counts_once=True), ToyLattice(), 5, seed=seed)
    together = everybody(algorithm)
    once = algorithm._each_once(together)
    genomes = [tuple(genome) for genome in together.get("X").tolist()]
    assert [tuple(genome) for genome in once.get("X").tolist()] == list(dict.fromkeys(genomes))
    assert len(once) < len(together)


def test_a_set_is_another_search_than_a_merge():
    problem = get_problem("adult-k-glm")
    runs = [
        solve(problem, PBGEA(counts_once=once, n_generations=20), seed=1).n_unique
        for once in (False, True, True)
    ]
    assert runs[0] != runs[1] == runs[2]


def test_a_flag_that_is_no_truth_value_is_refused():
    with pytest.raises(TypeError, match="counts_once: expected True or False, found 'no'"):
        PBGEA(counts_once="no")
