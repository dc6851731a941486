"""Diabetes, which nobody may hand on: found in a folder, checked when it is read."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.data import continuous_set
from anonopt.data.datasets.diabetes import COLUMNS, DECIMALS
from anonopt.data.datasets.loading import load_frame


@pytest.fixture
def folder(tmp_path):
    """A folder with a file of the shape of the real one, of made-up numbers."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({name: rng.integers(0, 80, 768) for name in COLUMNS})
    for name, decimals in DECIMALS.items():
        frame[name] = (rng.random(768) * 40).round(decimals)
    frame["diabetes"] = "neg"
    frame.to_csv(tmp_path / "diabetes.csv", index=False)
    return tmp_path


def test_it_is_read_from_a_folder(folder):
    frame = continuous_set("diabetes", data_dir=folder)
    assert frame.shape == (768, 8)
    assert tuple(frame) == COLUMNS


def test_without_the_file_it_is_said_what_to_fetch_and_where_to_put_it(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        load_frame("diabetes", data_dir=tmp_path)
    text = str(caught.value)
    for part in ("diabetes.csv", str(tmp_path), "mlbench", "768 rows", *COLUMNS):
        assert part in text


def test_another_file_is_refused(folder):
    path = folder / "diabetes.csv"
    whole = pd.read_csv(path)
    whole[:700].to_csv(path, index=False)
    with pytest.raises(ValueError, match=r"expected the 768 rows of Diabetes .*found 700"):
        load_frame("diabetes", data_dir=folder)
    whole.drop(columns="mass").to_csv(path, index=False)
    with pytest.raises(ValueError, match="found no mass"):
        load_frame("diabetes", data_dir=folder)


@pytest.mark.parametrize(
    ("cell", "found"),
    [("abc", "'abc'"), ("", "''"), ("?", "a missing cell"), ("inf", "inf")],
)
def test_a_cell_that_is_no_number_is_refused(folder, cell, found):
    path = folder / "diabetes.csv"
    frame = pd.read_csv(path).astype({"pressure": object})
    frame.loc[3, "pressure"] = cell
    frame.to_csv(path, index=False)
    with pytest.raises(
        ValueError, match=rf"'pressure', row 3: expected a finite number, found {found}$"
    ):
        load_frame("diabetes", data_dir=folder)


def test_rows_longer_than_the_header_are_refused_and_not_shifted(folder):
    path = folder / "diabetes.csv"
    header, *rows = path.read_text().splitlines()
    path.write_text("\n".join([header, *(f"{row},7" for row in rows)]))
    with pytest.raises(ValueError, match=r"expected rows of 9 cells.*found longer ones"):
        load_frame("diabetes", data_dir=folder)


@pytest.mark.parametrize("name", ["diabetes/diabetes.csv", "cargo/c2k_data_comma.csv"])
@pytest.mark.parametrize("content", [b"", b"a\xff,b", b'a,b\n"1,2\n'])
def test_what_is_no_table_is_named(tmp_path, name, content):
    dataset, file = name.split("/")
    (tmp_path / file).write_bytes(content)
    with pytest.raises(ValueError, match=rf"{file}: expected .* found"):
        load_frame(dataset, data_dir=tmp_path)


def test_a_folder_that_is_no_path_is_refused():
    with pytest.raises(TypeError, match="data_dir: expected the path of a folder, found 3"):
        load_frame("diabetes", data_dir=3)


def test_its_problem_keeps_the_decimals(folder, monkeypatch):
    monkeypatch.setenv("ANONOPT_DATA_DIR", str(folder))
    problem = ao.get_problem("diabetes-masking", objectives=["score_mean"])
    assert problem.n_files == 16
    assert [problem.columns.decimals[COLUMNS.index(name)] for name in DECIMALS] == [1, 3]
    frame = problem.protect(np.zeros(problem.n_var, dtype=np.int64))
    assert np.array_equal(frame["pedigree"], continuous_set("diabetes")["pedigree"])
