"""What the runs of each algorithm found together, point by point, and how many of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import moocore
import numpy as np

from anonopt._typing import AnyArray, FloatArray
from anonopt.experiments.performance.references import is_finite
from anonopt.visualization.report.experiment.compared import Compared
from anonopt.visualization.thinning import evenly_spaced

MOST_POINTS = 300
"""Of the joint front of an algorithm that are drawn; of more, some evenly along it."""

F = tuple[float, ...]


@dataclass
class FoundPoint:
    """Objectives that some runs found.

    Attributes
    ----------
    values : tuple of float (n_obj,)
        Minimized.
    genome : array (n_var,) or str
        Of the first run that found it.
    n_runs : Counter
        Runs of each algorithm that found it.
    seeds : dict of str to int
        Of the first run of each algorithm that found it.
    """

    values: F
    genome: AnyArray | str
    n_runs: Counter[str] = field(default_factory=Counter)
    seeds: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class JointFronts:
    """Fronts of a problem.

    Attributes
    ----------
    points : dict of tuple to FoundPoint
        By minimized objectives.
    of_algorithm : dict of str to list of tuple
        What no other point of the algorithm's runs dominates, sorted; at most `MOST_POINTS`.
    n_points : dict of str to int
        How many there are.
    n_runs : dict of str to int
        Runs of each algorithm that ended well.
    best : list of tuple
        What no point of any run dominates, sorted.
    """

    points: dict[F, FoundPoint]
    of_algorithm: dict[str, list[F]]
    n_points: dict[str, int]
    n_runs: dict[str, int]
    best: list[F]


def joint_fronts(of: Compared, problem: str) -> JointFronts:
    """Gather the fronts of all runs on a problem that ended well."""
    rows = of.done[of.done["problem"] == problem]
    points: dict[F, FoundPoint] = {}
    found: dict[str, set[F]] = {name: set() for name in of.finished(problem)}
    for run, algorithm, seed in rows[["algorithm", "seed"]].itertuples(name=None):
        genomes, objectives = of.runs.front(run)
        for place in np.flatnonzero(is_finite(objectives)):
            key = tuple(objectives[place].tolist())
            point = points.setdefault(key, FoundPoint(key, genomes[place]))
            if key in found[algorithm] and point.seeds.get(algorithm) == seed:
                continue
            found[algorithm].add(key)
            point.seeds.setdefault(algorithm, int(seed))
        for key in {tuple(row) for row in objectives[is_finite(objectives)].tolist()}:
            points[key].n_runs[algorithm] += 1
    fronts = {name: non_dominated(keys) for name, keys in found.items()}
    counts = rows.groupby("algorithm").size()
    return JointFronts(
        points,
        {name: spread(front) for name, front in fronts.items()},
        {name: len(front) for name, front in fronts.items()},
        {str(name): int(n) for name, n in counts.items()},
        non_dominated(points),
    )


def non_dominated(points: object) -> list[F]:
    """Points (minimized) that no other one dominates, sorted."""
    ordered = sorted(points)  # type: ignore[call-overload]
    if not ordered:
        return []
    kept: FloatArray = np.asarray(moocore.is_nondominated(np.array(ordered)))
    return [point for point, is_kept in zip(ordered, kept, strict=True) if is_kept]


def spread(front: list[F], most: int = MOST_POINTS) -> list[F]:
    """As many points as are drawn, evenly along a front and with both ends.

    Examples
    --------
    >>> spread([(1.0,), (2.0,), (3.0,), (4.0,), (5.0,)], most=3)
    [(1.0,), (3.0,), (5.0,)]
    """
    return [front[place] for place in evenly_spaced(len(front), most)]
