"""Saved runs: what is in the file, how it is written, and that going on is as never stopping."""

from __future__ import annotations

import errno
import io
import json
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import time
import zipfile
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pandas as pd
import pytest
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.termination import TerminateIfAny
from pymoo.termination import get_termination

import anonopt as ao
from anonopt.algorithms import PBGEA, ExhaustiveSearch, RandomSearch, nsga2
from anonopt.measures import Measure
from anonopt.operators import (
    ParetoArchive,
    ResetMutation,
    SinglePointCrossover,
    StepMutation,
    UniformSampling,
)
from anonopt.problems import LatticeProblem
from anonopt.runs import resume_run, save_run
from anonopt.runs.saving.saved_run import read_run, write_run
from tests.contracts.toy_problems import ToyLattice
from tests.histories import assert_same_history
from tests.repository import ROOT


class CountingToy(ToyLattice):
    """Counts the genomes that are really evaluated."""

    def n_measured(self) -> int:
        return sum(len(X) for X in self.batches)


class RunInterruptedError(Exception):
    """Stands for whatever ends a process."""


def interrupt_after(n_generations: int):
    def stop(algorithm):
        if algorithm.n_gen == n_generations:
            raise RunInterruptedError

    return stop


def assert_same_run(one, other):
    pd.testing.assert_frame_equal(one.front, other.front, check_exact=True)
    assert_same_history(one.history, other.history)
    np.testing.assert_array_equal(one.X, other.X)
    np.testing.assert_array_equal(one.F, other.F)
    for name in ("n_evaluations", "n_unique", "seed", "message", "success"):
        assert getattr(one, name) == getattr(other, name)
    mine, theirs = one.algorithm, other.algorithm
    assert mine.n_iter == theirs.n_iter
    assert mine.random_state.bit_generator.state == theirs.random_state.bit_generator.state
    for attribute in ("X", "F", "G"):
        np.testing.assert_array_equal(mine.pop.get(attribute), theirs.pop.get(attribute))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.npz"


def test_20_generations_and_10_more_are_30(path):
    problem = ToyLattice((9, 9, 9, 9), least_privacy=20)
    save_run(ao.solve(problem, PBGEA(pop_size=8), termination=("n_gen", 20), seed=4), path)
    resumed = resume_run(path, problem=problem, extra=("n_gen", 10))
    through = ao.solve(problem, PBGEA(pop_size=8), termination=("n_gen", 30), seed=4)
    assert_same_run(resumed, through)
    assert through.n_evaluations == 240


@pytest.mark.parametrize("budget", [300, 304])
def test_budget_of_300_and_200_more_is_500(path, budget):
    problem = ToyLattice((9, 9, 9, 9))
    save_run(ao.solve(problem, nsga2(problem, pop_size=16), budget=budget, seed=4), path)
    resumed = resume_run(path, problem=problem, extra=500 - budget)
    through = ao.solve(problem, nsga2(problem, pop_size=16), budget=500, seed=4)
    assert_same_run(resumed, through)
    assert through.n_unique == 500


def test_saved_values_are_not_measured_again(path):
    problem = CountingToy((9, 9, 9))
    save_run(ao.solve(problem, PBGEA(), budget=100, seed=1), path)
    problem.batches.clear()
    assert resume_run(path, problem=problem, extra=30).n_unique == 130
    assert problem.n_measured() == 30


def test_clock_goes_on_where_the_run_was_interrupted(path):
    problem = ToyLattice((9, 9, 9))
    search = RandomSearch(batch_size=10)
    short = ao.solve(problem, search, budget=50, seed=1)
    save_run(short, path)
    saved = read_run(path)
    np.testing.assert_array_equal(saved.seconds, short.history["seconds"])
    # As if each of them had taken an hour.
    write_run(replace(saved, seconds=np.arange(1, 51) * 3600.0), path)
    seconds = resume_run(path, problem=problem, extra=25).history["seconds"].to_numpy()
    assert seconds[:50].tolist() == (np.arange(1, 51) * 3600.0).tolist()
    assert (np.diff(seconds[49:]) >= 0).all()
    assert 50 * 3600 < seconds[50] < seconds[-1] < 50 * 3600 + 60


