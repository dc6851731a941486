"""Room that compiled cuts work in.

It is made here, so that kernels make no arrays of their own and need not count references.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

Arrays: TypeAlias = tuple[np.ndarray[Any, Any], ...]


def cut_room(
    n_units: int, n_columns: int, most_children: int, *, n_words: int, n_path_words: int
) -> tuple[Arrays, Arrays, Arrays, Arrays, Arrays]:
    """Arrays for the cuts of some units; for what is in them see `kernel_parts`.

    Parameters
    ----------
    n_units, n_columns : int
    most_children : int
        Of any label.
    n_words, n_path_words : int
        Words of a set of sensitive values, and of the paths of a unit.

    Returns
    -------
    pieces, group, rest, children, others : tuples of arrays
    """
    n_children = n_columns * most_children
    pieces = (
        np.empty(2 * n_units, dtype=np.int32),
        np.empty(2 * n_units, dtype=np.int64),
        np.empty((n_path_words, 2 * n_units), dtype=np.uint64),
    )
    children = (
        np.empty((n_columns + 1, 4), dtype=np.uint64),
        np.empty(n_children + 1, dtype=np.int64),
        np.empty(n_children + 1, dtype=np.int64),
        np.empty((n_children, n_words), dtype=np.uint64),
        np.empty(most_children, dtype=np.int64),
        np.empty(most_children + 1, dtype=np.int64),
    )
    others = (
        np.empty(n_path_words, dtype=np.uint64),
        np.empty((n_units + 1, 3), dtype=np.int64),
        np.empty(n_words, dtype=np.uint64),
        np.empty(n_columns, dtype=bool),
    )
    return pieces, _described(n_columns), _described(n_columns), children, others


def _described(n_columns: int) -> Arrays:
    """Lows, highs, and the rest of what is known of a group."""
    lows, highs = (np.empty(n_columns, dtype=np.int32) for _ in range(2))
    return lows, highs, np.zeros((n_columns, 5), dtype=np.int64)
