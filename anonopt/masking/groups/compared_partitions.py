"""Clusters of a file and of its masked version, found from the same centroids."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonopt._checks import as_generator, check_integer
from anonopt._typing import IntArray, RandomState
from anonopt.data.columns.categories import CategoricalColumns, Orders
from anonopt.data.columns.numeric_values import exact_numbers, holds_numbers
from anonopt.data.roles import find_columns
from anonopt.masking.groups.clustering import c_median, c_median_from
from anonopt.masking.groups.records import Records


def compared_partitions(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    n_clusters: int,
    *,
    random_state: RandomState,
    columns: Sequence[Hashable] | None = None,
    ordinal: Orders | None = None,
) -> tuple[IntArray, IntArray]:
    """Cluster a file and its masked version for comparison (Mares 2013, Section 5.4.3).

    The original is clustered from 20 starts and the best clustering is taken; the masked file is
    then clustered from the centroids that one started with.

    Parameters
    ----------
    original, masked : DataFrame (n_rows, ...)
        The same rows in the same order.
    n_clusters : int
        At least 1.
    random_state : int or numpy Generator
    columns : list of columns, optional
        By default all of the original.
    ordinal : mapping of column to list of values or None, optional
        Kinds of columns are those of the masking methods.

    Returns
    -------
    labels, masked_labels : int64 arrays (n_rows,)
        For ``compare(..., partitions=...)`` or :func:`anonopt.measures.clustering_loss`.

    Raises
    ------
    ValueError
        If the files have other numbers of rows, a column is absent, or n_clusters is below 1.

    Examples
    --------
    >>> frame = pd.DataFrame({"x": [1.0, 2.0, 9.0, 10.0]})
    >>> labels, _ = compared_partitions(frame, frame, 2, random_state=1)
    >>> bool(labels[0] == labels[1] != labels[2] == labels[3])
    True
    """
    if len(original) != len(masked):
        raise ValueError(f"masked: expected {len(original)} rows, found {len(masked)}")
    check_integer("n_clusters", n_clusters, least=1)
    names = find_columns(original, columns)
    find_columns(masked, names)
    first, second = _with_shared_categories(original, masked, names, dict(ordinal or {}))
    records = Records.of(first, names, ordinal)
    best = c_median(records, n_clusters, as_generator(random_state))
    others = Records.of(second, names, {**(ordinal or {}), **records.orders()})
    return best.labels, c_median_from(others, best.start).labels


def _with_shared_categories(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    names: Sequence[Hashable],
    orders: dict[Hashable, Any],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Both files with numbers, or the same declared categories, where columns have no order."""
    first, second = original.loc[:, list(names)].copy(), masked.loc[:, list(names)].copy()
    for name in names:
        dtype = original[name].dtype
        if name in orders or (isinstance(dtype, pd.CategoricalDtype) and dtype.ordered):
            continue
        if holds_numbers(original[name]):
            _, (first[name], second[name]) = exact_numbers(original[name], masked[name])
            continue
        columns = CategoricalColumns.of(original, columns=[name], others=[masked])
        n_present = columns.n_categories[0] - columns.has_missing[0]
        kind = pd.CategoricalDtype(list(columns.categories[0][:n_present]))
        for frame, codes in ((first, columns.codes), (second, columns.encode(masked))):
            present = np.where(codes[:, 0] < n_present, codes[:, 0], -1)
            frame[name] = pd.Categorical.from_codes(present, dtype=kind)
    return first, second
