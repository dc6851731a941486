"""What is left by Ctrl-C, by what raises, and by programs that are killed: nothing but runs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time

import pytest

from anonopt.experiments import Experiment, load
from anonopt.experiments.execution.execute import run_here
from anonopt.experiments.execution.job import Job
from anonopt.experiments.execution.laid_down import LOCK, PREFIX, laid_down, take_away_left_behind
from anonopt.experiments.grid.budgets import Budget
from anonopt.experiments.grid.entries import algorithm_entries
from anonopt.experiments.performance.references import EXACT, OF_ALL_RUNS
from anonopt.experiments.store.locks import locked
from tests.experiments.grid.own_parts import Sides
from tests.repository import ROOT

COMMAND = """
import anonopt as ao
from anonopt.cli import main
from tests.experiments.grid.own_parts import Slow
if __name__ == "__main__":
    ao.register("algorithms", "slow", Slow, spaces="levels")
    main()
"""

CONFIG = """
output = "runs.db"
seeds = 40
budget = 3
problems = ["german-k-glm"]
algorithms = ["slow"]
"""


def experiment(**changed):
    parts = {"problems": [Sides()], "algorithms": ["random"], "seeds": [0, 1], "budget": 9}
    return Experiment(**parts | changed)


def job(problem):
    (entry,) = algorithm_entries(["random"])
    return Job(problem, entry, 0, Budget(evaluations=9), None, None)


@pytest.mark.skipif(os.name != "posix", reason="interrupts by signals")
def test_ctrl_c_keeps_runs_says_how_to_go_on_and_leaves_nothing_else(tmp_path):
    (tmp_path / "script.py").write_text(COMMAND, encoding="utf-8")
    (tmp_path / "first.toml").write_text(CONFIG, encoding="utf-8")
    folder = tmp_path / "own"
    folder.mkdir()
    process = subprocess.Popen(
        [sys.executable, "script.py", "experiment", "first.toml", "--workers", "2"],
        env=os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "TMPDIR": str(folder)},
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A shell in the background lets its programs ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    path, deadline = tmp_path / "runs.db", time.monotonic() + 120
    while not _n_runs(path) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    # As a terminal does, to all of its processes.
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err and "KeyboardInterrupt" not in out + err
    expected = (
        "Interrupted: runs that ended are kept in runs.db; the same command goes on from them"
    )
    assert " ".join(err.split()) == expected
    assert 0 < _n_runs(path) < 40
    assert list(folder.iterdir()) == []
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        "first.toml", "own", "runs.db", "script.py",
    ]  # fmt: skip


def _n_runs(path):
    try:
        return len(load(path).frame)
    except (FileNotFoundError, ValueError):
        return 0


class StopError(Exception):
    """What a user's function raises."""


@pytest.mark.parametrize(("workers", "n_stops"), [(0, 2), (1, 1)])
def test_what_on_done_raises_ends_the_runs_and_a_second_call_goes_on(tmp_path, workers, n_stops):
    path = tmp_path / "runs.db"

    def stop(n_done, n_all, cell, run):
        raise StopError(n_done)

    # The first time of one run, then of what the file holds.
    for _ in range(n_stops):
        with pytest.raises(StopError, match="1"):
            experiment().run(path, workers=workers, on_done=stop)
        assert len(load(path).frame) == 1
        assert [one.name for one in tmp_path.iterdir()] == ["runs.db"]
    assert experiment().run(path, workers=0).frame["status"].tolist() == ["done", "done"]


def test_references_are_kept_by_the_call_after_one_that_was_broken_off(tmp_path):
    path, parts = tmp_path / "runs.db", {"problems": ["german-k-glm"]}

    def stop(n_done, n_all, cell, run):
        if n_done == n_all:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        experiment(**parts).run(path, workers=0, on_done=stop)
    # Nobody kept a reference; until then it is made of what there is.
    assert load(path).problems["german-k-glm"].reference_source == OF_ALL_RUNS
    runs = experiment(**parts).run(path, workers=0)
    assert runs.problems["german-k-glm"].reference_source == EXACT
    assert len(runs.frame) == 2


def test_jobs_that_were_left_do_not_take_the_problems_of_others():
    left = run_here({0: job("a"), 1: job("a")}, {"a": Sides()})
    assert next(left)[1].status == "done"
    other = run_here({0: job("b"), 1: job("b")}, {"b": Sides()})
    assert next(other)[1].status == "done"
    left.close()
    assert next(other)[1].status == "done"


@pytest.fixture
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def left_behind(folder, name, *, seconds):
    one = folder / f"{PREFIX}{name}"
    one.mkdir()
    (one / "0").write_bytes(b"a problem")
    (one / LOCK).touch()
    then = time.time() - seconds
    os.utime(one / LOCK, (then, then))
    return one


def test_problems_of_killed_programs_are_taken_away(own_folder):
    pytest.importorskip("fcntl", reason="this system cannot tell")
    killed = left_behind(own_folder, "killed", seconds=3600)
    young = left_behind(own_folder, "young", seconds=0)
    living = left_behind(own_folder, "living", seconds=3600)
    with locked(living / LOCK) as is_held:
        assert is_held
        os.utime(living / LOCK, (1, 1))
        with laid_down({"a": b"content"}) as places:
            assert not killed.exists() and young.exists() and living.exists()
            assert places["a"].read_bytes() == b"content"
            take_away_left_behind()
            assert places["a"].exists()
    assert sorted(one.name for one in own_folder.iterdir()) == [living.name, young.name]
    assert (living / "0").exists()


SCRIPT = """
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from anonopt.algorithms import RandomSearch
from anonopt.experiments import Experiment
from tests.experiments.grid.own_parts import Sides


class Mine(RandomSearch):
    pass


def run(algorithm, **place):
    parts = {"problems": [Sides()], "seeds": [0], "budget": 9}
    experiment = Experiment(algorithms={"a": algorithm}, **parts)
    return experiment.run("runs.db", **place).frame["status"].tolist()


if __name__ == "__main__":
    class Below(RandomSearch):
        pass

    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        place = {"workers": 1} if "__file__" in globals() else {"executor": executor}
        for algorithm in (Below, Mine):
            try:
                print(run(algorithm, **place))
            except TypeError as error:
                print(error)
            print(os.path.exists("runs.db"))
"""


def run_of(folder, *words, text=None):
    return subprocess.run(
        [sys.executable, *words],
        input=text,
        env=os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.mark.parametrize("is_file", [True, False])
def test_own_classes_of_the_program_run_or_are_refused_before_there_is_a_file(tmp_path, is_file):
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    # As a notebook, a text that is run is in no file that other processes could read; there a
    # pool of one's own is tried.
    done = run_of(tmp_path, *(["script.py"] if is_file else ["-c", SCRIPT]))
    assert done.returncode == 0, done.stderr
    refused, exists, ran, exists_then = done.stdout.splitlines()
    expected = "algorithm 'a': expected one that other processes find, found "
    assert refused.startswith(expected) and "Below" in refused
    assert "put it into a file of its own" in refused and "workers=0" in refused
    assert exists == "False" and exists_then == str(is_file)
    assert ran == "['done']" if is_file else ran.startswith(expected)


def test_program_from_standard_input_is_told_before_there_is_a_file(tmp_path):
    done = run_of(tmp_path, "-", text=SCRIPT)
    assert done.returncode == 1
    assert "a program from standard input cannot be read again" in done.stderr.splitlines()[-1]
    assert not list(tmp_path.iterdir())
