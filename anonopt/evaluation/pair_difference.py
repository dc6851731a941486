"""How far PRAM of one column moves the counts it has together with another column."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from anonopt.data.categories import CategoricalColumns
from anonopt.data.markov import FloatArray
from anonopt.evaluation.expected_counts import expected_differences
from anonopt.evaluation.pram_draws import CommonDraws, draw_table
from anonopt.evaluation.pram_score import DRAWS, full_matrices


def bivariate_difference(original: npt.ArrayLike, masked: npt.ArrayLike) -> float:
    """Difference of two tables of counts, as a share of the largest possible one.

    Mares 2013, Eq. 4.5: ``100 * sum |original - masked| / (2 * N)``.

    Parameters
    ----------
    original, masked : array_like of one shape
        Counts of N records each.

    Returns
    -------
    float, 0..100, less is better

    Raises
    ------
    ValueError
        If the shapes differ, or the numbers of records.

    Examples
    --------
    >>> bivariate_difference([[3, 1], [0, 0]], [[0, 0], [3, 1]])
    100.0
    """
    one, other = (np.asarray(table, dtype=np.float64) for table in (original, masked))
    if one.shape != other.shape or not np.isclose(one.sum(), other.sum()):
        raise ValueError(
            f"expected tables of one shape and as many records, found {one.sum():g} records in "
            f"{one.shape} and {other.sum():g} in {other.shape}"
        )
    return float(100 * np.abs(one - other).sum() / (2 * one.sum()))


class PairDifference:
    """Bivariate difference that a PRAM matrix of one column makes, by draws or by expectation.

    Tables are drawn, not records, so it does not matter how many records there are.

    Parameters
    ----------
    columns : CategoricalColumns
        Two columns: the one to be masked, and the one it is crossed with, which stays.
    seed, draws, common, expected
        As in :class:`~anonopt.evaluation.PRAMScore`. The expectation takes masked counts as
        normally distributed.

    Attributes
    ----------
    counts : int64 array (L, M)
        Records by category of the first and the second column.

    Raises
    ------
    ValueError
        If there are not two columns.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"zone": list("aabb") * 25, "owner": list("ynyn") * 25})
    >>> pair = PairDifference(CategoricalColumns.of(frame), expected=True)
    >>> pair.difference(np.eye(2)), round(pair.difference(np.full((2, 2), 0.5)), 2)
    (0.0, 5.64)
    """

    def __init__(
        self,
        columns: CategoricalColumns,
        *,
        seed: int = 0,
        draws: int = DRAWS,
        common: bool = False,
        expected: bool = False,
    ) -> None:
        if columns.n_columns != 2:
            raise ValueError(f"expected 2 columns, found {list(columns.names)}")
        self.columns = columns
        self.seed, self.draws, self.common, self.expected = seed, draws, common, expected
        self.counts = self._crossed(columns.codes[:, 0])
        generator = np.random.default_rng(seed)
        self._common = [
            CommonDraws(columns.codes[:, 0], columns.n_categories[0], generator)
            for _ in range(draws if common and not expected else 0)
        ]

    def difference(self, matrix: npt.ArrayLike) -> float:
        """Mean over the draws, or expectation, of the difference; 0..100, less is better.

        Parameters
        ----------
        matrix : array_like (L, L)
            Of the first column.

        Raises
        ------
        ValueError
            If it is no Markov matrix over the categories of the column.
        """
        full, other = full_matrices(self.columns, [matrix, None])
        if self.expected:
            total = expected_differences(self.counts.astype(np.float64), [full, other])
            return 100 * total / (2 * self.columns.n_rows)
        tables = self._tables(full)
        return float(np.mean([bivariate_difference(self.counts, table) for table in tables]))

    def _tables(self, matrix: FloatArray) -> list[npt.NDArray[np.int64]]:
        if self.common:
            return [self._crossed(draws.draw(matrix)) for draws in self._common]
        digest = hashlib.sha256((matrix + 0.0).astype("<f8").tobytes()).digest()
        generator = np.random.default_rng([self.seed, *np.frombuffer(digest, "<u8").tolist()])
        drawn = (draw_table(matrix, self.counts, generator) for _ in range(self.draws))
        return [table.sum(axis=0).T for table in drawn]

    def _crossed(self, codes: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Table of the first column, as these codes, and the second one."""
        first, second = self.columns.n_categories
        keys = codes.astype(np.int64) * second + self.columns.codes[:, 1]
        return np.bincount(keys, minlength=first * second).reshape(first, second)
