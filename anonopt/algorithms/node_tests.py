"""Tests of nodes for feasibility: how many a search made, how many it may, and what they told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from pymoo.core.problem import Problem

from anonopt._checks import check_integer
from anonopt._typing import AnyArray, BoolArray, IntArray
from anonopt.algorithms.base import Search
from anonopt.algorithms.growing_array import GrowingArray
from anonopt.optima.node_search import NoTestLeft
from anonopt.problems.spaces import space_of

TESTS_USED_UP = "budget of tests reached"
"""Why a search ended that may not test further nodes."""


@dataclass(frozen=True, eq=False)
class Stage:
    """What a traced search set out to do, between two steps of its trace.

    Attributes
    ----------
    n_steps : int
        Steps of the trace before it.
    name : str
        ``"heights"`` of Samarati, ``"strategy path"`` of OLA, ``"columns"`` of Incognito,
        ``"distinct values"`` of Datafly, ``"branch"`` and ``"hopeless branch"`` of
        `BranchAndBound`.
    nodes : int64 array (n, n_quasi_identifiers)
        Nodes it is about, maybe none.
    columns : tuple of int
        Positions of the quasi-identifiers it is about, maybe none.
    figures : mapping of str to float
        What the search knew then, such as bounds.
    """

    n_steps: int
    name: str
    nodes: IntArray
    columns: tuple[int, ...] = ()
    figures: Mapping[str, float] = field(default_factory=dict)


class TestingSearch(Search):
    """Base of the searches that ask of nodes whether they are feasible.

    These tests are cheaper than evaluations, and the problem does not see them.

    Parameters
    ----------
    test_budget : int, optional
        Most nodes that may be tested, at least 1. The search then ends with the best it knows;
        it never tests more.
    trace : bool
        Whether to keep what happened to each node, for :meth:`trace`. It takes memory for each
        node that is tested, tagged or pruned, so it is off by default.
    **options
        Of the other base classes.

    Attributes
    ----------
    n_tests : int
        Nodes tested so far.
    test_budget : int or None
        May be set before the search is set up.
    """

    __test__ = False  # its name is not that of a test of pytest

    def __init__(
        self, *, test_budget: int | None = None, trace: bool = False, **options: Any
    ) -> None:
        super().__init__(**options)
        self.test_budget = (
            None if test_budget is None else check_integer("test_budget", test_budget, least=1)
        )
        self.n_tests = 0
        self._is_traced = trace
        self._trace = Trace()

    @property
    def is_traced(self) -> bool:
        """Whether it was made with ``trace=True``."""
        return self._is_traced

    def trace(self) -> pd.DataFrame:
        """What happened to the nodes, step by step.

        Returns
        -------
        DataFrame (n_steps, n_quasi_identifiers + 4)
            ``step`` from 1 on; the levels of the node; ``event``: ``"feasible"`` or
            ``"infeasible"`` of a node that was tested, ``"tagged feasible"``,
            ``"tagged infeasible"`` or ``"pruned"`` of one that need not be; ``reason``, empty for
            tests that need none; ``n_tests``, the number of tests so far.

        Raises
        ------
        ValueError
            If the search was not made with ``trace=True``.
        """
        self._check_trace()
        space = space_of(self.problem)
        return self._trace.frame(space.names or [f"x{i + 1}" for i in range(space.n_var)])

    def stages(self) -> list[Stage]:
        """What the search set out to do, and when; empty for searches that note nothing of it.

        Raises
        ------
        ValueError
            If the search was not made with ``trace=True``.
        """
        self._check_trace()
        return list(self._trace.stages)

    def _check_trace(self) -> None:
        if not self._is_traced:
            raise ValueError("trace: expected a search made with trace=True, found trace=False")

    def _setup(self, problem: Problem, **kwargs: Any) -> None:
        self.n_tests, self._trace = 0, Trace()
        super()._setup(problem, **kwargs)

    def _n_tests_left(self, n_wanted: int) -> int:
        """How many of the tests may be made.

        Raises
        ------
        NoTestLeft
            If it is none of them.
        """
        left = n_wanted if self.test_budget is None else self.test_budget - self.n_tests
        if left <= 0 < n_wanted:
            raise NoTestLeft
        return min(left, n_wanted)

    def _note_tests(self, nodes: IntArray, feasible: BoolArray, reason: str = "") -> None:
        """Count tests, and keep what they told."""
        if not self._is_traced:
            self.n_tests += len(nodes)
            return
        for node, outcome in zip(nodes, feasible, strict=True):
            self.n_tests += 1
            self._note(node[np.newaxis], "feasible" if outcome else "infeasible", reason)

    def _note(self, nodes: IntArray, event: str, reason: str) -> None:
        """Keep what happened to nodes, (n, n_var), if the search is traced."""
        if self._is_traced:
            self._trace.extend(nodes, event, reason, self.n_tests)

    def _note_stage(
        self,
        name: str,
        *,
        nodes: Sequence[Any] | IntArray = (),
        columns: Sequence[int] = (),
        figures: Mapping[str, float] | None = None,
    ) -> None:
        """Keep what comes next, if the search is traced; see :class:`Stage`."""
        if self._is_traced:
            shown = np.array(nodes, dtype=np.int64).reshape(-1, space_of(self.problem).n_var)
            place = tuple(int(column) for column in columns)
            self._trace.stages.append(Stage(len(self._trace), name, shown, place, figures or {}))


class Trace:
    """Rows of the table of :meth:`TestingSearch.trace`."""

    def __init__(self) -> None:
        self.stages: list[Stage] = []
        self._nodes, self._n_tests = GrowingArray(), GrowingArray()
        self._events: list[tuple[str, str]] = []

    def extend(self, nodes: AnyArray, event: str, reason: str, n_tests: int) -> None:
        """Append nodes that share an event."""
        self._nodes.extend(nodes)
        self._n_tests.extend(np.full(len(nodes), n_tests))
        self._events += [(event, reason)] * len(nodes)

    def __len__(self) -> int:
        return len(self._events)

    def frame(self, names: Sequence[str]) -> pd.DataFrame:
        """All rows; `names` are the columns of a node."""
        nodes = self._nodes.view().reshape(len(self._events), len(names))
        # Put together by position: a quasi-identifier may be called as one of these columns.
        columns = [
            pd.DataFrame({"step": np.arange(1, len(nodes) + 1)}),
            pd.DataFrame(nodes, columns=list(names)),
            pd.DataFrame(self._events, columns=["event", "reason"]),
            pd.DataFrame({"n_tests": self._n_tests.view()}),
        ]
        return pd.concat(columns, axis=1)
