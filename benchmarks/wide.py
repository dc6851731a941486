"""Tables of many quasi-identifiers: numpy alone against a pandas groupby a node.

Equality first: the numbers of rows in classes below k of sampled nodes are those of pandas, and
hashed keys give what exact keys give. Then the times. Cargo 2000 is found as the tests find it.

    python benchmarks/wide.py
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
import pandas as pd
from _data import find_shared_data

import anonopt as ao
from anonopt.data import cargo_columns

GOAL = 25.0
K = 5
MEASURES = ["suppressed", "generalization_level"]


def pandas_node(table: ao.Microdata, node: np.ndarray) -> int:
    """Rows in classes below k at a node, with a pandas groupby."""
    frame = pd.DataFrame(
        {
            name: table.hierarchies[name].maps[level][table.codes[:, i]]
            for i, (name, level) in enumerate(zip(table.quasi_identifiers, node, strict=True))
        }
    )
    sizes = frame.groupby(list(frame.columns), sort=False).size()
    return int(sizes[sizes < K].sum())


def best(function: Callable[[], object], repeats: int = 5) -> float:
    """Least wall time of several runs, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def random_nodes(table: ao.Microdata, n: int, rng: np.random.Generator) -> np.ndarray:
    """Uniform random nodes, (n, n_quasi_identifiers)."""
    return rng.integers(0, np.array(table.lattice.heights) + 1, (n, len(table.lattice.heights)))


def cargo() -> ao.Microdata:
    """The first 25 time columns of Cargo 2000."""
    return ao.load_dataset("cargo", quasi_identifiers=cargo_columns(25))


def synthetic(n_rows: int, n_columns: int, rng: np.random.Generator) -> ao.Microdata:
    """A table of columns of 48 values in four levels."""
    hierarchy = ao.Hierarchy.intervals(range(48), width=4, fan_outs=[4])
    names = [f"column{i}" for i in range(n_columns)]
    cells = rng.binomial(47, 0.5, (n_rows, n_columns))
    return ao.Microdata(
        pd.DataFrame(cells, columns=names),
        quasi_identifiers=names,
        hierarchies=dict.fromkeys(names, hierarchy),
    )


def main() -> int:
    """Print the figures; returns 1 if the goal is missed."""
    if not find_shared_data():
        return 0
    rng = np.random.default_rng(0)
    table = cargo()
    wide = ao.LatticeEvaluator(table, k=K, suppression=0.005, accelerator="numpy")
    exact = ao.LatticeEvaluator(
        table, k=K, suppression=0.005, accelerator="numpy", backend="direct"
    )
    nodes = random_nodes(table, 200, rng)
    few = nodes[:40]
    expected = [pandas_node(table, node) for node in few]
    pandas_seconds = best(lambda: [pandas_node(table, node) for node in few]) / len(few)
    found = wide.values(nodes, MEASURES)["suppressed"]
    if wide.backend != "wide" or not np.array_equal(found[: len(few)], expected):
        sys.exit("pandas and the wide back end differ: no times")
    if not np.array_equal(found, exact.values(nodes, MEASURES)["suppressed"]):
        sys.exit("hashed and exact keys differ: no times")
    seconds = best(lambda: wide.values(nodes, MEASURES)) / len(nodes)
    ratio = pandas_seconds / seconds
    print(f"25 columns, {table.n_rows} rows: equal on {len(few)} nodes (pandas) ", end="")
    print(f"and {len(nodes)} (exact keys)")
    print(
        f"pandas {pandas_seconds * 1e3:.2f} ms, numpy {seconds * 1e6:.0f} us a node: {ratio:.0f}x"
    )
    large = synthetic(4000, 200, rng)
    nodes = random_nodes(large, 1000, rng)
    for accelerator in ("numpy", "numba"):
        evaluator = ao.LatticeEvaluator(large, k=K, suppression=0.005, accelerator=accelerator)
        evaluator.values(nodes[:1], MEASURES)
        start = time.perf_counter()
        found = evaluator.values(nodes, MEASURES)["suppressed"]
        seconds = time.perf_counter() - start
        if not np.array_equal(found[:5], [pandas_node(large, node) for node in nodes[:5]]):
            sys.exit("pandas and the wide back end differ at 200 columns: no times")
        print(f"200 columns, 4000 rows, 1000 random nodes, {accelerator}: {seconds:.2f} s")
    print(f"lattice of {large.lattice.size} nodes")
    print("goals " + ("met" if ratio >= GOAL else "missed: wide"))
    return 0 if ratio >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
