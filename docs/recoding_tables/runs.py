"""Runs of every way, each file checked by plain pandas, kept in a CSV file that goes on growing."""

from __future__ import annotations

import csv
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import pandas as pd

from recoding_tables.plain_check import Labels, broken_promises, checked_file
from recoding_tables.ways import BOUND, CASES, WAYS, Way, bound, dataset

KEY = ["case", "k", "way", "seed", "budget"]
FIGURES = ["glm", "classes", "smallest", "l", "suppressed", "decodings", "seconds"]
COLUMNS = [*KEY, *FIGURES]


@dataclass(frozen=True)
class Job:
    """One run."""

    case: str
    k: int
    way: str
    seed: int
    budget: int


def jobs(cases: Iterable[str], seeds: int, decodings: int | None = None) -> Iterator[Job]:
    """Every run; ways without chance run once, with seed 0; budgets as planned, or another."""
    for name in cases:
        for k in CASES[name].ks:
            yield Job(name, k, BOUND, 0, 0)
            for way in WAYS:
                budget = way.budget(CASES[name])
                for seed in range(_n_runs(way, seeds)):
                    yield Job(name, k, way.name, seed, min(budget, decodings or budget))


def _n_runs(way: Way, seeds: int) -> int:
    if not way.stochastic:
        return 1
    return (seeds + 1) // 2 if way.regions else seeds


@cache
def _labels(name: str) -> dict[object, Labels]:
    table = dataset(name)
    return {
        column: Labels(table.hierarchies[column].to_frame()) for column in table.quasi_identifiers
    }


def run(job: Job) -> dict[str, object]:
    """Search, protect, and read the file again.

    Raises
    ------
    ValueError
        If the file is not what was asked for, or not what the search reported.
    """
    case = CASES[job.case]
    if job.way == BOUND:
        return _bounded(job)
    (way,) = (one for one in WAYS if one.name == job.way)
    dataset(case.dataset)
    row: dict[str, object] = asdict(job)
    start = time.process_time()
    found = way.solve(case, job.k, job.seed, job.budget)
    seconds = time.process_time() - start
    if found is None:
        return row
    problem = found.problem
    suppressed = pd.Series(problem.suppressed_rows(found.x))
    table = problem.table
    figures = checked_file(
        table.frame,
        problem.protect(found.x),
        suppressed,
        labels=_labels(case.dataset),
        sensitive=table.sensitive,
    )
    broken = broken_promises(
        figures,
        k=job.k,
        bounds=case.bounds,
        budget=int(way.suppression * table.n_rows),
        glm=found.glm,
    )
    if broken:
        raise ValueError(f"{job}: expected {'; '.join(broken)}")
    return row | {
        "glm": round(figures.glm, 3),
        "classes": figures.classes,
        "smallest": figures.k,
        "l": figures.l,
        "suppressed": figures.suppressed,
        "decodings": found.evaluations,
        "seconds": round(seconds, 2),
    }


def _bounded(job: Job) -> dict[str, object]:
    start = time.process_time()
    least = bound(CASES[job.case], job.k)
    return asdict(job) | {"glm": round(least, 3), "seconds": round(time.process_time() - start, 2)}


def run_missing(wanted: Iterable[Job], path: Path, workers: int) -> list[str]:
    """Run what a file does not hold yet; each run is written as it ends.

    Returns
    -------
    list of str
        What went wrong with runs; these are not written, and are run anew next time.
    """
    held = {Job(*row) for row in read(path)[KEY].itertuples(index=False)}
    missing = [job for job in wanted if job not in held]
    start = time.perf_counter()
    wrong = []
    with (
        ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool,
        path.open("a", encoding="utf-8", newline="") as lines,
    ):
        writer = csv.DictWriter(lines, COLUMNS, lineterminator="\n")
        if not held:
            writer.writeheader()
        done = as_completed([pool.submit(run, job) for job in missing])
        for n_done, future in enumerate(done, start=1):
            error = future.exception()
            if error is None:
                writer.writerow(future.result())
                lines.flush()
            else:
                wrong.append(f"{type(error).__name__}: {error}")
            if n_done % 20 == 0:
                passed = time.perf_counter() - start
                print(f"{n_done} of {len(missing)} runs, {passed:.0f} s", flush=True)
    return wrong


def read(path: Path) -> pd.DataFrame:
    """Rows of the file of runs; none if there is no file."""
    if not path.is_file():
        return pd.DataFrame(columns=COLUMNS)
    return pd.read_csv(path)


def in_order(rows: pd.DataFrame) -> pd.DataFrame:
    """The same rows, by cases and ways as the page has them."""
    places = {
        name: place for place, name in enumerate([*CASES, *(way.name for way in WAYS), BOUND])
    }
    return rows.sort_values(KEY, key=lambda column: column.replace(places), ignore_index=True)


def repeated(rows: pd.DataFrame, n: int) -> list[str]:
    """Run some rows again, evenly chosen; tells those that come to another loss."""
    some = rows.dropna(subset=["glm"]).iloc[:: max(1, len(rows) // n)].head(n)
    return [
        f"{job}: {found} in place of {row.glm}"
        for row in some.itertuples()
        if (found := run(job := Job(*(getattr(row, name) for name in KEY)))["glm"]) != row.glm
    ]
