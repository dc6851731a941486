"""Distances between the categories of a column, from 0 (equal) to 1 (furthest apart)."""

from __future__ import annotations

import numpy as np

from anonopt._typing import FloatArray
from anonopt.data.columns.categories import CategoricalColumns


def nominal_distances(n_categories: int) -> FloatArray:
    """Distance of nominal categories: 0 if equal, else 1 (Mares 2013, Eq. 2.7).

    Parameters
    ----------
    n_categories : int

    Returns
    -------
    float array (n_categories, n_categories)

    Examples
    --------
    >>> nominal_distances(2)
    array([[0., 1.],
           [1., 0.]])
    """
    return 1.0 - np.eye(n_categories)


def ordinal_distances(n_categories: int, *, has_missing: bool = False) -> FloatArray:
    """Distance of ordered categories: steps between them, as a share of all steps.

    Mares 2013, Eq. 2.6, counts both ends, so that equal values would be apart; here
    ``|a - b| / (L - 1)``, 0 if there is one category.

    Parameters
    ----------
    n_categories : int
        Categories, that of missing cells included.
    has_missing : bool
        Whether the last category is that of missing cells. It has no place in the order: it is
        at distance 1 from every other one, and is not counted in L.

    Returns
    -------
    float array (n_categories, n_categories)

    Examples
    --------
    >>> ordinal_distances(3)
    array([[0. , 0.5, 1. ],
           [0.5, 0. , 0.5],
           [1. , 0.5, 0. ]])
    """
    n_ordered = n_categories - has_missing
    distances = nominal_distances(n_categories)
    places = np.arange(n_ordered)
    steps = np.abs(places[:, np.newaxis] - places)
    distances[:n_ordered, :n_ordered] = steps / max(n_ordered - 1, 1)
    return distances


def category_distances(columns: CategoricalColumns) -> tuple[FloatArray, ...]:
    """Distances between the categories of each column, by whether it is ordinal.

    Returns
    -------
    tuple of float arrays (n_categories, n_categories)
    """
    return tuple(
        ordinal_distances(n, has_missing=has_missing) if is_ordinal else nominal_distances(n)
        for n, is_ordinal, has_missing in zip(
            columns.n_categories, columns.ordinal, columns.has_missing, strict=True
        )
    )