def test_archive_gets_the_whole_run(path):
    problem = ToyLattice((9, 9, 9))
    save_run(ao.solve(problem, PBGEA(pop_size=10), budget=50, seed=1), path)
    archive = ParetoArchive()
    resumed = resume_run(path, problem=problem, extra=50, archive=archive)
    through = ao.solve(problem, PBGEA(pop_size=10), budget=100, seed=1, archive=archive)
    assert resumed.archive.keys == through.archive.keys
    assert len(archive) == 0


def test_it_can_be_saved_and_resumed_again_and_again(path):
    problem = ToyLattice((9, 9, 9))
    save_run(ao.solve(problem, PBGEA(pop_size=10), budget=50, seed=1), path)
    for _ in range(3):
        save_run(resume_run(path, problem=problem, extra=25), path)
    save_run(resume_run(path, problem=problem, extra=("n_gen", 2)), path)
    resumed = resume_run(path, problem=problem, extra=10)
    through = ao.solve(problem, PBGEA(pop_size=10), budget=resumed.n_unique, seed=1)
    assert_same_history(resumed.history, through.history)
    assert resumed.n_unique > 135


def test_finished_run_without_extra_is_the_same_run(path):
    problem = ToyLattice()
    for options in ({"budget": 20}, {"termination": ("n_gen", 3)}, {}):
        result = ao.solve(problem, PBGEA(pop_size=5), seed=2, **options)
        save_run(result, path)
        assert_same_run(resume_run(path, problem=problem), result)


def test_extra_stands_in_for_the_limit_that_ended_the_run(path):
    problem = ToyLattice((9, 9, 9))
    algorithm = PBGEA(pop_size=10, n_generations=3)
    save_run(ao.solve(problem, algorithm, seed=1), path)
    by_evaluations = resume_run(path, problem=problem, extra=100)
    assert by_evaluations.message == "budget reached"
    assert resume_run(path, problem=problem, extra=("n_gen", 1)).n_evaluations == 50
    save_run(ao.solve(problem, algorithm, budget=20, seed=1), path)
    # The four iterations did not end it, so they hold.
    assert_same_run(
        resume_run(path, problem=problem, extra=1000),
        ao.solve(problem, algorithm, budget=1020, seed=1),
    )
    by_generations = resume_run(path, problem=problem, extra=("n_gen", 5))
    assert by_generations.message == "algorithm finished"
    assert by_generations.n_evaluations == 10 * (read_run(path).n_generations + 5)


@pytest.mark.parametrize(
    "extra", [0, -3, True, ("n_gen", 0), ("n_evals", 5), ("n_gen",), ("n_gen", 1, 2)]
)
def test_extra_out_of_its_range_is_refused(path, extra):
    problem = ToyLattice()
    save_run(ao.solve(problem, PBGEA(), budget=20, seed=1), path)
    with pytest.raises((TypeError, ValueError), match="extra: expected"):
        resume_run(path, problem=problem, extra=extra)


def test_named_problem_and_algorithm_are_made_again(path):
    problem = ao.get_problem("german-k-glm", suppression=0.02)
    algorithm = PBGEA(pop_size=np.int64(10), eps=np.array([1.0, 50.0]), prob_mutation=0.3)
    save_run(ao.solve(problem, algorithm, budget=60, seed=1), path)
    through = ao.solve(problem, algorithm, budget=90, seed=1)
    assert_same_run(resume_run(path, extra=30), through)


def test_seed_nobody_gave_is_kept(path):
    problem = ToyLattice((9, 9, 9))
    save_run(ao.solve(problem, RandomSearch(), budget=50), path)
    resumed = resume_run(path, problem=problem, extra=20)
    assert 0 <= resumed.seed < 2**32
    assert_same_run(resumed, ao.solve(problem, RandomSearch(), budget=70, seed=resumed.seed))


def pymoo_nsga2():
    return NSGA2(
        pop_size=10,
        sampling=UniformSampling(),
        crossover=SinglePointCrossover(),
        mutation=StepMutation(),
    )


