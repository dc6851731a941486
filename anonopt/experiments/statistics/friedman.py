"""Whether algorithms differ at all over several problems: Friedman's test."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy

from anonopt.experiments.statistics.ranks import ranks


class FriedmanTest(NamedTuple):
    """Outcome of Friedman's test.

    Attributes
    ----------
    statistic, p_value : float
        Friedman's chi-square, corrected for ties, with k - 1 degrees of freedom.
    f_statistic, f_p_value : float
        The less conservative F of Iman and Davenport (1980), from the corrected chi-square, with
        k - 1 and (k - 1)(n - 1) degrees of freedom. Infinite where all problems agree on all
        ranks; NaN of a single problem.
    n_problems, n_algorithms : int
    """

    statistic: float
    p_value: float
    f_statistic: float
    f_p_value: float
    n_problems: int
    n_algorithms: int


def friedman(values: pd.DataFrame, *, maximize: bool = False, ties: bool = True) -> FriedmanTest:
    """Test whether all algorithms have the same expected rank.

    Parameters
    ----------
    values : DataFrame (n_problems, n_algorithms)
        One number a cell, such as the median over seeds.
    maximize : bool
        Whether more is better; it changes nothing here.
    ties : bool
        Whether the statistic is corrected for equal values, as by Conover (1999); without it, it
        is the one of Demsar, "Statistical comparisons of classifiers over multiple data sets",
        JMLR 7 (2006).

    Returns
    -------
    FriedmanTest
        Where all values of each problem are equal, the statistic is 0 and p is 1.

    Raises
    ------
    ValueError, TypeError
        As :func:`~anonopt.experiments.statistics.ranks.check_table`.

    Examples
    --------
    >>> import pandas as pd
    >>> values = pd.DataFrame({"a": [1, 1, 1, 2], "b": [2, 3, 2, 1], "c": [3, 2, 3, 3]})
    >>> round(friedman(values).statistic, 6), round(friedman(values).p_value, 6)
    (4.5, 0.105399)
    """
    table = ranks(values, maximize=maximize)
    n, k = table.shape
    sums = table.sum().to_numpy()
    spread = float(((sums - n * (k + 1) / 2) ** 2).sum())
    # The variance of the ranks 1..k is k (k + 1) / 12.
    within = n * k * (k + 1) / 12 if not ties else _variance_of_ranks(table)
    statistic = 0.0 if spread == 0 else spread / within
    f_statistic, f_p_value = _iman_davenport(statistic, n, k)
    return FriedmanTest(
        statistic, float(scipy.stats.chi2.sf(statistic, k - 1)), f_statistic, f_p_value, n, k
    )


def _variance_of_ranks(table: pd.DataFrame) -> float:
    """Sum over problems of the variance of their ranks, which ties make smaller."""
    return float(table.var(axis=1, ddof=1).sum())


def _iman_davenport(statistic: float, n: int, k: int) -> tuple[float, float]:
    if n == 1:
        return np.nan, np.nan
    rest = n * (k - 1) - statistic
    if rest <= 0:
        return np.inf, 0.0
    value = (n - 1) * statistic / rest
    return value, float(scipy.stats.f.sf(value, k - 1, (k - 1) * (n - 1)))
