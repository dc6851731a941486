"""Tables of our own, such as fronts and graphs, as plain CSV: UTF-8, commas, a header line."""

from __future__ import annotations

import io
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
        # The csv module quotes a carriage return, which readers take for a line end, only where
        # lines end in one.
        lines = _Lines()
        frame.to_csv(lines, index=False, header=header, lineterminator="\r\n")
        text = lines.getvalue()
    return text.encode("utf-8")


class _Lines(io.StringIO):
    """Lines that the csv module writes, one a call, without their carriage return."""

    def write(self, line: str) -> int:
        return super().write(f"{line.removesuffix(chr(13) + chr(10))}\n")
