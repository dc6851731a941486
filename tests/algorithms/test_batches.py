"""Batches that are no individuals yet: nobody who looks at a run can tell."""

from __future__ import annotations

import numpy as np
import pytest

import anonopt as ao
from anonopt.algorithms import ExhaustiveSearch, RandomSearch
from anonopt.algorithms.exact import exhaustive
from anonopt.operators.archives import ParetoArchive
from anonopt.problems import LatticeProblem, rolled_up
from anonopt.runs.memory import MemoizingEvaluator
from tests.contracts.toy_problems import ToyLattice

GERMAN = ao.load_dataset("german")
PROBLEMS = {
    "two objectives": LatticeProblem(GERMAN, ["k", "glm"], suppression=0.01),
    "a constraint": LatticeProblem(GERMAN, ["k", "l", "glm"], {"k": 2}, suppression=0.02),
    "a fixed k": LatticeProblem(GERMAN, ["glm"], k=5, suppression=0.05, bounds="sound"),
    "nothing feasible": LatticeProblem(GERMAN, ["k", "glm"], {"k": 5000}),
    "further measures": LatticeProblem(GERMAN, ["k", "glm"]).recording(["cm", "height"]),
    "measures of classes": LatticeProblem(GERMAN, ["t", "glm"], suppression=0.01),
}


def seen_of(population):
    """Everything that a population shows."""
    if len(population) == 0:
        return []
    names = ("X", "F", "G", "H", "CV", "FEAS", "n_gen", "n_iter", "anon_cm")
    values = [np.array(column).tolist() for column in population.get(*names)]
    return [values, [sorted(one.evaluated) for one in population]]


def run(problem, search, **options):
    """What a run shows, generation by generation and in the end."""
    seen = []

    def look(algorithm):
        seen.append([seen_of(algorithm.opt), algorithm.evaluator.n_eval, algorithm.n_iter])
        if algorithm.n_iter % 2:
            seen.append([seen_of(algorithm.off), seen_of(algorithm.pop)])
            assert algorithm.pop is algorithm.pop
            assert all(any(one is other for other in algorithm.pop) for one in algorithm.opt)

    result = ao.solve(problem, search, seed=2, callback=look, archive=ParetoArchive(), **options)
    answers = {name: found.tolist() for name, found in result.algorithm.evaluator.answers().items()}
    return (
        seen,
        seen_of(result.algorithm.pop),
        result.history.drop(columns="seconds").to_dict("list"),
        result.front.to_dict("list"),
        result.least_infeasible.to_dict("list"),
        result.archive_front.to_dict("list"),
        (result.message, result.n_evaluations, result.n_unique, result.proven),
        answers,
    )


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize(
    ("make", "options"),
    [
        (lambda: ExhaustiveSearch(batch_size=97), {"budget": 300}),
        (lambda: RandomSearch(batch_size=30), {"budget": 70}),
        (lambda: ExhaustiveSearch(batch_size=50), {"termination": ("n_gen", 3)}),
    ],
)
def test_a_run_is_the_one_that_makes_every_individual(monkeypatch, name, make, options):
    if name == "measures of classes":
        options = {"budget": 40}
    monkeypatch.setattr(rolled_up, "AHEAD", 60)
    found = run(PROBLEMS[name], make(), **options)
    monkeypatch.setattr(MemoizingEvaluator, "takes_rows", lambda self, problem: False)
    assert found == run(PROBLEMS[name], make(), **options)


def test_the_front_can_be_recorded_alone(monkeypatch):
    problem = PROBLEMS["two objectives"]
    all_recorded = ao.solve(problem, ExhaustiveSearch())
    monkeypatch.setattr(exhaustive, "LIMIT", 600)
    for search in (ExhaustiveSearch(), ExhaustiveSearch(record="front", limit=648)):
        result = ao.solve(problem, search)
        assert result.front.equals(all_recorded.front)
        assert result.proven
        assert result.n_unique == len(result.front)
        assert "front of 648 nodes" in result.message
    assert ao.solve(problem, ExhaustiveSearch(limit=648)).n_unique == 648
    nothing = ao.solve(PROBLEMS["nothing feasible"], ExhaustiveSearch(record="front"))
    assert not nothing.success
    assert not nothing.proven


def test_a_front_alone_has_no_budget_and_a_limit_of_its_own(monkeypatch):
    problem = PROBLEMS["two objectives"]
    with pytest.raises(ValueError, match=r"budget: expected none .* 648 nodes, found 5"):
        ao.solve(problem, ExhaustiveSearch(record="front"), budget=5)
    with pytest.raises(ValueError, match=r"at most 640 genomes \(option limit\), found 648"):
        ao.solve(problem, ExhaustiveSearch(record="front", limit=640))
    monkeypatch.setattr(exhaustive, "LIMIT", 600)
    with pytest.raises(ValueError, match=r"at most 600 genomes \(option limit\), found 648"):
        ao.solve(problem, ExhaustiveSearch(record="all"))
    with pytest.raises(ValueError, match=r"with record='front', found another"):
        ao.solve(ToyLattice(), ExhaustiveSearch(record="front"))
    with pytest.raises(ValueError, match="record"):
        ExhaustiveSearch(record="best")


def test_rolled_up_nodes_have_the_same_bits():
    problem = LatticeProblem(GERMAN, ["k", "l", "glm"], k=None, bounds=[1, 0, 0, 1, 0, 0])
    nodes = ao.Lattice(problem.xu.astype(int) - problem.xl.astype(int)).nodes() + problem.xl
    nodes = nodes.astype(int)
    for most in (1, 20, 10_000):
        ahead = problem.rolled_up(most=most)
        assert ahead is not problem
        found = np.concatenate([ahead.evaluate(part) for part in np.array_split(nodes, 7)])
        np.testing.assert_array_equal(found, problem.evaluate(nodes))
    assert problem.recording(["t"]).rolled_up(most=10)._rolled_up is None
