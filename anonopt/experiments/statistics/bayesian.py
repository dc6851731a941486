"""How probable it is that one algorithm is better than another over problems."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from anonopt._checks import check_integer, check_number
from anonopt.experiments.statistics.pairs import as_pairs

_CHUNK = 2000


class SignedRankPosterior(NamedTuple):
    """Probabilities that sum to 1.

    Attributes
    ----------
    first_larger : float
        The values of the first are practically larger.
    equivalent : float
        The difference lies within the region of practical equivalence.
    second_larger : float
    """

    first_larger: float
    equivalent: float
    second_larger: float


def bayesian_signed_rank(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    rope: float,
    random_state: np.random.Generator,
    prior: float = 0.5,
    n_samples: int = 50_000,
) -> SignedRankPosterior:
    """Bayesian signed-rank test of pairs, with a region of practical equivalence.

    Parameters
    ----------
    first, second : array (n,)
        Such as medians of two algorithms on each problem.
    rope : float
        Half the width of the region of practical equivalence, in the unit of the values, at
        least 0.
    random_state : numpy Generator
    prior : float
        Weight of the pair without difference that the prior adds, above 0.
    n_samples : int
        Weights that are drawn from the posterior, at least 1.

    Returns
    -------
    SignedRankPosterior
        The share of drawn weights for which each is the most probable.

    Raises
    ------
    ValueError
        If the samples differ in length, are empty, or hold what is not finite, or an argument is
        out of its range.

    References
    ----------
    A. Benavoli, G. Corani, J. Demsar, M. Zaffalon, Time for a change: a tutorial for comparing
    multiple classifiers through Bayesian analysis, JMLR 18 (2017), Section 4.2.
    """
    a, b = as_pairs(first, second)
    check_number("rope", rope, least=0)
    check_number("prior", prior, above=0)
    check_integer("n_samples", n_samples, least=1)
    differences = np.concatenate([[0.0], a - b])
    sums = np.add.outer(differences, differences)
    masks = [
        mask.astype(np.float64)
        for mask in (sums > 2 * rope, np.abs(sums) <= 2 * rope, sums < -2 * rope)
    ]
    strengths = np.ones(len(differences))
    strengths[0] = prior
    won = np.zeros(3)
    for start in range(0, n_samples, _CHUNK):
        weights = random_state.dirichlet(strengths, size=min(_CHUNK, n_samples - start))
        shares = np.stack([((weights @ mask) * weights).sum(axis=1) for mask in masks], axis=1)
        best = shares == shares.max(axis=1, keepdims=True)
        won += (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
    return SignedRankPosterior(*(won / n_samples).tolist())
