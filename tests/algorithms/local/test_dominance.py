"""Comparison of sets of vectors against plain loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anonopt.algorithms.local.promise import least_advantage, weakly_dominated

vectors = st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=8)
errors = st.tuples(*[st.floats(0.1, 3)] * 3)


@given(vectors, vectors)
def test_weakly_dominated(F, by):
    expected = [any(all(b <= a for a, b in zip(f, g, strict=True)) for g in by) for f in F]
    assert weakly_dominated(np.array(F, float), np.array(by, float)).tolist() == expected


@given(vectors, vectors, errors)
def test_least_advantage(F, others, error):
    expected = [
        min(max((b - a) / e for a, b, e in zip(f, g, error, strict=True)) for g in others)
        for f in F
    ]
    found = least_advantage(np.array(F, float), np.array(others, float), np.array(error))
    np.testing.assert_allclose(found, expected)
    assert ((found <= 0) == weakly_dominated(np.array(F, float), np.array(others, float))).all()
