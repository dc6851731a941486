"""A node of a generalization lattice: levels, classes, suppressed rows, risk, loss, records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray
from anonopt.measures.registry import measure_names
from anonopt.problems import LatticeProblem
from anonopt.visualization.report.solutions.detail import (
    Detail,
    Drawing,
    Part,
    Shown,
    counted,
    percent,
    shown_text,
)
from anonopt.visualization.report.solutions.detail_figures import bars
from anonopt.visualization.report.solutions.measured_values import known_measures, measures_table
from anonopt.visualization.report.solutions.table_parts import (
    classes_part,
    records_part,
    told_classes,
)

if TYPE_CHECKING:
    import plotly.graph_objects as go

KIND = "generalized table"


def lattice_detail(problem: LatticeProblem, x: AnyArray, shown: Shown) -> Detail:
    """Describe a node; a feasible one with records.

    Parameters
    ----------
    problem : LatticeProblem
    x : int array (n_var,)
        A node.
    shown : Shown
    """
    node = problem.space.checked_one(x)
    rows = problem.evaluator.row_classes(node.tolist())
    classes = rows.classes
    losses = problem.evaluator.attribute_loss(node.tolist())
    # A frame of nodes has a column for each quasi-identifier: one named height hides that measure.
    taken = {str(column) for column in problem.table.quasi_identifiers}
    names = [name for name in measure_names("node") if name not in taken]
    measures = known_measures(problem, names)
    # Measures that a subclass made of others are none that the evaluator knows.
    frame = problem.evaluator.evaluate(node[np.newaxis], measures)
    values = {one.name: float(frame[one.name].iloc[0]) for one in measures}
    known = {one.name: one for one in measures}
    return Detail(
        KIND,
        _summary(losses, classes.sizes, classes.kept),
        (
            _levels(problem, losses, shown),
            classes_part(classes.sizes, classes.kept),
            Part("Risk and loss of the table", table=measures_table(values, known)),
            records_part(problem, node, shown, ~classes.kept[rows.class_of_row]),
        ),
    )


def _summary(losses: pd.DataFrame, sizes: AnyArray, kept: AnyArray) -> str:
    n_raised = int((losses["level"] > 0).sum())
    n_top = int(((losses["level"] == losses["height"]) & (losses["height"] > 0)).sum())
    raised = (
        f"{n_raised} of {counted(len(losses), 'quasi-identifier')} generalized, "
        f"{n_top} of them to the top"
    )
    return "; ".join([raised, *told_classes(sizes, kept)]) + "."


def _levels(problem: LatticeProblem, losses: pd.DataFrame, shown: Shown) -> Part:
    table = problem.table
    trees = [table.hierarchies[column] for column in table.quasi_identifiers]
    levels = losses["level"].astype(int).tolist()
    rows = [
        [
            str(column),
            level,
            tree.height,
            tree.n_values(level),
            tree.n_leaves,
            _example(tree.labels, tree.maps, level, with_original=shown.sample_rows > 0),
            percent(share),
        ]
        for column, tree, level, share in zip(
            table.quasi_identifiers, trees, levels, losses["glm_normalized"], strict=True
        )
    ]
    names = ["attribute", "level", "of", "values", "of originally", "example", "loss"]

    def figure() -> go.Figure:
        return bars(
            losses.index.tolist(),
            {
                "level / height": (100 * losses["generalization_level"]).tolist(),
                "loss": (100 * losses["glm_normalized"]).tolist(),
            },
            axis="percent",
        )

    return Part(
        "Levels and loss by attribute",
        "How far each quasi-identifier is generalized, and what it loses of the general loss "
        "metric (0 %: as it was, 100 %: nothing left).",
        pd.DataFrame(rows, columns=names),
        drawing=Drawing(figure, "Bars: level as a share of the height, and loss, by attribute."),
    )


def _example(
    labels: Sequence[tuple[str, ...]], maps: AnyArray, level: int, *, with_original: bool
) -> str:
    if level == 0:
        return "as it was"
    # Of a value in the middle, as the first ones are often special.
    leaf = len(labels[0]) // 2
    after = shown_text(labels[level][int(maps[level][leaf])])
    # A value may be that of one person, whose records are not to be shown.
    return f"{shown_text(labels[0][leaf])} → {after}" if with_original else after
