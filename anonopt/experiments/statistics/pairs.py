"""Tests of two algorithms, and the correction for many of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from anonopt._checks import check_choice
from anonopt._typing import FloatArray


class PairTest(NamedTuple):
    """Outcome of a test of two samples, two-sided.

    Attributes
    ----------
    statistic : float
        The smaller sum of signed ranks (Wilcoxon), U of the first sample (Mann-Whitney), or the
        number of values above (sign test).
    p_value : float
    method : str
        ``exact`` or ``normal``: how p was computed; ``none`` where all values are equal.
    n : int
        Pairs that differ, or the size of the smaller sample.
    """

    statistic: float
    p_value: float
    method: str
    n: int


MAX_EXACT = 50
"""Size of a sample up to which p is computed exactly by default."""

METHODS = ("auto", "exact", "normal")

ZEROS: Mapping[str, Any] = {"left out": "wilcox", "split": "zsplit", "pratt": "pratt"}
"""What becomes of pairs without a difference, and what scipy calls it."""


def wilcoxon(
    first: npt.ArrayLike, second: npt.ArrayLike, *, zeros: str = "left out", method: str = "auto"
) -> PairTest:
    """Wilcoxon's signed-rank test of pairs, such as medians of two algorithms on each problem.

    Parameters
    ----------
    first, second : array (n,)
    zeros : {"left out", "split", "pratt"}
        Pairs without a difference are left out before ranking, as Wilcoxon did; ranked, and their
        ranks split evenly, as Demsar, JMLR 7 (2006), Section 3.1.3; or ranked and then left out,
        as Pratt (1959).
    method : {"auto", "exact", "normal"}
        ``exact`` counts the signs that the differences could have had, also where some are tied
        (B. Streitberg, J. Roehmel, *Exact distributions for permutation and rank tests*,
        Statistical Software Newsletter 12, 1986); ``normal`` is the approximation with ties
        corrected, without correction for continuity; ``auto`` is exact for at most 50 pairs.

    Returns
    -------
    PairTest
        Where no pair differs: statistic 0, p 1, method ``none``.

    Raises
    ------
    ValueError
        If the samples differ in length, are empty, or hold what is not finite, or `zeros` or
        `method` is something else.

    Examples
    --------
    >>> wilcoxon([1.0, 2.0, 3.0, 4.0], [1.5, 3.0, 4.5, 6.0])
    PairTest(statistic=0.0, p_value=0.125, method='exact', n=4)
    >>> wilcoxon([1.0, 2.0, 3.0, 4.0], [2.0, 3.0, 4.0, 5.0])
    PairTest(statistic=0.0, p_value=0.125, method='exact', n=4)
    """
    a, b = as_pairs(first, second)
    check_choice("zeros", zeros, ZEROS)
    check_choice("method", method, METHODS)
    differences: FloatArray = np.asarray(a - b, dtype=np.float64)
    differs = a != b
    n = int(differs.sum())
    if n == 0:
        return PairTest(0.0, 1.0, "none", 0)
    if zeros == "left out":
        differences, differs = differences[differs], differs[differs]
    is_exact = method == "exact" or (method == "auto" and n <= MAX_EXACT)
    has_ties = len(np.unique(np.abs(differences))) < len(differences)
    if is_exact and (has_ties or not differs.all()):
        # scipy's own distribution is one of ranks without ties.
        ranks = scipy.stats.rankdata(np.abs(differences))
        positive, negative = ranks[differences > 0], ranks[differences < 0]
        split = ranks[~differs].sum() / 2 if zeros == "split" else 0.0
        statistic = float(min(positive.sum(), negative.sum()) + split)
        return PairTest(statistic, _chance_of_signs(ranks[differs], positive), "exact", n)
    how: Any = "exact" if is_exact else "approx"
    outcome = scipy.stats.wilcoxon(differences, zero_method=ZEROS[zeros], method=how)
    name = "exact" if is_exact else "normal"
    return PairTest(float(outcome.statistic), float(outcome.pvalue), name, n)


def mann_whitney(first: npt.ArrayLike, second: npt.ArrayLike, *, method: str = "auto") -> PairTest:
    """Mann-Whitney's test of two samples, such as the seeds of two algorithms on one problem.

    Parameters
    ----------
    first : array (n_first,)
    second : array (n_second,)
    method : {"auto", "exact", "normal"}
        ``exact`` counts the ways to split all values into two such samples, also where some are
        tied (Streitberg and Roehmel, 1986), and doubles the smaller tail; ``normal`` is the
        approximation with ties and continuity corrected; ``auto`` is exact for samples of at most
        50.

    Returns
    -------
    PairTest
        Where all values are equal: p 1, method ``none``.

    Raises
    ------
    ValueError
        If a sample is empty, or holds what is not finite, or `method` is something else.

    Examples
    --------
    >>> mann_whitney([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])
    PairTest(statistic=0.0, p_value=0.1, method='exact', n=3)
    >>> mann_whitney([1.0, 1.0, 1.0], [4.0, 4.0, 4.0])
    PairTest(statistic=0.0, p_value=0.1, method='exact', n=3)
    """
    a, b = as_sample("first", first), as_sample("second", second)
    check_choice("method", method, METHODS)
    n = min(len(a), len(b))
    values = np.concatenate([a, b])
    if (values == values[0]).all():
        return PairTest(len(a) * len(b) / 2, 1.0, "none", n)
    is_exact = method == "exact" or (method == "auto" and max(len(a), len(b)) <= MAX_EXACT)
    if is_exact and len(np.unique(values)) < len(values):
        # As in Wilcoxon's test, scipy's own distribution is one of ranks without ties.
        ranks = scipy.stats.rankdata(values)
        chosen = ranks[: len(a)]
        statistic = float(chosen.sum() - len(a) * (len(a) + 1) / 2)
        return PairTest(statistic, _chance_of_splits(ranks, chosen), "exact", n)
    how: Any = "exact" if is_exact else "asymptotic"
    outcome = scipy.stats.mannwhitneyu(a, b, method=how)
    name = "exact" if is_exact else "normal"
    return PairTest(float(outcome.statistic), float(outcome.pvalue), name, n)


def sign_test(values: npt.ArrayLike, against: float) -> PairTest:
    """Sign test of a sample against one fixed value.

    The one value of an algorithm that draws nothing at random is no sample, so that no test of two
    samples holds. This one asks whether the median of the other's runs is that value; unlike
    Wilcoxon's it does not ask that runs spread evenly about it, which what is bounded does not.

    Parameters
    ----------
    values : array (n,)
    against : float

    Returns
    -------
    PairTest
        Values that are equal to the fixed one are left out; p is exact. Where all are: statistic 0,
        p 1, method ``none``.

    Raises
    ------
    ValueError
        If there is no value, or one is not finite.

    Examples
    --------
    >>> sign_test([0.8, 0.7, 0.85, 0.9, 0.95, 0.6], 0.9)
    PairTest(statistic=1.0, p_value=0.375, method='exact', n=5)
    """
    sample, fixed = as_sample("values", values), as_sample("against", [against])[0]
    above, below = int((sample > fixed).sum()), int((sample < fixed).sum())
    if above + below == 0:
        return PairTest(0.0, 1.0, "none", 0)
    outcome = scipy.stats.binomtest(above, above + below)
    return PairTest(float(above), float(outcome.pvalue), "exact", above + below)


def _chance_of_signs(ranks: FloatArray, positive: FloatArray) -> float:
    """Two-sided p of a sum of positive ranks, each rank being positive with chance one half."""
    # Twice a mean of ranks is a whole number.
    steps = np.rint(2 * ranks).astype(np.int64)
    chances = np.zeros(int(steps.sum()) + 1)
    chances[0] = 1.0
    for step in steps:
        chances[step:] += chances[:-step]
        chances /= 2
    return _doubled_tail(chances, positive)


def _chance_of_splits(ranks: FloatArray, chosen: FloatArray) -> float:
    """Two-sided p of a sum of chosen ranks, each choice of so many being as likely."""
    steps = np.rint(2 * ranks).astype(np.int64)
    counts = np.zeros((len(chosen) + 1, int(steps.sum()) + 1))
    counts[0, 0] = 1.0
    for step in steps:
        counts[1:, step:] += counts[:-1, :-step]
    return _doubled_tail(counts[-1] / counts[-1].sum(), chosen)


def _doubled_tail(chances: FloatArray, found: FloatArray) -> float:
    place = int(np.rint(2 * found.sum()))
    return min(1.0, 2 * float(min(chances[: place + 1].sum(), chances[place:].sum())))


def holm(p_values: Sequence[float]) -> FloatArray:
    """Correct p values of several tests by Holm's step-down rule.

    Parameters
    ----------
    p_values : sequence of float
        Each 0..1.

    Returns
    -------
    float array
        In the same order: reject what is at most alpha.

    Raises
    ------
    ValueError
        If a value is none of 0..1.

    References
    ----------
    S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of
    Statistics 6 (1979).

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p_values, dtype=np.float64)
    wrong = ~((values >= 0) & (values <= 1))
    if wrong.any():
        raise ValueError(f"p_values: expected numbers in 0..1, found {values[wrong][0]}")
    order = np.argsort(values, kind="stable")
    factors = np.arange(len(values), 0, -1)
    stepped = np.minimum(1.0, np.maximum.accumulate(values[order] * factors))
    result: FloatArray = np.empty_like(values)
    result[order] = stepped
    return result


def as_sample(name: str, values: npt.ArrayLike) -> FloatArray:
    """Values of runs as a row of finite floats.

    Raises
    ------
    ValueError
        If there is none, or one is not finite.
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1 or len(sample) == 0:
        raise ValueError(f"{name}: expected a row of at least one value, found {sample.shape}")
    if not np.isfinite(sample).all():
        wrong = sample[~np.isfinite(sample)][0]
        raise ValueError(f"{name}: expected finite values, found {wrong}")
    return sample


def as_pairs(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Values of two algorithms on the same problems, as rows of finite floats.

    Raises
    ------
    ValueError
        If the rows differ in length, there is no value, or one is not finite.
    """
    a, b = as_sample("first", first), as_sample("second", second)
    if len(a) != len(b):
        raise ValueError(f"second: expected {len(a)} values, as in first, found {len(b)}")
    return a, b
