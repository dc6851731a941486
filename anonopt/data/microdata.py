"""The table to protect: its columns' roles, hierarchies and integer codes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import CodeArray, IntArray
from anonopt.data.column_values import ColumnValues
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.hierarchies.hierarchy_sources import HierarchySources, resolve_hierarchies
from anonopt.data.immutable import Immutable
from anonopt.data.labels import encode_labels
from anonopt.data.lattice import Lattice
from anonopt.data.population_codes import PeopleCounts, check_population, encode_population
from anonopt.data.reduction import Reduction
from anonopt.data.roles import check_roles, names_of_sensitive
from anonopt.data.sensitive_columns import encode_sensitive
from anonopt.data.tables.table_builders import TableBuilders
from anonopt.data.tables.table_protection import TableProtection
from anonopt.data.tables.table_view import table_html


class Microdata(TableBuilders, TableProtection, Immutable):
    """A table of one row a person, with the roles and hierarchies of its columns.

    Everything is checked when the table is built, and the values are coded once. A table
    never changes; copies of it are the table itself.

    Parameters
    ----------
    frame : DataFrame (n_rows, n_columns)
        Any row index. Missing cells are values of their own, ``<missing>``.
    quasi_identifiers : list of s columns
        Columns that are generalized; their order is the order of the levels of a node.
    hierarchies : mapping or folder
        For each quasi-identifier a :class:`Hierarchy`, the path of its CSV file, or
        ``"flat"`` (the values present, directly under ``*``); or a folder that holds
        ``<column>.csv`` for each. A hierarchy without the leaf ``<missing>`` gets one if its
        column has missing cells. A mapping may hold one for the sensitive column too: it is no
        part of the lattice, but the ground distance of the measure ``t_hierarchical``.
    sensitive : column or list of columns, optional
        What must not be disclosed. Of several columns, measures of sensitive values are the worst
        over the columns; those of one are named like ``"l:occupation"``.
    target : column, optional
        Class label that a model shall predict from the protected table.
    identifiers : list of columns
        Columns that name a person; they are dropped from the protected table.
    population : DataFrame (n_people, n_columns), optional
        Everybody whom the table could be about, the people of the table among them, with the
        quasi-identifiers as in `frame`: a register that an attacker may have. For the measures
        ``journalist_risk`` and ``marketer_risk``.

    Attributes
    ----------
    frame : DataFrame (n_rows, n_columns)
        A copy of the original; not to be written to.
    quasi_identifiers, sensitive, target, identifiers
        As given.
    hierarchies : dict of Hierarchy
        By quasi-identifier.
    sensitive_columns : tuple of SensitiveColumn
        The sensitive columns one by one, with their hierarchies.
    codes : int32 array (n_rows, s), read-only
        Leaf codes.
    population_codes : int32 array (n_people, s), read-only, or None
        Leaf codes of the population.
    sensitive_codes, target_codes : int32 array (n_rows,), read-only, or None
    sensitive_labels, target_labels : tuple of text
        Text of each code: numbers in order of value, ordered categories in their order, else
        in order of text; ``<missing>`` last. Empty if the role is not given. Values of several
        sensitive columns are their combinations.
    lattice : Lattice

    Raises
    ------
    ValueError
        If the table is empty, a column is absent or given twice, a column has two roles, a
        hierarchy is absent or belongs to no such column, a value is absent from its
        hierarchy (names column, value and number of rows), or the population does not hold the
        table (names values of which it has too few).

    Examples
    --------
    >>> frame = pd.DataFrame({"age": [21, 24, 38], "job": ["cook", "clerk", "cook"]})
    >>> age = Hierarchy.intervals(range(20, 40), width=10)
    >>> table = Microdata(
    ...     frame, quasi_identifiers=["age"], hierarchies={"age": age}, sensitive="job"
    ... )
    >>> table.apply([1], k=2, suppression=1)
           age    job
    0  [20,30)   cook
    1  [20,30)  clerk
    2        *   cook
    """

    _arrays = ("codes", "sensitive_codes", "target_codes", "population_codes")

    codes: CodeArray
    population_codes: CodeArray | None
    sensitive_codes: CodeArray | None
    target_codes: CodeArray | None

    def __init__(
        self,
        frame: pd.DataFrame,
        *,
        quasi_identifiers: Sequence[Hashable],
        hierarchies: HierarchySources,
        sensitive: Hashable | Sequence[Hashable] | None = None,
        target: Hashable | None = None,
        identifiers: Iterable[Hashable] = (),
        population: pd.DataFrame | None = None,
    ) -> None:
        names = names_of_sensitive(sensitive)
        self._roles = check_roles(
            frame,
            quasi_identifiers=quasi_identifiers,
            sensitive=sensitive,
            target=target,
            identifiers=identifiers,
        )
        self.quasi_identifiers, self.sensitive, self.target, self.identifiers = self._roles
        self.frame = frame.copy()
        if population is not None:
            check_population(population, self.quasi_identifiers)
        found = resolve_hierarchies(
            hierarchies,
            frame,
            self.quasi_identifiers,
            optional=names,
        )
        self.hierarchies: dict[Hashable, Hierarchy] = {
            column: found[column] for column in self.quasi_identifiers
        }
        self.codes = np.empty((len(frame), len(self.quasi_identifiers)), np.int32, order="F")
        for position, column in enumerate(self.quasi_identifiers):
            cells = ColumnValues.of(frame[column])
            people = cells if population is None else ColumnValues.of(population[column])
            if cells.has_missing or people.has_missing:
                self.hierarchies[column] = self.hierarchies[column].with_missing()
            self.codes[:, position] = self.hierarchies[column].encode_cells(cells, column)
        self.sensitive_codes, self.sensitive_labels, self.sensitive_columns = encode_sensitive(
            frame, names, found
        )
        self.target_codes, self.target_labels = _encode_role(frame, self.target)
        self.population_codes = (
            None
            if population is None
            else encode_population(population, self.hierarchies, self.codes)
        )
        self.lattice = Lattice(
            [self.hierarchies[column].height for column in self.quasi_identifiers],
            names=[str(column) for column in self.quasi_identifiers],
        )
        self._lock()

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.frame)

    def reduction(self) -> Reduction:
        """The distinct tuples with their counts, found once: where every evaluation starts."""
        return self._reduction

    @cached_property
    def _reduction(self) -> Reduction:
        maps = [self.hierarchies[column].maps for column in self.quasi_identifiers]
        return Reduction.of_codes(
            self.codes, maps, sensitive=self.sensitive_codes, target=self.target_codes
        )

    def leaf_rows(self, position: int) -> IntArray:
        """Rows with each leaf of a quasi-identifier.

        Parameters
        ----------
        position : int
            Of the quasi-identifier.

        Returns
        -------
        int64 array (n_leaves,)
        """
        tuples, column = self.reduction(), self.quasi_identifiers[position]
        counts = np.bincount(
            tuples.codes[:, position],
            weights=tuples.sizes,
            minlength=self.hierarchies[column].n_leaves,
        )
        return counts.astype(np.int64)

    @property
    def has_population(self) -> bool:
        """Whether there is a register that the table is a sample of."""
        return self.population_codes is not None

    def population_counts(self) -> PeopleCounts | None:
        """Distinct combinations of the population, with the people of each; None without one."""
        if self.population_codes is None:
            return None
        leaves = [self.hierarchies[column].n_leaves for column in self.quasi_identifiers]
        return PeopleCounts.of(self.population_codes, leaves)

    def require_rows(self, what: str) -> None:
        """Raise a ValueError if rows are not in memory (:meth:`from_parquet`) that `what` needs."""

    def __getstate__(self) -> dict[str, Any]:
        # What follows from the codes is found anew sooner than it is sent.
        return {name: value for name, value in self.__dict__.items() if name != "_reduction"}

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of roles, codes, labels and hierarchies, 64 hexadecimal digits.

        Two tables with the same fingerprint have the same value of every measure of every
        node; columns without a role and the row index do not count.
        """
        digest = hashlib.sha256(json.dumps(self._identity()).encode())
        for codes in (self.codes, self.sensitive_codes, self.target_codes, self.population_codes):
            if codes is not None:
                digest.update(codes.astype("<i4", copy=False).tobytes(order="F"))
        return digest.hexdigest()

    def _identity(self) -> list[object]:
        """Roles, hierarchies and labels, as JSON has them."""
        roles = [repr(role) for role in self._roles]
        trees = [self.hierarchies[column].fingerprint for column in self.quasi_identifiers]
        labels = [self.sensitive_labels, self.target_labels]
        own = [column.hierarchy for column in self.sensitive_columns]
        trees += [hierarchy.fingerprint for hierarchy in own if hierarchy is not None]
        return [roles, trees, labels]

    def __repr__(self) -> str:
        return (
            f"Microdata(n_rows={self.n_rows}, quasi_identifiers={list(self.quasi_identifiers)}, "
            f"sensitive={self.sensitive!r}, target={self.target!r})"
        )

    def _repr_html_(self) -> str:
        """Roles of the columns for notebooks; no rows, as notebooks are passed on."""
        facts = {
            column: {"distinct values": cells.nunique(), "missing cells": int(cells.isna().sum())}
            for column, cells in self.frame.items()
        }
        return table_html(self.n_rows, self.lattice.size, self._roles, self.hierarchies, facts)


def _encode_role(
    frame: pd.DataFrame, column: Hashable | None
) -> tuple[CodeArray | None, tuple[str, ...]]:
    return (None, ()) if column is None else encode_labels(frame[column])
