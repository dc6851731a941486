"""What cannot be an experiment is told before anything runs, and leaves its file as it was."""

from __future__ import annotations

import pytest
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.operators.sampling.rnd import IntegerRandomSampling

from anonopt.algorithms.registry import UnfitError
from anonopt.experiments import load
from anonopt.experiments.grid.budgets import budgets_of, seeds_of
from tests.experiments.stores_of_tests import experiment


@pytest.mark.parametrize("wrong", ["", " ", "a\nb", "a\0b", "\ud800", 1, None])
@pytest.mark.parametrize("part", ["problems", "algorithms", "name"])
def test_names_are_printable(part, wrong):
    named = {"problems": {wrong: "german-k-glm"}, "algorithms": {wrong: "random"}, "name": wrong}
    with pytest.raises((TypeError, ValueError), match=f"{part}: expected a name"):
        experiment(**{part: named[part]})


@pytest.mark.parametrize("wrong", ["10", b"x"])
def test_texts_are_no_lists_of_numbers(wrong):
    with pytest.raises(TypeError, match=f"budget: .* found {wrong!r}"):
        budgets_of(wrong)
    with pytest.raises(TypeError, match=f"seeds: .* found {wrong!r}"):
        seeds_of(wrong)


def test_budgets_that_differ_have_names_that_do():
    names = [budget.name for budget in budgets_of([1000000, 1000001, {"seconds": 2}])]
    assert names == ["1000000 evaluations", "1000001 evaluations", "2 seconds"]


@pytest.mark.parametrize("given", [NSGA2, NSGA2(), lambda problem: NSGA2(pop_size=9)])
@pytest.mark.parametrize("name", ["german-k-glm", "german-pram", "german-pram-equations"])
def test_operators_for_other_spaces_are_refused_before_anything_runs(name, given):
    message = (
        f"algorithm 'plain' on problem '{name}': expected operators for a space of .*, "
        "found a sampling that draws"
    )
    with pytest.raises(ValueError, match=message):
        experiment(problems=[name], algorithms={"plain": given})


def test_operators_of_ones_own_that_fit_are_taken():
    fitting = NSGA2(sampling=IntegerRandomSampling())
    assert len(experiment(algorithms={"own": fitting}).grid()) == 1


def test_what_does_not_fit_is_told_with_its_problem():
    with pytest.raises(UnfitError, match="problem 'german-k-glm': ola: expected a problem of 1"):
        experiment(algorithms=["ola"])
    wrong = {"mine": ("nsga2", {"popsize": 3})}
    with pytest.raises(TypeError, match=r"'mine' on problem 'german-k-glm': .*'popsize'"):
        experiment(algorithms=wrong)


def test_limits_are_what_systems_take():
    with pytest.raises(ValueError, match=r"time_limit: .* found 1e\+300"):
        experiment(time_limit=1e300)
    with pytest.raises(ValueError, match=r"memory_limit: .* found 1180591620717411303424"):
        experiment(memory_limit=2**70)


@pytest.mark.parametrize("part", ["executor", "on_done"])
def test_run_takes_what_it_can_call(part, tmp_path):
    with pytest.raises(TypeError, match=f"{part}: expected .* found 5"):
        experiment().run(tmp_path / "none.sqlite", workers=0, **{part: 5})
    assert not list(tmp_path.iterdir())


def test_refused_experiment_adds_nothing(copied):
    with pytest.raises(ValueError, match=r"algorithm 'random'.*changed"):
        experiment(
            problems=["adult-k-glm", "german-k-glm"],
            algorithms={"random": ("random", {"batch_size": 7})},
        ).run(copied, workers=0)
    assert list(load(copied).problems) == ["german-k-glm"]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"algorithms": {"random": ("random", {"batch_size": 7})}}, "algorithm 'random'.*batch"),
        (
            {"problems": {"german-k-glm": ("german-k-glm", {"suppression": 0.02})}},
            "problem 'german-k-glm'.*suppression",
        ),
    ],
)
def test_grid_names_what_has_changed_as_the_run_does(copied, parts, message):
    assert experiment().grid(copied)["status"].tolist() == ["done"]
    for use in (experiment(**parts).grid, lambda path: experiment(**parts).run(path, workers=0)):
        with pytest.raises(ValueError, match=rf"copied\.sqlite: .*{message}"):
            use(copied)
    more = experiment(algorithms=["random", "pbgea"]).grid(copied)
    assert more["status"].tolist() == ["done", "missing"]


def test_retry_failed_is_a_flag(copied):
    with pytest.raises(TypeError, match="retry_failed: expected True or False, found 'no'"):
        experiment().run(copied, workers=0, retry_failed="no")
