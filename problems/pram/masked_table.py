"""Tables masked with PRAM matrices: the categories these are over, and the draws."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonopt._typing import FloatArray
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.evaluation.pram.pram_draws import AliasTable
from anonopt.evaluation.pram.pram_score import draw_file, full_matrices


def masked_labels(columns: CategoricalColumns, *, mask_missing: bool) -> list[tuple[str, ...]]:
    """Categories of each column that matrices are over: without missing cells, if these stay.

    Parameters
    ----------
    columns : CategoricalColumns
    mask_missing : bool
        Whether missing cells are a category like the others.

    Raises
    ------
    ValueError
        If a column has no category.
    """
    labels = [
        texts[: len(texts) - (missing and not mask_missing)]
        for texts, missing in zip(columns.labels, columns.has_missing, strict=True)
    ]
    for name, texts in zip(columns.names, labels, strict=True):
        if not texts:
            raise ValueError(
                f"columns: expected values in column {name!r}, found missing cells only"
            )
    return labels


def masked_table(
    frame: pd.DataFrame,
    columns: CategoricalColumns,
    matrices: Sequence[FloatArray],
    generator: np.random.Generator,
) -> pd.DataFrame:
    """Mask a table with matrices, all columns independently.

    Parameters
    ----------
    frame : DataFrame (n_rows, ...)
    columns : CategoricalColumns
        Its masked columns.
    matrices : sequence of float arrays (L, L), one a masked column
    generator : numpy Generator

    Returns
    -------
    DataFrame (n_rows, ...)
        Other columns, index and types are the original's.
    """
    tables = [AliasTable.of(matrix) for matrix in full_matrices(columns, matrices)]
    return columns.decode(draw_file(tables, columns.codes, generator), frame)
