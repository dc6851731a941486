"""Pairs that are tried in the order of a column are those that are compared one by one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data import CategoricalColumns
from anonopt.evaluation.categorical.masking_plan import MaskingPlan
from anonopt.evaluation.categorical.record_pairs import CompiledPairs, RecordPairs
from tests.examples import examples

pytest.importorskip("numba")


@examples(25)
@given(
    st.integers(0, 2**32),
    st.integers(1, 40),
    st.sampled_from([("a",), ("z",), ("a", "b"), ("z", "a", "b"), ("z", "y")]),
)
def test_nearest_and_candidates_are_the_same_without_numba(seed, n_rows, names):
    rng = np.random.default_rng(seed)
    values = {"a": [*range(9), None], "b": [*range(3), None], "z": list("pqr"), "y": ["s", None]}
    frame = pd.DataFrame(
        {name: pd.Series(rng.choice(values[name], n_rows), dtype=object) for name in names}
    )
    ordinal = {name: None for name in names if name in ("a", "b")}
    columns = CategoricalColumns.of(frame, ordinal=ordinal)
    plan = MaskingPlan.of(columns, dimension=1, per_cell=False)
    sizes = plan.n_categories
    masked = np.column_stack([rng.integers(0, size, 20) for size in sizes]).astype(np.uint8)
    ranges = []
    for size, n_ordered in zip(sizes, plan.distances.n_ordered, strict=True):
        ends = np.sort(rng.integers(0, size, (2, size)), axis=0)
        alone = np.arange(size)
        ranges.append((ends[0], ends[1]) if n_ordered else (alone, alone))
    found = []
    for make in (RecordPairs, CompiledPairs):
        pairs = make(plan)
        if n_rows > 5:
            pairs = pairs.part(np.arange(0, len(pairs.originals), 2))
        found.append([*pairs.closest(masked), pairs.n_within(masked, ranges)])
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)
