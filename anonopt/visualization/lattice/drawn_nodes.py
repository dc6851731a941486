"""Which nodes of a lattice are drawn, where, and which lines join them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from anonopt._notebook import count_text
from anonopt._typing import FloatArray, IntArray
from anonopt.data import Lattice, Microdata
from anonopt.operators.base import integer_bounds
from anonopt.problems.spaces import space_of

Node = tuple[int, ...]

LIMIT = 300
"""Most nodes that are drawn: beyond, lines are a grey mesh."""


@dataclass(frozen=True, eq=False)
class DrawnNodes:
    """Nodes that are drawn, from the bottom up.

    Attributes
    ----------
    nodes : int64 array (n_nodes, n_quasi_identifiers)
        By height, then in lattice order.
    names : tuple of str (n_quasi_identifiers,)
    places : float array (n_nodes, 2)
        Abscissa, of which neighbours in a row differ by 1 and the middle of each row is 0; and
        height, the sum of the levels.
    edges : int64 array (n_edges, 2)
        Rows of the lower and of the upper node of each pair that differs by one level.
    """

    nodes: IntArray
    names: tuple[str, ...]
    places: FloatArray
    edges: IntArray

    @property
    def rows(self) -> dict[Node, int]:
        """Row of each node."""
        return {node: row for row, node in enumerate(as_nodes(self.nodes))}

    @property
    def widest(self) -> int:
        """Nodes of the row that has most."""
        return int(np.unique(self.nodes.sum(axis=1), return_counts=True)[1].max())

    @classmethod
    def of(cls, nodes: npt.ArrayLike, names: Sequence[str]) -> DrawnNodes:
        """Place nodes, (n, n_quasi_identifiers), each of which is drawn once.

        Raises
        ------
        ValueError
            If there is none, or there are more than 300.
        """
        drawn = np.unique(np.array(nodes, dtype=np.int64).reshape(-1, len(names)), axis=0)
        if not 1 <= len(drawn) <= LIMIT:
            raise ValueError(_too_many(len(drawn)))
        heights = drawn.sum(axis=1)
        drawn = drawn[np.argsort(heights, kind="stable")]
        heights, counts = np.unique(drawn.sum(axis=1), return_counts=True)
        across = np.concatenate([np.arange(count) - (count - 1) / 2 for count in counts])
        places = np.column_stack([across, np.repeat(heights, counts)]).astype(np.float64)
        return cls(drawn, tuple(names), places, _edges(drawn))


def structure_of(drawn: Any) -> tuple[IntArray, IntArray, tuple[str, ...]]:
    """Least and largest levels, and names, of what has a lattice.

    Parameters
    ----------
    drawn : Lattice, Microdata, or pymoo Problem

    Returns
    -------
    lower, upper : int64 arrays (n_quasi_identifiers,)
    names : tuple of str

    Raises
    ------
    TypeError
        If it is none of these.
    ValueError
        If the genomes of the problem are no levels.
    """
    if isinstance(drawn, Microdata):
        names = tuple(str(name) for name in drawn.quasi_identifiers)
        drawn = Lattice(drawn.lattice.heights, names)
    if isinstance(drawn, Lattice):
        upper = np.array(drawn.heights, dtype=np.int64)
        return 0 * upper, upper, drawn.names
    space = space_of(drawn)
    if space.kind != "levels":
        raise ValueError(
            f"lattice: expected a problem whose genomes are levels, found one of {space.kind}"
        )
    lower, upper = integer_bounds(drawn)
    return lower, upper, space.names or tuple(f"x{i + 1}" for i in range(space.n_var))


def drawn_nodes(
    structure: tuple[IntArray, IntArray, tuple[str, ...]],
    nodes: npt.ArrayLike | str | None,
    visited: Iterable[Node] = (),
) -> DrawnNodes:
    """Nodes to draw.

    Parameters
    ----------
    structure : tuple
        As :func:`structure_of` has it.
    nodes : array (n, n_quasi_identifiers), ``"visited"``, or None
        None for all.
    visited : iterable of nodes

    Raises
    ------
    ValueError
        If they are more than 300 or none, or one is not in the lattice.
    """
    lower, upper, names = structure
    lattice = Lattice((upper - lower).tolist(), names)
    if nodes is None:
        if lattice.size > LIMIT:
            raise ValueError(_too_many(lattice.size))
        return DrawnNodes.of(lower + lattice.nodes(), names)
    if isinstance(nodes, str):
        if nodes != "visited":
            raise ValueError(f'nodes: expected an array of nodes or "visited", found {nodes!r}')
        return DrawnNodes.of(list(visited), names)
    shown = np.asarray(nodes)
    shown = Lattice(upper.tolist(), names).validate(shown)
    if (shown < lower).any():
        raise ValueError(
            f"nodes: expected levels of at least {tuple(lower.tolist())}, the bounds of the "
            f"problem, found {node_text(shown[(shown < lower).any(axis=1)][0])}"
        )
    return DrawnNodes.of(shown, names)


def as_nodes(nodes: npt.ArrayLike) -> list[Node]:
    """Rows of an array (n, n_quasi_identifiers) as tuples."""
    return [tuple(int(level) for level in row) for row in np.asarray(nodes).tolist()]


def node_text(node: Sequence[int] | IntArray) -> str:
    """A node as text, such as ``(1, 0, 2)``."""
    return f"({', '.join(str(int(level)) for level in node)})"


def _edges(nodes: IntArray) -> IntArray:
    rows = {node: row for row, node in enumerate(as_nodes(nodes))}
    found = [
        (row, rows[above])
        for node, row in rows.items()
        for column, level in enumerate(node)
        if (above := (*node[:column], level + 1, *node[column + 1 :])) in rows
    ]
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _too_many(size: int) -> str:
    found = count_text(size)
    if size == 0:
        found = "none"
    return (
        f"lattice: expected 1 to {LIMIT} nodes to draw, found {found}; take a table of fewer "
        'quasi-identifiers, or a part of the lattice (nodes=array of nodes, or nodes="visited")'
    )
