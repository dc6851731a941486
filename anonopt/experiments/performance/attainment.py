"""Empirical attainment: what a share of the runs reaches, in two or three objectives.

V. Grunert da Fonseca, C. M. Fonseca, A. O. Hall, *Inferential performance assessment of stochastic
optimisers and the attainment function*, EMO 2001; M. Lopez-Ibanez, L. Paquete, T. Stuetzle,
*Exploratory analysis of stochastic local search algorithms in biobjective optimization*, 2010.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import moocore
import numpy as np
import pandas as pd

from anonopt._checks import check_choice, check_integer, check_number, unknown
from anonopt._typing import FloatArray
from anonopt.experiments.performance.choice import FAILED, chosen_names
from anonopt.experiments.performance.references import finite
from anonopt.experiments.store.contents import ProblemFacts
from anonopt.experiments.store.runs import StoredRuns, ended_well

MOST_OBJECTIVES = 3
"""Of attainment surfaces; their differences are of two objectives."""


def attainment_frame(
    runs: StoredRuns,
    problem: str,
    algorithm: str,
    *,
    percentiles: Sequence[float] = (25, 50, 75),
    evaluations: int | None = None,
    budget: str | None = None,
    failed: str = "worst",
) -> pd.DataFrame:
    """Attainment surfaces of an algorithm: what shares of its runs reach.

    Parameters
    ----------
    runs : Runs
    problem, algorithm : str
        Names in the experiment. The problem has two or three objectives.
    percentiles : sequence of float
        Above 0, at most 100; 50 is the median surface.
    evaluations : int, optional
        Distinct evaluations of each run that count; by default all.
    budget : str, optional
        Of the runs, as ``runs.frame`` names it, if there are several.
    failed : {"worst", "left out"}
        Runs that failed reach nothing, or are not counted.

    Returns
    -------
    DataFrame
        One row a corner of a surface: ``percentile`` and a column an objective, in natural units.
        Runs that found nothing feasible count as runs, and reach nothing; a surface that too few
        runs reach has no corner.

    Raises
    ------
    ValueError
        If there is no such problem or algorithm, no run of it ended well, a percentile is out of
        its range, or the problem has another number of objectives.
    """
    shares = [check_number("percentiles", share, least=0, most=100) for share in percentiles]
    if not shares or min(shares) <= 0:
        raise ValueError(f"percentiles: expected numbers above 0, found {list(percentiles)}")
    facts = facts_of(runs, problem, most=MOST_OBJECTIVES)
    fronts = found_fronts(
        runs, problem, algorithm, evaluations=evaluations, budget=budget, failed=failed
    )
    points, sets = _stacked(fronts, len(facts.objectives))
    surfaces = np.asarray(moocore.eaf(points, sets, percentiles=sorted(set(shares))))
    surfaces = surfaces[np.isfinite(surfaces).all(axis=1)]
    frame = pd.DataFrame(facts.natural(surfaces[:, :-1]), columns=list(facts.objectives))
    frame.insert(0, "percentile", surfaces[:, -1])
    return frame


def attainment_difference(
    runs: StoredRuns,
    problem: str,
    first: str,
    second: str,
    *,
    evaluations: int | None = None,
    budget: str | None = None,
    failed: str = "worst",
) -> pd.DataFrame:
    """Where the runs of one algorithm reach more than those of another, in two objectives.

    Parameters
    ----------
    runs : Runs
    problem, first, second : str
        Names in the experiment.
    evaluations : int, optional
        Distinct evaluations of each run that count; by default all.
    budget : str, optional
        Of the runs, as ``runs.frame`` names it, if there are several.
    failed : {"worst", "left out"}
        Runs that failed reach nothing, or are not counted.

    Returns
    -------
    DataFrame
        One row a rectangle of minimized objectives: ``x_low``, ``y_low``, ``x_high``, ``y_high``
        (infinite at the far end) and ``difference``, -1..1: the share of the runs of the first
        that reach it minus that of the second. Where both reach it alike there is no rectangle.

    Raises
    ------
    ValueError
        If there is no such problem or algorithm, the problem has not two objectives, or the two
        have different numbers of runs that count.
    """
    facts = facts_of(runs, problem, most=2)
    fronts = [
        found_fronts(runs, problem, name, evaluations=evaluations, budget=budget, failed=failed)
        for name in (first, second)
    ]
    n_runs = len(fronts[0])
    if len(fronts[1]) != n_runs:
        raise ValueError(
            f"second: expected as many runs as {first!r}, {n_runs}, found {len(fronts[1])} "
            f"of {second!r}"
        )
    sides = [np.column_stack(_stacked(front, len(facts.objectives))) for front in fronts]
    names = ["x_low", "y_low", "x_high", "y_high", "difference"]
    # Where nothing differs, moocore fails to tell so by rectangles.
    if not np.asarray(moocore.eafdiff(*sides))[:, -1].any():
        return pd.DataFrame(columns=names, dtype=np.float64)
    frame = pd.DataFrame(np.asarray(moocore.eafdiff(*sides, rectangles=True)), columns=names)
    is_near = np.isfinite(frame[["x_low", "y_low"]].to_numpy()).all(axis=1)
    is_real = is_near & (frame["difference"].to_numpy() != 0)
    found: pd.DataFrame = frame[is_real].reset_index(drop=True)
    return found.assign(difference=found["difference"] / n_runs)


def found_fronts(
    runs: StoredRuns,
    problem: str,
    algorithm: str,
    *,
    evaluations: int | None = None,
    budget: str | None = None,
    failed: str = "worst",
) -> list[FloatArray]:
    """Non-dominated sets, minimized, of the runs of an algorithm; those of failed ones are empty.

    Raises
    ------
    ValueError
        If there is no such problem or algorithm, or no run of it ended well.
    """
    most = None if evaluations is None else check_integer("evaluations", evaluations, least=1)
    chosen_names("problem", [problem], list(runs.problems))
    chosen_names("algorithm", [algorithm], runs.algorithms)
    table = runs.of_budget(budget)
    table = table[(table["problem"] == problem) & (table["algorithm"] == algorithm)]
    done = table[ended_well(table)]
    if len(done) == 0:
        raise ValueError(
            f"algorithm: expected runs of {algorithm!r} on {problem!r} that ended well, found none"
        )
    fronts = []
    for _, found in runs.all_evaluations(done.index):
        F = finite(found.F[:most][found.feasible[:most]])
        fronts.append(F[moocore.is_nondominated(F)] if len(F) else F)
    n_failed = len(table) - len(done) if check_choice("failed", failed, FAILED) == "worst" else 0
    nothing = np.empty((0, len(runs.problems[problem].objectives)))
    return [*fronts, *([nothing] * n_failed)]


def facts_of(runs: StoredRuns, problem: str, *, most: int) -> ProblemFacts:
    """What the file says of a problem of two objectives or more, at most so many.

    Raises
    ------
    ValueError
        If there is no such problem, or it has another number of objectives.
    """
    if problem not in runs.problems:
        raise ValueError(unknown("problem", problem, runs.problems))
    facts = runs.problems[problem]
    if not 2 <= len(facts.objectives) <= most:
        wanted = "2" if most == 2 else f"2..{most}"
        raise ValueError(
            f"problem {problem!r}: expected {wanted} objectives, found {len(facts.objectives)}"
        )
    return facts


def _stacked(fronts: Iterable[FloatArray], n_obj: int) -> tuple[FloatArray, FloatArray]:
    """All points below each other, and the number of the run of each.

    A run without points stands there with an infinite one, or it would not be counted.
    """
    nowhere = np.full((1, n_obj), np.inf)
    parts = [front if len(front) else nowhere for front in fronts]
    sets = np.repeat(np.arange(1.0, len(parts) + 1), [len(part) for part in parts])
    return np.concatenate(parts), sets
