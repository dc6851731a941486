"""Whole-lattice evaluation against a pandas groupby a node, and what more rows cost.

Each call begins with the distinct tuples still to be found.
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

MEASURES = ["k", "suppressed", "l", "S_k", "S_l", "glm"]
SUPPRESSION = 0.01
SAMPLED_NODES = 60
FEW_COLUMNS = ("age", "race", "sex")


@dataclass(frozen=True)
class Case:
    """A table, and the nodes that pandas computes."""

    table: ao.Microdata
    sample: np.ndarray

    @classmethod
    def of(cls, quasi_identifiers: Sequence[str] | None) -> Case:
        """Adult with some or all of its quasi-identifiers."""
        table = ao.load_dataset("adult", quasi_identifiers=quasi_identifiers)
        rng = np.random.default_rng(0)
        n_sampled = min(SAMPLED_NODES, table.lattice.size)
        return cls(table, rng.choice(table.lattice.size, n_sampled, replace=False))


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


def evaluate(table: ao.Microdata, accelerator: str, workers: int = 1) -> pd.DataFrame:
    """Measures of all nodes."""
    return ao.LatticeEvaluator(
        table, suppression=SUPPRESSION, accelerator=accelerator, workers=workers
    ).evaluate_all(MEASURES)


def with_pandas(case: Case) -> Call:
    budget = ao.LatticeEvaluator(case.table, suppression=SUPPRESSION).rule.budget
    nodes = case.table.lattice.nodes()[case.sample]
    return lambda: [pandas_node(case.table, node, budget) for node in nodes]


def with_evaluator(case: Case, accelerator: str, workers: int = 1) -> Call:
    return lambda: evaluate(case.table, accelerator, workers)


def check(case: Case, results: Mapping[str, Any]) -> None:
    """The accelerators agree to the bit on all nodes, and with pandas on the sample."""
    whole = results["numba"]
    require(whole.equals(results["numpy"]), "numba and numpy differ")
    require(whole.equals(results["numba, 2 threads"]), "one worker and two differ")
    found = whole[MEASURES].to_numpy()[case.sample]
    expected = np.array(results["pandas"], dtype=float)
    require(np.allclose(found, expected, rtol=1e-12), "pandas and the evaluator differ")


def n_nodes(case: Case) -> int:
    return case.table.lattice.size


LATTICE = Benchmark(
    name="all nodes of Adult",
    unit="node",
    sizes={"17920 nodes": None},
    quick={"40 nodes": FEW_COLUMNS},
    setup=Case.of,
    ways={
        "pandas": Way(start=with_pandas, units=lambda case: len(case.sample), repeats=1),
        "numpy": Way(start=partial(with_evaluator, accelerator="numpy"), units=n_nodes),
        "numba": Way(start=partial(with_evaluator, accelerator="numba"), units=n_nodes),
        "numba, 2 threads": Way(
            start=partial(with_evaluator, accelerator="numba", workers=2), units=n_nodes
        ),
    },
    check=check,
    goals=[
        Goal(way="numpy", faster=35, than="pandas"),
        Goal(way="numba", faster=250, than="pandas"),
        Goal(way="numba, 2 threads", faster=1.7, than="numba"),
    ],
)


def resampled(
    size: tuple[int, Sequence[str] | None],
) -> tuple[ao.Microdata, ao.Microdata]:
    """Adult, and some times its rows with 10 % of each column's cells permuted."""
    factor, quasi_identifiers = size
    table = ao.load_dataset("adult", quasi_identifiers=quasi_identifiers)
    rng = np.random.default_rng(0)
    columns = [*table.quasi_identifiers, table.sensitive]
    rows = rng.integers(table.n_rows, size=factor * table.n_rows)
    frame = table.frame[columns].iloc[rows].reset_index(drop=True)
    for column in columns:
        moved = np.flatnonzero(rng.random(len(frame)) < 0.1)
        values = frame[column].to_numpy().copy()
        values[moved] = values[rng.permutation(moved)]
        frame[column] = values
    large = ao.Microdata(
        frame,
        quasi_identifiers=list(table.quasi_identifiers),
        hierarchies=table.hierarchies,
        sensitive=table.sensitive,
    )
    return table, large


def check_rows(tables: tuple[ao.Microdata, ao.Microdata], results: Mapping[str, Any]) -> None:
    """The full generalization keeps all rows of both tables in one class."""
    for table, frame in zip(tables, results.values(), strict=True):
        require(frame["k"].iloc[-1] == table.n_rows, "the most general node has several classes")


ROWS = Benchmark(
    name="all nodes, more rows",
    unit="row",
    sizes={"100 times": (100, None)},
    quick={"2 times": (2, FEW_COLUMNS)},
    setup=resampled,
    ways={
        "Adult": Way(
            start=lambda tables: partial(evaluate, tables[0], "numba"),
            units=lambda tables: tables[0].n_rows,
        ),
        "resampled": Way(
            start=lambda tables: partial(evaluate, tables[1], "numba"),
            units=lambda tables: tables[1].n_rows,
            repeats=2,
        ),
    },
    check=check_rows,
    goals=[Goal(way="resampled", faster=10, than="Adult")],
)

BENCHMARKS = (LATTICE, ROWS)
