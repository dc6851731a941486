"""Experiments: processes, dask and plain calls do the same runs; a large file is read."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np

import anonopt as ao
from anonopt.experiments import Experiment, list_indicators, load
from anonopt.experiments.grid.budgets import Budget
from anonopt.experiments.store.rows import AlgorithmRow, Cell, ProblemRow, RunRow
from anonopt.experiments.store.store import ExperimentStore
from benchmarks._bench import Benchmark, Call, Goal, Way, require

PROBLEMS = ("adult-k-glm", "adult-k-l-glm", "adult-sk-glm", "adult-sk-sl-glm", "adult-k-glm-cm")
ALGORITHMS = (
    *("pbgea", "lattice-vnd", "exhaustive", "random"),
    *("nsga2", "nsga3", "spea2", "smsemoa"),
)
TIMES = {"created", "finished", "wall_seconds", "cpu_seconds", "seconds", "revision"}
"""Columns that differ between equal runs."""

N_RUNS = 800
N_KILLS = 3


def experiment_of(problems: tuple[str, ...], n_seeds: int, budget: int) -> Experiment:
    return Experiment(problems=problems, algorithms=ALGORITHMS, seeds=range(n_seeds), budget=budget)


@dataclass(frozen=True)
class Share:
    """A part of the experiment that every algorithm takes part in, and a folder for its files.

    Starting a process takes longer than a few runs, for which one is enough.
    """

    problems: tuple[str, ...]
    n_seeds: int
    budget: int
    n_workers: int = 2
    folder: Path = field(default_factory=lambda: Path(mkdtemp(prefix="experiments-")))

    def experiment(self) -> Experiment:
        """Every algorithm on its problems."""
        return experiment_of(self.problems, self.n_seeds, self.budget)

    @property
    def n_runs(self) -> int:
        """Of the whole experiment."""
        return len(self.problems) * len(ALGORITHMS) * self.n_seeds

    @property
    def n_kills(self) -> int:
        """Once where runs are few."""
        return min(N_KILLS, 1 + self.n_runs // 100)


def new_folder(share: tuple[tuple[str, ...], int, int, int]) -> Share:
    return Share(*share)


def take_away(share: Share) -> None:
    shutil.rmtree(share.folder)


def with_workers(workers: int) -> Way:
    """Run all; the file is the result."""

    def start(share: Share) -> Call:
        path = share.folder / f"{workers}.sqlite"
        experiment = share.experiment()
        return lambda: experiment.run(path, workers=workers).path

    return Way(start=start, repeats=0)


def on_dask(share: Share) -> Call:
    """Run all on a cluster of processes of this machine, which is there before."""
    from dask.distributed import Client, LocalCluster

    path = share.folder / "dask.sqlite"
    experiment = share.experiment()
    cluster = LocalCluster(n_workers=share.n_workers, threads_per_worker=1, dashboard_address=None)
    client = Client(cluster)

    def call() -> Path:
        with cluster, client:
            return experiment.run(path, executor=client.get_executor(pure=False)).path

    return call


def killed(share: Share) -> Call:
    """Run all in processes that are killed at random and begin again."""
    path = share.folder / "killed.sqlite"
    # Not the same moments each time: whichever they are, the file has to be the same.
    after = np.sort(np.random.default_rng().integers(share.n_runs, size=share.n_kills))

    def call() -> Path:
        n_killed = 0
        for n_runs in after:
            n_killed += kill_after(share, path, int(n_runs))
        require(n_killed == share.n_kills, f"killed {n_killed} times, expected {share.n_kills}")
        share.experiment().run(path, workers=share.n_workers)
        return path

    return call


def kill_after(share: Share, path: Path, n_runs: int) -> bool:
    """Kill a process that goes on with the file once it holds so many runs; tell whether it was."""
    program = (
        "from benchmarks.experiments import experiment_of\n"
        f"experiment = experiment_of({share.problems!r}, {share.n_seeds}, {share.budget})\n"
        f"experiment.run({path.as_posix()!r}, workers={share.n_workers})\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.DEVNULL)
    while process.poll() is None and runs_in(path) < n_runs:
        time.sleep(0.01)
    process.kill()
    return process.wait() == -signal.SIGKILL


def runs_in(path: Path) -> int:
    """Number of runs that a file holds, which may not be there yet."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as database:
            return int(database.execute("SELECT count(*) FROM runs").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def plain(share: Share) -> Call:
    """The runs alone, nothing kept."""
    experiment = share.experiment()

    def call() -> list[Any]:
        return [
            ao.solve(problem.problem, algorithm.make(problem.problem), budget=share.budget, seed=s)
            for problem in experiment.problems
            for algorithm in experiment.algorithms
            for s in experiment.seeds
        ]

    return call


def rows_of(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Rows of all tables, without times; runs by what they are of, not by their number."""
    with closing(sqlite3.connect(path)) as database:
        runs = "runs.problem, runs.algorithm, runs.seed, runs.budget"
        names = [
            name
            for (name,) in database.execute(
                "SELECT name FROM sqlite_master "
                "WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
            )
        ]
        found = {}
        for name in names:
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({name})")]
            kept = [f"{name}.{column}" for column in columns if column not in TIMES | {"run"}]
            by_run = f", {runs} FROM {name} JOIN runs USING (run)"
            is_of_run = "run" in columns and name != "runs"
            query = f"SELECT {', '.join(kept)}" + (by_run if is_of_run else f" FROM {name}")
            found[name] = sorted(database.execute(query), key=repr)
    return found


def check_files(share: Share, results: Mapping[str, Any]) -> None:
    """All tables are equal, and hold what the plain calls found."""
    files = {way: rows_of(path) for way, path in results.items() if isinstance(path, Path)}
    first = next(iter(files.values()))
    require(len(first["runs"]) == share.n_runs, f"{len(first['runs'])} runs of {share.n_runs}")
    for way, found in files.items():
        for table, rows in found.items():
            require(rows == first[table], f"{way}: table {table} differs")
    runs = load(next(path for path in results.values() if isinstance(path, Path)))
    require(bool((runs.frame["status"] == "done").all()), "some runs failed")
    require(
        runs.frame["n_unique"].tolist() == [result.n_unique for result in results["plain calls"]],
        "numbers of evaluations differ from those of plain calls",
    )
    for run, result in zip(runs.frame.index, results["plain calls"], strict=True):
        require(np.array_equal(runs.front(run)[1], result.F), "fronts differ from plain calls")


def large_file(n_evaluations: int) -> Path:
    """A file of so many evaluations of two objectives, in 800 runs."""
    path, rng = Path(mkdtemp()) / "large.sqlite", np.random.default_rng(1)
    n = n_evaluations // N_RUNS
    # As many distinct values as a search on Adult meets.
    values = np.column_stack([-np.arange(1.0, 3001), rng.random(3000)])
    with ExperimentStore(path, "large") as store:
        store.add_problem(
            ProblemRow("p", "{}", "1", "levels", 2, None, ("k", "glm"), (True, False))
        )
        for algorithm in range(8):
            store.add_algorithm(AlgorithmRow(str(algorithm), "p", "{}"))
            for seed in range(N_RUNS // 8):
                F = values[rng.integers(len(values), size=n)]
                cell = Cell("p", str(algorithm), seed, Budget(n).text)
                store.add_run(cell, run_row(F, rng), revision=None)
        store.set_reference("p", values[:1], np.array([0.0, 1.0]), "of these")
    return path


def run_row(F: np.ndarray, rng: np.random.Generator) -> RunRow:
    """A run that evaluated F, a few microseconds each."""
    n = len(F)
    return RunRow(
        status="done",
        message="",
        trace="",
        objectives=F,
        feasible=np.ones(n, dtype=np.bool_),
        seconds=np.cumsum(rng.integers(100, 5000, size=n)) / 1e6,
        front_objectives=F[:1],
        front_genomes=np.zeros((1, 2), dtype=np.int64),
        n_evaluations=n,
        n_unique=n,
        n_tests=0,
        proven=False,
        wall_seconds=1.0,
        cpu_seconds=1.0,
        machine="",
        versions={},
    )


def indicators(path: Path) -> Call:
    names = list(list_indicators().index)
    return lambda: load(path).indicators(budgets=[1000], indicators=names)


def check_large(path: Path, results: Mapping[str, Any]) -> None:
    """A row for each run, and the file is small."""
    frame = results["all indicators"]
    require(len(frame) == N_RUNS, f"{len(frame)} rows, expected {N_RUNS}")
    megabytes = path.stat().st_size / 1e6
    require(megabytes <= 60, f"{megabytes:.0f} MB, expected at most 60")


BENCHMARKS = (
    Benchmark(
        name="experiment on Adult",
        unit="experiment",
        sizes={"8 algorithms, 5 problems, 20 seeds, 1000 nodes": (PROBLEMS, 20, 1000, 2)},
        quick={"8 algorithms, 1 problem, 1 seed, 100 nodes": (PROBLEMS[:1], 1, 100, 1)},
        setup=new_folder,
        ways={
            "one process": with_workers(1),
            "two processes": with_workers(2),
            "processes killed at random": Way(start=killed, repeats=0),
            "workers of dask": Way(start=on_dask, repeats=0),
            "plain calls": Way(start=plain, repeats=0),
        },
        check=check_files,
        goals=[
            Goal(way="two processes", seconds=480.0),
            Goal(way="two processes", faster=1.8, than="one process"),
            Goal(way="workers of dask", faster=1.7, than="one process"),
            Goal(way="one process", faster=0.95, than="plain calls"),
        ],
        close=take_away,
    ),
    Benchmark(
        name="indicators of 800 runs",
        unit="load",
        sizes={"1,000,000 evaluations": 1_000_000},
        quick={"40,000 evaluations": 40_000},
        setup=large_file,
        ways={"all indicators": Way(start=indicators, repeats=1)},
        check=check_large,
        goals=[Goal(way="all indicators", seconds=10.0)],
        close=lambda path: shutil.rmtree(path.parent),
    ),
)
