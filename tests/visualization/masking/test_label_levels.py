"""Rows by the level of their label: counted, and drawn to scale."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.local_recoding import k_member_groups
from anonopt.visualization import label_levels, plot_recoding
from tests.contracts.problem_kinds import small_table

TREE = ao.Hierarchy([list("ABCD"), list("NNSS"), list("****")])
TABLE = ao.Microdata(
    pd.DataFrame({"zone": list("AABCD"), "<b>$x$": list("ABCDD")}),
    quasi_identifiers=["zone", "<b>$x$"],
    hierarchies={"zone": TREE, "<b>$x$": TREE},
)
GROUPS = RecodedGroups(
    [0, 0, 1, 1, 2],
    lows=[[0, 0], [1, 2], [0, 0]],
    highs=[[0, 1], [2, 3], [3, 3]],
    suppressed=[False, False, True],
)


def test_rows_are_counted_by_the_lowest_level_of_their_label():
    counts = label_levels(TABLE, GROUPS)
    assert counts.columns.tolist() == [0, 1, 2, "between levels", "suppressed"]
    assert counts.loc["zone"].tolist() == [2, 0, 0, 2, 1]
    assert counts.loc["<b>$x$"].tolist() == [0, 4, 0, 0, 1]


def test_counts_are_those_of_labels_in_the_file():
    table = small_table()
    groups = k_member_groups(table, 4, labels="hierarchy")
    counts = label_levels(table, groups)
    assert (counts.sum(axis=1) == table.n_rows).all()
    assert (counts[["between levels", "suppressed"]] == 0).all(axis=None)
    widths = (groups.highs - groups.lows)[groups.group_of_row]
    # On level 0 stand the values themselves.
    np.testing.assert_array_equal(counts[0], (widths == 0).sum(axis=0))


def test_bars_are_as_long_as_the_shares():
    figure = plot_recoding(TABLE, {"one": GROUPS, "other": GROUPS}, title="Two of them")
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["one", "other"]
    widths = {patch.get_gid(): patch.get_width() for patch in figure.axes[0].patches}
    assert widths == pytest.approx(
        {
            "0-0": 40.0,
            "0-between levels": 40.0,
            "0-suppressed": 20.0,
            "1-1": 80.0,
            "1-suppressed": 20.0,
        }
    )
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend[-2:] == ["between levels", "suppressed"]
    figure.draw_without_rendering()


def test_wrong_input_is_refused():
    with pytest.raises(ValueError, match="recodings: expected at least one, found none"):
        plot_recoding(TABLE, {})
    with pytest.raises(ValueError, match="groups: expected those of 60 rows"):
        plot_recoding(small_table(), GROUPS)
    with pytest.raises(ValueError, match="path: "):
        plot_recoding(TABLE, GROUPS, path="x.gif")
