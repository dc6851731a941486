"""Bootstrap intervals."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from anonopt._checks import check_integer, check_share
from anonopt.experiments.statistics.pairs import as_sample


def bootstrap_interval(
    values: npt.ArrayLike,
    *,
    random_state: np.random.Generator,
    statistic: Callable[..., Any] = np.median,
    level: float = 0.95,
    n_resamples: int = 9999,
) -> tuple[float, float]:
    """Interval of a statistic over runs, by the bias-corrected and accelerated bootstrap.

    Where leaving out any one value changes nothing, that method is undefined; there the
    percentiles of the resamples are the interval.

    Parameters
    ----------
    values : array (n,)
    random_state : numpy Generator
    statistic : callable
        Of an array along an axis.
    level : float
        0..1.
    n_resamples : int
        At least 1.

    Returns
    -------
    low, high : float
        Both the value itself where all are equal, or there is one.

    Raises
    ------
    ValueError
        If there is no value, one is not finite, or an argument is out of its range.

    Examples
    --------
    >>> import numpy as np
    >>> bootstrap_interval([3.0, 3.0, 3.0], random_state=np.random.default_rng(1))
    (3.0, 3.0)
    """
    sample = as_sample("values", values)
    check_share("level", level)
    check_integer("n_resamples", n_resamples, least=1)
    # Constant resamples make the acceleration of the method undefined.
    if (sample == sample[0]).all():
        return float(sample[0]), float(sample[0])
    for method in ("BCa", "percentile"):
        with warnings.catch_warnings():
            # Of a method that is undefined for these values; the next one takes its place.
            warnings.simplefilter("ignore", RuntimeWarning)
            outcome = scipy.stats.bootstrap(
                (sample,),
                statistic,
                confidence_level=level,
                n_resamples=n_resamples,
                method=method,
                # The name that all versions of scipy take.
                random_state=random_state,
            )
        low, high = outcome.confidence_interval
        if not (np.isnan(low) or np.isnan(high)):
            break
    return float(low), float(high)
