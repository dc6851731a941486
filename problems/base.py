"""What every anonymization problem promises to pymoo, to the searches and to the reader.

A problem maps genomes of its space to objectives in natural units, says which of them are
maximized, names objectives and constraints, and turns a genome into protected data. pymoo sees
minimized objectives; everything a person sees keeps the natural sign.
"""

from __future__ import annotations

import hashlib
import json
import re
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from pymoo.core.problem import Problem

from anonopt._typing import AnyArray, BoolArray, FloatArray, RandomState
from anonopt.measures.fronts.boxes import INFINITE
from anonopt.problems.checks import check_names, checked_values
from anonopt.problems.notebook_view import NotebookView
from anonopt.problems.recipes import Recipe
from anonopt.problems.spaces.base import Space

EXTRA = "anon_"
"""Before the names of further values that pymoo stores with each solution."""

ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
"""Where a function lies in memory, in its representation: differs from process to process."""


class AnonymizationProblem(NotebookView, Problem):
    """Base class of every problem of the library; subclasses implement ``_values``.

    Parameters
    ----------
    space : Space
        What genomes are.
    objective_names : sequence of str, (n_obj,)
        Name of each objective, usually of a measure.
    maximize : sequence of bool, (n_obj,)
        Whether more of an objective is better.
    constraint_names : sequence of str, (n_constr,)
        Name of each constraint; one is met where its entry of G is at most 0.

    Attributes
    ----------
    space : Space
    objective_names, constraint_names : tuple of str
    maximize : bool array (n_obj,), read-only
    recipe : Recipe or None
        Name and options by which the catalogue made it, for saved runs.

    Raises
    ------
    TypeError
        If the space is none.
    ValueError
        If a name is given twice or is reserved, there is no objective, or the lengths of the
        arguments differ.

    Notes
    -----
    ``copy.deepcopy`` returns a shallow twin that shares the table: the history of a run, which
    pymoo deep-copies each generation, does not multiply the data. Subclasses therefore must
    not change their own state while they evaluate, apart from caches.

    An objective may be infinitely bad, such as recursive diversity where a class has a single
    sensitive value: pymoo sees 1e30 then, so it ranks last; tables show infinity.

    Examples
    --------
    >>> import numpy as np
    >>> from anonopt.problems.spaces import Levels
    >>> class Heights(AnonymizationProblem):
    ...     def _values(self, X):
    ...         return np.column_stack([X.sum(axis=1), X[:, 0]]), None
    >>> problem = Heights(
    ...     space=Levels(["age", "sex"], upper=[2, 1]),
    ...     objective_names=["level", "privacy"], maximize=[False, True],
    ... )
    >>> problem.space.size
    6
    >>> problem.evaluate(np.array([[2, 1]]))
    array([[ 3., -2.]])
    >>> problem.frame(np.array([[2, 1]]), np.array([[3.0, -2.0]]))
       age  sex  level  privacy
    0    2    1    3.0      2.0
    """

    def __init__(
        self,
        *,
        space: Space,
        objective_names: Sequence[str],
        maximize: Sequence[bool] | BoolArray,
        constraint_names: Sequence[str] = (),
    ) -> None:
        if not isinstance(space, Space):
            raise TypeError(f"space: expected a Space, such as Levels, found {space!r}")
        self.space = space
        self.objective_names = tuple(objective_names)
        self.constraint_names = tuple(constraint_names)
        self.maximize = np.array(maximize, dtype=bool).reshape(-1)
        self.maximize.flags.writeable = False
        check_names(space.names, self.objective_names, self.constraint_names)
        n_obj, found = len(self.objective_names), len(self.maximize)
        if found != n_obj:
            raise ValueError(f"maximize: expected length n_obj = {n_obj}, found length {found}")
        super().__init__(
            n_var=space.n_var,
            n_obj=len(self.objective_names),
            n_ieq_constr=len(self.constraint_names),
            xl=space.lower,
            xu=space.upper,
            vtype=space.vtype,
        )
        self.recipe: Recipe | None = None

    @abstractmethod
    def _values(self, X: AnyArray) -> tuple[AnyArray, AnyArray | None]:
        """Measure a whole population at once.

        Subclasses of any problem of the library may override it, and call it by ``super()``.

        Parameters
        ----------
        X : array (n, n_var)
            Genomes, int64 where they are levels.

        Returns
        -------
        values : array (n, n_obj)
            Objectives in natural units and with their natural sign.
        G : array (n, n_constr) or None
            Constraints, met at most 0; None if the problem has none.
        """

    @property
    def as_lattice(self) -> Any:
        """The problem as a `LatticeProblem` whose evaluator tells all objectives; None if not."""
        return None

    def _extras(self, X: AnyArray) -> Mapping[str, AnyArray]:
        """Further values, arrays (n, ...) by name, that are stored with the solutions."""
        return {}

    def _protected(self, x: AnyArray, random_state: RandomState) -> Any:
        """Protected data of a genome, which is one of the space."""
        raise ValueError(
            f"{type(self).__name__}: expected a problem that knows its data, "
            "found none: override _protected"
        )

    def protect(self, x: npt.ArrayLike, *, random_state: RandomState = None) -> Any:
        """Protected data that a genome stands for, with the problem's own rules.

        Parameters
        ----------
        x : array (n_var,)
            A genome, such as a row of ``result.X``.
        random_state : int or numpy Generator, optional
            Seed or generator of what protects by chance; needed there, not used elsewhere.

        Returns
        -------
        DataFrame, or SocialGraph
            The protected table, file or graph.

        Raises
        ------
        ValueError
            If it is no genome of the space or an infeasible one, the problem has no data, or it
            protects by chance and no random state is given.
        """
        return self._protected(self._feasible(x), random_state)

    def _feasible(self, x: npt.ArrayLike) -> AnyArray:
        genome = self.space.checked_one(x)
        if self.constraint_names:
            G = self.evaluate(genome[np.newaxis], return_values_of=["G"])[0]
            if missed := ", ".join(self.constraint_names[i] for i in np.flatnonzero(G > 0)):
                text = self.space.text(genome)
                raise ValueError(f"x: expected a feasible genome, found {text}, misses {missed}")
        return genome

    @property
    def is_enumerable(self) -> bool:
        """Whether :meth:`pareto_set_and_front` can be computed."""
        return False

    def pareto_set_and_front(
        self, *, on_progress: Callable[[int], None] | None = None
    ) -> tuple[AnyArray, FloatArray]:
        """Genomes and minimized objectives of the exact front, ready for :meth:`frame`.

        Parameters
        ----------
        on_progress : callable, optional
            Called from time to time with the number of genomes that are done.

        Raises
        ------
        ValueError
            If the problem is not enumerable.
        """
        raise ValueError(f"{type(self).__name__}: expected an enumerable problem, found another")

    def confirm(self, X: AnyArray, F: FloatArray) -> None:
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

    @property
    def lasting_fingerprint(self) -> str:
        """The portable fingerprint with the name of the class alone, not that of its module.

        It stays what it is when the class is moved to another file.
        """
        return self._digest(ADDRESS.sub("", self._content()), module="")

    def _digest(self, content: str, *, module: str | None = None) -> str:
        cls = type(self)
        parts = [
            f"{cls.__module__ if module is None else module}.{cls.__qualname__}",
            self.space.describe(),
            self.objective_names,
            self.maximize.tolist(),
            self.constraint_names,
            content,
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def natural(self, F: npt.ArrayLike) -> FloatArray:
        """Objectives as people read them: of minimized ``F`` (..., n_obj), the signs restored."""
        numbers = np.asarray(F, dtype=np.float64)
        return self._flipped(np.where(numbers == INFINITE, np.inf, numbers))

    def minimized(self, values: npt.ArrayLike) -> FloatArray:
        """Objectives as pymoo sees them: of natural ``values`` (..., n_obj), the maximized negated.

        The inverse of :meth:`natural`; infinitely bad ones, and what is beyond, become 1e30.
        """
        return np.minimum(self._flipped(values), INFINITE)

    def _flipped(self, values: npt.ArrayLike) -> FloatArray:
        # The last addition turns -0.0 into 0.0, which prints and hashes as people expect.
        numbers = np.asarray(values, dtype=np.float64)
        return np.asarray(np.where(self.maximize, -numbers, numbers) + 0.0)

    def frame(self, X: AnyArray, F: npt.ArrayLike) -> pd.DataFrame:
        """Solutions as a table: one row a solution, genes first, then natural objectives.

        Parameters
        ----------
        X : array (n, n_var)
            Genomes.
        F : array (n, n_obj)
            Minimized objectives.

        Returns
        -------
        DataFrame
            Columns of the genome as the space shows it, then the objectives.
        """
        return pd.concat([self.space.columns(X), self.objectives_frame(F)], axis=1)

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

    def _evaluate(self, X: AnyArray, out: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        genomes = self.space.checked(X)
        values, G = self._values(genomes)
        out["F"] = self.minimized(self._checked(values, genomes, kind="objective"))
        if self.constraint_names:
            out["G"] = self._checked(G, genomes, kind="constraint")
        elif G is not None:
            raise ValueError(
                f"constraint_names: expected a name for each constraint of "
                f"{type(self).__name__}, found none, and G of shape {np.shape(G)}"
            )
        extras = self._extras(genomes)
        out.update({f"{EXTRA}{name}": found for name, found in extras.items()})

    def _checked(self, values: npt.ArrayLike | None, X: AnyArray, *, kind: str) -> FloatArray:
        worst = np.where(self.maximize, -np.inf, np.inf) if kind == "objective" else np.inf
        names = self.objective_names if kind == "objective" else self.constraint_names
        return checked_values(values, names, X, kind=kind, worst=worst, text=self.space.text)

    def __deepcopy__(self, memo: dict[int, Any]) -> AnonymizationProblem:
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin


def check_problem(problem: object) -> None:
    """Raise a TypeError on what is no problem of this library."""
    if not isinstance(problem, AnonymizationProblem):
        raise TypeError(
            f"problem: expected an AnonymizationProblem, found {type(problem).__name__} "
            "(for other pymoo problems use pymoo.optimize.minimize)"
        )
