"""A node of a generalization lattice: levels, classes, suppressed rows, risk, loss, records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray, BoolArray, IntArray
from anonopt.data.roles import names_of_sensitive
from anonopt.measures.registry import measure_names
from anonopt.problems import LatticeProblem
from anonopt.visualization.report.solutions.detail import (
    Detail,
    Drawing,
    Part,
    Shown,
    counted,
    nothing_protected,
    percent,
    sample,
    shown_text,
)
from anonopt.visualization.report.solutions.detail_figures import bars
from anonopt.visualization.report.solutions.measured_values import (
    known_measures,
    measures_table,
    missed_constraints,
)

if TYPE_CHECKING:
    import plotly.graph_objects as go

KIND = "generalized table"
CLASSES = "equivalence class", "equivalence classes"


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
            _classes(classes.sizes, classes.kept, problem.table.n_rows),
            Part("Risk and loss of the table", table=measures_table(values, known)),
            _records(problem, node, shown, ~classes.kept[rows.class_of_row]),
        ),
    )


def _summary(losses: pd.DataFrame, sizes: AnyArray, kept: AnyArray) -> str:
    n_raised = int((losses["level"] > 0).sum())
    n_top = int(((losses["level"] == losses["height"]) & (losses["height"] > 0)).sum())
    suppressed, n_rows = int(sizes[~kept].sum()), int(sizes.sum())
    parts = [
        f"{n_raised} of {counted(len(losses), 'quasi-identifier')} generalized, "
        f"{n_top} of them to the top",
        f"{suppressed:,} of {counted(n_rows, 'row')} suppressed ({percent(suppressed / n_rows)})",
    ]
    if suppressed < n_rows:
        k = int(sizes[kept].min())
        parts += [
            f"{counted(int(kept.sum()), *CLASSES)} kept, the smallest of {counted(k, 'row')}",
            f"highest re-identification risk {percent(1 / k)}",
        ]
    return "; ".join(parts) + "."


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


def _classes(sizes: IntArray, kept: AnyArray, n_rows: int) -> Part:
    """Classes by size, in bins that double."""
    bins = np.floor(np.log2(sizes)).astype(np.int64)
    rows = []
    for one in range(int(bins.max()) + 1):
        inside = bins == one
        if not inside.any():
            continue
        low, high = 2**one, 2 ** (one + 1) - 1
        rows.append(
            [
                str(low) if low == high else f"{low:,} to {high:,}",
                int(inside.sum()),
                int(sizes[inside & kept].sum()),
                int(sizes[inside & ~kept].sum()),
            ]
        )
    table = pd.DataFrame(rows, columns=["class size", "classes", "rows kept", "rows suppressed"])

    def figure() -> go.Figure:
        shown = {name: table[name].tolist() for name in ("rows kept", "rows suppressed")}
        return bars(
            table["class size"].tolist(),
            shown,
            axis="rows",
            category="rows of their equivalence class",
            horizontal=False,
            stacked=True,
        )

    text = (
        f"{counted(len(sizes), *CLASSES)} of {counted(n_rows, 'row')}, "
        f"{int((~kept).sum()):,} of them suppressed; sizes from "
        f"{int(sizes.min()):,} to {int(sizes.max()):,}, the median is {np.median(sizes):,.6g}."
    )
    drawing = Drawing(figure, "Bars: rows by the size of their class, kept and suppressed.")
    return Part("Equivalence classes", text, table, drawing=drawing)


def _records(problem: LatticeProblem, node: IntArray, shown: Shown, suppressed: BoolArray) -> Part:
    if missed := missed_constraints(problem, node):
        return nothing_protected(missed)
    protected = problem.protect(node)
    table = problem.table
    sensitive = names_of_sensitive(table.sensitive)
    target = [] if table.target is None else [table.target]
    columns = list(dict.fromkeys([*table.quasi_identifiers, *sensitive, *target]))
    n_more = protected.shape[1] - len(columns)
    return sample(
        table.frame,
        protected,
        shown,
        columns=columns,
        suppressed=suppressed,
        note=f"{counted(n_more, 'further column')} as in the original." if n_more else "",
    )
