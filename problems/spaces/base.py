"""What a genome is: bounds, key, text, first genomes, operators, neighbours."""

from __future__ import annotations

import hashlib
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from itertools import starmap
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pandas as pd
from pymoo.core.crossover import Crossover
from pymoo.core.duplicate import DuplicateElimination
from pymoo.core.mutation import Mutation
from pymoo.core.repair import Repair
from pymoo.core.sampling import Sampling

from anonopt._checks import check_integer
from anonopt._typing import AnyArray, FloatArray, Generator
from anonopt.operators.duplicates import GenomeDuplicateElimination, genome_key, genome_keys

SOLUTION = "solution"
"""Column of solutions whose genes have no names: their position, from 0."""


class Space(ABC):
    """Everything that depends on what the genomes of a problem are.

    Problems hold one as ``problem.space``; algorithms, operators, records and tables ask it
    and nobody else. Wrapping a problem, or inheriting from one, keeps its space.

    Attributes
    ----------
    kind : str
        Name by which algorithms say which spaces they search, such as ``"levels"``.
    n_var : int
        Genes of a genome.
    vtype : type
        ``int``, ``float`` or ``object``, as pymoo has it.
    names : tuple of str, (n_var,) or ()
        Name of each gene; genomes that are too long to be shown have none.
    lower, upper : float arrays (n_var,), or None
        Bounds of the genes, both inclusive; None where genes are no numbers.
    records_genomes : bool
        Whether a run keeps every genome it evaluates. Without, it keeps those of the best
        solutions, and of each objective vector one.
    """

    kind: ClassVar[str]
    vtype: type
    records_genomes: bool = True

    def __init__(
        self,
        *,
        names: Sequence[str] = (),
        n_var: int | None = None,
        lower: npt.ArrayLike | None = None,
        upper: npt.ArrayLike | None = None,
    ) -> None:
        self.names = tuple(names)
        if self.names and n_var is not None:
            raise ValueError(f"n_var: expected names or a number, found both, {n_var}")
        self.n_var = len(self.names) or check_integer("n_var", n_var or 0, least=1)
        bounds = _checked_bounds(lower, upper, n_var=self.n_var, integer=self.vtype is int)
        self.lower: FloatArray | None = bounds and bounds[0]
        self.upper: FloatArray | None = bounds and bounds[1]

    @cached_property
    def _values(self) -> dict[int, int] | None:
        """How many genes have each number of values; None if these are not finite."""
        if self.vtype is not int or self.lower is None or self.upper is None:
            return None
        spans, n_genes = np.unique(self.upper - self.lower + 1, return_counts=True)
        return dict(zip(spans.astype(int).tolist(), n_genes.tolist(), strict=True))

    @cached_property
    def size(self) -> int | None:
        """Exact number of genomes, of any length; None if it is not finite."""
        # Counted when asked for: of a file of a million rows it takes a second.
        return None if self._values is None else math.prod(starmap(pow, self._values.items()))

    def is_exhausted(self, n_unique: int) -> bool:
        """Whether so many distinct genomes are all there are; needs no exact number of many."""
        if self._values is None:
            return False
        bits = sum(n_genes * math.log2(span) for span, n_genes in self._values.items())
        return bits <= n_unique.bit_length() + 1 and n_unique == self.size

    @property
    def matrix_lengths(self) -> tuple[int, ...]:
        """Genes of each part that operators on matrices change as one; here all genes."""
        return (self.n_var,)

    @property
    def row_lengths(self) -> tuple[int, ...]:
        """Genes of each part that is a distribution; here all genes."""
        return (self.n_var,)

    @abstractmethod
    def sampling(self, *, extremes: bool = False) -> Sampling:
        """Operator that makes the first population.

        Parameters
        ----------
        extremes : bool
            Whether the first two genomes are the least and the greatest one, in spaces that
            have such.
        """

    @abstractmethod
    def crossover(self) -> Crossover:
        """Crossover of two parents and two children."""

    @abstractmethod
    def mutation(self) -> Mutation:
        """Mutation."""

    def certain_operators(self) -> tuple[Crossover, Mutation]:
        """Crossover and mutation that change whatever they are given.

        For loops that decide themselves who mates and who mutates, such as those of DEAP.
        """
        crossover, mutation = self.crossover(), self.mutation()
        crossover.prob.set(1.0)
        mutation.prob.set(1.0)
        return crossover, mutation

    def repair(self) -> Repair | None:
        """Repair of what crossover and mutation made; None where none is needed."""
        return None

    def duplicates(self) -> DuplicateElimination:
        """Elimination of equal genomes."""
        return GenomeDuplicateElimination(key=self.key)

    def operators(self) -> dict[str, Any]:
        """All of them, as options of pymoo's algorithms."""
        found = {
            "sampling": self.sampling(),
            "crossover": self.crossover(),
            "mutation": self.mutation(),
            "eliminate_duplicates": self.duplicates(),
        }
        repair = self.repair()
        return found if repair is None else {**found, "repair": repair}

    def starting_population(self, generator: Generator) -> AnyArray | None:
        """Genomes that a search should start with; None where any will do.

        Parameters
        ----------
        generator : numpy Generator

        Returns
        -------
        array (n, n_var), or None
        """
        return None

    def neighbors(self, x: npt.ArrayLike) -> AnyArray:
        """Genomes one step from a genome.

        Parameters
        ----------
        x : array (n_var,)

        Returns
        -------
        array (n_neighbors, n_var)

        Raises
        ------
        ValueError
            If the space has no steps.
        """
        raise ValueError(f"neighbors: expected a space with steps, found {self.kind}")

    def note_offspring(  # noqa: B027  (what most spaces do with it: nothing)
        self, child: AnyArray, parent: AnyArray, first: int, last: int
    ) -> None:
        """Learn that a child can differ from its parent in genes first..last only.

        Operators on long genomes call it. It decides how fast the child is measured, never what
        is measured; spaces that cannot use it do nothing.

        Parameters
        ----------
        child, parent : arrays (n_var,)
        first, last : int
            Both inclusive.
        """

    def key(self, x: AnyArray) -> bytes:
        """Key of one genome: equal exactly where the genomes are the same solution.

        Memory, record and elimination of duplicates tell genomes apart by it.

        Parameters
        ----------
        x : array (n_var,)
        """
        return genome_key(x)

    def keys(self, X: AnyArray) -> list[bytes]:
        """Key of each of several genomes, an array (n, n_var)."""
        if type(self).key is Space.key:
            return genome_keys(X)
        return [self.key(x) for x in X]

    def text(self, x: AnyArray) -> str:
        """One genome as text, such as ``age=1, sex=0``; without names, a digest of it."""
        if not self.names:
            return f"genome {hashlib.sha256(self.key(x)).hexdigest()[:12]}"
        return ", ".join(f"{name}={gene}" for name, gene in zip(self.names, x, strict=True))

    def gene_name(self, gene: int) -> str:
        """Name of a gene, in messages; its position where genes have no names."""
        return repr(self.names[gene]) if self.names else str(gene)

    def columns(self, X: AnyArray) -> pd.DataFrame:
        """Genomes as columns of a result table.

        Genes without names are not shown; there, ``solution`` numbers the rows from 0.

        Parameters
        ----------
        X : array (n, n_var)

        Returns
        -------
        DataFrame (n, n_var), or (n, 1)
        """
        columns = {name: X[:, i] for i, name in enumerate(self.names)}
        return pd.DataFrame(columns or {SOLUTION: np.arange(len(X))})

    def checked(self, X: AnyArray) -> AnyArray:
        """Genomes of the type that problems measure.

        Parameters
        ----------
        X : array (n, n_var)

        Raises
        ------
        TypeError
            If genes are no numbers.
        ValueError
            If a genome is none of this space; names the gene.
        """
        if self.lower is None or self.upper is None:
            return X
        if X.dtype.kind not in "biuf":
            raise TypeError(f"x: expected a genome of numbers, found {X.dtype} in {X.tolist()[:1]}")
        # Written so that NaN fails the comparison as well.
        fits = (self.lower <= X) & (self.upper >= X)
        if self.vtype is int:
            fits &= X == np.rint(X)
        if not fits.all():
            row, gene = np.argwhere(~fits)[0]
            number = "a whole number" if self.vtype is int else "a number"
            low, high = (f"{bound[gene]:.17g}" for bound in (self.lower, self.upper))
            # A digest would neither lead to the genome nor exist of every wrong one.
            genome = self.text(X[row]) if self.names else f"genome {row}"
            raise ValueError(
                f"gene {self.gene_name(int(gene))}: expected {number} in {low}..{high}, "
                f"found {X[row, gene]} in {genome}"
            )
        return X.astype(np.int64 if self.vtype is int else np.float64)

    def checked_one(self, x: npt.ArrayLike) -> AnyArray:
        """One genome, (n_var,), of the type that problems measure.

        Raises
        ------
        ValueError
            If it has another number of genes, or is none of this space.
        """
        try:
            genome = np.asarray(x)
        except ValueError as error:
            raise ValueError(f"x: expected a genome, found what is no array; {error}") from error
        if genome.shape != (self.n_var,):
            raise ValueError(f"x: expected a genome of shape ({self.n_var},), found {genome.shape}")
        one: AnyArray = self.checked(genome[np.newaxis])[0]
        return one

    def describe(self) -> list[Any]:
        """What tells this space from others, as plain data, for fingerprints."""
        bounds = [None if bound is None else bound.tolist() for bound in (self.lower, self.upper)]
        return [self.kind, self.names, *bounds]


def _checked_bounds(
    lower: npt.ArrayLike | None, upper: npt.ArrayLike | None, *, n_var: int, integer: bool
) -> tuple[FloatArray, FloatArray] | None:
    if lower is None and upper is None and not integer:
        return None
    if lower is None or upper is None:
        raise ValueError("lower, upper: expected both bounds, found one of them or none")
    low, high = (np.array(bound, dtype=np.float64).reshape(-1) for bound in (lower, upper))
    if len(low) != n_var or len(high) != n_var:
        raise ValueError(
            f"lower, upper: expected bounds of length n_var = {n_var}, "
            f"found {len(low)} and {len(high)}"
        )
    if integer and ((low != np.rint(low)).any() or (high != np.rint(high)).any()):
        raise ValueError(f"lower, upper: expected whole bounds, found {low} and {high}")
    if (low > high).any():
        raise ValueError(f"lower, upper: expected lower <= upper, found {low} and {high}")
    return low, high
