"""Which algorithms differ over several problems, once Friedman's test says that some do."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import pandas as pd
import scipy

from anonopt._checks import check_integer, check_share, unknown
from anonopt.experiments.statistics.pairs import holm
from anonopt.experiments.statistics.ranks import mean_ranks


def critical_difference(n_algorithms: int, n_problems: int, *, alpha: float = 0.05) -> float:
    """Difference of mean ranks from which on two algorithms differ by the test of Nemenyi.

    Parameters
    ----------
    n_algorithms : int
        At least 2.
    n_problems : int
        At least 1.
    alpha : float
        0..1.

    Returns
    -------
    float
        ``q_alpha * sqrt(k (k + 1) / (6 n))``, Demsar, JMLR 7 (2006), Section 3.2.2.

    Raises
    ------
    ValueError
        If an argument is out of its range.

    Examples
    --------
    >>> round(critical_difference(4, 14), 6)
    1.253559
    """
    k = check_integer("n_algorithms", n_algorithms, least=2)
    n = check_integer("n_problems", n_problems, least=1)
    quantile = scipy.stats.studentized_range.isf(check_share("alpha", alpha), k, np.inf)
    return float(quantile / np.sqrt(2) * _standard_error(k, n))


def nemenyi(values: pd.DataFrame, *, maximize: bool = False) -> pd.DataFrame:
    """Compare all pairs of algorithms by their mean ranks: the test of Nemenyi.

    Parameters
    ----------
    values : DataFrame (n_problems, n_algorithms)
        One number a cell, such as the median over seeds.
    maximize : bool
        Whether more is better; it changes nothing here.

    Returns
    -------
    DataFrame (n_algorithms, n_algorithms)
        p of each pair, 1 on the diagonal.

    Raises
    ------
    ValueError, TypeError
        As :func:`~anonopt.experiments.statistics.ranks.check_table`.
    """
    means = mean_ranks(values, maximize=maximize)
    apart = np.abs(np.subtract.outer(means.to_numpy(), means.to_numpy()))
    k = len(means)
    scaled = apart / _standard_error(k, len(values)) * np.sqrt(2)
    p = np.clip(scipy.stats.studentized_range.sf(scaled, k, np.inf), 0.0, 1.0)
    np.fill_diagonal(p, 1.0)
    return pd.DataFrame(p, index=means.index, columns=means.index)


def against_control(
    values: pd.DataFrame, control: Hashable, *, maximize: bool = False
) -> pd.DataFrame:
    """Compare each algorithm with one of them by mean ranks, corrected by Holm.

    Parameters
    ----------
    values : DataFrame (n_problems, n_algorithms)
    control : label
        Column of the algorithm that the others are compared with.
    maximize : bool
        Whether more is better.

    Returns
    -------
    DataFrame (n_algorithms - 1, 4)
        By the others: ``difference`` of mean ranks (below 0: better than the control), ``z``,
        ``p``, and ``p_holm``. Demsar, JMLR 7 (2006), Section 3.2.2.

    Raises
    ------
    ValueError, TypeError
        If there is no such column; else as
        :func:`~anonopt.experiments.statistics.ranks.check_table`.
    """
    means = mean_ranks(values, maximize=maximize)
    if control not in means.index:
        raise ValueError(unknown("control", control, [str(name) for name in means.index]))
    is_control = means.index == control
    others = means[~is_control] - means[is_control].iloc[0]
    z = others / _standard_error(len(means), len(values))
    p = 2 * scipy.stats.norm.sf(np.abs(z.to_numpy()))
    return pd.DataFrame(
        {"difference": others, "z": z, "p": p, "p_holm": holm(p.tolist())}, index=others.index
    )


def _standard_error(k: int, n: int) -> float:
    """Of the difference of two mean ranks."""
    return float(np.sqrt(k * (k + 1) / (6 * n)))
