"""Tests of all pairs of algorithms, over problems and within them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from anonopt._typing import FloatArray
from anonopt.experiments.statistics.bayesian import bayesian_signed_rank
from anonopt.experiments.statistics.effects import a12, magnitude
from anonopt.experiments.statistics.pairs import holm, mann_whitney, sign_test, wilcoxon
from anonopt.experiments.tables.notes import MANN_WHITNEY, SIGN, VALUES
from anonopt.experiments.tables.samples import Samples


def better_is_more(values: FloatArray, *, maximize: bool) -> FloatArray:
    """Values turned so that more is better; what is infinite becomes far worse than the rest.

    Examples
    --------
    >>> better_is_more(np.array([1.0, 3.0, np.inf]), maximize=False).tolist()
    [-1.0, -3.0, -8.0]
    """
    turned: FloatArray = np.asarray(values if maximize else -values, dtype=np.float64)
    known = turned[np.isfinite(turned)]
    if len(known) == turned.size:
        return turned
    if len(known) == 0:
        return np.zeros_like(turned)
    # Farther from all others than any two of them are from each other.
    far = known.min() - 2 * np.ptp(known) - 1
    return np.where(np.isfinite(turned), turned, far)


def pairs_over_problems(of: Samples, rope: float, rng: np.random.Generator) -> pd.DataFrame:
    """Compare each pair of algorithms by their medians on the problems that both have runs on.

    Parameters
    ----------
    of : Samples
    rope : float
        Half the width of the region of practical equivalence, in the unit of the indicator.
    rng : numpy Generator

    Returns
    -------
    DataFrame
        As :class:`~anonopt.experiments.tables.significance.Significance` says; pairs with fewer
        than two problems in common are not in it.
    """
    names = ["first", "second", "n_problems", "won", "lost", "statistic", "p", "p_holm", "method"]
    names += ["p_first_better", "p_equivalent", "p_second_better"]
    medians = of.medians().to_numpy()
    rows = []
    for i, j in itertools.combinations(range(len(of.algorithms)), 2):
        shared = medians[~np.isnan(medians[:, [i, j]]).any(axis=1)][:, [i, j]]
        if len(shared) < 2:
            continue
        first, second = better_is_more(shared, maximize=of.maximize).T
        test = wilcoxon(first, second)
        posterior = bayesian_signed_rank(first, second, rope=rope, random_state=rng)
        rows.append(
            {
                "first": of.algorithms[i],
                "second": of.algorithms[j],
                "n_problems": len(shared),
                "won": int((first > second).sum()),
                "lost": int((first < second).sum()),
                "statistic": test.statistic,
                "p": test.p_value,
                "method": test.method,
                "p_first_better": posterior.first_larger,
                "p_equivalent": posterior.equivalent,
                "p_second_better": posterior.second_larger,
            }
        )
    if not rows:
        return pd.DataFrame(columns=names)
    frame = pd.DataFrame(rows)
    return frame.assign(p_holm=holm(frame["p"].tolist()))[names]


class Compared(NamedTuple):
    """Two algorithms on a problem.

    Attributes
    ----------
    test : {"Mann-Whitney", "sign", "values"}
        Of the runs of both; of the runs of one against the one value of the other, which draws
        nothing at random; none, of two such values.
    statistic : float
        U of the first, or the number of runs in which the first is better; NaN without a test.
    p : float
        NaN without a test.
    method : str
        As of :class:`~anonopt.experiments.statistics.PairTest`.
    a12 : float
        Chance that a run of the first is better.
    """

    test: str
    statistic: float
    p: float
    method: str
    a12: float


def compared(of: Samples, problem: str, first: str, second: str) -> Compared | None:
    """Compare two algorithms by their runs on a problem; None if one has none."""
    a, b = of.of(problem, first), of.of(problem, second)
    if len(a) == 0 or len(b) == 0:
        return None
    turned = better_is_more(np.concatenate([a, b]), maximize=of.maximize)
    x, y = turned[: len(a)], turned[len(a) :]
    match (problem, first) in of.fixed, (problem, second) in of.fixed:
        case True, True:
            return Compared(VALUES, math.nan, math.nan, "none", a12(x, y))
        case False, False:
            name, test = MANN_WHITNEY, mann_whitney(x, y)
        case False, True:
            name, test = SIGN, sign_test(x, y[0])
        case _:
            # The runs of the second that are worse are those in which the first is better.
            name, test = SIGN, sign_test(-y, -x[0])
    return Compared(name, test.statistic, test.p_value, test.method, a12(x, y))


def holm_of_tests(p_values: Sequence[float]) -> FloatArray:
    """Correct p values by Holm; NaN, where there is no test, stays and counts for none."""
    values = np.asarray(p_values, dtype=np.float64)
    is_test = ~np.isnan(values)
    values[is_test] = holm(values[is_test].tolist())
    return values


def pairs_within_problems(of: Samples) -> pd.DataFrame:
    """Compare each pair of algorithms on each problem by their runs.

    Returns
    -------
    DataFrame
        As :class:`~anonopt.experiments.tables.significance.Significance` says.
    """
    names = [
        "problem",
        "first",
        "second",
        "n_first",
        "n_second",
        "test",
        "statistic",
        "p",
        "p_holm",
    ]
    names += ["method", "a12", "cliffs_delta", "magnitude"]
    parts = []
    for problem in of.problems:
        rows = []
        for first, second in itertools.combinations(of.algorithms, 2):
            found = compared(of, problem, first, second)
            if found is None:
                continue
            delta = 2 * found.a12 - 1
            rows.append(
                {
                    "problem": problem,
                    "first": first,
                    "second": second,
                    "n_first": len(of.of(problem, first)),
                    "n_second": len(of.of(problem, second)),
                    **found._asdict(),
                    "cliffs_delta": delta,
                    "magnitude": magnitude(delta),
                }
            )
        if rows:
            frame = pd.DataFrame(rows)
            parts.append(frame.assign(p_holm=holm_of_tests(frame["p"].tolist()))[names])
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=names)
