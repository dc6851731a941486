"""Search for the order in which the nodes of a social graph are clustered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from anonopt._checks import unknown
from anonopt._typing import AnyArray, RandomState
from anonopt.graphs import (
    NodeDistances,
    SocialGraph,
    cluster_by_visits,
    compare_graphs,
    substitute_values,
)
from anonopt.graphs.clustering import check_k
from anonopt.graphs.measures.distances import MAX_MATRIX_NODES
from anonopt.measures import Measure, get_measure
from anonopt.problems.measured import Columns, MeasuredProblem, columns_of
from anonopt.problems.spaces.visits import Visits


class GraphProblem(MeasuredProblem):
    """Protect a social graph: information loss against disclosure risk, at a given k.

    Algorithm 14 of Mares 2013 draws the node that starts each cluster at random. Here the order
    of those draws is the genome, so a search can look for a better one than chance finds. Gene i
    is the node that is visited i-th; a node that is in a cluster already is passed over, and
    nodes that no gene names come last. Every permutation of the nodes is a run of Algorithm 14;
    other genomes stand for permutations too, so operators for permutations (pymoo's
    ``OrderCrossover``, ``InversionMutation``) and those for whole numbers (single-point
    crossover, ``ResetMutation``) both fit, and neither needs a repair.

    Parameters
    ----------
    graph : SocialGraph
        Of at least one node.
    k : int
        Level of anonymity, 1..n_nodes. Every genome gives a graph that has it.
    objectives : sequence of str or Measure
        Figures of :func:`~anonopt.graphs.compare_graphs`, percentages, each minimized; and
        measures of your own, see ``ao.list_measures(of="graph")``.
    constraints : mapping of str or Measure to float, optional
        Bounds, such as ``{"DR": 20}``.

    Attributes
    ----------
    graph : SocialGraph
    k : int

    Raises
    ------
    TypeError
        If the graph is none.
    ValueError
        If the graph has no node, k is out of range, or an objective is unknown.

    Examples
    --------
    >>> import numpy as np
    >>> from anonopt.graphs import generate_graph
    >>> graph = generate_graph("small", seed=1)
    >>> problem = GraphProblem(graph, k=3)
    >>> order = np.random.default_rng(1).permutation(graph.n_nodes)
    >>> protected = problem.protect(order)
    >>> bool((problem.evaluate(order) == compare_graphs(graph, protected)[["IL", "DR"]]).all())
    True
    """

    def __init__(
        self,
        graph: SocialGraph,
        *,
        k: int,
        objectives: Sequence[str | Measure] = ("IL", "DR"),
        constraints: Mapping[Any, float] | None = None,
    ) -> None:
        if not isinstance(graph, SocialGraph):
            raise TypeError(f"graph: expected a SocialGraph, found {type(graph).__name__}")
        if graph.n_nodes == 0:
            raise ValueError("graph: expected at least one node, found none")
        check_k(graph.n_nodes, k)
        self.graph, self.k = graph, int(k)
        self._figures = compare_graphs(graph, graph).index.tolist()
        self._distances = NodeDistances(graph, matrix=graph.n_nodes <= MAX_MATRIX_NODES)
        super().__init__(
            space=Visits(graph.n_nodes),
            objectives=objectives,
            constraints=constraints,
            measure=self._graph_measure,
        )

    def _graph_measure(self, measure: str | Measure) -> Measure:
        """Measure of graphs; a built-in one must be a figure of this graph."""
        found = get_measure(measure, of="graph")
        if found.from_graphs is None and found.name not in self._figures:
            raise ValueError(unknown("measure of this graph", found.name, self._figures))
        return found

    def _protected(self, x: AnyArray, random_state: RandomState) -> SocialGraph:
        return substitute_values(self.graph, cluster_by_visits(self._distances, self.k, x))

    def _columns(self, X: AnyArray, measures: Sequence[Measure]) -> Columns:
        rows = [self._row(self._protected(x, None), measures) for x in X]
        return columns_of(rows, [one.name for one in measures])

    def _row(self, protected: SocialGraph, measures: Sequence[Measure]) -> list[float]:
        figures = compare_graphs(self.graph, protected)
        return [
            figures[one.name]
            if one.from_graphs is None
            else one.one_number(one.from_graphs(self.graph, protected))
            for one in measures
        ]

    def _data(self) -> str:
        return f"{self.graph.fingerprint} k={self.k}"
