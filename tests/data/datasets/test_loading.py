"""Packaged data sets, their default roles, and the ones read from a folder."""

from __future__ import annotations

import gzip
import hashlib
from importlib import resources

import pandas as pd
import pytest

from anonopt.data import (
    MISSING,
    Hierarchy,
    cargo_columns,
    list_datasets,
    load_dataset,
    load_frame,
)
from anonopt.data.datasets.casc import EIA_COLUMNS
from anonopt.data.datasets.loading import DATASETS

ARX_COLUMNS = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "income",
]


def n_leaves(table):
    return [table.hierarchies[column].n_leaves for column in table.quasi_identifiers]


class TestAdult:
    def test_default_is_the_table_of_dewri(self):
        adult = load_dataset("adult")
        assert adult.n_rows == 30162
        assert adult.quasi_identifiers == (
            "age",
            "workclass",
            "education",
            "marital-status",
            "race",
            "sex",
            "native-country",
            "income",
        )
        assert adult.lattice.heights == (6, 3, 3, 3, 1, 1, 4, 1)
        assert adult.lattice.size == 17920
        assert len(adult.lattice.edges()[0]) == 96896
        assert n_leaves(adult) == [74, 7, 16, 7, 5, 2, 41, 2]
        assert (adult.sensitive, adult.target) == ("occupation", None)
        assert len(adult.sensitive_labels) == 14
        assert adult.frame.index.equals(pd.RangeIndex(30162))

    def test_income_as_class_label(self):
        columns = list(load_dataset("adult").quasi_identifiers)[:-1]
        adult = load_dataset("adult", quasi_identifiers=columns, target="income")
        assert adult.lattice.size == 8960
        assert adult.target_labels == ("<=50K", ">50K")

    def test_incomplete_rows(self):
        adult = load_dataset("adult", complete=False)
        assert adult.n_rows == 32561
        assert adult.lattice.size == 17920
        assert n_leaves(adult) == [74, 9, 16, 7, 5, 2, 42, 2]
        assert adult.hierarchies["workclass"].to_frame().tail(2).to_numpy().tolist() == [
            ["Never-worked", "Unpaid", "Unpaid", "*"],
            [MISSING, MISSING, MISSING, "*"],
        ]
        assert adult.sensitive_labels[-1] == MISSING

    @pytest.mark.parametrize(
        ("split", "complete", "n_rows"),
        [
            ("test", True, 15060),
            ("all", True, 45222),
            ("test", False, 16281),
            ("all", False, 48842),
        ],
    )
    def test_splits(self, split, complete, n_rows):
        adult = load_dataset("adult", split=split, complete=complete)
        assert adult.n_rows == n_rows
        assert adult.frame.index.is_unique

    def test_unknown_split(self):
        with pytest.raises(ValueError, match=r"one of 'train', 'test', 'all', found 'dev'"):
            load_dataset("adult", split="dev")

    def test_column_without_a_packaged_hierarchy(self):
        with pytest.raises(ValueError, match="quasi-identifier 'occupation', found none"):
            load_dataset("adult", quasi_identifiers=["occupation"], sensitive=None)

    def test_mapping_replaces_some_defaults(self):
        adult = load_dataset(
            "adult",
            quasi_identifiers=["age", "occupation"],
            hierarchies={"occupation": "flat"},
            sensitive=None,
        )
        assert adult.lattice.heights == (6, 1)

    def test_arx_hierarchies_from_a_folder(self, shared_data):
        adult = load_dataset(
            "adult",
            hierarchies=shared_data / "hierarchies" / "adult_arx",
            quasi_identifiers=ARX_COLUMNS,
            sensitive=None,
        )
        assert adult.lattice.size == 12960
        assert adult.hierarchies["income"].n_leaves == 2

    def test_files_by_column(self, shared_data):
        folder = shared_data / "hierarchies" / "adult_anjana"
        adult = load_dataset(
            "adult",
            quasi_identifiers=["workclass", "income"],
            hierarchies={
                "workclass": folder / "workclass.csv",
                "income": Hierarchy.from_csv(folder / "salary.csv"),
            },
        )
        assert adult.lattice.heights == (2, 1)

    def test_value_absent_from_a_hierarchy_of_the_user(self, shared_data):
        with pytest.raises(ValueError, match=r"'age'.*'89' in 1 rows"):
            load_dataset(
                "adult",
                split="test",
                hierarchies={"age": shared_data / "hierarchies" / "adult_anjana" / "age.csv"},
            )

    def test_folder_without_the_files_names_both_names(self, tmp_path):
        with pytest.raises(FileNotFoundError, match=r"age\.csv.* income\.csv or salary-class\.csv"):
            load_dataset("adult", hierarchies=tmp_path)

    def test_packaged_hierarchies_are_unchanged(self, shared_data):
        adult = load_dataset("adult")
        for column, tree in adult.hierarchies.items():
            path = shared_data / "hierarchies" / "adult_dewri" / f"{column}.csv"
            assert Hierarchy.from_csv(path) == tree


