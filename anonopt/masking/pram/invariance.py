"""PRAM matrices that keep frequencies in expectation, and control of their diagonals.

Mares 2013, Section 4.1.4. The invariant matrix follows the two-stage rule of Willenborg and
de Waal 2000. Equations 4.6 and 4.7 raise and lower a diagonal; applied to a whole matrix by
turns each undoes a part of the other, so here every row is raised or lowered for itself. That
breaks invariance, and a bound on P is no bound on R; for R the nearest invariant matrix within
the bounds is found by linear programming. The thesis's own "invariance with control" is Eq. 4.6
with one alpha for all of R: still invariant, but not always within the bounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import scipy

from anonopt._checks import check_flag, check_number, check_share
from anonopt._typing import FloatArray
from anonopt.data.columns.markov import checked_frequencies, checked_probabilities
from anonopt.measures.categorical.expectation_ratios import posterior_probabilities

DIAGONAL_BOUNDS = (0.55, 0.75)
"""Least and largest diagonal entry of the thesis."""

INVARIANT = 1e-12
"""An invariant matrix moves no share of a category by more than this."""

MARGIN = 1e-9
"""A programmed diagonal is this far inside its bounds, more than the solver's own tolerance."""


def invariant_matrix(P: npt.ArrayLike, frequencies: npt.ArrayLike) -> FloatArray:
    """Invariant matrix R = PQ: frequencies t stay as they are in expectation, tR = t.

    Mares 2013, Section 4.1.4; Q is :func:`posterior_probabilities`.

    Parameters
    ----------
    P : array_like (L, L)
        PRAM matrix.
    frequencies : array_like (L,)
        Counts or shares t of the original categories; some may be 0.

    Returns
    -------
    float array (L, L)
        ``abs(tR - t)`` is at most 1e-12 for shares t, and rows sum to 1 within 1e-12.

    Raises
    ------
    ValueError
        If either is not what it must be, or their sizes differ.

    Examples
    --------
    >>> R = invariant_matrix([[0.7, 0.3], [0.4, 0.6]], [0.5, 0.5])
    >>> R.round(6)
    array([[0.545455, 0.454545],
           [0.454545, 0.545455]])
    """
    return np.asarray(checked_probabilities(P) @ posterior_probabilities(P, frequencies))


def is_diagonally_dominant(matrix: npt.ArrayLike) -> bool:
    """Whether each diagonal entry is larger than the rest of its row together.

    Then the matrix can be inverted, so frequencies of the original file can be estimated.

    Parameters
    ----------
    matrix : array_like (L, L)
        PRAM matrix.

    Examples
    --------
    >>> is_diagonally_dominant([[0.7, 0.3], [0.4, 0.6]]), is_diagonally_dominant(np.eye(2)[::-1])
    (True, False)
    """
    probabilities = checked_probabilities(matrix)
    diagonal = probabilities.diagonal()
    return bool(np.all(diagonal > probabilities.sum(axis=1) - diagonal))


