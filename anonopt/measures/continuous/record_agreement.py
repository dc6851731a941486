"""In which columns numeric records agree: for probabilistic linkage of numeric files.

Masked numbers are hardly ever equal to any original, so equality says nothing there. Two records
agree in a column if their ranks among the originals differ by no more than a window: the rank
intervals of interval disclosure.
"""

from __future__ import annotations

import numpy as np

from anonopt._typing import CodeArray

AGREEMENT = 5.0
"""CodeArray agree within this percent of the rows: the middle of the intervals of disclosure."""


def agreement_rows(
    masked: CodeArray, original: CodeArray, window: int
) -> tuple[CodeArray, CodeArray]:
    """Originals by the columns in which they agree with each masked record.

    Parameters
    ----------
    masked : int32 array (n, n_columns)
        Doubled ranks of masked records.
    original : int32 array (n_columns, n_rows), in row-major order
        Doubled ranks of the originals, one row a column.
    window : int
        Largest difference of doubled ranks that is an agreement.

    Returns
    -------
    patterns, counts : int32 arrays (n, width)
        Patterns that occur (bit j is set where column j agrees), and how many originals have
        each. Rows of fewer patterns are filled with their first one, of count 0.

    Examples
    --------
    >>> masked = np.array([[2, 9]], dtype=np.int32)
    >>> original = np.array([[2, 4, 6], [2, 4, 6]], dtype=np.int32)
    >>> [part.tolist() for part in agreement_rows(masked, original, 3)]
    [[[1, 2]], [[2, 1]]]
    """
    n, n_columns = masked.shape
    bits = np.zeros((n, original.shape[1]), dtype=np.int32)
    for column in range(n_columns):
        apart = np.abs(original[column] - masked[:, column, np.newaxis])
        bits |= np.left_shift(apart <= window, column, dtype=np.int32)
    bits.sort(axis=1)
    starts = np.ones(bits.shape, dtype=bool)
    starts[:, 1:] = bits[:, 1:] != bits[:, :-1]
    row, first = np.nonzero(starts)
    ends = np.append(first[1:], 0)
    ends[np.append(row[1:] != row[:-1], True)] = bits.shape[1]
    n_patterns = starts.sum(axis=1)
    place = np.arange(len(row)) - np.repeat(np.cumsum(n_patterns) - n_patterns, n_patterns)
    width = int(n_patterns.max())
    patterns = np.repeat(bits[:, :1], width, axis=1)
    counts = np.zeros((n, width), dtype=np.int32)
    patterns[row, place] = bits[row, first]
    counts[row, place] = ends - first
    return patterns, counts


def own_patterns(masked: CodeArray, original: CodeArray, window: int) -> CodeArray:
    """Columns in which masked records agree with their own original.

    Parameters
    ----------
    masked, original : int32 arrays (n, n_columns)
        Doubled ranks of the same records.
    window : int

    Returns
    -------
    int32 array (n,)
    """
    agrees = np.abs(masked - original) <= window
    return np.asarray((agrees << np.arange(masked.shape[1])).sum(axis=1), dtype=np.int32)
