"""How large a difference a number of seeds can show."""

from __future__ import annotations

import math

import scipy

from anonopt._checks import check_integer, check_number, check_share


def power(n_runs: int, effect: float, *, alpha: float = 0.05) -> float:
    """Chance that Mann-Whitney's test finds a difference of two algorithms.

    Parameters
    ----------
    n_runs : int
        Seeds of each algorithm, at least 1.
    effect : float
        Vargha and Delaney's A that is to be found, 0..1; 0.5 is no difference.
    alpha : float
        Level of the two-sided test, 0..1.

    Returns
    -------
    float
        0..1, by the normal approximation of Noether, "Sample size determination for some common
        nonparametric tests", JASA 82 (1987), of equal samples; it is somewhat low where A is near
        0 or 1.

    Raises
    ------
    ValueError
        If an argument is out of its range.

    Examples
    --------
    >>> round(power(20, 0.71), 3)
    0.633
    """
    n = check_integer("n_runs", n_runs, least=1)
    apart = abs(check_share("effect", effect) - 0.5)
    z = scipy.stats.norm.isf(check_share("alpha", alpha) / 2)
    return float(
        scipy.stats.norm.cdf(apart * math.sqrt(6 * n) - z)
        + scipy.stats.norm.cdf(-apart * math.sqrt(6 * n) - z)
    )


def runs_needed(effect: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
    """Seeds of each of two algorithms that show a difference with a chance of `power`.

    Parameters
    ----------
    effect : float
        Vargha and Delaney's A that is to be found, 0..1, but not 0.5.
    power, alpha : float
        Above 0 and below 1.

    Returns
    -------
    int
        Noether (1987), Section 3: ``(z_alpha/2 + z_beta)^2 / (6 (A - 0.5)^2)``, rounded up.

    Raises
    ------
    ValueError
        If an argument is out of its range.

    Examples
    --------
    >>> runs_needed(0.71)
    30
    """
    apart = abs(check_share("effect", effect) - 0.5)
    if apart == 0:
        raise ValueError("effect: expected a difference, found 0.5, which no number of runs shows")
    return math.ceil(_quantiles(power, alpha) ** 2 / (6 * apart**2))


def effect_shown(n_runs: int, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """Least difference of two algorithms that a number of seeds shows with a chance of `power`.

    Parameters
    ----------
    n_runs : int
        Seeds of each algorithm, at least 1.
    power, alpha : float
        Above 0 and below 1.

    Returns
    -------
    float
        Vargha and Delaney's A, above 0.5, by the approximation of :func:`runs_needed`; NaN if
        these runs show no difference at all with that chance.

    Raises
    ------
    ValueError
        If an argument is out of its range.

    Examples
    --------
    >>> round(effect_shown(30), 3), effect_shown(2)
    (0.709, nan)
    """
    n = check_integer("n_runs", n_runs, least=1)
    least = 0.5 + _quantiles(power, alpha) / math.sqrt(6 * n)
    return least if least <= 1 else math.nan


def _quantiles(power: float, alpha: float) -> float:
    """Of the normal distribution, those of the level and of the power together."""
    for name, value in (("power", power), ("alpha", alpha)):
        check_number(name, value, above=0, below=1)
    return float(scipy.stats.norm.isf(alpha / 2) + scipy.stats.norm.isf(1 - power))
