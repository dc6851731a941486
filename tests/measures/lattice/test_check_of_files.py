"""Privacy figures of rows that stay in files against those of the same rows in memory."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonopt.measures.lattice.check import check
from anonopt.sources import PandasSource

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "age": rng.choice(["[20,30)", "[30,40)", None], 300),
            "zone": rng.choice(["A", "B", "*"], 300),
            "job": rng.choice(["cook", "clerk", "smith", "nurse"], 300),
            "ill": rng.choice([True, False], 300),
        }
    )
    frame.loc[::7, ["age", "zone"]] = "*"
    return frame


@pytest.mark.parametrize("sensitive", [None, "job", ["job", "ill"]])
@pytest.mark.parametrize("suppressed", [None, "*"])
def test_figures_have_the_same_bits(frame, tmp_path, sensitive, suppressed):
    options = {"k": 30, "suppressed": suppressed, "sensitive": sensitive}
    if sensitive is not None:
        options |= {"l": 2, "t": 0.2, "class_bounds": {"entropy_l": 3.5}}
    expected = check(frame, quasi_identifiers=["age", "zone"], **options)
    frame.to_parquet(tmp_path / "rows.parquet")
    for rows in (tmp_path / "rows.parquet", PandasSource(frame)):
        pd.testing.assert_series_equal(
            check(rows, quasi_identifiers=["age", "zone"], **options), expected, check_exact=True
        )


def test_csv(frame, tmp_path):
    path = tmp_path / "rows.csv"
    frame.to_csv(path, index=False)
    options = {"quasi_identifiers": ["age", "zone"], "sensitive": "job"}
    pd.testing.assert_series_equal(check(str(path), **options), check(frame, **options))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"quasi_identifiers": ["ages"]}, "'ages'"),
        ({"suppressed": [True]}, "suppressed: expected '\\*' with rows of a file"),
    ],
)
def test_what_a_file_cannot_have_is_refused(frame, options, words):
    with pytest.raises(ValueError, match=words):
        check(PandasSource(frame), **({"quasi_identifiers": ["age"]} | options))


def test_what_is_no_table_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"ends in \.parquet, \.csv, .* found \.xlsx in /"):
        check(tmp_path / "rows.xlsx", quasi_identifiers=["age"])
    with pytest.raises(FileNotFoundError):
        check(tmp_path / "rows.parquet", quasi_identifiers=["age"])
    with pytest.raises(TypeError, match="expected a path, a DataFrame or a source"):
        check([1, 2], quasi_identifiers=["age"])


@pytest.mark.parametrize("suppressed", [None, "*"])
def test_a_population_is_counted_where_it_is(frame, tmp_path, suppressed):
    people = pd.concat([frame] * 3 + [pd.DataFrame({"age": ["[40,50)", "*"], "zone": "A"})])
    options = {"quasi_identifiers": ["zone", "age"], "suppressed": suppressed, "sensitive": "job"}
    expected = check(frame, population=people, **options)
    assert expected["journalist_risk"] < expected["highest_risk"]
    people.to_csv(tmp_path / "people.csv", index=False)
    frame.to_parquet(tmp_path / "rows.parquet")
    for rows in (frame, tmp_path / "rows.parquet", PandasSource(frame)):
        for population in (people, tmp_path / "people.csv", PandasSource(people)):
            found = check(rows, population=population, **options)
            pd.testing.assert_series_equal(found, expected, check_exact=True)
    for rows in (frame, PandasSource(frame)):
        for population in (frame[2:], PandasSource(frame[2:])):
            with pytest.raises(ValueError, match=r"population: .* rows of the table, \d+ of zone="):
                check(rows, population=population, **options)
        with pytest.raises(ValueError, match=r"population: .*'zone'"):
            check(rows, population=PandasSource(frame[["age"]]), **options)
