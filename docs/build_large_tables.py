"""Measures what large tables take, and that all engines find the same; prints the tables.

Files are written into a folder, and stay there::

    python docs/build_large_tables.py FOLDER compare   # 10^7 rows by pandas and by each engine
    python docs/build_large_tables.py FOLDER whole     # 10^8 rows: from nothing to a checked file
    python docs/build_large_tables.py FOLDER engine    # 5 x 10^6 distinct tuples, 10^6 allowed

``--rows`` makes them smaller. Each engine runs in a process of its own, whose peak of memory is
what Linux tells (``VmHWM``); that of a cluster is the sum of its processes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import anonopt as ao
from anonopt.data import SyntheticTable

ROWS = {"compare": 10_000_000, "whole": 100_000_000, "engine": 30_000_000}
PROFILES = {"compare": 500_000, "whole": 500_000, "engine": 20_000_000}
KILLED = "dask, a worker killed"
ENGINES = ("pandas", "duckdb", "arrow", "dask", KILLED)
SECONDS_TO_LIVE = 3
"""After these, while the rows are counted, the worker gets a signal that it cannot refuse."""

MEMORY_LIMIT = "4GB"
ROWS_A_TUPLE = 30
"""Rows for each distinct tuple that may be in memory: 10^6 of 3 x 10^7."""

MEASURES = ["k", "l", "suppressed", "glm", "discernibility"]
RULE: dict[str, Any] = {"k": 5, "suppression": 0.02}


def peak() -> float:
    """Most memory that this process has had, in GB."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1e6


@contextmanager
def stage(found: dict[str, Any], name: str) -> Iterator[None]:
    """Notes the seconds and the peak of memory of a stage."""
    started = time.perf_counter()
    yield
    found[name] = {"seconds": time.perf_counter() - started, "GB": peak()}
    print(f"{name}: {found[name]['seconds']:.1f} s, {peak():.2f} GB", file=sys.stderr, flush=True)


def people_of(mode: str, rows: int) -> SyntheticTable:
    """The table of a mode."""
    return SyntheticTable(n_rows=rows, profiles=PROFILES[mode])


def roles_of(people: SyntheticTable) -> dict[str, Any]:
    """Its roles, as tables take them."""
    return {
        "quasi_identifiers": list(people.quasi_identifiers),
        "hierarchies": people.hierarchies(),
        "sensitive": people.sensitive,
        "identifiers": list(people.identifiers),
    }


def written(people: SyntheticTable, folder: Path) -> Path:
    """Its file, which is made once."""
    path = folder / f"people-{people.n_rows}-{people.profiles}.parquet"
    return path if path.exists() else people.write(path)


def digest(frame: pd.DataFrame) -> str:
    """Equal for frames of numbers with the same bits."""
    content = b"".join(np.ascontiguousarray(frame[name]).tobytes() for name in frame)
    return hashlib.sha256(content).hexdigest()[:16]


def file_digest(path: Path) -> str:
    """Equal for Parquet files of the same cells in the same order."""
    import duckdb

    columns = duckdb.sql(f"select * from '{path}' limit 0").columns
    names = ", ".join(f'"{name}"::varchar' for name in columns)
    sql = f"select bit_xor(hash({names}, file_row_number)), count(*) from "
    return str(duckdb.sql(f"{sql} read_parquet('{path}', file_row_number=true)").fetchall()[0])


def feasible_node(table: ao.Microdata) -> list[int]:
    """A node of least loss among 200 that keep the rule."""
    nodes = some_nodes(table, 200)
    evaluator = ao.LatticeEvaluator(table, **RULE)
    values = evaluator.values(nodes, ["feasible", "glm"])
    loss = np.where(values["feasible"] > 0, values["glm"], np.inf)
    node: list[int] = nodes[int(np.argmin(loss))].tolist()
    return node


def some_nodes(table: ao.Microdata, number: int) -> Any:
    """Nodes of a lattice, and its top."""
    top = np.array(table.lattice.top)
    drawn = np.random.default_rng(1).integers(0, top + 1, size=(number - 1, len(top)))
    return np.concatenate([drawn, top[np.newaxis]])


