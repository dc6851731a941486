"""Frames of searches without a trace, of populations, and of what is no search of a lattice."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from pymoo.core.problem import Problem

import anonopt as ao
from anonopt.visualization import Recorder, lattice_frames
from tests.visualization.lattice.steps.searches import front_problem, kgen, least_problem, pbgea


def as_tuples(X):
    return [tuple(node) for node in np.asarray(X).astype(int).tolist()]


@pytest.mark.parametrize("name", ["exhaustive", "random", "lattice-vnd"])
def test_each_evaluation_is_a_frame(name):
    problem = front_problem()
    result = ao.solve(problem, ao.get_algorithm(name, problem), budget=20, seed=2)
    *frames, last = lattice_frames(result)
    visited = as_tuples(result.history.iloc[:, 1:4])
    assert [frame.marks["looked at"] for frame in frames] == [(node,) for node in visited]
    for number, frame in enumerate(frames, start=1):
        assert dict(frame.order) == {node: i for i, node in enumerate(visited[:number], start=1)}
        assert frame.n_evaluations == number
    assert set(last.marks["answer"]) == set(as_tuples(result.X))


def test_front_of_a_frame_is_that_of_the_evaluations_so_far():
    problem = front_problem()
    result = ao.solve(problem, ao.algorithms.RandomSearch(), budget=12, seed=3)
    values = result.history[["k", "glm"]].to_numpy()
    nodes = as_tuples(result.history.iloc[:, 1:4])
    for number, frame in enumerate(lattice_frames(result)[:-1], start=1):
        seen = values[:number]
        best = {
            nodes[i]
            for i, (k, glm) in enumerate(seen)
            if not any(
                (other[0] >= k and other[1] <= glm) and (other[0] > k or other[1] < glm)
                for other in seen
            )
        }
        assert set(frame.marks["front"]) == best


@pytest.mark.parametrize("name", ["greedy", "level-search"])
def test_searches_of_one_objective_say_what_is_better(name):
    problem = least_problem()
    result = ao.solve(problem, ao.get_algorithm(name, problem), budget=15, seed=1)
    frames = lattice_frames(result)
    losses = result.history["generalization_level"].to_numpy()
    feasible = result.history["feasible"].to_numpy()
    best = np.inf
    for loss, ok, frame in zip(losses, feasible, frames, strict=False):
        improves = ok and loss < best - 1e-12
        assert ("better than all before" in frame.text or "the first" in frame.text) == improves
        best = min(best, loss) if ok else best


def test_recorder_changes_nothing():
    for problem, search in (
        (least_problem(), ao.algorithms.KGEN(pop_size=6, n_generations=4, bounds=None)),
        (front_problem(), ao.algorithms.PBGEA(pop_size=6, n_generations=4)),
    ):
        alone = ao.solve(problem, search, seed=5)
        followed = ao.solve(problem, search, seed=5, callback=Recorder())
        columns = alone.history.columns.drop("seconds")
        assert alone.history[columns].equals(followed.history[columns])
        assert alone.algorithm.history().equals(followed.algorithm.history())


def test_recorder_keeps_population_archive_and_matings():
    recorder = Recorder()
    result = ao.solve(
        front_problem(),
        ao.algorithms.PBGEA(pop_size=6, n_generations=4, eps=[2.0, 10.0]),
        seed=1,
        callback=recorder,
    )
    generations = recorder.generations
    assert [one.number for one in generations] == [0, 1, 2, 3, 4]
    assert generations[0].matings == ()
    assert list(generations[-1].population) == as_tuples(result.algorithm.pop.get("X"))
    assert list(generations[-1].archive) == as_tuples(
        result.algorithm.archive.population().get("X")
    )
    assert generations[-1].n_evaluations == result.n_unique
    assert recorder.box_sides.tolist() == [2.0, 10.0]
    for before, after in itertools.pairwise(generations):
        assert len(after.matings) == 3
        possible = {*before.population, *before.archive}
        for mating in after.matings:
            assert set(mating.parents) <= possible
            assert set(mating.children) <= set(after.population)
    ao.solve(front_problem(), ao.algorithms.PBGEA(pop_size=4, n_generations=1), callback=recorder)
    assert len(recorder.generations) == 2


def test_frames_of_kgen_follow_its_crossover():
    result = kgen()
    recorder = next(one for one in result.algorithm.callback.callbacks)
    frames = lattice_frames(result, matings=3)
    problem = least_problem()
    shown = [frame for frame in frames if "mating" in frame.text]
    matings = [mating for one in recorder.generations for mating in one.matings]
    assert len(shown) == len(matings) == 4 * 3
    for frame, mating in zip(shown, matings, strict=True):
        assert frame.marks["parents"] == mating.parents
        assert frame.marks["children"] == mating.children
        suppressed = problem.evaluator.suppressed_rows(np.array(mating.parents))
        assert mating.feasible == tuple((suppressed == 0).tolist())
        for child in mating.children:
            assert frame.states[child] in {"feasible", "infeasible"}
        low, high = np.min(mating.parents, axis=0), np.max(mating.parents, axis=0)
        for node in mating.crossed:
            assert (low <= node).all() and (np.array(node) <= high).all()
        if not any(mating.feasible) and mating.crossed != mating.parents:
            assert mating.crossed[0] == tuple(high)
            assert f"their maximum node {tuple(high.tolist())}" in frame.text


def test_ends_of_generations_show_population_and_archive():
    result = pbgea()
    recorder = result.algorithm.callback.callbacks[1]
    ends = [
        frame
        for frame in lattice_frames(result)
        if frame.text.startswith(("First population", "End of generation"))
    ]
    for frame, one in zip(ends, recorder.generations, strict=True):
        assert frame.marks["population"] == one.population
        assert frame.marks["archive"] == one.archive
        assert len(frame.order) == frame.n_evaluations == one.n_evaluations
    assert [f.step for f in lattice_frames(result, matings=0)] == list(range(1, 7))


def test_every_thins_out_but_keeps_the_last():
    frames = lattice_frames(kgen())
    thin = lattice_frames(kgen(), every=5)
    assert [one.text for one in thin] == [
        *(frame.text for frame in frames[4::5]),
        *([] if len(frames) % 5 == 0 else [frames[-1].text]),
    ]
    assert [one.step for one in thin] == list(range(1, len(thin) + 1))


def test_algorithm_of_a_loop_of_ones_own_has_frames():
    problem = front_problem()
    algorithm = ao.algorithms.PBGEA(pop_size=6, n_generations=2)
    algorithm.setup(problem, seed=1, callback=Recorder())
    while algorithm.has_next():
        algorithm.next()
    frames = lattice_frames(algorithm)
    assert frames[0].text.startswith("First population")
    assert set(frames[-1].marks["answer"]) <= set(as_tuples(algorithm.opt.get("X")))


def test_any_problem_of_whole_numbers_has_a_lattice():
    class Far(Problem):
        def __init__(self):
            super().__init__(n_var=2, n_obj=1, xl=[1, 0], xu=[3, 2], vtype=int)

        def _evaluate(self, X, out, *args, **kwargs):
            out["F"] = X.sum(axis=1)

    algorithm = ao.algorithms.ExhaustiveSearch()
    algorithm.setup(Far(), seed=1)
    while algorithm.has_next():
        algorithm.next()
    assert lattice_frames(algorithm)[-1].marks["answer"] == ((1, 0),)


def test_what_is_no_search_of_a_lattice_is_refused():
    with pytest.raises(TypeError, match="expected a Result"):
        lattice_frames("ola")
    with pytest.raises(ValueError, match="was not set up"):
        lattice_frames(ao.algorithms.OLA())
    problem = ao.get_problem("german-pram", objectives=["score_mean"], expected=True)
    result = ao.solve(problem, ao.algorithms.PRAMEA(n_generations=1), seed=1)
    with pytest.raises(ValueError, match="genomes are levels, found one of matrices"):
        lattice_frames(result)
    with pytest.raises(ValueError, match="every"):
        lattice_frames(kgen(), every=0)
    with pytest.raises(ValueError, match="matings"):
        lattice_frames(kgen(), matings=-1)
