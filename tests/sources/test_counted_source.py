"""Rows that were counted elsewhere against the rows themselves."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonopt.data import Hierarchy, Microdata
from anonopt.evaluation import LatticeEvaluator
from anonopt.problems import LatticeProblem
from anonopt.sources import CountedSource, LargeTable, PandasSource
from tests.sources.test_equal_reductions import assert_same

COLUMNS = ["age", "zone", "job", "paid"]
ROLES = {
    "quasi_identifiers": ["age", "zone"],
    "hierarchies": {"age": Hierarchy.intervals(range(20, 30), width=5), "zone": "flat"},
    "sensitive": "job",
    "target": "paid",
}
MEASURES = ["k", "l", "t", "glm", "entropy_l", "discernibility"]


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(5)
    return pd.DataFrame(
        {
            "age": rng.integers(20, 30, 200),
            "zone": rng.choice(["A", "B", None], 200),
            "job": rng.choice(["cook", "clerk", "smith"], 200),
            "paid": rng.choice(["less", "more"], 200),
        }
    )


@pytest.fixture(scope="module")
def counts(people):
    return people.groupby(COLUMNS, dropna=False).size().reset_index(name="n")


def test_equal_to_the_rows(people, counts):
    small = Microdata(people, **ROLES)
    # A combination may stand in two places, as in the parts of an export.
    parts = pd.concat([counts.assign(n=1), counts.assign(n=counts["n"] - 1)]).query("n > 0")
    large = Microdata.from_counts(parts, count="n", **ROLES)
    assert_same(large, small)
    assert large.fingerprint == LargeTable(PandasSource(people), **ROLES).fingerprint
    found = [LatticeEvaluator(t).evaluate_all(MEASURES) for t in (large, small)]
    pd.testing.assert_frame_equal(*found, check_exact=True)
    fronts = [LatticeProblem(t, ["k", "glm"], suppression=0.1).pareto_set_and_front()
              for t in (large, small)]  # fmt: skip
    assert all(np.array_equal(*pair) for pair in zip(*fronts, strict=True))


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_files(people, counts, suffix, tmp_path):
    path = tmp_path / f"counts.{suffix}"
    # A CSV file has no types: all cells are text, of the counts as well.
    counts.to_parquet(path) if suffix == "parquet" else counts.to_csv(path, index=False)
    table = Microdata.from_counts(path, count="n", **ROLES)
    assert table.fingerprint == LargeTable(PandasSource(people), **ROLES).fingerprint


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ([1, 2, 0], "whole numbers of rows of at least 1, found .*0.* that are none: 1"),
        ([1.5, 2, None], "that are none: 2"),
        (["1", "two", "3"], "'two'"),
        ([True, True, False], "found truth values"),
        (pd.to_timedelta([1, 2, 3]), "found timedelta64"),
        (pd.Categorical(pd.to_datetime(["2014-01-01"] * 3)), "found datetime64"),
        ([0, 1, 1], r"found 0 \(cells"),
    ],
)
def test_counts_that_are_none(wrong, words):
    frame = pd.DataFrame({"age": [21, 22, 23], "n": wrong})
    with pytest.raises(ValueError, match=f"column 'n': expected .*{words}"):
        CountedSource(frame, count="n")


def test_other_refusals(counts, tmp_path):
    with pytest.raises(ValueError, match=r"count: unknown column 'N'; did you mean n\?"):
        Microdata.from_counts(counts, count="N", **ROLES)
    with pytest.raises(ValueError, match="expected at most 2147483647 rows, found 2147483648"):
        Microdata.from_counts(counts.head(1).assign(n=2**31), count="n", **ROLES)
    # Their sum is 5 in 64 bits.
    many = pd.concat([counts.head(1)] * 4097).assign(n=[2**52] * 4096 + [5])
    with pytest.raises(ValueError, match="rows, found 18446744073709551621"):
        Microdata.from_counts(many, count="n", **ROLES)
    with pytest.raises(ValueError, match="'n'"):
        Microdata.from_counts(counts, count="n", **{**ROLES, "sensitive": "n"})
    table = Microdata.from_counts(counts, count="n", **ROLES)
    with pytest.raises(ValueError, match=r"expected the rows themselves.*found their counts"):
        table.apply([1, 1], k=2, suppression=0.5, to=tmp_path / "protected.parquet")
    with pytest.raises(ValueError, match="expected a table whose rows are in memory"):
        _ = table.frame
    assert list(tmp_path.iterdir()) == []
