"""Populations of tables whose rows stay in a source against those of tables in memory."""

from __future__ import annotations

import pandas as pd
import pytest

from anonopt.data import Hierarchy, Microdata
from anonopt.evaluation import LatticeEvaluator
from anonopt.sources import LargeTable, PandasSource

EVERYBODY = pd.DataFrame(
    {"age": [21, 21, 22, 26, 26, 29, None, 25], "zone": ["A", "A", "B", "B", "B", "A", "A", "B"]}
)
PEOPLE = EVERYBODY.iloc[[0, 2, 3, 5]]
ROLES = {
    "quasi_identifiers": ["age", "zone"],
    "hierarchies": {"age": Hierarchy.intervals(range(20, 30), width=5), "zone": "flat"},
}
MEASURES = ["k", "journalist_risk", "marketer_risk"]


def as_parquet(frame, path):
    frame.to_parquet(path)
    return path


@pytest.mark.parametrize("make", [lambda frame, path: frame, as_parquet])
def test_measures_are_equal(make, tmp_path):
    path = as_parquet(PEOPLE, tmp_path / "people.parquet")
    everybody = make(EVERYBODY, tmp_path / "everybody.parquet")
    small = Microdata(PEOPLE, population=EVERYBODY, **ROLES)
    large = Microdata.from_parquet(path, population=everybody, **ROLES)
    # Somebody without an age is in the population alone.
    assert large.hierarchies == small.hierarchies
    found = [LatticeEvaluator(t, suppression=1).evaluate_all(MEASURES) for t in (large, small)]
    pd.testing.assert_frame_equal(*found, check_exact=True)
    assert large.fingerprint != Microdata.from_parquet(path, **ROLES).fingerprint


@pytest.mark.parametrize(
    ("everybody", "error", "words"),
    [
        (EVERYBODY[["age"]], ValueError, "population: expected the column 'zone'"),
        (EVERYBODY.head(0), ValueError, "population: expected people, found none"),
        (EVERYBODY.iloc[1:], ValueError, None),
        (EVERYBODY.iloc[2:], ValueError, "at least the rows of the table, 1 of age=21, zone=A, "
         "found 0"),
        (EVERYBODY.assign(age=99), ValueError, "population: column 'age'"),
        (7, TypeError, "population: expected a path, a DataFrame or a source, found int"),
    ],
)  # fmt: skip
def test_refusals(everybody, error, words):
    counts = PEOPLE.assign(n=1)
    if words is None:
        assert Microdata.from_counts(counts, count="n", population=everybody, **ROLES)
        return
    with pytest.raises(error, match=words):
        Microdata.from_counts(counts, count="n", population=everybody, **ROLES)


def test_tuples_that_stay_in_the_engine(tmp_path):
    path = as_parquet(PEOPLE, tmp_path / "people.parquet")
    with pytest.raises(ValueError, match=r"population: expected with at most 2 distinct tuples"):
        Microdata.from_parquet(path, population=EVERYBODY, max_tuples=2, **ROLES)


def test_there_are_no_rows_of_it():
    table = LargeTable(PandasSource(PEOPLE), population=PandasSource(EVERYBODY), **ROLES)
    assert table.has_population
    with pytest.raises(ValueError, match="population_codes: expected a table whose rows are in"):
        _ = table.population_codes
