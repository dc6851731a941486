"""The non-dominated set of many solutions."""

from __future__ import annotations

from typing import Any

import moocore
import numpy as np
import numpy.typing as npt


def front_rows(
    X: npt.NDArray[Any], F: npt.NDArray[np.float64], feasible: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int64]:
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
