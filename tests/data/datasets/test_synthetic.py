"""The synthetic table: always the same, of any size, as a file and in memory."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonopt.data import SyntheticTable
from anonopt.data.datasets import synthetic


def test_more_rows_begin_with_the_same_rows(monkeypatch):
    monkeypatch.setattr(synthetic, "BLOCK", 64)
    few, many = (SyntheticTable(n_rows=n, n_columns=3, profiles=40) for n in (100, 500))
    whole = many.frame()
    pd.testing.assert_frame_equal(few.frame(), whole.head(100))
    pd.testing.assert_frame_equal(many.frame(60, 130), whole[60:130])


def test_the_table_is_that_of_its_seed():
    one = SyntheticTable(n_rows=50, n_columns=2).frame()
    pd.testing.assert_frame_equal(one, SyntheticTable(n_rows=50, n_columns=2).frame())
    assert not one.equals(SyntheticTable(n_rows=50, n_columns=2, seed=2).frame())


def test_profiles_bound_the_distinct_tuples():
    people = SyntheticTable(n_rows=20_000, profiles=700)
    tuples = people.frame().groupby(list(people.quasi_identifiers), observed=True).size()
    assert 600 < len(tuples) <= 700
    assert tuples.max() > 20 * tuples.median()


def test_columns_depend_on_each_other():
    people = SyntheticTable(n_rows=20_000)
    frame = people.frame()
    assert frame["age"].corr(frame["income"]) > 0.1
    assert frame["diagnosis"].nunique() == 20


def test_columns_after_the_eighth_have_numbers():
    people = SyntheticTable(n_rows=10, n_columns=10)
    assert people.quasi_identifiers[7:] == ("income", "age 2", "postcode 2")
    table = people.table()
    assert len(table.lattice.top) == 10
    assert table.frame.shape == (10, 12)


def test_cells_may_be_missing():
    people = SyntheticTable(n_rows=2_000, missing=0.2)
    share = people.frame()[list(people.quasi_identifiers)].isna().to_numpy().mean()
    assert 0.15 < share < 0.25
    assert people.table().n_rows == 2_000


def test_the_file_holds_the_frame_whatever_its_groups(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    people = SyntheticTable(n_rows=1_000, n_columns=4, missing=0.1)
    path = people.write(tmp_path / "people.parquet", group_rows=300)
    assert parquet.ParquetFile(path).num_row_groups == 4
    pd.testing.assert_frame_equal(pd.read_parquet(path), people.frame(), check_column_type=False)
    assert [file.name for file in tmp_path.iterdir()] == ["people.parquet"]


def test_a_file_that_cannot_be_written_says_so_before_rows_are_drawn(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")

    def none(*_):
        raise AssertionError("rows were drawn")

    monkeypatch.setattr(SyntheticTable, "frame", none)
    with pytest.raises(FileNotFoundError, match="expected an existing folder"):
        SyntheticTable(n_rows=10).write(tmp_path / "absent" / "people.parquet")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_rows": 0}, "n_rows"),
        ({"n_columns": 0}, "n_columns"),
        ({"profiles": 0}, "profiles"),
        ({"missing": 1.5}, "missing: expected a share"),
    ],
)
def test_what_is_no_table_is_refused(options, words):
    with pytest.raises(ValueError, match=words):
        SyntheticTable(**({"n_rows": 5} | options))


def test_rows_that_are_not_there_are_refused():
    with pytest.raises(ValueError, match="stop"):
        SyntheticTable(n_rows=5).frame(0, 6)


def test_frequent_profiles_have_low_numbers():
    profiles, diagnoses = SyntheticTable(n_rows=1, profiles=1000)._rows(0)
    assert profiles.min() == 0 and profiles.max() == 999
    assert np.bincount(profiles)[:10].mean() > 50 * np.bincount(profiles)[-500:].mean()
    assert set(diagnoses) == set(range(20))
