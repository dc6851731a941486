"""Ranks of algorithms on each problem, on which the tests over problems rest."""

from __future__ import annotations

import numpy as np
import pandas as pd
import scipy


def check_table(values: pd.DataFrame) -> pd.DataFrame:
    """Refuse a table that no ranks can be taken of.

    Parameters
    ----------
    values : DataFrame (n_problems, n_algorithms)
        One number a cell, such as the median over seeds.

    Returns
    -------
    DataFrame
        The same, of floats.

    Raises
    ------
    ValueError
        If there is no problem, there are fewer than two algorithms, a name stands twice, or a
        cell is missing: a failed run has to be decided upon before, it is never left out.
    TypeError
        If it is no frame, or holds something else than numbers.
    """
    if not isinstance(values, pd.DataFrame):
        raise TypeError(f"values: expected a DataFrame, found {type(values).__name__}")
    n_problems, n_algorithms = values.shape
    if n_problems < 1 or n_algorithms < 2:
        raise ValueError(
            "values: expected a row for each problem and at least 2 columns of algorithms, "
            f"found {n_problems} rows and {n_algorithms} columns"
        )
    for axis, names in (("problem", values.index), ("algorithm", values.columns)):
        if not names.is_unique:
            raise ValueError(
                f"values: expected each {axis} once, found {names[names.duplicated()][0]!r} twice"
            )
    try:
        table = values.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"values: expected numbers, found {error}") from error
    missing = np.argwhere(np.isnan(table.to_numpy()))
    if len(missing):
        row, column = missing[0]
        raise ValueError(
            f"values: expected a number for {values.columns[column]!r} on {values.index[row]!r}, "
            "found none"
        )
    return table


def ranks(values: pd.DataFrame, *, maximize: bool = False) -> pd.DataFrame:
    """Rank the algorithms on each problem: 1 is the best, equal ones share the mean of theirs.

    Parameters
    ----------
    values : DataFrame (n_problems, n_algorithms)
    maximize : bool
        Whether more is better.

    Returns
    -------
    DataFrame (n_problems, n_algorithms)

    Raises
    ------
    ValueError, TypeError
        As :func:`~anonopt.experiments.statistics.ranks.check_table`.

    Examples
    --------
    >>> import pandas as pd
    >>> values = pd.DataFrame({"a": [1.0, 2.0], "b": [1.0, 3.0], "c": [4.0, 1.0]}, index=["p", "q"])
    >>> ranks(values)
         a    b    c
    p  1.5  1.5  3.0
    q  2.0  3.0  1.0
    """
    table = check_table(values)
    signed = -table.to_numpy() if maximize else table.to_numpy()
    return pd.DataFrame(
        scipy.stats.rankdata(signed, axis=1),
        index=values.index,
        columns=values.columns,
        dtype=np.float64,
    )


def mean_ranks(values: pd.DataFrame, *, maximize: bool = False) -> pd.Series:
    """Mean rank of each algorithm over the problems; less is better.

    Parameters
    ----------
    values : DataFrame (n_problems, n_algorithms)
    maximize : bool
        Whether more is better.

    Returns
    -------
    Series (n_algorithms,)

    Raises
    ------
    ValueError, TypeError
        As :func:`~anonopt.experiments.statistics.ranks.check_table`.
    """
    return ranks(values, maximize=maximize).mean().rename("mean rank")
