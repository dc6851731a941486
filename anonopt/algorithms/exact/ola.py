"""OLA: all k-minimal nodes by binary search on strategy paths with predictive tagging.

Idea: on a path from a node up to the top, feasibility changes once, so a binary search finds
where. What is above a feasible node is feasible and what is below an infeasible one is not, so
most nodes are tagged without a test. The next path starts at the lowest node without a tag.

Paper: K. El Emam, F. K. Dankar, R. Issa et al., *A Globally Optimal k-Anonymity Method for the
De-Identification of Health Data*, JAMIA 16 (2009); as De Pascale 2022, Section 2.7, has it.

Decided differently: the paper halves sublattices recursively and meets the same nodes in many
of them; here each path goes through nodes without a tag only, as in F. Kohlmayer et al.,
*Flash: Efficient, Stable and Optimal K-Anonymity*, PASSAT 2012. A path goes on by the first
column that leads to a node without a tag. An objective that can improve when a level is raised
is refused, as the best k-minimal node need not be the optimum then.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.core.problem import Problem

from anonopt._typing import IntArray
from anonopt.algorithms.exact.fixed_k import TESTS_A_STEP
from anonopt.algorithms.exact.k_minimal import AllKMinimalSearch, minimal_nodes, node_heights

Node = tuple[int, ...]

UNKNOWN, INFEASIBLE, FEASIBLE = 0, 1, 2


class OLA(AllKMinimalSearch):
    """Optimal Lattice Anonymization: all k-minimal nodes, and the best of them.

    Parameters
    ----------
    limit : int
        Largest lattice that is accepted: every node has a tag of a byte.
    termination : pymoo Termination or tuple, optional
        A rule that may end the search early; nothing is proven then.
    test_budget, trace
        As in `TestingSearch`.

    Attributes
    ----------
    n_tests : int
        Nodes that were tested for feasibility; the others were tagged by prediction.
    minimal_nodes : int64 array (n_minimal, n_quasi_identifiers)
        The feasible nodes below which no node is feasible, once the search is finished.

    Raises
    ------
    ValueError
        If an option is out of its range; when the search is set up, if the problem is not one
        of one objective under a fixed k, the objective can improve when a level is raised, or
        the lattice is above the limit.

    Examples
    --------
    >>> import anonopt as ao
    >>> adult = ao.load_dataset("adult")
    >>> problem = ao.problems.LatticeProblem(adult, ["height"], k=5, suppression=0.01)
    >>> result = ao.solve(problem, OLA())
    >>> float(result.F.min()), len(result.algorithm.minimal_nodes)
    (11.0, 979)
    """

    def __init__(self, *, limit: int = 10_000_000, **options: Any) -> None:
        super().__init__(limit=limit, **options)

    def _begin(self, problem: Problem) -> None:
        super()._begin(problem)
        heights = node_heights(self._searched)
        self._tags = np.full(heights.shape, UNKNOWN, dtype=np.uint8)
        self._order = np.argsort(heights, axis=None, kind="stable")
        self._next = 0

    def _search(self) -> IntArray:
        last = self.n_tests + TESTS_A_STEP
        while self.n_tests < last:
            start = self._lowest_unknown()
            if start is None:
                self._finished = True
                self.minimal_nodes = self._known_nodes()
                break
            path = self._path(start)
            if self._is_traced:
                self._note_stage("strategy path", nodes=self._lowest + np.array(path))
            self._halve(path)
        return self.minimal_nodes

    def _known_nodes(self) -> IntArray:
        return self._lowest + minimal_nodes(self._tags == FEASIBLE)

    def _lowest_unknown(self) -> Node | None:
        tags = self._tags.reshape(-1)
        while self._next < len(self._order):
            # Blocks, as the nodes that are tagged already are many.
            block = self._order[self._next : self._next + 4096]
            unknown = np.flatnonzero(tags[block] == UNKNOWN)
            if len(unknown):
                self._next += int(unknown[0])
                return _node(int(self._order[self._next]), self._tags.shape)
            self._next += len(block)
        return None

    def _path(self, start: Node) -> list[Node]:
        """Nodes without a tag, each one level above the one before."""
        path = [start]
        while (above := self._unknown_above(path[-1])) is not None:
            path.append(above)
        return path

    def _unknown_above(self, node: Node) -> Node | None:
        for column, level in enumerate(node):
            above = (*node[:column], level + 1, *node[column + 1 :])
            if level + 1 < self._tags.shape[column] and self._tags[above] == UNKNOWN:
                return above
        return None

    def _halve(self, path: list[Node]) -> None:
        low, high = 0, len(path)
        while low < high:
            middle = (low + high) // 2
            node = path[middle]
            if self._are_feasible(self._lowest + np.array([node], dtype=np.int64))[0]:
                self._tag(node, tuple(slice(level, None) for level in node), FEASIBLE)
                high = middle
            else:
                self._tag(node, tuple(slice(level + 1) for level in node), INFEASIBLE)
                low = middle + 1

    def _tag(self, node: Node, others: tuple[slice, ...], tag: int) -> None:
        """Tag a node that was tested, and what lies above or below it."""
        self._tags[node] = tag
        if self._is_traced:
            new = np.argwhere(self._tags[others] == UNKNOWN)
            new += [levels.start or 0 for levels in others]
            event, side = ("feasible", "above") if tag == FEASIBLE else ("infeasible", "below")
            tested = tuple((self._lowest + np.array(node)).tolist())
            self._note(self._lowest + new, f"tagged {event}", f"{side} {tested}")
        self._tags[others] = tag


def _node(rank: int, shape: tuple[int, ...]) -> Node:
    return tuple(int(level) for level in np.unravel_index(rank, shape))
