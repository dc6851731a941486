"""What evaluators of nodes and of local recodings share: a table, a rule, the measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import is_not
from typing import Any, ClassVar

from anonopt._typing import Accelerator
from anonopt.data import Microdata
from anonopt.data.suppression import resolve_budget
from anonopt.evaluation.accelerator import uses_numba
from anonopt.evaluation.engine.engine_measures import check_engine_measure
from anonopt.evaluation.lattice.plan import Plan, checked_measure, checked_weights
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.evaluation.lattice.vectors import Candidate, PropertyVectors
from anonopt.measures.lattice.class_bounds import measure_bounds
from anonopt.measures.lattice.loss import glm_measure
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.measure import Measure
from anonopt.measures.registry import MEASURES


class TableEvaluator(PropertyVectors[Candidate]):
    """Base of the evaluators of generalizations of one table under one suppression rule.

    Parameters
    ----------
    table, k, suppression, class_bounds, weights, accelerator
        As in `LatticeEvaluator`.

    Attributes
    ----------
    table : Microdata
    rule : SuppressionRule
        Budget in rows, k and class bounds.
    weights : dict of str to float
    compiled : bool
        Whether the compiled kernels are used.
    """

    _needs_rows: ClassVar[bool] = False
    """Whether what is evaluated says something of every row."""

    def __init__(
        self,
        table: Microdata,
        *,
        k: int | None = None,
        suppression: float = 0.0,
        class_bounds: Mapping[Any, float] | None = None,
        weights: Mapping[str, float] | None = None,
        accelerator: Accelerator = "auto",
    ) -> None:
        if not isinstance(table, Microdata):
            raise TypeError(f"table: expected a Microdata, found {type(table).__name__}")
        if self._needs_rows:
            table.require_rows(type(self).__name__)
        self.table = table
        self.rule = SuppressionRule(
            resolve_budget(suppression, table.n_rows), k, measure_bounds(class_bounds, table)
        )
        self.weights = checked_weights(weights, table)
        self._planned: tuple[tuple[str | Measure, ...], Plan] | None = None
        self._glm = glm_measure(self.weights) if self.weights else MEASURES["glm"]
        self.compiled = uses_numba(accelerator)

    @cached_property
    def tuples(self) -> DistinctTuples:
        """Distinct tuples of the table with their counts."""
        return DistinctTuples.of(self.table)

    @property
    def n_tuples(self) -> int:
        """Distinct combinations of quasi-identifier values."""
        return self.tuples.reduction.n_tuples

    def measure(self, measure: str | Measure) -> Measure:
        """A measure as this evaluator computes it, checked against the table.

        Raises
        ------
        ValueError
            If it is unknown, needs a sensitive or target column that the table lacks, or
            needs a fixed k; or if it looks at all classes together, and the distinct tuples of
            the table are too many for memory (`evaluate` takes it at nodes whose classes fit).
        """
        found = self._measure(measure)
        check_engine_measure(self.table, found)
        return found

    def _measure(self, measure: str | Measure) -> Measure:
        return checked_measure(measure, self.table, self.rule, glm=self._glm)

    def _plan(self, measures: Sequence[str | Measure]) -> Plan:
        if isinstance(measures, str):
            raise ValueError(f"measures: expected a list of at least one, found {measures!r}")
        # Searches ask for the same few measures of one candidate after the other.
        known = self._planned
        if known is None or len(known[0]) != len(measures) or any(map(is_not, known[0], measures)):
            found = [self._measure(measure) for measure in measures]
            known = self._planned = tuple(measures), Plan.of(found, self.tuples, self.rule)
        return known[1]

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_planned": None}
