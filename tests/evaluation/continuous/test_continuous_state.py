"""Masked numeric files: full figures, and figures that follow changed cells."""

from __future__ import annotations

import copy
import pickle
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonopt.evaluation import ContinuousMaskingEvaluator
from anonopt.masking import MDAV, RankSwapping
from anonopt.measures.continuous.probabilistic_loss import ProbabilisticLoss, file_statistics
from tests.oracles import continuous as oracle

SEEDS = st.integers(0, 2**32 - 1)
NAMES = ("PIL", "IL", "ID", "DBRL", "PRL", "DR", "score_max", "score_mean")


@pytest.fixture(params=["numpy", "numba"])
def accelerator(request):
    if request.param == "numba":
        pytest.importorskip("numba", reason="the extra 'fast' is not installed")
    return request.param


def files(seed, *, n_rows=24, n_columns=3, noise=1.5):
    """A file of whole numbers with ties, and a masked version of it."""
    rng = np.random.default_rng(seed)
    original = rng.integers(0, 9, (n_rows, n_columns)).astype(float)
    masked = original + np.rint(rng.normal(0, noise, original.shape))
    return original, masked


class TestFull:
    @given(seed=SEEDS)
    @settings(max_examples=4)
    def test_equals_plain_loops(self, seed):
        original, masked = files(seed)
        figures = ContinuousMaskingEvaluator(original).measure(masked).figures()
        assert figures.ID == pytest.approx(oracle.interval_disclosure(original, masked))
        assert figures.DBRL == pytest.approx(oracle.distance_linkage(original, masked))
        assert figures.PRL == pytest.approx(oracle.probabilistic_linkage(original, masked))
        assert figures.PIL == ProbabilisticLoss(original)(file_statistics(masked))
        assert figures.IL == figures.PIL
        expected = 0.5 * figures.ID + 0.25 * figures.DBRL + 0.25 * figures.PRL
        assert figures.DR == pytest.approx(expected)

    @pytest.mark.parametrize("percent", [0, 20])
    def test_window_of_agreement(self, percent):
        original, masked = files(8)
        evaluator = ContinuousMaskingEvaluator(original, agreement=percent)
        assert evaluator.measure(masked).figures().PRL == pytest.approx(
            oracle.probabilistic_linkage(original, masked, percent)
        )

    @given(seed=SEEDS)
    @settings(max_examples=20)
    def test_rows_of_both_files_can_be_shuffled_together(self, seed):
        original, masked = files(seed)
        order = np.random.default_rng(seed).permutation(len(original))
        values, shuffled = (
            ContinuousMaskingEvaluator(x).measure(y).values(NAMES)
            for x, y in ((original, masked), (original[order], masked[order]))
        )
        np.testing.assert_allclose(shuffled, values, atol=1e-9)

    def test_figures_are_percentages(self):
        for seed in range(20):
            original, masked = files(seed, noise=4.0)
            values = ContinuousMaskingEvaluator(original).measure(masked).values(NAMES)
            assert ((values >= 0) & (values <= 100)).all()

    def test_accelerators_agree_to_the_bit(self):
        pytest.importorskip("numba", reason="the extra 'fast' is not installed")
        original, masked = files(9, n_rows=300, n_columns=6)
        plain, compiled = (
            ContinuousMaskingEvaluator(original, accelerator=accelerator).measure(masked).figures()
            for accelerator in ("numpy", "numba")
        )
        assert plain == compiled

    def test_blocks_do_not_change_the_figures(self, monkeypatch, accelerator):
        original, masked = files(10, n_rows=60)
        expected = ContinuousMaskingEvaluator(original).measure(masked).figures()
        monkeypatch.setattr("anonopt.evaluation.continuous.continuous_evaluator.BLOCK_CELLS", 400)
        evaluator = ContinuousMaskingEvaluator(original, accelerator=accelerator)
        assert evaluator.measure(masked).figures() == expected

    def test_memory_is_far_below_a_table_of_all_pairs(self, monkeypatch, accelerator):
        original, masked = files(11, n_rows=4000)
        monkeypatch.setattr("anonopt.evaluation.continuous.continuous_evaluator.BLOCK_CELLS", 2**15)
        evaluator = ContinuousMaskingEvaluator(original, accelerator=accelerator)
        evaluator.measure(masked)  # compiles, which takes memory of its own
        tracemalloc.start()
        evaluator.measure(masked)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < len(original) ** 2 / 2

    def test_one_record(self):
        figures = ContinuousMaskingEvaluator(np.array([[3.0, 4.0]])).measure(np.array([[3.0, 9.0]]))
        assert np.isfinite(figures.values(NAMES)).all()
        assert figures.values(["DBRL"]).tolist() == [100]

    def test_constant_columns(self):
        original, masked = files(4)
        original[:, 1], masked[:, 1] = 0.1, 0.1
        values = ContinuousMaskingEvaluator(original).measure(masked).values(NAMES)
        assert np.isfinite(values).all()


