"""Runs whose values are given."""

from __future__ import annotations

import math

import numpy as np

from anonopt.experiments.performance.references import reference_of
from tests.experiments.stores_of_tests import HeldRuns, Written

REFERENCE = reference_of(np.array([[0.0]]), "hand")
"""Of one objective: epsilon is the value itself."""


def held(
    values: dict[tuple[str, str], list[float]],
    *,
    extra: tuple[Written, ...] = (),
    deterministic: tuple[str, ...] = (),
):
    """Runs whose epsilon are these values; an infinite one finds nothing feasible."""
    runs = [
        Written(problem, algorithm, seed, [[value if value < math.inf else 1]], [value < math.inf])
        for (problem, algorithm), row in values.items()
        for seed, value in enumerate(row)
    ]
    names = dict.fromkeys(problem for problem, _ in values)
    return HeldRuns(
        [*runs, *extra],
        objectives=["a"],
        references=dict.fromkeys(names, REFERENCE),
        deterministic=deterministic,
    )


RNG = np.random.default_rng(7)
THREE = {
    (problem, algorithm): (place + RNG.random(8)).round(3).tolist()
    for problem in ("p", "q", "r")
    for algorithm, place in (("a", 1.0), ("b", 1.2), ("c", 3.0))
}