@pytest.mark.parametrize("make", [pymoo_nsga2, lambda: PBGEA(mutation=ResetMutation(prob_var=0.2))])
def test_algorithm_without_a_name_is_handed_in_again(path, make):
    problem = ToyLattice((9, 9, 9))
    save_run(ao.solve(problem, make(), budget=60, seed=1), path)
    with pytest.raises(ValueError, match="expected algorithm=<the algorithm of the run>"):
        resume_run(path, problem=problem, extra=30)
    resumed = resume_run(path, problem=problem, algorithm=make(), extra=30)
    assert_same_run(resumed, ao.solve(problem, make(), budget=90, seed=1))


def test_another_algorithm_is_noticed(path):
    problem = ToyLattice((9, 9, 9))
    save_run(ao.solve(problem, PBGEA(), budget=60, seed=1), path)
    for other in (PBGEA(pop_size=24), RandomSearch(), ExhaustiveSearch()):
        with pytest.raises(ValueError, match=r"run\.npz: the algorithm does not repeat .*pymoo"):
            resume_run(path, problem=problem, algorithm=other, extra=30)
    with pytest.raises(ValueError, match="ended after 25 of 60 saved evaluations"):
        resume_run(path, problem=problem, termination=("n_gen", 1))


def test_subclass_does_not_pass_for_the_registered_algorithm(path):
    class Mine(PBGEA):
        pass

    problem = ToyLattice()
    save_run(ao.solve(problem, Mine(), budget=10, seed=1), path)
    with pytest.raises(ValueError, match="expected algorithm="):
        resume_run(path, problem=problem)


def test_another_problem_is_refused(path):
    problem = ToyLattice(least_privacy=3)
    save_run(ao.solve(problem, PBGEA(), budget=10, seed=1), path)
    others = [
        ToyLattice(least_privacy=4),
        ToyLattice(),
        ToyLattice((5, 3, 3), least_privacy=3),
        ToyLattice(objectives=("privacy", "spread"), least_privacy=3),
    ]
    for other in others:
        with pytest.raises(ValueError, match=r"run\.npz: expected the problem of the saved run"):
            resume_run(path, problem=other)
    with pytest.raises(ValueError, match="expected problem=<the problem of the run>"):
        resume_run(path)
    with pytest.raises(TypeError, match="AnonymizationProblem, found str"):
        resume_run(path, problem="adult-k-glm")


def small_table():
    frame = pd.DataFrame({"age": [20, 21, 30, 31, 40, 41], "sex": list("MFMFMF")})
    age = ao.Hierarchy.intervals(range(20, 50), width=10, fan_outs=[2])
    return ao.Microdata(
        frame, quasi_identifiers=["age", "sex"], hierarchies={"age": age, "sex": "flat"}
    )


def largest_class(classes):
    return float(classes.sizes.max())


def number_of_classes(classes):
    return float(len(classes.sizes))


def own_problem(function, name="mine"):
    measure = Measure(name, maximize=False, unit="rows", range="1..N", from_classes=function)
    return LatticeProblem(small_table(), objectives=["k", measure])


def test_functions_of_own_measures_are_told_apart_by_what_they_measure(path):
    save_run(ao.solve(own_problem(largest_class), ExhaustiveSearch(), budget=6, seed=1), path)
    # Another process has the same function at another address.
    saved = read_run(path)
    write_run(replace(saved, fingerprint="0" * 64), path)
    resumed = resume_run(path, problem=own_problem(largest_class), extra=2)
    assert resumed.n_unique == 8
    observing = own_problem(largest_class).recording(["height"])
    assert resume_run(path, problem=observing, extra=2).n_unique == 8
    function, number_of_classes.__qualname__ = number_of_classes, "largest_class"
    with pytest.raises(ValueError, match="functions measure F"):
        resume_run(path, problem=own_problem(function), extra=2)
    with pytest.raises(ValueError, match="expected the problem of the saved run, "):
        resume_run(path, problem=own_problem(lambda classes: 1.0), extra=2)


@pytest.mark.parametrize("row", [0, -1])
def test_first_and_last_values_of_functions_are_measured_again(path, row):
    save_run(ao.solve(own_problem(largest_class), ExhaustiveSearch(), budget=6, seed=1), path)
    saved = read_run(path)
    F = saved.answers["F"].copy()
    F[row] += 1
    write_run(replace(saved, fingerprint="0" * 64, answers={**saved.answers, "F": F}), path)
    with pytest.raises(ValueError, match="functions measure F"):
        resume_run(path, problem=own_problem(largest_class), extra=2)


