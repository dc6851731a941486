"""Pre-clustering: similar records are put together first, and each cluster is masked alone."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from anonopt._checks import as_generator, check_integer
from anonopt._typing import RandomState
from anonopt.data.columns.categories import Orders
from anonopt.masking.base import MaskingMethod
from anonopt.masking.groups.clustering import N_STARTS, c_median, merge_small
from anonopt.masking.groups.records import Records


@dataclass(repr=False, eq=False)
class PreClustered(MaskingMethod):
    """Any masking method, applied to each cluster on its own (Mares 2013, Chapter 5).

    Clusters come from :func:`anonopt.masking.c_median`. If the method has a parameter
    `k`, the two smallest clusters are merged until all have k records. Orders of ordinal columns
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
    random_state : int or numpy Generator
        Seed, or the generator to draw from, for the clustering.

    Raises
    ------
    TypeError
        From `fit_transform`, if `method` is no masking method.
    ValueError
        From `fit_transform`, if a parameter is out of range, there is no seed, or `method` does
        not fit the table.

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

    def fit_transform(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Mask a table; see :meth:`anonopt.masking.base.MaskingMethod.fit_transform`."""
        if not isinstance(self.method, MaskingMethod):
            raise TypeError(f"method: expected a masking method, found {self.method!r}")
        return super().fit_transform(frame)

    def _roles(self) -> tuple[Sequence[Hashable] | None, Orders | None]:
        columns = self.method.columns if self.columns is None else self.columns
        return columns, self.method.ordinal if self.ordinal is None else self.ordinal

    def _mask(self, frame: pd.DataFrame, names: tuple[Hashable, ...]) -> pd.DataFrame:
        n_clusters = check_integer("n_clusters", self.n_clusters, least=1)
        n_starts = check_integer("n_starts", self.n_starts, least=1)
        params = self.method.get_params(deep=False)
        k = check_integer("k", params.get("k", 1), least=1, most=len(frame))
        _, ordinal = self._roles()
        records = Records.of(frame, names, ordinal)
        rng = as_generator(self.random_state)
        labels = c_median(records, n_clusters, rng, n_starts=n_starts).labels
        params |= {"columns": list(names), "ordinal": records.orders()}
        if "random_state" in params:
            params["random_state"] = as_generator(params["random_state"])
        method = type(self.method)(**params)
        masked = frame.copy()
        labels = merge_small(labels, k)
        order = np.argsort(labels, kind="stable")
        clusters = np.split(order, np.cumsum(np.bincount(labels))[:-1])
        parts = pd.concat([method.fit_transform(frame.iloc[rows]) for rows in clusters])
        for name in names:
            masked[name] = parts[name].iloc[np.argsort(order)].set_axis(frame.index)
        return masked
