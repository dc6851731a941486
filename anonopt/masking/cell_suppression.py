"""Cell suppression: single cells are left out until every row has k matches."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import pandas as pd

from anonopt._checks import check_choice, check_integer
from anonopt._typing import BoolArray
from anonopt.masking.base import MaskingMethod
from anonopt.masking.cells.coded_cells import MATCHINGS, CodedCells, Matching
from anonopt.masking.cells.exact_search import least_by_value, least_by_wildcard
from anonopt.masking.cells.suppressed_frame import suppressed_frame
from anonopt.masking.cells.value_search import greedy_by_value, importance_by_value
from anonopt.masking.cells.wildcard_search import greedy_by_wildcard, importance_by_wildcard

Search: TypeAlias = Literal["greedy", "importance", "exact"]

SEARCHES: dict[tuple[Search, Matching], Callable[[CodedCells, int], BoolArray]] = {
    ("greedy", "value"): greedy_by_value,
    ("greedy", "wildcard"): greedy_by_wildcard,
    ("importance", "value"): importance_by_value,
    ("importance", "wildcard"): importance_by_wildcard,
    ("exact", "value"): least_by_value,
    ("exact", "wildcard"): least_by_wildcard,
}
"""What finds the cells, by search and matching."""


@dataclass(repr=False, eq=False)
class CellSuppression(MaskingMethod):
    """Suppress few cells, of little weight, such that every row has k matches.

    Local suppression of the literature, with two readings of a suppressed cell. By **value** it is
    ``*``, equal only to ``*``: the masked columns are k-anonymous, as :func:`anonopt.check` counts.
    By **wildcard** it is missing and matches every value: the reading of sdcMicro's
    ``localSuppression`` (``kAnon``) and ``freqCalc`` with ``alpha = 1``. Matches of a row are those
    of :func:`~anonopt.masking.matching_rows`, itself included.

    It works on a table as it stands, and on one that is generalized already, such as that of
    :meth:`anonopt.Microdata.apply`: what the recoding left rare is then suppressed.

    Parameters
    ----------
    k : int
        Least number of rows that a row matches, itself included, from 1 to the number of rows.
    weights : mapping of column to number above 0, optional
        What a suppressed cell of a column costs, 1 by default: the more important a column, the
        more. (sdcMicro's ``importance`` is a ranking, 1 for what shall be kept most.)
    matching : ``"value"`` or ``"wildcard"``
        How a suppressed cell is read. Cells that are missing already are a value of their own by
        ``"value"``; by ``"wildcard"`` they match everything, and cost nothing. Cells that hold
        ``*`` already cost nothing by ``"value"``; by ``"wildcard"``, ``*`` is a value like others.
    search : ``"greedy"``, ``"importance"`` or ``"exact"``
        ``"greedy"``: by value, what costs least for each row that it helps; by wildcard, the
        cheapest set of cells of one row after the other. ``"importance"``: column by column, or
        cell by cell, the least important first, as sdcMicro does. ``"exact"``: least weight, by
        integer programming, for small tables: by value up to 9 columns and some hundred rows, by
        wildcard up to 20 rows. The least weight by wildcard is no protection, see Notes.
    columns : list of columns, optional
        The quasi-identifiers, by default all columns.
    ordinal : mapping, optional
        Not used: an order of values makes no difference here.

    Raises
    ------
    ValueError
        From `fit_transform`, if `k` is out of range, a weight is not above 0, or the table is too
        large for ``"exact"``.

    Notes
    -----
    By wildcard, a row without any cell matches every row: k - 1 such rows give k matches to all
    others, rows that are unique included. ``"exact"`` does that, and shows how little this reading
    asks for; ``"greedy"`` and ``"importance"`` suppress in rows that lack matches only.

    References
    ----------
    Templ, Kowarik and Meindl 2015, Statistical Disclosure Control for Micro-Data Using the R
    Package sdcMicro, Journal of Statistical Software 67(4). Meyerson and Williams
    2004, On the Complexity of Optimal k-Anonymity, PODS.

    Examples
    --------
    >>> frame = pd.DataFrame({"sex": list("ffmm"), "zone": list("NNNS")})
    >>> CellSuppression(k=2).fit_transform(frame)
      sex zone
    0   f    N
    1   f    N
    2   m    *
    3   m    *
    >>> CellSuppression(k=2, matching="wildcard").fit_transform(frame)
       sex zone
    0    f    N
    1    f    N
    2  NaN    N
    3    m  NaN
    """

    summary = "single cells left out until every row has k matches"
    paper = "Meyerson 2004; sdcMicro's localSuppression, Templ 2015"

    k: int
    weights: Mapping[Any, float] | None = field(default=None, kw_only=True)
    matching: Matching = field(default="value", kw_only=True)
    search: Search = field(default="greedy", kw_only=True)

    def _mask(self, frame: pd.DataFrame, names: tuple[Hashable, ...]) -> pd.DataFrame:
        k = check_integer("k", self.k, least=1, most=len(frame))
        matching: Matching = check_choice("matching", self.matching, MATCHINGS)
        search = check_choice("search", self.search, dict.fromkeys(name for name, _ in SEARCHES))
        cells = CodedCells.of(frame, names, weights=self.weights, matching=matching)
        suppressed = SEARCHES[search, matching](cells, k)
        return suppressed_frame(frame, names, suppressed, matching=matching)