def test_resumed_run_prints_nothing(path, capsys):
    save_run(ao.solve(ToyLattice(), PBGEA(), budget=20, seed=1), path)
    resume_run(path, problem=ToyLattice(), extra=9)
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "")


def test_observed_measures_come_back_too(path):
    problem = LatticeProblem(small_table(), objectives=["k", "glm"]).recording(["height"])
    save_run(ao.solve(problem, ExhaustiveSearch(batch_size=2), budget=3, seed=1), path)
    resumed = resume_run(path, problem=problem)
    np.testing.assert_array_equal(
        resumed.algorithm.pop.get("anon_height"), resumed.algorithm.pop.get("X").sum(axis=1)
    )


def test_termination_objects(path):
    problem = ToyLattice((9, 9, 9))
    for rule in (get_termination("n_gen", 4), ("n_eval", 100), 4, "moo"):
        result = ao.solve(problem, PBGEA(), termination=rule, seed=1)
        save_run(result, path)
        assert_same_run(resume_run(path, problem=problem), result)
    own = TerminateIfAny(get_termination("n_gen", 4), get_termination("n_eval", 50))
    result = ao.solve(problem, PBGEA(), termination=own, seed=1)
    save_run(result, path)
    with pytest.raises(ValueError, match=r"expected termination=.*TerminateIfAny cannot be saved"):
        resume_run(path, problem=problem)
    assert_same_run(resume_run(path, problem=problem, termination=own), result)
    assert resume_run(path, problem=problem, extra=("n_gen", 2)).n_evaluations == 100
    assert resume_run(path, problem=problem, extra=7).n_unique == result.n_unique + 7


@pytest.mark.parametrize("every", [("n_gen", 1), ("n_gen", 3), 0, 0.0])
def test_interrupted_run_is_resumed_from_its_checkpoint(path, every):
    problem = CountingToy((9, 9, 9, 9))
    algorithm = PBGEA(pop_size=10)
    through = ao.solve(problem, algorithm, budget=200, seed=1)
    with pytest.raises(RunInterruptedError):
        ao.solve(
            problem,
            algorithm,
            budget=200,
            seed=1,
            callback=interrupt_after(8),
            checkpoint=path,
            checkpoint_every=every,
        )
    saved = read_run(path)
    assert (saved.message, saved.seed, saved.budget) == (None, 1, 200)
    problem.batches.clear()
    assert_same_run(resume_run(path, problem=problem), through)
    assert problem.n_measured() == 200 - len(saved.X)


def test_interval_in_generations_is_kept(path):
    lengths = []

    def look(algorithm):
        lengths.append(len(read_run(path).X) if path.exists() else 0)

    ao.solve(
        ToyLattice((99, 99)),
        RandomSearch(batch_size=10),
        budget=80,
        seed=1,
        callback=look,
        checkpoint=path,
        checkpoint_every=("n_gen", 3),
    )
    # The callback of a generation comes before its checkpoint.
    assert lengths == [0, 10, 10, 10, 40, 40, 40, 70]
    assert len(read_run(path).X) == 80


def test_long_interval_in_seconds_writes_at_the_start_and_the_end(path):
    stamps = set()

    def look(algorithm):
        if path.exists():
            stamps.add(path.stat().st_mtime_ns)

    problem = ToyLattice((99, 99))
    search = RandomSearch(batch_size=10)
    ao.solve(problem, search, budget=80, seed=1, callback=look, checkpoint=path)
    assert len(stamps) == 1
    assert read_run(path).message == "budget reached"


