"""A file measured once, without tables of records: equal to the tables, in little memory."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonopt.evaluation import ContinuousMaskingEvaluator
from anonopt.evaluation.comparison.continuous_comparison import rank_swapping_linkage
from anonopt.evaluation.continuous import file_agreement
from anonopt.evaluation.continuous.file_agreement import FileAgreement
from anonopt.evaluation.continuous.rank_boxes import RankBoxes
from tests.examples import examples
from tests.oracles import continuous as oracle

SEEDS = st.integers(0, 2**32 - 1)


@pytest.fixture(params=["numpy", "numba"])
def accelerator(request):
    if request.param == "numba":
        pytest.importorskip("numba", reason="the extra 'fast' is not installed")
    return request.param


def files(seed, n_rows, n_columns, *, distinct):
    rng = np.random.default_rng(seed)
    original = rng.normal(size=(n_rows, n_columns)) + rng.normal(size=(n_rows, 1))
    if not distinct:
        original = np.rint(2 * original)
    masked = original + np.rint(rng.normal(size=original.shape)) / 2
    return original, masked


def agrees(original, masked, window):
    """Which columns of which pairs agree, (n_masked, n_original, n_columns)."""
    return np.abs(masked[:, None].astype(int) - original[None]) <= window


@given(seed=SEEDS, n_rows=st.integers(1, 60), n_columns=st.integers(1, 4), distinct=st.booleans())
@examples(15)
@pytest.mark.parametrize("uses_numba", [False, True])
def test_boxes_hold_what_pairs_tell(uses_numba, seed, n_rows, n_columns, distinct):
    if uses_numba:
        pytest.importorskip("numba", reason="the extra 'fast' is not installed")
    original, masked = files(seed, n_rows, n_columns, distinct=distinct)
    evaluator = ContinuousMaskingEvaluator(original)
    ranks = evaluator.ranks(masked)
    window = seed % 9
    boxes = RankBoxes(evaluator.original_ranks, ranks, window, uses_numba=uses_numba)
    near = agrees(evaluator.original_ranks, ranks, window)
    for columns in [(0,), tuple(range(n_columns)), tuple(range(n_columns))[-2:]]:
        expected = near[:, :, columns].all(axis=2).sum(axis=1)
        assert boxes.counts(columns).tolist() == expected.tolist()
        assert boxes.counts(columns, np.array([n_rows - 1])).tolist() == [expected[-1]]
        assert boxes.total(columns) == expected.sum()


@given(seed=SEEDS, n_columns=st.integers(1, 4), likelihood=SEEDS)
@settings(max_examples=20)
def test_boxes_and_pairs_link_alike_whatever_is_likely(seed, n_columns, likelihood):
    original, masked = files(seed, 40, n_columns, distinct=False)
    evaluator = ContinuousMaskingEvaluator(original)
    ranks = evaluator.ranks(masked)
    ways = [FileAgreement(evaluator, ranks, 8, by_boxes=by) for by in (True, False)]
    totals = [way.totals().tolist() for way in ways]
    assert totals[0] == totals[1]
    assert sum(totals[0]) == 40 * 40
    levels = np.random.default_rng(likelihood).integers(0, 3, 1 << n_columns)
    one, other = (way.ties(levels).tolist() for way in ways)
    assert one == other
    patterns = agrees(evaluator.original_ranks, ranks, 8) @ (1 << np.arange(n_columns))
    for row, pairs in enumerate(levels[patterns]):
        is_linked = pairs[row] == pairs.max()
        assert one[row] == (is_linked and (pairs == pairs.max()).sum())
    one, other = (way.agreeing_everywhere().tolist() for way in ways)
    assert one == other == (patterns == (1 << n_columns) - 1).sum(axis=1).tolist()


@pytest.mark.parametrize("pairs", [0, 1 << 40], ids=["boxes", "pairs"])
@pytest.mark.parametrize(("n_columns", "distinct"), [(1, False), (3, True), (4, False)])
def test_figures_are_those_of_the_tables(monkeypatch, accelerator, pairs, n_columns, distinct):
    monkeypatch.setattr(file_agreement, "PAIRS_OF_A_BOX", pairs)
    original, masked = files(3, 500, n_columns, distinct=distinct)
    evaluator = ContinuousMaskingEvaluator(original, accelerator=accelerator)
    shares: list[float] = []
    found = evaluator.figures(masked, on_progress=shares.append)
    assert found == evaluator.measure(masked).figures()
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    expected = oracle.rank_swapping_linkage(original[:30], masked[:30], 10)
    small = ContinuousMaskingEvaluator(original[:30], accelerator=accelerator)
    assert rank_swapping_linkage(small, masked[:30], 10) == pytest.approx(expected)


def test_memory_does_not_grow_with_the_patterns(monkeypatch):
    monkeypatch.setattr(file_agreement, "BLOCK_CELLS", 2**15)
    monkeypatch.setattr("anonopt.evaluation.continuous.continuous_evaluator.BLOCK_CELLS", 2**15)
    original, masked = files(4, 2000, 10, distinct=True)
    evaluator = ContinuousMaskingEvaluator(original, agreement=20)
    tracemalloc.start()
    evaluator.figures(masked)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # The table of the patterns that occur takes 8 megabytes, that of all pairs 16.
    assert peak < 5e6
