"""Random search: distinct genomes in a random order, the baseline every search has to beat.

Idea: draw genomes uniformly, without replacement, and keep the non-dominated ones.

Paper: none; it is the usual null model of a search.

Decided differently: no genome is drawn twice, however small the space, so a budget of distinct
evaluations is used up exactly and a small lattice is covered completely. Where genes are whole
numbers, the order is a Fisher-Yates shuffle of all ranks of which only the part that was used is
stored, so spaces of any size are drawn from without rejection: R. A. Fisher and F. Yates,
*Statistical Tables*, 1938, in the form of R. Durstenfeld, Algorithm 235, Communications of the ACM
7 (1964). Real numbers are uniform within their bounds, and repaired as the space says. Other
genomes, such as trees, are those of the sampling of the space; repeats are drawn again.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt._typing import AnyArray, FloatArray, Generator, IntArray
from anonopt.algorithms.batches import BatchSearch
from anonopt.algorithms.local.node_memory import search_bounds
from anonopt.evaluation.lattice.column_bounds import LevelBounds, check_level_bounds
from anonopt.problems.any_problem import lattice_of
from anonopt.problems.spaces import Levels, Space, space_of

MAX_REPEATS = 10_000
"""The search ends after so many repeats in a row: there is hardly anything left to draw."""


class RandomSearch(BatchSearch):
    """Evaluate distinct genomes of a problem in a random order.

    It ends when every genome was drawn (where nobody knows how many there are, after 10,000
    repeats in a row), or by a budget or termination.

    Parameters
    ----------
    batch_size : int
        Genomes drawn at a time, at least 1.
    bounds : sequence of int (n_var,), ``"sound"`` or ``"no_suppression"``, optional
        Of levels: the lowest ones that are drawn, or the rule that they follow from under a fixed
        k (see :func:`~anonopt.evaluation.lattice.column_bounds.column_bounds`), as De Pascale et
        al. 2022, Section 3.2, reduce the lattice; by default those of the problem.
    termination : pymoo Termination or tuple, optional

    Raises
    ------
    ValueError
        If the batch size is below 1, or the bounds are no levels and no rule; when the search is
        set up, if a plain pymoo problem has no whole bounds, or `bounds` do not fit the problem.

    Examples
    --------
    >>> from anonopt.runs import solve
    >>> from anonopt.problems import AnonymizationProblem
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
        self, *, batch_size: int = 100, bounds: LevelBounds = None, **options: Any
    ) -> None:
        super().__init__(batch_size=batch_size, **options)
        self.bounds = check_level_bounds(bounds)

    def particular_refusal(self, problem: Problem) -> str | None:
        """Why it does not take a problem: bounds of levels that it has not."""
        kind, lattice = space_of(problem).kind, lattice_of(problem)
        if self.bounds is not None and kind != Levels.kind:
            return f"expected genomes of levels with the option bounds, found {kind}"
        has_k = lattice is not None and lattice.evaluator.rule.k is not None
        if isinstance(self.bounds, str) and not has_k:
            return f"expected a fixed k (option k) with bounds={self.bounds!r}, found none"
        return None

    def _start(self, problem: Problem) -> int | None:
        space = space_of(problem)
        self._draws: _WholeNumbers | _Draws
        if space.vtype is not int:
            self._draws = _Draws(space)
            return None
        self._draws = _WholeNumbers(*search_bounds(problem, self.bounds))
        return self._draws.size

    def _batch(self, n_genomes: int) -> AnyArray:
        drawn = self._draws.draw(self.problem, n_genomes, self.random_state)
        if len(drawn) < n_genomes:
            self.n_left = 0
        return drawn


class _WholeNumbers:
    """Distinct genomes of whole numbers, in the order of shuffled ranks."""

    def __init__(self, lower: IntArray, upper: IntArray) -> None:
        self._lower = lower
        self._sizes = tuple(map(int, upper - lower + 1))
        self.size = math.prod(self._sizes)
        self._ranks = RankShuffle(self.size)

    def draw(self, problem: Problem, n_genomes: int, generator: Generator) -> IntArray:
        ranks = (self._ranks.draw(generator) for _ in range(n_genomes))
        return np.array([_digits(rank, self._sizes) for rank in ranks]) + self._lower


class _Draws:
    """Distinct genomes of a space whose genomes have no ranks."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._drawn: set[bytes] = set()

    def draw(self, problem: Problem, n_genomes: int, generator: Generator) -> AnyArray:
        found: list[AnyArray] = []
        n_repeats = 0
        while len(found) < n_genomes and n_repeats < MAX_REPEATS:
            for x in self._some(problem, n_genomes - len(found), generator):
                key = self._space.key(x)
                n_repeats = n_repeats + 1 if key in self._drawn else 0
                if key not in self._drawn:
                    self._drawn.add(key)
                    found.append(x)
        return np.stack(found) if found else np.empty((0, self._space.n_var), self._space.vtype)

    def _some(self, problem: Problem, n: int, generator: Generator) -> AnyArray:
        space = self._space
        if space.lower is None or space.upper is None:
            drawn: AnyArray = space.sampling()(problem, n, random_state=generator).get("X")
            return drawn
        X: FloatArray = generator.uniform(space.lower, space.upper, size=(n, space.n_var))
        repair = space.repair()
        return X if repair is None else repair(problem, Population.new("X", X)).get("X")


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

    def draw(self, generator: Generator) -> int:
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


def _integer_below(n: int, generator: Generator) -> int:
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
