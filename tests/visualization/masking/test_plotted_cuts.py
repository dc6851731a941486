"""Mondrian's cuts in the picture are those of the method: they part the plane and the rows."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonopt as ao
from anonopt.masking import MDAV, Mondrian, Records, mondrian_cuts
from anonopt.masking.groups.regions import mondrian_regions
from anonopt.visualization import mondrian_step_by_step, plot_mondrian
from anonopt.visualization.masking.plotted_cuts import tiles_of
from anonopt.visualization.masking.table_plane import column_axis

FRAME = ao.load_dataset("german").frame.head(60)
METHOD = Mondrian(k=5, columns=["age", "credit_amount"])

tables = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=25)


def counted(figure) -> list[int]:
    """Numbers of rows that the picture tells, without the numbers of the cuts."""
    return [int(text.get_text()) for text in figure.axes[0].texts if text.get_weight() == "bold"]


def regions_of(figure):
    return [patch for patch in figure.axes[0].patches if patch.get_gid() == "region"]


@given(rows=tables, k=st.integers(1, 6))
@settings(max_examples=40)
def test_tiles_part_the_plane_and_the_rows(rows, k):
    k = min(k, len(rows))
    frame = pd.DataFrame(rows, columns=["x", "y"]).astype(float)
    records = Records.of(frame, ["x", "y"], None)
    cuts = mondrian_cuts(records, k)
    plane = column_axis(records, records.columns[0]), column_axis(records, records.columns[1])
    tiles = tiles_of(plane, len(frame), cuts)
    assert sorted(np.concatenate([tile.rows for tile in tiles])) == list(range(len(frame)))
    assert min(len(tile.rows) for tile in tiles) >= k
    together = sum(float(np.prod(tile.high - tile.low)) for tile in tiles)
    whole = tiles_of(plane, len(frame), [])[0]
    assert together == pytest.approx(float(np.prod(whole.high - whole.low)))
    for one, other in itertools.combinations(tiles, 2):
        overlap = np.minimum(one.high, other.high) - np.maximum(one.low, other.low)
        assert overlap.min() <= 1e-9
    for tile in tiles:
        points = frame.to_numpy()[tile.rows]
        assert np.all((points > tile.low) & (points < tile.high))
    # The same regions as the method makes, told or not.
    regions = mondrian_regions(records, k)
    assert {tuple(tile.rows) for tile in tiles} == {
        tuple(np.flatnonzero(regions == region)) for region in set(regions.tolist())
    }
    for cut in cuts:
        ranks = records.columns[cut.column].ranks
        assert ranks[cut.lower].max() == cut.rank < ranks[cut.upper].min()
        assert min(len(cut.lower), len(cut.upper)) >= k


def test_rectangles_are_the_published_intervals_with_their_counts():
    figure = plot_mondrian(FRAME, METHOD)
    masked = METHOD.fit_transform(FRAME)
    classes = masked.groupby(["age", "credit_amount"]).size()
    published = {}
    for (age, amount), size in classes.items():
        ends = [tuple(float(end) for end in text.strip("[]").split(", ")) for text in (age, amount)]
        published[tuple(ends)] = int(size)
    drawn = [
        (
            (patch.get_x(), patch.get_x() + patch.get_width()),
            (patch.get_y(), patch.get_y() + patch.get_height()),
        )
        for patch in regions_of(figure)
    ]
    assert dict(zip(drawn, counted(figure), strict=True)) == published


def test_steps_are_the_first_cuts_and_earlier_ones_are_thicker():
    records = Records.of(FRAME, METHOD.columns, None)
    cuts = mondrian_cuts(records, 5)
    figures = list(mondrian_step_by_step(FRAME, METHOD))
    assert len(figures) == len(cuts) + 1
    for step, figure in enumerate(figures):
        lines = [line for line in figure.axes[0].get_lines() if line.get_gid()]
        assert [line.get_gid() for line in lines] == [f"cut {i + 1}" for i in range(step)]
        widths = [line.get_linewidth() for line in lines]
        for one, other in itertools.combinations(range(step), 2):
            if cuts[one].depth < cuts[other].depth:
                assert widths[one] > widths[other]
        assert sum(counted(figure)) == len(FRAME)
    assert cuts[0].depth == 0
    assert len(cuts[0].lower) + len(cuts[0].upper) == len(FRAME)


def test_categories_constants_and_one_row_are_drawn(tmp_path):
    frame = pd.DataFrame({"$a$": ["<b>", "y", None, "<b>", "y", "y"], "n": 1.0})
    method = Mondrian(k=2, ordinal={"$a$": ["<b>", "y"]})
    for name in "ab":
        figure = plot_mondrian(frame, method, path=tmp_path / f"{name}.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    ticks = [text.get_text() for text in figure.axes[0].get_xticklabels()]
    assert ticks == ["<b>", "y", "<missing>"]
    assert counted(figure) == [2, 4]
    one = plot_mondrian(FRAME.head(1), Mondrian(k=1, columns=["age", "duration"]))
    assert counted(one) == [1]


def test_many_regions_are_drawn_without_numbers():
    frame = pd.DataFrame({"x": np.arange(100) % 10, "y": np.arange(100) // 10})
    figure = plot_mondrian(frame, Mondrian(k=1))
    assert len(regions_of(figure)) == 100
    assert len(figure.axes[0].texts) == 0
    thirty = pd.DataFrame({"x": [f"category {i:02}" for i in range(30)] * 2, "y": range(60)})
    figure = plot_mondrian(thirty, Mondrian(k=9, ordinal={"x": None}))
    assert sum(counted(figure)) == 60


@pytest.mark.parametrize(
    ("frame", "method", "options", "error", "message"),
    [
        (FRAME, MDAV(k=2), {}, TypeError, "method: expected Mondrian, found MDAV"),
        (FRAME, Mondrian(k=2, columns=["age"]), {}, ValueError, r"two columns, found \['age'\]"),
        (FRAME, Mondrian(k=61, columns=["age", "duration"]), {}, ValueError, "k: "),
        (FRAME, Mondrian(k=2, columns=["age", "job"]), {}, ValueError, "nominal"),
        (FRAME, METHOD, {"step": 99}, ValueError, "step"),
        (FRAME, METHOD, {"path": "a.gif"}, ValueError, "png, pdf, svg"),
        (
            pd.DataFrame({"x": [1.0, None, 2.0], "y": [1.0, 2, 3]}),
            Mondrian(k=1),
            {},
            ValueError,
            "no missing number for this picture",
        ),
    ],
)
def test_wrong_input_is_named(frame, method, options, error, message):
    with pytest.raises(error, match=message):
        plot_mondrian(frame, method, **options)
