"""Nodes of a lattice, measured by the workers of an executor.

A worker is sent the distinct tuples with their counts, once; not the rows. It answers with
statistics, which are whole numbers, and with measures of classes; formulas of statistics are
computed where they are asked for. So every value has the bits that it has without workers.
"""

from __future__ import annotations

import hashlib
import math
import pickle
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from anonopt._registry import loaded
from anonopt._typing import FloatArray, IntArray
from anonopt.data import Lattice
from anonopt.evaluation.accelerator import has_numba
from anonopt.evaluation.executors.connection import Connection, Task
from anonopt.evaluation.executors.contents import Reply, content_of
from anonopt.evaluation.executors.tasks import AHEAD, DiedError, as_they_end
from anonopt.evaluation.lattice.nodes import NodeEvaluator
from anonopt.evaluation.lattice.parts import PART, Done, Hopeless
from anonopt.evaluation.lattice.plan import Plan, n_statistics
from anonopt.evaluation.lattice.rollup import RollUp
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.measures.lattice.suppression_rule import SuppressionRule

MOST_NODES = 256
"""Single nodes of a task at most."""

TASKS_A_WORKER = 2
BOXES_A_WORKER = 4
"""Tasks that a population and a box are cut into, so that workers end at about the same time."""

Found = tuple[IntArray, FloatArray]
"""Statistics (n_nodes, n_statistics) and measures of classes (n_nodes, n class measures)."""


@dataclass(frozen=True, eq=False)
class ReducedTable:
    """What a worker has of a table.

    Attributes
    ----------
    tuples : DistinctTuples
        Without rows.
    rule : SuppressionRule
    compiled : bool
        Whether to use the compiled kernels, if the worker has them.
    hashed : bool
        Whether keys are hashes.
    """

    tuples: DistinctTuples
    rule: SuppressionRule
    compiled: bool
    hashed: bool

    @cached_property
    def nodes(self) -> NodeEvaluator:
        """Single nodes."""
        return NodeEvaluator(
            self.tuples,
            self.rule,
            compiled=self.compiled and has_numba(),
            hashed=self.hashed,
        )

    @cached_property
    def roll_up(self) -> RollUp:
        """Boxes of nodes."""
        compiled = self.compiled and has_numba()
        return RollUp(self.tuples, self.rule, compiled=compiled, workers=1)


def nodes_on_worker(
    digest: str, nodes: IntArray, plan: Plan, is_exact: bool, packed: bytes | None
) -> Found | Reply:
    """Measure single nodes, of which none is compared by hashes that collide if `is_exact`."""
    table = content_of(digest, packed)
    if isinstance(table, Reply):
        return table
    measure = table.nodes.exact_statistics if is_exact else table.nodes.statistics
    found: Found = measure(nodes, plan)
    return found


def box_on_worker(
    digest: str, lower: IntArray, upper: IntArray, plan: Plan, packed: bytes | None
) -> Found | Reply:
    """Measure all nodes between two, both included."""
    table = content_of(digest, packed)
    if isinstance(table, Reply):
        return table
    found: Found = table.roll_up.evaluate(plan, lower, upper)
    return found


