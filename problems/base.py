"""What every anonymization problem promises to pymoo, to the searches and to the reader.

A problem maps genomes to objectives in natural units, says which of them are maximized, and
names its genes, objectives and constraints. pymoo sees minimized objectives; everything a
person sees keeps the natural sign.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
from pymoo.core.problem import Problem

from anonopt._typing import FloatArray
from anonopt.operators.duplicates import genome_key
from anonopt.problems.checks import (
    SOLUTION,
    check_names,
    checked_bounds,
    checked_values,
    number_of_genes,
)
from anonopt.problems.recipes import Recipe

EXTRA = "anon_"
"""Before the names of further values that pymoo stores with each solution."""

ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
"""Where a function lies in memory, in its representation: differs from process to process."""


class AnonymizationProblem(Problem):
    """Base class of every problem of the library; subclasses implement :meth:`_values`.

    Parameters
    ----------
    genome_names : sequence of str, (n_var,)
        Name of each gene; for a lattice, the quasi-identifiers. Genomes that are too long to be
        shown leave it out and give `n_var`; frames then have a column ``solution`` instead.
    objective_names : sequence of str, (n_obj,)
        Name of each objective, usually of a measure.
    maximize : sequence of bool, (n_obj,)
        Whether more of an objective is better.
    xl, xu : sequence of numbers, (n_var,), optional
        Bounds of the genes, both inclusive. Genomes without bounds (trees) leave them out.
    constraint_names : sequence of str, (n_constr,)
        Name of each constraint; one is met where its entry of G is at most 0.
    vtype : type
        ``int``: genomes must be whole numbers within the bounds, which is checked at every
        evaluation. Other types are handed to :meth:`_values` as they come.
    n_var : int, optional
        Number of genes, where they have no names.

    Attributes
    ----------
    genome_names, objective_names, constraint_names : tuple of str
    records_genomes : bool
        Whether a run keeps every genome it evaluates. Without, it keeps those of the best
        solutions, and of each objective vector one; set by subclasses of long genomes.
    maximize : bool array (n_obj,), read-only
    n_solutions : int or None
        Exact size of the search space, of any length; None if it is not finite.
    recipe : Recipe or None
        Name and options by which the catalogue made it, for saved runs.

    Raises
    ------
    ValueError
        If a name is given twice or is reserved, there is no gene or no objective, the lengths
        of the arguments differ, or an integer genome has no bounds, bounds that are not
        whole or a lower bound above the upper one; if genes have neither names nor a number,
        or both.

    Notes
    -----
    ``copy.deepcopy`` returns a shallow twin that shares the table: the history of a run, which
    pymoo deep-copies each generation, does not multiply the data. Subclasses therefore must
    not change their own state while they evaluate, apart from caches.

    Examples
    --------
    >>> import numpy as np
    >>> class Heights(AnonymizationProblem):
    ...     def _values(self, X):
    ...         return np.column_stack([X.sum(axis=1), X[:, 0]]), None
    >>> problem = Heights(
    ...     genome_names=["age", "sex"], xl=[0, 0], xu=[2, 1],
    ...     objective_names=["level", "privacy"], maximize=[False, True],
    ... )
    >>> problem.n_solutions
    6
    >>> problem.evaluate(np.array([[2, 1]]))
    array([[ 3., -2.]])
    >>> problem.frame(np.array([[2, 1]]), np.array([[3.0, -2.0]]))
       age  sex  level  privacy
    0    2    1    3.0      2.0
    """

    records_genomes: bool = True

    def __init__(
        self,
        *,
        genome_names: Sequence[str] = (),
        objective_names: Sequence[str],
        maximize: Sequence[bool] | npt.NDArray[np.bool_],
        xl: npt.ArrayLike | None = None,
        xu: npt.ArrayLike | None = None,
        constraint_names: Sequence[str] = (),
        vtype: type = int,
        n_var: int | None = None,
    ) -> None:
        self.genome_names = tuple(genome_names)
        self.objective_names = tuple(objective_names)
        self.constraint_names = tuple(constraint_names)
        self.maximize = np.array(maximize, dtype=bool).reshape(-1)
        self.maximize.flags.writeable = False
        check_names(self.genome_names, self.objective_names, self.constraint_names)
        n_genes = number_of_genes(self.genome_names, n_var)
        if len(self.maximize) != len(self.objective_names):
            raise ValueError(
                f"expected maximize of length n_obj = {len(self.objective_names)}; "
                f"found length {len(self.maximize)}"
            )
        bounds = checked_bounds(xl, xu, n_var=n_genes, integer=vtype is int)
        super().__init__(
            n_var=n_genes,
            n_obj=len(self.objective_names),
            n_ieq_constr=len(self.constraint_names),
            xl=bounds and bounds[0],
            xu=bounds and bounds[1],
            vtype=vtype,
        )
        self.recipe: Recipe | None = None
        self.n_solutions: int | None = None
        if bounds and vtype is int:
            spans, n_genes_of = np.unique(bounds[1] - bounds[0] + 1, return_counts=True)
            self.n_solutions = math.prod(map(pow, spans.astype(int).tolist(), n_genes_of.tolist()))

    @abstractmethod
    def _values(self, X: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any] | None]:
        """Measure a whole population at once.

        Parameters
        ----------
        X : array (n, n_var)
            Genomes, int64 where ``vtype`` is int.

        Returns
        -------
        values : array (n, n_obj)
            Objectives in natural units and with their natural sign.
        G : array (n, n_constr) or None
            Constraints, met at most 0; None if the problem has none.
        """

    def _values_and_extras(
        self, X: npt.NDArray[Any]
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any] | None, Mapping[str, npt.NDArray[Any]]]:
        """What `_values` returns, and further arrays (n, ...) to store with the solutions."""
        values, G = self._values(X)
        return values, G, {}

    def confirm(self, X: npt.NDArray[Any], F: FloatArray) -> None:
        """Check solutions that are about to be reported; problems that are exact do nothing.

        Parameters
        ----------
        X : array (n, n_var)
            Genomes.
        F : array (n, n_obj)
            Minimized objectives, as found by the search.

        Raises
        ------
        RuntimeError
            If an objective was not what the genome has.
        """

    def _content(self) -> str:
        """Text of whatever else the objectives depend on, for :attr:`fingerprint`.

        Subclasses name their table and parameters here.
        """
        return ""

    @property
    def fingerprint(self) -> str:
        """SHA-256 of everything that decides the objectives; equal problems have equal ones."""
        return self._digest(self._content())

    @property
    def portable_fingerprint(self) -> str:
        """The fingerprint without the memory addresses by which functions are told apart.

        Equal in every process; problems that differ in functions of one name have equal ones.
        """
        return self._digest(ADDRESS.sub("", self._content()))

    def _digest(self, content: str) -> str:
        cls = type(self)
        parts = [
            f"{cls.__module__}.{cls.__qualname__}",
            self.genome_names,
            None if self.xl is None else self.xl.tolist(),
            None if self.xu is None else self.xu.tolist(),
            self.objective_names,
            self.maximize.tolist(),
            self.constraint_names,
            content,
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def natural(self, F: npt.ArrayLike) -> FloatArray:
        """Objectives as people read them: of minimized ``F`` (..., n_obj), the signs restored."""
        return self._flipped(F)

    def minimized(self, values: npt.ArrayLike) -> FloatArray:
        """Objectives as pymoo sees them: of natural ``values`` (..., n_obj), the maximized negated.

        The inverse of :meth:`natural`.
        """
        return self._flipped(values)

    def _flipped(self, values: npt.ArrayLike) -> FloatArray:
        # The last addition turns -0.0 into 0.0, which prints and hashes as people expect.
        numbers = np.asarray(values, dtype=np.float64)
        return np.asarray(np.where(self.maximize, -numbers, numbers) + 0.0)

    def genome_key(self, x: npt.NDArray[Any]) -> bytes:
        """Key of one genome: equal exactly where the genomes are the same solution.

        Memory, record and elimination of duplicates tell genomes apart by it. Problems whose
        genomes are not numbers, or long, bring one of their own.

        Parameters
        ----------
        x : array (n_var,)

        Returns
        -------
        bytes
            Here that of :func:`anonopt.operators.genome_key`.
        """
        return genome_key(x)

    def operators(self) -> Mapping[str, Any]:
        """Operators that fit the genomes, as options of pymoo's algorithms.

        Returns
        -------
        mapping of str to operator
            Of ``sampling``, ``crossover``, ``mutation`` and ``eliminate_duplicates`` those that
            are not the usual ones for integer levels; here none.
        """
        return {}

    def frame(self, X: npt.NDArray[Any], F: npt.ArrayLike) -> pd.DataFrame:
        """Solutions as a table: one row a solution, genes first, then natural objectives.

        Genes without names are not shown; there, ``solution`` numbers the rows of `X` from 0.

        Parameters
        ----------
        X : array (n, n_var)
            Genomes.
        F : array (n, n_obj)
            Minimized objectives.

        Returns
        -------
        DataFrame (n, n_var + n_obj)
        """
        columns = {name: X[:, i] for i, name in enumerate(self.genome_names)}
        genes = pd.DataFrame(columns or {SOLUTION: np.arange(len(X))})
        return pd.concat([genes, self.objectives_frame(F)], axis=1)

    def objectives_frame(self, F: npt.ArrayLike) -> pd.DataFrame:
        """Objectives as a table in natural units.

        Parameters
        ----------
        F : array (n, n_obj)
            Minimized objectives.

        Returns
        -------
        DataFrame (n, n_obj)
        """
        return pd.DataFrame(self.natural(F), columns=list(self.objective_names))

    def describe_genome(self, x: npt.NDArray[Any]) -> str:
        """One genome as text, such as ``age=1, sex=0``; without names, a digest of it."""
        if not self.genome_names:
            return f"genome {hashlib.sha256(self.genome_key(x)).hexdigest()[:12]}"
        return ", ".join(f"{name}={gene}" for name, gene in zip(self.genome_names, x, strict=True))

    def gene_name(self, gene: int) -> str:
        """Name of a gene, in messages; its position where genes have no names."""
        return repr(self.genome_names[gene]) if self.genome_names else str(gene)

    def _evaluate(
        self, X: npt.NDArray[Any], out: dict[str, Any], *args: Any, **kwargs: Any
    ) -> None:
        genomes = self._checked_genomes(X)
        values, G, extras = self._values_and_extras(genomes)
        out["F"] = self.minimized(self._checked(values, genomes, kind="objective"))
        if self.constraint_names:
            out["G"] = self._checked(G, genomes, kind="constraint")
        out.update({f"{EXTRA}{name}": values for name, values in extras.items()})

    def _checked_genomes(self, X: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Genomes as :meth:`_values` takes them, or ValueError."""
        if self.vtype is not int:
            return X
        wrong = (X != np.rint(X)) | (X < self.xl) | (X > self.xu)
        if wrong.any():
            row, gene = np.argwhere(wrong)[0]
            raise ValueError(
                f"expected a whole number in {self.xl[gene]:.0f}..{self.xu[gene]:.0f} for gene "
                f"{self.gene_name(int(gene))}; found {X[row, gene]} in genome "
                f"{self.describe_genome(X[row])}"
            )
        return X.astype(np.int64)

    def _checked(
        self,
        values: npt.ArrayLike | None,
        X: npt.NDArray[Any],
        *,
        kind: Literal["objective", "constraint"],
    ) -> FloatArray:
        names = self.objective_names if kind == "objective" else self.constraint_names
        return checked_values(values, names, X, kind=kind, describe=self.describe_genome)

    def __deepcopy__(self, memo: dict[int, Any]) -> AnonymizationProblem:
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin
