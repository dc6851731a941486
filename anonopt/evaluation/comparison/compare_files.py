"""Masked files that do not fit in memory beside their originals: figures from joint counts."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from anonopt._checks import check_flag, check_integer
from anonopt._typing import CodeArray, IntArray
from anonopt.data.columns.categories import CategoricalColumns, Orders
from anonopt.data.grouping import KEY_BITS
from anonopt.evaluation.accelerator import uses_numba
from anonopt.evaluation.categorical.cell_figures import cell_figures
from anonopt.evaluation.categorical.masking_plan import CountedPlan, MaskingPlan, small_codes
from anonopt.evaluation.categorical.record_pairs import CompiledPairs, RecordPairs
from anonopt.evaluation.comparison.blocked_linkage import linkage_bounds
from anonopt.evaluation.comparison.blocked_swapping import swapping_bounds
from anonopt.evaluation.comparison.compare import checked_orders
from anonopt.evaluation.comparison.counted_keys import CountedKeys
from anonopt.evaluation.comparison.counted_records import CountedRecords
from anonopt.evaluation.comparison.paired_sources import PairedSources
from anonopt.measures.categorical.information_loss import information_loss
from anonopt.measures.categorical.rank_swapping_linkage import check_percent
from anonopt.measures.categorical.record_linkage import check_columns
from anonopt.sources.opening import Rows, opened
from anonopt.sources.paths import check_unchanged, file_states

MAX_RECORDS = 10_000_000
"""Distinct pairs of records; each takes some 400 bytes while they are linked."""


def compare_files(
    original: Rows,
    masked: Rows,
    *,
    columns: Sequence[Hashable] | None = None,
    ordinal: Orders | None = None,
    dimension: int = 2,
    per_cell: bool = False,
    blocks: Sequence[Hashable] | None = None,
    p: float | None = None,
    max_records: int = MAX_RECORDS,
) -> pd.Series[Any]:
    """Measure a masked file that does not fit in memory, by counts of its cells.

    Both files are read once more than their distinct values need, some rows at a time, and what is
    kept are joint counts of original and masked categories and contingency tables. The figures are
    those of :func:`anonopt.compare`: whole numbers are the same, so all of them have the bits that
    they have there with ``accelerator="numpy"``; compiled kernels add up DBIL and EBIL in another
    order, which may change the last bit.

    Parameters
    ----------
    original, masked : path, DataFrame, Source or LargeTable
        Rows in the same order. A path is a file, a pattern such as ``people/*.parquet`` or a
        folder; names end in ``.parquet``, or in ``.csv``, ``.csv.gz``, ``.tsv`` or ``.tsv.gz``, of
        which all cells are text.
    columns : list of columns, optional
        Columns of categories that are compared; by default all, which both files then share.
    ordinal : mapping of column to list of values or None, optional
        See :meth:`anonopt.data.CategoricalColumns.of`. Columns of numbers are categories if they
        are named here, and are refused otherwise.
    dimension, per_cell
        As for :class:`anonopt.evaluation.MaskingEvaluator`.
    blocks : list of columns, optional
        Adds bounds of record linkage, in which records are compared that agree in these columns. It
        takes the time of comparing the distinct records of each block. An empty list compares all:
        the bounds are then the figures.
    p : float, optional
        Percent of the rows that an attacker knows ranks to be swapped within: adds bounds of RSRL;
        together with `blocks`.
    max_records : int
        Distinct pairs of an original and its masked record that may be kept in memory for that,
        some 400 bytes each.

    Returns
    -------
    Series
        Percentages, less is better: ``DBIL``, ``CTBIL``, ``EBIL``, their mean ``IL``, and ``ID``.
        With `blocks` also ``DBRL_least``, ``DBRL_most``, ``PRL_least`` and ``PRL_most``: DBRL and
        PRL of the whole file lie between them. A record whose original is in another block, or that
        an original of another block may be as near to, counts as 0 in the lower bound; in the upper
        one it is linked unless an original of its block is nearer, and ties are shared with those
        that are known. With `p` also ``RSRL_least`` and ``RSRL_most``: whether a record is linked
        is known, and it shares with the originals of its block that it can come from; in the lower
        bound also with all those of other blocks that it can come from in the columns of the
        blocks. They meet where these columns are nominal, as their values are not swapped.

    Raises
    ------
    TypeError, ValueError
        If rows or columns of the files differ, a column holds continuous numbers or labels that
        cover several values, the rows have no order (those of a query), or an option is out of
        range.
    FileNotFoundError, ModuleNotFoundError
        If there is no such file, or the extra ``scale`` is not installed.

    Examples
    --------
    >>> original = pd.DataFrame({"zone": list("aabb"), "size": list("SMLL")})
    >>> masked = original.assign(zone=list("abbb"))
    >>> compare_files(original, masked, ordinal={"size": ["S", "M", "L"]}).round(2)
    DBIL     12.50
    CTBIL    16.67
    EBIL     34.44
    IL       21.20
    ID       87.50
    dtype: float64
    """
    check_integer("dimension", dimension, least=1)
    check_flag("per_cell", per_cell)
    check_integer("max_records", max_records, least=1)
    if p is not None:
        check_percent(p)
        if blocks is None:
            raise ValueError(
                f"p: expected together with blocks, as RSRL compares records, found p={p} alone"
            )
    sources = opened(original, "original"), opened(masked, "masked")
    states = [file_states(source.paths) for source in sources]
    pair = PairedSources(*sources, columns, checked_orders(ordinal))
    plan = CountedPlan.of_counts(
        pair.categories, pair.counts, dimension=dimension, per_cell=per_cell
    )
    counts = _Counts(plan)
    chosen = None if blocks is None else _places(blocks, pair.categories)
    records = None if chosen is None else CountedRecords(plan.n_categories, max_records)
    for before, after in pair.codes():
        counts.add(before, after)
        if records is not None:
            records.add(before, after)
    for source, of_source in zip(sources, states, strict=True):
        check_unchanged(of_source, source)
    pairs = counts.pairs()
    pair.check_recodings(pairs)
    found = cell_figures(plan, pairs, counts.difference())
    loss = information_loss(found["dbil"], found["ctbil"], found["ebil"])
    figures = {
        "DBIL": found["dbil"],
        "CTBIL": found["ctbil"],
        "EBIL": found["ebil"],
        "IL": loss,
        "ID": found["id"],
    }
    if records is not None and chosen is not None:
        figures |= _linkage(plan, pair.categories, records, chosen, p)
    return pd.Series(figures)


def _places(blocks: Sequence[Hashable], columns: CategoricalColumns) -> list[int]:
    """Positions of the columns of the blocks."""
    check_columns(columns.n_columns)
    if isinstance(blocks, str):
        raise TypeError(f"blocks: expected a list of columns, found the text {blocks!r}")
    if unknown := [name for name in blocks if name not in columns.names]:
        raise ValueError(f"blocks: expected columns among {list(columns.names)}, found {unknown}")
    return [columns.names.index(name) for name in dict.fromkeys(blocks)]


def _linkage(
    plan: CountedPlan,
    columns: CategoricalColumns,
    records: CountedRecords,
    blocks: Sequence[int],
    p: float | None,
) -> dict[str, float]:
    """Bounds of record linkage, from the distinct pairs of records."""
    before, after, weights = records.total()
    own = MaskingPlan.with_rows(plan, replace(columns, codes=before))
    make = CompiledPairs if uses_numba("auto") else RecordPairs
    codes = small_codes(after, plan.n_categories)
    pairs = make(own, weights)
    bounds = linkage_bounds(pairs, codes, weights, blocks)
    return bounds if p is None else bounds | swapping_bounds(pairs, codes, weights, blocks, p)


class _Counts:
    """Joint counts of each column, and differences of contingency tables."""

    def __init__(self, plan: CountedPlan) -> None:
        self._sizes, self._subsets = plan.n_categories, plan.subsets
        for subset in self._subsets:
            n_cells = math.prod(self._sizes[j] for j in subset)
            if n_cells >= 1 << KEY_BITS:
                raise ValueError(
                    f"dimension: expected tables of fewer than 2**{KEY_BITS} cells, found one of "
                    f"{n_cells}"
                )
        self._joints = [CountedKeys(size * size) for size in self._sizes]
        self._tables = [
            CountedKeys(math.prod(self._sizes[j] for j in subset)) for subset in self._subsets
        ]

    def add(self, before: Sequence[CodeArray], after: Sequence[CodeArray]) -> None:
        """Count some rows."""
        for j, size in enumerate(self._sizes):
            self._joints[j].add(before[j].astype(np.int64) * size + after[j])
        for subset, table in zip(self._subsets, self._tables, strict=True):
            for codes, sign in ((before, -1), (after, 1)):
                keys = codes[subset[0]].astype(np.int64)
                for j in subset[1:]:
                    keys = keys * self._sizes[j] + codes[j]
                table.add(keys, sign)

    def pairs(self) -> list[tuple[IntArray, IntArray]]:
        """Pairs of categories of each column, and rows of each."""
        return [joint.total() for joint in self._joints]

    def difference(self) -> int:
        """Sum of the absolute differences of all contingency tables."""
        return sum(int(np.abs(table.total()[1]).sum()) for table in self._tables)
