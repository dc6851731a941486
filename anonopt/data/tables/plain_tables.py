"""Tables of our own, such as fronts and graphs, as plain CSV: UTF-8, commas, a header line."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def csv_bytes(frame: pd.DataFrame, *, header: bool = True) -> bytes:
    r"""Bytes of a frame without its index; missing cells are empty.

    Parameters
    ----------
    frame : DataFrame (n_rows, n_columns)
    header : bool
        Whether names of columns come first; not before the later parts of a file.

    Examples
    --------
    >>> import pandas as pd
    >>> csv_bytes(pd.DataFrame({"k": [5, 9], "loss": [0.5, None]}))
    b'k,loss\n5,0.5\n9,\n'
    """
    text = frame.to_csv(index=False, header=header, lineterminator="\n")
    if "\r" in text:
        # The csv module leaves a carriage return unquoted that readers take for a line end.
        text = frame.to_csv(index=False, header=header, lineterminator="\n", quoting=csv.QUOTE_ALL)
    return text.encode("utf-8")


def text_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Cells as the texts of their values, whatever the types of the columns; missing ones None.

    So parts of a table are written alike: a whole number has no decimal point where there are
    missing cells beside it, and a moment at midnight no time.

    Examples
    --------
    >>> import pandas as pd
    >>> text_cells(pd.DataFrame({"age": [39.0, None], "paid": [True, False]})).values.tolist()
    [['39', 'True'], [None, 'False']]
    """
    import numpy as np
    import pandas as pd

    from anonopt.data.values import as_text

    columns = {}
    for name, cells in frame.items():
        try:
            codes, values = pd.factorize(cells)
        except TypeError as error:
            raise TypeError(
                f"column {name!r}: expected single values for CSV, found lists or the like"
            ) from error
        kinds = set(map(type, cells)) if cells.dtype == object else set()
        if len(kinds) > 1 and not kinds.isdisjoint({bool, np.bool_}):
            # Equal to Python, True and 1 are two texts.
            missing = codes < 0
            texts = [
                None if gone else as_text(cell) for cell, gone in zip(cells, missing, strict=True)
            ]
            columns[name] = np.array(texts, dtype=object)
        else:
            columns[name] = np.array([*map(as_text, values), None], dtype=object)[codes]
    return pd.DataFrame(columns, columns=frame.columns, index=frame.index, dtype=object)
