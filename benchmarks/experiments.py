"""Experiments: processes, this process and plain calls do the same runs; a large file is read."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

import numpy as np

import anonopt as ao
from anonopt.experiments import Experiment, load
from anonopt.experiments.grid.budgets import Budget
from anonopt.experiments.store.store import AlgorithmRow, Cell, ExperimentStore, ProblemRow, RunRow
from benchmarks._bench import Benchmark, Call, Goal, Way, require

PROBLEMS = ("adult-k-glm", "adult-k-l-glm", "adult-sk-glm", "adult-sk-sl-glm", "adult-k-glm-cm")
ALGORITHMS = (
    *("pbgea", "lattice-vnd", "exhaustive", "random"),
    *("nsga2", "nsga3", "spea2", "smsemoa"),
)
TIMES = {"created", "finished", "wall_seconds", "cpu_seconds", "seconds"}
"""Columns that differ between equal runs."""

N_RUNS = 800


class Share(NamedTuple):
    """A part of the experiment that every algorithm takes part in."""

    problems: tuple[str, ...]
    n_seeds: int
    budget: int

    def experiment(self) -> Experiment:
        """Every algorithm on its problems."""
        return Experiment(
            problems=self.problems,
            algorithms=ALGORITHMS,
            seeds=range(self.n_seeds),
            budget=self.budget,
        )


def with_workers(workers: int) -> Way:
    """Run all; the file is the result."""

    def start(share: Share) -> Call:
        path = Path(mkdtemp()) / "runs.sqlite"
        experiment = share.experiment()
        return lambda: experiment.run(path, workers=workers).path

    return Way(start=start, units=1, repeats=1)


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
    n_runs = len(share.problems) * len(ALGORITHMS) * share.n_seeds
    require(len(first["runs"]) == n_runs, f"{len(first['runs'])} runs, expected {n_runs}")
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
    return lambda: (path, load(path).indicators(budgets=[1000]))


def check_large(path: Path, results: Mapping[str, Any]) -> None:
    """A row for each run, and the file is small."""
    _, frame = results["hypervolume and others"]
    require(len(frame) == N_RUNS, f"{len(frame)} rows, expected {N_RUNS}")
    megabytes = path.stat().st_size / 1e6
    require(megabytes <= 60, f"{megabytes:.0f} MB, expected at most 60")


BENCHMARKS = (
    Benchmark(
        name="experiment on Adult",
        unit="experiment",
        sizes={"8 algorithms, 5 problems, 20 seeds, 1000 nodes": Share(PROBLEMS, 20, 1000)},
        quick={"8 algorithms, 1 problem, 2 seeds, 100 nodes": Share(PROBLEMS[:1], 2, 100)},
        setup=lambda share: share,
        ways={
            "one process": with_workers(1),
            "two processes": with_workers(2),
            "this process": with_workers(0),
            "plain calls": Way(start=plain, repeats=1),
        },
        check=check_files,
        goals=[
            Goal(way="two processes", seconds=480.0),
            Goal(way="two processes", faster=1.7, than="one process"),
            Goal(way="this process", faster=0.95, than="plain calls"),
        ],
    ),
    Benchmark(
        name="indicators of 800 runs",
        unit="load",
        sizes={"1,000,000 evaluations": 1_000_000},
        quick={"40,000 evaluations": 40_000},
        setup=large_file,
        ways={"hypervolume and others": Way(start=indicators, repeats=1)},
        check=check_large,
        goals=[Goal(way="hypervolume and others", seconds=10.0)],
    ),
)
