"""Bounds of single classes on Adult: every node against the rows, and what the bound costs.

Under k = 5 with at most 1 % of the rows suppressed, classes of fewer than 3 distinct occupations
are suppressed as well; loss and suppressed rows of each node are found once more from all rows,
sorted (a minute or so). The second part counts a sensitive column of a million distinct values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

import anonopt as ao
from benchmarks._bench import Benchmark, Call, Goal, Way, require

K, L, SUPPRESSION = 5, 3, 0.01
MEASURES = ["suppressed", "glm", "feasible"]
FEW_COLUMNS = ("age", "race", "sex")
N_FEASIBLE, LEAST_GLM = 4129, 74511.59828767124
"""Of the whole of Adult."""


@dataclass(frozen=True)
class Case:
    """A table, and suppressed rows and loss of each node, found row by row."""

    table: ao.Microdata
    expected: np.ndarray

    @classmethod
    def of(cls, quasi_identifiers: Sequence[str] | None) -> Case:
        """Adult with some or all of its quasi-identifiers."""
        table = ao.load_dataset("adult", quasi_identifiers=quasi_identifiers)
        return cls(table, np.array(list(row_by_row(table))))


def row_by_row(table: ao.Microdata) -> Any:
    """Suppressed rows and general loss metric of each node, from every row of the table."""
    trees = [table.hierarchies[name] for name in table.quasi_identifiers]
    codes = [[level[leaves] for level in tree.maps] for tree, leaves in zip_columns(trees, table)]
    costs = [
        [(np.bincount(level)[level[leaves]] - 1) / max(tree.n_leaves - 1, 1) for level in tree.maps]
        for tree, leaves in zip_columns(trees, table)
    ]
    for node in table.lattice.nodes().tolist():
        keys = np.zeros(table.n_rows, dtype=np.int64)
        for column, (tree, level) in enumerate(zip(trees, node, strict=True)):
            keys = keys * tree.n_leaves + codes[column][level]
        # Rows of a class stand together, and in a class those of an occupation.
        keys = keys * len(table.sensitive_labels) + table.sensitive_codes
        order = np.argsort(keys)
        pairs = keys[order]
        classes = pairs // len(table.sensitive_labels)
        first = np.flatnonzero(np.append(True, classes[1:] != classes[:-1]))
        rows = np.diff(first, append=len(classes))
        distinct = np.add.reduceat(np.append(True, pairs[1:] != pairs[:-1]), first, dtype=int)
        suppressed = np.empty(table.n_rows, dtype=bool)
        suppressed[order] = np.repeat((rows < K) | (distinct < L), rows)
        cost = sum(costs[column][level] for column, level in enumerate(node))
        yield suppressed.sum(), np.where(suppressed, len(node), cost).sum()


def zip_columns(trees: Sequence[Any], table: ao.Microdata) -> Any:
    """Hierarchy and leaves of the rows of each quasi-identifier."""
    return zip(trees, table.codes.T, strict=True)


def evaluate(table: ao.Microdata, accelerator: str, bounds: Mapping[str, float]) -> pd.DataFrame:
    """Measures of all nodes."""
    evaluator = ao.LatticeEvaluator(
        table, k=K, suppression=SUPPRESSION, class_bounds=bounds, accelerator=accelerator
    )
    return evaluator.evaluate_all(MEASURES)


def start(case: Case, accelerator: str, bounds: Mapping[str, float]) -> Call:
    return lambda: evaluate(case.table, accelerator, bounds)


def check(case: Case, results: Mapping[str, Any]) -> None:
    """All nodes are as the rows say, and both accelerators agree to the bit."""
    found = results["numba, l"]
    require(found.equals(results["numpy, l"]), "numba and numpy differ")
    require(results["numba, k alone"].equals(results["numpy, k alone"]), "numba and numpy differ")
    same = np.array_equal(found["suppressed"], case.expected[:, 0])
    require(same, "suppressed rows differ from those found row by row")
    close = np.allclose(found["glm"], case.expected[:, 1], rtol=1e-10)
    require(close, "the loss differs from that found row by row")
    feasible = found[found["feasible"] == 1]
    if len(found) == 17920:
        require(len(feasible) == N_FEASIBLE, f"{len(feasible)} nodes are feasible")
        require(bool(np.isclose(feasible["glm"].min(), LEAST_GLM)), "the least loss differs")


def n_nodes(case: Case) -> int:
    return case.table.lattice.size


def way(accelerator: str, bounds: Mapping[str, float]) -> Way:
    return Way(start=partial(start, accelerator=accelerator, bounds=bounds), units=n_nodes)


BOUNDED = Benchmark(
    name="all nodes of Adult under k = 5, and with l = 3 of each class",
    unit="node",
    sizes={"17920 nodes": None},
    quick={"40 nodes": FEW_COLUMNS},
    setup=Case.of,
    ways={
        "numpy, k alone": way("numpy", {}),
        "numpy, l": way("numpy", {"l": L}),
        "numba, k alone": way("numba", {}),
        "numba, l": way("numba", {"l": L}),
    },
    check=check,
    goals=[
        Goal(way="numpy, l", faster=1 / 1.5, than="numpy, k alone"),
        Goal(way="numba, l", faster=1 / 1.5, than="numba, k alone"),
    ],
)


def distinct_values(n_rows: int) -> pd.DataFrame:
    """A table whose sensitive values are all distinct."""
    rng = np.random.default_rng(23)
    columns = {name: rng.integers(0, round(n_rows ** (1 / 3) / 2), n_rows) for name in "abc"}
    return pd.DataFrame(columns | {"number": np.arange(n_rows)})


def check_frame(frame: pd.DataFrame) -> Call:
    return lambda: ao.check(frame, quasi_identifiers=["a", "b", "c"], sensitive="number")


def measure_nodes(frame: pd.DataFrame) -> Call:
    names = ["a", "b", "c"]
    intervals = dict.fromkeys(names, ao.Hierarchy.intervals(range(60), width=20))

    def call() -> pd.DataFrame:
        table = ao.Microdata(
            frame, quasi_identifiers=names, hierarchies=intervals, sensitive="number"
        )
        evaluator = ao.LatticeEvaluator(table, k=5, suppression=SUPPRESSION, class_bounds={"l": L})
        return evaluator.evaluate([[0, 0, 0]], ["k", "l", "entropy_l", "t", "t_ordered", "S_l"])

    return call


def check_counts(frame: pd.DataFrame, results: Mapping[str, Any]) -> None:
    """Every row of a class has a value of its own."""
    report, found = results["check"], results["evaluator"].iloc[0]
    sizes = frame.groupby(["a", "b", "c"]).size()
    require(report["k"] == report["l"] == sizes.min(), "k or l of the table differ")
    smallest = sizes[sizes >= 5].min()
    require(found["k"] == found["l"] == smallest, "k or l of the kept classes differ")
    require(bool(np.isclose(found["entropy_l"], smallest)), "entropy l differs")
    require(found["S_l"] == len(frame), "the sum of the counts differs")


MANY_VALUES = Benchmark(
    name="a sensitive column of distinct values",
    unit="row",
    sizes={"1000000 rows": 1_000_000},
    quick={"2000 rows": 2000},
    setup=distinct_values,
    ways={
        "check": Way(start=check_frame, units=len, repeats=1, memory=True),
        "evaluator": Way(start=measure_nodes, units=len, repeats=1, memory=True),
    },
    check=check_counts,
    goals=[Goal(way="check", megabytes=1000), Goal(way="evaluator", megabytes=1000)],
)

BENCHMARKS = (BOUNDED, MANY_VALUES)
