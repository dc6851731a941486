"""Incognito: all k-minimal nodes, from the lattices of small sets of columns up.

Idea: a node can only be feasible if it is so for every subset of its columns, since fewer
columns make larger classes. So the lattices of single columns are searched first, then those of
pairs where both levels are feasible, and so on; each breadth first from the bottom, and what is
above a feasible node is not tested.

Paper: K. LeFevre, D. J. DeWitt, R. Ramakrishnan, *Incognito: Efficient Full-Domain
K-Anonymity*, SIGMOD 2005.

Decided differently: with a suppression budget, a node of a subset is feasible if its rows in
too-small classes fit the whole budget, which is necessary for every node with these levels.
An objective that can improve when a level is raised is refused, as in OLA.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from pymoo.core.problem import Problem

from anonopt._typing import BoolArray, IntArray
from anonopt.algorithms.exact.fixed_k import TESTS_A_STEP
from anonopt.algorithms.exact.k_minimal import AllKMinimalSearch, minimal_nodes, node_heights
from anonopt.data import Lattice

Columns = tuple[int, ...]


class Incognito(AllKMinimalSearch):
    """Search of the lattices of all subsets of columns; all k-minimal nodes, and the best.

    Parameters
    ----------
    limit : int
        Most nodes of all these lattices together that are accepted.
    termination : pymoo Termination or tuple, optional
        A rule that may end the search early; nothing is proven then.
    test_budget, trace
        As in `TestingSearch`.

    Attributes
    ----------
    n_tests : int
        Nodes that were tested for feasibility, in all lattices; columns that are not in the
        subset are fully generalized.
    minimal_nodes : int64 array (n_minimal, n_quasi_identifiers)
        The feasible nodes below which no node is feasible, once the search is finished.

    Raises
    ------
    ValueError
        If an option is out of its range; when the search is set up, if the problem is not one
        of one objective under a fixed k, the objective can improve when a level is raised, or
        there are more nodes than `limit`.

    Examples
    --------
    >>> import anonopt as ao
    >>> adult = ao.load_dataset("adult")
    >>> problem = ao.problems.LatticeProblem(adult, ["height"], k=5, suppression=0.01)
    >>> result = ao.solve(problem, Incognito())
    >>> float(result.F.min()), len(result.algorithm.minimal_nodes)
    (11.0, 979)
    """

    def __init__(self, *, limit: int = 50_000_000, **options: Any) -> None:
        super().__init__(limit=limit, **options)

    def _n_nodes(self, lattice: Lattice) -> int:
        return math.prod(height + 2 for height in lattice.heights)

    def _begin(self, problem: Problem) -> None:
        super()._begin(problem)
        # Feasible nodes of each subset, of the size before and of the present one.
        self._smaller: dict[Columns, BoolArray] = {(): np.array(True)}
        self._present: dict[Columns, BoolArray] = {}
        self._waiting = _subsets(len(self._lattice.heights), 1)

    def _search(self) -> IntArray:
        last = self.n_tests + TESTS_A_STEP
        while self.n_tests < last:
            columns = self._waiting.pop(0)
            self._present[columns] = self._feasible_nodes(columns)
            if self._waiting:
                continue
            n_columns = len(self._lattice.heights)
            if len(columns) == n_columns:
                self._finished = True
                self.minimal_nodes = self._lowest + minimal_nodes(self._present[columns])
                break
            self._smaller, self._present = self._present, {}
            self._waiting = _subsets(n_columns, len(columns) + 1)
        return self.minimal_nodes

    def _feasible_nodes(self, columns: Columns) -> BoolArray:
        """Feasible nodes of a subset, one axis a column."""
        candidates = self._candidates(columns)
        heights = node_heights(Lattice([self._searched.heights[column] for column in columns]))
        feasible = np.zeros(heights.shape, dtype=bool)
        text = f"columns {', '.join(self._names(columns))}" if self._is_traced else ""
        if self._is_traced:
            within = self._completed(columns, np.argwhere(np.ones_like(candidates)))
            self._note_stage("columns", nodes=within, columns=columns)
            without = np.argwhere(~candidates)
            self._note(self._completed(columns, without), "pruned", f"{text}: infeasible in fewer")
        for height in range(int(heights.max()) + 1):
            if self._is_traced:
                above = np.argwhere((heights == height) & candidates & feasible)
                tagged = self._completed(columns, above)
                self._note(tagged, "tagged feasible", f"{text}: above a feasible node")
            nodes = np.argwhere((heights == height) & candidates & ~feasible)
            if len(nodes) == 0:
                continue
            found = nodes[self._are_feasible(self._completed(columns, nodes), text)]
            feasible[tuple(found.T)] = True
            for axis in range(feasible.ndim):
                np.logical_or.accumulate(feasible, axis=axis, out=feasible)
        return feasible

    def _names(self, columns: Columns) -> list[str]:
        return [self.problem.space.names[column] for column in columns]

    def _candidates(self, columns: Columns) -> BoolArray:
        """Nodes of a subset that are feasible without any one of its columns."""
        shape = tuple(self._searched.heights[column] + 1 for column in columns)
        candidates = np.ones(shape, dtype=bool)
        for position in range(len(columns)):
            without = columns[:position] + columns[position + 1 :]
            candidates &= np.expand_dims(self._smaller[without], position)
        return candidates

    def _completed(self, columns: Columns, nodes: IntArray) -> IntArray:
        """Nodes of a subset with the other columns fully generalized."""
        completed = np.tile(np.array(self._lattice.top, dtype=np.int64), (len(nodes), 1))
        completed[:, columns] = self._lowest[list(columns)] + nodes
        return completed


def _subsets(n_columns: int, size: int) -> list[Columns]:
    return list(itertools.combinations(range(n_columns), size))