class TestGerman:
    def test_defaults(self):
        german = load_dataset("german")
        assert german.n_rows == 1000
        assert (german.sensitive, german.target) == ("purpose", "credit_risk")
        assert german.lattice.heights == (5, 2, 2, 1, 2, 1)
        assert german.target_labels == ("1", "2")


class TestFlare:
    def test_defaults(self):
        flare = load_dataset("flare")
        assert flare.n_rows == 1389
        assert len(flare.quasi_identifiers) == 10
        assert flare.lattice.heights == (2, 2, 2, 1, 2, 2, 1, 1, 1, 1)
        assert flare.sensitive == "c_class_flares"

    def test_both_parts_are_there(self):
        parts = load_frame("flare")["part"]
        assert parts.value_counts(sort=False).to_dict() == {1: 323, 2: 1066}

    def test_packaged_content_is_the_layout(self, shared_data):
        content = (resources.files("anonopt.data.files") / "flare.csv.gz").read_bytes()
        assert gzip.decompress(content) == (shared_data / "flare" / "flare.csv").read_bytes()


class TestCargo:
    def test_folder_of_the_file_itself(self, shared_data):
        assert load_frame("cargo", data_dir=shared_data / "cargo2000").shape == (3942, 98)

    def test_a_cut_file_is_refused(self, tmp_path):
        path = tmp_path / "c2k_data_comma.csv"
        load_frame("freight")[:49].to_csv(path, index=False, na_rep="?")
        with pytest.raises(ValueError, match=r"expected the 3942 rows of Cargo 2000, found 49"):
            load_frame("cargo", data_dir=tmp_path)

    def test_a_cell_that_is_no_number_is_refused(self, tmp_path):
        path, frame = tmp_path / "c2k_data_comma.csv", load_frame("freight")
        frame.to_csv(path, index=False, na_rep="?")
        # Missing cells are steps that do not exist.
        assert load_frame("cargo", data_dir=tmp_path).isna().to_numpy().any()
        frame = frame.astype({"i1_rcs_e": object})
        frame.loc[2, "i1_rcs_e"] = "abc"
        frame.to_csv(path, index=False, na_rep="?")
        with pytest.raises(ValueError, match=r"'i1_rcs_e', row 2: expected a finite number"):
            load_frame("cargo", data_dir=tmp_path)

    def test_defaults(self, shared_data):
        cargo = load_dataset("cargo", data_dir=shared_data)
        assert cargo.n_rows == 3942
        assert cargo.quasi_identifiers == cargo_columns(5)
        assert cargo.lattice.heights == (4,) * 5

    def test_bins_are_nested_shares_of_the_range(self, shared_data):
        cargo = load_dataset("cargo", data_dir=shared_data, quasi_identifiers=cargo_columns(64))
        assert cargo.lattice.size == 5**64
        for column in cargo.quasi_identifiers:
            tree = cargo.hierarchies[column]
            minutes = cargo.frame[column]
            low, width = minutes.min(), minutes.max() + 1 - minutes.min()
            leaves = pd.Series([text for text in tree.labels[0] if text != MISSING]).astype(int)
            for level, n_bins in ((1, 48), (2, 12), (3, 3)):
                bins = (leaves - low) * n_bins // width
                assert (pd.factorize(bins)[0] == tree.maps[level][: len(leaves)]).all()
                last = tree.labels[level][tree.maps[level][len(leaves) - 1]]
                assert last.endswith(f",{int(minutes.max()) + 1})")

    def test_missing_steps_are_their_own_value_below_the_top(self, shared_data):
        cargo = load_dataset("cargo", data_dir=shared_data, quasi_identifiers=["i1_dep_2_p"])
        for level in range(4):
            cells = cargo.apply([level])["i1_dep_2_p"]
            assert (cells == MISSING).sum() == 3942 - 1195
        assert set(cargo.apply([4])["i1_dep_2_p"]) == {"*"}

    def test_all_columns_but_the_number_follow_one_rule(self, shared_data):
        columns = cargo_columns(97)
        cargo = load_dataset("cargo", data_dir=shared_data, quasi_identifiers=columns)
        assert set(columns) == set(cargo.frame.columns) - {"nr"}
        assert columns[:64] == cargo_columns(64)
        assert cargo.lattice.heights == (4,) * 97
        # Three values in 48 bins: each stays its own, and so does a leg that is not there.
        for level in range(4):
            assert set(cargo.hierarchies["i2_hops"].labels[level]) >= {MISSING}
            assert len(set(cargo.apply([0] * 66 + [level] * 31)["legs"])) == 3
        assert set(cargo.apply([4] * 97)[list(columns)].iloc[0]) == {"*"}

    @pytest.mark.parametrize("n_columns", [0, 98])
    def test_number_of_columns_out_of_range(self, n_columns):
        with pytest.raises(ValueError, match=rf"at least 1 and at most 97, found {n_columns}"):
            cargo_columns(n_columns)


