"""What every source promises: errors before any work, and counts in order."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonopt.data import Hierarchy, Microdata
from anonopt.sources import CodedColumn, LargeTable
from tests.sources.frames import SOURCES

AGE = Hierarchy.intervals(range(20, 30), width=5)
ROLES = {"quasi_identifiers": ["age"], "hierarchies": {"age": AGE}}


@pytest.fixture(params=sorted(SOURCES))
def opened(request, tmp_path, client):
    """Opens a source of the rows of a frame."""
    return lambda frame: SOURCES[request.param](frame, tmp_path)


def test_absent_column(opened):
    source = opened(pd.DataFrame({"age": [21], "job": ["x"]}))
    roles = {**ROLES, "sensitive": "jobs"}
    with pytest.raises(ValueError, match=r"sensitive 'jobs': .*\['age', 'job'\].*mean job"):
        LargeTable(source, **roles)


def test_unknown_value(opened):
    source = opened(pd.DataFrame({"age": [21, 77, 22, 77, 99, 22, 77]}))
    message = (
        "column 'age': expected a value of its hierarchy, found '77' in 3 rows, and 1 more values"
    )
    with pytest.raises(ValueError, match=message):
        LargeTable(source, **ROLES)


def test_missing_cells_get_a_leaf(opened):
    source = opened(pd.DataFrame({"age": [21.0, None, None]}))
    table = LargeTable(source, **ROLES)
    assert table.hierarchies["age"].labels[0][-1] == "<missing>"
    assert table.reduction().codes.tolist() == [[1], [10]]
    assert table.reduction().sizes.tolist() == [1, 2]


def test_empty_table(opened):
    source = opened(pd.DataFrame({"age": pd.Series([], dtype="int64")}))
    with pytest.raises(ValueError, match="expected at least one row, found an empty table"):
        LargeTable(source, **ROLES)


def test_one_row(opened):
    table = LargeTable(opened(pd.DataFrame({"age": [21]})), **ROLES)
    assert table.n_rows == table.reduction().n_rows == 1


def test_absent_hierarchy(opened):
    source = opened(pd.DataFrame({"age": [21]}))
    with pytest.raises(ValueError, match="expected one for the quasi-identifier 'age', found none"):
        LargeTable(source, quasi_identifiers=["age"], hierarchies={})


def test_names_with_all_characters(opened):
    name = 'the "old"; age\'s [x] %'
    source = opened(pd.DataFrame({name: [21, 22]}))
    table = LargeTable(source, quasi_identifiers=[name], hierarchies={name: AGE})
    assert table.reduction().sizes.tolist() == [1, 1]


def test_groups_of_many_columns_take_several_words(opened):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({f"c{i}": rng.integers(0, 3, 40) for i in range(5)})
    source = opened(frame)
    columns = []
    for name in frame:
        found = source.distinct(name)
        # Codes that are wide apart: five of 20 bits need two words.
        codes = found.values.to_numpy().astype(np.int32) * 400_000
        columns.append(CodedColumn(name, codes, 1 << 20))
    found = source.combine([columns[:4], [], columns[4:]])
    assert [group.n_words for group in found.groups] == [2, 0, 1]
    words, counts = found.counted([0, 2])
    assert [len(one) for one in words] == [2, 1]
    codes = [*found.groups[0].unpack(words[0]), *found.groups[2].unpack(words[1])]
    expected = frame.value_counts().sort_index()
    assert np.array_equal(np.column_stack(codes) // 400_000, list(expected.index))
    assert counts.tolist() == expected.tolist()
    alone = frame["c4"].value_counts().sort_index()
    assert found.counted([2]).counts.tolist() == alone.tolist()
    assert found.n_combinations([2]) == len(alone)
    assert found.n_combinations([0, 2]) == len(expected)


def test_wide_tables_equal_those_in_memory(opened):
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({f"c{i}": rng.integers(0, 200, 60) % 7 * 31 for i in range(9)})
    roles = {
        "quasi_identifiers": list(frame),
        "hierarchies": {name: Hierarchy.intervals(range(200), width=9) for name in frame},
    }
    small, large = Microdata(frame, **roles), LargeTable(opened(frame), **roles)
    assert np.array_equal(large.reduction().codes, small.reduction().codes)
    assert np.array_equal(large.reduction().sizes, small.reduction().sizes)
