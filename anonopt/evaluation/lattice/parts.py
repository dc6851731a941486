"""Parts of a box of the lattice: work for one thread at a time, of some thousand nodes each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

import numpy as np

from anonopt._typing import FloatArray, IntArray

PART = 4096
"""Most nodes of a part, where the levels of the streamed field alone are not more."""

PIECE = 256
"""Most nodes of a piece of a part, where some need not be evaluated."""

PARTS_A_WORKER = 8
"""At least as many parts as that, so that the threads end at about the same time."""


@dataclass(frozen=True, eq=False)
class Box:
    """Nodes between two nodes, both included.

    Attributes
    ----------
    order : int64 array (n_fields,)
        Attributes in the order of the fields of the key.
    lower, upper : int64 arrays (n_fields,)
        By attribute.
    """

    order: IntArray
    lower: IntArray
    upper: IntArray

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of levels by field."""
        return tuple((self.upper - self.lower + 1)[self.order].tolist())

    @property
    def strides(self) -> IntArray:
        """How many nodes a level of each field is in the order of the key, (n_fields,)."""
        shape = self.shape
        return np.array([math.prod(shape[i + 1 :]) for i in range(len(shape))], dtype=np.int64)

    @property
    def size(self) -> int:
        """Number of nodes."""
        return math.prod(self.shape)

    def ranks(self) -> IntArray:
        """Position in the order of the key of each node in the order of the table's columns."""
        positions = np.arange(self.size).reshape(self.shape)
        return positions.transpose(np.argsort(self.order)).reshape(-1)


class Walker(Protocol):
    """One depth-first walk; holds the tables alive along its path."""

    def raise_field(self, field: int, level: int) -> None:
        """Push the table with the field at position `field` of the key raised from `level`."""

    def pop(self) -> None:
        """Drop the table pushed last."""

    def walk(
        self, node: IntArray, first: int, box: Box, statistics: IntArray, by_classes: FloatArray
    ) -> None:
        """Evaluate all nodes reached from the table pushed last.

        `node` holds its levels; the fields from `first` on are raised as far as the box goes, the
        streamed one included. The other two arrays have a row a node, filled here.
        """

    def fork(self) -> Walker:
        """A walk of its own that starts at the table pushed last."""


@dataclass(frozen=True, eq=False)
class Part:
    """All nodes of a box that agree in the fields before one.

    Attributes
    ----------
    walker : Walker
        Standing at the lowest of them.
    node : int64 array (n_fields,)
        Levels of that one, by attribute.
    first : int
        First field in which they differ.
    box : Box
    rows : slice
        Where they are in the order of the key.
    """

    walker: Walker
    node: IntArray
    first: int
    box: Box
    rows: slice

    def nodes(self) -> IntArray:
        """All of them, in the order of the key: int64 array (n_nodes, n_fields)."""
        shape = self.box.shape[self.first :]
        steps = np.indices(shape).reshape(len(shape), -1)
        nodes = np.repeat(self.node[np.newaxis], steps.shape[1], axis=0)
        nodes[:, self.box.order[self.first :]] += steps.T
        return nodes

    def evaluate(self, statistics: IntArray, by_classes: FloatArray) -> None:
        """Fill the rows of the two arrays, one a node, in the order of the key."""
        self.walker.walk(self.node.copy(), self.first, self.box, statistics, by_classes)

    def pieces(self, hopeless: Hopeless) -> Iterator[Part]:
        """Smaller parts of it, without those that are hopeless, each when it is asked for."""
        return _split(self, _Limits(PIECE, hopeless, _ignored, is_shared=False))


Hopeless = Callable[[IntArray, IntArray], bool]
"""Whether nodes between two, both included, need not be evaluated."""


@dataclass(frozen=True)
class _Limits:
    """How a part is split.

    Attributes
    ----------
    most : int
        Most nodes of what it is split into.
    hopeless : function of the lowest and the highest node
    skipped : function
        Is told how many nodes were left out.
    is_shared : bool
        Whether further parts are asked for while one is being worked on.
    """

    most: int
    hopeless: Hopeless
    skipped: Callable[[int], None]
    is_shared: bool


def parts_of(
    walker: Walker,
    box: Box,
    *,
    workers: int,
    hopeless: Hopeless | None = None,
    skipped: Callable[[int], None] | None = None,
) -> Iterator[Part]:
    """Parts of a box, each when it is asked for.

    Parameters
    ----------
    walker : Walker
        Standing at the lowest node.
    box : Box
    workers : int
        Parts that are worked on at a time.
    hopeless : callable, optional
        Of the lowest and highest node of several: whether they can be left out.
    skipped : callable, optional
        Is told how many nodes were left out, each time.
    """
    most = PART if workers == 1 else min(PART, box.size // (PARTS_A_WORKER * workers))
    limits = _Limits(most, hopeless or _hopeful, skipped or _ignored, is_shared=workers > 1)
    return _split(Part(walker, box.lower.copy(), 0, box, slice(0, box.size)), limits)


def _split(part: Part, limits: _Limits) -> Iterator[Part]:
    """Parts of a part, one level of its first field after the other."""
    walker, node, first, box = part.walker, part.node, part.first, part.box
    highest = node.copy()
    highest[box.order[first:]] = box.upper[box.order[first:]]
    n_nodes = part.rows.stop - part.rows.start
    if limits.hopeless(node, highest):
        limits.skipped(n_nodes)
        return
    # The streamed field is never raised by the walk that leads to the parts.
    if n_nodes <= limits.most or first == len(box.order) - 1:
        branch = walker.fork() if limits.is_shared else walker
        yield Part(branch, node.copy(), first, box, part.rows)
        return
    attribute, stride = box.order[first], int(box.strides[first])
    for raised in range(int(box.upper[attribute] - node[attribute]) + 1):
        if raised:
            walker.raise_field(first, int(node[attribute]) + raised - 1)
        below = node.copy()
        below[attribute] += raised
        begin = part.rows.start + raised * stride
        yield from _split(Part(walker, below, first + 1, box, slice(begin, begin + stride)), limits)
    for _ in range(int(box.upper[attribute] - node[attribute])):
        walker.pop()


def _hopeful(lower: IntArray, upper: IntArray) -> bool:
    """Nothing is left out."""
    return False


def _ignored(n_nodes: int) -> None:
    """Nobody wants to know."""


def descend(walker: Walker, box: Box, node: IntArray, first: int, end: int) -> Iterator[None]:
    """Visit all nodes reached by raising the fields ``first..end - 1``, the present one first.

    `node` holds the levels of the walk's place, by attribute.
    """
    yield
    for field in range(first, end):
        attribute = box.order[field]
        if node[attribute] < box.upper[attribute]:
            walker.raise_field(field, int(node[attribute]))
            node[attribute] += 1
            yield from descend(walker, box, node, field, end)
            node[attribute] -= 1
            walker.pop()


class Done:
    """Counts the nodes that are done, and tells.

    Parameters
    ----------
    on_progress : callable or None
        Gets their number, from one thread at a time and never less than before.
    """

    def __init__(self, on_progress: Callable[[int], None] | None) -> None:
        self._tell, self._lock, self._n = on_progress, Lock(), 0

    def add(self, n_nodes: int) -> None:
        """Count further nodes."""
        if self._tell is None:
            return
        with self._lock:
            self._n += n_nodes
            self._tell(self._n)
