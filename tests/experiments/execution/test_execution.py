"""Runs come out the same however they are executed, and what goes wrong stays where it is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import anonopt as ao
from anonopt.algorithms import RandomSearch
from anonopt.experiments import Experiment, load
from anonopt.experiments.execution.limits import BrokenOffError, bounded_memory, bounded_time
from tests.experiments.execution.slow_runs import slow_runs
from tests.experiments.grid.own_parts import (
    Failing,
    Greedy,
    Hanging,
    Killing,
    Sides,
    Slow,
    everything,
    make_random,
)
from tests.repository import ROOT

CELL = ["problem", "algorithm", "seed", "budget"]
APART = ["wall_seconds", "cpu_seconds", "finished", "revision"]
"""What differs between equal runs; someone may commit while tests run."""


def content_of(runs):
    """All that the file holds of each run, times and revision apart, by cell."""
    found = {}
    for run, line in runs.frame.drop(columns=APART).iterrows():
        evaluations, (genomes, F) = runs.evaluations(run), runs.front(run)
        found[tuple(line[CELL])] = (
            *line.drop(CELL).tolist(),
            evaluations.F.tobytes(),
            evaluations.feasible.tolist(),
            np.asarray(genomes).tolist(),
            F.tobytes(),
        )
    return found


def comparison(**changed):
    parts = {
        "problems": ["german-k-glm", Sides()],
        "algorithms": {
            "PBG-EA": "pbgea",
            "NSGA-II": ("nsga2", {"pop_size": 8}),
            "own": make_random,
        },
        "seeds": [0, 7],
        "budget": 20,
    }
    return Experiment(**parts | changed)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    return comparison().run(tmp_path_factory.mktemp("unbroken") / "runs.db", workers=0)


def test_in_process_and_two_workers_are_the_same(unbroken, tmp_path):
    expected = content_of(unbroken)
    assert len(expected) == 12 and set(unbroken.frame["status"]) == {"done"}
    assert content_of(comparison().run(tmp_path / "two.db", workers=2)) == expected


def test_executors_that_are_handed_in_are_the_same(unbroken, tmp_path):
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        runs = comparison().run(tmp_path / "processes.db", executor=executor)
    assert content_of(runs) == content_of(unbroken)
    with ThreadPoolExecutor(2) as executor:
        runs = comparison().run(tmp_path / "threads.db", executor=executor)
    assert content_of(runs) == content_of(unbroken)


def test_dask_is_the_same_by_its_address_and_gets_each_problem_once(
    unbroken, tmp_path, cluster, monkeypatch
):
    scattered, scatter = [], type(cluster.get_client()).scatter

    def noted(self, data, **options):
        scattered.extend(data)
        return scatter(self, data, **options)

    monkeypatch.setattr("distributed.Client.scatter", noted)
    runs = comparison().run(tmp_path / "dask.db", executor=cluster.scheduler_address)
    assert content_of(runs) == content_of(unbroken)
    assert len(scattered) == 2


@pytest.mark.skipif(os.name != "posix", reason="kills by signals")
def test_dask_finds_the_run_that_kills_its_workers(tmp_path, cluster, client, monkeypatch):
    # Told at the first death instead of the fourth.
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", 0)
    mixed = {"killing": Killing, "random": "random"}
    runs = Experiment(problems=[Sides()], algorithms=mixed, seeds=[0], budget=9).run(
        tmp_path / "killing.db", executor=client.get_executor(pure=False)
    )
    assert runs.frame["status"].tolist() == ["failed", "done"]
    assert runs.frame["message"].iloc[0].startswith("KilledWorker")


@pytest.mark.skipif(os.name != "posix", reason="kills by signals")
def test_a_worker_of_dask_is_killed_and_all_runs_are_the_same(tmp_path, client):
    killed, experiment = [], slow_runs()
    client.wait_for_workers(2, timeout=120)

    def kill(n_done, n_all, cell, run):
        if not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    runs = experiment.run(tmp_path / "dask.db", executor=client, on_done=kill)
    assert len(killed) == 1 and set(runs.frame["status"]) == {"done"}
    here = experiment.run(tmp_path / "here.db", workers=0)
    assert content_of(runs) == content_of(here)


def test_a_cluster_that_does_not_answer_is_told_before_there_is_a_file(tmp_path, monkeypatch):
    monkeypatch.setattr("anonopt.sources.arrow.dask_clients.SECONDS_TO_ANSWER", 0.2)
    pytest.importorskip("distributed", reason="needs the extra scale")
    with pytest.raises(ConnectionError, match="where none answers within"):
        comparison().run(tmp_path / "runs.db", executor="tcp://127.0.0.1:1")
    assert not list(tmp_path.iterdir())


def test_second_call_runs_nothing_and_more_seeds_run_alone(tmp_path, unbroken):
    path, seen = tmp_path / "runs.db", []

    def tell(done, of_all, cell, run):
        seen.append((done, of_all, run is None))

    comparison(seeds=[0]).run(path, workers=0, on_done=tell)
    assert seen == [(i, 6, False) for i in range(1, 7)]
    seen.clear()
    comparison(seeds=[0]).run(path, workers=0, on_done=tell)
    assert seen == [(6, 6, True)]
    seen.clear()
    runs = comparison().run(path, workers=0, on_done=tell)
    assert seen == [(6, 12, True), *((i, 12, False) for i in range(7, 13))]
    assert content_of(runs) == content_of(unbroken)


def test_experiment_grows_by_problems_and_algorithms(tmp_path, unbroken):
    path = tmp_path / "runs.db"
    comparison(problems=[Sides()], algorithms=["random"]).run(path, workers=0)
    runs = comparison().run(path, workers=0)
    found = content_of(runs)
    assert len(found) == 14
    assert {cell: found[cell] for cell in content_of(unbroken)} == content_of(unbroken)


def test_what_raises_is_told_with_its_trace_and_others_are_the_same_on_one_worker(
    unbroken, tmp_path
):
    algorithms = {"failing": Failing, "PBG-EA": "pbgea"}
    runs = comparison(algorithms=algorithms).run(tmp_path / "runs.db", workers=1)
    status = runs.frame.groupby("algorithm")["status"].unique()
    assert (status["failing"].tolist(), status["PBG-EA"].tolist()) == (["failed"], ["done"])
    found = content_of(runs)
    others = {cell: one for cell, one in content_of(unbroken).items() if cell[1] == "PBG-EA"}
    assert len(others) == 4 and {cell: found[cell] for cell in others} == others
    failed = runs.failed()
    assert set(failed["message"]) == {"RuntimeError: the search gave up"}
    assert "own_parts.py" in runs.trace(failed.index[0])
    assert len(runs.evaluations(failed.index[0]).F) == 0
    assert runs.problems["Sides"].reference_front is not None


def test_failed_runs_are_run_again_only_when_asked_for(tmp_path):
    path, seen = tmp_path / "runs.db", []
    experiment = comparison(algorithms={"failing": Failing, "random": "random"})
    experiment.run(path, workers=0)

    def tell(*told):
        seen.append(told)

    experiment.run(path, workers=0, on_done=tell)
    assert len(seen) == 1
    experiment.run(path, workers=0, on_done=tell, retry_failed=True)
    assert len(seen) == 1 + 1 + 4


def test_a_run_that_kills_its_process_is_found_out(tmp_path, monkeypatch):
    monkeypatch.setattr("anonopt.experiments.execution.execute.MAX_DEATHS", 2)
    algorithms = {"killing": Killing, "random": "random"}
    experiment = comparison(problems=[Sides()], algorithms=algorithms, seeds=[0])
    runs = experiment.run(tmp_path / "runs.db", workers=1)
    assert runs.frame["status"].tolist() == ["failed", "done"]
    assert "its process died each time" in runs.frame["message"].iloc[0]


def test_a_broken_executor_is_told_and_what_ended_is_kept(tmp_path):
    path = tmp_path / "runs.db"
    experiment = comparison(
        problems=[Sides()], algorithms={"random": "random", "killing": Killing}, seeds=[0]
    )
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor,
        pytest.raises(BrokenExecutor, match="executor: expected one that goes on"),
    ):
        experiment.run(path, executor=executor)
    assert load(path).frame["algorithm"].tolist() == ["random"]


def test_time_limit_ends_a_run_after_a_generation(tmp_path):
    experiment = Experiment(
        problems=[Sides()], algorithms={"slow": Slow}, seeds=[0], budget=24, time_limit=0.25
    )
    runs = experiment.run(tmp_path / "runs.db", workers=0)
    assert runs.frame["status"].tolist() == ["out of time"]
    assert 1 <= len(runs.evaluations(1).F) < 24
    assert len(runs.failed()) == 1


class Leaving(RandomSearch):
    """Ends its program."""

    def _batch(self, n_genomes):
        sys.exit("first line\nsecond line")


def test_run_that_ends_the_program_is_kept_as_failed(tmp_path):
    experiment = comparison(algorithms={"leaving": Leaving, "random": "random"}, seeds=[0])
    runs = experiment.run(tmp_path / "runs.db", workers=0)
    failed = runs.failed()
    assert set(failed["algorithm"]) == {"leaving"}
    assert set(failed["message"]) == {"SystemExit: first line"}
    assert "second line" in runs.trace(failed.index[0])


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no alarms")
def test_time_limit_breaks_off_a_generation_without_end(tmp_path):
    before = signal.getsignal(signal.SIGALRM)
    experiment = Experiment(
        problems=[Sides()], algorithms={"hanging": Hanging}, seeds=[0], budget=24, time_limit=0.2
    )
    started = time.perf_counter()
    runs = experiment.run(tmp_path / "runs.db", workers=0)
    assert time.perf_counter() - started < 20
    assert runs.frame["status"].tolist() == ["out of time"]
    assert "expected at most 0.2 seconds" in runs.frame["message"].iloc[0]
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no alarms")
def test_time_limit_waits_for_the_end_of_an_import(tmp_path, monkeypatch):
    (tmp_path / "slow_part.py").write_text(
        "import time\ntime.sleep(0.3)\nis_whole = True\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BrokenOffError), bounded_time(0.02):
        import slow_part

        time.sleep(20)
    assert slow_part.is_whole
    del sys.modules["slow_part"]


class Dropped:
    """What is raised while it is taken away is dropped."""

    def __del__(self):
        time.sleep(0.2)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no alarms")
def test_time_limit_comes_again_where_it_was_dropped():
    started = time.perf_counter()
    with pytest.raises(BrokenOffError), bounded_time(0.05):
        dropped = Dropped()
        del dropped
        assert time.perf_counter() - started >= 0.1
        time.sleep(20)
    assert time.perf_counter() - started < 10


def test_memory_limit_ends_a_run_of_a_worker(tmp_path):
    pytest.importorskip("resource", reason="this system cannot bound memory")
    algorithms = {"greedy": Greedy, "random": "random"}
    experiment = comparison(
        problems=[Sides()], algorithms=algorithms, seeds=[0], memory_limit=2**36
    )
    runs = experiment.run(tmp_path / "runs.db", workers=1)
    assert runs.frame["status"].tolist() == ["out of memory", "done"]


def test_memory_limit_is_lifted_after_the_run():
    resource = pytest.importorskip("resource", reason="this system cannot bound memory")
    before = resource.getrlimit(resource.RLIMIT_AS)
    with bounded_memory(2**46):
        assert resource.getrlimit(resource.RLIMIT_AS)[0] == 2**46
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_memory_limit_is_refused_where_runs_share_the_process(tmp_path):
    experiment = comparison(memory_limit=2**36)
    with pytest.raises(ValueError, match=r"memory_limit: expected none .* found 68719476736"):
        experiment.run(tmp_path / "runs.db", workers=0)
    with (
        ThreadPoolExecutor(1) as executor,
        pytest.raises(ValueError, match="memory_limit: expected none where runs share"),
    ):
        experiment.run(tmp_path / "runs.db", executor=executor)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("budget", "algorithm", "message"),
    [
        ({"generations": 2}, ("random", {"batch_size": 3}), "algorithm finished"),
        ({"seconds": 0.25}, Slow, "algorithm finished"),
        ({"evaluations": 5}, "random", "budget reached"),
        (100, everything, "search space exhausted"),
    ],
)
def test_each_kind_of_budget_ends_a_run(tmp_path, budget, algorithm, message):
    experiment = Experiment(
        problems=[Sides()], algorithms={"a": algorithm}, seeds=[0], budget=budget
    )
    frame = experiment.run(tmp_path / "runs.db", workers=0).frame
    assert frame["status"].tolist() == ["done"]
    assert frame["message"].iloc[0].startswith(message)
    expected = {"2 generations": 6, "5 evaluations": 5, "100 evaluations": 24}
    name = frame["budget"].iloc[0]
    assert frame["n_unique"].iloc[0] == expected.get(name, frame["n_unique"].iloc[0])
    if "seconds" in name:
        assert 1 <= frame["n_unique"].iloc[0] < 24


def test_budget_of_tests_is_kept(tmp_path):
    fixed = ao.get_problem("german-k-glm", objectives=["height"], k=5)
    experiment = Experiment(
        problems={"fixed": fixed}, algorithms=["ola"], seeds=[0], budget={"tests": 3}
    )
    assert experiment.run(tmp_path / "runs.db", workers=0).frame["n_tests"].tolist() == [3]


def test_own_registered_algorithm_is_known_in_other_processes(tmp_path):
    ao.register("algorithms", "of-mine", Slow, spaces="levels")
    experiment = comparison(problems=[Sides()], algorithms=["of-mine"], seeds=[0], budget=2)
    runs = experiment.run(tmp_path / "runs.db", workers=1)
    assert runs.frame["status"].tolist() == ["done"]


def test_what_cannot_be_sent_is_refused_before_there_is_a_file(tmp_path):
    path = tmp_path / "runs.db"
    algorithms = {"mine": lambda problem: RandomSearch()}
    with pytest.raises(TypeError, match="algorithm 'mine': expected one that other processes"):
        comparison(algorithms=algorithms).run(path)
    problem = Sides()
    problem.rule = lambda x: x
    with pytest.raises(TypeError, match="problem Sides: expected one that other processes"):
        comparison(problems=[problem]).run(path)
    assert not path.exists()
    runs = comparison(problems=[Sides()], algorithms=algorithms).run(path, workers=0)
    assert set(runs.frame["status"]) == {"done"}


def test_changed_options_problems_and_code_are_noticed_and_named(tmp_path):
    path = tmp_path / "runs.db"
    parts = {"algorithms": {"a": ("nsga2", {"pop_size": 8}), "slow": Slow}, "seeds": [0]}
    comparison(**parts, budget=2).run(path, workers=0)
    parts["algorithms"]["a"] = ("nsga2", {"pop_size": 9})
    with pytest.raises(ValueError, match=r"parameters\.pop_size was 8, now 9"):
        comparison(**parts, budget=2).run(path, workers=0)
    parts["algorithms"]["a"] = ("nsga2", {"pop_size": 8})
    with pytest.raises(ValueError, match=r"problem 'Sides'.*parameters.scale was 1.0, now 2.0"):
        comparison(**parts, problems=[Sides(scale=2.0)], budget=2).run(path, workers=0)
    strict = {"german-k-glm": ao.get_problem("german-k-glm", suppression=0.02)}
    with pytest.raises(ValueError, match=r"problem 'german-k-glm'.*suppression"):
        comparison(**parts, problems=strict, budget=2).run(path, workers=0)
    other = type("Slow", (Slow,), {"__module__": Slow.__module__, "__qualname__": "Slow"})
    parts["algorithms"]["slow"] = other
    with pytest.raises(ValueError, match=r"algorithm 'slow'.*code was"):
        comparison(**parts, budget=2).run(path, workers=0)


def test_other_versions_are_told(tmp_path, monkeypatch):
    path = tmp_path / "runs.db"
    comparison(seeds=[0]).run(path, workers=0)
    monkeypatch.setattr(
        "anonopt.experiments.execution.caller.installed_versions", lambda: {"numpy": "99"}
    )
    with pytest.warns(UserWarning, match=r"runs were made with numpy .*, now 99"):
        comparison(seeds=[0]).run(path, workers=0)


SCRIPT = """
from tests.experiments.execution.slow_runs import slow_runs
if __name__ == "__main__":
    slow_runs().run(PATH, workers=2)
