"""Numeric files with missing cells: against plain loops, and as complete files where none is."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonopt.evaluation import compare, compare_continuous
from anonopt.evaluation.comparison import incomplete_comparison
from anonopt.evaluation.comparison.incomplete_comparison import IncompleteFiles
from anonopt.measures.continuous import incomplete_files
from anonopt.measures.continuous.incomplete_files import (
    IncompleteRecords,
    incomplete_distance,
    incomplete_loss,
)
from tests.examples import examples
from tests.oracles import continuous as oracle


@st.composite
def incomplete(draw, max_rows=14):
    """An original and a masked file of few numbers, so that there are ties; NaN is missing."""
    n_rows, n_columns = draw(st.integers(1, max_rows)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    original = rng.integers(0, 6, (n_rows, n_columns)).astype(float)
    masked = np.where(
        rng.random(original.shape) < 0.5, original, rng.integers(0, 7, original.shape)
    )
    share = draw(st.sampled_from([0.0, 0.2, 0.6]))
    original[rng.random(original.shape) < share] = np.nan
    masked[rng.random(original.shape) < share] = np.nan
    original[0] = np.where(np.isnan(original[0]), 3.0, original[0])
    return original, masked


def linkage(ties):
    return 100 * float(np.divide(1.0, ties, out=np.zeros(len(ties)), where=ties > 0).mean())


@given(incomplete(), st.sampled_from([5.0, 10.0, 40.0]))
@examples(24)
def test_distances_ranks_and_linkage_are_those_of_plain_loops(files, percent):
    original, masked = files
    found = IncompleteFiles(original, masked)
    figures = found.figures(agreement=5.0)
    assert incomplete_distance(original, masked) == pytest.approx(
        oracle.incomplete_distance(original, masked)
    )
    assert pytest.approx(oracle.incomplete_interval_disclosure(original, masked)) == figures.ID
    assert pytest.approx(oracle.incomplete_distance_linkage(original, masked)) == figures.DBRL
    wanted = oracle.probabilistic_linkage(
        original, masked, percent, agreement=oracle.incomplete_agreement
    )
    assert found.figures(agreement=percent).PRL == pytest.approx(wanted)
    wanted = oracle.incomplete_rank_swapping_linkage(original, masked, percent)
    assert found.rank_swapping_linkage(percent) == pytest.approx(wanted)


@given(incomplete())
@settings(max_examples=30)
def test_trees_and_blocks_find_the_same(files):
    plain, ties = IncompleteFiles(*files), IncompleteRecords(files[0]).ties(files[1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(incomplete_files, "FEW_PAIRS", 0)
        patch.setattr(incomplete_comparison, "BLOCK", 5)
        assert IncompleteRecords(files[0]).ties(files[1]).tolist() == ties.tolist()
        parts = IncompleteFiles(*files)
        assert parts.figures(agreement=5.0) == plain.figures(agreement=5.0)
        assert parts.rank_swapping_linkage(20) == plain.rank_swapping_linkage(20)


@pytest.mark.parametrize("seed", range(3))
def test_loss_is_that_of_the_cells_that_are_present(seed):
    rng = np.random.default_rng(seed)
    original = rng.normal(size=(40, 3))
    masked = original + rng.normal(size=original.shape) / 5
    for file in (original, masked):
        file[rng.random(file.shape) < 0.2] = np.nan
    found = incomplete_loss(original, masked)
    assert found == pytest.approx(oracle.incomplete_loss(original, masked))
    assert incomplete_loss(original, original) == 0


@pytest.mark.parametrize("seed", range(3))
def test_complete_files_have_the_same_figures_either_way(seed):
    rng = np.random.default_rng(seed)
    original = rng.integers(0, 9, (40, 3)).astype(float)
    masked = original + rng.integers(-1, 2, original.shape)
    frames = pd.DataFrame(original), pd.DataFrame(masked)
    plain = compare_continuous(*frames, p=10)
    files = IncompleteFiles(original, masked)
    found = files.figures(agreement=5.0)
    for name, value in found._asdict().items():
        assert value == pytest.approx(plain[name]), name
    assert files.rank_swapping_linkage(10) == pytest.approx(plain["RSRL"])
    assert incomplete_distance(original, masked) == pytest.approx(plain["DBIL"])


def test_a_column_that_is_all_missing():
    frame = pd.DataFrame({"x": [1.0, 2, 3, 5], "y": [np.nan] * 4})
    same = compare(frame, frame, p=10)
    assert same[["DBIL", "PIL", "ID", "DBRL"]].tolist() == [0, 0, 100, 100]
    lost = compare(frame, frame.assign(x=np.nan))
    assert lost[["DBIL", "PIL", "ID", "DBRL"]].tolist() == [50, 100, 50, 25]


def test_nullable_and_text_columns_have_missing_cells_too():
    original = pd.DataFrame({"x": pd.array([1, 2, None, 9], dtype="Int64")})
    masked = pd.DataFrame({"x": [1.0, 3, np.nan, 9]})
    assert compare(original, masked)["DBIL"] == pytest.approx(100 / 8 / 4)
    text = pd.DataFrame({"x": ["1", "3", None, "9"]})
    assert compare(original, text).equals(compare(original, masked))


def test_infinite_cells_are_refused():
    frame = pd.DataFrame({"x": [1.0, np.nan, np.inf]})
    with pytest.raises(ValueError, match=r"'x': .*finite number.*found 1 cells"):
        compare(frame, frame)
