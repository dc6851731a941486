"""Tuning: seeds and instances apart, studies that go on after a kill as unbroken ones."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from pymoo.core.variable import Choice, Integer

from anonopt import get_problem, solve
from anonopt.algorithms import get_algorithm
from anonopt.experiments import Tuning
from anonopt.experiments.performance.quality import INDICATORS, hypervolume_share
from anonopt.experiments.performance.references import exact_reference

distributions = pytest.importorskip("optuna.distributions")

SPACE = {
    "pop_size": distributions.IntDistribution(4, 40),
    "eliminate_duplicates": distributions.CategoricalDistribution([True]),
}


def tuning(**changed):
    given = {
        "algorithm": "nsga2",
        "options": SPACE,
        "train": ["german-k-glm"],
        "seeds": [3, 4],
        "budget": 30,
    }
    return Tuning(**(given | changed))


def told(study):
    return [(trial.number, trial.params, trial.value) for trial in study.trials]


def test_objective_is_the_mean_over_problems_and_seeds():
    problems = {"a": get_problem("german-k-glm"), "b": get_problem("german-k-glm", suppression=0.1)}
    tuned = tuning(train=problems)
    expected = [
        hypervolume_share(
            solve(problem, get_algorithm("nsga2", problem, pop_size=9), budget=30, seed=seed).F,
            exact_reference(problem),
        )
        for problem in problems.values()
        for seed in (3, 4)
    ]
    assert len(set(expected)) > 1
    assert tuned.objective({"pop_size": 9}) == np.mean(expected)
    assert tuned.n_runs == 4


def test_problem_without_an_exact_front_is_refused():
    problem = get_problem("german-k-glm", constraints={"k": 10**6})
    with pytest.raises(ValueError, match="expected problems with an exact front"):
        tuning(train=[problem])


def test_same_seed_same_trials_in_memory_and_resumed(tmp_path):
    unbroken = told(tuning().run_optuna(n_trials=14, seed=1))
    storage = tmp_path / "study.sqlite"
    assert told(tuning().run_optuna(n_trials=12, seed=1, storage=storage)) == unbroken[:12]
    again = tuning()
    study = again.run_optuna(n_trials=14, seed=1, storage=storage)
    assert told(study) == unbroken
    assert (again.n_runs, again.n_evaluations) == (4, 4 * 30)
    costs = [trial.user_attrs for trial in study.trials]
    cost = {"n_runs": 2, "n_evaluations": 2 * 30, "ended": {"budget reached": 2}}
    assert costs == [cost] * 14
    last = again.trials.iloc[-1].to_dict()
    assert last == study.trials[-1].params | {"value": study.trials[-1].value} | cost
    assert told(tuning().run_optuna(n_trials=14, seed=2)) != unbroken
    # Trials of the start do not look at those before them, and yet are no repetitions.
    assert len({trial[1]["pop_size"] for trial in unbroken[:8]}) > 5


KILLED = """
import os, signal, sys
from anonopt.experiments.tuning import training
from tests.experiments.tuning.test_tuning import tuning

run_here = training.run_here

def dying(jobs, problems):
    for n, ended in enumerate(run_here(jobs, problems)):
        if tuned.n_runs == 4 and n == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        yield ended

training.run_here = dying
tuned = tuning()
tuned.run_optuna(n_trials=5, seed=1, storage=sys.argv[1])
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill on this system")
def test_killed_within_a_trial_it_goes_on_as_if_unbroken(tmp_path):
    storage = f"sqlite:///{tmp_path / 'study.sqlite'}"
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, storage], env=os.environ | {"PYTHONPATH": str(Path.cwd())}
    )
    assert ended.returncode == -signal.SIGKILL
    resumed = tuning()
    study = resumed.run_optuna(n_trials=5, seed=1, storage=storage)
    assert told(study) == told(tuning().run_optuna(n_trials=5, seed=1))
    assert resumed.n_runs == 6
    assert {trial.state.name for trial in study.trials} == {"COMPLETE"}


@pytest.mark.parametrize(
    ("changed", "difference"),
    [
        ({"budget": 31}, r"runs was .*30.*, now .*31"),
        ({"seeds": [3]}, "runs was"),
        ({"indicator": "igd_plus"}, 'indicator was "hypervolume", now "igd_plus"'),
        ({"algorithm": ("nsga2", {"n_offsprings": 5})}, "n_offsprings was 50, now 5"),
        ({"algorithm": "spea2"}, 'name was "nsga2", now "spea2"'),
    ],
)
def test_study_of_another_tuning_is_refused_and_told_what_differs(changed, difference, tmp_path):
    storage = tmp_path / "study.sqlite"
    tuning().run_optuna(n_trials=1, seed=1, storage=storage)
    with pytest.raises(ValueError, match=f"study 'tuning': expected one of this.*{difference}"):
        tuning(**changed).run_optuna(n_trials=1, seed=1, storage=storage)


