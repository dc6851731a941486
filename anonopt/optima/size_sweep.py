"""The least loss of every class size k, one bounded search after the other.

The search with the fewest tests goes on: one that takes long waits for those of larger k, whose
optima it then has to beat. So an early stop leaves no part of the front without points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from anonopt._typing import FloatArray, IntArray
from anonopt.optima.front_goals import FrontGoals
from anonopt.optima.known_nodes import KnownNodes
from anonopt.optima.node_search import NodeSearch
from anonopt.optima.pair_search import PairSearch

TESTS_A_SLICE = 500
"""Tests of a first slice of a search; a later one makes as many as were made before."""

TESTS_BY_LEVELS = 20_000
"""Tests after which a search begins anew, by pairs of columns: where columns are many, those need
far fewer branches, elsewhere more time for each."""

MANY_COLUMNS = 30
"""From so many on, all searches are by pairs of columns."""


@dataclass(eq=False)
class _Step:
    """The question of the least loss of nodes that have class size `size`.

    `proven` and `tests_before` are what an earlier search for it found, and took.
    """

    size: int
    search: NodeSearch | None = None
    is_finished: bool = False
    proven: float = -np.inf
    tests_before: int = 0

    @property
    def n_tests(self) -> int:
        return self.tests_before + (0 if self.search is None else self.search.n_tests)

    @property
    def bound(self) -> float:
        return self.proven if self.search is None else max(self.proven, float(self.search.bound))


class SizeSweep:
    """The front of class size and loss among the nodes within a bound on the third objective.

    Parameters
    ----------
    goals : FrontGoals
    known : KnownNodes
        Used, and added to.
    add : callable
        Measures a node and makes it known; returns its objectives, or None if it is infeasible.
    limit : float
        Largest third objective, minimized.
    floors : mapping of int to float
        Least losses of class sizes, proven for a wider limit.
    workers : int
        Threads of searches by pairs of columns; all results are the same for any number.
    """

    def __init__(
        self,
        goals: FrontGoals,
        known: KnownNodes,
        add: Callable[[IntArray], FloatArray | None],
        *,
        limit: float,
        floors: dict[int, float],
        workers: int,
    ) -> None:
        self._goals, self._known, self._add = goals, known, add
        self.limit, self._floors, self._workers = limit, floors, workers
        self._lowest = goals.lowest_within(limit)
        self._least_loss = goals.loss.bound(self._lowest)
        self._tests_of_forgotten = 0
        self._steps: list[_Step] = []
        self._open_steps()

    @property
    def n_tests(self) -> int:
        """Tests made."""
        return self._tests_of_forgotten + sum(step.n_tests for step in self._steps)

    @property
    def is_finished(self) -> bool:
        """Whether the least loss of every class size is proven."""
        return all(step.is_finished for step in self._steps)

    def advance(self, *, tests: int | None, seconds: float | None) -> None:
        """Follow the search that has made the fewest tests, of equal ones that of the least k.

        Raises
        ------
        NoTestLeft
            If it may make no further test.
        """
        waiting = [step for step in self._steps if not step.is_finished]
        if not waiting:
            return
        step = min(waiting, key=lambda one: one.n_tests)
        try:
            self._follow(step, tests, seconds)
        finally:
            # A node of a smaller class size may have been found before the tests ran out.
            self._open_steps()

    def _follow(self, step: _Step, tests: int | None, seconds: float | None) -> None:
        most = max(TESTS_A_SLICE, step.n_tests)
        search = step.search
        if search is None or self._is_worth_pairs(search):
            search = step.search = self._search_for(step)
            search.test_budget = tests
            self._start(step.size, search)
        else:
            search.test_budget = None if tests is None else search.n_tests + tests
            search.offer(self._incumbent(step.size))
            search.raise_floor(self._floor(step.size))
        step.is_finished = search.run(tests=most, seconds=seconds)

    def _search_for(self, step: _Step) -> NodeSearch:
        """A new search for a step, by pairs of columns where they are many or one took long."""
        loss, lowest = self._goals.loss, self._lowest_for(step.size)
        if step.search is None and not (loss.additive and len(lowest) >= MANY_COLUMNS):
            return NodeSearch(loss, lowest)
        step.proven, step.tests_before = step.bound, step.n_tests
        others = [one.search for one in self._steps if isinstance(one.search, PairSearch)]
        like = others[0] if others else None
        return PairSearch(loss, lowest, workers=self._workers, like=like)

    def best_nodes(self) -> list[IntArray]:
        """Best node known of each step that knows one."""
        found = [self._best(step.size) for step in self._steps]
        return [best[0] for best in found if best is not None]

    def worst_third(self) -> float:
        """Largest third objective of the best nodes; minus infinity if there are none."""
        found = [self._best(step.size) for step in self._steps]
        values = [float(best[1][self._goals.third_at]) for best in found if best is not None]
        return max(values, default=-np.inf)

    def optima(self) -> dict[int, float]:
        """No node of at least a class size has less loss; infinite if there is no such node."""
        return {step.size: self._bound(step) for step in self._steps}

    def gaps(self, limit: float) -> pd.DataFrame:
        """See `FrontSearch.gaps`; incumbents are of nodes within a limit."""
        ends = [step.size - 1 for step in self._steps[1:]] + [self._goals.largest_size]
        rows = []
        for step, end in zip(self._steps, ends, strict=True):
            size = step.size if limit == self.limit else end
            best = self._known.best(size, limit)
            incumbent = np.inf if best is None else self._loss(best[1])
            bound = min(self._bound(step), incumbent)
            gap = incumbent - bound if bound < incumbent else 0.0
            rows.append((step.size, incumbent, bound, gap))
        return pd.DataFrame(rows, columns=["k", "incumbent", "bound", "gap"])

    def _open_steps(self) -> None:
        """Ask what is missing: a step asks for more than the best node of the one before has."""
        begun = {step.size: step for step in self._steps}
        self._steps, size = [], self._goals.least_size
        while size <= self._goals.largest_size:
            step = begun.pop(size, None) or _Step(size)
            self._steps.append(step)
            end = self._reach(step.size) + 1
            # Until it is proven, steps within the reach of its best node may be needed later.
            within = [] if step.is_finished else [one for one in begun if size < one < end]
            size = min(within, default=end)
        self._tests_of_forgotten += sum(step.n_tests for step in begun.values())

    def _lowest_for(self, size: int) -> IntArray:
        """Levels that no node of a class size is below: they only rise with it."""
        before = [step.search for step in self._steps if step.size < size]
        known = [search.root_levels for search in before if search is not None]
        return np.asarray(np.max([self._lowest, *known], axis=0))

    def _start(self, size: int, search: NodeSearch) -> None:
        search.start(
            k=size,
            budget=self._goals.loss.evaluator.rule.budget,
            cutoff=self._incumbent(size),
            floor=self._floor(size),
            accept=partial(self._accepts, size),
        )

    def _is_worth_pairs(self, search: NodeSearch) -> bool:
        is_long = search.n_tests >= TESTS_BY_LEVELS and not isinstance(search, PairSearch)
        return is_long and self._goals.loss.additive

    def _accepts(self, size: int, node: IntArray) -> bool:
        F = self._add(node)
        if F is None or -F[self._goals.size_at] < size:
            return False
        third_at = self._goals.third_at
        return third_at is None or bool(F[third_at] <= self.limit)

    def _best(self, size: int) -> tuple[IntArray, FloatArray] | None:
        return self._known.best(size, self.limit)

    def _reach(self, size: int) -> int:
        """Class size of the best node known; without one the largest of all."""
        best = self._best(size)
        return self._goals.largest_size if best is None else int(-best[1][self._goals.size_at])

    def _incumbent(self, size: int) -> float:
        best = self._best(size)
        return np.inf if best is None else self._loss(best[1])

    def _bound(self, step: _Step) -> float:
        """Loss that no node of the step's class size is below."""
        return max(self._own_bound(step), self._floor(step.size))

    def _floor(self, size: int) -> float:
        """What is proven of nodes that have a class size, by steps that ask for less."""
        wider = [loss for least, loss in self._floors.items() if least <= size]
        before = [self._own_bound(step) for step in self._steps if step.size < size]
        return max([self._least_loss, *wider, *before])

    def _own_bound(self, step: _Step) -> float:
        return self._incumbent(step.size) if step.is_finished else step.bound

    def _loss(self, F: FloatArray) -> float:
        return float(F[self._goals.loss_at])
