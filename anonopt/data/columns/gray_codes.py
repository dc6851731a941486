"""Reflected Gray codes: whole numbers coded so that neighbors differ in one bit."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from anonopt._typing import IntArray


def gray_encode(numbers: npt.ArrayLike) -> IntArray:
    """Reflected Gray code of whole numbers, ``n ^ (n >> 1)``.

    The codes of n and n + 1 differ in exactly one bit, and a code has as many bits as its
    number, so every code of b bits belongs to a number of b bits. Mares 2013, Sections 2.1, 3.2
    and 4.1, after Caruana and Schaffer 1988.

    Parameters
    ----------
    numbers : array of whole numbers of 0 to 2**63 - 1, of any shape

    Returns
    -------
    int64 array of the same shape

    Raises
    ------
    TypeError
        If the numbers are not of an integer type.
    ValueError
        If one is below 0, or above 2**63 - 1.

    Examples
    --------
    >>> [f"{code:04b}" for code in gray_encode([7, 8, 12])]
    ['0100', '1100', '1010']
    """
    values = _whole_numbers(numbers, "numbers")
    return np.asarray(values ^ (values >> 1))


def gray_decode(codes: npt.ArrayLike) -> IntArray:
    """Numbers of reflected Gray codes, the inverse of :func:`gray_encode`.

    Parameters
    ----------
    codes : array of codes of 0 to 2**63 - 1, of any shape

    Returns
    -------
    int64 array of the same shape

    Raises
    ------
    TypeError
        If the codes are not of an integer type.
    ValueError
        If one is below 0, or above 2**63 - 1.

    Examples
    --------
    >>> gray_decode([0b0100, 0b1100, 0b1010]).tolist()
    [7, 8, 12]
    """
    values = _whole_numbers(codes, "codes").copy()
    for shift in (1, 2, 4, 8, 16, 32):
        values ^= values >> shift
    return values


def _whole_numbers(values: npt.ArrayLike, name: str) -> IntArray:
    array = np.asarray(values)
    if array.size == 0:
        return np.zeros(array.shape, dtype=np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: expected whole numbers, found type {array.dtype}")
    low, high = int(array.min()), int(array.max())
    if low < 0 or high > np.iinfo(np.int64).max:
        raise ValueError(f"{name}: expected 0 to 2**63 - 1, found {low if low < 0 else high}")
    return array.astype(np.int64)