def compared(engine: str, people: SyntheticTable, folder: Path) -> dict[str, Any]:
    """The way of one engine: opened, reduced, 200 nodes, a protected file."""
    found: dict[str, Any] = {}
    path, target = written(people, folder), folder / f"protected-{engine}.parquet"
    roles, client = roles_of(people), None
    with stage(found, "open"):
        if engine == "pandas":
            table = ao.Microdata(pd.read_parquet(path), **roles)
        else:
            limit = {"memory_limit": MEMORY_LIMIT} if engine == "duckdb" else {}
            reader, _, _ = engine.partition(",")
            if reader == "dask":
                from distributed import Client

                client = Client(n_workers=2, threads_per_worker=1, dashboard_address=None)
            table = ao.Microdata.from_parquet(path, engine=reader, **limit, **roles)
    if engine == KILLED:
        threading.Timer(SECONDS_TO_LIVE, kill_a_worker, [client, found]).start()
    with stage(found, "reduce"):
        evaluator = ao.LatticeEvaluator(table, **RULE)
        found["tuples"] = evaluator.n_tuples
    with stage(found, "200 nodes"):
        found["values"] = digest(evaluator.evaluate(some_nodes(table, 200), MEASURES))
    node = feasible_node(table)
    with stage(found, "protect"):
        report = table.apply(node, to=target, flag="suppressed", **RULE)
    found["report"] = {name: int(value) for name, value in report.drop("seconds").items()}
    found["GB"] = peak()
    if client is not None:
        found["GB"] += sum(client.run(peak).values())
        client.close()
    found["file"] = file_digest(target)
    target.unlink()
    return found


def kill_a_worker(client: Any, found: dict[str, Any]) -> None:
    """End the process of the first worker, and note whether rows were being counted then."""
    found["killed while counting"] = "reduce" not in found
    workers = client.scheduler_info()["workers"]
    first = min(workers)
    os.kill(client.run(os.getpid, workers=[first])[first], signal.SIGKILL)


def whole(_: str, people: SyntheticTable, folder: Path) -> dict[str, Any]:
    """From nothing to a checked file."""
    found: dict[str, Any] = {}
    with stage(found, "generate"):
        path = written(people, folder)
    with stage(found, "open: values of columns"):
        table = ao.Microdata.from_parquet(path, memory_limit=MEMORY_LIMIT, **roles_of(people))
    with stage(found, "reduce"):
        problem = ao.problems.LatticeProblem(table, ["k", "glm"], suppression=0.01)
        found["tuples"] = problem.evaluator.n_tuples
    with stage(found, "PBGEA, 900 evaluations"):
        result = ao.solve(problem, ao.algorithms.PBGEA(), budget=900, seed=1)
    with stage(found, f"whole lattice, {table.lattice.size} nodes"):
        everything = problem.evaluator.evaluate_all(["k", "glm"])
    found["front"] = len(result.front)
    found["k"] = [int(everything["k"].min()), int(everything["k"].max())]
    loss = np.where(result.front["k"] >= 5, result.front["glm"], np.inf)
    row = int(np.argmin(loss))
    with stage(found, "protect"):
        report = result.protect(row, to=folder / "protected.parquet", flag="suppressed")
    found["report"] = {name: int(value) for name, value in report.drop("seconds").items()}
    with stage(found, "check"):
        figures = ao.check(
            folder / "protected.parquet",
            quasi_identifiers=list(people.quasi_identifiers),
            sensitive=people.sensitive,
            k=found["report"]["k"],
            suppressed="*",
        )
    found["check"] = {name: figures[name] for name in ("anonymous", "k", "l", "rows", "suppressed")}
    return found


def engine_nodes(_: str, people: SyntheticTable, folder: Path) -> dict[str, Any]:
    """Nodes that DuckDB groups, against the same nodes in memory."""
    found: dict[str, Any] = {}
    path, times, frames = written(people, folder), {}, []
    for name, limit in (("engine", people.n_rows // ROWS_A_TUPLE), ("memory", 100_000_000)):
        table = ao.Microdata.from_parquet(
            path, memory_limit=MEMORY_LIMIT, max_tuples=limit, **roles_of(people)
        )
        with stage(found, f"{name}: reduce"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            evaluator = ao.LatticeEvaluator(table, suppression=0.01)
            found["tuples"] = evaluator.n_tuples
        nodes = some_nodes(table, 20)
        with stage(found, f"{name}: 20 nodes"):
            frames.append(evaluator.evaluate(nodes, MEASURES))
        with stage(found, f"{name}: 20 nodes, k alone"):
            evaluator.evaluate(nodes, ["k"])
        times[name] = evaluator.backend
    found["backends"], found["equal"] = times, digest(frames[0]) == digest(frames[1])
    return found


MODES: dict[str, Callable[[str, SyntheticTable, Path], dict[str, Any]]] = {
    "compare": compared,
    "whole": whole,
    "engine": engine_nodes,
}


def main() -> None:
    """Run a mode, each engine in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("mode", choices=MODES)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--engine", choices=ENGINES, help="run this one, in this process")
    given = parser.parse_args()
    people = people_of(given.mode, given.rows or ROWS[given.mode])
    if given.engine or given.mode != "compare":
        print(json.dumps(MODES[given.mode](given.engine or "", people, given.folder), indent=1))
        return
    written(people, given.folder)
    results = {}
    for engine in ENGINES:
        words = [sys.executable, __file__, *sys.argv[1:], "--engine", engine]
        results[engine] = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
    print(json.dumps(results, indent=1))
    for name in ("tuples", "values", "report", "file"):
        print(f"{name} equal:", len({str(one[name]) for one in results.values()}) == 1)


if __name__ == "__main__":
    main()