def test_unknown_data_set():
    with pytest.raises(ValueError, match=r"unknown data set 'iris'; known ones: adult, cargo"):
        load_dataset("iris")


def test_single_files_have_no_test_part(shared_data):
    for name in ("german", "flare", "cargo"):
        with pytest.raises(ValueError, match=r"one of 'train', 'all', found 'test'"):
            load_frame(name, split="test", data_dir=shared_data)


class TestCASC:
    @pytest.mark.parametrize(("name", "n_rows"), [("census", 1080), ("tarragona", 834)])
    def test_whole_files_are_whole_numbers(self, shared_data, name, n_rows):
        frame = load_frame(name, data_dir=shared_data)
        assert frame.shape == (n_rows, 13)
        assert (frame.dtypes == "int64").all()

    def test_eia_has_ten_amounts(self, shared_data):
        amounts = load_frame("eia", data_dir=shared_data)[list(EIA_COLUMNS)]
        assert amounts.shape == (4092, 10)
        assert (amounts.dtypes == "int64").all()

    def test_there_are_no_default_roles(self, shared_data):
        with pytest.raises(ValueError, match="quasi_identifiers: expected at least one column"):
            load_dataset("census", data_dir=shared_data)

    def test_roles_can_be_given(self, shared_data):
        census = load_dataset(
            "census",
            data_dir=shared_data,
            quasi_identifiers=["FICA"],
            hierarchies={"FICA": "flat"},
        )
        assert census.lattice.heights == (1,)


def test_file_without_the_columns_of_the_data_set(tmp_path):
    (tmp_path / "census.csv").write_text("AFNLWGT,AGI\n1,2\n")
    with pytest.raises(ValueError, match=r"census\.csv: .*found no EMCONTRB"):
        load_frame("census", data_dir=tmp_path)


def test_list_holds_every_set():
    assert list(list_datasets().index) == list(DATASETS)


@pytest.mark.parametrize("name", list(DATASETS))
def test_list_tells_the_sizes_of_the_files(shared_data, name):
    try:
        frame = load_frame(name, data_dir=shared_data)
    except FileNotFoundError as error:
        pytest.skip(str(error))
    listed = list_datasets().loc[name]
    assert frame.shape == (listed["rows"], listed["columns"])


def test_checksum_is_that_of_the_layout(shared_data):
    remote = DATASETS["cargo"].files
    content = (shared_data / remote.folder / remote.name).read_bytes()
    assert hashlib.sha256(content).hexdigest() == remote.sha256


@pytest.mark.parametrize("name", ["adult_train.csv", "adult_test.csv", "german.csv", "flare.csv"])
def test_packaged_content_has_the_checksum_of_its_notice(name):
    folder = resources.files("anonopt.data.files")
    content = gzip.decompress((folder / f"{name}.gz").read_bytes())
    notice = (folder / "README.md").read_text(encoding="utf-8")
    assert f"| `{name}` | `{hashlib.sha256(content).hexdigest()}` |" in notice


def test_question_marks_are_missing_and_nothing_else_is():
    frame = load_frame("adult", split="all")
    missing = frame.isna().sum()
    assert missing[missing > 0].to_dict() == {
        "workclass": 2799,
        "occupation": 2809,
        "native-country": 857,
    }
