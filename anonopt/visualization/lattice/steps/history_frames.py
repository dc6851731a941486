"""Frames of any search, from the record of what it evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from anonopt._typing import BoolArray, FloatArray, IntArray
from anonopt.measures.fronts.non_dominated import front_rows
from anonopt.visualization.lattice.drawn_nodes import Node, as_nodes, node_text
from anonopt.visualization.lattice.steps.frames import (
    CURRENT,
    FEASIBLE,
    FRONT,
    INFEASIBLE,
    FrameWriter,
)


class Evaluated:
    """Nodes that a run evaluated, in their order.

    Parameters
    ----------
    X : int64 array (n, n_quasi_identifiers)
    values : float array (n, n_obj)
        Objectives in natural units.
    maximize : sequence of bool (n_obj,)
    feasible : bool array (n,)
    names : sequence of str (n_obj,)
        Of the objectives.
    """

    def __init__(
        self,
        X: IntArray,
        values: FloatArray,
        feasible: BoolArray,
        *,
        maximize: Sequence[bool] | BoolArray,
        names: Sequence[str],
    ) -> None:
        self.X, self.values, self.feasible = X, values, feasible
        self.names = tuple(names)
        self._F = np.where(np.asarray(maximize, dtype=bool), -values, values)
        self.nodes = as_nodes(X)

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def states(self) -> list[str]:
        """What the evaluations told of the nodes."""
        return [FEASIBLE if one else INFEASIBLE for one in self.feasible]

    def front(self, n: int | None = None) -> list[Node]:
        """Non-dominated feasible nodes among the first n, in order of their objectives."""
        rows = front_rows(self.X[:n], self._F[:n], self.feasible[:n])
        return [self.nodes[row] for row in rows]

    def told(self, row: int) -> str:
        """Objectives of a node as text."""
        pairs = zip(self.names, self.values[row], strict=True)
        return ", ".join(f"{name} = {value:.4g}" for name, value in pairs)

    def by_node(self) -> Mapping[Node, FloatArray]:
        """Objectives of each node."""
        return dict(zip(self.nodes, self.values, strict=True))


def history_frames(evaluated: Evaluated) -> FrameWriter:
    """A frame for each evaluation; says what became of the front."""
    writer = FrameWriter()
    one_objective = len(evaluated.names) == 1
    before: set[Node] = set()
    for row, node in enumerate(evaluated.nodes):
        writer.visit(node, evaluated.states[row])
        front = evaluated.front(row + 1)
        text = f"Evaluation {row + 1}: {node_text(node)} is {evaluated.states[row]}"
        if evaluated.feasible[row]:
            text += f", {evaluated.told(row)}"
        text += _consequence(node, before, set(front), one_objective=one_objective)
        writer.lasting["n_evaluations"] = row + 1
        writer.add(f"{text}.", marks={CURRENT: [node], FRONT: front})
        before = set(front)
    return writer


def _consequence(node: Node, before: set[Node], after: set[Node], *, one_objective: bool) -> str:
    if node not in after:
        return ""
    left = sorted(before - after)
    if one_objective:
        if not before:
            return ": the first feasible one"
        return ": better than all before" if left else ": as good as the best before"
    if not left:
        return "; it joins the front"
    return f"; it joins the front, {', '.join(map(node_text, left))} leaves"
