"""Exhaustive search: every node of the lattice, so the front it reports is the true one.

Idea: measure all nodes and keep the non-dominated ones. What heuristics are compared with.

Paper: R. Dewri, I. Ray, I. Ray, D. Whitley, *On the Identification of Property Based
Generalizations in Microdata Anonymization*, DBSec 2010, Section 7 (exhaustive search of the
generalization lattice).

Decided differently: nothing. Nodes come in lattice order (the last attribute fastest) and in
batches, so the memory for genomes does not grow with the lattice; a lattice above a limit is
refused before any work is done.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.problem import Problem
from pymoo.core.termination import NoTermination, Termination

from anonopt.algorithms.population.batches import BatchSearch
from anonopt.operators.base import integer_bounds


class ExhaustiveSearch(BatchSearch):
    """Evaluate every genome of a problem with integer bounds, in lattice order.

    Parameters
    ----------
    batch_size : int
        Genomes evaluated at a time, at least 1.
    limit : int
        Largest search space that is accepted.
    termination : pymoo Termination or tuple, optional
        A rule that may end the search early; the front is then not exact.

    Raises
    ------
    ValueError
        If the batch size is below 1; when the search is set up, if the search space is larger
        than the limit (the error names its exact size), or the genomes are not integers with
        bounds.

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
    >>> solve(problem, ExhaustiveSearch()).n_unique
    10
    """

    def __init__(
        self,
        *,
        batch_size: int = 1024,
        limit: int = 10_000_000,
        termination: Termination | tuple[Any, ...] | None = None,
    ) -> None:
        super().__init__(
            batch_size=batch_size,
            termination=NoTermination() if termination is None else termination,
        )
        self.limit = limit
        self._next_rank = 0

    def _start(self, problem: Problem) -> int:
        lower, upper = integer_bounds(problem)
        # Python integers, as the product can be larger than any of numpy's.
        self._lower, self._sizes = lower, tuple(map(int, upper - lower + 1))
        n_genomes = math.prod(self._sizes)
        if n_genomes > self.limit:
            raise ValueError(
                f"expected a search space of at most {self.limit} genomes (option limit); "
                f"found {_readable(n_genomes)}"
            )
        return n_genomes

    def _batch(self, n_genomes: int) -> npt.NDArray[np.int64]:
        ranks = np.arange(self._next_rank, self._next_rank + n_genomes)
        self._next_rank += n_genomes
        return np.stack(np.unravel_index(ranks, self._sizes), axis=1) + self._lower


def _readable(n_genomes: int) -> str:
    """Exact number, or its magnitude where nobody could read it."""
    return (
        str(n_genomes) if n_genomes < 10**100 else f"about 10^{math.floor(math.log10(n_genomes))}"
    )
