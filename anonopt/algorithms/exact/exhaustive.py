"""Exhaustive search: every genome of a finite space, so the front it reports is the true one.

Idea: measure all nodes and keep the non-dominated ones. What heuristics are compared with.

Paper: R. Dewri, I. Ray, I. Ray, D. Whitley, *On the Identification of Property Based
Generalizations in Microdata Anonymization*, DBSec 2010, Section 7 (exhaustive search of the
generalization lattice).

Decided differently: nothing. Nodes come in lattice order (the last attribute fastest) and in
batches, so the memory for genomes does not grow with the lattice. Of a lattice of more than ten
million nodes the front alone is handed out, and no other node is held; above a limit it is refused
before any work is done.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from pymoo.core.problem import Problem

from anonopt._checks import check_choice, check_integer
from anonopt._typing import IntArray
from anonopt.algorithms.batches import BatchSearch
from anonopt.algorithms.late_individuals import RowEvaluator
from anonopt.operators.base import integer_bounds
from anonopt.problems.any_problem import lattice_of
from anonopt.problems.spaces import space_of

if TYPE_CHECKING:
    from anonopt.problems.lattice import LatticeProblem

ALL, FRONT = "all", "front"
"""What is recorded."""

LIMIT = 10_000_000
"""Largest space of which all genomes are recorded where nothing else is asked for."""

FRONT_LIMIT = 1_000_000_000
"""Largest lattice of which the front is."""


class ExhaustiveSearch(BatchSearch):
    """Evaluate every genome of a space of whole numbers, in lattice order.

    Parameters
    ----------
    batch_size : int
        Genomes evaluated at a time, at least 1.
    record : ``"all"`` or ``"front"``, optional
        Whether every genome is handed out, and so recorded, or the front of a lattice alone. The
        front comes as one batch, which takes as long as `pareto_set_and_front` of the problem
        does. By default all, or the front of lattices of more than 10,000,000 nodes if there is no
        `limit`.
    limit : int, optional
        Largest search space that is accepted. By default 10,000,000 genomes, and 1,000,000,000
        nodes of a lattice of which the front is recorded alone.
    termination : pymoo Termination or tuple, optional
        A rule that may end the search early; the front is then not exact.

    Raises
    ------
    ValueError
        If the batch size or the limit is below 1, or there is no such record; when the search is
        set up, if the genomes are not whole numbers with bounds, or are more than the limit (the
        error names how many), or the front alone is to be recorded, and there is a budget or the
        problem is not one of measures of lattice nodes.

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

    def __init__(
        self,
        *,
        batch_size: int = 1024,
        record: str | None = None,
        limit: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__(batch_size=batch_size, **options)
        self.record = None if record is None else check_choice("record", record, (ALL, FRONT))
        self.limit = None if limit is None else check_integer("limit", limit, least=1)
        self._next_rank = 0
        self._front_of: LatticeProblem | None = None

    def particular_refusal(self, problem: Problem) -> str | None:
        """Why it does not take a problem: it is too large, or no lattice of which it must be."""
        size, is_front = space_of(problem).size, self._records_front(problem)
        if is_front and _own_lattice(problem) is None:
            return (
                f"expected a problem whose objectives are measures of lattice nodes, with "
                f"record={FRONT!r}, found another"
            )
        limit = self.limit or (FRONT_LIMIT if is_front else LIMIT)
        if size is not None and size <= limit:
            return None
        return (
            f"expected a search space of at most {limit} genomes (option limit), "
            f"found {_readable(size)}"
        )

    def _records_front(self, problem: Problem) -> bool:
        if self.record is not None or self.limit is not None or _own_lattice(problem) is None:
            return self.record == FRONT
        size = space_of(problem).size
        return size is not None and size > LIMIT

    @property
    def is_proven(self) -> bool:
        """Whether it has found the front of a lattice of which no other node is recorded."""
        return self._front_of is not None and self.n_left == 0

    def _start(self, problem: Problem) -> int | None:
        self._lower, upper = integer_bounds(problem)
        self._sizes = tuple((upper - self._lower + 1).tolist())
        self._next_rank = 0
        size: int = math.prod(self._sizes)
        lattice, budget = _own_lattice(problem), None
        if isinstance(self.evaluator, RowEvaluator):
            budget = self.evaluator.budget
        self._front_of = lattice if self._records_front(problem) else None
        if self._front_of is not None:
            if budget is not None:
                raise ValueError(
                    f"budget: expected none where the front alone is recorded, of {size} nodes, "
                    f"found {budget}"
                )
            return None
        self._ahead = problem
        if lattice is not None and isinstance(self.evaluator, RowEvaluator):
            self._ahead = lattice.rolled_up(most=size if budget is None else budget)
        return size

    @property
    def _measured_by(self) -> Problem:
        return self.problem if self._front_of is not None else self._ahead

    def _batch(self, n_genomes: int) -> IntArray:
        if self._front_of is not None:
            nodes, _ = self._front_of.pareto_set_and_front(limit=math.prod(self._sizes))
            self.n_left = 0
            self.end_reason = (
                f"front of {math.prod(self._sizes)} nodes, of which no other is recorded"
            )
            # Where nothing is feasible, the highest node stands for all.
            return nodes if len(nodes) else (self._lower + self._sizes - 1)[np.newaxis]
        ranks = np.arange(self._next_rank, self._next_rank + n_genomes)
        self._next_rank += n_genomes
        return np.stack(np.unravel_index(ranks, self._sizes), axis=1) + self._lower


def _own_lattice(problem: Problem) -> LatticeProblem | None:
    """The problem itself if its objectives are measures of the nodes of a lattice."""
    lattice = lattice_of(problem)
    return lattice if lattice is problem else None


def _readable(n_genomes: int | None) -> str:
    """Exact number, or its magnitude where nobody could read it."""
    if n_genomes is None:
        return "no finite number"
    return (
        str(n_genomes) if n_genomes < 10**100 else f"about 10^{math.floor(math.log10(n_genomes))}"
    )