class SharedNodes:
    """Nodes of one table under one rule, shared out among the workers of an executor.

    Parameters
    ----------
    connection : Connection
    alone : NodeEvaluator
        Measures what is not worth a task, or needs the rows.
    compiled : bool
        Whether compiled kernels are wanted.
    """

    def __init__(self, connection: Connection, alone: NodeEvaluator, *, compiled: bool) -> None:
        self._connection, self._alone, self._compiled = connection, alone, compiled

    def __reduce__(self) -> tuple[Callable[[NodeEvaluator], NodeEvaluator], tuple[NodeEvaluator]]:
        return _alone, (self._alone,)

    def statistics(self, nodes: IntArray, plan: Plan) -> Found:
        """As `NodeEvaluator.statistics`."""
        if len(nodes) < 2 or plan.by_rows:
            return self._alone.statistics(nodes, plan)
        return self._of_nodes(nodes, plan, is_exact=False)

    def exact_statistics(
        self, nodes: IntArray, plan: Plan, *, on_progress: Callable[[int], None] | None = None
    ) -> Found:
        """As `NodeEvaluator.exact_statistics`."""
        if len(nodes) < 2 or plan.by_rows:
            return self._alone.exact_statistics(nodes, plan, on_progress=on_progress)
        return self._of_nodes(nodes, plan, is_exact=True, on_progress=on_progress)

    def evaluate(
        self,
        plan: Plan,
        lower: IntArray,
        upper: IntArray,
        *,
        on_progress: Callable[[int], None] | None = None,
    ) -> Found:
        """As `RollUp.evaluate`."""
        shape = upper - lower + 1
        strides = np.array([math.prod(shape[i + 1 :].tolist()) for i in range(len(shape))])
        found, done = self._room(plan, math.prod(shape.tolist())), Done(on_progress)
        for box, part in self._of_boxes(plan, self._boxes(lower, upper, None, done)):
            ranks = (_nodes_of(box) - lower) @ strides
            found[0][ranks], found[1][ranks] = part
            done.add(len(ranks))
        return found

    def visit(
        self,
        plan: Plan,
        lower: IntArray,
        upper: IntArray,
        take: Callable[[IntArray, IntArray, FloatArray], None],
        *,
        hopeless: Hopeless | None = None,
        done: Done,
    ) -> None:
        """As `RollUp.visit`; `take` is called in the thread that calls this."""
        for box, part in self._of_boxes(plan, self._boxes(lower, upper, hopeless, done)):
            nodes = _nodes_of(box)
            take(nodes, *part)
            done.add(len(nodes))

    def _of_nodes(
        self,
        nodes: IntArray,
        plan: Plan,
        *,
        is_exact: bool,
        on_progress: Callable[[int], None] | None = None,
    ) -> Found:
        n_tasks = TASKS_A_WORKER * self._connection.n_workers
        length = min(MOST_NODES, -(-len(nodes) // n_tasks))
        parts = [slice(start, start + length) for start in range(0, len(nodes), length)]
        sent, done = _sendable(plan, self._connection), Done(on_progress)
        tasks = (
            (i, Task(nodes_on_worker, (self._digest, nodes[part], sent, is_exact), self._digest))
            for i, part in enumerate(parts)
        )
        found = self._room(plan, len(nodes))
        for i, answer in self._answers(tasks):
            found[0][parts[i]], found[1][parts[i]] = answer
            done.add(len(answer[0]))
        return found

    def _of_boxes(
        self, plan: Plan, boxes: Iterable[tuple[IntArray, IntArray]]
    ) -> Iterator[tuple[tuple[IntArray, IntArray], Found]]:
        sent, open_boxes = _sendable(plan, self._connection), dict[int, Any]()

        def tasks() -> Iterator[tuple[int, Task]]:
            for i, box in enumerate(boxes):
                open_boxes[i] = box
                yield i, Task(box_on_worker, (self._digest, *box, sent), self._digest)

        for i, answer in self._answers(tasks()):
            yield open_boxes.pop(i), answer

    def _boxes(
        self, lower: IntArray, upper: IntArray, hopeless: Hopeless | None, done: Done
    ) -> Iterator[tuple[IntArray, IntArray]]:
        """Boxes of a box, each when it is asked for, without those that are hopeless."""
        size = math.prod((upper - lower + 1).tolist())
        n_tasks = BOXES_A_WORKER * self._connection.n_workers
        order = self._alone.tuples.require_layout().order.tolist()
        return _split(lower, upper, order[:-1], min(PART, size // n_tasks), hopeless, done)

    def _answers(self, tasks: Iterable[tuple[int, Task]]) -> Iterator[tuple[int, Found]]:
        """What tasks come to, as they end.

        Raises
        ------
        BrokenExecutor
            If the executor takes no further tasks, or its workers die of a task.
        """
        ahead = AHEAD * self._connection.n_workers
        try:
            for i, future in as_they_end(tasks, self._connection, ahead=ahead):
                if future is None:
                    raise BrokenExecutor(
                        "executor: expected workers that keep what they are sent, found that the "
                        "same nodes were lost with their worker ten times"
                    )
                yield i, future.result()
        except DiedError as died:
            raise BrokenExecutor(
                f"executor: expected one that goes on, found a broken one ({died.__cause__}); "
                f"make a new executor, and an evaluator or problem with it"
            ) from died

    @cached_property
    def _digest(self) -> str:
        """Digest of the reduced table, which the connection then has."""
        alone = self._alone
        table = ReducedTable(alone.tuples.without_rows(), alone.rule, self._compiled, alone.hashed)
        packed = _packed("class_bounds", table, self._connection)
        digest = hashlib.sha256(packed).hexdigest()
        self._connection.keep(digest, packed)
        return digest

    def _room(self, plan: Plan, n_nodes: int) -> Found:
        statistics = np.empty((n_nodes, n_statistics(self._alone.tuples)), dtype=np.int64)
        return statistics, np.empty((n_nodes, len(plan.by_classes)))


def _alone(nodes: NodeEvaluator) -> NodeEvaluator:
    """What shared nodes are in another process."""
    return nodes


def _sendable(plan: Plan, connection: Connection) -> Plan:
    """The part of a plan that workers need.

    Raises
    ------
    TypeError
        If a measure of classes cannot be sent.
    """
    sent = replace(plan, measures=plan.by_classes)
    _packed("measures", sent, connection)
    return sent


def _packed(option: str, content: object, connection: Connection) -> bytes:
    if connection.is_dask:
        packed: bytes = loaded("distributed.protocol.pickle:dumps")(content)
        return packed
    try:
        return pickle.dumps(content)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise TypeError(
            f"{option}: expected measures that other processes can be sent, such as functions of "
            f"a module, found {error}"
        ) from error


def _nodes_of(box: tuple[IntArray, IntArray]) -> IntArray:
    """Nodes of a box, the last attribute fastest."""
    return Lattice((box[1] - box[0]).tolist()).nodes() + box[0]


def _split(
    lower: IntArray,
    upper: IntArray,
    columns: list[int],
    most: int,
    hopeless: Hopeless | None,
    done: Done,
) -> Iterator[tuple[IntArray, IntArray]]:
    """Boxes of at most so many nodes, or of which only the last column of the key differs."""
    size = math.prod((upper - lower + 1).tolist())
    if hopeless is not None and hopeless(lower, upper):
        done.add(size)
        return
    if size <= most or not columns:
        yield lower, upper
        return
    column = columns[0]
    for level in range(int(lower[column]), int(upper[column]) + 1):
        least, largest = lower.copy(), upper.copy()
        least[column] = largest[column] = level
        yield from _split(least, largest, columns[1:], most, hopeless, done)
