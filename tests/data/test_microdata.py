"""Building a table: roles, hierarchies, missing cells, codes, identity."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

from anonopt.data import MISSING, Hierarchy, Microdata

ZONE = Hierarchy([["A", "B", "C"], ["N", "N", "S"], ["*"] * 3])
SEX = Hierarchy.ordered(["F", "M"])


@pytest.fixture
def frame():
    return pd.DataFrame(
        {
            "name": ["p", "q", "r", "s"],
            "zone": ["A", "B", "C", "A"],
            "sex": ["F", "M", "M", "F"],
            "job": ["x", None, "y", "x"],
            "pay": [10, 9, 10, 9],
        }
    )


@pytest.fixture
def options():
    return {
        "quasi_identifiers": ["zone", "sex"],
        "hierarchies": {"zone": ZONE, "sex": SEX},
        "sensitive": "job",
        "target": "pay",
        "identifiers": ["name"],
    }


def test_codes_and_lattice(frame, options):
    table = Microdata(frame, **options)
    assert table.n_rows == 4
    assert table.quasi_identifiers == ("zone", "sex")
    assert table.codes.tolist() == [[0, 0], [1, 1], [2, 1], [0, 0]]
    assert table.codes.dtype == np.int32
    assert table.codes.flags.f_contiguous
    assert table.sensitive_codes.tolist() == [0, 2, 1, 0]
    assert table.sensitive_labels == ("x", "y", MISSING)
    assert table.target_codes.tolist() == [1, 0, 1, 0]
    assert table.target_labels == ("9", "10")
    assert table.lattice.heights == (2, 1)
    assert table.lattice.names == ("zone", "sex")


def test_roles_that_are_not_given(frame):
    table = Microdata(frame, quasi_identifiers=["sex"], hierarchies={"sex": SEX})
    assert (table.sensitive_codes, table.target_codes, table.identifiers) == (None, None, ())
    assert (table.sensitive_labels, table.target_labels) == ((), ())


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"quasi_identifiers": []}, ValueError, "at least one column, found none"),
        ({"quasi_identifiers": "zone"}, TypeError, "expected a list of columns, found the text 'z"),
        ({"identifiers": "name"}, TypeError, "identifiers: expected a list of columns"),
        (
            {"quasi_identifiers": ["zone", "size"]},
            ValueError,
            "'size': expected one of the columns",
        ),
        ({"sensitive": "wage"}, ValueError, "sensitive 'wage': expected one of the columns"),
        ({"target": "wage"}, ValueError, "target 'wage': expected one of the columns"),
        ({"identifiers": ["id"]}, ValueError, "identifier 'id': expected one of the columns"),
        (
            {"quasi_identifiers": ["zone", "zone"]},
            ValueError,
            "'zone': expected one role, found 2: quasi-identifier and quasi-identifier",
        ),
        (
            {"sensitive": "zone"},
            ValueError,
            "'zone': expected one role, found 2: quasi-identifier and sensitive",
        ),
        ({"target": "job"}, ValueError, "'job': expected one role, found 2: sensitive and target"),
        (
            {"hierarchies": {"zone": ZONE}},
            ValueError,
            r"one for the quasi-identifier 'sex', found none \(build it with Hierarchy\.from_csv",
        ),
        (
            {"hierarchies": {"zone": ZONE, "sex": SEX, "pay": SEX}},
            ValueError,
            r"one of the quasi-identifiers \['zone', 'sex'\] or the sensitive .*, found 'pay'",
        ),
        (
            {"hierarchies": {"zone": ZONE, "sex": 3}},
            TypeError,
            "expected a Hierarchy, .* for column 'sex', found int",
        ),
        ({"hierarchies": [ZONE, SEX]}, TypeError, "expected a dictionary or a folder, found list"),
    ],
)
def test_wrong_roles_and_hierarchies(frame, options, changes, error, message):
    with pytest.raises(error, match=message):
        Microdata(frame, **{**options, **changes})


def test_value_absent_from_its_hierarchy(frame, options):
    frame["zone"] = ["A", "B", "C", "D"]
    with pytest.raises(ValueError, match=r"'zone'.*'D' in 1 rows"):
        Microdata(frame, **options)


def test_empty_table(frame, options):
    with pytest.raises(ValueError, match="at least one row, found an empty table"):
        Microdata(frame.iloc[:0], **options)


def test_frame_of_another_kind(options):
    with pytest.raises(TypeError, match="expected a pandas DataFrame, found list"):
        Microdata([[1, 2]], **options)


def test_column_name_given_twice(frame, options):
    frame.columns = ["name", "zone", "sex", "job", "zone"]
    with pytest.raises(ValueError, match="different names, found 'zone' twice"):
        Microdata(frame, **options)


def test_flat_hierarchy_takes_the_values_present(frame):
    table = Microdata(
        frame, quasi_identifiers=["pay", "job"], hierarchies={"pay": "flat", "job": "flat"}
    )
    assert table.hierarchies["pay"].labels == (("9", "10"), ("*",))
    assert table.hierarchies["job"].labels == (("x", "y", MISSING), ("*",))
    assert table.codes.tolist() == [[1, 0], [0, 2], [1, 1], [0, 0]]


class TestFolder:
    def test_one_file_a_column(self, frame, options, tmp_path):
        ZONE.to_csv(tmp_path / "zone.csv")
        SEX.to_csv(tmp_path / "sex.csv")
        options["hierarchies"] = tmp_path
        assert Microdata(frame, **options).hierarchies == {"zone": ZONE, "sex": SEX}
        options["hierarchies"] = str(tmp_path)
        assert Microdata(frame, **options).hierarchies == {"zone": ZONE, "sex": SEX}

    def test_mapping_may_hold_paths(self, frame, options, tmp_path):
        ZONE.to_csv(tmp_path / "places.csv")
        options["hierarchies"] = {"zone": tmp_path / "places.csv", "sex": SEX}
        assert Microdata(frame, **options).hierarchies["zone"] == ZONE

    def test_files_looked_for_are_listed(self, frame, options, tmp_path):
        options["hierarchies"] = tmp_path
        with pytest.raises(FileNotFoundError, match=r"found no zone\.csv, sex\.csv"):
            Microdata(frame, **options)

    def test_no_folder(self, frame, options, tmp_path):
        options["hierarchies"] = tmp_path / "none"
        with pytest.raises(FileNotFoundError, match="expected a folder, found nothing at"):
            Microdata(frame, **options)


def test_missing_cells_are_a_value_of_their_own(frame, options):
    frame["zone"] = ["A", None, "C", np.nan]
    table = Microdata(frame, **options)
    assert table.hierarchies["zone"] == ZONE.with_missing()
    assert table.hierarchies["sex"] == SEX
    assert table.codes[:, 0].tolist() == [0, 3, 2, 3]
    assert table.apply([1, 0])["zone"].tolist() == ["N", MISSING, "S", MISSING]


def test_hierarchy_may_map_missing_cells(frame, options):
    frame["zone"] = ["A", None, "B", None]
    tree = Hierarchy([["A", "B", MISSING], ["N", "S", "S"], ["*"] * 3])
    table = Microdata(frame, **{**options, "hierarchies": {"zone": tree, "sex": SEX}})
    assert table.apply([1, 0])["zone"].tolist() == ["N", "S", "S", "S"]


@pytest.mark.parametrize(
    "index",
    [[3, 1, 2, 0], ["d", "b", "c", "a"], [7, 7, 7, 7], pd.MultiIndex.from_product([[0, 1]] * 2)],
)
def test_row_labels_do_not_matter(frame, options, index):
    table = Microdata(frame, **options)
    relabelled = Microdata(frame.set_axis(index), **options)
    assert relabelled.fingerprint == table.fingerprint
    protected, mask = relabelled.apply([1, 1], suppression=1, return_mask=True)
    assert protected.index.equals(frame.set_axis(index).index)
    expected, expected_mask = table.apply([1, 1], suppression=1, return_mask=True)
    assert protected.to_numpy().tolist() == expected.to_numpy().tolist()
    assert mask.tolist() == expected_mask.tolist()


def test_one_row_and_a_constant_column():
    frame = pd.DataFrame({"zone": ["A"], "state": ["NY"]})
    table = Microdata(
        frame,
        quasi_identifiers=["zone", "state"],
        hierarchies={"zone": ZONE, "state": Hierarchy([["NY"]])},
    )
    assert table.lattice.heights == (2, 0)
    assert table.apply([1, 0]).to_numpy().tolist() == [["N", "NY"]]


def test_seventy_binary_quasi_identifiers():
    columns = [f"q{number}" for number in range(70)]
    values = np.random.default_rng(1).integers(0, 2, (20, 70))
    table = Microdata(
        pd.DataFrame(values, columns=columns),
        quasi_identifiers=columns,
        hierarchies={column: Hierarchy.ordered([0, 1]) for column in columns},
    )
    assert table.lattice.size == 1180591620717411303424
    with pytest.raises(ValueError, match="found 1180591620717411303424 nodes"):
        table.lattice.nodes()
    assert (table.apply(table.lattice.top) == "*").all(axis=None)
    assert (table.apply(table.lattice.bottom) == values.astype(str)).all(axis=None)


def test_table_is_independent_of_the_frame_it_was_made_from(frame, options):
    table = Microdata(frame, **options)
    frame.loc[0, "pay"] = 99
    assert table.apply([0, 0])["pay"].tolist() == [10, 9, 10, 9]


def test_copies_are_the_table_itself(frame, options):
    table = Microdata(frame, **options)
    assert copy.copy(table) is table
    assert copy.deepcopy({"table": table})["table"] is table


def test_pickle_keeps_everything_and_stays_read_only(frame, options):
    table = Microdata(frame, **options)
    twin = pickle.loads(pickle.dumps(table))
    assert twin.fingerprint == table.fingerprint
    assert twin.apply([1, 1]).equals(table.apply([1, 1]))
    for each in (table, twin):
        for codes in (each.codes, each.sensitive_codes, each.target_codes):
            with pytest.raises(ValueError, match="read-only"):
                codes[0] = 0


def test_fingerprint_covers_what_measures_see(frame, options):
    table = Microdata(frame, **options)
    changed = [
        Microdata(frame.iloc[::-1], **options),
        Microdata(frame, **{**options, "sensitive": None}),
        Microdata(frame.replace({"pay": {9: 8}}), **options),
        Microdata(
            frame,
            **{**options, "hierarchies": {"zone": ZONE, "sex": Hierarchy.ordered(["M", "F"])}},
        ),
        Microdata(frame, **{**options, "quasi_identifiers": ["sex", "zone"]}),
    ]
    assert len({table.fingerprint, *(other.fingerprint for other in changed)}) == 6
    assert Microdata(frame.assign(name="z"), **options).fingerprint == table.fingerprint


@pytest.mark.parametrize("column", ["zone", "job", "pay"])
def test_fingerprint_tells_apart_the_same_values_in_other_rows(frame, options, column):
    # Labels, roles and hierarchies are equal: the codes of this column alone differ.
    moved = frame.assign(**{column: np.roll(frame[column], 1)})
    table, other = Microdata(frame, **options), Microdata(moved, **options)
    assert (table.sensitive_labels, table.target_labels) == (
        other.sensitive_labels,
        other.target_labels,
    )
    assert table.fingerprint != other.fingerprint


def test_quasi_identifiers_of_the_same_text_are_refused():
    frame = pd.DataFrame([[1, 2]], columns=[1, "1"])
    with pytest.raises(ValueError, match="different text, found '1' 2 times"):
        Microdata(frame, quasi_identifiers=[1, "1"], hierarchies={1: "flat", "1": "flat"})
