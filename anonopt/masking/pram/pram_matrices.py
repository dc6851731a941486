"""The Markov matrices that PRAM starts from, by name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from anonopt._checks import check_choice, check_share
from anonopt._typing import FloatArray
from anonopt.data.columns.markov import checked_frequencies

DEFAULT_SHARE = 0.5
"""``p`` and ``theta`` where they are not given: the thesis keeps half of the values."""


def pram_matrix(
    name: str, frequencies: npt.ArrayLike, *, p: float | None = None, theta: float | None = None
) -> FloatArray:
    """Make a PRAM matrix from the frequencies of the categories.

    Parameters
    ----------
    name : {"frequency", "diagonal", "uniform", "maximum_entropy", "identity"}
        ``"frequency"``: every category stays with probability `p`, and becomes each other one
        the more probably the rarer that is (Mares 2013, Eq. 2.3). ``"diagonal"``: frequent
        categories stay more often, ``1 - theta T(K)/T(k)`` with T(K) the least frequency above
        0, and become each other one equally (Eqs. 2.4, 2.5); one of frequency 0, for which the
        equation is undefined, always stays. ``"maximum_entropy"``: every category stays with
        probability `p`, and becomes each other one equally. ``"uniform"``: all entries equal.
        ``"identity"``: nothing changes.
    frequencies : array_like (L,)
        Counts or shares of the categories.
    p : float, optional
        Probability to stay of ``"frequency"`` and ``"maximum_entropy"``, in 0..1; by default
        0.5. Of no use to the others.
    theta : float, optional
        Of ``"diagonal"``, in 0..1; by default 0.5. Of no use to the others.

    Returns
    -------
    float array (L, L)
        Rows sum to 1 within 1e-12. A single category has the matrix ``[[1]]``.

    Raises
    ------
    ValueError
        If the name is unknown, an option is out of its range or not one of the matrix, or the
        frequencies are no frequencies.

    Notes
    -----
    Eq. 2.3 has 0/0 in two cases: of two categories the other one gets all of ``1 - p``, and
    where all records have one category its row is that of ``"maximum_entropy"``.

    Examples
    --------
    The third row of Mares 2013, Table 4.1:

    >>> degrees = [98, 173, 251, 195, 170, 80, 33, 0]
    >>> pram_matrix("frequency", degrees, p=0.5)[2].round(3)
    array([0.072, 0.064, 0.5  , 0.062, 0.064, 0.074, 0.08 , 0.083])
    >>> pram_matrix("diagonal", [1, 2, 0], theta=0.5)
    array([[0.5  , 0.25 , 0.25 ],
           [0.125, 0.75 , 0.125],
           [0.   , 0.   , 1.   ]])
    """
    make, parameter = _MATRICES[check_choice("matrix", name, _MATRICES)]
    given = {"p": p, "theta": theta}
    unused = [key for key, value in given.items() if value is not None and key != parameter]
    if unused:
        known = f"only {parameter}" if parameter else "no parameter"
        raise ValueError(f"matrix {name!r}: expected {known}, found {unused[0]}")
    share = given.get(parameter or "")
    share = DEFAULT_SHARE if share is None else share
    check_share(parameter or "share", share)
    counts = checked_frequencies(frequencies)
    return np.ones((1, 1)) if len(counts) == 1 else make(counts, share)


def _frequency(counts: FloatArray, p: float) -> FloatArray:
    size, total = len(counts), counts.sum()
    if size == 2:
        return _maximum_entropy(counts, p)
    others = total - counts
    # Row k: how rare category l is among the categories other than k. Shares that sum to 1 may
    # leave a difference just below 0.
    rare = np.maximum(total - counts[:, np.newaxis] - counts, 0.0)
    alone = others == 0
    scale = (size - 2) * np.where(alone, 1.0, others)
    matrix = (1 - p) * rare / scale[:, np.newaxis]
    matrix[alone] = (1 - p) / (size - 1)
    np.fill_diagonal(matrix, p)
    return np.asarray(matrix)


def _diagonal(counts: FloatArray, theta: float) -> FloatArray:
    leaving = np.zeros(len(counts))
    np.divide(theta * counts[counts > 0].min(), counts, out=leaving, where=counts > 0)
    matrix = np.repeat(leaving[:, np.newaxis] / (len(counts) - 1), len(counts), axis=1)
    np.fill_diagonal(matrix, 1 - leaving)
    return matrix


def _maximum_entropy(counts: FloatArray, p: float) -> FloatArray:
    size = len(counts)
    matrix = np.full((size, size), (1 - p) / (size - 1))
    np.fill_diagonal(matrix, p)
    return matrix


def _uniform(counts: FloatArray, share: float) -> FloatArray:
    return np.full((len(counts), len(counts)), 1 / len(counts))


def _identity(counts: FloatArray, share: float) -> FloatArray:
    return np.eye(len(counts))


_MATRICES: dict[str, tuple[Callable[[FloatArray, float], FloatArray], str | None]] = {
    "frequency": (_frequency, "p"),
    "diagonal": (_diagonal, "theta"),
    "uniform": (_uniform, None),
    "maximum_entropy": (_maximum_entropy, "p"),
    "identity": (_identity, None),
}
