"""A local recoding: labels by attribute, classes, suppressed rows, risk, loss, records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray
from anonopt.data.hierarchies.leaf_ranges import label_of_each
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.measures.lattice.class_table import ClassTable
from anonopt.measures.registry import measure_names
from anonopt.problems import LocalRecodingProblem
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
from anonopt.visualization.report.solutions.measured_values import (
    known_measures,
    measured,
    measures_table,
)
from anonopt.visualization.report.solutions.table_parts import (
    classes_part,
    records_part,
    told_classes,
)

if TYPE_CHECKING:
    import plotly.graph_objects as go

KIND = "locally recoded table"

LISTED = 5
"""Largest, and smallest, classes whose labels are listed."""

OVERLAP = (
    "Labels may overlap: a row labelled with a parent may stand beside rows labelled with its "
    "child; each class of equal labels holds k rows."
)


def recoding_detail(problem: LocalRecodingProblem, x: AnyArray, shown: Shown) -> Detail:
    """Describe a local recoding; a feasible one with records.

    Parameters
    ----------
    problem : LocalRecodingProblem
    x : array (n_var,)
        A genome.
    shown : Shown
    """
    genome = problem.space.checked_one(x)
    groups = problem.groups(genome)
    rows = problem.evaluator.row_classes(groups)
    sizes, kept = rows.classes.sizes, rows.classes.kept
    names = measure_names("node")
    known = {one.name: one for one in known_measures(problem, names)}
    own = (groups.lows == groups.highs) & ~groups.suppressed[:, np.newaxis]
    unchanged = groups.sizes @ own
    return Detail(
        KIND,
        f"{percent(unchanged.sum() / (problem.table.n_rows * len(unchanged)))} of the cells of "
        f"{counted(len(unchanged), 'quasi-identifier')} as they were; "
        f"{'; '.join(told_classes(sizes, kept))}.",
        (
            _labels(problem, groups, unchanged),
            _levels(rows.classes),
            classes_part(sizes, kept),
            *_ends(problem, rows.classes),
            Part(
                "Risk and loss of the table",
                table=measures_table(measured(problem, genome, names), known),
            ),
            records_part(problem, genome, shown, ~kept[rows.class_of_row]),
        ),
    )


def _labels(problem: LocalRecodingProblem, groups: RecodedGroups, unchanged: AnyArray) -> Part:
    table = problem.table
    losses = problem.evaluator.attribute_loss(groups)["glm_normalized"]
    rows = []
    for position, column in enumerate(table.quasi_identifiers):
        n_labels, widest = _told_labels(problem, groups, position)
        rows.append(
            [
                str(column),
                n_labels,
                table.hierarchies[column].n_leaves,
                percent(unchanged[position] / table.n_rows),
                shown_text(widest),
                percent(losses.iloc[position]),
            ]
        )
    names = ["attribute", "labels", "values originally", "unchanged", "most frequent label", "loss"]

    def figure() -> go.Figure:
        return bars(
            losses.index.tolist(),
            {
                "unchanged": (100 * unchanged / table.n_rows).tolist(),
                "loss": (100 * losses).tolist(),
            },
            axis="percent",
        )

    return Part(
        "Labels and loss by attribute",
        "How many labels each quasi-identifier has, in how many rows it is as it was, and what it "
        "loses of the general loss metric (0 %: as it was, 100 %: nothing left).",
        pd.DataFrame(rows, columns=names),
        drawing=Drawing(figure, "Bars: unchanged rows, and loss, by attribute."),
        notes=(OVERLAP,),
    )


def _told_labels(
    problem: LocalRecodingProblem, groups: RecodedGroups, position: int
) -> tuple[int, str]:
    """Labels of a column, and the most frequent one of those that are no single value."""
    column = problem.table.quasi_identifiers[position]
    kept = ~groups.suppressed
    ranges = np.column_stack([groups.lows[kept, position], groups.highs[kept, position]])
    labels, label_of_group = np.unique(ranges, axis=0, return_inverse=True)
    wide = labels[:, 0] < labels[:, 1]
    if not wide.any():
        return len(labels), "as it was"
    rows = np.bincount(label_of_group.reshape(-1), weights=groups.sizes[kept]) * wide
    low, high = labels[int(rows.argmax())].tolist()
    (text,) = label_of_each(problem.table.hierarchies[column], column, [(low, high)])
    return len(labels), text


def _levels(classes: ClassTable) -> Part:
    """Share of the kept rows by the level of their labels, column by column."""
    rows = np.where(classes.kept, classes.sizes, 0)
    lows, highs = classes.ranges
    heights = classes.facts.heights
    shares = []
    for attribute, height in enumerate(heights):
        levels = classes.facts.label_levels(attribute, lows[:, attribute], highs[:, attribute])
        counts = np.bincount(levels, weights=rows, minlength=height + 1)
        shares.append([percent(float(n) / max(int(rows.sum()), 1)) for n in counts])
    table = pd.DataFrame({"attribute": list(classes.facts.names)})
    for level in range(max(heights) + 1):
        table[f"level {level}"] = [own[level] if level < len(own) else "" for own in shares]
    return Part(
        "Rows by the level of their labels",
        "Share of the kept rows whose label stands at each level of the hierarchy, 0: as it was. "
        "A range that is no value of the hierarchy counts at the lowest level that covers it.",
        table,
    )


def _ends(problem: LocalRecodingProblem, classes: ClassTable) -> list[Part]:
    """Labels of the largest and of the smallest kept classes."""
    kept = np.flatnonzero(classes.kept)
    if len(kept) == 0:
        return []
    falling = kept[np.argsort(-classes.sizes[kept], kind="stable")]
    listed = falling if len(falling) <= 2 * LISTED else np.r_[falling[:LISTED], falling[-LISTED:]]
    lows, highs = classes.ranges
    table = pd.DataFrame({"rows": classes.sizes[listed]})
    for position, column in enumerate(problem.table.quasi_identifiers):
        ranges = zip(lows[listed, position].tolist(), highs[listed, position].tolist(), strict=True)
        labels = label_of_each(problem.table.hierarchies[column], column, list(ranges))
        cells = list(map(shown_text, labels))
        table.insert(table.shape[1], str(column), cells, allow_duplicates=True)
    number = counted(len(listed), "class", "classes")
    return [
        Part(
            "The largest and the smallest classes",
            f"Labels of {number} that are kept, from the largest on.",
            table,
        )
    ]
