"""The picture of groups shows every row in its group, and what stands for it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.masking import MDAV, Mondrian, Records, c_median, mdav_groups, mdav_steps
from anonopt.visualization import groups_step_by_step, plot_groups

FRAME = ao.load_dataset("german").frame.head(40)
TWO = ["age", "credit_amount"]


def members_of(figure) -> dict[int, list[tuple[float, float]]]:
    """Places of the members of each group."""
    return {
        int(line.get_gid().split()[1]): [tuple(point) for point in line.get_xydata().tolist()]
        for line in figure.axes[0].get_lines()
        if line.get_gid()
    }


def legend_of(figure) -> list[str]:
    return [text.get_text() for text in figure.legends[0].get_texts()]


def marked(figure, label: str) -> list[list[float]]:
    (line,) = [line for line in figure.axes[0].get_lines() if line.get_label() == label]
    return line.get_xydata().tolist()


@pytest.mark.parametrize("method", [MDAV(k=3, columns=TWO), Mondrian(k=4, columns=TWO)])
def test_every_row_is_a_member_of_its_group(method):
    figure = plot_groups(FRAME, method)
    groups = method.groups(FRAME)
    drawn = members_of(figure)
    assert sorted(drawn) == sorted(set(groups.tolist()))
    for group, places in drawn.items():
        rows = FRAME[groups == group]
        assert sorted(places) == sorted(map(tuple, rows[TWO].astype(float).to_numpy().tolist()))
        assert len(places) >= method.k
    centers = marked(figure, "mean, median or mode")
    assert np.isnan(centers.pop()).all()
    np.testing.assert_allclose(centers, FRAME.groupby(groups)[TWO].mean().to_numpy())
    assert legend_of(figure)[-1] == f"k = {method.k} asked"


def test_groups_of_a_method_are_those_that_it_masks_by():
    for method in (MDAV(k=3, columns=TWO), Mondrian(k=3, columns=TWO)):
        masked = method.fit_transform(FRAME)
        for _, rows in masked.groupby(method.groups(FRAME)):
            assert len(rows[TWO].drop_duplicates()) == 1
    with pytest.raises(ValueError, match="n_variables: expected all 2 columns"):
        MDAV(k=3, columns=TWO, n_variables=1).groups(FRAME)


def test_the_legend_counts_groups_by_size():
    figure = plot_groups(FRAME, MDAV(k=7, columns=TWO))
    assert legend_of(figure)[:2] == ["groups of 7 (4)", "group of 12 (1)"]
    sizes = [1, 1, 2, 3, 4, 5, 6, 7, 8, 3]
    numbers = np.repeat(np.arange(10), sizes)
    figure = plot_groups(FRAME, numbers, columns=TWO)
    assert legend_of(figure)[:6] == [
        "groups of 1 (2)",
        "group of 2 (1)",
        "groups of 3 (2)",
        "group of 4 (1)",
        "group of 5 (1)",
        "groups of 6 to 8 (3)",
    ]


def test_steps_are_the_groups_in_the_order_in_which_they_are_made():
    method = MDAV(k=4, columns=TWO)
    records = Records.of(FRAME, TWO, None)
    made = mdav_steps(records, 4)
    np.testing.assert_array_equal(
        np.concatenate([[i] * len(group.rows) for i, group in enumerate(made)])[
            np.argsort(np.concatenate([group.rows for group in made]))
        ],
        mdav_groups(records, 4),
    )
    figures = list(groups_step_by_step(FRAME, method, title="MDAV"))
    assert len(figures) == len(made) + 1
    for step, figure in enumerate(figures):
        assert sorted(members_of(figure)) == list(range(step))
        left = sum(len(group.rows) for group in made[step:])
        # All legends are of one size, so that nothing moves in a film.
        assert f"in no group yet ({left})" in legend_of(figure)
        assert len(legend_of(figure)) == len(legend_of(figures[0]))
        assert figure.axes[0].get_title(loc="left") == f"MDAV, after {step} of {len(made)} groups"
        if 0 < step < len(made):
            (place,) = marked(figure, "seed of the latest group")
            assert place == FRAME[TWO].iloc[made[step - 1].seed].tolist()
    assert made[-1].seed is None


@pytest.mark.parametrize("k", [1, 2, 5, 13, 20, 40])
def test_told_steps_change_no_group(k):
    records = Records.of(FRAME, [*TWO, "savings"], None)
    made = mdav_steps(records, k)
    groups = np.empty(len(FRAME), dtype=int)
    for number, group in enumerate(made):
        groups[group.rows] = number
        assert group.seed is None or group.seed in group.rows
    np.testing.assert_array_equal(groups, mdav_groups(records, k))


def test_more_columns_are_drawn_by_their_principal_components():
    columns = [*TWO, "duration"]
    figure = plot_groups(FRAME, MDAV(k=5, columns=columns))
    values = FRAME[columns].to_numpy(dtype=float)
    values = (values - values.mean(axis=0)) / values.std(axis=0)
    variances, vectors = np.linalg.eigh(np.cov(values.T))
    along = values @ vectors[:, ::-1][:, :2]
    drawn = np.concatenate([np.array(points) for points in members_of(figure).values()])
    for i in range(2):
        ours, theirs = np.sort(drawn[:, i]), np.sort(along[:, i])
        assert np.allclose(ours, theirs) or np.allclose(ours, np.sort(-theirs))
    share = f"{variances[-1] / variances.sum():.0%} of their variance"
    assert share in figure.axes[0].get_xlabel()
    chosen = plot_groups(FRAME, MDAV(k=5, columns=columns), plane=["duration", "age"])
    assert chosen.axes[0].get_xlabel() == "duration"


def test_categories_have_their_labels_and_rows_of_one_place_are_moved_apart():
    frame = pd.DataFrame({"x": list("aaabbc"), "$y$": [1.0, 1, 1, 2, 2, 2]})
    figure = plot_groups(frame, MDAV(k=2))
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.get_xticklabels()] == ["a", "b", "c"]
    assert axes.get_xlabel() == "x (categories without order)"
    places = np.concatenate([np.array(points) for points in members_of(figure).values()])
    assert len({tuple(place) for place in places.round(9).tolist()}) == 6
    assert sorted(places[:, 0].round().tolist()) == [0, 0, 0, 1, 1, 2]
    assert sorted(places[:, 1].tolist()) == [1, 1, 1, 2, 2, 2]


def test_missing_numbers_are_told_and_not_drawn():
    frame = pd.DataFrame({"x": [1.0, 2, 3, None, 5, 6], "y": [1.0, 2, 3, 4, 5, 6]})
    figure = plot_groups(frame, MDAV(k=2))
    assert "not drawn, a number is missing (1)" in legend_of(figure)
    with pytest.raises(ValueError, match="no missing number for principal components"):
        plot_groups(frame.assign(z=1.0), MDAV(k=2))


def test_other_groups_one_column_and_one_row():
    records = Records.of(FRAME, TWO, None)
    labels = c_median(records, 4, np.random.default_rng(1), n_starts=2).labels
    assert sorted(members_of(plot_groups(FRAME, labels, columns=TWO))) == sorted(set(labels))
    one = plot_groups(FRAME, MDAV(k=5, columns=["age"]))
    assert one.axes[0].get_ylabel() == "number of the group"
    row = plot_groups(FRAME.head(1), MDAV(k=1, columns=TWO))
    assert legend_of(row)[0] == "group of 1 (1)"
    constant = plot_groups(FRAME.assign(age=1), MDAV(k=20, columns=TWO))
    assert legend_of(constant)[0] == "groups of 20 (2)"
    none = plot_groups(FRAME, np.full(len(FRAME), -1), columns=TWO)
    assert legend_of(none) == ["in no group yet (40)"]


def test_thirty_hostile_categories_are_drawn_twice_alike(tmp_path):
    labels = [f"<script>${i}$ and a long text, {'x' * 50}" for i in range(30)]
    frame = pd.DataFrame({"<b>": labels * 2, "y": range(60)})
    for name in "ab":
        plot_groups(frame, MDAV(k=6), path=tmp_path / f"{name}.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


@pytest.mark.parametrize(
    ("groups", "options", "error", "message"),
    [
        ([0.5] * 40, {}, TypeError, "expected MDAV, Mondrian or whole numbers, found list"),
        ([0], {}, ValueError, r"shape \(40,\), found \(1,\)"),
        ([-2] * 40, {}, ValueError, "at least -1, found -2"),
        (MDAV(k=41, columns=TWO), {}, ValueError, "k: "),
        (MDAV(k=2, columns=TWO), {"columns": TWO}, TypeError, "beside a method"),
        (MDAV(k=2, columns=TWO), {"plane": ["age"]}, ValueError, "two of the columns"),
        (MDAV(k=2, columns=TWO), {"plane": ["age", "job"]}, ValueError, "found .*'job'"),
        (MDAV(k=20, columns=TWO), {"step": 3}, ValueError, "step"),
        (MDAV(k=2, columns=[*TWO, "job"]), {}, ValueError, "principal components.*nominal"),
        (MDAV(k=2, columns=TWO), {"path": "a.gif"}, ValueError, "png, pdf, svg"),
    ],
)
def test_wrong_input_is_named(groups, options, error, message):
    with pytest.raises(error, match=message):
        plot_groups(FRAME, groups, **options)


def test_components_of_constant_columns_are_refused():
    frame = pd.DataFrame(1.0, index=range(4), columns=list("xyz"))
    with pytest.raises(ValueError, match="found only constant ones"):
        plot_groups(frame, MDAV(k=2))
