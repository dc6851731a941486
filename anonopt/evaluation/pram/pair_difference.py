"""How far PRAM of one column moves the counts it has together with another column."""

from __future__ import annotations

import copy

import numpy as np
import numpy.typing as npt

from anonopt._checks import check_integer
from anonopt._typing import AnyArray, FloatArray, IntArray
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.evaluation.pram.expected_counts import expected_differences
from anonopt.evaluation.pram.pram_draws import CommonDraws, draw_table
from anonopt.evaluation.pram.pram_score import (
    DRAWS,
    check_own_draws,
    full_matrices,
    matrices_digest,
)
from anonopt.measures.categorical.bivariate import bivariate_difference


class PairDifference:
    """Bivariate difference that a PRAM matrix of one column makes, by draws or by expectation.

    Tables are drawn, not records, so it does not matter how many records there are.

    Parameters
    ----------
    masked, crossed : CategoricalColumns
        One column each of the same file: the one to be masked, and the one it is crossed with,
        which stays.
    seed, draws, common, expected
        As in :class:`~anonopt.evaluation.PRAMScore`. The expectation takes masked counts as
        normally distributed.

    Attributes
    ----------
    counts : int64 array (L, M)
        Records by category of the masked and of the crossed column.

    Raises
    ------
    ValueError
        If either is not one column, or their rows differ in number.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"zone": list("aabb") * 25, "owner": list("ynyn") * 25})
    >>> zone, owner = (CategoricalColumns.of(frame, columns=[name]) for name in frame)
    >>> pair = PairDifference(zone, owner, expected=True)
    >>> pair.difference(np.eye(2)), round(pair.difference(np.full((2, 2), 0.5)), 2)
    (0.0, 5.64)
    """

    def __init__(
        self,
        masked: CategoricalColumns,
        crossed: CategoricalColumns,
        *,
        seed: int = 0,
        draws: int = DRAWS,
        common: bool = False,
        expected: bool = False,
    ) -> None:
        shapes = masked.codes.shape, crossed.codes.shape
        if shapes != ((masked.n_rows, 1),) * 2:
            raise ValueError(f"expected two single columns of one file, found shapes {shapes}")
        self.masked, self.crossed = masked, crossed
        self.seed, self.draws, self.common, self.expected = seed, draws, common, expected
        self._source = [seed]
        codes, (size,) = masked.codes[:, 0], masked.n_categories
        self.counts = self._table(codes)
        generator = np.random.default_rng(seed)
        n_common = draws if common and not expected else 0
        self._common = [CommonDraws(codes, size, generator) for _ in range(n_common)]

    def difference(self, matrix: npt.ArrayLike) -> float:
        """Mean over the draws, or expectation, of the difference; 0..100, less is better.

        Parameters
        ----------
        matrix : array_like (L, L)
            Of the masked column, as for `PRAMScore`.

        Raises
        ------
        ValueError
            If it is no Markov matrix over the categories of the column.
        """
        (full,) = full_matrices(self.masked, [matrix])
        if self.expected:
            stays = np.eye(self.counts.shape[1])
            total = expected_differences(self.counts.astype(np.float64), [full, stays])
            return 100 * total / (2 * self.masked.n_rows)
        tables = self._tables(full)
        return float(np.mean([bivariate_difference(self.counts, table) for table in tables]))

    def redrawn(self, occasion: int) -> PairDifference:
        """The same measure by other draws, see `PRAMScore.redrawn`.

        Parameters
        ----------
        occasion : int

        Raises
        ------
        ValueError
            If candidates have no draws of their own.
        """
        check_own_draws(common=self.common, expected=self.expected)
        twin = copy.copy(self)
        twin._source = [self.seed, check_integer("occasion", occasion, least=0)]
        return twin

    def describe(self) -> str:
        """Text of all that the difference depends on, for fingerprints."""
        options = "expected" if self.expected else (*self._source, self.draws, self.common)
        return f"{self.masked.fingerprint} {self.crossed.fingerprint} {options}"

    def _tables(self, matrix: FloatArray) -> list[IntArray]:
        if self.common:
            return [self._table(draws.draw(matrix)) for draws in self._common]
        generator = np.random.default_rng([*self._source, *matrices_digest([matrix])])
        drawn = (draw_table(matrix, self.counts, generator) for _ in range(self.draws))
        return [table.sum(axis=0).T for table in drawn]

    def _table(self, codes: AnyArray) -> IntArray:
        """Counts of the masked column, with these codes, and the crossed one."""
        (size,), (n_crossed,) = self.masked.n_categories, self.crossed.n_categories
        keys = codes.astype(np.int64) * n_crossed + self.crossed.codes[:, 0]
        return np.bincount(keys, minlength=size * n_crossed).reshape(size, n_crossed)
