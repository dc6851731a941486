"""What the list of algorithms says of a problem holds: what fits runs, the others are refused."""

from __future__ import annotations

import inspect
import subprocess
import sys
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pymoo.core.problem import Problem

import anonopt as ao
from anonopt.algorithms import ALGORITHMS, PBGEA, get_algorithm, list_algorithms
from anonopt.algorithms.population import random_search
from anonopt.masking.starting_files import FileCounts
from anonopt.problems import LatticeProblem
from tests.contracts.toy_problems import ToyLattice

ONE_LOSS = {"objectives": ["height"], "k": 3}
EXPECTED = {"expected": True}
SCORE = {"objectives": ["score_max"]}
FEW_FILES = {"n_files": FileCounts(6, 1, 1, 1, 1, 1)}
TWO_LOSSES = {"objectives": ["glm", "discernibility"]}

PROBLEMS: dict[str, tuple[str, dict[str, Any]]] = {
    "lattice": ("german-k-glm", {}),
    "lattice of one objective": ("german-k-glm", {"objectives": ["glm"]}),
    "lattice under a fixed k": ("german-k-glm", ONE_LOSS),
    "lattice under a fixed k with a bound": ("german-k-glm", {**ONE_LOSS, "constraints": {"l": 1}}),
    "loss that can improve": ("german-k-glm", {"objectives": ["cm"], "k": 3}),
    "random keys": ("patients-local-glm", TWO_LOSSES),
    "random keys of one objective": ("patients-local-glm", {}),
    "local recodings": ("german-groups-glm", TWO_LOSSES),
    "local recodings of one objective": ("patients-groups-glm", {}),
    "masked file": ("german-masking", FEW_FILES),
    "masked file of one objective": ("german-masking", {**FEW_FILES, **SCORE}),
    "matrices": ("german-pram", EXPECTED),
    "matrices of one objective": ("german-pram", {**EXPECTED, **SCORE}),
    "real matrices": ("german-pram", {**EXPECTED, **SCORE, "encoding": "simplex"}),
    "equations": ("german-pram-equations", EXPECTED),
    "equations of one objective": ("german-pram-equations", {**EXPECTED, **SCORE}),
    "graph": ("graph-small", {}),
    "graph of one objective": ("graph-small", {"objectives": ["IL"]}),
}
BUDGET = 12
SMALL = {"pop_size": 8, "batch_size": 8}

every_problem = pytest.mark.parametrize("kind", PROBLEMS)


@cache
def problem_of(kind: str) -> Any:
    name, options = PROBLEMS[kind]
    return ao.get_problem(name, **options)


@cache
def listed(kind: str) -> pd.DataFrame:
    return list_algorithms(problem_of(kind))


def small(name: str, problem: Problem) -> Any:
    """An algorithm with a population or batch that fits the budget, if it has one."""
    known = inspect.signature(ALGORITHMS[name].load()).parameters
    return get_algorithm(name, problem, **{k: v for k, v in SMALL.items() if k in known})


@every_problem
@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.filterwarnings("ignore:invalid value encountered in divide")  # SPEA2 of pymoo
def test_what_fits_runs_and_what_does_not_is_refused_at_once(kind, name, monkeypatch):
    problem, table = problem_of(kind), listed(kind)
    # Random keys seldom become another recoding.
    monkeypatch.setattr(random_search, "MAX_REPEATS", 50)
    if table.loc[name, "fits"]:
        result = ao.solve(problem, small(name, problem), budget=BUDGET, seed=1)
        assert 1 <= result.n_unique <= BUDGET
        assert table.loc[name, "reason"] == ""
        return

    def evaluated(*args: Any) -> None:
        pytest.fail("it was evaluated")

    monkeypatch.setattr(problem, "_evaluate", evaluated)
    fitting = table.index[table["fits"]]
    with pytest.raises(ValueError, match=f"^{name}: expected .*, found .*") as refusal:
        get_algorithm(name, problem)
    message = str(refusal.value)
    assert table.loc[name, "reason"] in message
    assert message.endswith(f"(algorithms that fit: {', '.join(fitting)})")
    maker = ALGORITHMS[name].load()
    if isinstance(maker, type):
        with pytest.raises(ValueError, match=f"^{maker.__name__}: expected .*") as refusal:
            ao.solve(problem, maker(), budget=BUDGET, seed=1)
        assert table.loc[name, "reason"] in str(refusal.value)
    else:
        with pytest.raises(ValueError, match=f"^{name}: expected "):
            maker(problem)


