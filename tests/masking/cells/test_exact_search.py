"""Least weights of both programs against every partition and every choice of cells."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonopt.masking import CellSuppression, CodedCells
from anonopt.masking.cells.exact_search import least_by_value, least_by_wildcard
from anonopt.masking.cells.value_search import greedy_by_value, importance_by_value, row_bound
from anonopt.masking.cells.wildcard_search import greedy_by_wildcard, importance_by_wildcard
from tests.oracles import suppressed_cells as oracle


def tables(n_tables: int, *, most_rows: int, most_columns: int, seed: int):
    rng = np.random.default_rng(seed)
    for _ in range(n_tables):
        n_rows, n_columns = rng.integers(2, most_rows + 1), rng.integers(1, most_columns + 1)
        cells = rng.integers(0, rng.integers(2, 5), (n_rows, n_columns))
        frame = pd.DataFrame(cells, columns=[f"c{i}" for i in range(n_columns)]).astype(object)
        weights = {name: float(rng.integers(1, 4)) for name in frame}
        yield frame, weights, int(rng.integers(1, n_rows + 1)), rng


def test_by_value_it_is_the_best_of_all_partitions():
    for frame, weights, k, _ in tables(20, most_rows=7, most_columns=4, seed=1):
        cells = CodedCells.of(frame, weights=weights)
        least = cells.cost(least_by_value(cells, k))
        expected = oracle.least_by_value(frame.to_numpy().tolist(), k, list(weights.values()))
        assert least == pytest.approx(expected)
        found = [cells.cost(search(cells, k)) for search in (greedy_by_value, importance_by_value)]
        assert row_bound(cells, k) <= least + 1e-9
        assert least - 1e-9 <= found[0] <= found[1]


def test_no_suppression_is_below_the_bound_where_cells_show_nothing_before():
    for frame, weights, k, rng in tables(30, most_rows=6, most_columns=3, seed=3):
        frame = frame.mask(rng.random(frame.shape) < 0.3, "*")
        cells = CodedCells.of(frame, weights=weights)
        assert row_bound(cells, k) <= cells.cost(least_by_value(cells, k)) + 1e-9


def test_by_wildcard_it_is_the_best_of_all_choices_of_cells():
    for frame, weights, k, rng in tables(20, most_rows=4, most_columns=3, seed=2):
        frame = frame.mask(rng.random(frame.shape) < 0.15, None)
        cells = CodedCells.of(frame, weights=weights, matching="wildcard")
        least = cells.cost(least_by_wildcard(cells, k))
        rows = frame.to_numpy().tolist()
        expected = oracle.least_by_wildcard(
            [[None if pd.isna(cell) else cell for cell in row] for row in rows],
            k,
            list(weights.values()),
        )
        assert least == pytest.approx(expected)
        for search in (greedy_by_wildcard, importance_by_wildcard):
            assert least - 1e-9 <= cells.cost(search(cells, k))


def test_the_least_by_wildcard_leaves_unique_rows_as_they_were():
    frame = pd.DataFrame(np.arange(24).reshape(12, 2), columns=["a", "b"])
    masked = CellSuppression(k=3, matching="wildcard", search="exact").fit_transform(frame)
    # Two emptied rows match all others: 4 cells, and ten unique rows stay.
    assert masked.isna().sum().sum() == 4
    assert masked.notna().all(axis=1).sum() == 10


def test_large_tables_are_refused_before_the_search():
    frame = pd.DataFrame({"a": range(21), "b": 0})
    with pytest.raises(ValueError, match="at most 20 rows of the table, found 21"):
        CellSuppression(k=2, matching="wildcard", search="exact").fit_transform(frame)
    wide = pd.DataFrame([[0] * 10] * 3)
    with pytest.raises(ValueError, match="at most 9 columns of the table, found 10"):
        CellSuppression(k=2, search="exact").fit_transform(wide)
    long = pd.DataFrame(np.random.default_rng(0).integers(0, 9, (3000, 4)))
    with pytest.raises(ValueError, match="at most 20,000 pairs"):
        CellSuppression(k=2, search="exact").fit_transform(long)