def test_resumed_run_keeps_its_checkpoint_and_never_shortens_it(path):
    problem = ToyLattice((99, 99))
    save_run(ao.solve(problem, RandomSearch(batch_size=10), budget=80, seed=1), path)
    before = path.read_bytes()
    every = {"checkpoint": path, "checkpoint_every": ("n_gen", 1)}
    with pytest.raises(RunInterruptedError):
        resume_run(path, problem=problem, extra=100, callback=interrupt_after(5), **every)
    with pytest.raises(ValueError, match="does not repeat"):
        resume_run(path, problem=problem, algorithm=ExhaustiveSearch(), extra=100, **every)
    assert path.read_bytes() == before
    with pytest.raises(RunInterruptedError):
        resume_run(path, problem=problem, extra=100, callback=interrupt_after(12), **every)
    assert len(read_run(path).X) == 120
    assert_same_run(
        resume_run(path, problem=problem, **every),
        ao.solve(problem, RandomSearch(batch_size=10), budget=180, seed=1),
    )
    assert len(read_run(path).X) == 180


def test_callback_sees_every_generation_of_the_whole_run(path):
    problem, seen = ToyLattice((99, 99)), []
    save_run(ao.solve(problem, RandomSearch(batch_size=10), budget=30, seed=1), path)
    resume_run(path, problem=problem, extra=20, callback=lambda one: seen.append(one.n_gen))
    assert seen == [1, 2, 3, 4, 5]


def test_interrupted_write_leaves_the_old_file(path, monkeypatch):
    problem = ToyLattice()
    save_run(ao.solve(problem, PBGEA(), budget=10, seed=1), path)
    before = path.read_bytes()
    later = ao.solve(problem, PBGEA(), budget=20, seed=1)
    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(OSError, match="disk full"):
        save_run(later, path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def full_disk(descriptor):
    raise OSError(errno.ENOSPC, "disk full")


def test_killed_process_loses_one_interval_at_most(path):
    program = textwrap.dedent(
        """
        import sys, time
        import anonopt as ao
        from tests.contracts.toy_problems import ToyLattice

        ao.solve(
            ToyLattice((99, 99, 99)), ao.algorithms.PBGEA(pop_size=10), budget=100_000,
            termination=("n_gen", 100_000), seed=1, callback=lambda algorithm: time.sleep(0.002),
            checkpoint=sys.argv[1], checkpoint_every=("n_gen", 2),
        )
        """
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, "-c", program, str(path)], env=environment)
    deadline = time.monotonic() + 60
    try:
        while not (path.exists() and len(read_run(path).X) > 100):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    saved = read_run(path)
    assert saved.message is None
    problem = ToyLattice((99, 99, 99))
    resumed = resume_run(path, problem=problem, extra=("n_gen", 3))
    n_generations = saved.n_generations + 3
    through = ao.solve(
        problem, PBGEA(pop_size=10), budget=100_000, termination=("n_gen", n_generations), seed=1
    )
    assert_same_run(resumed, through)


@pytest.fixture
def saved_bytes(path):
    save_run(ao.solve(ToyLattice(), PBGEA(), budget=40, seed=1), path)
    return path.read_bytes()


