"""Flows are as wide as the records that take them, expected or counted."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonopt as ao
from anonopt.visualization import plot_masked_flow, plot_pram_flow

HOSTILE = ["<script>alert(1)</script>", "$x_1$", "a,b\nc", "<b>", "long " * 40, "$"]


def bands_of(figure) -> dict[tuple[int, int], tuple[float, float]]:
    """Height of each band on both sides, in inches, by original and masked category."""
    found = {}
    for patch in figure.axes[0].patches:
        if patch.get_gid():
            origin, target = map(int, patch.get_gid().split("-"))
            y = patch.get_path().vertices[:, 1]
            # Down the left side, across, up the right side.
            found[origin, target] = float(y[7] - y[0]), float(y[4] - y[3])
    return found


def bars_of(figure, side: float) -> list[tuple[float, float]]:
    """Top and height of each bar on the left (below 0) or the right."""
    return [
        (patch.get_y(), patch.get_height())
        for patch in figure.axes[0].patches
        if not patch.get_gid() and (patch.get_x() < 0.5) == (side < 0.5)
    ]


@given(
    counts=st.lists(st.integers(0, 50), min_size=1, max_size=6).filter(any),
    seed=st.integers(0, 99),
)
@settings(max_examples=12)
def test_bands_are_frequency_times_probability(counts, seed):
    weights = np.random.default_rng(seed).dirichlet(np.ones(len(counts)), len(counts))
    matrix = weights / weights.sum(axis=1, keepdims=True)
    figure = plot_pram_flow(matrix, counts)
    unit = 3.6 / sum(counts)
    bands = bands_of(figure)
    for (i, j), (left, right) in bands.items():
        assert left == pytest.approx(counts[i] * matrix[i, j] * unit)
        assert right == pytest.approx(left)
    assert sum(left for left, _ in bands.values()) == pytest.approx(3.6)
    heights = [height for _, height in bars_of(figure, 0.0)]
    np.testing.assert_allclose(heights, np.array(counts) * unit)
    masked = [height for _, height in bars_of(figure, 1.0)]
    np.testing.assert_allclose(masked, np.array(counts) @ matrix * unit)
    # Bands fill the bars: none lies on another of its side.
    for i, (top, height) in enumerate(bars_of(figure, 0.0)):
        own = [
            patch.get_path().vertices[0, 1]
            for patch in figure.axes[0].patches
            if (patch.get_gid() or "").startswith(f"{i}-")
        ]
        assert all(top - 1e-9 <= y <= top + height + 1e-9 for y in own)


def test_counted_flows_are_those_of_pandas():
    frame = ao.load_dataset("german").frame.head(200)
    masked = ao.masking.PRAM("frequency", p=0.5, columns=["purpose"], random_state=1)
    after = masked.fit_transform(frame)
    figure = plot_masked_flow(frame["purpose"], after["purpose"])
    table = pd.crosstab(frame["purpose"], after["purpose"])
    unit = 3.6 / len(frame)
    labels = sorted({*frame["purpose"], *after["purpose"]})
    bands = bands_of(figure)
    for (i, j), (left, _) in bands.items():
        assert left == pytest.approx(table.loc[labels[i], labels[j]] * unit)
    assert len(bands) == int((table.to_numpy() > 0).sum())


def test_what_no_record_has_keeps_its_place_and_labels_never_overlap():
    counts = np.r_[np.arange(29)[::-1] * 10, 0]
    matrix = np.full((30, 30), 0.3 / 29) + np.eye(30) * (0.7 - 0.3 / 29)
    figure = plot_pram_flow(matrix, counts, labels=[f"category {i}" for i in range(30)])
    figure.canvas.draw()
    (axes,) = figure.axes
    texts = [text for text in axes.texts if "category" in text.get_text()]
    assert len(texts) == 60
    assert "category 29  0" in [text.get_text() for text in texts]
    extents = [text.get_window_extent() for text in texts]
    width, height = figure.canvas.get_width_height()
    for one in extents:
        assert one.x0 >= 0
        assert one.x1 <= width
        assert 0 <= one.y0 <= one.y1 <= height
    for side in (extents[:30], extents[30:]):
        for upper, lower in itertools.pairwise(side):
            assert lower.y1 <= upper.y0 + 0.5


def test_rare_categories_are_one_only_where_that_is_asked():
    counts = [500, 400, 5, 4, 0]
    matrix = np.eye(5) * 0.9 + 0.02
    matrix /= matrix.sum(axis=1, keepdims=True)
    assert len(bars_of(plot_pram_flow(matrix, counts), 0.0)) == 5
    figure = plot_pram_flow(matrix, counts, merge_below=0.05)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts[2] == "3 rare categories  9"
    heights = [height for _, height in bars_of(figure, 0.0)]
    np.testing.assert_allclose(heights, np.array([500, 400, 9]) * 3.6 / 909)


def test_hostile_labels_one_category_and_missing_cells(tmp_path):
    matrix = np.full((6, 6), 1 / 6)
    figure = plot_pram_flow(
        matrix, [1, 2, 3, 4, 5, 0], labels=HOSTILE, title="$", path=tmp_path / "a.png"
    )
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts[0] == "<script>alert(1)</script>  1"
    assert texts[1] == "$x_1$  2"
    assert texts[2] == "a,b c  3"
    assert len(bands_of(plot_pram_flow([[1.0]], [7]))) == 1
    one = plot_masked_flow(pd.Series(["a", None]), pd.Series(["a", None]))
    assert [text.get_text() for text in one.axes[0].texts][:2] == ["a  1", "<missing>  1"]


def test_an_order_is_kept():
    before, after = pd.Series(["low", "high", "high"]), pd.Series(["low", "low", "high"])
    figure = plot_masked_flow(before, after, ordinal=["low", "mid", "high"])
    texts = [text.get_text() for text in figure.axes[0].texts][:3]
    assert texts == ["low  1", "mid  0", "high  2"]
    flows = defaultdict(float, {pair: left for pair, (left, _) in bands_of(figure).items()})
    pairs = Counter(zip([0, 2, 2], [0, 0, 2], strict=True))
    assert {pair: round(height / 1.2) for pair, height in flows.items()} == dict(pairs)


def test_equal_pictures_are_equal_files(tmp_path):
    for name in "ab":
        plot_pram_flow([[0.5, 0.5], [0.1, 0.9]], [3, 4], path=tmp_path / f"{name}.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


@pytest.mark.parametrize(
    ("matrix", "frequencies", "options", "message"),
    [
        ([[0.5, 0.4], [0, 1]], [1, 1], {}, "sum to 1"),
        ([[0.5, 0.5], [0, 1]], [1, 1, 1], {}, "frequencies: expected shape"),
        ([[0.5, 0.5], [0, 1]], [0, 0], {}, "at least one above 0"),
        ([[0.5, 0.5], [0, 1]], [1, 1], {"labels": ["a", "a"]}, "'a' twice"),
        ([[0.5, 0.5], [0, 1]], [1, 1], {"merge_below": 2}, "merge_below"),
        ([[0.5, 0.5], [0, 1]], [1, 1], {"path": "a.gif"}, "png, pdf, svg"),
    ],
)
def test_wrong_matrices_are_named(matrix, frequencies, options, message):
    with pytest.raises(ValueError, match=message):
        plot_pram_flow(matrix, frequencies, **options)


def test_wrong_columns_are_named():
    column = pd.Series(["a", "b"])
    with pytest.raises(TypeError, match="masked: expected a Series, found list"):
        plot_masked_flow(column, ["a", "b"])
    with pytest.raises(ValueError, match="masked: expected 2 rows, found 1"):
        plot_masked_flow(column, column.head(1))
    with pytest.raises(ValueError, match="expected values among"):
        plot_masked_flow(column, column, ordinal=["a"])
    with pytest.raises(ValueError, match="row"):
        plot_masked_flow(column.head(0), column.head(0))
