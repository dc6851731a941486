"""Figures of masked files that are functions of counts: DBIL, CTBIL, EBIL and ID."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from anonopt._typing import AnyIntArray, IntArray
from anonopt.evaluation.categorical.masking_plan import CountedPlan
from anonopt.measures.categorical.information_loss import (
    contingency_loss,
    distance_loss,
    entropy_loss,
)
from anonopt.measures.categorical.interval_disclosure import interval_disclosure


class CellFigures(TypedDict):
    """DBIL, CTBIL, EBIL and ID, percentages, less is better."""

    dbil: float
    ctbil: float
    ebil: float
    id: float


def cell_figures(
    plan: CountedPlan, pairs: Sequence[tuple[IntArray, AnyIntArray]], difference: int
) -> CellFigures:
    """Figures from the joint counts of original and masked cells.

    Parameters
    ----------
    plan : CountedPlan
    pairs : sequence of pairs of int arrays (n,), one a column
        ``original * n_categories + masked`` of the pairs of categories that occur, ascending, and
        rows of each.
    difference : int
        Sum over the cells of all contingency tables of ``|original count - masked count|``.
    """
    steps, hits, joints = [], 0, []
    for j, (keys, counts) in enumerate(pairs):
        original, masked = np.divmod(keys, plan.n_categories[j])
        steps.append(int(plan.distances.steps(j, original, masked) @ counts))
        hits += int(plan.hits(j, original, masked) @ counts)
        joints.append((counts, np.bincount(masked, counts)[masked].astype(np.int64)))
    return CellFigures(
        dbil=distance_loss(steps, plan.distances.scales, plan.n_rows),
        ctbil=contingency_loss(difference, len(plan.subsets), plan.n_rows, n_cells=plan.n_cells),
        ebil=entropy_loss(joints, plan.n_categories, plan.n_rows),
        id=interval_disclosure(hits, plan.n_rows, plan.n_columns),
    )
