"""Cell suppression as search: random keys say which cells are cheap, a decoder suppresses them.

Every genome is a table whose rows have k matches, so searches need no constraint for that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonopt._checks import check_choice, check_integer
from anonopt._typing import Accelerator, AnyArray, BoolArray, FloatArray, IntArray, RandomState
from anonopt.data import Microdata
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.evaluation import RecodingEvaluator
from anonopt.evaluation.accelerator import uses_numba
from anonopt.masking.cells.coded_cells import MATCHINGS, CodedCells, Matching
from anonopt.masking.cells.patterns import Patterns
from anonopt.masking.cells.suppressed_cells import SuppressedCells
from anonopt.masking.cells.value_search import ValueDecoder, row_bound
from anonopt.masking.cells.wildcard_search import greedy_by_wildcard
from anonopt.measures import Measure, get_measure
from anonopt.measures.suppressed_cells import SUPPRESSED_CELLS
from anonopt.problems.measured import Columns, MeasuredProblem, columns_of
from anonopt.problems.spaces.keys import Keys

BORROWED = "borrowed rows"
"""Name of the key that weighs rows which lose cells so that others have k matches."""

WIDEST = 4.0
"""A key of 0 divides a weight by this, a key of 1 multiplies it; one of 0.5 leaves it."""


class CellSuppressionProblem(MeasuredProblem):
    """Search tables with few suppressed cells in which every row has k matches.

    A genome is a vector of random keys, one a column: by which factor the column's weight counts
    in what the greedy search of :class:`anonopt.masking.CellSuppression` takes for cheap. By value
    one more key weighs what is paid for borrowed rows. What is reported counts the true weights.
    Keys of 0.5 make what the greedy search makes (which takes the result of the search by
    importance where that is better, as it is on a few small tables).

    Parameters
    ----------
    data : DataFrame (n_rows, ...) or Microdata
        The table as it is to be protected: an original, or one that is recoded already. Of a
        `Microdata` the quasi-identifiers lose cells, and its identifiers are dropped.
    objectives : list of str or Measure
        ``"suppressed_cells"``, ``"affected_rows"``, ``"match_risk"``, see
        ``ao.list_measures(of="suppressed cells")``; by value also the measures of nodes, such as
        ``"average_risk"``, ``"glm"`` and ``"l"``, where a suppressed cell is the top of its
        hierarchy.
    constraints : mapping of str or Measure to float, optional
        Bounds, such as ``{"affected_rows": 100}``.
    k : int
        Least number of rows that a row matches, itself included, from 1 to n_rows.
    columns : list of columns, optional
        Of a frame, the columns that may lose cells, by default all.
    weights : mapping of column to number above 0, optional
        What a suppressed cell of a column costs, 1 by default.
    matching : ``"value"`` or ``"wildcard"``
        How a suppressed cell is read, see :class:`anonopt.masking.CellSuppression`.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``

    Attributes
    ----------
    cells : CodedCells
    k : int
    matching : str

    Raises
    ------
    ValueError
        If k is out of range, a weight is not above 0, a column is absent, or a measure is of
        something else.

    Examples
    --------
    >>> frame = pd.DataFrame({"sex": list("ffmm"), "zone": list("NNNS")})
    >>> problem = CellSuppressionProblem(frame, k=2)
    >>> x = np.full(problem.n_var, 0.5)
    >>> problem.evaluate(x[np.newaxis]).tolist()
    [[2.0]]
    >>> problem.protect(x)["zone"].tolist()
    ['N', 'N', '*', '*']
    """

    space: Keys

    def __init__(
        self,
        data: pd.DataFrame | Microdata,
        objectives: Sequence[str | Measure] = ("suppressed_cells",),
        constraints: Mapping[Any, float] | None = None,
        *,
        k: int,
        columns: Sequence[Hashable] | None = None,
        weights: Mapping[Any, float] | None = None,
        matching: Matching = "value",
        accelerator: Accelerator = "auto",
    ) -> None:
        self.matching: Matching = check_choice("matching", matching, MATCHINGS)
        self.table, self._frame, names = _table_of(data, columns)
        self.cells = CodedCells.of(self._frame, names, weights=weights, matching=matching)
        self.k = check_integer("k", k, least=1, most=self.cells.n_rows)
        self.accelerator: Accelerator = accelerator
        uses_numba(accelerator)
        self._decoder: ValueDecoder | None = None
        self._evaluator: RecodingEvaluator | None = None
        if self.matching == "value":
            patterns = Patterns.of(self.cells, self.k)
            self._decoder = ValueDecoder(self.cells, patterns, self.k, accelerator=accelerator)
        keys = [str(name) for name in self.cells.names]
        super().__init__(
            space=Keys([*keys, BORROWED] if self._decoder else keys),
            objectives=objectives,
            constraints=constraints,
            measure=self._cell_measure,
        )

    def _cell_measure(self, measure: str | Measure) -> Measure:
        """Measure of suppressed cells, or by value of nodes."""
        found = get_measure(measure)
        if "node" in found.of and self.matching == "value":
            return self.evaluator.measure(found)
        return get_measure(measure, of=SUPPRESSED_CELLS)

    @property
    def evaluator(self) -> RecodingEvaluator:
        """What measures of nodes are computed by; made when it is first needed."""
        if self._evaluator is None:
            if self.table is None:
                names = list(self.cells.names)
                self.table = Microdata(
                    self._frame, quasi_identifiers=names, hierarchies=dict.fromkeys(names, "flat")
                )
            self._evaluator = RecodingEvaluator(self.table, k=self.k, accelerator=self.accelerator)
        return self._evaluator

    @property
    def bound(self) -> float | None:
        """Weight that no suppression by value is below; None by wildcard, and of many columns.

        Each row shows cells that k rows of the original have: it pays at least for the cheapest
        columns whose others are so.
        """
        if self._decoder is None:
            return None
        return row_bound(self.cells, self.k, self._decoder.patterns)

    def suppressed(self, x: AnyArray) -> BoolArray:
        """Cells that a genome suppresses, bool array (n_rows, n_columns).

        Parameters
        ----------
        x : array (n_var,)
            A genome, such as a row of ``result.X``.
        """
        return self._decoded(self.space.checked_one(x)).mask

    def _decoded(self, x: AnyArray) -> SuppressedCells:
        factors = _factors(x)
        if self._decoder is None:
            mask = greedy_by_wildcard(
                self.cells, self.k, factors=factors, accelerator=self.accelerator
            )
        else:
            mask = self._decoder.mask(self._placed(factors))
        return SuppressedCells(self._frame, self.cells, mask, self.matching, self.accelerator)

    def _placed(self, factors: FloatArray) -> IntArray:
        decoder = self._decoder
        if decoder is None:
            raise ValueError("matching: expected 'value', found 'wildcard'")
        return decoder.of_factors(factors[:-1], share=float(factors[-1]))

    def groups(self, x: AnyArray) -> RecodedGroups:
        """The table of a genome as a local recoding: a suppressed cell is the top of its hierarchy.

        Parameters
        ----------
        x : array (n_var,)

        Raises
        ------
        ValueError
            If suppressed cells match everything: such rows are no groups.
        """
        if self.matching != "value":
            raise ValueError("groups: expected matching='value', found 'wildcard'")
        return self._groups(self._decoded(self.space.checked_one(x)).mask)

    def _groups(self, mask: BoolArray) -> RecodedGroups:
        table = self.evaluator.table
        highest = [
            len(table.hierarchies[column].labels[0]) - 1 for column in table.quasi_identifiers
        ]
        lows = np.where(mask, 0, table.codes)
        highs = np.where(mask, highest, table.codes)
        # Equal labels are one group; where a cell is suppressed, low and high tell that it is.
        labels, group = np.unique(np.hstack([lows, highs]), axis=0, return_inverse=True)
        n_columns = len(highest)
        return RecodedGroups(
            group.reshape(-1), lows=labels[:, :n_columns], highs=labels[:, n_columns:]
        )

    def _columns(self, X: AnyArray, measures: Sequence[Measure]) -> Columns:
        own = [one for one in measures if one.from_protected is not None]
        of_nodes = [one for one in measures if one.from_protected is None]
        decoded = [self._decoded(x) for x in X]
        rows = [
            [
                one.one_number(one.from_protected(self._frame, found))
                for one in own
                if one.from_protected
            ]
            for found in decoded
        ]
        columns: dict[str, AnyArray] = dict(columns_of(rows, [one.name for one in own]))
        if of_nodes:
            recodings = [self._groups(found.mask) for found in decoded]
            columns |= self.evaluator.values(recodings, of_nodes)
        return columns

    def _protected(self, x: AnyArray, random_state: RandomState) -> pd.DataFrame:
        return self._decoded(x).frame

    def _facts(self) -> dict[str, object]:
        return {"rows": self.cells.n_rows, "k": self.k, "suppressed cells match": self.matching}

    def _data(self) -> str:
        cells = self.cells
        digest = hashlib.sha256(np.ascontiguousarray(cells.codes).tobytes())
        digest.update(cells.distinct_of_row.tobytes())
        digest.update(np.ascontiguousarray(cells.free).tobytes())
        content = [digest.hexdigest(), cells.weights.tolist(), self.k, self.matching]
        if any(one.from_protected is None for one in self.measures):
            content.append(self.evaluator.table.fingerprint)
        return repr(content)


def _factors(x: AnyArray) -> FloatArray:
    return np.asarray(WIDEST ** (2.0 * x - 1.0), dtype=np.float64)


def _table_of(
    data: pd.DataFrame | Microdata, columns: Sequence[Hashable] | None
) -> tuple[Microdata | None, pd.DataFrame, Sequence[Hashable] | None]:
    """The table with its roles where it has them, its frame, and the columns that lose cells."""
    if not isinstance(data, Microdata):
        return None, data, columns
    if columns is not None:
        raise ValueError(
            "columns: expected those of a frame, found some beside the quasi-identifiers of a "
            "Microdata"
        )
    return data, data.frame.drop(columns=list(data.identifiers)), data.quasi_identifiers
