"""Tables of our own, such as fronts and graphs, as plain CSV: UTF-8, commas, a header line."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def csv_bytes(frame: pd.DataFrame) -> bytes:
    r"""Bytes of a frame without its index; missing cells are empty.

    Examples
    --------
    >>> import pandas as pd
    >>> csv_bytes(pd.DataFrame({"k": [5, 9], "loss": [0.5, None]}))
    b'k,loss\n5,0.5\n9,\n'
    """
    text = frame.to_csv(index=False, lineterminator="\n")
    if "\r" in text:
        # The csv module leaves a carriage return unquoted that readers take for a line end.
        text = frame.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_ALL)
    return text.encode("utf-8")
