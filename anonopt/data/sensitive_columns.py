"""Sensitive columns of a table: one, or several that are coded together.

Several columns are coded as one, whose values are the combinations that occur. What is counted of
combinations holds the counts of every column, so nothing else has to know of several.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from anonopt._typing import CodeArray
from anonopt.data.grouping import group_rows
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.hierarchies.hierarchy_sources import ColumnsByName, levels_of_codes
from anonopt.data.labels import encode_labels


@dataclass(frozen=True, eq=False)
class SensitiveColumn:
    """One sensitive column.

    Attributes
    ----------
    name : column
    labels : tuple of text
        Text of each of its values.
    codes : int32 array (n_combinations,)
        Its value in each combination of the values of all sensitive columns.
    hierarchy : Hierarchy or None
    tree : tuple of int32 arrays (n_values,), or None
        Code of each value at each level of the hierarchy.
    """

    name: Hashable
    labels: tuple[str, ...]
    codes: CodeArray = field(repr=False)
    hierarchy: Hierarchy | None = None
    tree: tuple[CodeArray, ...] | None = field(default=None, repr=False)


def encode_sensitive(
    frame: pd.DataFrame, columns: Sequence[Hashable], hierarchies: Mapping[Hashable, Hierarchy]
) -> tuple[CodeArray | None, tuple[str, ...], tuple[SensitiveColumn, ...]]:
    """Code the sensitive columns of a table.

    Parameters
    ----------
    frame : DataFrame (n_rows, n_columns)
    columns : sequence of columns
    hierarchies : mapping of column to Hierarchy
        Of those that have one.

    Returns
    -------
    codes : int32 array (n_rows,), or None without columns
        Combination of each row; of a single column its value.
    labels : tuple of text
        Text of each combination.
    parts : tuple of SensitiveColumn
    """
    if not columns:
        return None, (), ()
    found = [encode_labels(frame[column]) for column in columns]
    if len(columns) == 1:
        codes = found[0][0]
        members = [np.arange(len(found[0][1]), dtype=np.int32)]
    else:
        _, group = group_rows([one for one, _ in found], [len(texts) for _, texts in found])
        codes = group.astype(np.int32)
        first = np.unique(codes, return_index=True)[1]
        members = [one[first] for one, _ in found]
    return codes, *combined_columns(frame, columns, found, members, hierarchies)


def combined_columns(
    frame: ColumnsByName,
    columns: Sequence[Hashable],
    found: Sequence[tuple[CodeArray, tuple[str, ...]]],
    members: Sequence[CodeArray],
    hierarchies: Mapping[Hashable, Hierarchy],
) -> tuple[tuple[str, ...], tuple[SensitiveColumn, ...]]:
    """Labels of the combinations of sensitive columns, and the columns one by one.

    Parameters
    ----------
    frame : DataFrame or ColumnsByName
        Its cells, or each value once.
    columns : sequence of columns
    found : sequence of pairs
        Code of each cell of a column, and the labels of the codes.
    members : sequence of int32 arrays (n_combinations,)
        Value of each column in each combination.
    hierarchies : mapping of column to Hierarchy
    """
    trees = [
        levels_of_codes(hierarchies[column], frame[column], codes)
        if column in hierarchies
        else None
        for column, (codes, _) in zip(columns, found, strict=True)
    ]
    texts = [
        [names[code] for code in member] for member, (_, names) in zip(members, found, strict=True)
    ]
    labels = tuple(", ".join(row) for row in zip(*texts, strict=True))
    parts = tuple(
        SensitiveColumn(column, names, member, hierarchies.get(column), tree)
        for column, (_, names), member, tree in zip(columns, found, members, trees, strict=True)
    )
    return labels, parts
