"""Random search: distinct nodes in a random order, the baseline every search has to beat.

Idea: draw nodes uniformly, without replacement, and keep the non-dominated ones.

Paper: none; it is the usual null model of a search.

Decided differently: no node is drawn twice, however small the lattice, so a budget of distinct
evaluations is used up exactly and a small lattice is covered completely. The order is a
Fisher-Yates shuffle of all ranks of which only the part that was used is stored, so lattices of
any size are drawn from without rejection: R. A. Fisher and F. Yates, *Statistical Tables*, 1938,
in the form of R. Durstenfeld, Algorithm 235, Communications of the ACM 7 (1964).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.problem import Problem
from pymoo.core.termination import Termination

from anonopt.algorithms.population.batches import BatchSearch
from anonopt.operators.base import integer_bounds


class RandomSearch(BatchSearch):
    """Evaluate distinct genomes of a problem with integer bounds in a random order.

    It ends when every genome was drawn, or by a budget or termination.

    Parameters
    ----------
    batch_size : int
        Genomes drawn at a time, at least 1.
    termination : pymoo Termination or tuple, optional

    Raises
    ------
    ValueError
        If the batch size is below 1; when the search is set up, if the genomes are not integers
        with bounds.

    Examples
    --------
    >>> from anonopt.runs import solve
    >>> from anonopt.problems.base import AnonymizationProblem
    >>> from anonopt.problems.spaces import Levels
    >>> class Level(AnonymizationProblem):
    ...     def _values(self, X):
    ...         return X.sum(axis=1, keepdims=True), None
    >>> problem = Level(
    ...     space=Levels(["age", "sex"], upper=[4, 1]),
    ...     objective_names=["level"], maximize=[False],
    ... )
    >>> result = solve(problem, RandomSearch(), budget=4, seed=1)
    >>> result.n_evaluations, result.n_unique, result.message
    (4, 4, 'budget reached')
    """

    def __init__(
        self,
        *,
        batch_size: int = 100,
        termination: Termination | tuple[Any, ...] | None = None,
    ) -> None:
        super().__init__(batch_size=batch_size, termination=termination)

    def _start(self, problem: Problem) -> int:
        lower, upper = integer_bounds(problem)
        self._lower, self._sizes = lower, tuple(map(int, upper - lower + 1))
        n_genomes = math.prod(self._sizes)
        self._ranks = RankShuffle(n_genomes)
        return n_genomes

    def _batch(self, n_genomes: int) -> npt.NDArray[np.int64]:
        ranks = (self._ranks.draw(self.random_state) for _ in range(n_genomes))
        return np.array([_digits(rank, self._sizes) for rank in ranks]) + self._lower


class RankShuffle:
    """The numbers ``0..n - 1`` in a random order, one at a time; memory grows with the draws.

    Parameters
    ----------
    n : int
        Any size, also beyond 64 bits.

    Examples
    --------
    >>> import numpy as np
    >>> generator, ranks = np.random.default_rng(1), RankShuffle(4)
    >>> sorted(ranks.draw(generator) for _ in range(4))
    [0, 1, 2, 3]
    """

    def __init__(self, n: int) -> None:
        self._n_left = n
        self._moved: dict[int, int] = {}

    def draw(self, generator: np.random.Generator) -> int:
        """Draw the next number; there must be one left.

        Raises
        ------
        IndexError
            If all numbers were drawn.
        """
        if self._n_left == 0:
            raise IndexError("all numbers were drawn")
        place = _integer_below(self._n_left, generator)
        self._n_left -= 1
        # The last number left moves to the place of the one that was drawn.
        last = self._moved.pop(self._n_left, self._n_left)
        if place == self._n_left:
            return last
        drawn = self._moved.get(place, place)
        self._moved[place] = last
        return drawn


def _integer_below(n: int, generator: np.random.Generator) -> int:
    """Uniform integer in ``0..n - 1`` for n of any length."""
    if n <= 1 << 63:
        return int(generator.integers(n))
    n_bits = n.bit_length()
    while True:
        drawn = int.from_bytes(generator.bytes(-(-n_bits // 8)), "little") >> (-n_bits % 8)
        if drawn < n:
            return drawn


def _digits(rank: int, sizes: tuple[int, ...]) -> list[int]:
    """Mixed-radix digits of a rank, the last one fastest."""
    digits = []
    for size in reversed(sizes):
        rank, digit = divmod(rank, size)
        digits.append(digit)
    return digits[::-1]
