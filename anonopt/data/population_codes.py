"""The register that a table is a sample of, coded by the hierarchies of the table."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from anonopt._typing import CodeArray, IntArray
from anonopt.data.grouping import group_rows
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.roles import find_columns


class PeopleCounts(NamedTuple):
    """Distinct combinations of the values of a population, with the people of each.

    Attributes
    ----------
    codes : int32 array (n_combinations, n_quasi_identifiers)
        Leaf codes.
    sizes : int64 array (n_combinations,)
    """

    codes: CodeArray
    sizes: IntArray

    @classmethod
    def of(cls, codes: CodeArray, radices: Sequence[int]) -> PeopleCounts:
        """Count the leaf codes of a population, (n_people, n_quasi_identifiers).

        Parameters
        ----------
        codes : int32 array (n_people, n_quasi_identifiers)
        radices : sequence of int
            Leaves of each quasi-identifier.
        """
        _, group = group_rows(list(codes.T), radices)
        first = np.unique(group, return_index=True)[1]
        return cls(np.asfortranarray(codes[first]), np.bincount(group))


def check_population(population: pd.DataFrame, columns: Sequence[Hashable]) -> None:
    """Check that a population has rows and the quasi-identifiers among its columns.

    Raises
    ------
    TypeError
        If it is no frame.
    ValueError
        If it is empty, or a column is absent.
    """
    try:
        find_columns(population, columns)
    except (TypeError, ValueError) as error:
        raise type(error)(f"population: {error}") from error


def encode_population(
    population: pd.DataFrame, hierarchies: Mapping[Hashable, Hierarchy], sample: CodeArray
) -> CodeArray:
    """Leaf codes of a population, checked to hold the table.

    Parameters
    ----------
    population : DataFrame (n_people, ...)
    hierarchies : mapping of quasi-identifier to Hierarchy
    sample : int32 array (n_rows, n_quasi_identifiers)
        Leaf codes of the table.

    Returns
    -------
    int32 array (n_people, n_quasi_identifiers)

    Raises
    ------
    ValueError
        If a value is absent from its hierarchy, or fewer people than rows of the table have
        some combination of values (names it).
    """
    codes = np.empty((len(population), len(hierarchies)), np.int32, order="F")
    for position, (column, hierarchy) in enumerate(hierarchies.items()):
        try:
            codes[:, position] = hierarchy.encode(population[column], column)
        except ValueError as error:
            raise ValueError(f"population: {error}") from error
    ones = (np.ones(len(one), dtype=np.int64) for one in (codes, sample))
    people, rows = (PeopleCounts(*pair) for pair in zip((codes, sample), ones, strict=True))
    check_holds(people, rows, hierarchies)
    return codes


def check_holds(
    population: PeopleCounts, table: PeopleCounts, hierarchies: Mapping[Hashable, Hierarchy]
) -> None:
    """Check that a population holds a table.

    Parameters
    ----------
    population, table : PeopleCounts
        A combination may stand in several places.
    hierarchies : mapping of quasi-identifier to Hierarchy

    Raises
    ------
    ValueError
        If fewer people than rows of the table have some combination of values (names it).
    """
    sample = table.codes
    radices = [hierarchy.n_leaves for hierarchy in hierarchies.values()]
    _, group = group_rows([*np.concatenate([sample, population.codes]).T], radices)
    n_groups = int(group.max()) + 1
    # Whole numbers of rows stay exact as floats up to 2**53.
    rows = np.bincount(group[: len(sample)], weights=table.sizes, minlength=n_groups)
    people = np.bincount(group[len(sample) :], weights=population.sizes, minlength=n_groups)
    missing = np.flatnonzero(people < rows)
    if len(missing) == 0:
        return
    first = sample[int(np.argmax(group[: len(sample)] == missing[0]))]
    values = ", ".join(
        f"{column}={hierarchy.labels[0][code]}"
        for (column, hierarchy), code in zip(hierarchies.items(), first, strict=True)
    )
    raise ValueError(
        f"population: expected at least the rows of the table, {rows[missing[0]]:.0f} of {values}, "
        f"found {people[missing[0]]:.0f}"
    )
