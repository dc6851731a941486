"""Samarati: a k-anonymous node of least height by binary search on the height.

Idea: if a node is feasible, so is one in every greater height; halve the heights, and at each
look for a feasible node.

Paper: P. Samarati, *Protecting Respondents' Identities in Microdata Release*, IEEE Transactions
on Knowledge and Data Engineering 13 (2001).

Decided differently: nothing; of the nodes of least height the first feasible one in lattice
order is reported. Whether another one has a better objective, or a node of a greater height
has, is not looked at: the paper's criterion is the height.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.core.problem import Problem

from anonopt._typing import IntArray
from anonopt.algorithms.exact.k_minimal import KMinimalSearch, node_heights
from anonopt.measures import MEASURES

BATCH = 64
"""Nodes of a height that are tested together."""


class Samarati(KMinimalSearch):
    """Binary search on the height; ends at a feasible node of least height.

    It is exact for the objective ``height`` and a heuristic for every other.

    Parameters
    ----------
    limit : int
        Largest lattice that is accepted.
    termination : pymoo Termination or tuple, optional
        A rule that may end the search early.
    test_budget, trace
        As in `TestingSearch`.

    Attributes
    ----------
    n_tests : int
        Nodes that were tested for feasibility.
    minimal_nodes : int64 array (n, n_quasi_identifiers)
        The node that was found, once the search is finished. It is k-minimal; there are
        usually others.

    Raises
    ------
    ValueError
        If an option is out of its range; when the search is set up, if the problem is not one
        of one objective under a fixed k, or the lattice is above the limit.

    Examples
    --------
    >>> import anonopt as ao
    >>> adult = ao.load_dataset("adult")
    >>> problem = ao.problems.LatticeProblem(adult, ["height"], k=5, suppression=0.01)
    >>> ao.solve(problem, Samarati()).front["height"].tolist()
    [11.0]
    """

    def __init__(self, *, limit: int = 10_000_000, **options: Any) -> None:
        super().__init__(limit=limit, **options)

    @property
    def is_proven(self) -> bool:
        """Whether it has come to its end, and the height is what is minimized."""
        return self._is_complete and self._objective is MEASURES["height"]

    def _begin(self, problem: Problem) -> None:
        super()._begin(problem)
        self._heights = node_heights(self._searched) + int(self._lowest.sum())
        self._low, self._high = int(self._lowest.sum()), sum(self._lattice.heights)
        self._found = np.array([self._lattice.top], dtype=np.int64)

    def _search(self) -> IntArray:
        if self._low < self._high:
            middle = (self._low + self._high) // 2
            self._note_stage("heights", figures={**self._window, "middle": middle})
            found = self._first_feasible(middle)
            if len(found):
                self._high, self._found = middle, found
            else:
                self._low = middle + 1
        self._finished = self._low == self._high
        if self._finished:
            self._note_stage("heights", nodes=self._found, figures=self._window)
            self.minimal_nodes = self._found
        return self.minimal_nodes

    @property
    def _window(self) -> dict[str, float]:
        """Heights that the least one can be."""
        return {"low": self._low, "high": self._high}

    def _known_nodes(self) -> IntArray:
        return self._found

    def _first_feasible(self, height: int) -> IntArray:
        nodes = self._lowest + np.argwhere(self._heights == height).astype(np.int64)
        for start in range(0, len(nodes), BATCH):
            batch = nodes[start : start + BATCH]
            feasible = self._are_feasible(batch, f"height {height}")
            if feasible.any():
                return batch[feasible][:1]
        return nodes[:0]
