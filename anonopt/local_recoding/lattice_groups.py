"""A node of the lattice as a local recoding, so that both stand in one comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from anonopt.data import Microdata
from anonopt.data.grouping import group_rows
from anonopt.data.hierarchies.leaf_ranges import value_ends
from anonopt.data.recoded_groups import RecodedGroups


def lattice_groups(
    table: Microdata,
    node: Sequence[int],
    *,
    k: int | None = None,
    suppression: float = 0.0,
    class_bounds: Mapping[Any, float] | None = None,
) -> RecodedGroups:
    """Classes of a table at a node, of which those are suppressed that the rule suppresses.

    Parameters
    ----------
    table : Microdata
    node : sequence of int (n_quasi_identifiers,)
        Generalization levels.
    k, suppression, class_bounds
        As in :meth:`anonopt.Microdata.apply`; without them nothing is suppressed.

    Returns
    -------
    RecodedGroups
        Every measure of it is that of the node, apart from the three that look at levels where a
        value has an only child: see ``anonopt.measures.lattice.recoded_classes``.

    Raises
    ------
    ValueError
        If the node is not in the lattice, class bounds come without k, or more rows would be
        suppressed than the budget allows.

    Examples
    --------
    >>> import anonopt as ao
    >>> patients = ao.load_dataset("patients")
    >>> lattice_groups(patients, patients.lattice.top).n_groups
    1
    """
    _, suppressed = table.apply(
        node, k=k, suppression=suppression, class_bounds=class_bounds, return_mask=True
    )
    codes, radices, ends = [], [], []
    for position, (column, level) in enumerate(zip(table.quasi_identifiers, node, strict=True)):
        values = table.hierarchies[column].maps[level]
        codes.append(values[table.codes[:, position]])
        radices.append(int(values[-1]) + 1)
        ends.append(value_ends(values))
    n_classes, class_of_row = group_rows(codes, radices)
    row = np.empty(n_classes, dtype=np.int64)
    row[class_of_row] = np.arange(table.n_rows)
    return RecodedGroups(
        class_of_row,
        lows=np.column_stack([low[c[row]] for (low, _), c in zip(ends, codes, strict=True)]),
        highs=np.column_stack([high[c[row]] for (_, high), c in zip(ends, codes, strict=True)]),
        suppressed=suppressed[row],
    )
