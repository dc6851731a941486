"""Every measure of a solution that its problem can compute, in natural units."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray
from anonopt.measures import MEASURES, Measure
from anonopt.problems import AnonymizationProblem
from anonopt.problems.base import EXTRA
from anonopt.problems.measured import MeasuredProblem
from anonopt.visualization.figures import UNIT_SIGNS


def known_measures(problem: MeasuredProblem, names: Iterable[str]) -> list[Measure]:
    """Those of measures that a problem can compute: it has the columns and options they need.

    The problem's own come first, whatever they are.
    """
    own = {one.name: one for one in problem.measures}
    found = list(own.values())
    for name in names:
        if name in own:
            continue
        try:
            problem.recording([name])
        except ValueError:
            continue
        found.append(MEASURES[name])
    return found


def measured(problem: MeasuredProblem, x: AnyArray, names: Iterable[str]) -> dict[str, float]:
    """Measures of one genome by name, as the problem itself computes them.

    Parameters
    ----------
    problem : MeasuredProblem
    x : array (n_var,)
    names : iterable of str
        Of measures; those that the problem cannot compute are left out.
    """
    measures = known_measures(problem, names)
    twin = problem.recording(measures)
    values = twin.evaluate(x[np.newaxis], return_as_dictionary=True)
    return {one.name: float(values[f"{EXTRA}{one.name}"][0]) for one in measures}


def measures_table(values: Mapping[str, float], measures: Mapping[str, Measure]) -> pd.DataFrame:
    """Values with unit, direction and meaning: a row a measure.

    Parameters
    ----------
    values : mapping of name to float
    measures : mapping of name to Measure
        Of those that have one; others are shown by their name alone.
    """
    rows = []
    for name, value in values.items():
        one = measures.get(name)
        unit = "" if one is None else UNIT_SIGNS.get(one.unit, one.unit)
        better = "" if one is None else ("more" if one.maximize else "less")
        rows.append([name, number_text(value), unit, better, "" if one is None else one.summary])
    return pd.DataFrame(rows, columns=["measure", "value", "unit", "better", "meaning"])


def objectives_of(problem: AnonymizationProblem, x: AnyArray) -> dict[str, float]:
    """Objectives of a genome by name, in natural units."""
    F = problem.evaluate(x[np.newaxis], return_values_of=["F"])
    return dict(zip(problem.objective_names, problem.natural(F[0]).tolist(), strict=True))


def missed_constraints(problem: AnonymizationProblem, x: AnyArray) -> str:
    """Names of the constraints that a genome misses, with commas; empty if it is feasible."""
    if not problem.constraint_names:
        return ""
    G = problem.evaluate(x[np.newaxis], return_values_of=["G"])[0]
    return ", ".join(problem.constraint_names[i] for i in np.flatnonzero(G > 0))


def number_text(value: float) -> str:
    """A number as it is read: whole ones whole, others with six digits.

    Examples
    --------
    >>> number_text(30162.0), number_text(0.123456789), number_text(float("inf"))
    ('30,162', '0.123457', '∞')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if math.isnan(value):
        return "not known"
    return f"{value:,.0f}" if value == round(value) and abs(value) < 1e15 else f"{value:,.6g}"
