"""Distances of nodes by what they say, a row at a time: never all pairs of a large graph."""

from __future__ import annotations

import copy

import numpy as np
import numpy.typing as npt

from anonopt._typing import IntArray
from anonopt.graphs.attributes.locations import MAX_LEVEL
from anonopt.graphs.social_graph import SocialGraph

MAX_MATRIX_NODES = 5_000
"""Graphs of more nodes than this never have all their distances in memory."""


class NodeDistances:
    """Distances of the attributes of nodes (Mares 2013, Section 6.2).

    The thesis clusters by a distance of nodes that it does not print. Here it is the mean, over
    the attributes, of the distance of the locations (Eq. 6.1) and of each topic with that of the
    same rank (Eq. 6.2), the terms of DBIL. All are multiples of 1/7, so rows are whole numbers:
    the distance times ``scale``, which makes ties exact.

    Parameters
    ----------
    graph : SocialGraph
    matrix : bool
        Compute all pairs at once, uint8 array (n_nodes, n_nodes): worth it where many rows
        are asked for many times.

    Attributes
    ----------
    graph : SocialGraph
    has_matrix : bool
    scale : int
        Units of a distance of 1: 7 times the number of attributes.

    Raises
    ------
    ValueError
        If a matrix is asked for of more than ``MAX_MATRIX_NODES`` nodes.

    Examples
    --------
    >>> graph = SocialGraph(["Ann", "Bob", "Cy"], [], topics=[[0, 1], [0, 2], [2, 1]],
    ...                     topic_names=["Sports", "Politics", "Weather"])
    >>> distances = NodeDistances(graph)
    >>> (distances.row(0) / distances.scale).tolist()
    [0.0, 0.5, 0.5]
    """

    def __init__(self, graph: SocialGraph, *, matrix: bool = False) -> None:
        self.n_nodes = graph.n_nodes
        self.scale = MAX_LEVEL * len(graph.attributes)
        small = np.uint8 if len(graph.topic_names) <= 256 else np.int32
        self._topics = [np.ascontiguousarray(column, dtype=small) for column in graph.topics.T]
        self._targets = self._topics
        self.graph, self.has_matrix = graph, matrix
        self._hierarchy, self._locations = graph.hierarchy, graph.locations
        self._target_locations = graph.locations
        self._location_rows: dict[int, npt.NDArray[np.uint8]] = {}
        self._matrix: npt.NDArray[np.uint8] | None = None
        if matrix:
            if graph.n_nodes > MAX_MATRIX_NODES:
                raise ValueError(
                    f"distances: expected a matrix of at most {MAX_MATRIX_NODES} nodes, "
                    f"found {graph.n_nodes}"
                )
            rows = [self.row(node) for node in range(graph.n_nodes)]
            self._matrix = np.array(rows, dtype=np.uint8).reshape(graph.n_nodes, graph.n_nodes)

    def row(self, node: int) -> npt.NDArray[np.uint8]:
        """Distances times ``scale`` of a node to all others, uint8 array (n_targets,).

        A new array; all nodes are targets, unless :meth:`restricted` left some out.
        """
        if self._matrix is not None:
            return np.array(self._matrix[node])
        differing = np.zeros(len(self._targets[0]), dtype=np.uint8)
        for own, targets in zip(self._topics, self._targets, strict=True):
            differing += (targets != own[node]).view(np.uint8)
        differing *= MAX_LEVEL
        if self._hierarchy is not None and self._locations is not None:
            differing = differing + self._location_row(node)
        return differing

    def restricted(self, targets: IntArray) -> NodeDistances:
        """Return the same distances to some of the present targets only, by their positions."""
        twin = copy.copy(self)
        twin._targets = [column[targets] for column in self._targets]
        if self._target_locations is not None:
            twin._target_locations = self._target_locations[targets]
        if self._matrix is not None:
            twin._matrix = self._matrix[:, targets]
        return twin

    def _location_row(self, node: int) -> npt.NDArray[np.uint8]:
        if self._hierarchy is None or self._locations is None or self._target_locations is None:
            return np.zeros(0, dtype=np.uint8)
        code = int(self._locations[node])
        if code not in self._location_rows:
            if len(self._location_rows) * self._hierarchy.n_values > MAX_MATRIX_NODES**2:
                self._location_rows.clear()
            self._location_rows[code] = self._hierarchy.sevenths_from(code)
        return self._location_rows[code].take(self._target_locations)
