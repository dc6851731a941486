"""The non-dominated set of many solutions."""

from __future__ import annotations

import moocore
import numpy as np

from anonopt._typing import AnyArray, BoolArray, FloatArray, IntArray


def front_rows(X: AnyArray, F: FloatArray, feasible: BoolArray) -> IntArray:
    """Rows of the feasible non-dominated solutions, sorted by objectives, then by genome.

    Parameters
    ----------
    X : array (n, n_var)
        Distinct genomes.
    F : float array (n, n_obj)
        Minimized objectives.
    feasible : bool array (n,)

    Returns
    -------
    int64 array (n_front,)
        Solutions with equal objectives are all in it. Genomes that have no order (objects)
        stay in the order given.

    Examples
    --------
    >>> import numpy as np
    >>> F = np.array([[2.0, 1.0], [1.0, 2.0], [2.0, 2.0], [0.0, 0.0]])
    >>> front_rows(np.arange(4)[:, None], F, np.array([True, True, True, False]))
    array([1, 0])
    """
    rows = np.flatnonzero(feasible)
    if len(rows):
        rows = rows[moocore.is_nondominated(F[rows], keep_weakly=True)]
    keys = list(F[rows].T) if X.dtype == object else [*F[rows].T, *X[rows].T]
    return rows[np.lexsort(keys[::-1])]
