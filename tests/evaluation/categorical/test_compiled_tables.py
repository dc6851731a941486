"""Compiled tables of masked files: two ways to count rows, and ranks of agreement patterns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonopt.data.columns.categories import CategoricalColumns
from anonopt.evaluation import MaskingEvaluator
from anonopt.measures.categorical.record_linkage import agreement_shares
from tests.oracles.linkage_rounds import match_probabilities

pytest.importorskip("numba", reason="the compiled kernels need the extra 'fast'")

from anonopt.evaluation.categorical.kernel_linkage_model import (
    rank_patterns,
    room_for_ranks,
)
from anonopt.evaluation.categorical.masking_compiled import CompiledCounter
from anonopt.evaluation.categorical.masking_dense import DenseCounter

TABLES = ("joint", "differences", "patterns", "nearest_linked", "agreement")


def some_columns(n_rows: int, sizes: tuple[int, ...], seed: int = 0) -> CategoricalColumns:
    """Columns of so many categories, all of which occur."""
    rng = np.random.default_rng(seed)
    frame = {
        f"column {j}": np.resize(np.arange(size), n_rows)[rng.permutation(n_rows)].astype(str)
        for j, size in enumerate(sizes)
    }
    return CategoricalColumns.of(pd.DataFrame(frame))


@given(st.lists(st.integers(0, 10**6), min_size=8, max_size=8).filter(any), st.integers(1, 5000))
@settings(max_examples=15, deadline=None)
def test_rounds_of_three_columns_are_those_in_plain_numbers_to_the_bit(counts, n_rows):
    patterns = np.array(counts)
    n_numbers, n_ranks = room_for_ranks(3)
    numbers, ranks = np.empty(n_numbers), np.empty(n_ranks, dtype=np.int64)
    rank_patterns(patterns, n_rows, numbers, ranks)
    u = agreement_shares(patterns, 3)
    assert numbers[3:6].tolist() == u.tolist()
    assert numbers[:3].tolist() == match_probabilities(counts, u.tolist(), n_rows)


@pytest.mark.parametrize("sizes", [(2, 3), (2, 3, 2), (2, 1, 2, 2)])
def test_many_rows_are_counted_as_few(sizes):
    columns = some_columns(200, sizes)
    plan = MaskingEvaluator(columns).plan
    many, few = CompiledCounter(plan), CompiledCounter(plan)
    assert many._many is not None
    few._many = None
    masked = np.random.default_rng(1).integers(0, sizes, (200, len(sizes))).astype(np.uint8)
    wanted = DenseCounter(plan).tables(masked)
    for counter in (many, few):
        _, tables = counter.read(masked)
        counter.figures(tables, masked)
        # From now on there are links in advance.
        for counted in (tables, counter.tables(masked)):
            for name in TABLES:
                np.testing.assert_array_equal(getattr(counted, name), getattr(wanted, name))
            np.testing.assert_array_equal(counted.likely_linked, tables.likely_linked)
        assert counter.figures(counter.tables(masked), masked) == counter.figures(tables, masked)


@pytest.mark.parametrize("n_rows", [10, 200])
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64])
def test_codes_of_no_category_are_refused_and_others_copied(n_rows, dtype):
    columns = some_columns(n_rows, (2, 3, 2))
    evaluator = MaskingEvaluator(columns)
    codes = columns.codes.astype(dtype)
    state = evaluator.measure(codes)
    assert np.array_equal(state.codes, codes)
    codes[0] = 1
    assert np.array_equal(state.codes, columns.codes)
    for wrong in (3, -1) if dtype != np.uint8 else (3, 255):
        codes[n_rows // 2, 1] = wrong
        with pytest.raises(ValueError, match=rf"'column 1': expected codes 0..2, found {wrong}"):
            evaluator.measure(codes)


def test_small_types_hold_numbers_that_are_no_categories():
    columns = some_columns(256, (256,))
    codes = columns.codes.astype(np.int8)
    with pytest.raises(ValueError, match=r"expected codes 0..255, found -128"):
        MaskingEvaluator(columns).measure(codes)
