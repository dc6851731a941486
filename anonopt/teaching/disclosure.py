"""What releases of one table tell about its people: linkage, homogeneity, composition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from anonopt._typing import IntArray
from anonopt.data import Microdata

NAMES = (
    *("Ada", "Bea", "Cora", "Dan", "Eva", "Fay", "Gus", "Hal", "Ida", "Jon"),
    *("Kay", "Lea", "Max", "Ned", "Ona", "Pia", "Rhea", "Sam", "Tess", "Una"),
)
"""Made-up names of the twenty patients."""


def patients_register(patients: Microdata) -> pd.DataFrame:
    """What an attacker knows from elsewhere: names and quasi-identifiers of all patients.

    Parameters
    ----------
    patients : Microdata
        ``load_dataset("patients")``.

    Returns
    -------
    DataFrame (20, 1 + n_quasi_identifiers)
        The column ``name`` and the quasi-identifiers, in alphabetical order of the names.

    Raises
    ------
    ValueError
        If the table has another number of rows.

    Examples
    --------
    >>> import anonopt as ao
    >>> patients_register(ao.load_dataset("patients")).head(2)
      name  age postcode     sex
    0  Ada   26      S12  female
    1  Bea   27      S12  female
    """
    if patients.n_rows != len(NAMES):
        raise ValueError(f"patients: expected {len(NAMES)} rows, found {patients.n_rows}")
    known = patients.frame[list(patients.quasi_identifiers)].copy()
    known.insert(0, "name", list(NAMES))
    return known


def class_sizes(table: Microdata, node: Sequence[int]) -> pd.DataFrame:
    """Equivalence classes of a generalized table, the largest first.

    Parameters
    ----------
    table : Microdata
    node : sequence of int (n_quasi_identifiers,)
        Levels.

    Returns
    -------
    DataFrame (n_classes, n_quasi_identifiers + 1)
        What the rows of a class have in common, and ``rows``: how many they are.

    Examples
    --------
    >>> import anonopt as ao
    >>> class_sizes(ao.load_dataset("patients"), [2, 3, 0])
           age postcode     sex  rows
    0  [30,60)        *  female    10
    1  [30,60)        *    male     7
    2   [0,30)        *  female     3
    """
    names = list(table.quasi_identifiers)
    sizes = table.apply(node).groupby(names, dropna=False, observed=True).size()
    found = sizes.rename("rows").reset_index()
    return found.sort_values("rows", ascending=False, kind="stable", ignore_index=True)


def exposure(table: Microdata, nodes: Iterable[Sequence[int]]) -> pd.DataFrame:
    """What several releases of a table tell those who know the quasi-identifiers of a person.

    In each release the person is in one equivalence class; the sensitive value is one of those
    that occur in all these classes. Where rows carry a number that is the same in all releases,
    such as a pseudonym, the row is one of those that are in all these classes, too.

    Parameters
    ----------
    table : Microdata
        With a sensitive column.
    nodes : sequence of sequence of int
        Levels of each release, at least one.

    Returns
    -------
    DataFrame (n_rows, 3)
        For each row, ``rows``: rows that are with it in all classes, itself among them;
        ``values``: sensitive values that occur in all classes, as text; ``n_values``: how many
        they are. 1 is a disclosure.

    Raises
    ------
    ValueError
        If there is no release, or no sensitive column.

    Examples
    --------
    >>> import anonopt as ao
    >>> told = exposure(ao.load_dataset("patients"), [[2, 3, 0]])
    >>> told.iloc[[0, 3]]
       rows                                        values  n_values
    0     3                                        asthma         1
    3     7  asthma, diabetes, flu, fracture, hypertension         5
    """
    if table.sensitive is None:
        raise ValueError("table: expected a sensitive column, found none")
    nodes = list(nodes)
    labels = [_classes(table, node) for node in nodes]
    if not labels:
        raise ValueError("nodes: expected at least one release, found none")
    values = table.frame[table.sensitive].reset_index(drop=True)
    possible = []
    for row in range(table.n_rows):
        sets = [set(values[one == one[row]]) for one in labels]
        possible.append(sorted(map(str, set.intersection(*sets))))
    return pd.DataFrame(
        {
            "rows": rows_together(table, nodes),
            "values": [", ".join(one) for one in possible],
            "n_values": [len(one) for one in possible],
        }
    )


def rows_together(table: Microdata, nodes: Iterable[Sequence[int]]) -> IntArray:
    """Rows that are with each row in its classes of all releases.

    As the column ``rows`` of :func:`exposure`, and quick for large tables.

    Parameters
    ----------
    table : Microdata
    nodes : sequence of sequence of int
        Levels of each release, at least one.

    Returns
    -------
    int64 array (n_rows,)

    Raises
    ------
    ValueError
        If there is no release.

    Examples
    --------
    >>> import anonopt as ao
    >>> rows_together(ao.load_dataset("patients"), [[1, 3, 1], [3, 0, 1]]).min()
    np.int64(1)
    """
    labels = pd.DataFrame({number: _classes(table, node) for number, node in enumerate(nodes)})
    if labels.columns.empty:
        raise ValueError("nodes: expected at least one release, found none")
    return labels.groupby(list(labels))[0].transform("size").to_numpy(dtype=np.int64)


def _classes(table: Microdata, node: Sequence[int]) -> IntArray:
    """Number of the equivalence class of each row."""
    groups = table.apply(node).groupby(list(table.quasi_identifiers), dropna=False, observed=True)
    return np.asarray(groups.ngroup(), dtype=np.int64)
