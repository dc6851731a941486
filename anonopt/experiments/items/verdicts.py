"""What a printed number and ours say about each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

import numpy as np
import scipy

from anonopt._typing import FloatArray
from anonopt.experiments.items.item import Printed

SAME = "same"
AGREES = "agrees"
DIFFERS = "differs"
NOT_COMPARABLE = "not comparable"
VERDICTS = (SAME, AGREES, DIFFERS, NOT_COMPARABLE)

_NUMBER = re.compile(r"[+-]?\d*\.?\d+(e[+-]?\d+)?")


class Verdict(NamedTuple):
    """A verdict on one number.

    Attributes
    ----------
    ours : float
        Mean over the runs; NaN if there is none.
    spread : float
        Standard deviation over the runs, 0 of a single one; NaN of a variance.
    least, most : float
        Range over the runs; of a variance its 95 % interval.
    verdict : str
        ``same``: rounded as the paper rounds, every printed digit is ours. ``agrees``: the printed
        number lies within our range over the seeds, or within the tolerance of our mean.
        ``differs``, or ``not comparable``.
    why : str
        The reason, where one is called for.
    """

    ours: float
    spread: float
    least: float
    most: float
    verdict: str
    why: str


def judged(printed: Printed, values: Sequence[float]) -> Verdict:
    """Compare a printed number with ours.

    Parameters
    ----------
    printed : Printed
    values : sequence of float
        Of each run.

    Examples
    --------
    >>> judged(Printed(label="k", value="0.94"), [0.936, 0.941]).verdict
    'same'
    >>> judged(Printed(label="k", value="0.94"), [0.91, 0.95]).verdict
    'agrees'
    >>> judged(Printed(label="k", value="0.94", why="other trees"), [0.91, 0.92])[4:]
    ('differs', 'other trees')
    """
    measured = np.array(values, dtype=np.float64)
    known = measured[np.isfinite(measured)]
    summary = _mean(known) if printed.variance_of is None else _variance(known)
    ours, spread, least, most = summary
    is_compared = printed.value is not None and printed.comparable
    if is_compared and len(known) < len(measured):
        # A run that comes to no number does not come to the printed one.
        why = f"{len(measured) - len(known)} of {len(measured)} runs come to no number"
        return Verdict(ours, spread, least, most, DIFFERS, why)
    verdict = _verdict(printed, ours, least, most)
    why = printed.why if verdict in (DIFFERS, NOT_COMPARABLE) else ""
    return Verdict(ours, spread, least, most, verdict, why)


def _mean(values: FloatArray) -> tuple[float, float, float, float]:
    if len(values) == 0:
        return np.nan, np.nan, np.nan, np.nan
    spread = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    return float(values.mean()), spread, float(values.min()), float(values.max())


def _variance(values: FloatArray) -> tuple[float, float, float, float]:
    """Variance over the runs, and its 95 % interval if they are normally distributed."""
    if len(values) < 2:
        return np.nan, np.nan, np.nan, np.nan
    n_free = len(values) - 1
    variance = float(values.var(ddof=1))
    high, low = scipy.stats.chi2.ppf(0.975, n_free), scipy.stats.chi2.ppf(0.025, n_free)
    return variance, np.nan, float(n_free * variance / high), float(n_free * variance / low)


def _verdict(printed: Printed, ours: float, least: float, most: float) -> str:
    if printed.value is None or not printed.comparable or np.isnan(ours):
        return NOT_COMPARABLE
    if rounded_as(printed.value, ours) == as_decimal(printed.value):
        return SAME
    number = as_decimal(printed.value)
    # In decimals, where 0.94 and 0.96 are 0.02 apart.
    is_near = abs(Decimal(repr(ours)) - number) <= Decimal(repr(float(printed.tolerance)))
    return AGREES if is_near or least <= number <= most else DIFFERS


def as_decimal(text: str) -> Decimal:
    """The printed number, exactly.

    Raises
    ------
    ValueError
        If it is no number.
    """
    if _NUMBER.fullmatch(text) is None:
        raise ValueError(f"printed: expected a number such as 0.94 or 3.7e-4, found {text!r}")
    return Decimal(text)


def rounded_as(text: str, value: float) -> Decimal:
    """A number of ours with as many digits as the printed one has.

    Examples
    --------
    >>> rounded_as("0.94", 0.9351), rounded_as("3.7e-4", 0.000368), rounded_as("916", 915.5)
    (Decimal('0.94'), Decimal('0.00037'), Decimal('916'))
    """
    last_digit = Decimal(1).scaleb(int(as_decimal(text).as_tuple().exponent))
    return Decimal(repr(value)).quantize(last_digit, rounding=ROUND_HALF_UP)
