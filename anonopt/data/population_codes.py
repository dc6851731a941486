"""The register that a table is a sample of, coded by the hierarchies of the table."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
import pandas as pd

from anonopt._typing import CodeArray
from anonopt.data.grouping import group_rows
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.roles import find_columns


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
    _check_holds(codes, sample, hierarchies)
    return codes


def _check_holds(
    codes: CodeArray, sample: CodeArray, hierarchies: Mapping[Hashable, Hierarchy]
) -> None:
    radices = [hierarchy.n_leaves for hierarchy in hierarchies.values()]
    _, group = group_rows([*np.concatenate([sample, codes]).T], radices)
    n_groups = int(group.max()) + 1
    rows = np.bincount(group[: len(sample)], minlength=n_groups)
    people = np.bincount(group[len(sample) :], minlength=n_groups)
    missing = np.flatnonzero(people < rows)
    if len(missing) == 0:
        return
    first = sample[int(np.argmax(group[: len(sample)] == missing[0]))]
    values = ", ".join(
        f"{column}={hierarchy.labels[0][code]}"
        for (column, hierarchy), code in zip(hierarchies.items(), first, strict=True)
    )
    raise ValueError(
        f"population: expected at least the rows of the table, {rows[missing[0]]} of {values}, "
        f"found {people[missing[0]]}"
    )
