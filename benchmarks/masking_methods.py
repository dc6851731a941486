"""Masking methods: MDAV on its reference files, then all methods on tables of 48842 rows.

MDAV has to give the loss 100 SSE/SST that the literature states for the CASC files, columns
standardized, k = 3. Of the large tables, the memory counts: nothing grows with the square of the
rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import anonopt as ao
from anonopt.data import masking_set
from anonopt.masking import MaskingMethod
from benchmarks._bench import Benchmark, Call, Goal, Way, require
from benchmarks._data import SHARED_DATA

STATED = {"census": 5.692186, "tarragona": 16.932588}
MEGABYTES = 200
"""Bound of the memory at its peak; a table of all pairs of rows would take 2 gigabytes a byte."""


def read_casc(name: str) -> tuple[pd.DataFrame, float]:
    """A reference file and its stated loss."""
    return pd.read_csv(SHARED_DATA / "casc" / f"{name}.csv"), STATED[name]


def check_loss(case: tuple[pd.DataFrame, float], results: Mapping[str, Any]) -> None:
    """100 SSE/SST is the stated one."""
    frame, stated = case
    (masked,) = results.values()
    sse = (((masked - frame) / frame.std()) ** 2).to_numpy().sum()
    sst = (((frame - frame.mean()) / frame.std()) ** 2).to_numpy().sum()
    require(abs(100 * sse / sst - stated) <= 5e-7, f"loss {100 * sse / sst:.6f}, not {stated:.6f}")


class Table(NamedTuple):
    """A frame, and the orders of its categories."""

    frame: pd.DataFrame
    ordinal: Mapping[str, Any] | None


def categories(n_rows: int) -> Table:
    """The three columns of Adult, training and test file."""
    adult = masking_set("adult")
    return Table(adult.frame[list(adult.columns)].iloc[:n_rows], adult.order)


def numbers(n_rows: int) -> Table:
    """As many rows of random numbers."""
    return Table(pd.DataFrame(np.random.default_rng(1).normal(size=(n_rows, 3))), None)


def protect(table: Table, make: Callable[..., MaskingMethod]) -> Call:
    method = make(ordinal=table.ordinal)
    return lambda: method.fit_transform(table.frame)


def check_repeated(table: Table, results: Mapping[str, Any]) -> None:
    """A method gives the same, with the same rows, when it runs again."""
    for name, make in METHODS.items():
        again = protect(table, make)()
        require(results[name].equals(again), f"{name} gives another file when it runs again")
        require(results[name].index.equals(table.frame.index), f"{name} changes the rows")


m = ao.masking
METHODS: dict[str, Callable[..., MaskingMethod]] = {
    "MDAV(3)": partial(m.MDAV, 3),
    "MDAV(10)": partial(m.MDAV, 10),
    "MDAV(3, n_variables=1)": partial(m.MDAV, 3, n_variables=1),
    "OptimalMicroaggregation(3)": partial(m.OptimalMicroaggregation, 3),
    "Mondrian(3)": partial(m.Mondrian, 3),
    "GlobalMedian(3)": partial(m.GlobalMedian, 3),
    "RankSwapping(5)": partial(m.RankSwapping, 5, random_state=1),
    "TopCoding(2)": partial(m.TopCoding, 2),
    "BottomCoding(2)": partial(m.BottomCoding, 2),
}

BENCHMARKS = (
    Benchmark(
        name="MDAV of a CASC file",
        unit="file",
        sizes={name: name for name in STATED},
        quick={"census": "census"},
        setup=read_casc,
        ways={"MDAV(3)": Way(start=lambda case: partial(m.MDAV(k=3).fit_transform, case[0]))},
        check=check_loss,
    ),
    *(
        Benchmark(
            name=f"methods on {setup.__name__}",
            unit="file",
            sizes={"48842 rows": 48842},
            quick={"500 rows": 500},
            setup=setup,
            ways={
                name: Way(start=partial(protect, make=make), repeats=1, memory=True)
                for name, make in METHODS.items()
            },
            check=check_repeated,
            goals=[Goal(way=name, megabytes=MEGABYTES) for name in METHODS],
        )
        for setup in (categories, numbers)
    ),
)
