"""What a cut is worth: the loss that it saves for the information that it uses up.

Plain numbers in, a plain number out: the compiled and the other way of cutting call these very
functions, so that both find the same bits.
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import numpy as np

from anonopt._typing import FloatArray

Cuts: TypeAlias = Literal["strict", "relaxed", "joined"]

CUTS: tuple[Cuts, ...] = ("strict", "relaxed", "joined")
"""Kinds of cuts, in the order of the numbers that kernels know them by."""

STRICT, RELAXED, JOINED = range(len(CUTS))


def cut_score(weight: float, saved: float, information: float, exponent: float) -> float:
    """How good a cut is; cuts of the highest score come first, those of 0 are not made.

    A group of n rows can be told apart into n / k groups at most: it has ``log2(n / k)`` bits to
    spend on all its cuts, so that what counts is the loss saved for each bit.

    Parameters
    ----------
    weight : float
        Of the column at the level of the label that is cut.
    saved : float
        Loss that a row of the group is spared on average.
    information : float
        Entropy of the sizes of the parts, in bits a row.
    exponent : float
        How much information counts: 0 not at all, 1 as above.
    """
    if saved <= 0.0:
        return 0.0
    return weight * saved / math.pow(information, exponent)


def rows_times_bits(n_rows: int) -> FloatArray:
    """``n log2(n)`` of all n from 0 to `n_rows`: entropies are sums of these."""
    rows = np.arange(n_rows + 1, dtype=np.float64)
    bits = np.zeros(n_rows + 1)
    np.log2(rows, out=bits, where=rows > 0)
    return rows * bits
