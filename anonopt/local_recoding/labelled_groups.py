"""Groups of rows with the least labels that cover them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anonopt._typing import AnyIntArray, IntArray
from anonopt.data import Microdata
from anonopt.data.grouping import group_rows
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.local_recoding.leaf_labels import LeafLabels


def labelled_groups(
    table: Microdata, group_of_row: AnyIntArray, columns: Sequence[LeafLabels]
) -> RecodedGroups:
    """Give each group the least label that covers its rows, in every quasi-identifier.

    Parameters
    ----------
    table : Microdata
    group_of_row : int array (n_rows,)
        Group of each row, every number from 0 on.
    columns : sequence of LeafLabels
        Labels of each quasi-identifier.

    Returns
    -------
    RecodedGroups
        Each row is a unit; nothing is suppressed.
    """
    order = np.argsort(group_of_row, kind="stable")
    starts = np.flatnonzero(np.diff(group_of_row[order], prepend=-1))
    codes = table.codes[order]
    lows = np.minimum.reduceat(codes, starts, axis=0)
    highs = np.maximum.reduceat(codes, starts, axis=0)
    for position, column in enumerate(columns):
        lows[:, position], highs[:, position] = column.covering(
            lows[:, position], highs[:, position]
        )
    return RecodedGroups(group_of_row, lows=lows, highs=highs)


def rows_by_tuple(table: Microdata) -> IntArray:
    """Rows in the order of their values, those of equal values in the order of the table.

    Parameters
    ----------
    table : Microdata

    Returns
    -------
    int64 array (n_rows,)
    """
    return np.argsort(tuple_of_row(table), kind="stable")


def tuple_of_row(table: Microdata) -> IntArray:
    """Distinct combination of values of each row, numbered in their order, (n_rows,)."""
    radices = [table.hierarchies[column].n_leaves for column in table.quasi_identifiers]
    return group_rows(list(table.codes.T), radices)[1]
