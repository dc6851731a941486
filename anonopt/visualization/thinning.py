"""Few of many things along a picture or a table, so that it can be read."""

from __future__ import annotations

import numpy as np

from anonopt._typing import IntArray


def evenly_spaced(n: int, most: int) -> IntArray:
    """Positions of so many of n things at most, evenly and with the first and the last.

    Parameters
    ----------
    n, most : int
        At least 0; of a single position it is the first.

    Returns
    -------
    int64 array (min(n, most),)
        Rising; all positions if they are few enough.

    Examples
    --------
    >>> evenly_spaced(9, 3).tolist(), evenly_spaced(2, 3).tolist()
    ([0, 4, 8], [0, 1])
    """
    return np.linspace(0, n - 1, min(n, most)).round().astype(np.int64)
