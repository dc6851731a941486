"""Rows that come one batch after the other."""

from __future__ import annotations

import numpy as np

from anonopt._typing import AnyArray


class GrowingArray:
    """Rows appended at the end in constant time on average.

    Examples
    --------
    >>> import numpy as np
    >>> rows = GrowingArray()
    >>> rows.extend(np.array([[1, 2], [3, 4]]))
    >>> rows.extend(np.array([[5.5, 6.0]]))
    >>> rows.view()
    array([[1. , 2. ],
           [3. , 4. ],
           [5.5, 6. ]])
    """

    def __init__(self) -> None:
        self._rows: AnyArray | None = None
        self._length = 0

    def extend(self, rows: AnyArray) -> None:
        """Append rows, an array (n, ...); the type of the whole grows to hold them."""
        length = self._length + len(rows)
        old = rows[:0] if self._rows is None else self._rows
        dtype = np.result_type(old.dtype, rows.dtype)
        if self._rows is None or length > len(old) or dtype != old.dtype:
            capacity = max(length, 2 * len(old))
            self._rows = np.empty((capacity, *rows.shape[1:]), dtype=dtype)
            self._rows[: self._length] = old[: self._length]
        self._rows[self._length : length] = rows
        self._length = length

    def view(self) -> AnyArray:
        """Read-only view of the rows so far, an array (n, ...)."""
        if self._rows is None:
            return np.empty(0)
        rows = self._rows[: self._length]
        rows.flags.writeable = False
        return rows

    def __len__(self) -> int:
        return self._length