def test_truncated_file_is_refused_with_its_path(path, saved_bytes):
    for length in (0, 1, 30, len(saved_bytes) // 2, len(saved_bytes) - 1):
        path.write_bytes(saved_bytes[:length])
        with pytest.raises(ValueError, match=r"run\.npz: "):
            resume_run(path, problem=ToyLattice())


def test_damaged_file_is_refused_with_its_path(path, saved_bytes):
    generator = np.random.default_rng(3)
    for place in generator.integers(len(saved_bytes), size=150).tolist():
        damaged = bytearray(saved_bytes)
        damaged[place] ^= 0xFF
        path.write_bytes(bytes(damaged))
        try:
            found = read_run(path)
        except ValueError as error:
            assert "run.npz: " in str(error)
        else:
            # Dates and the like are not part of the content.
            path.write_bytes(saved_bytes)
            np.testing.assert_array_equal(found.X, read_run(path).X)


class Bomb:
    """What pickle would run on loading."""

    def __reduce__(self):
        return os.mkdir, ("exploded",)


def test_nothing_in_the_file_is_run(path, saved_bytes, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path.write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(ValueError, match=r"run\.npz: "):
        resume_run(path, problem=ToyLattice())
    buffer = io.BytesIO()
    bomb = np.empty(1, dtype=object)
    bomb[0] = Bomb()
    np.savez(buffer, description=bomb)
    path.write_bytes(buffer.getvalue())
    with pytest.raises(ValueError, match=r"run\.npz: "):
        resume_run(path, problem=ToyLattice())
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize(
    "plain", ["[]", "{}", '{"format": "anonopt run 0", "run": {}}', "{", "\udcff"]
)
def test_foreign_description_is_refused(path, saved_bytes, plain):
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    text = np.frombuffer(plain.encode(errors="surrogateescape"), dtype=np.uint8)
    buffer = io.BytesIO()
    np.save(buffer, text)
    parts["description.npy"] = buffer.getvalue()
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    with pytest.raises(ValueError, match=r"run\.npz: expected the file of a saved run"):
        resume_run(path, problem=ToyLattice())


@pytest.mark.parametrize("name", ["genomes", "measured_F", "measured_G"])
@pytest.mark.parametrize("n_rows", [0, 39, 41])
def test_arrays_of_different_lengths_are_refused(path, saved_bytes, name, n_rows):
    with np.load(path, allow_pickle=False) as archive:
        arrays = {key: archive[key] for key in archive.files}
    rows = np.arange(n_rows) % 40
    np.savez(path, **{**arrays, name: arrays[name][rows]})
    with pytest.raises(ValueError, match=r"run\.npz: .*expected \w of (40|0|39|41) genomes"):
        resume_run(path, problem=ToyLattice())


@pytest.mark.parametrize("name", ["measured_F", "measured_G"])
def test_arrays_that_are_missing_are_refused(path, saved_bytes, name):
    with np.load(path, allow_pickle=False) as archive:
        arrays = {key: archive[key] for key in archive.files if key != name}
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match=r"run\.npz: .*expected values of F and G"):
        resume_run(path, problem=ToyLattice())


def test_file_is_readable_without_the_library(path, saved_bytes):
    with np.load(path, allow_pickle=False) as archive:
        description = json.loads(archive["description"].tobytes())
        assert archive["genomes"].shape == (40, 3)
        assert archive["measured_F"].shape == (40, 2)
    run = description["run"]["mapping"]
    assert (run["seed"], run["budget"], run["message"]) == (1, 40, "budget reached")
    assert run["algorithm"]["mapping"]["name"] == "pbgea"


def test_missing_file(path):
    with pytest.raises(FileNotFoundError):
        resume_run(path)


def test_what_cannot_be_saved_is_refused(path):
    result = ao.solve(ToyLattice(), PBGEA(), budget=10, seed=1)
    with pytest.raises(TypeError, match="expected a result of solve, found PBGEA"):
        save_run(result.algorithm, path)
    assert not path.exists()


@pytest.mark.parametrize("every", [True, "60", None, -1, float("nan"), ("n_gen", 0), ("time", 3)])
def test_interval_out_of_its_range_is_refused_before_any_work(path, every):
    problem = CountingToy()
    with pytest.raises((TypeError, ValueError), match="checkpoint_every: expected"):
        ao.solve(problem, PBGEA(), budget=10, checkpoint=path, checkpoint_every=every)
    assert problem.batches == []


def test_path_that_cannot_be_written_is_refused_before_any_work(tmp_path):
    problem = CountingToy()
    with pytest.raises(FileNotFoundError, match="expected an existing folder"):
        ao.solve(problem, PBGEA(), budget=10, checkpoint=tmp_path / "none" / "run.npz")
    with pytest.raises(IsADirectoryError, match="found a folder"):
        ao.solve(problem, PBGEA(), budget=10, checkpoint=tmp_path)
    assert problem.batches == []


def test_what_is_no_number_is_not_written(path, saved_bytes):
    saved = read_run(path)
    for wrong in (np.array(["a"] * 40), np.array([None] * 40)):
        with pytest.raises(TypeError, match="label: expected numbers, which alone can be saved"):
            write_run(replace(saved, answers={**saved.answers, "label": wrong}), path)
        with pytest.raises(TypeError, match="genomes: expected numbers"):
            write_run(replace(saved, X=wrong[:, np.newaxis]), path)
    assert path.read_bytes() == saved_bytes


def test_what_a_file_holds_does_not_change(path, saved_bytes):
    with pytest.raises(FrozenInstanceError):
        read_run(path).seed = 2
    with pytest.raises(FrozenInstanceError):
        read_run(path).problem.name = "another"