@every_problem
def test_every_problem_has_a_search_and_those_that_fit_come_first(kind):
    table = listed(kind)
    assert sorted(table.index) == sorted(ALGORITHMS)
    assert table["fits"].iloc[0]
    assert table["fits"].is_monotonic_decreasing
    assert (table["fits"] == (table["reason"] == "")).all()


def test_options_decide_what_fits():
    problem = problem_of("lattice under a fixed k")
    with pytest.raises(ValueError, match=r"ola: expected at most 5 nodes \(option limit\)"):
        get_algorithm("ola", problem, limit=5)
    with pytest.raises(ValueError, match="exhaustive: expected a search space of at most 5 "):
        get_algorithm("exhaustive", problem, limit=5)


def test_plain_pymoo_problems_need_whole_bounds():
    class Whole(Problem):
        def _evaluate(self, X: Any, out: dict[str, Any], *args: Any, **kwargs: Any) -> None:
            out["F"] = X.sum(axis=1, keepdims=True)

    fits = list_algorithms(Whole(n_var=2, n_obj=1, xl=0, xu=3, vtype=int))["fits"]
    assert fits[["pbgea", "exhaustive", "ga", "kgen", "level-search"]].all()
    assert not fits[["ola", "nsga2", "pramgp"]].any()
    reasons = list_algorithms(Whole(n_var=2, n_obj=1, xl=0, xu=0.5, vtype=float))["reason"]
    assert reasons.str.contains("whole numbers").all()


def test_knowledge_of_the_evaluator_is_not_applied_to_values_of_a_subclass():
    class Reversed(LatticeProblem):
        """Less is more: the loss falls where the evaluator's rises."""

        def _values(self, X: Any) -> Any:
            values, G = super()._values(X)
            return 100 - values, G

    table = problem_of("lattice under a fixed k").table
    problem = Reversed(table, ["height"], k=3, suppression=0.1)
    listed = list_algorithms(problem)
    assert listed["reason"]["ola"].startswith("expected a LatticeProblem with the values of its ")
    best = ao.solve(problem, get_algorithm("exhaustive", problem), seed=1).F.min()
    for name in ("lattice-vnd", "level-search", "kgen", "pbgea"):
        result = ao.solve(problem, get_algorithm(name, problem), budget=400, seed=1)
        assert result.F.min() >= best
        assert result.F.min() == pytest.approx(best, abs=4)


@pytest.mark.parametrize("kind", ["masked file", "matrices", "real matrices", "equations", "graph"])
def test_pbgea_and_random_search_use_the_operators_of_the_space(kind):
    problem = problem_of(kind)
    result = ao.solve(problem, PBGEA(pop_size=6, eps=0.1), budget=30, seed=1)
    algorithm, space = result.algorithm, problem.space
    assert type(algorithm.crossover) is type(space.crossover())
    assert type(algorithm.mutation) is type(space.mutation())
    assert result.n_unique == 30
    assert len(algorithm.archive) == len(algorithm.opt)
    drawn = ao.solve(problem, get_algorithm("random", problem), budget=30, seed=1)
    again = ao.solve(problem, get_algorithm("random", problem), budget=30, seed=1)
    assert drawn.n_evaluations == drawn.n_unique == 30
    np.testing.assert_array_equal(drawn.F, again.F)


def test_a_search_brings_no_other_family():
    code = """
import sys
import anonopt as ao
problem = ao.get_problem("german-k-glm")
ao.solve(problem, ao.algorithms.PBGEA(pop_size=5), budget=5, seed=1)
print([name for name in sys.modules if name.startswith("anonopt.algorithms.")])
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for family in ("exact", "local", "masking", "population.presets", "population.kgen", "toolbox"):
        assert f"anonopt.algorithms.{family}" not in run.stdout
    assert "anonopt.algorithms.population.pbgea" in run.stdout


def test_own_algorithms_are_listed_and_refused_alike():
    class Lazy(ao.algorithms.RandomSearch):
        """Draws one at a time."""

        def __init__(self) -> None:
            super().__init__(batch_size=1)

    ao.register("algorithms", "lazy", Lazy, spaces="levels", stochastic=True)
    try:
        assert list_algorithms().loc["lazy", ["summary", "spaces"]].tolist() == [
            "Draws one at a time.", "levels",
        ]  # fmt: skip
        toy = ToyLattice()
        assert ao.solve(toy, get_algorithm("lazy", toy), budget=3, seed=1).n_evaluations == 3
        with pytest.raises(ValueError, match="lazy: expected a space of levels, found trees"):
            get_algorithm("lazy", problem_of("equations"))
    finally:
        del ALGORITHMS._entries["lazy"]
    with pytest.raises(TypeError, match="algorithm 'dict': expected a class of pymoo Algorithms"):
        ao.register("algorithms", "dict", dict)
