"""Property vectors and quality indices (Dewri 2010, Section 4).

A property vector holds one number a row; a binary quality index compares the vectors of two
generalizations of the same table.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from anonopt._typing import FloatArray
from anonopt.measures.lattice.class_table import RowClasses

Property = Callable[[RowClasses], npt.ArrayLike]
QualityIndex = Callable[[FloatArray, FloatArray], float]


def class_size(rows: RowClasses) -> FloatArray:
    """Size of each row's equivalence class, (n_rows,); more is better."""
    return rows.classes.sizes[rows.class_of_row].astype(np.float64)


def sensitive_count(rows: RowClasses) -> FloatArray:
    """Count of each row's own sensitive value in its class, (n_rows,); more is better.

    Raises
    ------
    ValueError
        If the table has no sensitive column.
    """
    counts = rows.classes.counted_sensitive()
    if rows.sensitive_codes is None:
        raise ValueError("the sensitive values of the rows are not known")
    return counts.at(rows.class_of_row, rows.sensitive_codes).astype(np.float64)


PROPERTIES: dict[str, Property] = {"class_size": class_size, "sensitive_count": sensitive_count}
"""Property vectors that have a name."""


def spread(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Binary spread index: sum over rows of ``max(p_first - p_second, 0)``.

    The first generalization is better than the second if ``spread(a, b) > spread(b, a)``,
    which is so exactly if the sum of its vector is larger (Dewri 2010, Section 4.1).

    Parameters
    ----------
    first, second : arrays (n_rows,)
        Property vectors of the same rows; more is better.

    Raises
    ------
    ValueError
        If the vectors differ in length.

    Examples
    --------
    >>> spread([3, 3, 3, 1], [2, 2, 4, 4]), spread([2, 2, 4, 4], [3, 3, 3, 1])
    (2.0, 4.0)
    """
    left, right = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if left.shape != right.shape or left.ndim != 1:
        raise ValueError(
            f"property vectors: expected two of the same length, found shapes "
            f"{left.shape} and {right.shape}"
        )
    return float(np.maximum(left - right, 0).sum())
