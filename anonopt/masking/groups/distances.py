"""Distances of records to a category of a column, without a table of all pairs."""

from __future__ import annotations

import math

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.masking.groups.records import RecordColumn, Records

_EXACT = 2.0**53


def category_distances_to(
    column: RecordColumn, codes: IntArray, center: int, unit: float = 1.0
) -> FloatArray:
    """Distance of categories to one of them, from 0 (equal) to 1, as of `StepDistances`.

    Parameters
    ----------
    column : RecordColumn
        Ordinal or nominal.
    codes : int array (n,)
        Categories.
    center : int
        Category.
    unit : float
        What distance 1 is counted as, a multiple of the steps of the column.

    Returns
    -------
    float array (n,)
        From 0 (equal) to `unit`.
    """
    if column.kind == "nominal" or center == column.n_ordered:
        return np.where(codes == center, 0.0, unit)
    distances = np.abs(codes - center) * (unit / max(column.n_ordered - 1, 1))
    distances[codes == column.n_ordered] = unit
    return distances


def whole_unit(records: Records, *, power: int) -> float:
    """What distance 1 is counted as so that sums of distances are whole numbers.

    Then equal distances are equal to the last bit, in whatever way they come about.

    Parameters
    ----------
    records : Records
    power : int
        Power of the distances that are summed, 1 or 2.

    Returns
    -------
    float
        1 where there is a continuous column or the numbers would be too large.
    """
    if any(column.kind == "continuous" for column in records.columns):
        return 1.0
    steps = [column.n_ordered - 1 for column in records.columns if column.kind == "ordinal"]
    unit = math.lcm(*(step for step in steps if step > 0))
    return float(unit) if unit**power * len(records.columns) < _EXACT else 1.0
