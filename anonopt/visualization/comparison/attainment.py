"""Empirical attainment: what shares of the runs reach, and where two algorithms differ."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonopt.experiments.performance.attainment import (
    attainment_difference,
    attainment_frame,
    facts_of,
)
from anonopt.experiments.performance.choice import chosen_names
from anonopt.experiments.store.contents import ProblemFacts
from anonopt.visualization import figures
from anonopt.visualization.comparison import styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from anonopt.experiments.runs import Runs

LEVELS = ("#D9D9D9", "#969696", "#525252", "#111111")
"""Of differences up to a quarter of the runs, a half, three quarters, and all."""

LABEL_CHARACTERS = 44


def plot_attainment(
    runs: Runs,
    problem: str,
    *,
    algorithms: Sequence[str] | None = None,
    percentiles: Sequence[float] = (25, 50, 75),
    evaluations: int | None = None,
    budget: str | None = None,
    failed: str = "worst",
    log_x: bool = False,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw attainment surfaces of two objectives, a panel an algorithm.

    Parameters
    ----------
    runs : Runs
    problem : str
        Of two objectives.
    algorithms : sequence of str, optional
        By default all of which a run ended well.
    percentiles : sequence of float
        Shares of the runs in percent, at most five of them.
    evaluations : int, optional
        Distinct evaluations of each run that count; by default all.
    budget : str, optional
        Of the runs, as ``runs.frame`` names it, if there are several.
    failed : {"worst", "left out"}
        Runs that failed reach nothing, or are not counted.
    log_x : bool
        Whether the axis of the first objective is logarithmic.
    title : str, optional
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.

    Returns
    -------
    matplotlib Figure
        Stairs: each point on the worse side of a stair is dominated by that share of the runs, also
        beyond its corners, up to the edge of the picture.
        The reference front is drawn as points.

    Raises
    ------
    ValueError
        If a name is unknown, the problem has not two objectives, there are too many percentiles,
        or the ending of the file is unknown.
    """
    figures.check_picture(path)
    if len(percentiles) > len(styles.LINES):
        raise ValueError(
            f"percentiles: expected at most {len(styles.LINES)}, found {len(percentiles)}"
        )
    facts = facts_of(runs, problem, most=2)
    wanted = styles.finished_names(runs, problem, budget) if algorithms is None else algorithms
    shown = chosen_names("algorithm", wanted, runs.algorithms)
    tables = {
        name: attainment_frame(
            runs,
            problem,
            name,
            percentiles=percentiles,
            evaluations=evaluations,
            budget=budget,
            failed=failed,
        )
        for name in shown
    }
    corners = [
        table[list(facts.objectives)].to_numpy(dtype=np.float64) for table in tables.values()
    ]
    if facts.reference_front is not None:
        corners.append(facts.natural(facts.reference_front))
    limits = _limits(np.concatenate(corners), log_x=log_x)
    ends = np.where(facts.maximize, limits[0], limits[1])
    figure, panels = styles.panels(shown)
    for axes, name in zip(panels, shown, strict=True):
        _draw_reference(axes, facts)
        for index, (share, rows) in enumerate(tables[name].groupby("percentile")):
            style = styles.line_style(index)
            axes.plot(
                *stairs(rows[list(facts.objectives)].to_numpy(dtype=np.float64), facts, ends),
                color=style["color"],
                linestyle=style["linestyle"],
                linewidth=1.6,
                label=f"reached by {share:g} % of the runs",
            )
        if log_x:
            styles.log_axis(axes)
        _set_limits(axes, limits)
    _label(panels, facts)
    styles.legend_below(figure, max(panels, key=lambda axes: len(axes.lines)))
    styles.title_above(figure, title or problem)
    return figures.write_picture(figure, path)


