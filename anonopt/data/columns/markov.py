"""Markov matrices over the categories of a column: what PRAM changes values by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt._typing import AnyArray, FloatArray
from anonopt.data.column_values import ColumnValues
from anonopt.data.equal_values import equal_keys
from anonopt.data.immutable import Immutable
from anonopt.data.values import MISSING, as_texts

TOLERANCE = 1e-12
"""A row sums to 1 within this."""


@dataclass(frozen=True, eq=False)
class MarkovMatrix(Immutable):
    """Probabilities of each category of a column to become each other one.

    Made by :meth:`of`. Immutable and shared; usable wherever numpy takes an array.

    Attributes
    ----------
    probabilities : float array (L, L), read-only
        Row i, column j: probability that category i becomes category j. Rows sum to 1.
    labels : tuple of L texts
        The categories, in the order of the codes.

    References
    ----------
    Mares 2013, Section 2.3.1.

    Examples
    --------
    >>> matrix = MarkovMatrix.of([[0.7, 0.3], [0.4, 0.6]], labels=["a", "b"])
    >>> matrix.to_frame()
         a    b
    a  0.7  0.3
    b  0.4  0.6
    >>> MarkovMatrix.of([[0.7, 0.4], [0.4, 0.6]], labels=["a", "b"])
    Traceback (most recent call last):
    ...
    ValueError: matrix: expected rows that sum to 1, found sum 1.1 in row 'a'
    """

    _arrays = ("probabilities",)

    probabilities: FloatArray
    labels: tuple[str, ...]

    @classmethod
    def of(
        cls, matrix: Any, *, labels: Iterable[object] | None = None, name: str = "matrix"
    ) -> MarkovMatrix:
        """Check a matrix and put the labels of its categories to it.

        Parameters
        ----------
        matrix : array_like (L, L), DataFrame or MarkovMatrix
            A DataFrame brings the labels along as its index and its columns.
        labels : sequence of L values, optional
            Categories in the order of the rows; must be those the matrix brings along, in the
            same order. By default those, or ``0..L - 1``.
        name : str
            How errors call the matrix.

        Raises
        ------
        ValueError
            If it is not square or of another size than the labels, an entry is negative or not
            finite, a row does not sum to 1 within 1e-12, a label occurs twice, or the labels
            are others, or in another order, than those of the matrix.
        """
        wanted = None if labels is None else tuple(as_texts(labels, f"{name}: labels"))
        own = _labels_of(matrix, name)
        if wanted is not None and own is not None and not _are_equal(name, own, wanted):
            raise ValueError(
                f"{name}: expected the categories {list(wanted)} in this order, found {list(own)}"
            )
        chosen = own if wanted is None else wanted
        checked = checked_probabilities(matrix, labels=chosen, name=name)
        texts = chosen if chosen is not None else tuple(map(str, range(len(checked))))
        if len(set(texts)) < len(texts):
            twice = next(text for i, text in enumerate(texts) if text in texts[:i])
            raise ValueError(f"{name}: expected each label once, found {twice!r} twice")
        return cls(checked, texts)

    @property
    def n_categories(self) -> int:
        """Number of categories, L."""
        return len(self.labels)

    def to_frame(self) -> pd.DataFrame:
        """The matrix as a table with the labels as index and columns."""
        labels = list(self.labels)
        return pd.DataFrame(self.probabilities.copy(), index=labels, columns=labels)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> AnyArray:
        if copy:
            return np.array(self.probabilities, dtype=dtype)
        return np.asarray(self.probabilities, dtype=dtype)


def checked_probabilities(
    matrix: Any, *, labels: Sequence[str] | None = None, name: str = "matrix"
) -> FloatArray:
    """Copy of a Markov matrix, once it is one.

    Parameters
    ----------
    matrix : array_like (L, L)
    labels : sequence of str, optional
        Names of the rows, as many as there must be; errors call a row by its label.
    name : str
        How errors call the matrix.

    Returns
    -------
    float array (L, L), read-only

    Raises
    ------
    ValueError
        If the shape, a sign or the sum of a row is not that of a Markov matrix.
    """
    try:
        found = np.array(matrix, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{name}: expected rows of numbers, all of one length, found {matrix!r} ({error})"
        ) from error
    size = (found.shape or (0,))[0] if labels is None else len(labels)
    if found.shape != (size, size) or size == 0:
        expected = "a square matrix" if labels is None else f"shape {(size, size)}"
        raise ValueError(f"{name}: expected {expected}, found shape {found.shape}")
    row_names = [repr(label) for label in labels] if labels else list(map(str, range(size)))
    wrong = ~(np.isfinite(found) & (found >= 0))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ValueError(
            f"{name}: expected probabilities of at least 0, found {found[row, column]} "
            f"in row {row_names[row]}, column {row_names[column]}"
        )
    sums = found.sum(axis=1)
    off = np.abs(sums - 1) > TOLERANCE
    if off.any():
        row = int(np.argmax(off))
        raise ValueError(
            f"{name}: expected rows that sum to 1, found sum {sums[row]:.13g} "
            f"in row {row_names[row]}"
        )
    found.flags.writeable = False
    return found


def checked_frequencies(
    frequencies: npt.ArrayLike, *, n_categories: int | None = None, all_zero: bool = False
) -> FloatArray:
    """Frequencies of categories as floats, once they are some.

    Parameters
    ----------
    frequencies : array_like (L,)
        Counts or shares of the categories.
    n_categories : int, optional
        L, if it is known.
    all_zero : bool
        Whether all of them may be 0.

    Raises
    ------
    ValueError
        If there are none or not L of them, one is negative or not finite, or all are 0 and must
        not be.
    """
    found = np.array(frequencies, dtype=np.float64)
    if found.ndim != 1 or len(found) == 0 or n_categories not in (None, len(found)):
        expected = "a list of numbers" if n_categories is None else f"shape ({n_categories},)"
        raise ValueError(f"frequencies: expected {expected}, found shape {found.shape}")
    wrong = ~(np.isfinite(found) & (found >= 0))
    if wrong.any():
        place = int(np.argmax(wrong))
        raise ValueError(
            f"frequencies: expected numbers of at least 0, found {found[place]} at position {place}"
        )
    if not all_zero and not found.any():
        raise ValueError("frequencies: expected at least one above 0, found only zeros")
    return found


def _labels_of(matrix: Any, name: str) -> tuple[str, ...] | None:
    if isinstance(matrix, MarkovMatrix):
        return matrix.labels
    if not isinstance(matrix, pd.DataFrame):
        return None
    rows = tuple(as_texts(matrix.index, f"{name}: index"))
    columns = tuple(as_texts(matrix.columns, f"{name}: columns"))
    if not _are_equal(name, rows, columns):
        raise ValueError(
            f"{name}: expected rows and columns of the same categories in the same order, "
            f"found rows {list(rows)} and columns {list(columns)}"
        )
    return rows


def _are_equal(name: str, one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether labels are equal, however they are written."""
    if [label == MISSING for label in one] != [label == MISSING for label in other]:
        return False
    lists = [ColumnValues.of_list(own, "labels") for own in (one, other)]
    keys, others = equal_keys(name, *lists, is_lookup=True)
    return keys == others
