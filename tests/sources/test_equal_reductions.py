"""Every source's reduction against that of the same rows in memory, bit for bit."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings

from anonopt.data import Microdata
from anonopt.sources import CountedSource, LargeTable
from tests.sources.frames import SOURCES, frames

ROLES = {
    "quasi_identifiers": ["q0", "q1"],
    "hierarchies": {"q0": "flat", "q1": "flat"},
    "sensitive": ["s0", "s1"],
    "target": "t",
}


def assert_same(large, small):
    assert large.hierarchies == small.hierarchies
    assert large.sensitive_labels == small.sensitive_labels
    assert large.target_labels == small.target_labels
    for one, other in zip(large.sensitive_columns, small.sensitive_columns, strict=True):
        assert one.labels == other.labels
        assert np.array_equal(one.codes, other.codes)
    found, expected = large.reduction(), small.reduction().without_rows()
    assert found.order == expected.order
    for name in ("codes", "sizes"):
        assert np.array_equal(getattr(found, name), getattr(expected, name))
        assert getattr(found, name).dtype == getattr(expected, name).dtype
    for role in ("sensitive", "target"):
        for name in ("tuples", "values", "numbers", "totals"):
            one, other = (getattr(getattr(each, role), name) for each in (found, expected))
            assert np.array_equal(one, other), (role, name)


def in_memory(frame, roles):
    """The table, or the refusal of its values, which a source must share."""
    try:
        return Microdata(frame, **roles), None
    except ValueError as error:
        return None, error


@pytest.mark.parametrize("name", [*sorted(SOURCES), "counts"])
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(frame=frames())
def test_reductions_are_equal(name, frame, tmp_path, client):
    if name == "counts":
        source = CountedSource(frame.assign(rows=1), count="rows")
    else:
        source = SOURCES[name](frame, tmp_path)
    if name == "dask":
        # Dask turns objects into text when it takes a frame over.
        frame = source.frame.compute()
    small, refusal = in_memory(frame, ROLES)
    if refusal is not None:
        with pytest.raises(ValueError, match="column"):
            LargeTable(source, **ROLES)
        return
    ordered = [c for c in frame if isinstance(frame[c].dtype, pd.CategoricalDtype)
               and frame[c].cat.ordered]  # fmt: skip
    if name == "duckdb" and ordered:
        with pytest.raises(ValueError, match="expected values whose order is known"):
            LargeTable(source, **ROLES)
        return
    assert_same(LargeTable(source, **ROLES), small)
