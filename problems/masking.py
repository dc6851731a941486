"""Masked files as genomes: one category code for each cell of the protected columns.

The original file never changes, so what is measured of a masked one lives in small integer tables
that follow each changed cell. Offspring that differ little from a parent are therefore measured
from the tables of the parent, others from scratch; both give the same numbers, bit for bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt.data.masking_sets import MaskingSet
from anonopt.evaluation.masking_evaluator import MaskingEvaluator
from anonopt.evaluation.masking_state import MaskingState
from anonopt.operators.cells import CellCrossover, CellMutation
from anonopt.operators.duplicates import GenomeDuplicateElimination, key_digest
from anonopt.operators.starting_population import StartingPopulation
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.checks import FloatArray
from anonopt.problems.offspring import OffspringMemory

if TYPE_CHECKING:
    from anonopt.masking.starting_population import Mix

Codes = npt.NDArray[Any]

FIGURES = ("DBIL", "CTBIL", "EBIL", "IL", "ID", "DBRL", "PRL", "DR")
SCORES = ("score_max", "score_mean")
"""What can be an objective: figures of the masked file, and scores of its IL and DR."""

OBSERVED = ("IL", "DR")
"""Figures that are stored with every solution, whatever the objectives."""

SHARE_REPLAYED = 100
"""Offspring are measured from their parent if fewer than n_rows / 100 cells differ."""


class MaskingProblem(AnonymizationProblem):
    """Search masked versions of a file of categories for low information loss and low risk.

    Mares 2013, Chapter 3: a genome is a whole masked file, and its genes are the cells of the
    protected columns in row-major order: gene ``row * n_columns + column`` is a code of
    ``problem.columns.categories[column]``. Every objective is a percentage, and less is better.

    Parameters
    ----------
    original : DataFrame (n_rows, ...), or MaskingSet
        The original file; a benchmark set brings its columns and their orders along.
    objectives : sequence of str
        ``"IL"`` and ``"DR"`` for a front; ``"score_max"`` or ``"score_mean"`` (Eqs. 3.4, 3.2) for
        one objective; also the parts of IL and DR: DBIL, CTBIL, EBIL, ID, DBRL, PRL.
    columns : list of columns, optional
        Columns that are masked, by default all.
    ordinal : mapping of column to list of values or None, optional
        Columns whose categories have an order, as
        :meth:`~anonopt.data.categories.CategoricalColumns.of` takes them.
    mix : Mix, optional
        Numbers of masked files of each method in the starting population, as for
        :func:`~anonopt.masking.starting_population`.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``
        As in `MaskingEvaluator`.

    Attributes
    ----------
    original : MaskingSet
    columns : CategoricalColumns
        The original cells as codes.
    genome_dtype : numpy dtype
        Smallest integer type that holds every code; genomes of this type are not copied.

    Raises
    ------
    ValueError
        If an objective is unknown, the columns are not those of the file, or a set is given
        together with columns or orders.

    Notes
    -----
    Every solution holds its IL and DR under ``"anon_IL"`` and ``"anon_DR"``
    (``individual.get("anon_IL")``). A run keeps genomes of the best solutions only.

    Examples
    --------
    >>> frame = pd.DataFrame({"size": ["S", "M", "L", "L"], "zone": ["a", "a", "b", "b"]})
    >>> problem = MaskingProblem(frame, ["IL", "DR"])
    >>> original = problem.genomes([frame])
    >>> problem.frame(original, problem.evaluate(original))["IL"].tolist()
    [0.0]
    >>> problem.masked_frame(np.zeros(8, dtype=np.int8))["zone"].tolist()
    ['a', 'a', 'a', 'a']
    """

    records_genomes = False

    def __init__(
        self,
        original: pd.DataFrame | MaskingSet,
        objectives: Sequence[str] = OBSERVED,
        *,
        columns: Sequence[Any] | None = None,
        ordinal: Mapping[Any, Sequence[object] | None] | None = None,
        mix: Mix | None = None,
        accelerator: Any = "auto",
    ) -> None:
        _check_objectives(objectives)
        self.original = _masking_set(original, columns, ordinal)
        self.columns = self.original.categorical
        self.evaluator = MaskingEvaluator(self.columns, accelerator=accelerator)
        self.mix = mix
        n_categories = np.array(self.columns.n_categories)
        self.genome_dtype = np.min_scalar_type(-int(n_categories.max()))
        n_rows = self.columns.n_rows
        self._highest = np.tile(n_categories - 1, n_rows).astype(self.genome_dtype)
        super().__init__(
            n_var=len(self._highest),
            objective_names=objectives,
            maximize=[False] * len(objectives),
            xl=np.zeros(len(self._highest)),
            xu=self._highest,
        )
        self._memory: OffspringMemory[MaskingState] = OffspringMemory(
            genome_bytes=self.n_var * self.genome_dtype.itemsize
        )

    def starting_population(self, generator: np.random.Generator) -> Codes:
        """Genomes a search starts with: the file, masked by many methods.

        Parameters
        ----------
        generator : numpy Generator

        Returns
        -------
        int array (n, n_var)
            See :func:`~anonopt.masking.starting_population`.

        Raises
        ------
        ValueError
            If the mix does not fit the file.
        """
        from anonopt.masking.starting_population import starting_population

        masked = starting_population(self.original, random_state=generator, mix=self.mix)
        return np.array([file.codes.reshape(-1) for file in masked]).astype(self.genome_dtype)

    def genomes(self, frames: Sequence[pd.DataFrame]) -> Codes:
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
            If a file has another number of rows, or a value that is no category of its column.
        """
        X = np.empty((len(frames), self.n_var), dtype=self.genome_dtype)
        for x, frame in zip(X, frames, strict=True):
            if len(frame) != self.columns.n_rows:
                raise ValueError(
                    f"expected masked files of {self.columns.n_rows} rows, found {len(frame)}"
                )
            x[:] = self.columns.encode(frame).ravel()
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
            If a code is out of its bounds, or their number is another one.
        """
        shape = (self.columns.n_rows, self.columns.n_columns)
        if x.shape != (self.n_var,):
            raise ValueError(f"expected a genome of shape ({self.n_var},), found {x.shape}")
        return self.columns.decode(x.reshape(shape), self.original.frame)

    def genome_key(self, x: npt.NDArray[Any]) -> bytes:
        """Digest of 16 bytes of the codes, whatever their type."""
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
        self._memory.note(self.genome_key(child), self.genome_key(parent), first, last)

    def operators(self) -> Mapping[str, Any]:
        """Cell crossover and mutation, from the starting population on."""
        return {
            "sampling": StartingPopulation(),
            "crossover": CellCrossover(),
            "mutation": CellMutation(),
            "eliminate_duplicates": GenomeDuplicateElimination(key=self.genome_key),
        }

    def _values(self, X: Codes) -> tuple[FloatArray, None]:
        return self._values_and_extras(X)[:2]

    def _values_and_extras(
        self, X: Codes
    ) -> tuple[FloatArray, None, Mapping[str, npt.NDArray[Any]]]:
        names = [*self.objective_names, *OBSERVED]
        values = np.array([self._state(x).values(names) for x in X]).reshape(len(X), len(names))
        n_obj = len(self.objective_names)
        extras = {name: values[:, n_obj + i] for i, name in enumerate(OBSERVED)}
        return values[:, :n_obj], None, extras

    def _state(self, x: Codes) -> MaskingState:
        """Tables of a genome: known, those of its parent with some cells changed, or new."""
        key = self.genome_key(x)
        known = self._memory.state(key)
        if known is None:
            known = self._from_parent(key, x)
            if known is None:
                known = self.evaluator.measure(x.reshape(-1, self.columns.n_columns))
            self._memory.keep(key, known)
        return known

    def _from_parent(self, key: bytes, x: Codes) -> MaskingState | None:
        parent = self._memory.parent(key)
        if parent is None:
            return None
        state, first, last = parent
        before = state.codes.reshape(-1)[first : last + 1]
        changed = np.flatnonzero(x[first : last + 1] != before) + first
        if len(changed) * SHARE_REPLAYED >= self.columns.n_rows:
            return None
        return state.copy().apply(changed, x[changed])

    def _checked_genomes(self, X: npt.NDArray[Any]) -> Codes:
        fits = X.dtype == self.genome_dtype and not ((X < 0).any() or (X > self._highest).any())
        # The slow check names the gene, or finds whole numbers of another type.
        checked = X if fits else super()._checked_genomes(X)
        return checked.astype(self.genome_dtype, copy=False)

    def _content(self) -> str:
        return self.columns.fingerprint

    def __getstate__(self) -> dict[str, Any]:
        # What is known of genomes is found again where it is missing.
        return self.__dict__ | {"_memory": self._memory.emptied()}


def _masking_set(
    original: pd.DataFrame | MaskingSet,
    columns: Sequence[Any] | None,
    ordinal: Mapping[Any, Sequence[object] | None] | None,
) -> MaskingSet:
    if isinstance(original, MaskingSet):
        if columns is not None or ordinal is not None:
            raise ValueError(
                f"expected no columns and no ordinal, as the set {original.name!r} brings its own; "
                f"found columns = {columns} and ordinal = {ordinal}"
            )
        return original
    names = tuple(original.columns if columns is None else columns)
    orders = dict(ordinal or {})
    return MaskingSet(
        name="",
        frame=original,
        columns=names,
        ordinal=orders,
        order={name: orders.get(name) for name in names},
    )


def _check_objectives(objectives: Sequence[str]) -> None:
    known = [*FIGURES, *SCORES]
    if isinstance(objectives, str):
        raise TypeError(f"objectives: expected a list of names, found {objectives!r}")
    for name in objectives:
        if name not in known:
            raise ValueError(f"objectives: expected names among {known}, found {name!r}")
