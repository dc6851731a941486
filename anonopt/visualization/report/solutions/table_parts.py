"""Parts of the details of protected tables: equivalence classes, records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray, BoolArray, IntArray
from anonopt.data.roles import names_of_sensitive
from anonopt.problems.rule_problem import RuleProblem
from anonopt.visualization.report.solutions.detail import (
    Drawing,
    Part,
    Shown,
    counted,
    nothing_protected,
    percent,
    sample,
)
from anonopt.visualization.report.solutions.detail_figures import bars
from anonopt.visualization.report.solutions.measured_values import missed_constraints

if TYPE_CHECKING:
    import plotly.graph_objects as go

CLASSES = "equivalence class", "equivalence classes"


def told_classes(sizes: IntArray, kept: BoolArray) -> list[str]:
    """Suppressed rows, classes and their risk in words.

    Parameters
    ----------
    sizes : int array (n_classes,)
    kept : bool array (n_classes,)
    """
    suppressed, n_rows = int(sizes[~kept].sum()), int(sizes.sum())
    parts = [
        f"{suppressed:,} of {counted(n_rows, 'row')} suppressed ({percent(suppressed / n_rows)})"
    ]
    if suppressed < n_rows:
        k = int(sizes[kept].min())
        parts += [
            f"{counted(int(kept.sum()), *CLASSES)} kept, the smallest of {counted(k, 'row')}",
            f"highest re-identification risk {percent(1 / k)}",
        ]
    return parts


def classes_part(sizes: IntArray, kept: BoolArray) -> Part:
    """Classes by size, in bins that double.

    Parameters
    ----------
    sizes : int array (n_classes,)
    kept : bool array (n_classes,)
        Whether a class is published.
    """
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
        f"{counted(len(sizes), *CLASSES)} of {counted(int(sizes.sum()), 'row')}, "
        f"{int((~kept).sum()):,} of them suppressed; sizes from "
        f"{int(sizes.min()):,} to {int(sizes.max()):,}, the median is {np.median(sizes):,.6g}."
    )
    drawing = Drawing(figure, "Bars: rows by the size of their class, kept and suppressed.")
    return Part("Equivalence classes", text, table, drawing=drawing)


def records_part(problem: RuleProblem, x: AnyArray, shown: Shown, suppressed: BoolArray) -> Part:
    """Records of a feasible solution beside their originals.

    Parameters
    ----------
    problem : RuleProblem
    x : array (n_var,)
    shown : Shown
    suppressed : bool array (n_rows,)
    """
    if missed := missed_constraints(problem, x):
        return nothing_protected(missed)
    protected = problem.protect(x)
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
