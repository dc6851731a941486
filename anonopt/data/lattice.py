"""The generalization lattice: all vectors of levels, one level a quasi-identifier."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from anonopt._checks import check_integer
from anonopt._typing import AnyArray, IntArray

Node = tuple[int, ...]

LARGEST_RANK = np.iinfo(np.int64).max
"""Largest rank of a node that fits its 64-bit integer."""


class Lattice:
    """Nodes ``(n_1, ..., n_s)`` with ``0 <= n_i <= H_i``.

    A node says to which level of its hierarchy each quasi-identifier is generalized;
    ``(0, ..., 0)`` is the original table and the heights are the fully generalized one.

    Parameters
    ----------
    heights : sequence of int
        H_i of each attribute, at least 0.
    names : sequence of text, optional
        Names of the attributes for messages; their positions by default.

    Raises
    ------
    TypeError
        If a height is no whole number.
    ValueError
        If there is no attribute, a height is negative, or there are not as many names.

    Examples
    --------
    >>> lattice = Lattice([2, 1], names=["age", "sex"])
    >>> lattice.size, lattice.bottom, lattice.top
    (6, (0, 0), (2, 1))
    >>> lattice.neighbors((1, 0))
    [(0, 0), (2, 0), (1, 1)]
    """

    def __init__(self, heights: Sequence[int], names: Sequence[str] | None = None) -> None:
        self.heights: Node = tuple(check_integer("heights", height, least=0) for height in heights)
        if not self.heights:
            raise ValueError("heights: expected at least one, found none")
        self.names: tuple[str, ...] = tuple(
            str(name) for name in (range(len(self.heights)) if names is None else names)
        )
        if len(self.names) != len(self.heights):
            raise ValueError(
                f"names: expected {len(self.heights)}, one a height, found {len(self.names)}"
            )

    @property
    def size(self) -> int:
        """Number of nodes, exact whatever its length."""
        return math.prod(height + 1 for height in self.heights)

    @property
    def bottom(self) -> Node:
        """The node without any generalization."""
        return (0,) * len(self.heights)

    @property
    def top(self) -> Node:
        """The node with everything generalized."""
        return self.heights

    def validate(self, nodes: npt.ArrayLike) -> IntArray:
        """Check nodes and return them as an array.

        Parameters
        ----------
        nodes : array-like of int (n_nodes, s) or (s,)
            Floats are accepted if they are whole; one node becomes an array of one row.

        Returns
        -------
        int64 array (n_nodes, s)

        Raises
        ------
        TypeError
            If the levels are not numbers.
        ValueError
            If the shape is wrong or a level is not a whole number in ``0..H_i``; names the
            column, the level and the height.

        Examples
        --------
        >>> Lattice([2, 1], names=["age", "sex"]).validate([[0, 2]])
        Traceback (most recent call last):
        ...
        ValueError: node 0, column 'sex': expected a level in 0..1, found 2
        """
        n_attributes = len(self.heights)
        levels = np.asarray(nodes)
        if levels.size == 0 and levels.ndim == 1:
            return np.empty((0, n_attributes), dtype=np.int64)
        if levels.dtype == object:
            levels = _from_objects(levels)
        if levels.dtype.kind not in "iuf":
            raise TypeError(f"nodes: expected whole numbers, found an array of {levels.dtype}")
        if levels.ndim == 1:
            levels = levels[np.newaxis]
        if levels.ndim != 2 or levels.shape[1] != n_attributes:
            raise ValueError(
                f"nodes: expected vectors of {n_attributes} levels, "
                f"found an array of shape {levels.shape}"
            )
        wrong = ~((levels >= 0) & (levels <= np.array(self.heights)))
        if levels.dtype.kind == "f":
            wrong |= levels != np.floor(levels)
        if wrong.any():
            row, column = (int(position) for position in np.argwhere(wrong)[0])
            raise ValueError(
                f"node {row}, column {self.names[column]!r}: expected a level in "
                f"0..{self.heights[column]}, found {levels[row, column].item()}"
            )
        return levels.astype(np.int64)

    def neighbors(self, node: Sequence[int]) -> list[Node]:
        """Nodes that differ from `node` by 1 in one level.

        Returns
        -------
        list of tuple
            By attribute, the lower neighbor before the higher one.
        """
        levels = tuple(self.validate(node)[0].tolist())
        return [
            (*levels[:i], level, *levels[i + 1 :])
            for i, height in enumerate(self.heights)
            for level in (levels[i] - 1, levels[i] + 1)
            if 0 <= level <= height
        ]

    def height(self, node: Sequence[int]) -> int:
        """Sum of the levels of `node`."""
        return int(self.validate(node)[0].sum())

    def nodes(self, *, limit: int = 10_000_000) -> IntArray:
        """All nodes, ordered as mixed-radix numbers with the last attribute fastest.

        Parameters
        ----------
        limit : int
            Largest number of nodes to list.

        Returns
        -------
        int64 array (size, s)

        Raises
        ------
        ValueError
            If the lattice has more than `limit` nodes; gives the exact size.

        Examples
        --------
        >>> Lattice([2, 1]).nodes().tolist()
        [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]
        """
        if self.size > limit:
            raise ValueError(
                f"nodes: expected a lattice of at most {limit} nodes, found {self.size} nodes"
            )
        shape = tuple(height + 1 for height in self.heights)
        nodes = np.empty((self.size, len(shape)), dtype=np.int64)
        repeats = self.size
        for column, radix in enumerate(shape):
            repeats //= radix
            cycle = np.repeat(np.arange(radix), repeats)
            nodes[:, column] = np.tile(cycle, self.size // len(cycle))
        return nodes

    def index(self, nodes: npt.ArrayLike) -> IntArray:
        """Rank of each node in the order of :meth:`nodes`.

        Returns
        -------
        int64 array (n_nodes,)

        Raises
        ------
        ValueError
            If a node is not in the lattice, or ranks do not fit 64 bits.

        Examples
        --------
        >>> Lattice([2, 1]).index([[1, 0], [2, 1]]).tolist()
        [2, 5]
        """
        levels = self.validate(nodes)
        return levels @ self._strides()

    def at(self, ranks: npt.ArrayLike) -> IntArray:
        """Nodes of given ranks, the inverse of :meth:`index`.

        Parameters
        ----------
        ranks : array-like of int (n_nodes,)

        Returns
        -------
        int64 array (n_nodes, s)

        Raises
        ------
        ValueError
            If a rank is not below the size, or ranks do not fit 64 bits.

        Examples
        --------
        >>> Lattice([2, 1]).at([2, 5]).tolist()
        [[1, 0], [2, 1]]
        """
        self._strides()
        shape = tuple(height + 1 for height in self.heights)
        return np.stack(np.unravel_index(np.asarray(ranks), shape), axis=1)

    def blocks(self, lower: Sequence[int] | IntArray, *, size: int) -> Iterator[IntArray]:
        """All nodes that are not below one, some at a time, in the order of :meth:`nodes`.

        Parameters
        ----------
        lower : sequence of int (s,)
        size : int
            Most nodes of a block, at least 1.

        Yields
        ------
        int64 array (n_nodes, s)

        Examples
        --------
        >>> [block.tolist() for block in Lattice([2, 1]).blocks([1, 0], size=3)]
        [[[1, 0], [1, 1], [2, 0]], [[2, 1]]]
        """
        least = self.validate(lower)[0]
        above = Lattice((self.heights - least).tolist())
        for start in range(0, above.size, size):
            yield above.at(np.arange(start, min(start + size, above.size))) + least

    def edges(self, *, limit: int = 10_000_000) -> tuple[IntArray, IntArray]:
        """All pairs of neighbors, as ranks of the lower and of the upper node.

        Parameters
        ----------
        limit : int
            Largest number of nodes of the lattice, as in :meth:`nodes`.

        Returns
        -------
        lower, upper : int64 arrays (n_edges,)

        Examples
        --------
        >>> lower, upper = Lattice([1, 1]).edges()
        >>> lower.tolist(), upper.tolist()
        ([0, 1, 0, 2], [2, 3, 1, 3])
        """
        nodes = self.nodes(limit=limit)
        lower = [
            np.flatnonzero(nodes[:, column] < height) for column, height in enumerate(self.heights)
        ]
        upper = [
            ranks + stride for ranks, stride in zip(lower, self._strides().tolist(), strict=True)
        ]
        return np.concatenate(lower), np.concatenate(upper)

    def _strides(self) -> IntArray:
        """Distance in rank of one level of each attribute."""
        if self.size > LARGEST_RANK:
            raise ValueError(
                f"index: expected a lattice of at most {LARGEST_RANK} nodes, found {self.size}"
            )
        radices = [1, *(height + 1 for height in reversed(self.heights[1:]))]
        return np.cumprod(radices, dtype=np.int64)[::-1].copy()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Lattice):
            return NotImplemented
        return (self.heights, self.names) == (other.heights, other.names)

    def __hash__(self) -> int:
        return hash((self.heights, self.names))

    def __repr__(self) -> str:
        return f"Lattice(heights={list(self.heights)}, names={list(self.names)})"


def _from_objects(levels: AnyArray) -> AnyArray:
    """Turn an array of Python numbers, as pymoo hands them around, into a numeric one."""
    kinds = {type(level) for level in levels.ravel().tolist()}
    if bool in kinds or not all(issubclass(kind, int | float | np.number) for kind in kinds):
        raise TypeError(f"nodes: expected whole numbers, found {sorted(k.__name__ for k in kinds)}")
    return np.array(levels.tolist())
