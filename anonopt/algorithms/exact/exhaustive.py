"""Exhaustive search: every genome of a finite space, so the front it reports is the true one.

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
from pymoo.core.problem import Problem

from anonopt._checks import check_integer
from anonopt._typing import IntArray
from anonopt.algorithms.batches import BatchSearch
from anonopt.operators.base import integer_bounds
from anonopt.problems.spaces import space_of


class ExhaustiveSearch(BatchSearch):
    """Evaluate every genome of a space of whole numbers, in lattice order.

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
        If the batch size or the limit is below 1; when the search is set up, if the genomes are
        not whole numbers with bounds, or are more than the limit (the error names how many).

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
    >>> solve(problem, ExhaustiveSearch()).n_unique
    10
    """

    ends_by_itself = True

    def __init__(self, *, batch_size: int = 1024, limit: int = 10_000_000, **options: Any) -> None:
        super().__init__(batch_size=batch_size, **options)
        self.limit = check_integer("limit", limit, least=1)
        self._next_rank = 0

    def particular_refusal(self, problem: Problem) -> str | None:
        """Why it does not take a problem: its space is larger than the limit."""
        size = space_of(problem).size
        if size is not None and size <= self.limit:
            return None
        return (
            f"expected a search space of at most {self.limit} genomes (option limit), "
            f"found {_readable(size)}"
        )

    def _start(self, problem: Problem) -> int:
        self._lower, upper = integer_bounds(problem)
        self._sizes = tuple((upper - self._lower + 1).tolist())
        self._next_rank = 0
        return math.prod(self._sizes)

    def _batch(self, n_genomes: int) -> IntArray:
        ranks = np.arange(self._next_rank, self._next_rank + n_genomes)
        self._next_rank += n_genomes
        return np.stack(np.unravel_index(ranks, self._sizes), axis=1) + self._lower


def _readable(n_genomes: int | None) -> str:
    """Exact number, or its magnitude where nobody could read it."""
    if n_genomes is None:
        return "no finite number"
    return (
        str(n_genomes) if n_genomes < 10**100 else f"about 10^{math.floor(math.log10(n_genomes))}"
    )
