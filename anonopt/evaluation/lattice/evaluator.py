"""The evaluator of lattice nodes: one interface over the back ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt._checks import check_integer
from anonopt._typing import Accelerator, AnyArray, FloatArray, IntArray
from anonopt.data import Lattice, Microdata
from anonopt.evaluation.engine.back_ends import Backend, SingleNodes, chosen_backend, engine_nodes
from anonopt.evaluation.executors.connection import Connection
from anonopt.evaluation.executors.shared_nodes import Found, SharedNodes
from anonopt.evaluation.lattice.nodes import BATCH, NodeEvaluator
from anonopt.evaluation.lattice.parts import Done, Hopeless
from anonopt.evaluation.lattice.plan import Plan
from anonopt.evaluation.lattice.rollup import RollUp
from anonopt.evaluation.lattice.table_evaluator import TableEvaluator
from anonopt.measures.lattice.class_table import ClassTable, RowClasses
from anonopt.measures.lattice.statistics import NodeStatistics
from anonopt.measures.measure import Measure


class LatticeEvaluator(TableEvaluator[Sequence[int]]):
    """Measures lattice nodes of one table under one suppression rule.

    Parameters
    ----------
    table : Microdata
    k : int, optional
        Fixed-k rule: rows in classes smaller than k are suppressed, and the measure
        ``feasible`` says whether they fit the budget. Without it the reverse rule holds:
        the smallest classes are suppressed as far as the budget goes (Dewri 2010, Section 6).
    suppression : int or float
        Budget: a number of rows if it is an integer, else a share of the rows in 0..1.
    class_bounds : mapping of str or Measure to float, optional
        Under a fixed k, the worst value of a measure that a single class may have, such as
        ``{"l": 3, "t": 0.4}``; a class that misses one is suppressed as a whole. The measures are
        ``l``, ``entropy_l``, ``recursive_cl``, ``t``, ``t_ordered`` and those with `per_class`.
    weights : mapping of str to float, optional
        Weight of each quasi-identifier in the measure ``glm`` (1 where none is given).
    backend : ``"auto"``, ``"rollup"``, ``"direct"``, ``"wide"`` or ``"engine"``
        ``"direct"`` groups the distinct tuples anew for each node, by exact keys. ``"rollup"``
        does so for single nodes, and derives each node of `evaluate_all` from one below it;
        it needs keys of at most 62 bits. ``"wide"`` groups by 64-bit hashes, for any number
        of quasi-identifiers; `evaluate` and `evaluate_all` verify every node exactly, `values`
        does not. With ``"engine"`` DuckDB groups each node of a table that it reads. ``"auto"`` is
        ``"engine"`` where there are more distinct tuples than the table's `max_tuples` (with a
        warning), else ``"rollup"`` where the keys fit, else ``"wide"``.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``
        ``"auto"`` uses numba where it is installed. Both give the same bits.
    workers : int
        Threads that measure nodes where that is worth while; the result does not depend on it.
    executor : Executor, dask client or its address such as ``"tcp://10.0.0.1:8786"``, optional
        Its workers get the distinct tuples once, and measure nodes with the same bits. Not pickled.

    Attributes
    ----------
    rule : SuppressionRule
        Budget in rows, k and class bounds.
    n_tuples : int
        Distinct combinations of quasi-identifier values: what a node costs.

    Raises
    ------
    ValueError
        If an option or the budget is out of range, a weight names no quasi-identifier or is
        no number of at least 0, class bounds do not fit (see `Measure`) or come without a k, or
        the back end cannot serve the table.
    TypeError
        If workers or k are no whole numbers, a class bound no number, or the executor is none.
    ConnectionError
        If no cluster answers at the address, or the client of dask is not connected.
    ModuleNotFoundError
        If numba, or dask for an address, is asked for and not installed (says how to install it).

    Examples
    --------
    >>> import anonopt as ao
    >>> adult = ao.load_dataset("adult")
    >>> evaluator = ao.LatticeEvaluator(adult, suppression=0.01)
    >>> evaluator.evaluate([adult.lattice.top], ["k", "suppressed", "glm"])
       age  workclass  education  marital-status  ...  income      k  suppressed       glm
    0    6          3          3               3  ...       1  30162           0  241296.0
    <BLANKLINE>
    [1 rows x 11 columns]
    """

    def __init__(
        self,
        table: Microdata,
        *,
        k: int | None = None,
        suppression: float = 0.0,
        class_bounds: Mapping[Any, float] | None = None,
        weights: Mapping[str, float] | None = None,
        backend: Backend = "auto",
        accelerator: Accelerator = "auto",
        workers: int = 1,
        executor: Any = None,
    ) -> None:
        super().__init__(
            table,
            k=k,
            suppression=suppression,
            class_bounds=class_bounds,
            weights=weights,
            accelerator=accelerator,
        )
        self._workers = check_integer("workers", workers, least=1)
        self._backend = chosen_backend(table, backend, self.rule, executor)
        if backend == "rollup":
            self.tuples.require_layout()
        self._connection = Connection.to(executor)

    @cached_property
    def backend(self) -> str:
        """The back end in use: ``"rollup"``, ``"direct"``, ``"wide"`` or ``"engine"``."""
        if self._backend != "auto":
            return self._backend
        return "wide" if self.tuples.layout is None else "rollup"

    @cached_property
    def _nodes(self) -> SingleNodes:
        return engine_nodes(self.backend, self.table, self.tuples, self.rule) or NodeEvaluator(
            self.tuples,
            self.rule,
            compiled=self.compiled,
            hashed=self.backend == "wide",
            workers=self._workers,
        )

    @cached_property
    def _many(self) -> SingleNodes | SharedNodes:
        if self._connection is None or not isinstance(self._nodes, NodeEvaluator):
            return self._nodes
        return SharedNodes(self._connection, self._nodes, compiled=self.compiled)

    @property
    def _roll_up(self) -> RollUp | SharedNodes:
        if isinstance(self._many, SharedNodes):
            return self._many
        return RollUp(self.tuples, self.rule, compiled=self.compiled, workers=self._workers)

    def evaluate(self, nodes: npt.ArrayLike, measures: Sequence[str | Measure]) -> pd.DataFrame:
        """Measure nodes.

        Parameters
        ----------
        nodes : int array_like (n_nodes, n_quasi_identifiers)
            Generalization levels.
        measures : list of str or Measure

        Returns
        -------
        DataFrame (n_nodes, n_quasi_identifiers + n_measures)
            The levels, one column a quasi-identifier, then the measures in natural units.

        Raises
        ------
        ValueError
            If a node is not in the lattice or a measure cannot be computed (see `measure`).
        """
        levels, plan = self.table.lattice.validate(nodes), self._plan(measures)
        return self._frame(levels, plan, self._many.exact_statistics(levels, plan))

    def evaluate_all(
        self, measures: Sequence[str | Measure], *, on_progress: Callable[[int], None] | None = None
    ) -> pd.DataFrame:
        """Measure every node of the lattice, in the order of ``Lattice.nodes``.

        Parameters
        ----------
        measures : list of str or Measure
        on_progress : callable, optional
            Called from time to time with the number of nodes that are done.

        Returns
        -------
        DataFrame (lattice size, n_quasi_identifiers + n_measures)
            As `evaluate` returns it.

        Raises
        ------
        ValueError
            If the lattice is too large to be enumerated (names its size) or a measure cannot
            be computed.
        """
        nodes = self.table.lattice.nodes()
        plan = self._plan(measures)
        if self.backend == "rollup" and not plan.by_rows:
            found = self._roll_up.evaluate(plan, nodes[0], nodes[-1], on_progress=on_progress)
        else:
            found = self._many.exact_statistics(nodes, plan, on_progress=on_progress)
        return self._frame(nodes, plan, found)

    def visit_all(
        self,
        measures: Sequence[str | Measure],
        visit: Callable[[IntArray, dict[str, AnyArray]], None],
        *,
        lower: Sequence[int] | IntArray | None = None,
        hopeless: Hopeless | None = None,
        on_progress: Callable[[int], None] | None = None,
    ) -> None:
        """Measure every node of a lattice of any size, some thousands at a time.

        Parameters
        ----------
        measures : list of str or Measure
        visit : callable
            Gets nodes, an int64 array (n_nodes, n_quasi_identifiers), and their `values`: one part
            of the lattice after the other, in no certain order, from any thread; none is kept.
        lower : sequence of int (n_quasi_identifiers,), optional
            Nodes below it are left out.
        hopeless : callable, optional
            Gets the lowest and the highest of some nodes and says whether these need not be
            measured; from several threads, too. Only the back end ``"rollup"`` asks.
        on_progress : callable, optional
            Called from time to time with the number of nodes that are done, or left out.

        Raises
        ------
        ValueError
            If the lower node is not in the lattice, or a measure cannot be computed.
        """
        plan, lattice, done = self._plan(measures), self.table.lattice, Done(on_progress)
        least = self._one_node(lattice.bottom if lower is None else lower)

        def take(nodes: IntArray, *found: Any) -> None:
            visit(nodes, self._columns(nodes, plan, *found))

        if self.backend == "rollup" and not plan.by_rows:
            box = least, self._one_node(lattice.top)
            self._roll_up.visit(plan, *box, take, hopeless=hopeless, done=done)
            return
        for nodes in lattice.blocks(least, size=BATCH):
            take(nodes, *self._many.exact_statistics(nodes, plan))
            done.add(len(nodes))

    def values(self, nodes: IntArray, measures: Sequence[str | Measure]) -> dict[str, AnyArray]:
        """Measure nodes that are known to be in the lattice; for loops that need no frame.

        Parameters
        ----------
        nodes : int64 array (n_nodes, n_quasi_identifiers)
        measures : list of str or Measure

        Returns
        -------
        dict of arrays (n_nodes,)
            By the measures' names.
        """
        plan = self._plan(measures)
        return self._columns(nodes, plan, *self._many.statistics(nodes, plan))

    def values_between(
        self, lower: IntArray, upper: IntArray, measures: Sequence[str | Measure]
    ) -> dict[str, AnyArray]:
        """Measure all nodes between two, both included, the last attribute fastest; as `values`.

        Parameters
        ----------
        lower, upper : int64 arrays (n_quasi_identifiers,)
            Known to be in the lattice.
        measures : list of str or Measure
            Formulas of statistics; the back end is ``"rollup"``.
        """
        plan = self._plan(measures)
        nodes = Lattice((upper - lower).tolist()).nodes() + lower
        return self._columns(nodes, plan, *self._roll_up.evaluate(plan, lower, upper))

    def suppressed_rows(self, nodes: IntArray) -> IntArray:
        """Rows that the rule suppresses, (n_nodes,): the test of feasibility and nothing else.

        Parameters
        ----------
        nodes : int64 array (n_nodes, n_quasi_identifiers)
            Known to be in the lattice, as in `values`.
        """
        if self.rule.k is not None and not self.rule.bounds:
            return self.small_class_rows(nodes, self.rule.k)
        return np.asarray(self.values(nodes, ["suppressed"])["suppressed"])

    def small_class_rows(self, nodes: IntArray, k: int) -> IntArray:
        """Rows in classes smaller than k, whatever the rule of the evaluator.

        Parameters
        ----------
        nodes : int64 array (n_nodes, n_quasi_identifiers)
            Known to be in the lattice; not verified where keys are hashes, as in `values`.
        k : int

        Returns
        -------
        int64 array (n_nodes,)
        """
        return self._nodes.small_class_rows(nodes, k)

    def class_table(self, node: Sequence[int]) -> ClassTable:
        """Equivalence classes at a node, with everything the table can count.

        Raises
        ------
        ValueError
            If the node is not in the lattice.
        """
        return self._nodes.exact(self._one_node(node)).classes(self._one_node(node))

    def row_classes(self, node: Sequence[int]) -> RowClasses:
        """Equivalence classes at a node together with the class of every row.

        Raises
        ------
        ValueError
            As `class_table`, or if the rows of the table are not in memory.
        """
        self.table.require_rows("the class of every row")
        return self._nodes.exact(self._one_node(node)).rows(self._one_node(node))

    def _statistics_of_loss(self, node: Sequence[int]) -> NodeStatistics:
        nodes = self._one_node(node)[np.newaxis]
        statistics, _ = self._nodes.exact(nodes[0]).statistics(nodes, self._plan(["glm"]))
        return NodeStatistics(self.tuples.facts, self.rule, nodes, statistics)

    def _one_node(self, node: Sequence[int] | IntArray) -> IntArray:
        levels = self.table.lattice.validate(node)
        if len(levels) != 1:
            raise ValueError(f"node: expected one vector of levels, found {len(levels)}")
        return levels.reshape(-1)

    def _columns(
        self, nodes: IntArray, plan: Plan, statistics: IntArray, by_classes: FloatArray
    ) -> dict[str, AnyArray]:
        found = NodeStatistics(self.tuples.facts, self.rule, nodes, statistics)
        return plan.columns(found, by_classes)

    def _frame(self, nodes: IntArray, plan: Plan, found: Found) -> pd.DataFrame:
        levels = dict(zip(self.tuples.facts.names, nodes.T, strict=True))
        return pd.DataFrame({**levels, **self._columns(nodes, plan, *found)})
