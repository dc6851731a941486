"""How many rows may be left out, and which: the budget and the two suppression rules.

Dewri 2010, Section 6 ("Node evaluation") gives the reverse rule; De Pascale 2022,
Section 2 the fixed-k rule. Both leave out the rows of the classes smaller than a threshold.
"""

from __future__ import annotations

import math
from numbers import Integral

import numpy as np

from anonopt._checks import check_integer, check_number
from anonopt._typing import AnyIntArray, BoolArray, IntArray


def resolve_budget(suppression: float | int, n_rows: int) -> int:
    """Rows that may be suppressed.

    Parameters
    ----------
    suppression : int or float
        An integer is a number of rows, a float a share of the rows in 0..1;
        the share gives ``floor(share * n_rows)`` rows.
    n_rows : int
        Rows of the table.

    Returns
    -------
    int
        Budget in rows, in 0..n_rows - 1.

    Raises
    ------
    TypeError
        If `suppression` is not a number.
    ValueError
        If it is negative, a share above 1, or would allow every row to be suppressed.

    Examples
    --------
    >>> resolve_budget(0.01, 30162)
    301
    >>> resolve_budget(5, 100)
    5
    """
    if isinstance(suppression, Integral):
        budget = check_integer("suppression", suppression)
    else:
        share = check_number("suppression", suppression)
        if not 0.0 <= share <= 1.0:
            raise ValueError(
                f"suppression: expected a share in 0..1 or a whole number of rows (int), "
                f"found {share!r}"
            )
        # A share such as 0.29 of 100 rows must give 29 although 0.29 * 100 is below 29.
        product = share * n_rows
        nearest = round(product)
        budget = nearest if math.isclose(product, nearest, rel_tol=1e-12) else math.floor(product)
    if not 0 <= budget < n_rows:
        raise ValueError(
            f"suppression: expected a budget of 0 to {n_rows - 1} rows for a table of "
            f"{n_rows} rows, found {budget}"
        )
    return budget


def reverse_threshold(
    sizes: AnyIntArray, budget: int, *, numbers: AnyIntArray | None = None
) -> int:
    """Find the largest k that the budget allows (the reverse rule of Dewri 2010, Section 6).

    With ``E_i`` the rows in classes of size exactly i, j is the smallest integer >= 0 for
    which ``|E_1| + ... + |E_{j+1}|`` exceeds the budget; the rows in classes of size <= j
    are suppressed and k = j + 1.

    Parameters
    ----------
    sizes : int array (n_classes,)
        Rows of each equivalence class, all positive.
    budget : int
        Rows that may be suppressed, less than the number of rows.
    numbers : int array (n_classes,), optional
        How many classes each size stands for; by default one.

    Returns
    -------
    int
        k: classes smaller than k are suppressed; the size of the smallest class that is kept.

    Raises
    ------
    ValueError
        If the budget is not below the number of rows.

    Examples
    --------
    >>> import numpy as np
    >>> reverse_threshold(np.array([1, 1, 2, 5]), 2)
    2
    >>> reverse_threshold(np.array([1, 1, 2, 5]), 4)
    5
    >>> reverse_threshold(np.array([1, 2, 5]), 2, numbers=np.array([2, 1, 1]))
    2
    """
    n_rows = int(sizes.sum() if numbers is None else sizes @ numbers)
    check_integer("budget", budget, least=0, most=n_rows - 1)
    # A class above the budget is never suppressed, so only the others need their order.
    is_small = sizes <= budget
    if numbers is None:
        small = np.sort(sizes[is_small])
        rows = np.cumsum(small)
    else:
        order = np.argsort(sizes[is_small])
        small = sizes[is_small][order]
        rows = np.cumsum(small * numbers[is_small][order])
    if small.size == 0 or rows[-1] <= budget:
        return int(sizes[~is_small].min())
    return int(small[np.searchsorted(rows, budget, side="right")])


def kept_by_size(sizes: IntArray, *, k: int | None, budget: int) -> BoolArray:
    """Classes that are kept: those of at least k rows, by default of the largest k possible.

    Parameters
    ----------
    sizes : int64 array (n_classes,)
    k : int, optional
        Without it the reverse rule of Dewri 2010, Section 6.
    budget : int
        Rows that may be suppressed.

    Returns
    -------
    bool array (n_classes,)

    Raises
    ------
    TypeError, ValueError
        If k is no whole number of at least 1.
    """
    least = reverse_threshold(sizes, budget) if k is None else check_integer("k", k, least=1)
    return sizes >= least


def check_suppressed(
    n_suppressed: int, *, k: int | None, budget: int, n_rows: int, is_bounded: bool
) -> None:
    """Refuse to suppress more rows than the budget.

    Parameters
    ----------
    n_suppressed : int
    k : int, optional
    budget, n_rows : int
    is_bounded : bool
        Whether there are bounds besides k.

    Raises
    ------
    ValueError
        Gives both numbers.
    """
    if n_suppressed > budget:
        missed = "classes that miss k or a bound" if is_bounded else "smaller classes"
        raise ValueError(
            f"k={k}: expected at most {budget} rows in {missed} (the budget), "
            f"found {n_suppressed} of {n_rows}"
        )
