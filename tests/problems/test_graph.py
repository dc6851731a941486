"""The order of visits as a genome."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anonopt as ao
from anonopt.graphs import (
    SocialGraph,
    cluster_nodes,
    compare_graphs,
    generate_graph,
    karate_club,
    protect_graph,
)
from anonopt.problems import GraphProblem


def test_every_run_of_algorithm_14_is_a_genome():
    graph = generate_graph("small", seed=1)
    problem = GraphProblem(graph, k=3)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(graph.n_nodes)
        protected = protect_graph(graph, 3, seed=seed)
        assert problem.protect(order).frame().equals(protected.frame())
        figures = compare_graphs(graph, protected)[["IL", "DR"]]
        np.testing.assert_array_equal(problem.evaluate(order), figures)


@given(st.data())
def test_every_genome_gives_k_anonymous_nodes(data):
    problem = GraphProblem(karate_club(), k=data.draw(st.integers(1, 34)))
    genes = st.lists(st.integers(0, 33), min_size=34, max_size=34)
    protected = problem.protect(np.array(data.draw(genes)))
    assert protected.frame().value_counts().min() >= problem.k


def test_nodes_that_are_named_again_are_passed_over():
    graph = karate_club()
    problem = GraphProblem(graph, k=34)
    assert problem.protect([5] * 34).frame().nunique().tolist() == [1]
    again = GraphProblem(graph, k=2)
    order = [*range(10), *range(24)]
    rest = [*range(10), *range(10, 34)]
    assert again.protect(order).frame().equals(again.protect(rest).frame())


@pytest.mark.usefixtures("entropy_guard")
def test_a_search_beats_the_mean_of_chance():
    problem = ao.get_problem("graph-small")
    runs = [
        compare_graphs(problem.graph, protect_graph(problem.graph, 3, seed=seed))[["IL", "DR"]]
        for seed in range(1, 6)
    ]
    result = ao.solve(problem, ao.algorithms.nsga2(problem), budget=100, seed=1)
    again = ao.solve(problem, ao.algorithms.nsga2(problem), budget=100, seed=1)
    np.testing.assert_array_equal(result.F, again.F)
    assert (result.F < np.mean(runs, axis=0)).all(axis=1).any()


def test_pymoo_operators_for_permutations_fit():
    from pymoo.operators.crossover.ox import OrderCrossover
    from pymoo.operators.mutation.inversion import InversionMutation
    from pymoo.operators.sampling.rnd import PermutationRandomSampling

    problem = ao.get_problem("graph-small", objectives=["AAMIL", "DR_topics"])
    algorithm = ao.algorithms.nsga2(
        problem,
        pop_size=10,
        sampling=PermutationRandomSampling(),
        crossover=OrderCrossover(),
        mutation=InversionMutation(),
    )
    result = ao.solve(problem, algorithm, budget=40, seed=1)
    assert (np.sort(result.X, axis=1) == np.arange(problem.n_var)).all()


def test_fingerprint_depends_on_graph_k_and_objectives():
    graph, other = (generate_graph("small", seed=seed) for seed in (1, 2))
    prints = {
        GraphProblem(graph, k=3).fingerprint,
        GraphProblem(graph, k=4).fingerprint,
        GraphProblem(other, k=3).fingerprint,
        GraphProblem(graph, k=3, objectives=["IL"]).fingerprint,
    }
    assert len(prints) == 4
    again = GraphProblem(generate_graph("small", seed=1), k=3)
    assert again.fingerprint in prints
    labels = cluster_nodes(graph, 3, random_state=1)
    assert len(labels) == again.n_var


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 35}, "at most 34, found 35"),
        ({"k": 0}, "whole number of at least 1 and at most 34, found 0"),
        ({"k": 3, "objectives": ["loss"]}, "unknown measure 'loss'; known ones: AAMIL, "),
        ({"k": 3, "objectives": []}, "objectives: expected at least one, found none"),
    ],
)
def test_what_cannot_be_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        GraphProblem(karate_club(), **options)


def test_a_graph_without_nodes_is_refused():
    with pytest.raises(ValueError, match="at least one node, found none"):
        GraphProblem(SocialGraph([], [], topics=[], topic_names=[]), k=1)
