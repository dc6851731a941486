"""Pictures of what came back show the numbers."""

from __future__ import annotations

import numpy as np
import pytest

from anonopt.experiments import reproduce
from anonopt.visualization import plot_paper_figure, plot_reproduced
from tests.experiments.conftest import calls as calls


def test_shares_are_ours_by_the_printed(calls):
    axes = plot_reproduced(reproduce("own"), title="own").axes[0]
    points = {line.get_label(): line.get_xdata() for line in axes.lines if line.get_marker() == "o"}
    assert {name: list(np.round(x, 4)) for name, x in points.items()} == {
        "same": [0.9946],
        "differs": [0.05],
    }
    assert [text.get_text() for text in axes.get_yticklabels()] == [
        "table-1  ratio",
        "table-2  nodes",
    ]


def test_nothing_measured_is_refused(calls):
    with pytest.raises(ValueError, match="frame: expected numbers"):
        plot_reproduced(reproduce("own", "figure-1"))


def test_counterpart_has_its_series(calls):
    axes = plot_paper_figure("own", "figure-1").axes[0]
    assert [(line.get_label(), list(line.get_ydata())) for line in axes.lines] == [
        ("a", [1, 2]),
        ("b", [2, 4]),
    ]
    assert axes.get_xlabel() == "k (rows)"


def test_surface_has_its_cells(calls):
    axes, bar = plot_paper_figure("own", "figure-2").axes
    np.testing.assert_array_equal(axes.collections[0].get_array(), [[3, 4], [7, 8], [11, 12]])
    assert [text.get_text() for text in axes.get_yticklabels()] == ["1", "5", "9"]
    assert bar.get_ylabel() == "loss (%)"


def test_item_without_picture_is_refused(calls):
    with pytest.raises(ValueError, match="item: expected a figure of own, found 'table-1'"):
        plot_paper_figure("own", "table-1")
