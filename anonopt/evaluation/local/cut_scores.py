"""What a cut is worth: the loss that it saves for the information that it uses up.

Plain numbers in, a plain number out: the compiled and the other way of cutting call the very same
function, so that both find the same bits.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np

from anonopt._typing import FloatArray

Cuts: TypeAlias = Literal["strict", "relaxed", "balanced"]

CUTS: tuple[Cuts, ...] = ("strict", "relaxed", "balanced")
"""Kinds of cuts, by the numbers that kernels know them by."""

STRICT, RELAXED, BALANCED, JOINED = range(4)
"""`JOINED` is `BALANCED` where no rows can be lent."""


def cut_score(weight: float, saved: float, used: float, exponent: float) -> float:
    """How good a cut is: of a group's cuts, that of the highest score is made.

    Parameters
    ----------
    weight : float
        Of the column at the level of the label that is cut.
    saved : float
        Loss that the rows of the group are spared; where there is none, the score is 0, and a cut
        of score 0 is not made.
    used : float
        Information that the cut uses, in bits; see `bits_left`. A cut that suppresses rows may use
        none, and counts as if it used one.
    exponent : float
        How much the information counts: 0 not at all, 1 makes of the score the loss saved by bit.
    """
    if saved <= 0.0:
        return 0.0
    return weight * saved / math.pow(max(used, 1.0), exponent)


@lru_cache(maxsize=16)
def bits_left(n_rows: int, k: int) -> FloatArray:
    """Information that cuts of a group can still use, by its rows 0..n_rows, in bits.

    A group of n rows can be cut into n / k groups at most, for which each row needs
    ``log2(n / k)`` bits: ``n log2(n / k)`` in all. A group of fewer than 2 k rows cannot be cut,
    and has none left. What a cut uses is what the group had, less what its parts have.

    Examples
    --------
    >>> bits_left(8, 2).round(3).tolist()
    [0.0, 0.0, 0.0, 0.0, 4.0, 6.61, 9.51, 12.651, 16.0]
    """
    bits = np.zeros(n_rows + 1)
    rows = np.arange(2 * k, n_rows + 1, dtype=np.float64)
    bits[2 * k :] = rows * np.log2(rows / k)
    bits.flags.writeable = False
    return bits
