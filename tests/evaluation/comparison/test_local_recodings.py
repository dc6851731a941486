"""Files of local recodings beside their originals: labels of several levels mixed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonopt as ao
from anonopt.data.recoded_groups import RecodedGroups, recode
from tests.examples import examples

ZONES = ao.Hierarchy(
    [["A", "B", "C", "D"], ["North", "North", "South", "South"], ["*", "*", "*", "*"]]
)
AGES = ao.Hierarchy.intervals(range(17, 25), width=2, fan_outs=[2])
CODES = ao.Hierarchy.text(["10", "11", "101", "9"])
GRADES = ao.Hierarchy.ordered(["low", "mid", "high"], fan_outs=[2])
COLUMNS = {"zone": ZONES, "age": AGES, "code": CODES, "grade": GRADES.with_missing()}


def table_of(leaves):
    """A table of the leaves of the columns; ages are numbers, a missing grade is a missing cell."""
    frame = pd.DataFrame(
        {
            column: [hierarchy.labels[0][at] for at in codes]
            for (column, hierarchy), codes in zip(COLUMNS.items(), leaves, strict=True)
        }
    )
    frame["age"] = frame["age"].astype(int)
    frame["grade"] = frame["grade"].where(frame["grade"] != "<missing>", None)
    return ao.Microdata(frame, quasi_identifiers=list(COLUMNS), hierarchies=COLUMNS)


@st.composite
def recodings(draw):
    """A table and a local recoding whose labels are values of the hierarchies or other ranges."""
    n_rows = draw(st.integers(1, 8))
    leaves = [
        draw(st.lists(st.integers(0, h.n_leaves - 1), min_size=n_rows, max_size=n_rows))
        for h in COLUMNS.values()
    ]
    table = table_of(leaves)
    n_groups = draw(st.integers(1, n_rows))
    group = np.array(draw(st.permutations([*range(n_groups), *[0] * (n_rows - n_groups)])))
    lows, highs = [], []
    for number in range(n_groups):
        rows = table.codes[group == number]
        low, high = rows.min(axis=0), rows.max(axis=0)
        for position, hierarchy in enumerate(COLUMNS.values()):
            if draw(st.booleans()):
                levels = hierarchy.maps
                level = draw(st.integers(0, hierarchy.height))
                is_under = np.isin(levels[level], levels[level][[low[position], high[position]]])
                low[position], *_, high[position] = np.flatnonzero(is_under)[[0, -1]]
        lows.append(low)
        highs.append(high)
    suppressed = draw(st.lists(st.booleans(), min_size=n_groups, max_size=n_groups))
    return table, RecodedGroups(group, lows=lows, highs=highs, suppressed=suppressed)


def glm_of(table, groups):
    """General loss metric of each row and column, summed cell by cell."""
    total = 0.0
    for group in groups.group_of_row:
        for position, column in enumerate(table.quasi_identifiers):
            width = groups.highs[group, position] - groups.lows[group, position]
            n_leaves = table.hierarchies[column].n_leaves
            total += 1.0 if groups.suppressed[group] else width / (n_leaves - 1)
    return total


@given(recodings())
@examples(30)
def test_loss_of_the_cells_is_glm_of_the_groups(recoding):
    table, groups = recoding
    frame, _ = recode(table, groups)
    names = list(table.quasi_identifiers)
    found = ao.compare(table.frame, frame, columns=names, hierarchies=table.hierarchies)
    assert found["DBIL"] == pytest.approx(
        100 * glm_of(table, groups) / (table.n_rows * len(names)), abs=1e-9
    )


@given(recodings())
@settings(max_examples=40)
def test_check_counts_the_rows_of_equal_labels(recoding):
    table, groups = recoding
    frame, mask = recode(table, groups)
    first, class_of_group = groups.classes
    sizes = np.bincount(class_of_group, weights=groups.sizes)[~groups.suppressed[first]]
    if not len(sizes):
        return
    found = ao.check(frame, quasi_identifiers=list(COLUMNS), suppressed=mask)
    assert found["k"] == sizes.min()
    assert found["classes"] == len(sizes)
    assert found["suppressed"] == mask.sum()


def test_numbers_and_sets_are_read_without_hierarchies():
    table = table_of([[0, 1, 2, 3], [0, 1, 4, 5], [0, 0, 1, 1], [0, 0, 1, 1]])
    groups = RecodedGroups(
        [0, 0, 0, 1], lows=[[0, 0, 0, 0], [3, 5, 1, 1]], highs=[[2, 4, 1, 1], [3, 5, 1, 1]]
    )
    frame, _ = recode(table, groups)
    assert frame["zone"].tolist() == ["{A, B, C}"] * 3 + ["D"]
    assert frame["age"].tolist() == ["[17, 21]"] * 3 + ["22"]
    found = ao.compare(table.frame, frame, columns=["zone", "age"])
    # Of 4 zones and of the 4 ages of the table: 3 zones, and the ages 17, 18 and 21.
    assert found["DBIL"] == pytest.approx(100 * (3 * (2 / 3) + 3 * (2 / 3)) / 8)


def test_names_of_a_hierarchy_ask_for_it():
    table = table_of([[0, 1, 2, 2], [0, 1, 4, 4], [0] * 4, [0] * 4])
    groups = RecodedGroups(
        [0, 0, 1, 1], lows=[[0] * 4, [2, 4, 0, 0]], highs=[[1, 1, 0, 0], [2, 4, 0, 0]]
    )
    frame, _ = recode(table, groups)
    assert frame["zone"].tolist() == ["North", "North", "C", "C"]
    with pytest.raises(ValueError, match=r"hierarchies=\{'zone'.*found 'North'"):
        ao.compare(table.frame, frame, columns=["zone", "age"])


def test_a_parent_beside_its_child_covers_what_it_says():
    table = table_of([[0, 0, 1, 0], [0] * 4, [0] * 4, [0] * 4])
    groups = RecodedGroups([0, 0, 1, 1], lows=[[0] * 4] * 2, highs=[[0] * 4, [1, 0, 0, 0]])
    frame, _ = recode(table, groups)
    assert frame["zone"].tolist() == ["A", "A", "North", "North"]
    found = ao.compare(table.frame, frame, columns=["zone"], hierarchies={"zone": ZONES})
    assert found["DBIL"] == pytest.approx(100 * 2 * (1 / 3) / 4)
