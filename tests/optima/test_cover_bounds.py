"""What columns can save within a budget of rows: never less than the best choice of levels."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from anonopt.optima import cover_bounds


def best_choice(suppressed, savings, rows, budget, lows):
    """Most that is saved where the rows of the union fit."""
    best = 0.0
    heights = [len(sets) for sets in suppressed]
    for levels in product(*map(range, lows, np.array(heights) + 1)):
        chosen = [(j, m) for j, m in enumerate(levels) if m < heights[j]]
        union = set().union(*(suppressed[j][m] for j, m in chosen))
        if sum(rows[place] for place in union) <= budget:
            best = max(best, sum(savings[j, m] for j, m in chosen))
    return best


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6))
def test_bound_is_never_below_the_best_choice(seed):
    rng = np.random.default_rng(seed)
    n_columns, n_members, height = int(rng.integers(1, 5)), int(rng.integers(1, 7)), 3
    rows, budget = rng.integers(1, 4, n_members), int(rng.integers(0, 8))
    ends_of = rng.integers(-1, height, (n_columns, n_members))
    lows = rng.integers(0, height, n_columns)
    savings = np.sort(rng.integers(1, 9, (n_columns, height + 1)), axis=1)[:, ::-1].astype(float)
    savings[:, height] = 0.0
    suppressed = [
        [set(np.flatnonzero(ends >= level).tolist()) for level in range(height)] for ends in ends_of
    ]
    columns, places = np.nonzero(ends_of >= 0)
    ends, places = ends_of[columns, places].astype(np.int32), places.astype(np.int32)
    firsts = np.searchsorted(columns, np.arange(n_columns + 1))
    shares, spare = np.zeros(len(places)), np.zeros(n_members)
    counts, loads = np.zeros(n_members, dtype=np.int64), np.zeros_like(savings)
    levels = lows, np.full(n_columns, height), savings, loads
    best = best_choice(suppressed, savings, rows, budget, lows)
    cover_bounds.share_evenly(len(places), places, shares, counts)
    for _ in range(4):
        assert np.bincount(places, shares, n_members).max(initial=0.0) <= 1 + 1e-12
        cover_bounds.find_loads(firsts, places, ends, shares, rows, loads)
        saved, price = cover_bounds.most_saved(budget, *levels)
        assert saved >= best - 1e-9
        raised = lows.copy()
        # Only levels are given up with which no choice saves more than is needed.
        cover_bounds.raise_lows(saved, price, best - 0.5, raised, *levels[1:])
        assert best_choice(suppressed, savings, rows, budget, raised) == best
        if price == 0.0:
            break
        cover_bounds.share_better(price, firsts, places, shares, *levels, spare, counts)
