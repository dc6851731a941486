"""Histories of population searches: the same columns for all, in natural units."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.optimize import minimize

import anonopt as ao
from anonopt.algorithms import KGEN, PBGEA, PRAMEA, PRAMGP, EvolutionarySearch, MaskingEA
from anonopt.operators import BoxArchive, ParetoArchive
from anonopt.runs import solve
from tests.contracts.toy_problems import ToyLattice

EXPECTED = {"expected": True, "objectives": ["score_max"]}
SEARCHES = {
    "pbgea": (lambda: ToyLattice(), PBGEA(pop_size=10, n_generations=6)),
    "kgen": (lambda: ToyLattice(objectives=("privacy",)), KGEN(pop_size=10, n_generations=6)),
    "masking-ea": (
        lambda: ao.get_problem("german-masking", objectives=["score_max"]),
        MaskingEA(pop_size=10, n_generations=6),
    ),
    "pramea": (lambda: ao.get_problem("german-pram", **EXPECTED), PRAMEA(n_generations=6)),
    "pramgp": (
        lambda: ao.get_problem("german-pram-equations", **EXPECTED),
        PRAMGP(n_generations=6),
    ),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_history_is_the_least_mean_and_largest_value_of_each_generation(name):
    make, search = SEARCHES[name]
    problem, seen = make(), []

    def watch(algorithm):
        seen.append(problem.natural(algorithm.pop.get("F")))

    algorithm = solve(problem, search, seed=1, callback=watch).algorithm
    history = algorithm.history()
    assert history.columns[0] == "n_generations"
    assert history["n_generations"].tolist() == list(range(7))
    for i, objective in enumerate(problem.objective_names):
        columns = [f"{objective}_{summary}" for summary in ("min", "mean", "max")]
        expected = [[F[:, i].min(), F[:, i].mean(), F[:, i].max()] for F in seen]
        np.testing.assert_array_equal(history[columns], expected)
    assert (len(history.columns) - 1) % 3 == 0
    present = algorithm.population()
    np.testing.assert_array_equal(present[list(problem.objective_names)], seen[-1])
    np.testing.assert_array_equal(algorithm.start()[list(problem.objective_names)], seen[0])
    for twin in (copy.deepcopy(algorithm).history, pickle.loads(pickle.dumps(algorithm.history))):
        pd.testing.assert_frame_equal(twin(), history)


def test_history_is_still_the_list_of_copies_of_pymoo():
    outcome = minimize(ToyLattice(), PBGEA(n_generations=3), seed=1, save_history=True)
    assert len(outcome.history) == 4
    assert [past.n_gen for past in outcome.history] == [1, 2, 3, 4]
    assert len(outcome.algorithm.history()) == 4


def test_figures_that_are_not_known_are_missing_values():
    problem = ao.get_problem("german-k-glm").recording(["l"])
    algorithm = PBGEA(pop_size=5)
    algorithm.setup(problem, seed=1)
    algorithm.next()
    children = algorithm.infill()
    algorithm.evaluator.eval(ao.get_problem("german-k-glm"), children)
    algorithm.advance(children)
    history = algorithm.history()
    assert history["l_mean"].isna().tolist() == [False, True]
    assert history["k_mean"].notna().all()


def test_before_a_run_there_is_no_generation():
    assert PBGEA().history().columns.tolist() == ["n_generations"]
    assert len(PBGEA().history()) == len(PBGEA().start()) == 0


def test_objectives_of_plain_pymoo_problems_have_numbers():
    class Plain(Problem):
        def _evaluate(self, X, out, *args, **kwargs):
            out["F"] = np.column_stack([X[:, 0], -X[:, 1]])

    algorithm = PBGEA(pop_size=4, n_generations=2)
    outcome = minimize(Plain(n_var=2, n_obj=2, xl=0, xu=4, vtype=int), algorithm, seed=1)
    assert outcome.algorithm.history().columns.tolist()[1::3] == ["F1_min", "F2_min"]
    assert outcome.algorithm.history()["F2_min"].min() == -4


@pytest.mark.parametrize("given", [ParetoArchive(), lambda problem: ParetoArchive()])
def test_archive_can_be_given(given):
    problem = ToyLattice((6, 5, 4))
    algorithm = PBGEA(pop_size=10, n_generations=8, archive=given)
    result = solve(problem, algorithm, seed=2)
    archive = result.algorithm.archive
    assert isinstance(archive, ParetoArchive)
    found = {tuple(x) for x in archive.population().get("X").tolist()}
    assert found == {tuple(x) for x in result.X.tolist()}
    if isinstance(given, ParetoArchive):
        assert len(given) == 0
    again = solve(problem, algorithm, seed=2)
    pd.testing.assert_frame_equal(again.front, result.front)


def test_archive_of_boxes_by_default():
    result = solve(ToyLattice(), PBGEA(pop_size=6, eps=[2, 3]), budget=40, seed=1)
    assert isinstance(result.algorithm.archive, BoxArchive)
    assert result.algorithm.archive.eps.tolist() == [2, 3]


class Unmoved(EvolutionarySearch):
    """Nobody ever gives way to a child."""

    def _offspring(self):
        return Population.new("X", self.pop.get("X"))

    def _replace(self, children):
        return np.flatnonzero(np.zeros(len(children), dtype=bool))


def test_a_generation_that_replaces_nobody_is_like_the_one_before():
    problem = ToyLattice()
    algorithm = solve(problem, Unmoved(pop_size=5, n_generations=3), seed=1).algorithm
    history = algorithm.history().drop(columns="n_generations")
    assert len(history) == 4
    assert (history == history.iloc[0]).all(axis=None)
