"""Microaggregation: every record becomes the average of a group of at least k."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd

from anonopt._checks import check_integer
from anonopt._progress import stage
from anonopt._typing import AnyArray, IntArray
from anonopt.data.roles import find_columns
from anonopt.masking.base import JointGroupingMethod
from anonopt.masking.groups.aggregation import aggregate
from anonopt.masking.groups.mdav import mdav_groups
from anonopt.masking.groups.records import Records


@dataclass(repr=False, eq=False)
class MDAV(JointGroupingMethod):
    """Microaggregation by MDAV-generic (Mares 2013, Section 2.3.2 and Algorithm 4).

    Records are parted into groups of k to 2k - 1 similar ones, see
    :func:`anonopt.masking.mdav_groups` for distances and ties, and every cell becomes the
    aggregate of its group: the mean of a continuous column, which is standardized for the
    distances, the median of an ordinal one (of two middle categories the lower) and the mode of a
    nominal one (of several that of the lowest code). Categories are never invented.

    Missing cells of continuous columns stay missing and count in no mean: the rows that lack the
    same of the columns that are grouped together are masked as a table of their own.

    Parameters
    ----------
    k : int
        Size of the smallest group, from 1 to the number of rows.
    columns, ordinal
        As for :class:`anonopt.masking.base.MaskingMethod`.
    n_variables : int, optional
        Columns that are grouped together: 1 is univariate microaggregation, one column at a
        time; n takes the columns in their order, n at a time (fewer the last time). By default
        all together, which makes the masked columns k-anonymous.
    allow_rare_missing : bool
        As for :class:`anonopt.masking.base.JointGroupingMethod`.

    Raises
    ------
    ValueError
        From `fit_transform`, if `k` or `n_variables` is out of range, fewer than k rows lack the
        same numbers, or whole numbers beyond 2**53 have a mean that is not whole.

    Examples
    --------
    >>> frame = pd.DataFrame({"x": [1, 2, 2, 30, 31], "y": [1, 2, 2, 28, 29]})
    >>> MDAV(k=2).fit_transform(frame).round(3).to_numpy().tolist()
    [[1.667, 1.667], [1.667, 1.667], [1.667, 1.667], [30.5, 28.5], [30.5, 28.5]]
    >>> MDAV(k=3).fit_transform(pd.DataFrame({"zone": ["a", "a", "b"]}))["zone"].tolist()
    ['a', 'a', 'a']
    >>> MDAV(k=2).fit_transform(pd.DataFrame({"x": [1.0, None, 3, 7, 9]}))["x"].tolist()
    [2.0, nan, 2.0, 8.0, 8.0]
    """

    summary = "average of a group of at least k similar records"
    paper = "Mares 2013, Section 2.3.2 and Algorithm 4"
    needs_order = False

    n_variables: int | None = field(default=None, kw_only=True)

    def groups(self, frame: pd.DataFrame) -> IntArray:
        """Group of each row of a table; nothing is masked.

        Parameters
        ----------
        frame : DataFrame (n_rows, ...)

        Returns
        -------
        int64 array (n_rows,)
            Numbered from 0 without gaps, without missing numbers in the order in which MDAV makes
            the groups.

        Raises
        ------
        TypeError
            As ``fit_transform``.
        ValueError
            As ``fit_transform``, or if the columns are not all grouped together.
        """
        names = find_columns(frame, self.columns, ordinal=self.ordinal)
        records, k = self._grouped(frame, names)
        records.check_squares()
        if self.n_variables is not None and self.n_variables < len(names):
            raise ValueError(
                f"n_variables: expected all {len(names)} columns grouped together, so that a row "
                f"has one group, found {self.n_variables} (name them in columns=)"
            )
        return self._groups(records, k, mdav_groups)

    def _masked(self, records: Records, k: int) -> pd.DataFrame:
        records.check_squares()
        together = n_columns = len(records.columns)
        if self.n_variables is not None:
            together = check_integer("n_variables", self.n_variables, least=1, most=n_columns)
        masked: list[AnyArray] = []
        for start in range(0, n_columns, together):
            part = records.columns[start : start + together]
            with stage(start / n_columns, min(1.0, (start + together) / n_columns)):
                groups = self._groups(Records(records.frame, part, None), k, mdav_groups)
            masked.extend(aggregate(column, groups) for column in part)
        return records.restore(masked)
