"""The numbers of the course are true, and its pictures can be read from the last row."""

from __future__ import annotations

import itertools

import matplotlib
import numpy as np
import pytest
from matplotlib.text import Text

import anonopt as ao
from anonopt.masking import MDAV, Mondrian
from anonopt.teaching import FONT_SIZE, RELEASES, Lesson
from anonopt.visualization import (
    plot_box_archive,
    plot_dominance,
    plot_front,
    plot_groups,
    plot_lattice,
    plot_mondrian,
    plot_pram_flow,
)

LESSON = Lesson()
LEVELS = ["age", "postcode", "sex"]


def smallest(node) -> int:
    return int(LESSON.patients.apply(list(node)).groupby(LEVELS).size().min())


def test_minimal_nodes_are_those_below_which_none_holds():
    enough = {
        node
        for node in itertools.product(range(4), range(4), range(2))
        if smallest(node) >= LESSON.k
    }
    assert len(enough) == LESSON.nodes["enough"].sum() == 9
    minimal = {
        node
        for node in enough
        if not any(
            other != node and all(a <= b for a, b in zip(other, node, strict=True))
            for other in enough
        )
    }
    assert {tuple(node) for node in LESSON.minimal[LEVELS].to_numpy().tolist()} == minimal
    assert LESSON.minimal["glm"].is_monotonic_increasing


def test_searches_end_where_the_text_says():
    efforts = LESSON.efforts.set_index("search")
    best = LESSON.minimal["glm"].min()
    assert set(efforts.index[~efforts["proven"]]) == {"samarati", "datafly"}
    assert (efforts.loc[efforts["proven"], "glm"] == best).all()
    assert (efforts.loc[~efforts["proven"], "glm"] > best).all()
    assert (efforts["tested"] <= 32).all()
    assert efforts.loc["exhaustive", "tested"] == 32


def test_one_solution_of_the_front_has_no_box_of_its_own():
    assert len(LESSON.everything.front) == 6
    assert len(LESSON.everything.archive) == 5


def test_releases_are_anonymous_alone_and_not_together():
    table = LESSON.compositions.set_index("release")
    assert [smallest(node) for node in RELEASES] == [3, 3]
    assert table["k"].tolist() == [3, 3, 1]
    assert table["alone in their row"].tolist() == [0, 0, 9]
    assert table["diagnosis certain"].tolist() == [3, 0, 4]
    adult = LESSON.adult_composition.set_index("release")
    assert (adult.loc[["first", "second"], "k"] >= 5).all()
    assert adult.loc["both"].tolist() == [1, 76, 388]


def test_invariant_frequencies_stay_and_larger_groups_lose_more():
    expected = LESSON.expected
    np.testing.assert_allclose(expected["masked, invariant"], expected["original"])
    assert not np.allclose(expected["masked"], expected["original"])
    masked = LESSON.masked.set_index("method")
    groups = masked.loc[["MDAV(k=3)", "MDAV(k=10)", "MDAV(k=30)"]]
    assert groups["IL"].is_monotonic_increasing
    assert groups["DR"].is_monotonic_decreasing


def test_all_of_adult_is_the_whole_front():
    efforts = LESSON.adult_efforts.set_index("search")
    assert efforts.loc["all nodes", "share of the front"] == 1
    assert efforts["share of the front"].is_monotonic_increasing
    assert efforts.loc["all nodes", "nodes"] == 17_920


PICTURES = {
    "dominance": lambda: plot_dominance(LESSON.nodes, "k", "glm", log_x=True),
    "boxes": lambda: plot_box_archive(LESSON.everything),
    "front": lambda: plot_front({"all": LESSON.everything.front}, "k", "glm", line="all"),
    "groups": lambda: plot_groups(LESSON.credit.head(45), MDAV(k=5), step=4),
    "cuts": lambda: plot_mondrian(LESSON.credit.head(45), Mondrian(k=5)),
    "flow": lambda: plot_pram_flow(LESSON.matrix, LESSON.frequencies),
    "structure": lambda: plot_lattice(LESSON.patients),
    "lattice": lambda: plot_lattice(LESSON.problem),
    **{name: lambda name=name: plot_lattice(LESSON.searches[name]) for name in ("ola", "samarati")},
}


def ticks_beyond(axes) -> list[Text]:
    """Labels of ticks outside of what axes show, which are not drawn."""
    found = []
    for axis, limits in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
            if not min(limits) <= tick.get_loc() <= max(limits):
                found += [tick.label1, tick.label2]
    return found


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_can_be_read_at_the_back_of_a_room(name):
    with matplotlib.rc_context({"font.size": FONT_SIZE}):
        figure = PICTURES[name]()
        figure.canvas.draw()
    width = figure.canvas.get_width_height()[0]
    beyond = {text for axes in figure.axes for text in ticks_beyond(axes)}
    for text in figure.findobj(Text):
        if not text.get_text().strip() or not text.get_visible():
            continue
        if text in beyond:
            continue
        box = text.get_window_extent()
        assert text.get_fontsize() >= 14, text.get_text()
        assert box.x0 >= -1, text.get_text()
        assert box.x1 <= width + 1, text.get_text()


def test_patients_are_the_data_set():
    assert LESSON.patients.frame.equals(ao.load_dataset("patients").frame)