def mixed_with_identity(matrix: npt.ArrayLike, alpha: float) -> FloatArray:
    """Matrix with a raised diagonal, ``alpha R + (1 - alpha) I`` (Mares 2013, Eq. 4.6).

    An invariant matrix stays invariant.

    Parameters
    ----------
    matrix : array_like (L, L)
        PRAM matrix R.
    alpha : float
        In 0..1; the smaller, the larger the diagonal.

    Raises
    ------
    ValueError
        If alpha is not in 0..1.

    Examples
    --------
    >>> mixed_with_identity([[0.5, 0.5], [0.5, 0.5]], 0.5)
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    check_share("alpha", alpha)
    probabilities = checked_probabilities(matrix)
    return np.asarray(alpha * probabilities + (1 - alpha) * np.eye(len(probabilities)))


def controlled_diagonal(
    matrix: npt.ArrayLike,
    *,
    bounds: tuple[float, float] = DIAGONAL_BOUNDS,
    as_printed: bool = False,
) -> FloatArray:
    """Bring the diagonal into a range, each row for itself.

    Rows below it are mixed with the identity's row (Mares 2013, Eq. 4.6). Rows above it are
    scaled by ``beta = upper / p_kk``, and what is taken from the row is spread evenly over
    its ``L - 1`` other cells (Eq. 4.7, corrected).

    Parameters
    ----------
    matrix : array_like (L, L)
        PRAM matrix.
    bounds : (lower, upper)
        Range of the diagonal, ``0 <= lower <= upper <= 1``.
    as_printed : bool
        Spread over L cells as Eq. 4.7 is printed. Such a row does not sum to 1, so it is
        divided by its sum, after which its diagonal is above the range again.

    Returns
    -------
    float array (L, L)
        A single category has the matrix ``[[1]]`` whatever the range.

    Raises
    ------
    ValueError
        If it is no PRAM matrix, or the bounds are no range within 0..1.

    Examples
    --------
    >>> controlled_diagonal([[0.1, 0.6, 0.3], [0.0, 1.0, 0.0], [0.3, 0.0, 0.7]]).round(3)
    array([[0.55 , 0.3  , 0.15 ],
           [0.125, 0.75 , 0.125],
           [0.3  , 0.   , 0.7  ]])
    """
    lower, upper = check_diagonal_range("bounds", bounds)
    check_flag("as_printed", as_printed)
    controlled = checked_probabilities(matrix).copy()
    size = len(controlled)
    if size == 1:
        return controlled
    diagonal = controlled.diagonal()
    low, high = np.flatnonzero(diagonal < lower), np.flatnonzero(diagonal > upper)
    raised = ((1 - lower) / (1 - diagonal[low]))[:, np.newaxis] * controlled[low]
    scale = (upper / diagonal[high])[:, np.newaxis]
    lowered = scale * controlled[high] + (1 - scale) / (size if as_printed else size - 1)
    controlled[low] = raised
    controlled[low, low] = lower
    controlled[high] = lowered
    controlled[high, high] = upper
    if as_printed:
        controlled[high] /= controlled[high].sum(axis=1, keepdims=True)
    return np.asarray(controlled)


def controlled_invariant(
    matrix: npt.ArrayLike,
    frequencies: npt.ArrayLike,
    *,
    bounds: tuple[float, float] = DIAGONAL_BOUNDS,
    as_printed: bool = False,
) -> FloatArray:
    """Nearest matrix that is invariant and has its diagonal in a range, by linear programming.

    The sum of absolute differences of all entries is least.

    Parameters
    ----------
    matrix : array_like (L, L)
        PRAM matrix, usually an :func:`invariant_matrix`.
    frequencies : array_like (L,)
        Counts or shares of the original categories.
    bounds : (lower, upper)
        Range of the diagonal.
    as_printed : bool
        Eq. 4.6 for the whole matrix, ``alpha R + (1 - alpha) I``, with the least alpha in
        hundredths that leaves no diagonal entry above `upper`: the row "Only Invariance" of
        Mares 2013, Tables 4.8 and 4.9. Entries above `upper` stay as they are, and entries may
        remain below `lower`, where the diagonal varies much. `matrix` has to be invariant then.

    Returns
    -------
    float array (L, L)
        A single category has the matrix ``[[1]]`` whatever the range.

    Raises
    ------
    ValueError
        If an argument is not what it must be, or there is no such matrix (never `as_printed`):
        where nearly all records have one category, it cannot leave often and still stay as
        frequent.

    Examples
    --------
    >>> R = invariant_matrix([[0.7, 0.3], [0.4, 0.6]], [0.5, 0.5])
    >>> controlled_invariant(R, [0.5, 0.5]).round(6)
    array([[0.55, 0.45],
           [0.45, 0.55]])
    >>> controlled_invariant(R, [0.5, 0.5], as_printed=True).round(6)
    array([[0.75, 0.25],
           [0.25, 0.75]])
    >>> controlled_invariant(R, [0.9, 0.1])
    Traceback (most recent call last):
    ...
    ValueError: frequencies: expected an invariant matrix of diagonal 0.55..0.75, ...
    """
    lower, upper = check_diagonal_range("bounds", bounds)
    target = checked_probabilities(matrix)
    size = len(target)
    shares = checked_frequencies(frequencies, n_categories=size)
    shares = shares / shares.sum()
    diagonal = target.diagonal()
    moved = float(np.abs(shares @ target - shares).max())
    if check_flag("as_printed", as_printed):
        if moved > INVARIANT:
            raise ValueError(
                f"matrix: expected an invariant matrix with as_printed=True, "
                f"found one that moves a share by {moved:.3g}"
            )
        return mixed_with_identity(target, _alpha(float(diagonal.max()), upper))
    in_range = np.all((diagonal >= lower) & (diagonal <= upper))
    if size == 1 or (moved <= INVARIANT and in_range):
        return target.copy()
    found = _programmed(target, shares, lower, upper)
    if found is None:
        place = int(np.argmax(shares))
        raise ValueError(
            f"frequencies: expected an invariant matrix of diagonal {lower:g}..{upper:g}, "
            f"found share {shares[place]:.3g} of the records in category {place}"
        )
    return found


def _alpha(largest: float, upper: float) -> float:
    """Least alpha of Eq. 4.6, in hundredths, that leaves the largest diagonal entry in range."""
    if largest >= upper:
        return 1.0
    hundredths = 100 * (1 - upper) / (1 - largest)
    # 55.000000000000007 is 55.
    return min(1.0, math.ceil(round(hundredths, 9)) / 100)


def _programmed(
    target: FloatArray, shares: FloatArray, lower: float, upper: float
) -> FloatArray | None:
    """Solve the linear program for what is added to each entry, and what is taken away."""
    size = len(target)
    equations = _equations(shares)
    diagonal = np.zeros((size, size * size))
    diagonal[np.arange(size), np.arange(size) * (size + 1)] = 1.0
    margin = min(MARGIN, (upper - lower) / 2)
    room = np.concatenate([upper - margin - target.diagonal(), target.diagonal() - lower - margin])
    moved = equations @ target.ravel()
    solved = scipy.optimize.linprog(
        np.ones(2 * size * size),
        A_ub=np.block([[diagonal, -diagonal], [-diagonal, diagonal]]),
        b_ub=room,
        A_eq=np.hstack([equations, -equations]),
        b_eq=np.concatenate([np.ones(size), shares[:-1]]) - moved,
        bounds=[(0.0, most) for most in (*(1 - target.ravel()), *target.ravel())],
        method="highs",
    )
    if solved.status != 0 or solved.x is None:
        return None
    added, taken = np.split(solved.x, 2)
    return _polished(target.ravel() + added - taken, equations, shares)


def _equations(shares: FloatArray) -> FloatArray:
    """Rows sum to 1, and frequencies stay; the last such equation follows from the others."""
    size = len(shares)
    row_sums = np.kron(np.eye(size), np.ones((1, size)))
    flows = np.kron(shares[np.newaxis], np.eye(size))
    return np.vstack([row_sums, flows[:-1]])


def _polished(entries: FloatArray, equations: FloatArray, shares: FloatArray) -> FloatArray:
    """Meet the equations to the last digits: the solver stops at 1e-7 or so."""
    size = len(shares)
    wanted = np.concatenate([np.ones(size), shares[:-1]])
    inside = entries > MARGIN
    matrix = np.where(inside, entries, 0.0)
    for _ in range(2):
        missing = wanted - equations @ matrix
        matrix[inside] += np.linalg.lstsq(equations[:, inside], missing, rcond=None)[0]
    return np.asarray(matrix.reshape(size, size))


def check_diagonal_range(name: str, bounds: object) -> tuple[float, float]:
    """Range of the diagonal of a PRAM matrix, as (lower, upper).

    Raises
    ------
    ValueError
        Unless these are two numbers with ``0 <= lower <= upper <= 1``.
    TypeError
        If one is no number.

    Examples
    --------
    >>> check_diagonal_range("bounds", (0.7, 0.5))
    Traceback (most recent call last):
        ...
    ValueError: bounds: expected 0 <= lower <= upper <= 1, found (0.7, 0.5)
    """
    wrong = f"{name}: expected 0 <= lower <= upper <= 1, found {bounds!r}"
    if not isinstance(bounds, Sequence | np.ndarray) or isinstance(bounds, str):
        raise TypeError(wrong)
    if len(bounds) != 2:
        raise ValueError(wrong)
    lower, upper = (check_number(name, bound) for bound in bounds)
    if not 0 <= lower <= upper <= 1:
        raise ValueError(wrong)
    return lower, upper
