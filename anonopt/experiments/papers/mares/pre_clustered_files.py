"""German Credit, masked with and without clusters over a grid: what Chapter 5 compares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np
import pandas as pd
import scipy

from anonopt._typing import CodeArray
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.data.columns.masked_columns import MaskingSet
from anonopt.data.datasets.masking_sets import masking_set
from anonopt.evaluation.categorical.masking_evaluator import MaskingEvaluator
from anonopt.masking.base import MaskingMethod
from anonopt.masking.global_median import GlobalMedian
from anonopt.masking.groups.clustering import c_median, c_median_from
from anonopt.masking.groups.records import Records
from anonopt.masking.microaggregation import MDAV
from anonopt.masking.pre_clustering import PreClustered
from anonopt.measures.categorical.information_loss import (
    entropy_loss,
    information_loss,
    joint_pairs,
)
from anonopt.measures.categorical.partition_agreement import clustering_loss

MICROAGGREGATION = "microaggregation"
CLUSTERED_MICROAGGREGATION = "microaggregation of clusters"
CLUSTERED_GLOBAL_MEDIAN = "global median of clusters"
METHODS = (MICROAGGREGATION, CLUSTERED_MICROAGGREGATION, CLUSTERED_GLOBAL_MEDIAN)

GROUP_SIZES = (2, 5, 10, 20, 30, 35, 40, 45, 50)
"""k of all methods."""
N_CLUSTERS = (2, 5, 10, 20, 30, 40, 60, 80)
K_ENDS = (35, 50)
"""Largest k of the grid: two readings of how far the thesis searched."""
N_COMPARED = 3
"""Clusters of the clustering that Table 5.3 compares."""

LOSS, CLUSTERING_LOSS, RISK = "information loss", "clustering loss", "disclosure risk"
OWN_LOSS = "information loss with EBIL as a share of each column's entropy"
LOSSES = (LOSS, OWN_LOSS, CLUSTERING_LOSS)


@cache
def masked_files(seed: int) -> pd.DataFrame:
    """Loss and risk of every masked file.

    Parameters
    ----------
    seed : int
        Of all clusterings.

    Returns
    -------
    DataFrame
        A row a file: ``method``, ``k``, ``clusters`` (0 without), and the figures in percent.
    """
    german = masking_set("german")
    names = list(german.columns)
    frame = german.frame[names]
    columns = german.categorical
    evaluator = MaskingEvaluator(columns)
    records = Records.of(frame, names, german.order)
    original = c_median(records, N_COMPARED, np.random.default_rng(seed))
    rows = []
    for method, k, n_clusters, masker in _maskers(german, seed):
        masked = masker.fit_transform(frame)
        codes = columns.encode(masked)
        figures = evaluator.measure(codes).figures()
        others = c_median_from(Records.of(masked, names, records.orders()), original.start)
        losses = (
            figures.IL,
            information_loss(figures.DBIL, figures.CTBIL, _own_entropy_loss(columns, codes)),
            clustering_loss(original.labels, others.labels),
        )
        rows.append((method, k, n_clusters, *losses, figures.DR))
    return pd.DataFrame(rows, columns=["method", "k", "clusters", *LOSSES, RISK])


def _own_entropy_loss(columns: CategoricalColumns, codes: CodeArray) -> float:
    """EBIL, each column's share of the entropy that it has in the original."""
    pairs = zip(columns.codes.T, codes.T, columns.n_categories, strict=True)
    joints = [
        np.bincount(own * n + masked, minlength=n * n).reshape(n, n) for own, masked, n in pairs
    ]
    return entropy_loss(
        [joint_pairs(joint) for joint in joints],
        columns.n_categories,
        columns.n_rows,
        entropies=[float(scipy.stats.entropy(joint.sum(axis=1))) for joint in joints],
    )


def _maskers(german: MaskingSet, seed: int) -> Iterator[tuple[str, int, int, MaskingMethod]]:
    """Every method with its parameters."""
    columns, order = german.columns, german.order
    for k in GROUP_SIZES:
        yield MICROAGGREGATION, k, 0, MDAV(k, columns=columns, ordinal=order)
        for n_clusters in N_CLUSTERS:
            for name, method in zip(METHODS[1:], (MDAV, GlobalMedian), strict=True):
                masker = method(k, columns=columns, ordinal=order)
                yield name, k, n_clusters, PreClustered(masker, n_clusters, random_state=seed)


