"""The degrees of a graph from largest to smallest, and the groups in which they become equal."""

from __future__ import annotations

import numpy as np

from anonopt._typing import IntArray
from anonopt.evaluation.accelerator import has_numba

NO_GROUPS = np.iinfo(np.int64).max // 2
"""Cost of degrees that are too few for a group."""


class DegreeSequence:
    """Degrees that can be raised from below, and the least cost of making k of each equal.

    Dynamic programming over the sorted degrees (Liu and Terzi 2008, Section 5): groups of
    neighbours of k to 2k - 1 degrees are raised to the largest in them. Time O(n k), and after
    degrees were raised O(k) for each that is not above them.

    Parameters
    ----------
    degrees : int64 array (n_nodes,)
        At least one.
    k : int
        1..n_nodes.
    """

    def __init__(self, degrees: IntArray, k: int) -> None:
        self._k, n = k, len(degrees)
        self._order = np.argsort(-degrees, kind="stable")
        self._falling = degrees[self._order]
        self._total = np.concatenate([[0], np.cumsum(self._falling)])
        # cost[i]: least cost of the i largest degrees; start[i]: where their last group begins.
        self._cost = np.full(n + 1, NO_GROUPS)
        self._start = np.zeros(n + 1, dtype=np.int64)
        self._cost[0] = 0
        self._find_groups(0)

    @property
    def anonymous_sum(self) -> int:
        """Sum of the degrees when k of each are equal."""
        return int(self._total[-1] + self._cost[-1])

    def anonymous(self) -> IntArray:
        """Degree of each node when k of each are equal, int64 array (n_nodes,)."""
        degrees = np.empty(len(self._order), dtype=np.int64)
        if has_numba():
            # Compiled code is loaded when it is used.
            from anonopt.graphs.kernel_degrees import raise_groups

            raise_groups(self._falling, self._order, self._start, degrees)
            return degrees
        end = len(self._order)
        while end > 0:
            begin = int(self._start[end])
            degrees[self._order[begin:end]] = self._falling[begin]
            end = begin
        return degrees

    def raise_lowest(self, times: int, rng: np.random.Generator) -> None:
        """Raise by one, so many times, a random node of those of lowest degree.

        Nothing is drawn once every node is tied to every other.
        """
        n = len(self._order)
        while times and self._falling[-1] < n - 1:
            first = self._first_of(self._falling[-1])
            n_drawn = min(times, n - first)
            # The numbers that as many draws from those left by the ones before would give.
            places = rng.integers(0, n - first - np.arange(n_drawn))
            self._raise(first, _places_in_all(places))
            times -= n_drawn

    def _first_of(self, degree: int) -> int:
        """Where the nodes of a degree begin, or would stand."""
        return len(self._falling) - int(np.searchsorted(self._falling[::-1], degree, side="right"))

    def _raise(self, first: int, places: IntArray) -> None:
        """Raise some of the nodes of lowest degree, which begin at `first`."""
        degree = int(self._falling[-1]) + 1
        is_raised = np.zeros(len(self._order) - first, dtype=np.bool_)
        is_raised[places] = True
        lowest = self._order[first:]
        raised, others = lowest[is_raised], lowest[~is_raised]
        above = self._first_of(degree)
        end = first + len(places)
        # Nodes of one degree stay in their order, as a stable sort of all would have them.
        joined = np.concatenate([self._order[above:first], raised])
        self._order[above:end] = np.sort(joined, kind="stable")
        self._order[end:] = others
        self._falling[first:end] = degree
        self._total[first + 1 :] = self._total[first] + np.cumsum(self._falling[first:])
        self._find_groups(first)

    def _find_groups(self, first: int) -> None:
        """Find cost and last group of more than the `first` degrees, which are known."""
        falling, total, cost, k = self._falling, self._total, self._cost, self._k
        least = max(k, first + 1)
        if has_numba():
            from anonopt.graphs.kernel_degrees import begin_groups

            begin_groups(falling, total, k, least, cost, self._start)
            return
        for end in range(least, len(falling) + 1):
            begins = np.arange(max(0, end - 2 * k + 1), end - k + 1)
            raised = falling[begins] * (end - begins) - (total[end] - total[begins])
            sums = cost[begins] + raised
            best = int(sums.argmin())
            cost[end], self._start[end] = sums[best], begins[best]


def _places_in_all(places: IntArray) -> IntArray:
    """Where those stand among all that were drawn by their place among those that were left.

    Examples
    --------
    >>> _places_in_all(np.array([2, 2, 0, 1])).tolist()
    [2, 3, 0, 4]
    """
    found = places.copy()
    # The last removal is undone first: what stood behind the one that was taken moves up.
    for drawn in range(len(found) - 2, -1, -1):
        later = found[drawn + 1 :]
        later += later >= found[drawn]
    return found
