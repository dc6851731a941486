"""Changed cells: after any sequence a state is what measuring from scratch gives, to the bit."""

from __future__ import annotations

import copy

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data.columns.categories import CategoricalColumns
from anonopt.evaluation import MaskingEvaluator
from anonopt.evaluation.categorical import combination_tables
from tests.evaluation.categorical.small_files import small_files
from tests.examples import examples

pytest.importorskip("numba", reason="the compiled kernels need the extra 'fast'")

BACK_ENDS = [("numpy", None), ("numba", None), ("numpy", 0), ("numba", 0)]


def evaluator_of(original: CategoricalColumns, back_end: tuple[str, int | None]):
    accelerator, limit = back_end
    with pytest.MonkeyPatch.context() as patch:
        if limit is not None:
            patch.setattr(combination_tables, "MAX_CELLS", limit)
        return MaskingEvaluator(original, accelerator=accelerator)


@st.composite
def changes(draw: st.DrawFn, original: CategoricalColumns):
    """One cell, or a batch that may name a cell twice or change nothing."""
    cell = st.integers(0, original.codes.size - 1)
    cells = draw(st.lists(cell, max_size=8))
    sizes = original.n_categories
    values = [draw(st.integers(0, sizes[c % len(sizes)] - 1)) for c in cells]
    if len(cells) == 1 and draw(st.booleans()):
        number = draw(st.sampled_from([int, np.int64]))
        return number(cells[0]), number(values[0])
    return np.array(cells, dtype=int), np.array(values, dtype=int)


@pytest.mark.parametrize("back_end", BACK_ENDS)
@given(st.data())
@examples(8)
def test_any_sequence_equals_measuring_from_scratch(back_end, data):
    files = data.draw(small_files(max_rows=15))
    evaluator = evaluator_of(files.original, back_end)
    state = evaluator.measure(files.codes)
    history = [files.codes]
    for _ in range(data.draw(st.integers(1, 8))):
        if len(history) > 1 and data.draw(st.booleans()):
            assert state.undo() is state
            history.pop()
        else:
            cells, values = data.draw(changes(files.original))
            assert state.apply(cells, values) is state
            after = history[-1].copy()
            for cell, value in zip(np.atleast_1d(cells), np.atleast_1d(values), strict=True):
                after.reshape(-1)[cell] = value
            history.append(after)
        if data.draw(st.booleans()):
            assert_same(state, evaluator.measure(history[-1]))
    assert_same(state, evaluator.measure(history[-1]))


def assert_same(state, fresh):
    np.testing.assert_array_equal(state.codes, fresh.codes)
    assert state.figures() == fresh.figures()
    # What is remembered of before is what the tables say.
    assert state._counter.figures(state._tables, state._codes) == fresh.figures()
    if hasattr(state._tables, "arrays"):
        for mine, theirs in zip(state._tables.arrays(), fresh._tables.arrays(), strict=True):
            np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("accelerator", ["numpy", "numba"])
@pytest.mark.parametrize("share", [0.0005, 0.4])
def test_small_and_large_batches_agree_with_single_cells(accelerator, share):
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"x": rng.integers(0, 6, 4000), "y": rng.integers(0, 4, 4000)})
    original = CategoricalColumns.of(frame, ordinal={"x": None, "y": None})
    evaluator = MaskingEvaluator(original, accelerator=accelerator)
    cells = rng.choice(8000, int(8000 * share), replace=False)
    values = rng.integers(0, 4, len(cells))
    batch, single = evaluator.measure(original.codes), evaluator.measure(original.codes)
    batch.figures()
    batch.apply(cells, values)
    for cell, value in zip(cells.tolist(), values.tolist(), strict=True):
        single.apply(cell, value)
    assert_same(batch, single)
    assert batch.undo().figures() == evaluator.measure(original.codes).figures()


@pytest.mark.parametrize("back_end", BACK_ENDS)
@given(st.data())
@examples(10)
def test_other_rows_measure_as_from_scratch_and_leave_the_state_alone(back_end, data):
    files = data.draw(small_files(max_rows=15))
    evaluator = evaluator_of(files.original, back_end)
    state = evaluator.measure(files.codes)
    if data.draw(st.booleans()):
        state.figures()
    first = data.draw(st.integers(0, files.original.n_rows - 1))
    others = files.codes[::-1][first:]
    twin = state.with_rows(others, first)
    expected = np.concatenate([files.codes[:first], others])
    assert_same(twin, evaluator.measure(expected))
    assert_same(state, evaluator.measure(files.codes))
    assert_same(twin.with_rows(files.codes, 0), evaluator.measure(files.codes))


def test_undo_knows_the_figures_of_before():
    original = CategoricalColumns.of(pd.DataFrame({"x": list("aabbc"), "y": list("pqpqp")}))
    state = MaskingEvaluator(original).measure(original.codes)
    before = state.figures()
    assert state.apply(0, 1).undo().figures() is before
    # Of several changes, figures of the last but one were never asked for.
    assert state.apply(0, 1).apply(2, 0).undo().undo().figures() == before


def test_copies_share_nothing_that_changes():
    original = CategoricalColumns.of(pd.DataFrame({"x": list("aabbc"), "y": list("pqpqp")}))
    for back_end in BACK_ENDS:
        evaluator = evaluator_of(original, back_end)
        state = evaluator.measure(original.codes).apply(0, 1)
        before = state.figures()
        twin = copy.deepcopy(state)
        assert twin._counter is state._counter
        assert copy.deepcopy(evaluator) is evaluator
        twin.apply([2, 4], [2, 2])
        assert state.figures() == before
        assert_same(state, evaluator.measure(state.codes))
        assert_same(twin, evaluator.measure(twin.codes))
        with pytest.raises(ValueError, match="undo"):
            state.copy().undo()


def test_codes_are_small_and_read_only():
    original = CategoricalColumns.of(pd.DataFrame({"x": range(300)}), ordinal={"x": None})
    few = CategoricalColumns.of(pd.DataFrame({"x": list("ab")}))
    assert MaskingEvaluator(few).measure(few.codes).codes.dtype == np.uint8
    codes = MaskingEvaluator(original).measure(original.codes).codes
    assert codes.dtype == np.uint16
    with pytest.raises(ValueError, match="read-only"):
        codes[0, 0] = 1


@pytest.mark.parametrize(
    ("cells", "values", "message"),
    [
        (6, 0, r"cells: expected 0\.\.5, found 6"),
        ([0, -1], [0, 0], r"cells: expected 0\.\.5, found -1"),
        (1, 2, r"'y': expected codes 0\.\.1, found 2"),
        ([0, 3], [2, 5], r"'y': expected codes 0\.\.1, found 5"),
        ([0, 1], [0], r"as many values as cells, found shapes \(1,\) and \(2,\)"),
        (0.5, 0, "cells: expected whole numbers, found 0.5"),
        (True, 0, "cells: expected whole numbers, found True"),
        (1, True, "values: expected whole numbers, found True"),
        ([[0]], [[0]], "expected as many values as cells, found shapes .1, 1. and .1, 1."),
    ],
)
def test_wrong_changes_are_named_and_change_nothing(cells, values, message):
    original = CategoricalColumns.of(pd.DataFrame({"x": list("abc"), "y": list("ppq")}))
    state = MaskingEvaluator(original).measure(original.codes)
    before = state.figures()
    with pytest.raises(ValueError, match=message):
        state.apply(cells, values)
    assert state.figures() == before
    with pytest.raises(ValueError, match="undo"):
        state.undo()
