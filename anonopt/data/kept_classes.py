"""Which classes a protected table keeps, in memory or in a source."""

from __future__ import annotations

from anonopt._checks import check_integer
from anonopt._typing import BoolArray, IntArray
from anonopt.data.suppression import reverse_threshold


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
