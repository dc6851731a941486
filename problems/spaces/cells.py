"""Masked files: one gene for each cell of the masked columns, in row-major order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np
from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.sampling import Sampling

from anonopt._typing import AnyArray, Generator
from anonopt.evaluation.threads import in_threads
from anonopt.operators.cells.cell_variation import CellCrossover, CellMutation, GrayCellMutation
from anonopt.operators.duplicates import key_digest
from anonopt.operators.starting_population import StartingPopulation
from anonopt.problems.spaces.base import Space

COMPARED_BYTES = 2**20
"""Genes that are compared with their bounds at once."""


class NoteOffspring(Protocol):
    """What learns which cells of a child can differ from its parent."""

    def __call__(self, child: AnyArray, parent: AnyArray, first: int, last: int) -> None:
        """As `Space.note_offspring`."""
        ...


class Cells(Space):
    """Cells of a masked file, as whole numbers from 0 on.

    Parameters
    ----------
    n_rows : int
    highest : sequence of int, one a masked column
        Largest gene of each column.
    gray : bool
        Whether genes are the xor of two Gray codes, so that mutation flips a bit; else they are
        codes of categories, and mutation draws another one.
    start : function of a numpy Generator, returns genomes (n, n_var)
        Masked files that a search starts with.
    note : function, optional
        Called by :meth:`note_offspring`.
    workers : int
        Threads that check genomes of more than `COMPARED_BYTES`.

    Attributes
    ----------
    shape : (n_rows, n_columns)
    dtype : numpy dtype
        Smallest integer type that holds every gene; genomes of this type are not copied.

    Examples
    --------
    >>> space = Cells(2, [3, 1], start=lambda generator: np.zeros((1, 4), dtype=np.int8))
    >>> space.size, space.dtype.name
    (64, 'int8')
    """

    kind: ClassVar[str] = "cells"
    vtype = int
    records_genomes = False

    def __init__(
        self,
        n_rows: int,
        highest: Sequence[int],
        *,
        start: Callable[[Generator], AnyArray],
        gray: bool = False,
        note: NoteOffspring | None = None,
        workers: int = 1,
    ) -> None:
        self.workers = workers
        self.shape = (n_rows, len(highest))
        self.dtype = np.min_scalar_type(-max(highest) - 1)
        self.gray = gray
        upper = np.tile(np.array(highest), n_rows)
        self._highest = upper.astype(self.dtype)
        self._start, self._note = start, note
        super().__init__(n_var=len(upper), lower=np.zeros(len(upper)), upper=upper)

    def sampling(self, *, extremes: bool = False) -> Sampling:
        """The starting population."""
        return StartingPopulation()

    def crossover(self) -> Crossover:
        """Two parents swap the cells between two points."""
        return CellCrossover()

    def mutation(self) -> Mutation:
        """One cell gets another value."""
        return GrayCellMutation() if self.gray else CellMutation()

    def starting_population(self, generator: Generator) -> AnyArray:
        """Genomes of the file, masked by many methods: an array (n, n_var)."""
        return self._start(generator)

    def note_offspring(self, child: AnyArray, parent: AnyArray, first: int, last: int) -> None:
        """As :meth:`Space.note_offspring`."""
        if self._note is not None:
            self._note(child, parent, first, last)

    def key(self, x: AnyArray) -> bytes:
        """Digest of 16 bytes of the genes, whatever their type."""
        return key_digest(np.ascontiguousarray(x, dtype=self.dtype).data)

    def checked(self, X: AnyArray) -> AnyArray:
        """Genomes of ``dtype``."""
        # The slow check names the gene, or finds whole numbers of another type.
        checked = X if X.dtype == self.dtype and self._holds(X) else super().checked(X)
        return checked.astype(self.dtype, copy=False)

    def _holds(self, X: AnyArray) -> bool:
        """Whether all genes of genomes of ``dtype`` are in their bounds."""
        # As unsigned numbers, those below 0 are beyond every bound. A few genomes at a time: memory
        # for the comparison of many would take longer to get than the comparison.
        unsigned = np.dtype(f"u{self.dtype.itemsize}")
        genes, highest = X.view(unsigned), self._highest.view(unsigned)
        step = max(1, COMPARED_BYTES // highest.nbytes)
        parts = (genes[start : start + step] for start in range(0, len(genes), step))
        if self.workers == 1 or genes.nbytes <= COMPARED_BYTES:
            return not any((part > highest).any() for part in parts)
        beyond: list[np.bool_] = []
        in_threads(parts, lambda part: beyond.append((part > highest).any()), workers=self.workers)
        return not any(beyond)

    def describe(self) -> list[Any]:
        """What tells this space from others."""
        return [self.kind, self.shape, self._highest[: self.shape[1]].tolist(), self.gray]
