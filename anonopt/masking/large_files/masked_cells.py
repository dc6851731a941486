"""Cells that are masked one by one, whatever rows they stand in: recodings and PRAM."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from copy import deepcopy
from typing import Any

import numpy as np

from anonopt._checks import as_generator
from anonopt._registry import engine
from anonopt._typing import AnyIntArray, CodeArray
from anonopt.evaluation.pram.pram_draws import AliasTable
from anonopt.masking.large_files.source_columns import SourceColumn, arrow_cells
from anonopt.masking.merged_categories import Recoding
from anonopt.masking.pram.pram_method import PRAM
from anonopt.sources.source import Source

DRAWS = 2**20
"""Random numbers that are drawn at once to be left out."""


class MaskedCells(ABC):
    """A column whose cells become others, an Arrow array after the other in the order of the rows.

    Parameters
    ----------
    column : SourceColumn
    outputs : pyarrow Array
        What the codes that :meth:`_masked` returns stand for.
    """

    def __init__(self, column: SourceColumn, outputs: Any) -> None:
        self._coder, self._outputs = column.coder(), outputs

    @property
    def kind(self) -> Any:
        """Arrow type of the masked cells."""
        return self._outputs.type

    def masked(self, cells: Any) -> Any:
        """Masked cells of an Arrow array (n,)."""
        arrow = engine("pyarrow", "rows of a source")
        return self._outputs.take(arrow.array(self._masked(self._coder.of(cells))))

    @abstractmethod
    def _masked(self, codes: CodeArray) -> AnyIntArray:
        """Place in the outputs of each masked cell."""


class RecodedCells(MaskedCells):
    """Cells of a recoding: the same value becomes the same everywhere."""

    def _masked(self, codes: CodeArray) -> AnyIntArray:
        return codes


class DrawnCells(MaskedCells):
    """Cells of PRAM.

    Parameters
    ----------
    column, outputs
        As for `MaskedCells`.
    table : AliasTable or None
        None if there is no category to draw.
    n_drawn : int
        Categories that may change.
    generator : numpy Generator
        Used for this column alone.
    """

    def __init__(
        self,
        column: SourceColumn,
        outputs: Any,
        table: AliasTable | None,
        n_drawn: int,
        generator: np.random.Generator,
    ) -> None:
        super().__init__(column, outputs)
        self._table, self._n_drawn, self._generator = table, n_drawn, generator

    def _masked(self, codes: CodeArray) -> AnyIntArray:
        if self._table is None:
            return codes
        present = codes < self._n_drawn
        masked = codes.copy()
        masked[present] = self._table.draw(codes[present], self._generator)
        return masked


def recoded_cells(
    method: Recoding, source: Source, names: Sequence[Hashable]
) -> dict[Hashable, MaskedCells]:
    """Columns of a source under a recoding."""
    columns = [SourceColumn.of(source, name, method.ordinal) for name in names]
    recoded = method.recoded(
        [column.values for column in columns], [column.counts for column in columns]
    )
    return {
        column.name: RecodedCells(column, arrow_cells(values, column.kind, column.values))
        for column, values in zip(columns, recoded, strict=True)
    }


def drawn_cells(
    method: PRAM, source: Source, names: Sequence[Hashable]
) -> dict[Hashable, MaskedCells]:
    """Columns of a source under PRAM; sets ``matrices_`` of the method.

    In memory the columns are drawn one after the other. Each gets a generator of its own here that
    stands where its draws begin, so cells are those of the same seed in memory.

    Raises
    ------
    ValueError
        As `fit_transform`; or if the method has strata.
    """
    if method.strata is not None:
        raise ValueError(
            f"strata: expected none for a file that is masked row by row, found "
            f"{list(method.strata)}"
        )
    generator = as_generator(method.random_state, fresh=True)
    given = method.given_matrices(tuple(names))
    cells: dict[Hashable, MaskedCells] = {}
    method.matrices_ = {}
    for name in names:
        column = SourceColumn.of(source, name, method.ordinal)
        n_drawn = len(column.values) if method.mask_missing else column.n_present
        labels = column.categories.labels[0][:n_drawn]
        counts, table = column.counts[:n_drawn], None
        method.matrices_[name] = []
        own = deepcopy(generator)
        if n_drawn:
            matrix = method.matrix_of(name, given[name], counts, labels)
            method.matrices_[name].append(matrix)
            table = AliasTable.of(matrix.probabilities)
            _leave_out(generator, int(counts.sum()))
        outputs = arrow_cells(column.values, column.kind, column.values)
        cells[name] = DrawnCells(column, outputs, table, n_drawn, own)
    return cells


def _leave_out(generator: np.random.Generator, n: int) -> None:
    """Draw numbers as one column does, for the next one to begin behind them."""
    for start in range(0, n, DRAWS):
        generator.random(min(DRAWS, n - start))
