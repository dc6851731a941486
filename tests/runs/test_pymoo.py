"""pymoo's own algorithms, wrappers and output in ``solve``."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.algorithms.moo.rvea import RVEA
from pymoo.algorithms.soo.nonconvex.cmaes import CMAES
from pymoo.algorithms.soo.nonconvex.de import DE
from pymoo.algorithms.soo.nonconvex.es import ES
from pymoo.algorithms.soo.nonconvex.pso import PSO
from pymoo.constraints.as_obj import ConstraintsAsObjective
from pymoo.constraints.as_penalty import ConstraintsAsPenalty
from pymoo.constraints.eps import AdaptiveEpsilonConstraintHandling
from pymoo.constraints.from_bounds import ConstraintsFromBounds
from pymoo.core.algorithm import Algorithm
from pymoo.core.mixed import MixedVariableGA
from pymoo.core.population import Population
from pymoo.decomposition.asf import ASF
from pymoo.problems.multi_to_single import MultiToSingleObjective
from pymoo.problems.zero_to_one import ZeroToOne
from pymoo.util.display.column import Column
from pymoo.util.display.display import Display
from pymoo.util.display.output import Output

from anonopt.algorithms import PBGEA, RandomSearch, ga, nsga2
from anonopt.operators import ParetoArchive
from anonopt.problems import PRAMProblem
from anonopt.runs import resume_run, save_run, solve
from tests.contracts.toy_problems import ToyLattice
from tests.histories import assert_same_history

REFERENCES = np.array([[0.0, 1.0], [0.25, 0.75], [0.5, 0.5], [0.75, 0.25], [1.0, 0.0]])

REAL_VALUED = {
    "NSGA2": lambda: NSGA2(pop_size=8),
    "PSO": lambda: PSO(pop_size=8),
    "DE": lambda: DE(pop_size=8),
    "ES": lambda: ES(n_offsprings=8),
    "CMAES": CMAES,
}


def pram(objectives=("score_mean",), **options):
    generator = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"zone": generator.choice(list("abc"), 60), "size": generator.choice(list("SML"), 60)}
    )
    return PRAMProblem(frame, list(objectives), encoding="simplex", expected=True, **options)


@pytest.mark.parametrize("name", REAL_VALUED)
def test_real_valued_algorithms_search_matrices(name):
    problem = pram()
    one, other = (solve(problem, REAL_VALUED[name](), budget=60, seed=1) for _ in range(2))
    assert one.n_unique == 60
    assert_same_history(one.history, other.history)
    assert one.front["score_mean"][0] == one.history["score_mean"].min()
    np.testing.assert_array_equal(problem.evaluate(one.X), one.F)


def test_cmaes_writes_into_its_individuals_and_not_into_the_record():
    # It makes the objectives of infeasible solutions infinite.
    problem = pram(["IL"], constraints={"DR": 30})
    result = solve(problem, CMAES(), budget=60, seed=1)
    assert not result.history["feasible"].all()
    assert np.isfinite(result.history["IL"]).all()


def test_cmaes_takes_the_seed_that_nobody_gave():
    result = solve(pram(), CMAES(), budget=25)
    again = solve(pram(), CMAES(), budget=25, seed=result.seed)
    assert_same_history(again.history, result.history)


def test_rvea_under_a_budget():
    result = solve(pram(["IL", "DR"]), RVEA(REFERENCES), budget=40, seed=1)
    assert result.n_unique == 40
    assert result.algorithm.termination.n_max_gen == 8


def violations(problem, x):
    return np.maximum(problem.evaluate(x, return_values_of=["G"]), 0).sum(axis=1)


def test_constraints_as_objective_are_minimized_and_the_result_is_that_of_the_problem():
    problem = ToyLattice((9, 9, 9), least_privacy=200)
    wrapper = ConstraintsAsObjective(problem)
    result = solve(wrapper, nsga2(wrapper, pop_size=20), budget=200, seed=1)
    seen = result.algorithm.pop.get("F")
    assert seen.shape[1] == 3
    np.testing.assert_array_equal(seen[:, 0], violations(problem, result.algorithm.pop.get("X")))
    assert (result.front["privacy"] >= 200).all()
    np.testing.assert_array_equal(problem.evaluate(result.X, return_values_of=["F"]), result.F)
    X = result.history[list(problem.space.names)].to_numpy()
    np.testing.assert_array_equal(result.history["feasible"], violations(problem, X) == 0)


def test_nothing_feasible_is_told_of_wrappers_too():
    wrapper = ConstraintsAsObjective(ToyLattice((2, 1), least_privacy=7))
    result = solve(wrapper, RandomSearch(), seed=1)
    assert not result.success
    assert "fails privacy by 1" in result.message


def test_penalties_and_weighted_objectives_are_for_the_search_alone():
    problem = ToyLattice((9, 9, 9), objectives=("loss",), least_privacy=50)
    penalized = ConstraintsAsPenalty(problem, penalty=0.5)
    result = solve(penalized, ga(penalized, pop_size=10), budget=40, seed=1)
    assert result.front["loss"][0] == problem.evaluate(result.X)[0][0, 0]
    two = ToyLattice((9, 9, 9))
    weighted = MultiToSingleObjective(two, ASF(), {"weights": np.array([0.5, 0.5])})
    found = solve(weighted, ga(weighted, pop_size=10), budget=40, seed=1)
    assert list(found.front.columns[-2:]) == ["privacy", "loss"]
    np.testing.assert_array_equal(two.evaluate(found.X), found.F)


def test_archive_of_a_wrapped_problem_holds_the_values_of_the_problem():
    problem = ToyLattice((9, 9, 9), least_privacy=200)
    wrapper = ConstraintsAsObjective(problem)
    result = solve(
        wrapper, nsga2(wrapper, pop_size=20), budget=100, seed=1, archive=ParetoArchive()
    )
    columns = list(result.front.columns)
    pd.testing.assert_frame_equal(
        result.archive_front.sort_values(columns, ignore_index=True),
        result.front.sort_values(columns, ignore_index=True),
    )


@pytest.mark.parametrize("wrap", [ConstraintsFromBounds, ZeroToOne])
def test_wrappers_that_keep_no_values_are_refused_before_the_search(wrap):
    problem = ToyLattice()
    with pytest.raises(ValueError, match=f"problem: expected .*{wrap.__name__}"):
        solve(wrap(problem), RandomSearch(), budget=10, seed=1)


def test_wrapped_problem_is_handed_in_again_to_resume(tmp_path):
    wrapper = ConstraintsAsObjective(ToyLattice((9, 9, 9), least_privacy=200))

    def search():
        return nsga2(wrapper, pop_size=10)

    save_run(solve(wrapper, search(), budget=40, seed=1), tmp_path / "run.npz")
    with pytest.raises(ValueError, match="expected problem="):
        resume_run(tmp_path / "run.npz", algorithm=search())
    resumed = resume_run(tmp_path / "run.npz", problem=wrapper, algorithm=search(), extra=30)
    assert_same_history(resumed.history, solve(wrapper, search(), budget=70, seed=1).history)


def test_wrapped_algorithms_are_saved_and_resumed(tmp_path):
    problem, path = ToyLattice((9, 9, 9), least_privacy=200), tmp_path / "run.npz"

    def search():
        return AdaptiveEpsilonConstraintHandling(nsga2(problem, pop_size=10), perc_eps_until=0.5)

    result = solve(problem, search(), termination=5, seed=1, checkpoint=path)
    assert (result.front["privacy"] >= 200).all()
    resumed = resume_run(path, problem=problem, algorithm=search())
    assert_same_history(resumed.history, result.history)


def test_mixed_variables_are_refused_before_the_search():
    problem = ToyLattice()
    with pytest.raises(ValueError, match="genomes of levels, found those of pymoo's mixed"):
        solve(problem, MixedVariableGA(), budget=10)
    mixed = MixedVariableGA().mating
    with pytest.raises(ValueError, match="mixed variables in NSGA2"):
        solve(problem, NSGA2(mating=mixed), budget=10)
    assert problem.batches == []


@pytest.mark.parametrize("search", [PBGEA(pop_size=5), NSGA2, "preset"])
def test_verbose_prints_pymoos_table(capsys, search):
    problem = ToyLattice()
    algorithm = search
    if search is NSGA2 or search == "preset":
        algorithm = nsga2(problem, pop_size=5)
    solve(problem, algorithm, termination=3, seed=1)
    assert capsys.readouterr().out == ""
    solve(problem, algorithm, termination=3, seed=1, verbose=True)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("n_gen  |  n_eval")
    assert [line.split("|")[0].strip() for line in lines[3:]] == ["1", "2", "3"]


class Once(Algorithm):
    """Evaluates the bottom node; it has no output of its own."""

    def _initialize_infill(self):
        return Population.new("X", np.zeros((1, self.problem.n_var), dtype=np.int64))

    def _initialize_advance(self, infills=None, **kwargs):
        self.termination.force_termination = True


@pytest.mark.parametrize(
    ("objectives", "has_fronts"), [(("loss",), False), (("privacy", "loss"), True)]
)
def test_verbose_prints_the_columns_that_fit_the_objectives(capsys, objectives, has_fronts):
    problem = ToyLattice(objectives=objectives)
    solve(problem, Once(), seed=1, verbose=True)
    assert ("n_nds" in capsys.readouterr().out) is has_fronts


class OwnOutput(Output):
    """One column."""

    def __init__(self):
        super().__init__()
        self.best = Column("best", width=13)
        self.columns += [self.best]

    def update(self, algorithm):
        super().update(algorithm)
        self.best.set(float(algorithm.pop.get("F")[:, 1].min()))


def test_output_and_display_of_ones_own(capsys):
    solve(ToyLattice(), PBGEA(pop_size=5), budget=20, seed=1, verbose=True, output=OwnOutput())
    assert "best" in capsys.readouterr().out

    class Silent(Display):
        n_calls = 0

        def update(self, algorithm, **kwargs):
            self.n_calls += 1

    silent = Silent()
    solve(ToyLattice(), RandomSearch(batch_size=5), budget=20, seed=1, display=silent)
    assert silent.n_calls == 4
