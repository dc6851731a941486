"""PRAM draws: the alias method against one ``rng.choice`` a record.

Frequencies of both ways are compared by a chi-square test on the same records, and categories of
probability 0 must not occur. The table of counts alone needs no records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.stats

from anonopt.evaluation.pram.pram_draws import CommonDraws, draw, draw_table
from anonopt.masking import pram_matrix
from benchmarks._bench import Benchmark, Goal, Way, require

N_SLOW = 20_000
"""Records that are drawn one by one."""


@dataclass(frozen=True)
class Case:
    """A matrix and the codes that it changes."""

    matrix: np.ndarray
    codes: np.ndarray
    counts: np.ndarray
    common: CommonDraws
    rng: np.random.Generator

    @classmethod
    def of(cls, size: tuple[int, int]) -> Case:
        """Skewed categories, and a matrix that forbids changes by more than half of them."""
        n_categories, n_records = size
        rng = np.random.default_rng(1)
        shares = rng.dirichlet(np.ones(n_categories))
        codes = rng.choice(n_categories, n_records, p=shares)
        counts = np.bincount(codes, minlength=n_categories)
        matrix = pram_matrix("frequency", counts, p=0.5)
        apart = np.abs(np.arange(n_categories)[:, np.newaxis] - np.arange(n_categories))
        matrix[apart > n_categories // 2] = 0.0
        matrix /= matrix.sum(axis=1, keepdims=True)
        return cls(matrix, codes, counts, CommonDraws(codes, n_categories, rng), rng)


def one_by_one(matrix: np.ndarray, codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.array([rng.choice(len(matrix), p=matrix[code]) for code in codes])


def check(case: Case, results: Mapping[str, Any]) -> None:
    """Frequencies are equal, and no category of probability 0 was drawn."""
    size = len(case.matrix)
    tables = []
    for name in ("one by one", "alias"):
        masked = results[name][:N_SLOW]
        pairs = case.codes[: len(masked)] * size + masked
        table = np.bincount(pairs, minlength=size * size).reshape(size, size)
        require(not table[case.matrix == 0].any(), f"{name}: a category of probability 0")
        tables.append(table.ravel())
    counts = np.array(tables)
    p_value = scipy.stats.chi2_contingency(counts[:, counts.any(axis=0)]).pvalue
    require(p_value >= 1e-4, f"frequencies differ, p = {p_value:.1e}")
    require(not results["table"][case.matrix == 0].any(), "table: a category of probability 0")


def part(case: Case) -> np.ndarray:
    return case.codes[:N_SLOW]


BENCHMARKS = (
    Benchmark(
        name="draws of masked records",
        unit="record",
        sizes={f"{n} categories": (n, 1_000_000) for n in (5, 8, 16, 25)},
        quick={"8 categories": (8, 2000)},
        setup=Case.of,
        ways={
            "one by one": Way(
                start=lambda case: lambda: one_by_one(case.matrix, part(case), case.rng),
                units=lambda case: len(part(case)),
                repeats=3,
            ),
            "alias": Way(
                start=lambda case: lambda: draw(case.matrix, case.codes, case.rng),
                units=lambda case: len(case.codes),
                repeats=7,
            ),
            "common": Way(
                start=lambda case: lambda: case.common.draw(case.matrix),
                units=lambda case: len(case.codes),
                repeats=7,
            ),
            "table": Way(
                start=lambda case: lambda: draw_table(case.matrix, case.counts, case.rng),
                units=lambda case: len(case.codes),
                repeats=7,
            ),
        },
        check=check,
        goals=[Goal(way="alias", faster=200, than="one by one")],
        compare="median",
    ),
)