def plot_attainment_difference(
    runs: Runs,
    problem: str,
    first: str,
    second: str,
    *,
    evaluations: int | None = None,
    budget: str | None = None,
    failed: str = "worst",
    log_x: bool = False,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw where the runs of one algorithm reach more than those of another, and the other way.

    Parameters
    ----------
    runs : Runs
    problem : str
        Of two objectives.
    first, second : str
        Algorithms, with equally many runs.
    evaluations : int, optional
        Distinct evaluations of each run that count; by default all.
    budget : str, optional
        Of the runs, as ``runs.frame`` names it, if there are several.
    failed : {"worst", "left out"}
        Runs that failed reach nothing, or are not counted.
    log_x : bool
        Whether the axis of the first objective is logarithmic.
    title : str, optional
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.

    Returns
    -------
    matplotlib Figure
        On the left where the first is ahead, on the right where the second is; the darker, the
        larger the share of the runs; "nowhere" where there is nothing. The reference front is drawn
        as points.

    Raises
    ------
    ValueError
        If a name is unknown, the problem has not two objectives, the algorithms have different
        numbers of runs, or the ending of the file is unknown.
    """
    figures.check_picture(path)
    table = attainment_difference(
        runs, problem, first, second, evaluations=evaluations, budget=budget, failed=failed
    )
    facts = runs.problems[problem]
    # What is seen is where something differs, or the reference lies.
    seen = [table[["x_low", "y_low"]].to_numpy(dtype=np.float64), _worst(facts, table)[np.newaxis]]
    if facts.reference_front is not None:
        seen.append(facts.reference_front)
    limits = _limits(facts.natural(np.concatenate(seen)), log_x=log_x)
    figure, panels = styles.panels([f"{first} ahead", f"{second} ahead"])
    for axes, sign in zip(panels, (1, -1), strict=True):
        rows = table[np.sign(table["difference"]) == sign]
        _draw_rectangles(axes, rows, facts)
        _draw_reference(axes, facts)
        if log_x:
            styles.log_axis(axes)
        _set_limits(axes, limits)
    _label(panels, facts)
    from matplotlib.patches import Patch

    n = len(LEVELS)
    handles = [
        Patch(facecolor=color, label=f"by up to {(i + 1) * 100 // n} % of the runs")
        for i, color in enumerate(LEVELS)
    ]
    points, labels = panels[0].get_legend_handles_labels()
    figure.legend(
        [*handles, *points],
        [*(str(handle.get_label()) for handle in handles), *labels],
        loc="outside lower center",
        ncols=3,
        frameon=False,
        fontsize=9,
    )
    styles.title_above(figure, title or problem)
    return figures.write_picture(figure, path)


def stairs(
    points: np.ndarray, facts: ProblemFacts, ends: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Border of what points dominate up to the ends of both axes, in natural units.

    Examples
    --------
    >>> facts = ProblemFacts("p", ("a", "b"), np.array([False, False]), None, None, None, 1)
    >>> x, y = stairs(np.array([[1.0, 3.0], [2.0, 1.0]]), facts, np.array([9.0, 9.0]))
    >>> x.tolist(), y.tolist()
    ([1.0, 1.0, 2.0, 2.0, 9.0], [9.0, 3.0, 3.0, 1.0, 1.0])
    """
    sign = -1 if facts.maximize[0] else 1
    ordered = points[np.argsort(sign * points[:, 0])]
    x = np.concatenate([np.repeat(ordered[:, 0], 2), ends[:1]])
    y = np.concatenate([ends[1:], np.repeat(ordered[:, 1], 2)])
    return x, y


def _draw_rectangles(axes: Axes, rows: pd.DataFrame, facts: ProblemFacts) -> None:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    lows = rows[["x_low", "y_low"]].to_numpy(dtype=np.float64)
    highs = rows[["x_high", "y_high"]].to_numpy(dtype=np.float64)
    worst = _worst(facts, rows)
    highs = np.where(np.isinf(highs), worst, highs)
    corners = np.where(facts.maximize, -highs, lows)
    sizes = highs - lows
    shares = np.abs(rows["difference"].to_numpy(dtype=np.float64))
    colors = [LEVELS[int(np.ceil(share * len(LEVELS) - 1e-9)) - 1] for share in shares]
    if len(rows) == 0:
        axes.text(0.5, 0.5, "nowhere", transform=axes.transAxes, ha="center", va="center")
    patches = [Rectangle(tuple(corner), *size) for corner, size in zip(corners, sizes, strict=True)]
    axes.add_collection(PatchCollection(patches, facecolors=colors, edgecolors="none"))


def _worst(facts: ProblemFacts, rows: pd.DataFrame) -> np.ndarray:
    """Beyond all finite corners: where rectangles without an end are cut."""
    ends = [rows[["x_low", "y_low"]].to_numpy(dtype=np.float64)]
    highs = rows[["x_high", "y_high"]].to_numpy(dtype=np.float64)
    ends.append(np.where(np.isfinite(highs), highs, -np.inf))
    if facts.reference_point is not None:
        ends.append(facts.reference_point[np.newaxis])
    return np.asarray(np.concatenate(ends).max(axis=0))


def _draw_reference(axes: Axes, facts: ProblemFacts) -> None:
    if facts.reference_front is None:
        return
    front = facts.natural(facts.reference_front)
    axes.plot(
        front[:, 0],
        front[:, 1],
        linestyle="none",
        marker="x",
        markersize=3.5,
        color=figures.LINE_COLOR,
        label=f"reference: {facts.reference_source}",
    )


def _label(panels: Sequence[Axes], facts: ProblemFacts) -> None:
    """Name both axes; that of y beside the first of each row alone."""
    x, y = (
        textwrap.fill(figures.axis_label(name, bool(maximize)), LABEL_CHARACTERS)
        for name, maximize in zip(facts.objectives, facts.maximize, strict=True)
    )
    for axes in panels:
        axes.set_xlabel(x, fontsize=9)
    for axes in panels[:: styles.panel_columns(len(panels))]:
        axes.set_ylabel(y, fontsize=9)


def _limits(natural: np.ndarray, *, log_x: bool) -> np.ndarray:
    """Least and largest value (2, 2) of both axes, somewhat beyond all points."""
    low, high = natural.min(axis=0), natural.max(axis=0)
    margin = 0.03 * (high - low)
    margin[margin == 0] = 1.0
    limits = np.stack([low - margin, high + margin])
    if log_x:
        positive = natural[natural[:, 0] > 0, 0]
        if len(positive) == 0:
            raise ValueError("log_x: expected values above 0 of the first objective, found none")
        limits[:, 0] = positive.min() / 1.1, positive.max() * 1.1
    return limits


def _set_limits(axes: Axes, limits: np.ndarray) -> None:
    axes.set_xlim(*limits[:, 0])
    axes.set_ylim(*limits[:, 1])
