"""What masked files of any kind share as genomes: one gene for each cell of the masked columns.

The original file never changes, so what is measured of a masked one lives in tables that follow
each changed cell. Offspring are therefore measured from the tables of their parent where that is
faster, others from scratch; both give the same numbers, bit for bit.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt._typing import AnyArray, FloatArray
from anonopt.operators.cells.cells import CellCrossover
from anonopt.operators.duplicates import GenomeDuplicateElimination, key_digest
from anonopt.operators.starting_population import StartingPopulation
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.files.offspring import OffspringMemory

SCORES = ("score_max", "score_mean")
"""Scores of IL and DR that can be objectives, beside the figures of a kind of file."""

OBSERVED = ("IL", "DR")
"""Figures that are stored with every solution, whatever the objectives."""


class MaskedFile(Protocol):
    """A measured masked file: what the problems need of a state."""

    def values(self, names: Sequence[str]) -> FloatArray:
        """Figures by name."""
        ...


State = TypeVar("State", bound=MaskedFile)


class MaskedFileProblem(AnonymizationProblem, Generic[State]):
    """Base of the problems whose genomes are whole masked files (Mares 2013, Chapter 3).

    Genes are the cells of the masked columns in row-major order, whole numbers from 0 on. Every
    objective is a percentage, and less is better.

    Parameters
    ----------
    frame : DataFrame (n_rows, ...)
        The original file.
    objectives : sequence of str
        Names of `figures` and scores.
    figures : sequence of str
        Figures of this kind of file.
    highest : sequence of int, one a masked column
        Largest gene of each column.
    state_bytes : int, optional
        Memory of a state, by default that of a genome.

    Attributes
    ----------
    genome_dtype : numpy dtype
        Smallest integer type that holds every gene; genomes of this type are not copied.

    Raises
    ------
    ValueError
        If an objective is unknown.
    TypeError
        If the objectives are a single text.
    """

    records_genomes = False

    def __init__(
        self,
        frame: pd.DataFrame,
        objectives: Sequence[str],
        *,
        figures: Sequence[str],
        highest: Sequence[int],
        state_bytes: int | None = None,
    ) -> None:
        _check_objectives(objectives, [*figures, *SCORES])
        self._original = frame
        self._shape = (len(frame), len(highest))
        self.genome_dtype = np.min_scalar_type(-max(highest) - 1)
        upper = np.tile(np.array(highest), len(frame))
        self._highest = upper.astype(self.genome_dtype)
        super().__init__(
            n_var=len(upper),
            objective_names=objectives,
            maximize=[False] * len(objectives),
            xl=np.zeros(len(upper)),
            xu=upper,
        )
        self._memory: OffspringMemory[State] = OffspringMemory(
            genome_bytes=state_bytes or self.n_var * self.genome_dtype.itemsize
        )

    @abstractmethod
    def _genes(self, frame: pd.DataFrame) -> npt.NDArray[Any]:
        """Genes of a masked file of the right number of rows, (n_rows, n_columns)."""

    @abstractmethod
    def _decoded(self, genes: npt.NDArray[Any]) -> pd.DataFrame:
        """The masked file of genes (n_rows, n_columns)."""

    @abstractmethod
    def _measured(self, genes: npt.NDArray[Any]) -> State:
        """State of genes (n_rows, n_columns), from scratch."""

    @abstractmethod
    def _updated(self, x: AnyArray, parent: State, first: int, last: int) -> State | None:
        """State of a genome that differs from its parent in cells first..last at most.

        None if it is faster from scratch. The parent's state is left as it is.
        """

    @abstractmethod
    def starting_population(self, generator: np.random.Generator) -> AnyArray:
        """Genomes a search starts with: the file, masked by many methods.

        Parameters
        ----------
        generator : numpy Generator

        Returns
        -------
        int array (n, n_var)
        """

    def genomes(self, frames: Sequence[pd.DataFrame]) -> AnyArray:
        """Genomes of masked files.

        Parameters
        ----------
        frames : sequence of DataFrame (n_rows, ...)
            Each has the rows of the original, in its order.

        Returns
        -------
        int array (n, n_var)
            Of the type :attr:`genome_dtype`.

        Raises
        ------
        ValueError
            If a file has another number of rows, or a value that has no gene.
        """
        X = np.empty((len(frames), self.n_var), dtype=self.genome_dtype)
        for x, frame in zip(X, frames, strict=True):
            if len(frame) != self._shape[0]:
                raise ValueError(
                    f"expected masked files of {self._shape[0]} rows, found {len(frame)}"
                )
            x[:] = self._genes(frame).ravel()
        return X

    def masked_frame(self, x: npt.NDArray[Any]) -> pd.DataFrame:
        """The file that a genome stands for: other columns, index and types are the original's.

        Parameters
        ----------
        x : int array (n_var,)

        Returns
        -------
        DataFrame (n_rows, ...)

        Raises
        ------
        ValueError
            If a gene is out of its bounds, or their number is another one.
        """
        if x.shape != (self.n_var,):
            raise ValueError(f"expected a genome of shape ({self.n_var},), found {x.shape}")
        return self._decoded(self._checked_genomes(x[np.newaxis])[0].reshape(self._shape))

    def genome_key(self, x: npt.NDArray[Any]) -> bytes:
        """Digest of 16 bytes of the genes, whatever their type."""
        return key_digest(np.ascontiguousarray(x, dtype=self.genome_dtype).data)

    def note_offspring(
        self, child: npt.NDArray[Any], parent: npt.NDArray[Any], first: int, last: int
    ) -> None:
        """Learn that a child can differ from its parent in cells first..last only.

        Operators call it; it decides how fast the child is measured, never what is measured.

        Parameters
        ----------
        child, parent : int arrays (n_var,)
        first, last : int
            Both inclusive.
        """
        origin = self.genome_key(parent)
        if not self._memory.knows(origin):
            # Its tables made room for others; the children to come need them again.
            self._state(self._checked_genomes(parent[np.newaxis])[0])
        self._memory.note(self.genome_key(child), origin, first, last)

    def operators(self) -> Mapping[str, Any]:
        """Cell crossover and this problem's mutation, from the starting population on."""
        return {
            "sampling": StartingPopulation(),
            "crossover": CellCrossover(),
            "mutation": self._mutation(),
            "eliminate_duplicates": GenomeDuplicateElimination(key=self.genome_key),
        }

    @abstractmethod
    def _mutation(self) -> Any:
        """Mutation operator of this kind of genes."""

    def _values(self, X: AnyArray) -> tuple[FloatArray, None]:
        return self._values_and_extras(X)[:2]

    def _values_and_extras(
        self, X: AnyArray
    ) -> tuple[FloatArray, None, Mapping[str, npt.NDArray[Any]]]:
        names = [*self.objective_names, *OBSERVED]
        values = np.array([self._state(x).values(names) for x in X]).reshape(len(X), len(names))
        n_obj = len(self.objective_names)
        extras = {name: values[:, n_obj + i] for i, name in enumerate(OBSERVED)}
        return values[:, :n_obj], None, extras

    def _state(self, x: AnyArray) -> State:
        """Tables of a genome: known, those of its parent with some cells changed, or new."""
        key = self.genome_key(x)
        known = self._memory.state(key)
        if known is None:
            parent = self._memory.parent(key)
            known = None if parent is None else self._updated(x, *parent)
            if known is None:
                known = self._measured(x.reshape(self._shape))
            self._memory.keep(key, known)
        return known

    def _checked_genomes(self, X: npt.NDArray[Any]) -> AnyArray:
        fits = X.dtype == self.genome_dtype and not ((X < 0).any() or (X > self._highest).any())
        # The slow check names the gene, or finds whole numbers of another type.
        checked = X if fits else super()._checked_genomes(X)
        return checked.astype(self.genome_dtype, copy=False)

    def __getstate__(self) -> dict[str, Any]:
        # What is known of genomes is found again where it is missing.
        return self.__dict__ | {"_memory": self._memory.emptied()}


def _check_objectives(objectives: Sequence[str], known: Sequence[str]) -> None:
    if isinstance(objectives, str):
        raise TypeError(f"objectives: expected a list of names, found {objectives!r}")
    for name in objectives:
        if name not in known:
            raise ValueError(f"objectives: expected names among {list(known)}, found {name!r}")
