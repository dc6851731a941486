"""A table that is masked, as text, in the order in which it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anonopt.cli.console import is_watched
from anonopt.cli.masking.roles_of_columns import Roles

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from anonopt._typing import IntArray
    from anonopt.data.tables.table_files import TableFile
    from anonopt.masking import MaskingMethod


@dataclass(frozen=True)
class MaskedTable:
    """The masked rows of a file.

    Attributes
    ----------
    table : TableFile
        As it was read.
    names : sequence of str
        Columns that are masked.
    frame : DataFrame (n_rows, n_columns)
        All cells, as text.
    rows : int64 array (n_rows,)
        Where each row stands in the file that was read.
    changed : mapping of str to int
        How many cells of each masked column differ.
    """

    table: TableFile
    names: Sequence[str]
    frame: pd.DataFrame
    rows: IntArray
    changed: Mapping[str, int]

    def content(self) -> bytes:
        """What is written."""
        return self.table.content(self.frame, rows=self.rows, protected=self.names)

    def texts(self) -> pd.DataFrame:
        """The cells that are to be read from what was written."""
        return self.table.texts(self.frame, rows=self.rows, protected=self.names)


def masked_table(
    masker: MaskingMethod, table: TableFile, roles: Roles, shuffled: np.random.Generator | None
) -> MaskedTable:
    """Mask a table; `shuffled` draws the order of the rows, None leaves it."""
    import numpy as np

    from anonopt.data.row_order import shuffled_rows
    from anonopt.runs.progress import rows_bar

    frame = table.frame
    with rows_bar(len(frame), visible=is_watched()) as update:
        found = masker.fit_transform(frame.assign(**roles.numbers), on_progress=update)
    masked = _as_text(found, frame, roles.numbers)
    changed = {name: int((~_equal(frame[name], masked[name])).sum()) for name in roles.names}
    rows = shuffled_rows(len(frame), shuffled) if shuffled else np.arange(len(frame))
    masked = masked.iloc[rows].reset_index(drop=True)
    return MaskedTable(table, roles.names, masked, rows, changed)


def _as_text(
    masked: pd.DataFrame, frame: pd.DataFrame, numbers: dict[str, pd.Series[Any]]
) -> pd.DataFrame:
    """Masked numbers as text: where they occur in the file, as they are written there."""
    import pandas as pd

    from anonopt.data.values import as_text, is_missing

    for name, column in numbers.items():
        written = dict(zip(column.dropna(), frame[name].dropna(), strict=True))
        texts = [
            None if is_missing(value) else written.get(value, as_text(value))
            for value in masked[name].astype(object)
        ]
        masked[name] = pd.Series(texts, index=masked.index, dtype=object)
    return masked


def _equal(one: pd.Series[Any], other: pd.Series[Any]) -> pd.Series[bool]:
    return (one == other) | (one.isna() & other.isna())