"""


@pytest.mark.skipif(os.name != "posix", reason="kills by signals")
def test_killed_and_continued_is_as_unbroken(tmp_path):
    path, script = tmp_path / "runs.db", tmp_path / "script.py"
    script.write_text(SCRIPT.replace("PATH", repr(str(path))), encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, script],
        env=os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        cwd=tmp_path,
    )
    # Until a run has ended, and a random while on.
    # Minutes, where the machine is busy with other things.
    deadline = time.monotonic() + 300
    while process.poll() is None and time.monotonic() < deadline:
        if path.exists() and path.stat().st_size and len(_frame(path)):
            break
        time.sleep(0.02)
    time.sleep(float(np.random.default_rng(3).random()) * 0.3)
    process.kill()
    process.wait()
    experiment = slow_runs()
    held = load(path).frame
    assert 1 <= len(held) < len(experiment.grid())
    continued = experiment.run(path, workers=0)
    assert continued.frame.loc[held.index, "finished"].tolist() == held["finished"].tolist()
    straight = experiment.run(tmp_path / "straight.db", workers=0)
    assert content_of(continued) == content_of(straight)
    for name, facts in straight.problems.items():
        assert np.array_equal(facts.reference_front, continued.problems[name].reference_front)


def _frame(path):
    try:
        return load(path).frame
    except ValueError:
        # It is being made.
        return []


def test_a_script_without_its_guard_is_told(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from tests.experiments.execution.slow_runs import slow_runs\n"
        f"slow_runs().run({str(tmp_path / 'runs.db')!r}, workers=1)\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, script],
        env=os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert 'needs its lines below if __name__ == "__main__"' in done.stderr
