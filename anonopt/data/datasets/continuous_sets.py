"""The numeric files that the experiments on masked files protect."""

from __future__ import annotations

from os import PathLike

import pandas as pd

from anonopt.data.datasets.casc import EIA_COLUMNS
from anonopt.data.datasets.loading import load_frame

EIA_ROWS = 2000
"""Rows of EIA that Mares 2013 uses, without saying which; here the first ones."""


def continuous_set(name: str, *, data_dir: str | PathLike[str] | None = None) -> pd.DataFrame:
    """Load the columns and rows of a numeric file that Mares 2013, Section 3.5, protects.

    Census: 1080 rows, 13 columns. Tarragona: 834 rows, 13 columns. EIA: its ten amounts, of the
    4092 rows the first 2000; the thesis says that it uses "only 2000 records". Its fourth numeric
    file, Diabetes of 768 rows, is not offered here.

    Parameters
    ----------
    name : {"census", "tarragona", "eia"}
    data_dir : path, optional
        As for :func:`anonopt.data.load_dataset`.

    Returns
    -------
    DataFrame (n_rows, n_columns)
        All columns are whole numbers.

    Raises
    ------
    ValueError
        If there is no such file.
    FileNotFoundError
        If it is nowhere (says where it comes from).
    """
    if name not in ("census", "tarragona", "eia"):
        raise ValueError(
            f"numeric file: expected one of ['census', 'tarragona', 'eia'], found {name!r}"
        )
    frame = load_frame(name, data_dir=data_dir)
    return frame.loc[: EIA_ROWS - 1, list(EIA_COLUMNS)] if name == "eia" else frame