def german_files(seed: int, quick: bool) -> dict[str, float]:
    """Best file of each method, and how loss and risk change over the grid."""
    files = masked_files(seed)
    found: dict[str, float] = {}
    for method in METHODS:
        own = files[files["method"] == method]
        for end in K_ENDS:
            for measured in LOSSES:
                best = _best(own[own["k"] <= end], measured)
                found[f"{method}, k up to {end}: {measured}"] = best[measured]
                # The risk of another file, by each of the losses.
                found[f"{method}, k up to {end}: {RISK} beside {measured}"] = best[RISK]
    found |= _compared_bests(found)
    surfaces = {method: _surfaces(files, method) for method in METHODS[1:]}
    for method, surface in surfaces.items():
        found |= _changes(method, surface)
    micro, median = (surfaces[method] for method in METHODS[1:])
    found[
        "share of the grid on which the global median of clusters has less information loss than "
        "their microaggregation"
    ] = float((median[LOSS] < micro[LOSS]).to_numpy().mean())
    found[
        "share of the grid on which the global median of clusters has more disclosure risk than "
        "their microaggregation"
    ] = float((median[RISK] > micro[RISK]).to_numpy().mean())
    return found


def _best(files: pd.DataFrame, measured: str) -> pd.Series[float]:
    """The file whose larger figure is least."""
    return files[[measured, RISK]].iloc[int(files[[measured, RISK]].max(axis=1).argmin())]


def _compared_bests(found: Mapping[str, float]) -> dict[str, float]:
    """Whether clusters help, with the grid of each method that goes farthest."""

    def largest(method: str, measured: str) -> float:
        best = f"{method}, k up to {K_ENDS[-1]}"
        return max(found[f"{best}: {measured}"], found[f"{best}: {RISK} beside {measured}"])

    better = {
        f"{method}: its best is better than that of microaggregation, by {measured} and risk "
        "(1 yes, 0 no)": float(largest(method, measured) < largest(MICROAGGREGATION, measured))
        for measured in LOSSES
        for method in METHODS[1:]
    }
    better[
        "the best of clustered microaggregation is better than that of the clustered global "
        "median (1 yes, 0 no)"
    ] = float(largest(METHODS[1], OWN_LOSS) < largest(METHODS[2], OWN_LOSS))
    return better


def _surfaces(files: pd.DataFrame, method: str) -> dict[str, pd.DataFrame]:
    """Loss and risk with a row for each k and a column for each number of clusters."""
    own = files[files["method"] == method]
    return {name: own.pivot(index="k", columns="clusters", values=name) for name in (LOSS, RISK)}


def _changes(method: str, surfaces: Mapping[str, pd.DataFrame]) -> dict[str, float]:
    """How often loss and risk rise from one point of the grid to the next, and how much."""
    steps = {
        (name, step): np.diff(surface.to_numpy(), axis=axis)
        for name, surface in surfaces.items()
        for axis, step in enumerate(("a larger k", "more clusters"))
    }
    found = {
        f"{method}: share of steps to {step} at which {name} {way}": float(
            (sign * change > 0).mean()
        )
        for (name, step), change in steps.items()
        for sign, way in [
            (1, "rises") if (name == LOSS) == (step == "a larger k") else (-1, "falls")
        ]
    }
    losses = surfaces[LOSS].to_numpy()
    label = f"{method}: change of information loss over clusters, as a share of that over k"
    found[label] = float(np.ptp(losses, axis=1).mean() / np.ptp(losses, axis=0).mean())
    return found


def surface_points(quick: bool) -> pd.DataFrame:
    """Surfaces of Figures 5.5 and 5.6, with the curve of Figure 5.7 as the column 0."""
    files = masked_files(1)
    alone = files[files["method"] == MICROAGGREGATION]
    parts = []
    for method in METHODS[1:]:
        for name in (LOSS, RISK):
            own = pd.concat([alone, files[files["method"] == method]])
            parts.append(
                pd.DataFrame(
                    {
                        "panel": f"{method}: {name}, percent",
                        "series": method,
                        "x": own["clusters"],
                        "y": own["k"],
                        "z": own[name],
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)
