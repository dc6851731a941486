"""Rank swapping: cells change places with others of nearly the same rank."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from anonopt._checks import as_generator
from anonopt._typing import BoolArray, IntArray, RandomState
from anonopt.evaluation.accelerator import has_numba
from anonopt.masking.base import MaskingMethod
from anonopt.masking.groups.records import RecordColumn, Records
from anonopt.measures.categorical.rank_swapping_linkage import check_percent, swapping_window

ATTEMPTS = 8
"""Draws of a partner before the free ones are listed."""
MANY = 10_000
"""Above so many cells a compiled kernel is worth loading."""


@dataclass(repr=False, eq=False)
class RankSwapping(MaskingMethod):
    """Rank swapping, column by column (Moore 1996; Mares 2013, Section 2.3.4).

    Cells are sorted, equal ones in an order drawn at random. From the lowest on, each cell that
    has not been swapped changes places with one drawn uniformly from the unswapped ones among
    the next w ranks; where none is left it stays. So every column keeps its values, and no cell
    moves by more than w ranks. Missing cells have no rank and stay.

    Parameters
    ----------
    p : float
        The window in percent of the N cells that have a rank, above 0 and up to 100:
        ``w = floor(p N / 100)``, at least 1.
    columns, ordinal
        As for :class:`anonopt.masking.base.MaskingMethod`. Nominal columns are refused.
    random_state : int or numpy Generator, optional
        Seed, or the generator to draw from; by default a fresh one that nobody can guess. The swaps
        are their own inverse and depend on the seed, p and the number of cells alone: who knows
        the seed swaps the cells back.

    Raises
    ------
    ValueError
        From `fit_transform`, if `p` is out of range or a column is nominal.

    Examples
    --------
    >>> frame = pd.DataFrame({"x": range(1, 101)})
    >>> masked = RankSwapping(p=5, random_state=0).fit_transform(frame)["x"]
    >>> bool((masked - frame["x"]).abs().max() <= 5), sorted(masked) == list(range(1, 101))
    (True, True)
    """

    summary = "cell at most p percent of the ranks away"
    paper = "Moore 1996; Mares 2013, Section 2.3.4"

    p: float
    random_state: RandomState = field(default=None, kw_only=True)

    def _mask(self, frame: pd.DataFrame, names: tuple[Hashable, ...]) -> pd.DataFrame:
        check_percent(self.p)
        rng = as_generator(self.random_state, fresh=True)
        records = Records.of(frame, names, self.ordinal)
        records.require_order("RankSwapping")
        return records.rearranged(
            {column.name: _sources(column, self.p, rng) for column in records.columns}
        )


def _sources(column: RecordColumn, p: float, rng: np.random.Generator) -> IntArray:
    """Row that each cell of a column comes from, int64 array (n_rows,)."""
    ranks = column.ranks
    order = np.lexsort((rng.random(len(ranks)), ranks))
    order = order[: np.count_nonzero(~column.is_missing)]
    sources = np.arange(len(ranks))
    window = swapping_window(p, len(order))
    sources[order] = order[_swapped(len(order), window, rng)]
    return sources


def _swapped(n: int, window: int, rng: np.random.Generator) -> IntArray:
    """Position that each sorted cell changes places with, int64 array (n,)."""
    partners = np.arange(n)
    is_free = np.ones(n, dtype=bool)
    if n > MANY and has_numba():
        # Compiled code is loaded when it is used.
        from anonopt.masking.kernel_swapping import swap_cells

        swap_cells(window, ATTEMPTS, rng, is_free, partners)
        return partners
    for i in range(n):
        if not is_free[i]:
            continue
        partner = _partner(is_free[i + 1 : i + 1 + window], rng)
        if partner is not None:
            j = i + 1 + partner
            is_free[j] = False
            partners[i], partners[j] = j, i
    return partners


def _partner(is_free: BoolArray, rng: np.random.Generator) -> int | None:
    """One of the free cells of a window, all with the same probability."""
    if len(is_free) == 0:
        return None
    # Nearly half of the cells are free, so a few draws mostly do; the rest is exact as well.
    for _ in range(ATTEMPTS):
        drawn = int(rng.integers(len(is_free)))
        if is_free[drawn]:
            return drawn
    free = np.flatnonzero(is_free)
    return int(free[rng.integers(len(free))]) if len(free) else None
