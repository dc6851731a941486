"""Pictures of equations show the tree and the points that are given."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonopt.masking.equations import Equation
from anonopt.masking.equations.trees import tree_shape
from anonopt.operators.trees.tree_genomes import tree_space
from anonopt.operators.trees.tree_sampling import grown_tree
from anonopt.visualization import plot_equation, plot_equation_front
from anonopt.visualization.equations import MAX_LISTED, tree_places
from tests.contracts.toy_equations import ToyEquations

FRONT = pd.DataFrame(
    {"equation": ["N", "freq_j"], "IL": [60.0, 30.0], "DR": [25.0, 40.0], "size": [1.0, 1.0]}
)
equations = st.builds(
    lambda depth, seed: Equation(
        grown_tree(tree_space(ToyEquations(max_depth=6)), depth, np.random.default_rng(seed))
    ),
    st.integers(1, 6),
    st.integers(0, 2**32),
)


@given(equation=equations)
def test_no_two_nodes_are_drawn_in_one_place(equation):
    places, shape = tree_places(equation), tree_shape(equation.tree)
    assert places[:, 1].tolist() == (-shape.levels).tolist()
    for level in np.unique(shape.levels):
        across = np.sort(places[shape.levels == level, 0])
        assert (np.diff(across) >= 1).all()


def test_functions_stand_in_the_middle_above_their_operands():
    places = tree_places(Equation.parse("N * freq_i - freq_j"))
    assert places.tolist() == [[1.25, 0], [0.5, -1], [0, -2], [1, -2], [2, -1]]


def test_tree_shows_every_node_and_edge_and_the_formula():
    equation = Equation.parse("2 * freq_max / (N + freq_i)")
    (axes,) = plot_equation(equation).axes
    assert [text.get_text() for text in axes.texts] == [
        "÷", "×", "$2$", r"$f_{\max}$", "+", "$N$", "$f_i$"
    ]  # fmt: skip
    assert len(axes.get_lines()) == equation.size - 1
    assert axes.get_title() == r"$\dfrac{2 \cdot f_{\max}}{N + f_i}$"


@settings(max_examples=30)
@given(equation=equations)
def test_every_formula_can_be_drawn(equation):
    figure = plot_equation(equation)
    figure.canvas.draw()


def test_front_shows_the_points_and_writes_the_equations_out():
    figure = plot_equation_front(FRONT, others={"frequency": (41.6, 26.1)}, title="German")
    axes, beside = figure.axes[:2]
    (points,) = axes.collections
    assert points.get_offsets().tolist() == [[30.0, 40.0], [60.0, 25.0]]
    assert [text.get_text() for text in axes.texts] == ["1", "2"]
    listed = beside.texts[0].get_text().splitlines()
    assert [line.split() for line in listed[1:]] == [
        ["1", "30.0", "40.0", "freq_j"],
        ["2", "60.0", "25.0", "N"],
    ]
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["equations (2 points)", "frequency"]
    assert axes.get_title(loc="left") == "German"


def test_of_many_equations_some_are_written_out_the_ends_among_them():
    many = pd.DataFrame({"equation": "N", "IL": np.arange(50.0), "DR": np.arange(50.0)[::-1]})
    beside = plot_equation_front(many).axes[1]
    listed = [line.split() for line in beside.texts[0].get_text().splitlines()[1:]]
    assert len(listed) == MAX_LISTED
    assert (listed[0][1], listed[-1][1]) == ("0.0", "49.0")


@pytest.mark.parametrize(
    "draw",
    [
        lambda path: plot_equation(Equation.parse("N"), path=path),
        lambda path: plot_equation_front(FRONT, path=path),
    ],
)
def test_pictures_are_written_by_their_ending(draw, tmp_path):
    draw(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="expected a file ending in one of png, pdf, svg"):
        draw(tmp_path / "picture.gif")


@pytest.mark.parametrize(
    ("front", "others", "reason"),
    [
        (FRONT.drop(columns="DR"), None, "expected a column 'DR'"),
        (FRONT.assign(IL=np.nan), None, "front, column 'IL': expected finite values, found nan"),
        (FRONT.head(0), None, "expected at least one equation, found none"),
        (FRONT, {str(i): (1, 1) for i in range(6)}, "expected at most 5 points, found 6"),
    ],
)
def test_wrong_fronts_are_refused(front, others, reason):
    with pytest.raises(ValueError, match=reason):
        plot_equation_front(front, others=others)
