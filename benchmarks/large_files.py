"""Files of many rows: MDAV on a tree, and loss and risk of numeric files.

Groups and figures are first held equal to the plain algorithm on 20000 rows, ties included, and to
plain formulas over all pairs of 3000 records; then files of up to a million rows are timed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from anonopt.evaluation.comparison.continuous_comparison import compare_continuous
from anonopt.masking import Records, mdav_groups
from anonopt.measures.categorical.record_linkage import estimated_ranks
from benchmarks._bench import Benchmark, Call, Goal, Way, require

K = 3


def normal(n_rows: int, n_columns: int) -> np.ndarray:
    return np.random.default_rng(1).normal(size=(n_rows, n_columns))


def shapes(n_rows: int) -> dict[str, np.ndarray]:
    """Files with ties of many kinds, and without."""
    rng = np.random.default_rng(2)
    side = round(n_rows ** (1 / 3))
    half = rng.integers(-20, 21, (n_rows // 2, 4))
    return {
        "normal": normal(n_rows, 4),
        "grid of 100": rng.integers(0, 100, (n_rows, 3)),
        "grid of 12": rng.integers(0, 12, (n_rows, 3)),
        "lattice": np.array(np.meshgrid(*[np.arange(side)] * 3)).reshape(3, -1).T,
        "repeated": normal(n_rows // 4, 3)[rng.integers(0, n_rows // 4, n_rows)],
        "mirrored": np.concatenate([half, -half]),
        "heavy tails": rng.pareto(1.2, (n_rows, 3)),
        "one column": rng.integers(0, n_rows // 4, (n_rows, 1)),
    }


def records_of(values: np.ndarray) -> Records:
    frame = pd.DataFrame(values)
    return Records.of(frame, list(frame.columns), None)


def all_groups(case: Mapping[str, np.ndarray], accelerator: str) -> Call:
    records = {name: records_of(values) for name, values in case.items()}
    return lambda: {
        name: mdav_groups(one, K, accelerator=accelerator) for name, one in records.items()
    }


def check_groups(case: Mapping[str, np.ndarray], results: Mapping[str, Any]) -> None:
    """Every row is in the same group, of the same number."""
    for name in case:
        equal = np.array_equal(results["plain"][name], results["tree"][name])
        require(equal, f"{name}: the tree makes other groups")


def many_groups(shape: tuple[int, int]) -> Records:
    return records_of(normal(*shape))


def check_sizes(records: Records, results: Mapping[str, Any]) -> None:
    """Every group holds k to 2k - 1 rows."""
    for groups in results.values():
        sizes = np.bincount(groups)
        require(K <= sizes.min() <= sizes.max() <= 2 * K - 1, "groups of other sizes than k allows")


def two_files(n_rows: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Four columns of numbers, and the same with noise."""
    original = normal(n_rows, 4)
    masked = original + 0.1 * np.random.default_rng(3).normal(size=original.shape)
    return tuple(pd.DataFrame(values, columns=list("wxyz")) for values in (original, masked))


def compared(files: tuple[pd.DataFrame, pd.DataFrame]) -> Call:
    return partial(compare_continuous, *files)


def plain_figures(files: tuple[pd.DataFrame, pd.DataFrame]) -> pd.Series:
    """ID, DBRL and PRL from tables of all pairs of records."""
    x, y = (frame.to_numpy() for frame in files)
    n_rows, n_columns = x.shape
    originals, masked = (
        np.array([((column < v[:, None]).sum(1), (column <= v[:, None]).sum(1)) for column, v in c])
        for c in (list(zip(x.T, x.T, strict=True)), list(zip(x.T, y.T, strict=True)))
    )
    ranks, other = (part.sum(axis=1).T + 1 for part in (originals, masked))
    apart = np.abs(ranks - other)
    inside = sum((50 * apart <= p * n_rows).mean() for p in range(1, 11))
    distances = np.sqrt((((y[:, None] - x[None]) / x.std(axis=0)) ** 2).sum(axis=2))
    near = distances <= distances.min(axis=1, keepdims=True) * (1 + 1e-9)
    close = np.abs(other[:, None] - ranks[None]) <= n_rows // 10
    patterns = close @ (1 << np.arange(n_columns))
    totals = np.bincount(patterns.ravel(), minlength=1 << n_columns)
    weights = estimated_ranks(totals, n_columns, n_rows)[patterns]
    likely = weights == weights.max(axis=1, keepdims=True)
    linked = (100 * (part.diagonal() / part.sum(axis=1)).mean() for part in (near, likely))
    return pd.Series([10 * inside, *linked], index=["ID", "DBRL", "PRL"])


def check_figures(files: Any, results: Mapping[str, Any]) -> None:
    """Plain formulas give the same figures."""
    found = results["compare"]
    if "plain formulas" in results:
        for name, value in results["plain formulas"].items():
            require(math.isclose(found[name], value, rel_tol=1e-9), f"{name} differs")
    require(bool(found.drop("RSRL").between(0, 100).all()), "figures are no percentages")


BENCHMARKS = (
    Benchmark(
        name="MDAV of files with ties and without, k = 3",
        unit="eight files",
        sizes={"20000 rows": 20000},
        quick={"300 rows": 300},
        setup=shapes,
        ways={
            "plain": Way(start=partial(all_groups, accelerator="numpy"), repeats=1),
            "tree": Way(start=partial(all_groups, accelerator="numba"), repeats=3),
        },
        check=check_groups,
        goals=[Goal(way="tree", faster=2, than="plain")],
    ),
    Benchmark(
        name="MDAV of many rows, k = 3",
        unit="file",
        sizes={"200000 x 3": (200_000, 3), "1000000 x 4": (1_000_000, 4)},
        quick={"600 x 3": (600, 3)},
        setup=many_groups,
        ways={"MDAV": Way(start=lambda records: partial(mdav_groups, records, K), repeats=1)},
        check=check_sizes,
        goals=[
            Goal(way="MDAV", seconds=8, sizes=("200000 x 3",)),
            Goal(way="MDAV", seconds=120, sizes=("1000000 x 4",)),
        ],
    ),
    Benchmark(
        name="figures of two numeric files beside plain formulas",
        unit="pair of files",
        sizes={"3000 x 4": 3000},
        quick={"200 x 4": 200},
        setup=two_files,
        ways={
            "plain formulas": Way(start=lambda files: partial(plain_figures, files), repeats=1),
            "compare": Way(start=compared, repeats=3),
        },
        check=check_figures,
    ),
    Benchmark(
        name="figures of two numeric files",
        unit="pair of files",
        sizes={"200000 x 4": 200_000, "1000000 x 4": 1_000_000},
        quick={"500 x 4": 500},
        setup=two_files,
        ways={"compare": Way(start=compared, repeats=1, memory=True)},
        check=check_figures,
        goals=[
            Goal(way="compare", seconds=60, sizes=("1000000 x 4",)),
            Goal(way="compare", megabytes=4000),
        ],
    ),
)
