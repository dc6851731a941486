"""Rows that agree on every column: the equivalence classes of a table of integer codes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anonopt._typing import AnyIntArray, IntArray

KEY_BITS = 62
"""Bits of a packed key that can be used before the columns have to be re-coded."""


def pack_codes(columns: Sequence[AnyIntArray], radices: Sequence[int]) -> IntArray:
    """Pack several columns of codes into one 64-bit key a row.

    Keys are mixed-radix numbers, the last column fastest, so their order is the
    lexicographic order of the rows. Before a key could need more than 62 bits the part
    packed so far is re-coded by its rank among the rows, so a key never wraps.

    Parameters
    ----------
    columns : sequence of int arrays, each (n_rows,)
        Codes; column ``i`` holds values in ``0..radices[i] - 1``.
    radices : sequence of int
        Number of codes of each column.

    Returns
    -------
    int64 array (n_rows,)
        Equal exactly where the rows are equal, ordered as the rows.

    Raises
    ------
    ValueError
        If there is no column, or the numbers of columns and radices differ.

    Examples
    --------
    >>> import numpy as np
    >>> pack_codes([np.array([0, 1, 1]), np.array([2, 0, 2])], [2, 3]).tolist()
    [2, 3, 5]
    """
    if len(columns) == 0 or len(columns) != len(radices):
        raise ValueError(
            f"radices: expected one a column, and at least one column, "
            f"found {len(columns)} columns and {len(radices)} radices"
        )
    keys = columns[0].astype(np.int64)
    span = int(radices[0])
    for column, radix in zip(columns[1:], radices[1:], strict=True):
        if span * int(radix) >= 1 << KEY_BITS:
            ranks, keys = np.unique(keys, return_inverse=True)
            span = len(ranks)
        keys = keys * np.int64(radix) + column
        span *= int(radix)
    return keys


def group_rows(columns: Sequence[AnyIntArray], radices: Sequence[int]) -> tuple[int, IntArray]:
    """Number the equivalence classes of a table of codes.

    Parameters
    ----------
    columns, radices
        As in :func:`pack_codes`.

    Returns
    -------
    n_classes : int
    inverse : int64 array (n_rows,)
        Class of each row, in lexicographic order of the classes.

    Examples
    --------
    >>> import numpy as np
    >>> group_rows([np.array([4, 0, 4])], [5])
    (2, array([1, 0, 1]))
    """
    distinct, inverse = np.unique(pack_codes(columns, radices), return_inverse=True)
    return len(distinct), inverse
