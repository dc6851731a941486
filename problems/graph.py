"""Search for the order in which the nodes of a social graph are clustered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from anonopt._typing import FloatArray
from anonopt.graphs import (
    NodeDistances,
    SocialGraph,
    cluster_by_visits,
    compare_graphs,
    substitute_values,
)
from anonopt.graphs.clustering import check_k
from anonopt.graphs.measures.distances import MAX_MATRIX_NODES
from anonopt.operators.levels.mutation import ResetMutation
from anonopt.problems.base import AnonymizationProblem


class GraphProblem(AnonymizationProblem):
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
    objectives : sequence of str
        Figures of :func:`~anonopt.graphs.compare_graphs`, each minimized.

    Attributes
    ----------
    graph : SocialGraph
    k : int

    Raises
    ------
    ValueError
        If the graph has no node, k is out of range, or an objective is unknown.

    Examples
    --------
    >>> import numpy as np
    >>> from anonopt.graphs import generate_graph
    >>> graph = generate_graph("small", seed=1)
    >>> problem = GraphProblem(graph, k=3)
    >>> order = np.random.default_rng(1).permutation(graph.n_nodes)
    >>> protected = problem.protected(order)
    >>> bool((problem.evaluate(order) == compare_graphs(graph, protected)[["IL", "DR"]]).all())
    True
    """

    def __init__(
        self, graph: SocialGraph, *, k: int, objectives: Sequence[str] = ("IL", "DR")
    ) -> None:
        if graph.n_nodes == 0:
            raise ValueError("graph: expected at least one node, found none")
        check_k(graph.n_nodes, k)
        known = list(compare_graphs(graph, graph).index)
        for name in objectives:
            if name not in known:
                raise ValueError(
                    f"objectives: expected names among {', '.join(known)}; found {name!r}"
                )
        n = graph.n_nodes
        super().__init__(
            n_var=n,
            objective_names=objectives,
            maximize=[False] * len(objectives),
            xl=np.zeros(n),
            xu=np.full(n, n - 1),
        )
        self.graph, self.k = graph, int(k)
        self._distances = NodeDistances(graph, matrix=n <= MAX_MATRIX_NODES)

    def protected(self, x: npt.ArrayLike) -> SocialGraph:
        """Protect the graph in the order that a genome stands for.

        Parameters
        ----------
        x : int array (n_nodes,)

        Returns
        -------
        SocialGraph
        """
        return substitute_values(self.graph, cluster_by_visits(self._distances, self.k, x))

    def operators(self) -> Mapping[str, Any]:
        """Operators that fit visits, as options of pymoo's algorithms.

        Single-point crossover, the usual one, keeps the first visits of a parent and so the
        first clusters; a mutated visit goes to any node, where the usual step by one would go to
        the next node of the file.

        Returns
        -------
        mapping of str to operator
        """
        return {"mutation": ResetMutation()}

    def _values(self, X: npt.NDArray[Any]) -> tuple[FloatArray, None]:
        names = list(self.objective_names)
        rows = [compare_graphs(self.graph, self.protected(x))[names].to_numpy() for x in X]
        return np.array(rows, dtype=np.float64).reshape(len(X), len(names)), None

    def _content(self) -> str:
        return f"{self.graph.fingerprint} k={self.k}"
