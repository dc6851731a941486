"""The evaluator of lattice nodes: one interface over the back ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt.data import Microdata
from anonopt.data.suppression import resolve_budget
from anonopt.evaluation.packed import PackedClasses
from anonopt.evaluation.plan import Plan, has_numba, n_statistics
from anonopt.evaluation.rollup import NumpyWalker, evaluate_lattice
from anonopt.evaluation.tuples import DistinctTuples
from anonopt.measures.class_table import ClassTable, IntArray, RowClasses, SuppressionRule
from anonopt.measures.loss import attribute_glm, glm_measure
from anonopt.measures.measure import FloatArray, Measure
from anonopt.measures.properties import PROPERTIES, Property, QualityIndex, spread
from anonopt.measures.registry import MEASURES, get_measure
from anonopt.measures.statistics import (
    SENSITIVE,
    SENSITIVE_COUNTS,
    TARGET,
    NodeStatistics,
    summarize,
)

Backend = Literal["auto", "rollup", "direct"]
Accelerator = Literal["auto", "numpy", "numba"]

EVERYTHING = frozenset({SENSITIVE_COUNTS, TARGET})


class LatticeEvaluator:
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
    weights : mapping of str to float, optional
        Weight of each quasi-identifier in the measure ``glm`` (1 where none is given).
    backend : ``"auto"``, ``"rollup"`` or ``"direct"``
        How `evaluate_all` goes about it: ``"rollup"`` derives each node from one below it,
        ``"direct"`` groups the distinct tuples anew for each node. ``"auto"`` rolls up
        wherever the packed keys fit 62 bits.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``
        ``"auto"`` uses numba where it is installed. Both give the same bits.
    workers : int
        Threads of `evaluate_all`; the result does not depend on it.

    Attributes
    ----------
    table : Microdata
    rule : SuppressionRule
        Budget in rows, and k.
    n_tuples : int
        Distinct combinations of quasi-identifier values: what a node costs.

    Raises
    ------
    ValueError
        If an option or the budget is out of range, a weight names no quasi-identifier or is
        no number of at least 0, or the back end cannot serve the table.
    ModuleNotFoundError
        If numba is asked for and not installed (says how to install it).

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
        weights: Mapping[str, float] | None = None,
        backend: Backend = "auto",
        accelerator: Accelerator = "auto",
        workers: int = 1,
    ) -> None:
        self.table = table
        self.rule = SuppressionRule(resolve_budget(suppression, table.n_rows), k)
        self.weights = None if weights is None else _checked_weights(weights, table)
        self._glm = MEASURES["glm"] if weights is None else glm_measure(weights)
        self._workers = _checked_workers(workers)
        self._compiled = _resolve_accelerator(accelerator)
        _check_choice("backend", backend, ("auto", "rollup", "direct"))
        if backend == "rollup":
            self.tuples.require_layout()
        self._rolls_up = backend != "direct"

    @cached_property
    def tuples(self) -> DistinctTuples:
        """Distinct tuples of the table with their counts."""
        return DistinctTuples.of(self.table)

    @property
    def n_tuples(self) -> int:
        """Distinct combinations of quasi-identifier values."""
        return len(self.tuples.sizes)

    def measure(self, measure: str | Measure) -> Measure:
        """A measure as this evaluator computes it, checked against the table.

        Raises
        ------
        ValueError
            If it is unknown, needs a sensitive or target column that the table lacks, or
            needs a fixed k.
        """
        found = get_measure(measure)
        if found is MEASURES["glm"]:
            found = self._glm
        if found.needs_k and self.rule.k is None:
            raise ValueError(f"measure {found.name!r} needs the fixed-k rule: give k=")
        if {SENSITIVE, SENSITIVE_COUNTS} & found.needs and self.table.sensitive is None:
            raise ValueError(
                f"measure {found.name!r} needs a sensitive column: give sensitive= to Microdata"
            )
        if TARGET in found.needs and self.table.target is None:
            raise ValueError(
                f"measure {found.name!r} needs a target column: give target= to Microdata"
            )
        return found

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
        levels = self.table.lattice.validate(nodes)
        return self._frame(levels, self.values(levels, measures))

    def evaluate_all(self, measures: Sequence[str | Measure]) -> pd.DataFrame:
        """Measure every node of the lattice, in the order of ``Lattice.nodes``.

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
        if not self._rolls_up or self.tuples.layout is None or plan.by_rows:
            return self._frame(nodes, self._columns(nodes, plan, *self._direct(nodes, plan)))
        walker: Any
        if self._compiled and not plan.by_classes:
            from anonopt.evaluation.compiled import CompiledWalker

            walker = CompiledWalker.at_bottom(self.tuples, self.rule, plan)
        else:
            walker = NumpyWalker.at_bottom(self.tuples, self.rule, plan)
        values = evaluate_lattice(self.tuples, walker, plan, workers=self._workers)
        return self._frame(nodes, self._columns(nodes, plan, *values))

    def values(
        self, nodes: IntArray, measures: Sequence[str | Measure]
    ) -> dict[str, npt.NDArray[Any]]:
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
        return self._columns(nodes, plan, *self._direct(nodes, plan))

    def class_table(self, node: Sequence[int]) -> ClassTable:
        """Equivalence classes at a node, with everything the table can count.

        Raises
        ------
        ValueError
            If the node is not in the lattice.
        """
        return self._classes(self._one_node(node), EVERYTHING)

    def row_classes(self, node: Sequence[int]) -> RowClasses:
        """Equivalence classes at a node together with the class of every row.

        Raises
        ------
        ValueError
            If the node is not in the lattice.
        """
        return self._rows(self._one_node(node))

    def property_vector(self, node: Sequence[int], prop: str | Property) -> FloatArray:
        """Property vector of a node (Dewri 2010, Definition 1).

        Parameters
        ----------
        node : sequence of int (n_quasi_identifiers,)
        prop : ``"class_size"``, ``"sensitive_count"`` or callable
            A callable takes `RowClasses` and returns a number for each row.

        Returns
        -------
        float64 array (n_rows,)

        Raises
        ------
        ValueError
            If the node is not in the lattice, the name is unknown, or the callable does not
            return one number a row.
        """
        if isinstance(prop, str):
            _check_choice("property", prop, tuple(PROPERTIES))
            prop = PROPERTIES[prop]
        vector = np.asarray(prop(self.row_classes(node)), dtype=np.float64)
        if vector.shape != (self.table.n_rows,):
            raise ValueError(
                f"property: expected one number for each of {self.table.n_rows} rows, "
                f"found shape {vector.shape}"
            )
        return vector

    def compare(
        self,
        first: Sequence[int],
        second: Sequence[int],
        prop: str | Property,
        *,
        index: QualityIndex = spread,
    ) -> tuple[float, float]:
        """Compare two nodes by a binary quality index (Dewri 2010, Definition 2).

        Parameters
        ----------
        first, second : sequences of int (n_quasi_identifiers,)
        prop : str or callable
            As in `property_vector`.
        index : callable
            Takes two property vectors (n_rows,) and returns a number.

        Returns
        -------
        tuple of float
            The index of (first, second) and of (second, first); the node whose number is
            larger is the better one.

        Raises
        ------
        ValueError
            As `property_vector`.
        """
        left, right = self.property_vector(first, prop), self.property_vector(second, prop)
        return index(left, right), index(right, left)

    def attribute_loss(self, node: Sequence[int]) -> pd.DataFrame:
        """Loss of a node by quasi-identifier.

        Returns
        -------
        DataFrame
            Index: quasi-identifier. Columns: ``level``, ``height``, ``generalization_level``
            (level / height, 0..1), ``glm`` (rows, 0..N; a suppressed row costs 1) and
            ``glm_normalized`` (0..1).

        Raises
        ------
        ValueError
            If the node is not in the lattice.
        """
        levels = self._one_node(node)
        nodes = levels[np.newaxis]
        statistics, _ = self._direct(nodes, self._plan(["glm"]))
        found = NodeStatistics(self.tuples.facts, self.rule, nodes, statistics)
        heights = np.array(self.table.lattice.heights)
        glm = np.array([attribute_glm(found, i)[0] for i in range(len(heights))])
        return pd.DataFrame(
            {
                "level": levels,
                "height": heights,
                "generalization_level": levels / np.maximum(heights, 1),
                "glm": glm,
                "glm_normalized": glm / self.table.n_rows,
            },
            index=pd.Index(self.tuples.facts.names, name="quasi_identifier"),
        )

    def _one_node(self, node: Sequence[int]) -> IntArray:
        levels = self.table.lattice.validate(node)
        if len(levels) != 1:
            raise ValueError(f"node: expected one vector of levels, found {len(levels)}")
        return levels.reshape(-1)

    def _plan(self, measures: Sequence[str | Measure]) -> Plan:
        if isinstance(measures, str) or len(measures) == 0:
            raise ValueError(f"measures: expected a list of at least one, found {measures!r}")
        found = [self.measure(measure) for measure in measures]
        names = [measure.name for measure in found]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"measures: {name!r} is given twice")
            if name in self.tuples.facts.names:
                raise ValueError(f"measure {name!r} has the name of a quasi-identifier: rename it")
        return Plan.of(found, self.tuples)

    def _direct(self, nodes: IntArray, plan: Plan) -> tuple[IntArray, FloatArray]:
        """Statistics and class measures of single nodes, each from the distinct tuples."""
        by_classes = np.empty((len(nodes), len(plan.by_classes)))
        if self._compiled and not plan.by_classes and self.tuples.layout is not None:
            from anonopt.evaluation.compiled import evaluate_nodes

            return evaluate_nodes(self.tuples, self.rule, plan, nodes), by_classes
        statistics = np.empty((len(nodes), n_statistics(self.tuples)), dtype=np.int64)
        for row, node in enumerate(nodes):
            classes = self._classes(node, plan.needs)
            statistics[row] = summarize(classes, plan.needs)
            for position, measure in enumerate(plan.by_classes):
                if measure.from_classes is not None:
                    by_classes[row, position] = measure.from_classes(classes)
                elif measure.from_rows is not None:
                    by_classes[row, position] = measure.from_rows(self._rows(node))
        return statistics, by_classes

    def _classes(self, node: IntArray, needs: frozenset[str]) -> ClassTable:
        keys = self.tuples.node_keys(node)
        start = PackedClasses.of_tuples(self.tuples, keys, needs)
        classes = start.merged(keys, ascending=False)
        return classes.table(self.tuples, self.rule, tuple(int(level) for level in node))

    def _rows(self, node: IntArray) -> RowClasses:
        _, class_of_tuple = np.unique(self.tuples.node_keys(node), return_inverse=True)
        return RowClasses(
            classes=self._classes(node, EVERYTHING),
            class_of_row=class_of_tuple[self.tuples.tuple_of_row],
            sensitive_codes=self.table.sensitive_codes,
        )

    def _columns(
        self, nodes: IntArray, plan: Plan, statistics: IntArray, by_classes: FloatArray
    ) -> dict[str, npt.NDArray[Any]]:
        found = NodeStatistics(self.tuples.facts, self.rule, nodes, statistics)
        return plan.columns(found, by_classes)

    def _frame(self, nodes: IntArray, columns: Mapping[str, npt.NDArray[Any]]) -> pd.DataFrame:
        levels = dict(zip(self.tuples.facts.names, nodes.T, strict=True))
        return pd.DataFrame({**levels, **columns})


def _checked_weights(weights: Mapping[str, float], table: Microdata) -> dict[str, float]:
    names = [str(column) for column in table.quasi_identifiers]
    for name in weights:
        if name not in names:
            raise ValueError(f"weights: {name!r} is not a quasi-identifier: {names}")
    return dict(weights)


def _checked_workers(workers: int) -> int:
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise ValueError(f"workers: expected an integer of at least 1, found {workers!r}")
    return workers


def _resolve_accelerator(accelerator: Accelerator) -> bool:
    """Whether to use the compiled kernels."""
    _check_choice("accelerator", accelerator, ("auto", "numpy", "numba"))
    if accelerator == "numba" and not has_numba():
        raise ModuleNotFoundError(
            "accelerator='numba' needs the extra 'fast': pip install 'anonopt[fast]'"
        )
    return accelerator == "numba" or (accelerator == "auto" and has_numba())


def _check_choice(option: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise ValueError(f"{option}: expected one of {', '.join(choices)}, found {value!r}")
