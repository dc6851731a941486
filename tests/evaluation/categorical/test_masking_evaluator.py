"""Masked files measured from scratch: against the slow twins, among back ends, on odd inputs."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data.columns.categories import CategoricalColumns
from anonopt.evaluation import MaskingEvaluator
from anonopt.evaluation.categorical import combination_tables
from anonopt.evaluation.categorical.masking_wide import WideCounter
from tests.evaluation.categorical.small_files import SmallFiles, small_files
from tests.examples import examples
from tests.oracles import masked_files as twins

NAMES = tuple(twins.MEASURES)
ACCELERATORS = ("numpy", "numba")


@pytest.fixture(autouse=True)
def _numba():
    pytest.importorskip("numba", reason="the compiled kernels need the extra 'fast'")


def evaluators(original: CategoricalColumns, **options: object) -> list[MaskingEvaluator]:
    """Every back end: dense and wide, numpy and numba."""
    found = []
    for limit in (combination_tables.MAX_CELLS, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(combination_tables, "MAX_CELLS", limit)
            found += [
                MaskingEvaluator(original, accelerator=accelerator, **options)
                for accelerator in ACCELERATORS
            ]
    return found


def expected(files: SmallFiles) -> dict[str, float]:
    before, after = files.records(files.original.codes), files.records(files.codes)
    return {name: twin(before, after, files.columns) for name, twin in twins.MEASURES.items()}


@given(small_files())
@examples(30)
def test_every_back_end_gives_what_the_slow_twins_give(files):
    wanted = expected(files)
    for evaluator in evaluators(files.original):
        figures = evaluator.measure(files.codes).figures()
        found = dict(zip(NAMES, figures.values(NAMES).tolist(), strict=True))
        assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9)
        assert figures.IL == pytest.approx((wanted["DBIL"] + wanted["CTBIL"] + wanted["EBIL"]) / 3)
        risk = (wanted["ID"] + max(wanted["DBRL"], wanted["PRL"])) / 2
        assert figures.DR == pytest.approx(risk)


@given(small_files(max_rows=30))
@examples(25)
def test_back_ends_agree(files):
    dense, compiled, wide, compiled_wide = (
        evaluator.measure(files.codes).figures() for evaluator in evaluators(files.original)
    )
    assert dense == wide == compiled_wide
    assert np.array(compiled) == pytest.approx(np.array(dense), rel=1e-12, abs=1e-12)


@given(small_files(max_columns=3), st.integers(1, 3), st.booleans())
@examples(25)
def test_contingency_tables_of_any_dimension(files, dimension, per_cell):
    before, after = files.records(files.original.codes), files.records(files.codes)
    wanted = twins.ctbil(before, after, files.columns, dimension, per_cell)
    for evaluator in evaluators(files.original, dimension=dimension, per_cell=per_cell):
        found = evaluator.measure(files.codes).figures().CTBIL
        assert found == pytest.approx(wanted, abs=1e-9)


@given(small_files(max_rows=20), st.randoms(use_true_random=False))
@examples(25)
def test_shuffling_both_files_together_changes_nothing(files, random):
    order = list(range(files.original.n_rows))
    random.shuffle(order)
    shuffled = CategoricalColumns.of(files.frame.iloc[order])
    for one, other in zip(evaluators(files.original), evaluators(shuffled), strict=True):
        before = one.measure(files.codes).figures()
        assert other.measure(files.codes[order]).figures() == before


def test_linkage_by_distance_shares_ties():
    # cases: original 0, 0, 20 as it is, and 0, 10, 20 masked as 10, 10, 10.
    same = CategoricalColumns.of(pd.DataFrame({"x": [0, 0, 20]}), ordinal={"x": None})
    three = CategoricalColumns.of(pd.DataFrame({"x": [0, 10, 20]}), ordinal={"x": None})
    for evaluator in evaluators(same):
        assert evaluator.measure(same.codes).figures().DBRL == pytest.approx(200 / 3)
    for evaluator in evaluators(three):
        assert evaluator.measure(np.full((3, 1), 1)).figures().DBRL == pytest.approx(100 / 3)


def test_one_record_and_one_category():
    original = CategoricalColumns.of(pd.DataFrame({"x": ["a"]}))
    for evaluator in evaluators(original):
        figures = evaluator.measure(original.codes).figures()
        assert figures == (0, 0, 0, 0, 100, 100, 100, 100, 100, 50)


def test_file_that_is_not_masked():
    frame = pd.DataFrame({"x": list("abcab"), "y": [1, 1, 1, 1, 1], "z": list("pqrst")})
    original = CategoricalColumns.of(frame, ordinal={"y": None})
    for evaluator in evaluators(original):
        figures = evaluator.measure(original.codes).figures()
        assert figures == (0, 0, 0, 0, 100, 100, 100, 100, 100, 50)


def test_thirteen_columns_of_german(shared_data):
    frame = pd.read_csv(next((shared_data / "german").glob("*.csv")))
    names = [name for name in frame.columns if frame[name].nunique() <= 10][:13]
    original = CategoricalColumns.of(frame, columns=names, ordinal={names[0]: None})
    assert not combination_tables.CombinationTables.fit(MaskingEvaluator(original).plan)
    rng = np.random.default_rng(3)
    drawn = [rng.permutation(column) for column in original.codes.T]
    codes = np.where(
        rng.random(original.codes.shape) < 0.3, np.stack(drawn, axis=1), original.codes
    )
    plain, fast = (
        MaskingEvaluator(original, accelerator=accelerator).measure(codes).figures()
        for accelerator in ACCELERATORS
    )
    assert plain == fast
    rows = slice(0, 60)
    small = CategoricalColumns.of(frame.iloc[rows], columns=names, ordinal={names[0]: None})
    files = SmallFiles(frame.iloc[rows], small, small.encode(frame.iloc[rows][::-1]))
    figures = MaskingEvaluator(small).measure(files.codes).figures()
    before, after = files.records(small.codes), files.records(files.codes)
    for name in ("DBIL", "CTBIL", "EBIL", "ID", "DBRL"):
        wanted = twins.MEASURES[name](before, after, files.columns)
        assert getattr(figures, name) == pytest.approx(wanted)


def test_many_categories_need_no_square_tables():
    # 5000 categories: a joint table would hold 25 million cells.
    n = 5000
    original = CategoricalColumns.of(pd.DataFrame({"x": np.arange(n)}), ordinal={"x": None})
    codes = np.roll(original.codes, 1, axis=0)
    figures = MaskingEvaluator(original).measure(codes).figures()
    assert (figures.CTBIL, figures.EBIL, figures.DBRL, figures.PRL) == (0, 0, 0, 0)
    assert figures.DBIL == pytest.approx(100 * 2 * (n - 1) / (n * (n - 1)))


def test_distances_with_a_large_common_denominator_are_rounded():
    # Columns of 2..60 categories: the common denominator is beyond 2**53.
    sizes = [size + 1 for size in (59, 53, 47, 43, 41, 37, 31, 29, 23, 19, 17, 13)]
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            f"c{size}": pd.Categorical(rng.integers(0, size, 40), range(size), ordered=True)
            for size in sizes
        }
    )
    original = CategoricalColumns.of(frame)
    files = SmallFiles(frame, original, original.codes[::-1].copy())
    wanted = twins.dbrl(files.records(original.codes), files.records(files.codes), files.columns)
    for accelerator in ACCELERATORS:
        evaluator = MaskingEvaluator(original, accelerator=accelerator)
        assert evaluator.measure(files.codes).figures().DBRL == pytest.approx(wanted)


def test_survives_pickling():
    original = CategoricalColumns.of(pd.DataFrame({"x": list("aabbc"), "y": list("pqpqp")}))
    codes = np.roll(original.codes, 1, axis=0)
    for evaluator in evaluators(original):
        state = evaluator.measure(codes)
        twin = pickle.loads(pickle.dumps(state))
        assert twin.apply(0, 2).figures() == state.apply(0, 2).figures()


@pytest.mark.parametrize(
    ("codes", "message"),
    [
        (np.zeros((2, 2), dtype=int), r"shape \(3, 2\)"),
        (np.zeros((3, 2)), "integer codes"),
        (np.array([[0, 0], [0, 2], [0, 0]]), r"'y'.*0\.\.1, found 2"),
        (np.array([[0, 0], [-1, 0], [0, 0]]), r"'x'.*0\.\.2, found -1"),
    ],
)
def test_wrong_codes_are_named(codes, message):
    original = CategoricalColumns.of(pd.DataFrame({"x": list("abc"), "y": list("ppq")}))
    with pytest.raises(ValueError, match=message):
        MaskingEvaluator(original).measure(codes)


def test_wrong_options_are_named():
    original = CategoricalColumns.of(pd.DataFrame({"x": list("abc")}))
    with pytest.raises(ValueError, match="dimension"):
        MaskingEvaluator(original, dimension=0)
    with pytest.raises(ValueError, match="accelerator"):
        MaskingEvaluator(original, accelerator="cuda")
    many = CategoricalColumns.of(pd.DataFrame({str(i): ["a"] for i in range(21)}))
    with pytest.raises(ValueError, match="at most 20 columns"):
        MaskingEvaluator(many)
    with pytest.raises(ValueError, match=r"unknown figure 'XL'; .*score_max"):
        MaskingEvaluator(original).measure(original.codes).values(["XL"])


def test_columns_without_patterns_to_tell_apart_are_wide():
    original = CategoricalColumns.of(pd.DataFrame({str(i): ["a", "b"] for i in range(20)}))
    assert isinstance(MaskingEvaluator(original)._counter, WideCounter)
