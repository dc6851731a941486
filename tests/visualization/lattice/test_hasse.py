"""Hasse diagrams: what is drawn, what is refused, and that nothing hostile gets in the way."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import anonopt as ao
from anonopt.data import Hierarchy, Lattice
from anonopt.visualization import example_search, plot_lattice
from anonopt.visualization.lattice.drawn_nodes import DrawnNodes
from anonopt.visualization.lattice.styles import (
    MARK_STYLES,
    STATE_STYLES,
    plain,
    short,
    text_color,
)
from tests.visualization.lattice.steps.searches import front_problem, least_problem, pbgea, traced

HOSTILE = ["<script>alert(1)</script>", "$x_1$ \\frac{", "a,b\n\tc " + "long " * 40]


def texts(figure):
    return [text.get_text() for text in figure.findobj(lambda one: hasattr(one, "get_text"))]


def table_of(n_columns, *, n_rows=4, names=None):
    names = names or [f"q{i}" for i in range(n_columns)]
    frame = pd.DataFrame({name: ["a", "b"] * (n_rows // 2) for name in names})
    return ao.Microdata(frame, quasi_identifiers=names, hierarchies=dict.fromkeys(names, "flat"))


def test_nodes_stand_at_their_height_and_edges_join_neighbours():
    lattice = Lattice([3, 3, 1])
    drawn = DrawnNodes.of(lattice.nodes(), lattice.names)
    assert drawn.places[:, 1].tolist() == drawn.nodes.sum(axis=1).tolist()
    for height in range(8):
        row = drawn.places[drawn.places[:, 1] == height, 0]
        assert row.sum() == pytest.approx(0) and (np.diff(row) == 1).all()
    lower, upper = lattice.edges()
    every = lattice.nodes()
    expected = {(tuple(every[a]), tuple(every[b])) for a, b in zip(lower, upper, strict=True)}
    found = {(tuple(drawn.nodes[a]), tuple(drawn.nodes[b])) for a, b in drawn.edges}
    assert found == expected
    assert drawn.widest == 7


def test_structure_of_a_table_and_of_a_lattice():
    patients = ao.load_dataset("patients")
    for drawn in (patients, Lattice([3, 3, 1], ["age", "postcode", "sex"])):
        figure = plot_lattice(drawn)
        found = texts(figure)
        assert {"0,0,0", "3,3,1", "2,3,0"} <= set(found)
        assert "Lattice of age, postcode and sex: 32 nodes" in found
        assert figure.axes[0].get_legend() is None


def test_problem_shows_feasible_value_and_front(tmp_path):
    figure = plot_lattice(least_problem(), path=tmp_path / "lattice.png")
    found = texts(figure)
    assert "feasible: 9" in found and "infeasible: 23" in found
    assert any("share, less" in text.replace("\n", " ") for text in found)
    assert (tmp_path / "lattice.png").read_bytes()[:4] == b"\x89PNG"
    again = plot_lattice(least_problem(), path=tmp_path / "again.svg")
    plot_lattice(least_problem(), path=tmp_path / "twice.png")
    assert (tmp_path / "twice.png").read_bytes() == (tmp_path / "lattice.png").read_bytes()
    assert isinstance(again, Figure)


def test_any_measure_colours_the_nodes():
    for value in (
        ("glm", "k", "distinct_l")
        if "distinct_l" in ao.list_measures().index
        else (
            "glm",
            "k",
        )
    ):
        found = " ".join(texts(plot_lattice(least_problem(), value=value)))
        assert f"{value}:" in found
    assert "less is better" not in " ".join(texts(plot_lattice(least_problem(), value=False)))
    with pytest.raises(ValueError, match="nonsense"):
        plot_lattice(least_problem(), value="nonsense")
    with pytest.raises(ValueError, match="value: expected a problem that measures it"):
        plot_lattice(ao.load_dataset("patients"), value="glm")


def test_search_shows_order_tags_reasons_and_answer():
    from anonopt.algorithms import OLA, BranchAndBound, Incognito

    found = texts(plot_lattice(traced(OLA)))
    assert "tagged infeasible: 15" in found and "m k-minimal" in found
    assert {str(number) for number in range(1, 15)} <= set(found)
    found = " ".join(" ".join(texts(plot_lattice(traced(Incognito)))).split())
    assert "pruned: 13 (columns age, postcode, sex: infeasible in fewer)" in found
    figure = plot_lattice(traced(BranchAndBound), order=False)
    assert "tests" in [axes.get_xlabel() for axes in figure.axes]
    assert "1" not in texts(figure)[:60]


def test_two_objectives_have_a_panel_with_the_boxes_of_the_archive():
    figure = plot_lattice(pbgea())
    panel = next(axes for axes in figure.axes if axes.get_xlabel().startswith("k ("))
    assert panel.get_title(loc="left") == "objective space, archive of boxes"
    (boxes,) = [one for one in panel.collections if type(one).__name__ == "PatchCollection"]
    corners = {tuple(path.get_extents().min.tolist()) for path in boxes.get_paths()}
    sizes = {tuple(path.get_extents().size.round(9).tolist()) for path in boxes.get_paths()}
    values = pbgea().algorithm.archive.population().get("F") * [-1, 1]
    assert sizes == {(2.0, 10.0)}
    assert corners == {(2 * (k // 2), 10 * (glm // 10)) for k, glm in values}


def test_paths_and_own_order():
    path = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]
    figure = plot_lattice(ao.load_dataset("patients"), paths=[path], order=path)
    arrows = [one for one in figure.axes[0].patches if type(one).__name__ == "FancyArrowPatch"]
    assert len(arrows) == 2
    assert {"1", "2", "3"} <= set(texts(figure))
    with pytest.raises(ValueError, match="postcode"):
        plot_lattice(ao.load_dataset("patients"), paths=[[(0, 9, 0)]])


def test_own_axes():
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 6))
    assert plot_lattice(front_problem(), axes=axes, title="mine $x$") is figure
    assert axes.get_title(loc="left") == "mine $x$" and axes.get_legend() is not None
    figure.canvas.draw()
    plt.close(figure)


def test_part_of_a_large_lattice():
    problem = ao.get_problem("adult-k-glm")
    with pytest.raises(ValueError, match="expected 1 to 300 nodes to draw, found 17,920; take a"):
        plot_lattice(problem)
    nodes = problem.lattice.nodes()[:40]
    assert "feasible: 40" in texts(plot_lattice(problem, nodes=nodes))
    result = ao.solve(problem, ao.algorithms.RandomSearch(), budget=30, seed=1)
    assert "feasible: 30" in texts(plot_lattice(result, nodes="visited"))
    with pytest.raises(ValueError, match="nodes: expected an array"):
        plot_lattice(problem, nodes="all")
    with pytest.raises(ValueError, match="found none"):
        plot_lattice(problem, nodes=nodes[:0])


def test_seventy_columns():
    table = table_of(70)
    with pytest.raises(ValueError, match=r"found about 10\^21"):
        plot_lattice(table)
    shown = np.zeros((3, 70), dtype=int)
    shown[1, 0] = shown[2, :] = 1
    figure = plot_lattice(table, nodes=shown)
    assert any("70 quasi-identifiers" in text for text in texts(figure))
    figure.canvas.draw()


def test_three_hundred_nodes_are_drawn_without_labels_inside():
    lattice = Lattice([1, 1, 2, 4, 4])
    figure = plot_lattice(lattice)
    assert lattice.size == 300 and "0,0,0,0,0" not in texts(figure)
    assert figure.get_size_inches().max() < 30


@pytest.mark.parametrize("heights", [[0], [5], [0, 0, 0], [1, 0]])
def test_flat_and_single_lattices(heights):
    plot_lattice(Lattice(heights)).canvas.draw()


def test_hostile_names_are_text(tmp_path):
    table = table_of(3, names=HOSTILE)
    problem = ao.problems.LatticeProblem(table, ["k", "glm"])
    figure = plot_lattice(problem, title="$a$ <b>", path=tmp_path / "hostile.svg")
    svg = (tmp_path / "hostile.svg").read_text(encoding="utf-8")
    assert "<script>alert" not in svg
    assert any("alert(1)" in text for text in texts(figure))


def test_nothing_feasible_one_row_and_constant_columns():
    frame = pd.DataFrame({"age": [30], "sex": ["f"]})
    table = ao.Microdata(
        frame,
        quasi_identifiers=["age", "sex"],
        hierarchies={"age": Hierarchy.intervals(range(20, 40), width=10), "sex": "flat"},
    )
    problem = ao.problems.LatticeProblem(table, ["glm"], k=2)
    found = texts(plot_lattice(problem))
    assert any(text.startswith("infeasible: ") for text in found)
    result = ao.solve(problem, ao.algorithms.RandomSearch(), budget=3, seed=1)
    assert any("nothing of what was evaluated is feasible" in one for one in texts(
        plot_lattice(result)
    ))  # fmt: skip


def test_problem_with_bounds_shows_the_nodes_above_them():
    problem = least_problem(bounds=[1, 0, 0])
    figure = plot_lattice(problem)
    assert "0,0,0" not in texts(figure) and "1,0,0" in texts(figure)
    with pytest.raises(ValueError, match="at least"):
        plot_lattice(problem, nodes=[(0, 0, 0)])


def test_wrong_arguments():
    with pytest.raises(ValueError, match="path: expected a file ending in"):
        plot_lattice(least_problem(), path="lattice.gif")
    with pytest.raises(ValueError, match="labels"):
        plot_lattice(least_problem(), labels="never")
    with pytest.raises(TypeError, match="expected a problem"):
        plot_lattice([1, 2])


def test_states_and_marks_differ_in_more_than_colour():
    looks = [(one.shape, one.line, one.hatch) for one in STATE_STYLES.values()]
    assert len(set(looks)) == len(looks)
    marks = [(one.line, one.width, one.scale, one.badge) for one in MARK_STYLES.values()]
    assert len(set(marks)) == len(marks)


def test_text_can_be_read_on_every_fill():
    from matplotlib import colormaps
    from matplotlib.colors import to_rgba

    def luminance(color):
        parts = np.array(to_rgba(color)[:3])
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    fills = [to_rgba(one.face) for one in STATE_STYLES.values()]
    for fill in [*fills, *colormaps["cividis"](np.linspace(0, 1, 64))]:
        two = sorted([luminance(fill), luminance(text_color(tuple(fill)))])
        assert (two[1] + 0.05) / (two[0] + 0.05) >= 4.5
    assert plain("a\n $b$") == r"a \$b\$"
    assert short("x" * 50, 10) == "x" * 9 + "…"


@pytest.mark.parametrize("name", ["pbgea", "samarati", "nsga2", "greedy"])
def test_example_searches_are_drawn(name):
    result = example_search(name)
    assert result.problem.lattice.size == 32
    plot_lattice(result)


def test_examples_of_what_searches_no_lattice_are_refused():
    with pytest.raises(ValueError, match="expected an algorithm that searches lattices"):
        example_search("pramea")
    with pytest.raises(ValueError, match="samarati"):
        example_search("samarat")