class TestChanges:
    @given(seed=SEEDS, data=st.data())
    @settings(max_examples=25)
    def test_any_sequence_of_changes_equals_a_full_evaluation(self, seed, data):
        original, masked = files(seed)
        evaluator = ContinuousMaskingEvaluator(original)
        state, n_changes = evaluator.measure(masked), 0
        rng = np.random.default_rng(seed)
        for action in data.draw(st.lists(st.sampled_from(["cell", "batch", "undo"]), max_size=8)):
            if action == "undo" and n_changes:
                state.undo()
                n_changes -= 1
            elif action != "undo":
                n_cells = 1 if action == "cell" else 30
                cells = rng.integers(0, original.size, n_cells)
                state.apply(cells, rng.integers(-2, 12, n_cells).astype(float))
                n_changes += 1
        assert state.figures() == evaluator.measure(state.masked).figures()
        for _ in range(n_changes):
            state.undo()
        np.testing.assert_array_equal(state.masked, masked)
        assert state.figures() == evaluator.measure(masked).figures()

    def test_last_value_of_a_cell_counts(self):
        original, masked = files(1)
        state = ContinuousMaskingEvaluator(original).measure(masked)
        assert state.apply([4, 4], [1.0, 7.0]).masked[1, 1] == 7

    def test_no_change_at_all(self):
        original, masked = files(1)
        state = ContinuousMaskingEvaluator(original).measure(masked)
        before = state.figures()
        assert state.apply([], []).figures() == before
        assert state.undo().figures() == before

    @pytest.mark.parametrize("shared", [0.0, 0.5, 1.0])
    def test_records_taken_over_from_another_file(self, shared):
        original, masked = files(2)
        rng = np.random.default_rng(2)
        evaluator = ContinuousMaskingEvaluator(original)
        parent, other = evaluator.measure(masked), evaluator.measure(original[::-1])
        before = parent.figures()
        cells = np.arange(10, 50)
        values = other.masked.ravel()[cells].copy()
        own = rng.random(len(cells)) >= shared
        values[own] = rng.integers(0, 9, int(own.sum()))
        child = parent.changed(cells, values, like=other)
        assert child.figures() == evaluator.measure(child.masked).figures()
        assert parent.figures() == before
        with pytest.raises(ValueError, match="undo: expected a change to take back"):
            child.undo()

    def test_copies_are_independent(self):
        original, masked = files(3)
        state = ContinuousMaskingEvaluator(original).measure(masked)
        before = state.figures()
        twin = state.copy().apply([0, 5], [9.0, 9.0])
        assert state.figures() == before
        assert twin.figures() != before

    def test_the_masked_file_is_copied_and_read_only(self):
        original, masked = files(3)
        state = ContinuousMaskingEvaluator(original).measure(masked)
        before = masked.copy()
        state.apply([0], [99.0])
        np.testing.assert_array_equal(masked, before)
        with pytest.raises(ValueError, match="read-only"):
            state.masked[0, 0] = 1


class TestFaults:
    def test_shapes(self):
        original, masked = files(1)
        evaluator = ContinuousMaskingEvaluator(original)
        with pytest.raises(ValueError, match=r"shape \(24, 3\), found \(24, 2\)"):
            evaluator.measure(masked[:, :2])
        with pytest.raises(ValueError, match="one value a cell"):
            evaluator.measure(masked).apply([1, 2], [1.0])
        with pytest.raises(ValueError, match=r"cells in 0\.\.71, found 3\.\.72"):
            evaluator.measure(masked).apply([3, 72], [1.0, 1.0])

    def test_numbers_that_are_not_finite(self):
        original, masked = files(1)
        evaluator = ContinuousMaskingEvaluator(original)
        with pytest.raises(ValueError, match="expected finite masked values"):
            evaluator.measure(np.full_like(masked, np.nan))
        state = evaluator.measure(masked)
        before = state.figures()
        with pytest.raises(ValueError, match="expected finite masked values"):
            state.apply([0], [np.inf])
        assert state.figures() == before

    def test_unknown_figure(self):
        original, masked = files(1)
        with pytest.raises(ValueError, match="unknown figure 'CTBIL'; "):
            ContinuousMaskingEvaluator(original).measure(masked).values(["CTBIL"])

    def test_too_many_columns(self):
        with pytest.raises(ValueError, match="at most 20 columns"):
            ContinuousMaskingEvaluator(np.zeros((3, 21)))

    def test_empty_file(self):
        with pytest.raises(ValueError, match=r"at least one row and column, found \(0, 2\)"):
            ContinuousMaskingEvaluator(np.zeros((0, 2)))


def test_evaluator_is_shared_by_copies_and_pickles():
    original, masked = files(6)
    evaluator = ContinuousMaskingEvaluator(original)
    assert copy.deepcopy(evaluator) is evaluator
    twin = pickle.loads(pickle.dumps(evaluator))
    assert twin.measure(masked).figures() == evaluator.measure(masked).figures()


def test_stronger_masking_trades_risk_for_loss(shared_data):
    from anonopt.data import continuous_set

    census = continuous_set("census", data_dir=shared_data)
    evaluator = ContinuousMaskingEvaluator(census.to_numpy(float))

    def figures(method):
        return evaluator.measure(method.fit_transform(census).to_numpy(float)).figures()

    weak, strong = (figures(RankSwapping(p, random_state=1)) for p in (2, 30))
    assert (weak.IL < strong.IL) and (weak.DR > strong.DR)
    fine, coarse = (figures(MDAV(k)) for k in (3, 50))
    assert (fine.IL < coarse.IL) and (fine.DR > coarse.DR)
