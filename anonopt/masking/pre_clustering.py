"""Pre-clustering: similar records are put together first, and each cluster is masked alone."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from anonopt._checks import as_generator, check_integer
from anonopt._progress import Progress, part, told
from anonopt._typing import AnyIntArray, IntArray, RandomState
from anonopt.data.columns.categories import Orders
from anonopt.masking.base import MaskingMethod
from anonopt.masking.groups.clustering import N_STARTS, Clustering, c_median, merge_small
from anonopt.masking.groups.missing_patterns import check_patterns, missing_patterns
from anonopt.masking.groups.records import Records


@dataclass(repr=False, eq=False)
class PreClustered(MaskingMethod):
    """Any masking method, applied to each cluster on its own (Mares 2013, Chapter 5).

    Clusters come from :func:`anonopt.masking.c_median`. If the method has a parameter
    `k`, the two smallest clusters are merged until all have k records; where what is missing must
    not tell a record from its group (:class:`anonopt.masking.base.JointGroupingMethod`), the parts
    of clusters whose rows lack the same numbers take their place. Orders of ordinal columns
    are those of the whole table; what else a method takes from its data (means, frequencies,
    percents of the rows) it takes from the cluster.

    Parameters
    ----------
    method : MaskingMethod
        A seed of the method is used once for all clusters.
    n_clusters : int
        At least 1; there are never more than distinct records.
    columns, ordinal
        As for :class:`anonopt.masking.base.MaskingMethod`; by default those of `method`.
    n_starts : int
        Clusterings of which the best is taken, at least 1.
    random_state : int or numpy Generator, optional
        As for :class:`anonopt.masking.RankSwapping`, for the clustering.

    Raises
    ------
    TypeError
        From `fit_transform`, if `method` is no masking method.
    ValueError
        From `fit_transform`, if a parameter is out of range, or `method` does not fit the table.

    Examples
    --------
    >>> from anonopt.masking import MDAV
    >>> frame = pd.DataFrame({"x": [1.0, 2, 3, 4, 101, 102, 103]})
    >>> method = PreClustered(MDAV(k=3), n_clusters=2, random_state=0)
    >>> method.fit_transform(frame)["x"].tolist()
    [2.5, 2.5, 2.5, 2.5, 102.0, 102.0, 102.0]
    """

    summary = "another method, in each cluster of similar records alone"
    paper = "Mares 2013, Chapter 5"

    method: MaskingMethod
    n_clusters: int
    n_starts: int = field(default=N_STARTS, kw_only=True)
    random_state: RandomState = field(default=None, kw_only=True)

    def fit_transform(
        self, frame: pd.DataFrame, *, on_progress: Progress | None = None
    ) -> pd.DataFrame:
        """Mask a table; see :meth:`anonopt.masking.base.MaskingMethod.fit_transform`."""
        if not isinstance(self.method, MaskingMethod):
            raise TypeError(f"method: expected a masking method, found {self.method!r}")
        return super().fit_transform(frame, on_progress=on_progress)

    def roles(self) -> tuple[Sequence[Hashable] | None, Orders | None]:
        """Columns to mask and their orders: its own, or those of the method."""
        columns = self.method.columns if self.columns is None else self.columns
        return columns, self.method.ordinal if self.ordinal is None else self.ordinal

    def _mask(self, frame: pd.DataFrame, names: tuple[Hashable, ...]) -> pd.DataFrame:
        k = self.check_options(len(frame))
        _, ordinal = self.roles()
        records = Records.of(frame, names, ordinal)
        rng = as_generator(self.random_state, fresh=True)
        labels = self.clustered(records, rng).labels
        method = self.method_of_parts(names, records.orders())
        masked = frame.copy()
        clusters = self.parts(records, labels, k)
        # Rows that show nothing are in no cluster, and have nothing to mask.
        grouped = np.concatenate([np.empty(0, dtype=np.int64), *clusters])
        left = np.setdiff1d(np.arange(len(frame)), grouped)
        ends = np.cumsum([0, *map(len, clusters)]) / len(frame)
        report = told()
        parts = [
            method.fit_transform(frame.iloc[rows], on_progress=part(report, start, end))
            for rows, start, end in zip(clusters, ends[:-1], ends[1:], strict=True)
        ]
        if len(left):
            types = {name: parts[0][name].dtype for name in names} if parts else {}
            parts.append(frame.iloc[left].astype(types))
        together = pd.concat(parts)
        places = np.argsort(np.concatenate([grouped, left]))
        for name in names:
            masked[name] = together[name].iloc[places].set_axis(frame.index)
        return masked

    def check_options(self, n_rows: int) -> int:
        """Check the parameters for a table of so many rows, and return k, 1 without one."""
        check_integer("n_clusters", self.n_clusters, least=1)
        check_integer("n_starts", self.n_starts, least=1)
        k = self.method.get_params(deep=False).get("k")
        return 1 if k is None else check_integer("k", k, least=1, most=n_rows)

    def clustered(self, records: Records, rng: np.random.Generator) -> Clustering:
        """Clusters of some records."""
        records.check_squares()
        return c_median(records, self.n_clusters, rng, n_starts=self.n_starts)

    def method_of_parts(self, names: Sequence[Hashable], orders: Orders) -> MaskingMethod:
        """The method that masks one cluster after the other, under the orders of all rows."""
        params = self.method.get_params(deep=False)
        params |= {"columns": list(names), "ordinal": orders}
        if "random_state" in params:
            params["random_state"] = as_generator(params["random_state"], fresh=True)
        return type(self.method)(**params)

    def parts(self, records: Records, labels: AnyIntArray, k: int) -> list[IntArray]:
        """Rows of each cluster, so that the method can group at least k of them.

        Parameters
        ----------
        records : Records of n_rows
            Of which only what is missing counts.
        labels : int array (n_rows,)
        k : int
        """
        if not any(column.lacks_numbers for column in records.columns):
            return _split(np.arange(records.n_rows), merge_small(labels, k))
        patterns = [pattern.rows for pattern in missing_patterns(records)]
        if any(len(rows) < k for rows in patterns):
            if self.method.get_params(deep=False).get("allow_rare_missing", True):
                return _split(np.arange(records.n_rows), merge_small(labels, k))
            check_patterns(records, k)
        return [part for rows in patterns for part in _split(rows, merge_small(labels[rows], k))]


def _split(rows: IntArray, labels: IntArray) -> list[IntArray]:
    # Short numbers are sorted by their digits.
    is_short = labels.max(initial=0) < 1 << 16
    order = np.argsort(labels.astype(np.uint16) if is_short else labels, kind="stable")
    return np.split(rows[order], np.cumsum(np.bincount(labels))[:-1])
