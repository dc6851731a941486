"""A file that is masked by PRAM matrices: categories, frequencies, draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from anonopt._checks import as_generator
from anonopt._typing import FloatArray, RandomState
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.data.columns.markov import MarkovMatrix
from anonopt.data.columns.masked_columns import MaskingSet, masked_columns
from anonopt.evaluation.pram.pram_draws import AliasTable
from anonopt.evaluation.pram.pram_score import draw_file, full_matrices


@dataclass(frozen=True)
class MaskedTable:
    """What problems know of the file that matrices mask, all columns independently.

    Attributes
    ----------
    frame : DataFrame (n_rows, ...)
    columns : CategoricalColumns
        The masked columns as codes.
    labels : list of tuples of str, one a column
        Categories that matrices are over: without missing cells, if these stay.
    frequencies : list of float arrays (L,), one a column
        Records of these categories.
    """

    frame: pd.DataFrame
    columns: CategoricalColumns
    labels: list[tuple[str, ...]]
    frequencies: list[FloatArray]

    @classmethod
    def of(
        cls,
        original: pd.DataFrame | MaskingSet,
        *,
        columns: Sequence[Any] | None,
        ordinal: Mapping[Any, Sequence[object] | None] | None,
        mask_missing: bool = False,
    ) -> MaskedTable:
        """A table, or a set, and its columns to mask.

        Parameters
        ----------
        original, columns, ordinal
            As in :func:`~anonopt.data.masked_columns`.
        mask_missing : bool
            Whether missing cells are a category like the others.

        Raises
        ------
        ValueError
            If a column has no category, or the columns are not those of the file.
        """
        masked = masked_columns(original, columns=columns, ordinal=ordinal)
        coded = masked.categorical
        labels = [
            texts[: len(texts) - (missing and not mask_missing)]
            for texts, missing in zip(coded.labels, coded.has_missing, strict=True)
        ]
        for name, texts in zip(coded.names, labels, strict=True):
            if not texts:
                raise ValueError(
                    f"columns: expected values in column {name!r}, found missing cells only"
                )
        frequencies = [
            np.bincount(codes, minlength=len(texts))[: len(texts)].astype(np.float64)
            for codes, texts in zip(coded.codes.T, labels, strict=True)
        ]
        return cls(masked.frame, coded, labels, frequencies)

    def labelled(self, matrices: Sequence[FloatArray]) -> list[MarkovMatrix]:
        """Matrices (L, L), one a masked column, with the labels of their columns."""
        pairs = zip(matrices, self.labels, strict=True)
        return [MarkovMatrix.of(matrix, labels=labels) for matrix, labels in pairs]

    def masked(self, matrices: Sequence[FloatArray], random_state: RandomState) -> pd.DataFrame:
        """The table masked with matrices; other columns, index and types are the original's.

        Parameters
        ----------
        matrices : sequence of float arrays (L, L), one a masked column
        random_state : int or numpy Generator

        Returns
        -------
        DataFrame (n_rows, ...)
        """
        generator = as_generator(random_state)
        tables = [AliasTable.of(matrix) for matrix in full_matrices(self.columns, matrices)]
        return self.columns.decode(draw_file(tables, self.columns.codes, generator), self.frame)
