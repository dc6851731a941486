"""The fast stable argsort of the numpy kernels, and the sizes of groups by sorting."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anonopt.evaluation.lattice.packed import sizes_of_groups, sorting_order

SMALL = st.integers(0, 12)
WIDE = st.integers(-(2**63), 2**63 - 1)
ALIKE = st.integers(2**62, 2**62 + 40) | st.integers(-(2**63), -(2**63) + 40)


@given(st.lists(SMALL, min_size=1) | st.lists(WIDE, min_size=1) | st.lists(ALIKE, min_size=1))
def test_equals_the_stable_argsort(keys):
    array = np.array(keys, dtype=np.int64)
    np.testing.assert_array_equal(sorting_order(array), np.argsort(array, kind="stable"))


def test_equals_the_stable_argsort_on_many_hashes():
    keys = np.random.default_rng(3).integers(-(2**63), 2**63 - 1, 5000)
    keys = np.concatenate([keys, keys[:2500]])
    np.testing.assert_array_equal(sorting_order(keys), np.argsort(keys, kind="stable"))


@given(st.lists(SMALL, min_size=1) | st.lists(WIDE, min_size=1) | st.lists(ALIKE, min_size=1))
def test_sizes_of_groups_are_those_of_unique(keys):
    array = np.array(keys, dtype=np.int64)
    expected = np.unique(array, return_counts=True)[1]
    np.testing.assert_array_equal(sizes_of_groups(array.copy()), expected)
