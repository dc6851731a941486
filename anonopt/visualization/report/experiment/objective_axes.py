"""Axes of objectives, in natural units."""

from __future__ import annotations

from typing import Any

from anonopt._typing import FloatArray
from anonopt.experiments.store.contents import ProblemFacts
from anonopt.visualization.figures import unit_of
from anonopt.visualization.report import plots


def objective_axis(facts: ProblemFacts, place: int, values: FloatArray) -> dict[str, Any]:
    """Axis of an objective of a number; logarithmic where its values ask for it.

    Parameters
    ----------
    facts : ProblemFacts
    place : int
        Of the objective.
    values : float array
        In natural units, that are drawn.

    Returns
    -------
    dict
        For ``x`` or ``y`` of :func:`~anonopt.visualization.report.plots.plot`.
    """
    name = facts.objectives[place]
    unit = unit_of(name)
    better = f"{'more' if facts.maximize[place] else 'less'} is better"
    text = f"{name} ({unit}, {better})" if unit else f"{name} ({better})"
    axis: dict[str, Any] = {"title": {"text": plots.label(text)}, "automargin": True}
    if plots.is_wide(values):
        axis |= {"type": "log", "dtick": 1}
    return axis
