"""Rows that were counted elsewhere: each combination of values once, with its number of rows."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from anonopt._checks import unknown
from anonopt._registry import engine
from anonopt._typing import IntArray
from anonopt.sources.arrow.arrow_values import as_series
from anonopt.sources.pandas_source import PandasSource
from anonopt.sources.source import Source

ROWS = 1 << 19
"""Combinations that are read at a time."""


class CountedSource(PandasSource):
    """Combinations of values with the number of rows of each.

    What a warehouse gives for ``SELECT columns, COUNT(*) ... GROUP BY columns``. It has the values
    and the counts of the rows themselves, so whatever is a formula of classes is the same; rows
    cannot be written.

    Parameters
    ----------
    frame : DataFrame (n_combinations, n_columns + 1)
        Not to be written to; a combination may stand in several places.
    count : column
        Number of rows of each combination: whole numbers of at least 1, which may be text.
    name : str
        What messages call the frame.

    Raises
    ------
    ValueError
        If there is no such column, or a cell of it is no such number.

    Examples
    --------
    >>> frame = pd.DataFrame({"age": [39, 21], "n": [1, 4]})
    >>> source = CountedSource(frame, count="n")
    >>> source.n_rows, source.distinct("age").values.tolist(), source.distinct("age").counts
    (5, [21, 39], array([4, 1]))
    """

    def __init__(self, frame: pd.DataFrame, *, count: Hashable, name: str = "a frame") -> None:
        super().__init__(frame)
        self._count, self._name = count, name
        kinds = PandasSource(frame).columns
        if count not in kinds:
            raise ValueError(f"count: {unknown('column', count, [str(name) for name in kinds])}")
        self._kinds = {column: kind for column, kind in kinds.items() if column != count}
        self._counted = _whole_numbers(frame[count], count)

    @classmethod
    def of(cls, source: Source, *, count: Hashable) -> CountedSource:
        """The combinations that another source has as its rows; they are brought into memory.

        Parameters
        ----------
        source : Source
        count : column
        """
        arrow = engine("pyarrow", f"reading {source!r}")
        batches, columns = list(source.batches(ROWS)), {}
        for field in source.schema:
            # Text comes as codes and values.
            chunks = [batch[field.name].cast(field.type) for batch in batches]
            cells = arrow.chunked_array(chunks, type=field.type).combine_chunks()
            columns[field.name] = as_series(cells, field.type)
        return cls(pd.DataFrame(columns), count=count, name=repr(source))

    @property
    def numbers(self) -> IntArray:
        """See `PandasSource.numbers`."""
        return self._counted

    @property
    def columns(self) -> Mapping[Hashable, str]:
        """See `Source.columns`; the counts are none of them."""
        return self._kinds

    @cached_property
    def n_rows(self) -> int:
        """Rows that were counted."""
        # The sum of many large counts does not fit into 64 bits.
        return sum(self._counted.tolist())

    @property
    def schema(self) -> NoReturn:
        """Refused.

        Raises
        ------
        ValueError
        """
        raise ValueError(
            f"{self!r}: expected the rows themselves, as they are to be read one by one, found "
            "their counts; apply the node where the rows are (docs: Rows that stay in a warehouse)"
        )

    def batches(self, rows: int, *, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """Refused; see `schema`."""
        return self.schema

    @property
    def is_ordered(self) -> bool:
        """Counts have no order of rows."""
        return False

    def __repr__(self) -> str:
        return f"the counts {self._count!r} of {len(self._counted)} combinations in {self._name}"


def _whole_numbers(cells: pd.Series[Any], count: Hashable) -> IntArray:
    """Numbers of rows, checked."""
    kind = cells.cat.categories.dtype if isinstance(cells.dtype, pd.CategoricalDtype) else None
    kind = cells.dtype if kind is None else kind
    if pd.api.types.is_bool_dtype(kind):
        raise ValueError(f"column {count!r}: expected numbers of rows, found truth values")
    if kind.kind in "mMc":
        # Moments and durations would be counted in nanoseconds.
        raise ValueError(f"column {count!r}: expected numbers of rows, found {kind}")
    numbers = pd.to_numeric(cells, errors="coerce")
    values = numbers.to_numpy(dtype=float, na_value=np.nan)
    wrong = np.flatnonzero(~((values >= 1) & (values == np.floor(values)) & (values < 2.0**53)))
    if len(wrong):
        raise ValueError(
            f"column {count!r}: expected whole numbers of rows of at least 1, found "
            f"{_shown(cells.iloc[wrong[0]])} (cells that are none: {len(wrong)})"
        )
    return values.astype(np.int64)


def _shown(cell: Any) -> str:
    """A cell as a message shows it."""
    return repr(cell.item() if isinstance(cell, np.generic) else cell)
