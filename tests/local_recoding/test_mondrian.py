"""Mondrian over hierarchies, strict and relaxed."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data import Hierarchy, Microdata, load_dataset
from anonopt.data.recoded_groups import recode
from anonopt.local_recoding import mondrian_groups
from anonopt.masking import Mondrian
from anonopt.measures import Measure
from tests.evaluation.lattice.small_tables import eight_people
from tests.examples import examples
from tests.local_recoding.constructed import constructions, expected, shown
from tests.oracles import constructed_groups as oracle


@examples(25)
@given(constructions(bounded=True), st.booleans())
def test_groups_are_those_of_the_plain_twin(small, relaxed):
    groups = mondrian_groups(small.table, small.k, relaxed=relaxed, **small.options)
    plain = small.plain
    assert shown(groups) == expected(plain, oracle.mondrian(plain, small.k, relaxed=relaxed))
    assert small.is_held(groups)
    assert not groups.suppressed.any()


def patients() -> Microdata:
    """LeFevre 2006, Figure 1 (b)."""
    frame = pd.DataFrame(
        {
            "age": [25, 25, 26, 27, 27, 28],
            "sex": ["Male", "Female", "Male", "Male", "Female", "Male"],
            "zip": [53711, 53712, 53711, 53710, 53712, 53711],
        }
    )
    trees = {name: Hierarchy.ordered(sorted(set(frame[name]))) for name in ("age", "zip")}
    # All three columns are equally wide, and the paper does not say which it cuts first.
    order = ["sex", "age", "zip"]
    return Microdata(frame, quasi_identifiers=order, hierarchies={"sex": "flat", **trees})


def test_patients_are_recoded_as_printed():
    # LeFevre 2006, Figure 3.
    table = patients()
    frame, _ = recode(table, mondrian_groups(table, 2))
    printed = [
        ["[25, 26]", "Male", "53711"],
        ["[25, 27]", "Female", "53712"],
        ["[25, 26]", "Male", "53711"],
        ["[27, 28]", "Male", "[53710, 53711]"],
        ["[25, 27]", "Female", "53712"],
        ["[27, 28]", "Male", "[53710, 53711]"],
    ]
    assert frame[["age", "sex", "zip"]].to_numpy().tolist() == printed


@pytest.mark.parametrize("k", [2, 3, 7])
def test_ordered_columns_are_cut_as_the_masking_method_cuts_numbers(k):
    # All numbers from the least to the greatest are leaves, so that widths are the same.
    frame = load_dataset("adult").frame[["age", "education"]].iloc[:60].copy()
    frame["years"] = frame.pop("education").str.len()
    trees = {
        name: Hierarchy.ordered(range(frame[name].min(), frame[name].max() + 1)) for name in frame
    }
    table = Microdata(frame, quasi_identifiers=list(frame), hierarchies=trees)
    regions = Mondrian(k=k).groups(frame)
    groups = mondrian_groups(table, k).group_of_row
    assert len(set(zip(regions, groups, strict=True))) == groups.max() + 1 == regions.max() + 1


def test_relaxed_parts_rows_of_one_value():
    table = Microdata(
        pd.DataFrame({"n": [1, 2, 2, 2]}),
        quasi_identifiers=["n"],
        hierarchies={"n": Hierarchy.ordered([1, 2, 3])},
    )
    assert mondrian_groups(table, 2).n_groups == 1
    groups = mondrian_groups(table, 2, relaxed=True)
    assert groups.group_of_row.tolist() == [0, 0, 1, 1]
    assert recode(table, groups)[0]["n"].tolist() == ["[1, 2]", "[1, 2]", "2", "2"]


def test_labels_of_the_hierarchy():
    ages = Hierarchy.intervals(range(10, 30), width=10)
    table = Microdata(
        pd.DataFrame({"age": [11, 12, 18, 21, 22]}), quasi_identifiers=["age"],
        hierarchies={"age": ages},
    )  # fmt: skip
    frame, _ = recode(table, mondrian_groups(table, 2, labels="hierarchy"))
    assert frame["age"].tolist() == ["[10,20)"] * 2 + ["*"] * 3


def test_column_with_missing_cells_is_as_wide_as_can_be():
    table = Microdata(
        pd.DataFrame({"n": [1.0, 1.0, None, 3.0]}), quasi_identifiers=["n"],
        hierarchies={"n": Hierarchy.ordered([1, 2, 3])},
    )  # fmt: skip
    groups = mondrian_groups(table, 2)
    assert recode(table, groups)[0]["n"].tolist() == ["1", "1", "*", "*"]


def test_options_are_checked():
    table = eight_people(sensitive="illness")
    with pytest.raises(ValueError, match="k: expected at most the 8 rows of the table, found 9"):
        mondrian_groups(table, 9)
    with pytest.raises(ValueError, match=r"ordered: expected quasi-identifiers .*'illness'"):
        mondrian_groups(table, 2, ordered=["illness"])
    with pytest.raises(ValueError, match="labels: "):
        mondrian_groups(table, 2, labels="sets")
    with pytest.raises(ValueError, match="as a whole meets, found l >= 3"):
        mondrian_groups(table, 2, class_bounds={"l": 3})
    odd = Measure("odd", maximize=True, unit="", range="0..1", per_class=lambda c: c.sizes % 2)
    even = {odd: 0}
    assert mondrian_groups(table, 2, class_bounds=even).n_groups >= 1
    with pytest.raises(ValueError, match="as groups may have equal labels; found odd"):
        mondrian_groups(table, 2, class_bounds=even, relaxed=True)
