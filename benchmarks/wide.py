"""Tables of many quasi-identifiers: hashed keys against a pandas groupby a node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

import anonopt as ao
from anonopt.data import cargo_columns
from benchmarks._bench import Benchmark, Call, Goal, Way, require

K = 5
SUPPRESSION = 0.005
MEASURES = ["suppressed", "generalization_level"]
FEW = 40
"""Nodes that pandas computes."""


@dataclass(frozen=True)
class Case:
    """A table and random nodes of its lattice."""

    table: ao.Microdata
    nodes: np.ndarray

    @classmethod
    def of(cls, table: ao.Microdata, n_nodes: int) -> Case:
        """Draw the nodes."""
        heights = np.array(table.lattice.heights)
        rng = np.random.default_rng(0)
        return cls(table, rng.integers(0, heights + 1, (n_nodes, len(heights))))


def cargo(size: tuple[int, int]) -> Case:
    """The first time columns of Cargo 2000, and so many nodes."""
    n_columns, n_nodes = size
    table = ao.load_dataset("cargo", quasi_identifiers=cargo_columns(n_columns))
    return Case.of(table, n_nodes)


def synthetic(n_nodes: int) -> Case:
    """4000 rows, 200 columns of 48 values in four levels."""
    hierarchy = ao.Hierarchy.intervals(range(48), width=4, fan_outs=[4])
    names = [f"column{i}" for i in range(200)]
    cells = np.random.default_rng(0).binomial(47, 0.5, (4000, len(names)))
    table = ao.Microdata(
        pd.DataFrame(cells, columns=names),
        quasi_identifiers=names,
        hierarchies=dict.fromkeys(names, hierarchy),
    )
    return Case.of(table, n_nodes)


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


def with_pandas(case: Case) -> Call:
    return lambda: [pandas_node(case.table, node) for node in case.nodes[:FEW]]


def with_evaluator(case: Case, accelerator: str, backend: str = "auto", workers: int = 1) -> Call:
    evaluator = ao.LatticeEvaluator(
        case.table,
        k=K,
        suppression=SUPPRESSION,
        accelerator=accelerator,
        backend=backend,
        workers=workers,
    )
    evaluator.values(case.nodes[:1], MEASURES)
    return lambda: evaluator.values(case.nodes, MEASURES)["suppressed"]


def check(case: Case, results: Mapping[str, Any]) -> None:
    """Hashed keys give what exact keys give, and what pandas gives on the first nodes."""
    found = results["numpy"]
    evaluator = ao.LatticeEvaluator(case.table, k=K, suppression=SUPPRESSION, accelerator="numpy")
    require(evaluator.backend == "wide", f"back end {evaluator.backend} was taken, not wide")
    require(np.array_equal(found[:FEW], results["pandas"]), "pandas and the wide back end differ")
    require(np.array_equal(found, results["numpy, exact keys"]), "hashed and exact keys differ")
    for way in ("numba", "numba, two threads"):
        require(np.array_equal(found, results[way]), f"numpy and {way} differ")


def check_synthetic(case: Case, results: Mapping[str, Any]) -> None:
    """Both accelerators give the same, and what pandas gives on five nodes."""
    expected = [pandas_node(case.table, node) for node in case.nodes[:5]]
    require(np.array_equal(results["numpy"], results["numba"]), "numba and numpy differ")
    require(np.array_equal(results["numpy"][:5], expected), "pandas and the wide back end differ")


BENCHMARKS = (
    Benchmark(
        name="nodes of Cargo 2000",
        unit="node",
        sizes={"25 columns": (25, 1000)},
        quick={"25 columns": (25, 50)},
        setup=cargo,
        ways={
            "pandas": Way(start=with_pandas, units=FEW),
            "numpy, exact keys": Way(
                start=partial(with_evaluator, accelerator="numpy", backend="direct"),
                units=lambda case: len(case.nodes),
            ),
            "numpy": Way(
                start=partial(with_evaluator, accelerator="numpy"),
                units=lambda case: len(case.nodes),
            ),
            **{
                way: Way(
                    start=partial(with_evaluator, accelerator="numba", workers=workers),
                    units=lambda case: len(case.nodes),
                    repeats=50,
                )
                for way, workers in (("numba", 1), ("numba, two threads", 2))
            },
        },
        check=check,
        goals=[
            Goal(way="numpy", faster=25, than="pandas"),
            Goal(way="numba", seconds=40e-6),
            Goal(way="numba, two threads", faster=1.8, than="numba"),
        ],
    ),
    Benchmark(
        name="nodes of a synthetic table",
        unit="node",
        sizes={"200 columns": 1000},
        quick={"200 columns": 20},
        setup=synthetic,
        ways={
            accelerator: Way(
                start=partial(with_evaluator, accelerator=accelerator),
                units=lambda case: len(case.nodes),
                repeats=1,
            )
            for accelerator in ("numpy", "numba")
        },
        check=check_synthetic,
    ),
)
