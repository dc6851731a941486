"""An equation of PRAM matrices: its formula, its tree, and the matrices it builds."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray
from anonopt.masking.equations import Equation
from anonopt.masking.equations.trees import tree_shape
from anonopt.measures import MEASURES, measure_names
from anonopt.problems import PRAMEquationProblem
from anonopt.visualization.equations import SIGNS, tree_children, tree_places
from anonopt.visualization.figures import COLORS
from anonopt.visualization.report.solutions.detail import Detail, Drawing, Part, Shown, counted
from anonopt.visualization.report.solutions.detail_figures import plain
from anonopt.visualization.report.solutions.matrix_detail import (
    matrix_parts,
    measured_summary,
    summary_of,
)
from anonopt.visualization.report.solutions.measured_values import measured, measures_table

if TYPE_CHECKING:
    import plotly.graph_objects as go

KIND = "equation of PRAM matrices"

MAX_SIMPLIFIED = 20
"""Nodes of the largest equation that is simplified: it takes long."""

READ = {
    "N": "number of records",
    "freq_max": "largest frequency",
    "freq_min": "smallest frequency",
    "freq_i": "frequency of the original category",
    "freq_j": "frequency of the new category",
}
"""What terminals mean."""


def equation_detail(problem: PRAMEquationProblem, x: AnyArray, shown: Shown) -> Detail:
    """Describe an equation.

    Parameters
    ----------
    problem : PRAMEquationProblem
    x : object array (1,)
        A genome.
    shown : Shown
    """
    genome = problem.space.checked_one(x)
    equation = problem.space.equation(genome)
    values = measured(problem, genome, measure_names("equation"))
    matrices = problem.matrices(genome)
    return Detail(
        KIND,
        f"{equation.text}: {counted(equation.size, 'node')} on "
        f"{counted(equation.depth, 'level')}. {measured_summary(values)} "
        f"{summary_of(problem.columns.names, matrices, problem.frequencies)}",
        (
            _formula(equation),
            Part("Loss and risk of the equation", table=measures_table(values, MEASURES)),
            *matrix_parts(problem, genome, matrices, shown),
        ),
        by_chance=True,
    )


def _formula(equation: Equation) -> Part:
    names = {node.name for node in equation.tree}
    rows = [["as text", equation.text], ["LaTeX", equation.latex()]]
    if equation.size <= MAX_SIMPLIFIED and find_spec("sympy") is not None:
        rows.append(["simplified", equation.simplified().text])
    rows += [[name, meaning] for name, meaning in READ.items() if name in names]
    return Part(
        "Formula and tree",
        "Of each original category i and new category j the equation gives a number; its size, "
        "divided by the sum of its row, is the probability.",
        pd.DataFrame(rows, columns=["what", "reads"]),
        drawing=Drawing(lambda: _tree(equation), f"Tree of the equation {equation.text}."),
        formula=equation.mathml(),
    )


def _tree(equation: Equation) -> go.Figure:
    import plotly.graph_objects as go

    tree, places = equation.tree, tree_places(equation)
    sizes = tree_shape(tree).sizes
    xs: list[Any] = []
    ys: list[Any] = []
    for parent, node in enumerate(tree):
        for child in tree_children(parent, node.arity, sizes):
            xs += [float(places[parent, 0]), float(places[child, 0]), None]
            ys += [float(places[parent, 1]), float(places[child, 1]), None]
    figure = go.Figure()
    figure.add_scatter(
        x=xs, y=ys, mode="lines", hoverinfo="skip", line={"color": "#888888", "width": 1.5}
    )
    for is_function, symbol, color in ((True, "circle", COLORS[0]), (False, "square", COLORS[4])):
        chosen = [place for place, node in enumerate(tree) if (node.arity > 0) is is_function]
        figure.add_scatter(
            x=places[chosen, 0].tolist(),
            y=places[chosen, 1].tolist(),
            mode="markers+text",
            marker={"symbol": symbol, "size": 30, "color": color},
            text=[
                plain(SIGNS.get(tree[place].name) or _short(tree[place].name)) for place in chosen
            ],
            textposition="middle center" if is_function else "bottom center",
            textfont={"color": "white", "size": 18} if is_function else {"size": 14},
            hovertext=[plain(READ.get(tree[place].name, tree[place].name)) for place in chosen],
            hoverinfo="text",
        )
    margin = 0.8
    width = float(np.ptp(places[:, 0]))
    figure.update_layout(
        showlegend=False,
        height=140 + 80 * equation.depth,
        xaxis={"visible": False, "range": [-margin, width + float(places[:, 0].min()) + margin]},
        yaxis={"visible": False, "range": [float(places[:, 1].min()) - 0.7, 0.5]},
        margin={"t": 20, "r": 10, "b": 10, "l": 10},
    )
    return figure


def _short(name: str) -> str:
    return name if name in READ else f"{float(name):.4g}"
