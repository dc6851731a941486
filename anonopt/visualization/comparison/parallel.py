"""Parallel coordinates: fronts of any number of objectives."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from anonopt.experiments.performance.attainment import found_fronts
from anonopt.experiments.performance.choice import chosen_names
from anonopt.experiments.store.contents import ProblemFacts
from anonopt.visualization import figures
from anonopt.visualization.comparison import styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from anonopt.experiments.runs import Runs

REFERENCE_COLOR = "#999999"


def plot_parallel_coordinates(
    runs: Runs,
    problem: str,
    *,
    algorithms: Sequence[str] | None = None,
    evaluations: int | None = None,
    budget: str | None = None,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw what the runs of each algorithm found as lines over the objectives, a panel each.

    Parameters
    ----------
    runs : Runs
    problem : str
    algorithms : sequence of str, optional
        By default all of which a run ended well.
    evaluations : int, optional
        Distinct evaluations of each run that count; by default all.
    budget : str, optional
        Of the runs, as ``runs.frame`` names it, if there are several.
    title : str, optional
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.

    Returns
    -------
    matplotlib Figure
        The best value of each objective is at the top: that of the reference front and all runs
        that are drawn, the worst at the bottom. The reference front is dashed, behind.

    Raises
    ------
    ValueError
        If a name is unknown, the problem has one objective, an algorithm has no run that ended
        well, or the ending of the file is unknown.
    """
    figures.check_picture(path)
    chosen_names("problem", [problem], list(runs.problems))
    wanted = styles.finished_names(runs, problem, budget) if algorithms is None else algorithms
    shown = chosen_names("algorithm", wanted, runs.algorithms)
    facts = runs.problems[problem]
    n_obj = len(facts.objectives)
    if n_obj < 2:
        raise ValueError(f"problem {problem!r}: expected 2 objectives or more, found {n_obj}")
    fronts = {
        name: np.concatenate(
            found_fronts(runs, problem, name, evaluations=evaluations, budget=budget)
        )
        for name in shown
    }
    reference = np.empty((0, n_obj)) if facts.reference_front is None else facts.reference_front
    points = np.concatenate([reference, *(F.reshape(-1, n_obj) for F in fronts.values())])
    if len(points) == 0:
        raise ValueError(f"problem {problem!r}: expected something feasible, found nothing")
    best, worst = points.min(axis=0), points.max(axis=0)
    figure, panels = styles.panels(shown, width=max(3.2, 1.3 * n_obj))
    for index, (axes, name) in enumerate(zip(panels, shown, strict=True)):
        _draw_lines(axes, _scaled(reference, best, worst), REFERENCE_COLOR, 0.8, dashed=True)
        style = styles.line_style(index)
        _draw_lines(axes, _scaled(fronts[name].reshape(-1, n_obj), best, worst), style["color"], 1)
        _label_axes(axes, facts, best, worst)
    styles.title_above(figure, title or f"{problem}; the best values are at the top")
    if len(reference):
        # Of an empty line, as the lines of a front are too pale for a legend.
        label = f"reference: {facts.reference_source}"
        panels[0].plot([], [], color=REFERENCE_COLOR, linestyle="dashed", label=label)
        styles.legend_below(figure, panels[0])
    return figures.write_picture(figure, path)


def _scaled(F: np.ndarray, best: np.ndarray, worst: np.ndarray) -> np.ndarray:
    """1 is the best, 0 the worst; one half where all are equal."""
    extent = worst - best
    return np.where(extent > 0, (worst - F) / np.where(extent > 0, extent, 1.0), 0.5)


def _draw_lines(
    axes: Axes, heights: np.ndarray, color: str, width: float, *, dashed: bool = False
) -> None:
    from matplotlib.collections import LineCollection

    places = np.arange(heights.shape[1], dtype=np.float64)
    lines = [np.column_stack([places, row]) for row in heights]
    # Many lines over each other are to be seen as many.
    alpha = float(np.clip(15 / max(1, len(lines)), 0.12, 0.8))
    axes.add_collection(
        LineCollection(
            lines,
            colors=color,
            linewidths=width,
            alpha=alpha,
            linestyles="dashed" if dashed else "solid",
        )
    )


def _label_axes(axes: Axes, facts: ProblemFacts, best: np.ndarray, worst: np.ndarray) -> None:
    n_obj = len(facts.objectives)
    top, bottom = facts.natural(best), facts.natural(worst)
    axes.set_xlim(-0.3, n_obj - 0.7)
    axes.set_ylim(-0.16, 1.16)
    axes.set_yticks([])
    axes.grid(visible=False)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.tick_params(length=0)
    axes.set_xticks(range(n_obj), facts.objectives, fontsize=9)
    for place in range(n_obj):
        axes.plot([place, place], [0, 1], color="black", linewidth=0.8)
        axes.text(place, 1.03, f"{top[place]:.6g}", ha="center", va="bottom", fontsize=8)
        axes.text(place, -0.03, f"{bottom[place]:.6g}", ha="center", va="top", fontsize=8)
