"""Sampling: the first genomes of a search on integer levels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from anonopt._typing import AnyArray, Generator, IntArray
from anonopt.operators.base import integer_bounds
from anonopt.operators.drawing import GenomeSampling

MAX_RANKED = 1 << 62
"""Spaces up to about this many genomes are sampled by rank; ranks are 64-bit integers."""


class UniformSampling(GenomeSampling):
    """Genomes drawn uniformly from all of the search space, of whole or of real numbers.

    Parameters
    ----------
    distinct : bool
        Draw without replacement. A space with fewer genomes than are asked for is used up: every
        genome appears, and the repeats are spread as evenly as possible. With False each genome
        is drawn on its own, so repeats may occur in any space.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=2, n_obj=1, xl=0, xu=[2, 1])
    >>> X = UniformSampling()(problem, 6, random_state=np.random.default_rng(1)).get("X")
    >>> sorted(X.tolist())
    [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]
    """

    def __init__(self, *, distinct: bool = True) -> None:
        super().__init__()
        self.distinct = distinct

    def _sampled(self, problem: Any, n_samples: int, generator: Generator) -> AnyArray:
        if problem.vtype is float:
            low, high = problem.bounds()
            return generator.uniform(low, high, size=(n_samples, problem.n_var))
        lower, upper = integer_bounds(problem)
        first = self._first(lower, upper)[:n_samples]
        n_rest = n_samples - len(first)
        if self.distinct:
            rest = _distinct_genomes(n_rest, lower, upper, generator, taken=first)
        else:
            rest = generator.integers(lower, upper, endpoint=True, size=(n_rest, len(lower)))
        return np.concatenate([first, rest])

    def _first(self, lower: IntArray, upper: IntArray) -> IntArray:
        return np.empty((0, len(lower)), dtype=np.int64)


class ExtremesSampling(UniformSampling):
    """The bottom and the top genome first, the rest drawn uniformly.

    Dewri 2010, Section 6: the fully specialized and the fully generalized node are always in the
    first population, because both are trivially non-dominated. One sample is the bottom genome;
    a space of a single genome has no other.

    Parameters
    ----------
    distinct : bool
        As in :class:`UniformSampling`; bottom and top are then not drawn again before the space
        is used up.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=3, n_obj=1, xl=0, xu=[6, 3, 1])
    >>> X = ExtremesSampling()(problem, 5, random_state=np.random.default_rng(1)).get("X")
    >>> X[:2].tolist()
    [[0, 0, 0], [6, 3, 1]]
    """

    def _first(self, lower: IntArray, upper: IntArray) -> IntArray:
        return np.unique([lower, upper], axis=0)


def _distinct_genomes(
    n_samples: int, lower: IntArray, upper: IntArray, generator: Generator, *, taken: IntArray
) -> IntArray:
    """Draw genomes without replacement from those not taken, which are in increasing order.

    If more are asked for than there are left, drawing begins anew with all genomes.
    """
    spans = upper - lower + 1
    # The exact size of a huge space takes long to compute.
    if np.log2(spans).sum() > math.log2(MAX_RANKED):
        return _redrawn_genomes(n_samples, lower, upper, generator, taken=taken)
    size = math.prod(spans.tolist())
    # Rank of a genome: a mixed-radix number, last gene fastest, so bottom is 0 and top size - 1.
    weights = np.append(np.cumprod(spans[:0:-1])[::-1], 1)
    n_free = size - len(taken)
    ranks: IntArray = generator.choice(n_free, min(n_samples, n_free), replace=False)
    for rank in (taken - lower) @ weights:
        ranks += ranks >= rank
    n_repeats = n_samples - len(ranks)
    if n_repeats > 0:
        rounds = np.tile(np.arange(size), (math.ceil(n_repeats / size), 1))
        repeats = generator.permuted(rounds, axis=1).ravel()[:n_repeats]
        ranks = np.concatenate([ranks, repeats])
    genomes: IntArray = lower + ranks[:, np.newaxis] // weights % spans
    return genomes


def _redrawn_genomes(
    n_samples: int, lower: IntArray, upper: IntArray, generator: Generator, *, taken: IntArray
) -> IntArray:
    """Draw genomes of a huge space, and draw the repeats again.

    It ends: the space has far more genomes than any sample, so a repeat is next to impossible.
    """
    genomes = taken
    while (n_missing := len(taken) + n_samples - len(genomes)) > 0:
        drawn = generator.integers(lower, upper, endpoint=True, size=(n_missing, len(lower)))
        together = np.concatenate([genomes, drawn])
        first_rows: dict[bytes, int] = {}
        for row, genome in enumerate(together):
            first_rows.setdefault(genome.tobytes(), row)
        genomes = together[list(first_rows.values())]
    return genomes[len(taken) :]
