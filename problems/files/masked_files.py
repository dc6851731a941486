"""What masked files of any kind share as genomes: one gene for each cell of the masked columns.

The original file never changes, so what is measured of a masked one lives in tables that follow
each changed cell. Offspring are therefore measured from the tables of their parent where that is
faster, others from scratch; both give the same numbers, bit for bit.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import pandas as pd

from anonopt._checks import check_integer
from anonopt._typing import AnyArray, FloatArray, Generator, RandomState
from anonopt.evaluation.threads import in_threads
from anonopt.measures import Measure, get_measure
from anonopt.measures.measure import Kind
from anonopt.problems.files.offspring import OffspringMemory
from anonopt.problems.measured import Columns, MeasuredProblem, columns_of
from anonopt.problems.spaces.cells import Cells

RECORDED = ("IL", "DR")
"""Stored with every solution, whatever the objectives."""

AHEAD = 2
"""Files at a time for each thread at least: one that takes long does not let the others wait."""

MANY_CELLS = 30_000
"""Smaller files take less time than that a thread waits for the other one."""


class MaskedFile(Protocol):
    """A measured masked file: what the problems need of a state."""

    def values(self, names: Sequence[str]) -> FloatArray:
        """Figures by name."""
        ...


State = TypeVar("State", bound=MaskedFile)


class MaskedFileProblem(MeasuredProblem, Generic[State]):
    """Base of the problems whose genomes are whole masked files (Mares 2013, Chapter 3).

    Genes are the cells of the masked columns in row-major order, whole numbers from 0 on. Every
    built-in figure is a percentage, and less is better.

    Parameters
    ----------
    frame : DataFrame (n_rows, ...)
        The original file.
    objectives : sequence of str or Measure
    constraints : mapping of str or Measure to float, optional
    of : ``"file"`` or ``"numeric file"``
        What the measures are of.
    highest : sequence of int, one a masked column
        Largest gene of each column.
    gray : bool
        Whether genes are Gray codes, see `Cells`.
    state_bytes : int, optional
        Memory of a state, by default that of a genome.
    workers : int
        Threads that measure the files of a population, at least 1.

    Raises
    ------
    ValueError
        If a measure does not fit, or there are no workers.
    TypeError
        If the objectives are a single text, or workers is no whole number.
    """

    space: Cells

    def __init__(
        self,
        frame: pd.DataFrame,
        objectives: Sequence[str | Measure],
        *,
        constraints: Mapping[Any, float] | None,
        of: Kind,
        highest: Sequence[int],
        gray: bool,
        state_bytes: int | None = None,
        workers: int = 1,
    ) -> None:
        self.workers = check_integer("workers", workers, least=1)
        self._original, self._of = frame, of
        space = Cells(
            len(frame),
            highest,
            gray=gray,
            start=self._starting_population,
            note=self._note_offspring,
            workers=self.workers,
        )
        super().__init__(
            space=space,
            objectives=objectives,
            constraints=constraints,
            measure=partial(get_measure, of=of),
            recorded=RECORDED,
        )
        self._memory: OffspringMemory[State] = OffspringMemory(
            genome_bytes=state_bytes or space.n_var * space.dtype.itemsize
        )

    @abstractmethod
    def _genes(self, frame: pd.DataFrame) -> AnyArray:
        """Genes of a masked file of the right number of rows, (n_rows, n_columns)."""

    @abstractmethod
    def _decoded(self, genes: AnyArray) -> pd.DataFrame:
        """The masked file of genes (n_rows, n_columns)."""

    @abstractmethod
    def _measured(self, genes: AnyArray) -> State:
        """State of genes (n_rows, n_columns), from scratch."""

    @abstractmethod
    def _updated(self, x: AnyArray, parent: State, first: int, last: int) -> State | None:
        """State of a genome that differs from its parent in cells first..last at most.

        None if it is faster from scratch. The parent's state is left as it is.
        """

    @abstractmethod
    def _starting_population(self, generator: Generator) -> AnyArray:
        """Genomes of the file, masked by many methods, (n, n_var)."""

    @property
    def original_file(self) -> pd.DataFrame:
        """The original file, with the columns that are not masked."""
        return self._original

    def genomes(self, frames: Sequence[pd.DataFrame]) -> AnyArray:
        """Genomes of masked files.

        Parameters
        ----------
        frames : sequence of DataFrame (n_rows, ...)
            Each has the rows of the original, in its order.

        Returns
        -------
        int array (n, n_var)
            Of the type ``space.dtype``.

        Raises
        ------
        ValueError
            If a file has another number of rows, or a value that has no gene.
        """
        X = np.empty((len(frames), self.n_var), dtype=self.space.dtype)
        for x, frame in zip(X, frames, strict=True):
            if len(frame) != len(self._original):
                raise ValueError(
                    f"frames: expected masked files of {len(self._original)} rows, "
                    f"found {len(frame)}"
                )
            x[:] = self._genes(frame).ravel()
        return X

    def _protected(self, x: AnyArray, random_state: RandomState) -> pd.DataFrame:
        return self._decoded(x.reshape(self.space.shape))

    def _note_offspring(self, child: AnyArray, parent: AnyArray, first: int, last: int) -> None:
        origin = self.space.key(parent)
        if not self._memory.knows(origin):
            # Its tables made room for others; the children to come need them again.
            self._state(self.space.checked(parent[np.newaxis])[0])
        self._memory.note(self.space.key(child), origin, first, last)

    def _columns(self, X: AnyArray, measures: Sequence[Measure]) -> Columns:
        own = {one.name: one.function(self._of) for one in measures}
        names = [name for name, function in own.items() if function is None]
        columns = columns_of(self._rows(X, names), names)
        files = [self._protected(x, None) for x in X] if len(names) < len(own) else []
        for one in measures:
            function = own[one.name]
            if function is not None:
                values = [one.one_number(function(self._original, file)) for file in files]
                columns[one.name] = np.array(values)
        return columns

    def _rows(self, X: AnyArray, names: Sequence[str]) -> list[FloatArray]:
        """Figures of genomes by name."""
        if self.workers == 1 or self.n_var < MANY_CELLS:
            return [self._state(x).values(names) for x in X]
        rows: list[FloatArray] = []
        # No more at a time: each holds a state, which may be large.
        most = max(self._memory.n_states, AHEAD * self.workers)
        for start in range(0, len(X), most):
            rows.extend(self._rows_together(X[start : start + most], names))
        return rows

    def _rows_together(self, X: AnyArray, names: Sequence[str]) -> list[FloatArray]:
        """Figures of genomes by name, measured by several threads."""
        keys = [b""] * len(X)
        measured: dict[bytes, tuple[State, FloatArray]] = {}

        def find_key(place: int) -> None:
            keys[place] = self.space.key(X[place])

        in_threads(range(len(X)), find_key, workers=self.workers)
        known: dict[bytes, State] = {}
        new: dict[bytes, tuple[AnyArray, tuple[State, int, int] | None]] = {}
        for key, x in dict(zip(keys, X, strict=True)).items():
            state = self._memory.state(key)
            if state is None:
                new[key] = x, self._memory.parent(key)
            else:
                known[key] = state

        def measure(key: bytes) -> None:
            state = self._new_state(*new[key])
            measured[key] = state, state.values(names)

        in_threads(new, measure, workers=self.workers)
        for key in new:
            self._memory.keep(key, measured[key][0])
        # A state that is asked for its figures may note them, so no thread works from it any more.
        found = {key: state.values(names) for key, state in known.items()}
        return [found[key] if key in found else measured[key][1] for key in keys]

    def _state(self, x: AnyArray) -> State:
        """Tables of a genome: known, those of its parent with some cells changed, or new."""
        key = self.space.key(x)
        known = self._memory.state(key)
        if known is None:
            known = self._new_state(x, self._memory.parent(key))
            self._memory.keep(key, known)
        return known

    def _new_state(self, x: AnyArray, parent: tuple[State, int, int] | None) -> State:
        known = None if parent is None else self._updated(x, *parent)
        return self._measured(x.reshape(self.space.shape)) if known is None else known

    def __getstate__(self) -> dict[str, Any]:
        # What is known of genomes is found again where it is missing.
        return self.__dict__ | {"_memory": self._memory.emptied()}
