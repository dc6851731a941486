"""Whole-lattice evaluation of Adult against a pandas groupby a node, in one run.

Equality first: a sample of nodes is computed by pandas and compared, and the two accelerators
must agree to the bit on the whole lattice. Then the times, each the best of several runs.

    python benchmarks/lattice.py                # Adult: numba, numpy, two threads
    python benchmarks/lattice.py --scale 100    # also 100x the rows, 10 % of cells permuted
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

import anonopt as ao

MEASURES = ["k", "suppressed", "l", "S_k", "S_l", "glm"]
SUPPRESSION = 0.01
SAMPLED_NODES = 60
GOALS = {"numba": 250.0, "numpy": 35.0, "threads": 1.7, "scale": 10.0}


def pandas_node(table: ao.Microdata, node: np.ndarray, budget: int) -> tuple[float, ...]:
    """The six measures of one node with a pandas groupby."""
    frame = pd.DataFrame(
        {
            name: table.hierarchies[name].maps[level][table.codes[:, i]]
            for i, (name, level) in enumerate(zip(table.quasi_identifiers, node, strict=True))
        }
    )
    columns = list(frame.columns)
    frame["sensitive"] = table.sensitive_codes
    groups = frame.groupby(columns, sort=False)
    sizes = groups.size()
    distinct = groups["sensitive"].nunique()
    pairs = frame.groupby([*columns, "sensitive"], sort=False).size()
    rows_of_size = np.bincount(sizes.to_numpy(), weights=sizes.to_numpy())
    k = int(np.argmax(np.cumsum(rows_of_size) > budget))
    kept = sizes >= k
    suppressed = sizes[~kept].sum()
    loss = 0.0
    kept_sizes = sizes[kept]
    for name, level in zip(columns, node, strict=True):
        hierarchy = table.hierarchies[name]
        if hierarchy.n_leaves > 1:
            values = kept_sizes.index.get_level_values(name)
            leaves = hierarchy.leaf_counts(level)[values]
            loss += ((leaves - 1) * kept_sizes.to_numpy()).sum() / (hierarchy.n_leaves - 1)
        loss += suppressed
    return (
        k,
        suppressed,
        distinct[kept].min(),
        (sizes.astype("int64") ** 2).sum(),
        (pairs.astype("int64") ** 2).sum(),
        loss,
    )


def best_time(function: Callable[[], object], repeats: int) -> float:
    """Least wall time of several runs, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def resampled(table: ao.Microdata, factor: int, rng: np.random.Generator) -> ao.Microdata:
    """`factor` times the rows, drawn with replacement; 10 % of each column's cells permuted."""
    columns = [*table.quasi_identifiers, table.sensitive]
    rows = rng.integers(table.n_rows, size=factor * table.n_rows)
    frame = table.frame[columns].iloc[rows].reset_index(drop=True)
    for column in columns:
        moved = np.flatnonzero(rng.random(len(frame)) < 0.1)
        values = frame[column].to_numpy().copy()
        values[moved] = values[rng.permutation(moved)]
        frame[column] = values
    return ao.Microdata(
        frame,
        quasi_identifiers=list(table.quasi_identifiers),
        hierarchies=table.hierarchies,
        sensitive=table.sensitive,
    )


def evaluator(table: ao.Microdata, accelerator: str, workers: int = 1) -> ao.LatticeEvaluator:
    """An evaluator with its distinct tuples still to be found."""
    return ao.LatticeEvaluator(
        table, suppression=SUPPRESSION, accelerator=accelerator, workers=workers
    )


def check_equal(table: ao.Microdata, sample: np.ndarray) -> tuple[float, float]:
    """Compare every way with every other; returns pandas' wall and seconds per node."""
    whole = evaluator(table, "numba").evaluate_all(MEASURES)
    other = evaluator(table, "numpy").evaluate_all(MEASURES)
    if not whole.equals(other):
        sys.exit("numba and numpy differ: no times")
    if not whole.equals(evaluator(table, "numba", workers=2).evaluate_all(MEASURES)):
        sys.exit("one worker and two differ: no times")
    budget = evaluator(table, "numpy").rule.budget
    nodes = table.lattice.nodes()[sample]
    start = time.perf_counter()
    expected = [pandas_node(table, node, budget) for node in nodes]
    seconds = time.perf_counter() - start
    found = whole[MEASURES].to_numpy()[sample]
    if not np.allclose(found, np.array(expected, dtype=float), rtol=1e-12):
        sys.exit("pandas and the evaluator differ: no times")
    return seconds, seconds / len(nodes)


def main() -> int:
    """Print the table; returns 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=int, default=0, help="also time this many times the rows")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    adult = ao.load_dataset("adult")
    rng = np.random.default_rng(0)
    sample = rng.choice(adult.lattice.size, SAMPLED_NODES, replace=False)
    _, per_node = check_equal(adult, sample)
    pandas_lattice = per_node * adult.lattice.size
    print(f"equal on {adult.lattice.size} nodes (numba, numpy, 2 workers) and on ", end="")
    print(f"{SAMPLED_NODES} sampled nodes (pandas); {os.cpu_count()} cores")
    print(f"pandas groupby      {per_node * 1e3:8.2f} ms a node, {pandas_lattice:7.1f} s a lattice")

    ratios = {}
    times = {}
    for label, accelerator, workers in (
        ("numba", "numba", 1),
        ("numpy", "numpy", 1),
        ("numba, 2 threads", "numba", 2),
    ):
        times[label] = best_time(
            lambda a=accelerator, w=workers: evaluator(adult, a, w).evaluate_all(MEASURES),
            options.repeats,
        )
        print(f"{label:<19} {times[label]:8.3f} s a lattice, ", end="")
        print(f"{pandas_lattice / times[label]:6.0f}x pandas")
    ratios["numba"] = pandas_lattice / times["numba"]
    ratios["numpy"] = pandas_lattice / times["numpy"]
    ratios["threads"] = times["numba"] / times["numba, 2 threads"]
    print(f"two threads against one {ratios['threads']:.2f}x")
    if options.scale:
        large = resampled(adult, options.scale, rng)
        seconds = best_time(lambda: evaluator(large, "numba").evaluate_all(MEASURES), 2)
        ratios["scale"] = seconds / times["numba"]
        tuples = evaluator(large, "numba").n_tuples
        print(f"{large.n_rows} rows, {tuples} distinct tuples: {seconds:.2f} s, ", end="")
        print(f"{ratios['scale']:.1f}x the time of {adult.n_rows} rows (dedup included)")
    missed = [
        name
        for name, ratio in ratios.items()
        if (ratio > GOALS[name] if name == "scale" else ratio < GOALS[name])
    ]
    print("goals " + ("met" if not missed else f"missed: {', '.join(missed)}"))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