def test_study_of_somebody_else_is_refused(tmp_path):
    import optuna

    storage = f"sqlite:///{tmp_path / 'study.sqlite'}"
    study = optuna.create_study(storage=storage, study_name="tuning", direction="maximize")
    study.add_trial(optuna.trial.create_trial(value=1.0))
    with pytest.raises(ValueError, match="found trials of none"):
        tuning().run_optuna(n_trials=2, seed=1, storage=storage)


def test_validation_refuses_what_was_trained_on():
    with pytest.raises(ValueError, match=r"problems: expected instances apart .* found 'other'"):
        tuning().validation({}, problems={"other": get_problem("german-k-glm")}, seeds=[1])
    with pytest.raises(
        ValueError, match="seeds: expected seeds apart from those of the tuning, found 4"
    ):
        tuning().validation({}, problems=["adult-k-glm"], seeds=[9, 4])


def test_validation_compares_default_and_tuned(tmp_path):
    experiment = tuning().validation({"pop_size": 7}, problems=["adult-k-glm"], seeds=[0, 1])
    runs = experiment.run(tmp_path / "test.sqlite", workers=0)
    assert list(experiment.grid()["algorithm"]) == ["default", "default", "tuned", "tuned"]
    assert [entry.make(get_problem("adult-k-glm")).pop_size for entry in experiment.algorithms] == [
        50,
        7,
    ]
    assert set(runs.frame["status"]) == {"done"}
    (pair,) = runs.tests().within_problems.to_dict("records")
    assert (pair["problem"], pair["first"], pair["second"]) == ("adult-k-glm", "default", "tuned")
    assert (pair["n_first"], pair["n_second"]) == (2, 2)
    assert 0 < pair["p"] <= 1
    assert 0 <= pair["a12"] <= 1


@pytest.mark.parametrize("indicator", ["igd_plus", "hypervolume"])
def test_trial_that_finds_nothing_feasible_is_the_worst(indicator, tmp_path):
    problem = get_problem("german-k-glm", constraints={"k": 300})
    tuned = tuning(train=[problem], budget=4, indicator=indicator)
    nothing = INDICATORS[indicator].nothing
    study = tuned.run_optuna(n_trials=3, seed=1, storage=tmp_path / "study.sqlite")
    assert [trial.value for trial in study.trials] == [nothing] * 3
    found = tuning(options=VARIABLES, train=[problem], budget=4, indicator=indicator)
    sign = -1 if INDICATORS[indicator].maximize else 1
    assert found.run_pymoo(n_trials=3, seed=1).F.tolist() == [sign * nothing]


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"algorithm": "nsga"}, ValueError, "nsga2"),
        ({"options": {}}, ValueError, "options: expected at least one"),
        ({"options": [1]}, TypeError, "options: expected a mapping"),
        ({"options": {"pop_size": (1, 2)}}, TypeError, "option 'pop_size': expected an Optuna"),
        ({"algorithm": "pbgea", "options": {"popsize": SPACE["pop_size"]}}, ValueError, "pop_size"),
        (
            {"options": {"popsize": SPACE["pop_size"]}},
            TypeError,
            "found 'popsize'; did you mean pop_size",
        ),
        ({"train": []}, ValueError, "problems: expected at least one"),
        ({"budget": 0}, ValueError, "budget: expected"),
        ({"seeds": []}, ValueError, "seeds: expected"),
        ({"indicator": "volume"}, ValueError, "indicator: expected"),
        ({"algorithm": "kgen", "options": SPACE}, ValueError, "kgen"),
    ],
)
def test_what_is_wrong_is_told_before_any_run(changed, error, message, monkeypatch):
    monkeypatch.setattr("anonopt.experiments.tuning.training.run_here", None)
    with pytest.raises(error, match=message):
        tuning(**changed)


def test_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'anonopt\[tuning\]'"):
        tuning().run_optuna(n_trials=1, seed=1)


VARIABLES = {"pop_size": Integer(bounds=(4, 40)), "eliminate_duplicates": Choice(options=[True])}


def test_pymoo_same_seed_same_search_and_the_best_of_its_trials():
    first, second = tuning(options=VARIABLES), tuning(options=VARIABLES)
    found, again = (one.run_pymoo(n_trials=12, seed=1) for one in (first, second))
    assert (found.X, found.F.tolist()) == (again.X, again.F.tolist())
    assert first.n_runs == 12 * 2
    assert found.X["eliminate_duplicates"] is True
    assert type(found.X["pop_size"]) is int
    assert -found.F[0] == second.objective(found.X)
    # Better than the worst of the space, so that it was maximized.
    assert -found.F[0] > min(second.objective({"pop_size": size}) for size in (4, 20, 40))


def test_options_of_the_other_library_are_refused():
    with pytest.raises(TypeError, match="'pop_size': expected pymoo variables"):
        tuning().run_pymoo(n_trials=1, seed=1)
    with pytest.raises(TypeError, match="'pop_size': expected Optuna distributions"):
        tuning(options=VARIABLES).run_optuna(n_trials=1, seed=1)
