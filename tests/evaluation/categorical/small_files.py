"""Strategies: small files of categories with a masked version, for the library and its twins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from hypothesis import strategies as st

from anonopt.data.columns.categories import CategoricalColumns
from tests.oracles.masked_files import Column

VALUES = ("a", "b", "c", "d", "e")


@dataclass(frozen=True)
class SmallFiles:
    """An original and a masked version of it."""

    frame: pd.DataFrame
    original: CategoricalColumns
    codes: npt.NDArray[np.int32]

    @property
    def columns(self) -> list[Column]:
        """The columns as the twins take them."""
        return [
            Column(tuple(None if pd.isna(value) else value for value in categories), is_ordinal)
            for categories, is_ordinal in zip(
                self.original.categories, self.original.ordinal, strict=True
            )
        ]

    def records(self, codes: npt.NDArray[Any]) -> list[list[Any]]:
        """Rows of codes as records of values."""
        columns = self.columns
        return [
            [column.categories[code] for column, code in zip(columns, row, strict=True)]
            for row in codes.tolist()
        ]

    @property
    def masked_frame(self) -> pd.DataFrame:
        return self.original.decode(self.codes, self.frame)


@st.composite
def small_files(draw: st.DrawFn, *, max_rows: int = 12, max_columns: int = 4) -> SmallFiles:
    """Nominal and ordinal columns, some with unseen, missing or only one category."""
    n_rows = draw(st.integers(1, max_rows))
    frame = {}
    for j in range(draw(st.integers(1, max_columns))):
        known = VALUES[: draw(st.integers(1, len(VALUES)))]
        cells = st.sampled_from([*known, None] if draw(st.booleans()) else known)
        drawn = draw(st.lists(cells, min_size=n_rows, max_size=n_rows))
        frame[f"column {j}"] = pd.Categorical(drawn, categories=known, ordered=draw(st.booleans()))
    original = CategoricalColumns.of(pd.DataFrame(frame))
    return SmallFiles(pd.DataFrame(frame), original, draw(masked_codes(original)))


@st.composite
def masked_codes(draw: st.DrawFn, original: CategoricalColumns) -> npt.NDArray[np.int32]:
    """A masked version: each cell stays or becomes any category."""
    codes = original.codes.copy()
    for row in range(original.n_rows):
        for column, size in enumerate(original.n_categories):
            if draw(st.booleans()):
                codes[row, column] = draw(st.integers(0, size - 1))
    return codes
