"""How soon targets are reached: distribution of runtimes, performance profiles."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from anonopt.experiments.performance.choice import chosen_runs
from anonopt.experiments.performance.profiles import compared_problems, ecdf_frame, profile_frame
from anonopt.visualization import figures
from anonopt.visualization.comparison import styles

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from anonopt.experiments.runs import Runs

N_MARKERS = 8


def plot_ecdf(
    runs: Runs,
    indicator: str = "hypervolume",
    *,
    targets: Iterable[float] | None = None,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
    **choice: Any,
) -> Figure:
    """Draw the share of pairs of run and target that are reached, over the evaluations.

    Parameters
    ----------
    runs : Runs
    indicator : str
    targets : iterable of float, optional
        In the unit of the indicator; by default from easy to hard, if its best value is the same
        on all problems.
    title : str, optional
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.
    **choice
        ``budget``, ``problems``, ``algorithms`` and ``failed`` of
        :func:`~anonopt.experiments.performance.choice.chosen_runs`.

    Returns
    -------
    matplotlib Figure
        Of the problems on which all algorithms have runs, whose number the label tells where there
        are more; a curve ends at the longest run of its algorithm, with a larger marker.

    Raises
    ------
    ValueError
        If a name is unknown, there is no target, no problem on which all algorithms have runs, or
        the ending of the file is unknown.
    """
    figures.check_picture(path)
    table = ecdf_frame(runs, indicator, targets=targets, **choice)
    label = f"share of runs and targets\nof {indicator} reached{_of_some(runs, choice)}"
    figure = _stairs(table, runs.algorithms, "evaluations", "distinct evaluations", label)
    styles.title_above(figure, title)
    return figures.write_picture(figure, path)


def plot_performance_profiles(
    runs: Runs,
    indicator: str = "hypervolume",
    *,
    targets: Iterable[float] | None = None,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
    **choice: Any,
) -> Figure:
    """Draw performance profiles: how often each algorithm is within a factor of the fastest.

    E. D. Dolan, J. J. More, *Benchmarking optimization software with performance profiles*,
    Mathematical Programming 91 (2002), of expected running times to targets.

    Parameters
    ----------
    runs : Runs
    indicator : str
    targets : iterable of float, optional
        As :func:`plot_ecdf`.
    title : str, optional
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.
    **choice
        ``budget``, ``problems``, ``algorithms`` and ``failed`` of
        :func:`~anonopt.experiments.performance.choice.chosen_runs`.

    Returns
    -------
    matplotlib Figure
        Of the problems on which all algorithms have runs, whose number the label tells where there
        are more. At factor 1: share of the pairs of problem and target on which the algorithm is
        fastest.

    Raises
    ------
    ValueError
        If a name is unknown, there is no target, no problem on which all algorithms have runs, or
        the ending of the file is unknown.
    """
    figures.check_picture(path)
    table = profile_frame(runs, indicator, targets=targets, **choice)
    label = f"share of problems and targets\nof {indicator}{_of_some(runs, choice)}"
    figure = _stairs(
        table, runs.algorithms, "factor", "expected running time / that of the fastest", label
    )
    styles.title_above(figure, title)
    return figures.write_picture(figure, path)


def _of_some(runs: Runs, choice: dict[str, Any]) -> str:
    """How many problems are compared, if not all that are chosen."""
    n_all = chosen_runs(runs, **choice)["problem"].nunique()
    n = len(compared_problems(runs, **choice))
    return "" if n == n_all else f", {n} of {n_all} problems"


def _stairs(
    table: pd.DataFrame, algorithms: list[str], x: str, x_label: str, y_label: str
) -> Figure:
    figure = figures.new_figure(6.4, 4.2)
    axes = figure.subplots()
    for index, algorithm in enumerate(algorithms):
        rows = table[table["algorithm"] == algorithm]
        if len(rows) == 0:
            continue
        # From 1 on, the share is 0 until the first step.
        steps = np.concatenate([[1.0], rows[x].to_numpy(dtype=np.float64)])
        shares = np.concatenate([[0.0], rows["share"].to_numpy(dtype=np.float64)])
        style = styles.line_style(index)
        step = max(1, len(steps) // N_MARKERS)
        axes.plot(
            steps,
            shares,
            drawstyle="steps-post",
            label=algorithm,
            markevery=(index % step, step),
            **style,
        )
        axes.plot(
            steps[-1:], shares[-1:], marker=style["marker"], color=style["color"], markersize=8
        )
    styles.log_axis(axes)
    axes.set_xlim(0.93, max(2.0, 1.1 * float(table[x].max())))
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    figures.plain_axes(axes)
    styles.legend_below(figure, axes)
    return figure
