"""Grids: how problems, algorithms, seeds and budgets are handed in, and what is refused."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.algorithms.moo.rvea import RVEA

import anonopt as ao
from anonopt.algorithms import PBGEA, RandomSearch
from anonopt.experiments import Experiment
from anonopt.experiments.execution import estimates
from anonopt.experiments.grid.descriptions import changes, parameters_of
from tests.experiments.grid.own_parts import Sides, Slow, make_nothing, make_random, sides


def grid_of(**parts):
    whole = {"problems": [Sides()], "algorithms": ["random"], "seeds": [0], "budget": 10} | parts
    return Experiment(**whole)


@pytest.fixture
def registered():
    ao.register("algorithms", "slow", Slow, spaces="levels")
    return "slow"


def test_every_combination_is_a_run():
    experiment = grid_of(
        problems={"one": Sides(), "two": sides, "three": "german-k-glm"},
        algorithms=["random", "pbgea"],
        seeds=range(3),
        budget=[5, {"generations": 2}],
    )
    grid = experiment.grid()
    assert repr(experiment).startswith(f"Experiment('experiment', {len(grid)} runs: ")
    assert len(grid) == len(grid.drop_duplicates()) == 3 * 2 * 3 * 2
    assert grid["budget"].unique().tolist() == ["5 evaluations", "2 generations"]
    assert grid["seed"].head(3).tolist() == [0, 1, 2]


def test_problems_are_names_options_objects_and_functions():
    german = ao.get_problem("german-k-glm")
    experiment = grid_of(
        problems=["adult-k-glm", german, Sides()],
    )
    assert experiment.grid()["problem"].tolist() == ["adult-k-glm", "german-k-glm", "Sides"]
    assert [entry.catalogue_name for entry in experiment.problems] == [
        "adult-k-glm", "german-k-glm", None,
    ]  # fmt: skip
    strict = grid_of(problems={"strict": ("german-k-glm", {"suppression": 0.02})}).problems[0]
    assert strict.name == "strict" and strict.catalogue_name is None
    made = json.loads(strict.made_by())
    assert made["name"] == "german-k-glm" and made["options"] == {"suppression": 0.02}


def test_algorithms_are_names_options_objects_classes_functions_and_pymoo_s(registered):
    own = PBGEA(pop_size=8)
    operators = Sides().space.operators()
    experiment = grid_of(
        algorithms={
            "name": "pbgea",
            "options": ("pbgea", {"pop_size": 8}),
            "object": own,
            "class": Slow,
            "function": make_random,
            "registered": registered,
            "pymoo": NSGA2(pop_size=8, **operators),
        },
        budget=20,
    )
    made = {
        entry.name: entry.make(experiment.problems[0].problem) for entry in experiment.algorithms
    }
    assert [made[name].pop_size for name in ("options", "object", "pymoo")] == [8, 8, 8]
    assert type(made["class"]) is type(made["registered"]) is Slow
    assert isinstance(made["function"], RandomSearch)


def test_names_without_a_mapping_tell_the_options():
    found = grid_of(algorithms=["pbgea", ("pbgea", {"pop_size": 8}), RandomSearch(), make_random])
    assert [entry.name for entry in found.algorithms] == [
        "pbgea", "pbgea(pop_size=8)", "RandomSearch", "make_random",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("parts", "error", "message"),
    [
        ({"problems": []}, ValueError, "problems: expected at least one, found none"),
        ({"problems": ["germn-k-glm"]}, ValueError, "did you mean german-k-glm"),
        ({"problems": "german-k-glm"}, TypeError, "problems: expected a list, or a mapping"),
        ({"problems": [5]}, TypeError, "problems: expected a name"),
        ({"problems": [Sides(), Sides()]}, ValueError, "found 'Sides' twice"),
        (
            {"problems": {"g": ("german-k-glm", {"suppresion": 1})}},
            ValueError,
            "problem 'g': unknown option 'suppresion'; did you mean suppression",
        ),
        ({"algorithms": []}, ValueError, "algorithms: expected at least one, found none"),
        ({"algorithms": ["pbgae"]}, ValueError, "unknown algorithm 'pbgae'; did you mean pbgea"),
        ({"algorithms": ["random", "random"]}, ValueError, "found 'random' twice"),
        ({"algorithms": [5]}, TypeError, "algorithm 'int': expected a name, a pair"),
        ({"algorithms": [("pbgea",)]}, TypeError, "expected a name, a pair"),
        (
            {"algorithms": {"a": ("pbgea", {"pop_siz": 1})}},
            ValueError,
            "algorithm 'a': unknown option 'pop_siz'; did you mean pop_size",
        ),
        ({"algorithms": {"a": ("pbgea", {"pop_size": 0})}}, ValueError, "pop_size"),
        (
            {"algorithms": {"a": ("nsga2", {"popsize": 8})}},
            TypeError,
            "options: expected those of pymoo's NSGA2, found 'popsize'; did you mean pop_size?",
        ),
        *(
            (
                {"algorithms": {"a": (name, {option: 1})}},
                ValueError,
                f"algorithm 'a': expected no option '{option}', as ",
            )
            for name, option in (
                ("nsga2", "seed"),
                ("nsga2", "termination"),
                ("nsga3", "save_history"),
                ("pbgea", "seed"),
                ("random", "verbose"),
                ("nsga2", "problem"),
            )
        ),
        ({"algorithms": ["ola"]}, ValueError, "ola: expected"),
        ({"algorithms": ["masking-ea"]}, ValueError, "masking-ea: expected"),
        ({"algorithms": [make_nothing]}, TypeError, "to make an algorithm, found 'random'"),
        ({"seeds": []}, ValueError, "seeds: expected at least one, found none"),
        ({"seeds": 3}, TypeError, "seeds: expected a list of whole numbers or a range"),
        ({"seeds": [-1]}, ValueError, "seeds: expected a whole number of at least 0"),
        ({"seeds": [2**63]}, ValueError, "seeds: expected a whole number"),
        ({"seeds": [0.5]}, TypeError, "seeds: expected a whole number"),
        ({"seeds": [1, 1]}, ValueError, "found 1 twice"),
        ({"budget": 0}, ValueError, "budget: expected a whole number of at least 1, found 0"),
        ({"budget": []}, ValueError, "budget: expected at least one, found none"),
        ({"budget": {}}, ValueError, "budget: expected one of evaluations, tests"),
        ({"budget": "many"}, TypeError, "budget: expected a whole number"),
        ({"budget": [5, {"evaluations": 5}]}, ValueError, "found '5 evaluations' twice"),
        ({"budget": {"evals": 5}}, ValueError, "did you mean evaluations"),
        ({"budget": {"seconds": 0}}, ValueError, "budget seconds: expected a number above 0"),
        ({"budget": {"generations": 0}}, ValueError, "budget generations: expected"),
        ({"budget": [5, 0]}, ValueError, "budget: expected a whole number of at least 1, found 0"),
        ({"budget": [5, {"seconds": -1}]}, ValueError, "budget seconds: expected a number above"),
        ({"budget": {"tests": 5}}, ValueError, "budget tests: expected algorithms that test"),
        ({"time_limit": 0}, ValueError, "time_limit: expected a number above 0"),
        ({"memory_limit": 0}, ValueError, "memory_limit: expected a whole number"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_runs(parts, error, message):
    with pytest.raises(error, match=re.escape(message)):
        grid_of(**parts)


def test_budget_of_tests_is_for_searches_that_test():
    fixed = ao.get_problem("german-k-glm", objectives=["height"], k=5)
    experiment = grid_of(problems={"fixed": fixed}, algorithms=["ola"], budget={"tests": 7})
    assert experiment.grid()["budget"].tolist() == ["7 tests"]


def test_estimate_is_of_one_run_of_each_cell():
    estimate = grid_of(
        algorithms={"fast": "random", "slow": Slow},
        budget=[{"generations": 10}, {"generations": 10, "seconds": 0.01}],
        seeds=range(9),
    ).estimate()
    seconds = estimate.set_index(["algorithm", "budget"])["seconds"]
    assert len(seconds) == 4
    # Ten tenths of a second, as far as two short runs tell where much else runs.
    assert 0.5 <= seconds["slow", "10 generations"] < 5
    assert seconds["slow", "10 generations, 0.01 seconds"] == 0.01


def test_estimate_continues_the_line_through_two_short_runs(monkeypatch):
    monkeypatch.setattr(estimates, "_timed", lambda *cell: 0.5 + 0.01 * cell[-1].evaluations)
    estimate = grid_of(budget=[20, 1000]).estimate()
    seconds = estimate.groupby("budget", sort=False)["seconds"].agg(["min", "max"])
    assert seconds.to_numpy().tolist() == [
        pytest.approx([0.7, 0.7]),
        pytest.approx([10.5, 10.5]),
    ]


def test_parameters_tell_operators_and_their_numbers():
    problem = ao.get_problem("german-k-glm")
    one, other = (
        ao.algorithms.nsga2(problem, mutation=ao.operators.StepMutation(prob_var=p))
        for p in (0.1, 0.2)
    )
    first, second = parameters_of(one), parameters_of(other)
    assert first != second and first == parameters_of(one)
    assert "code" not in first and "code" in parameters_of(Slow())


def test_changes_are_named():
    old = '{"options": {"pop_size": 40}, "class": "a"}'
    assert changes(old, old) == ""
    assert changes(old, '{"options": {}, "class": "b"}') == (
        'options.pop_size was 40, now null; class was "a", now "b"'
    )


@pytest.mark.parametrize("budget", [{"seconds": 1.5}, [10, {"seconds": 1.5}]])
def test_budget_by_which_an_algorithm_cannot_plan_is_refused(budget):
    def rvea(problem):
        return RVEA(np.eye(2), pop_size=4, **problem.space.operators())

    parts = {"problems": [Sides()], "algorithms": {"r": rvea}, "seeds": [0]}
    with pytest.raises(ValueError, match=r"by which 'r' plans its search, found 1\.5 seconds"):
        Experiment(**parts, budget=budget)
    assert len(Experiment(**parts, budget={"seconds": 1.5, "generations": 2}).grid()) == 1
