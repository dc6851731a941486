"""Pre-clustering on German Credit: Tables 5.2 and 5.3 of Mares 2013.

Three columns (EXISTACC, SAVINGS, PRESEMPLOY, ordinal), masked by microaggregation, by
microaggregation of clusters and by the global median of clusters, over a grid of k and of the
number of clusters. Table 5.2: information loss (IL) by CTBIL, DBIL and EBIL. Table 5.3: loss of a
clustering of the masked file, from the starting centroids of the best of 20 clusterings of the
original. The thesis states neither its grid nor the number of clusters of Table 5.3, so several are
tried. Its Housing file (Table 5.1 and half of Table 5.3) is not public; its figures are shown for
comparison.

    python -m benchmarks.papers.pre_clustering
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

import anonopt as ao
from anonopt.data import masking_set
from anonopt.evaluation import MaskingEvaluator
from anonopt.masking import Clustering, Records, c_median, c_median_from
from anonopt.measures.categorical.partition_agreement import clustering_loss

SEED = 1
GROUP_SIZES = (2, 3, 5, 8, 12, 20, 30, 40, 50)
"""k up to 50: one group in twenty of the 1000 rows; larger k are shown apart."""
LARGE_SIZES = (75, 100, 150, 200)
CLUSTERS = (2, 3, 5, 8, 12, 16, 20, 30, 40, 50)
COMPARED = (3, 5, 10, 20)
"""Numbers of clusters of the experiment on clustering."""

METHODS = ("microaggregation", "clustered microaggregation", "clustered global median")
PRINTED = {
    "Table 5.1 (Housing)": ((24.95, 25.13), (25.63, 27.92), (23.48, 22.10)),
    "Table 5.2 (German)": ((18.90, 42.32), (31.90, 31.67), (31.62, 31.42)),
    "Table 5.3 (Housing)": ((28.20, 39.28), (27.35, 31.15), (12.99, 15.70)),
    "Table 5.3 (German)": ((19.62, 42.55), (30.51, 30.63), (28.71, 28.50)),
}


class Trial(NamedTuple):
    """One masked file."""

    method: str
    k: int
    n_clusters: int | None
    loss: float
    risk: float
    clustering_losses: dict[int, float]


def main() -> int:
    """Run all parts; exit code 1 if a result is not as it must be."""
    missed: list[str] = []
    german = masking_set("german")
    started = time.perf_counter()
    trials = list(grid(german, missed))
    seconds = time.perf_counter() - started
    print(f"{len(trials)} masked files in {seconds:.1f} s\n")
    show("Tables 5.1 and 5.2, general loss", trials, ("Table 5.2", "Table 5.1"))
    for n in COMPARED:
        title = f"Table 5.3, loss of a clustering into {n}"
        show(title, trials, ("Table 5.3", "Table 5.3"), n_compared=n)
    for message in missed:
        print("MISSED", message)
    return 1 if missed else 0


def grid(german: ao.data.MaskingSet, missed: list[str]) -> Iterator[Trial]:
    """Mask and measure in all ways."""
    names, frame = list(german.columns), german.frame
    columns = german.categorical
    evaluator = MaskingEvaluator(columns)
    records = Records.of(frame, names, german.order)
    originals = {n: c_median(records, n, np.random.default_rng(SEED)) for n in COMPARED}
    for method, k, n_clusters, masker in maskers(german):
        masked = masker.fit_transform(frame)
        if masked.groupby(names).size().min() < k:
            missed.append(f"{method}, k = {k}, {n_clusters} clusters: not k-anonymous")
        figures = evaluator.measure(columns.encode(masked)).figures()
        losses = clustering_losses(masked, records, originals)
        yield Trial(method, k, n_clusters, figures.IL, figures.DR, losses)


def maskers(
    german: ao.data.MaskingSet,
) -> Iterator[tuple[str, int, int | None, ao.masking.MaskingMethod]]:
    """Every method with its parameters."""
    m = ao.masking
    roles = {"columns": list(german.columns), "ordinal": german.order}
    for k in (*GROUP_SIZES, *LARGE_SIZES):
        yield METHODS[0], k, None, m.MDAV(k, **roles)
    for k in GROUP_SIZES:
        for n_clusters in CLUSTERS:
            for name, method in zip(METHODS[1:], (m.MDAV, m.GlobalMedian), strict=True):
                masker = m.PreClustered(method(k, **roles), n_clusters, random_state=SEED)
                yield name, k, n_clusters, masker


def clustering_losses(
    masked: pd.DataFrame, records: Records, originals: dict[int, Clustering]
) -> dict[int, float]:
    """Loss in percent between the clusters of both files from the same centroids (Eq. 5.3)."""
    names = [column.name for column in records.columns]
    other = Records.of(masked, names, records.orders())
    return {
        n: clustering_loss(original.labels, c_median_from(other, original.start).labels)
        for n, original in originals.items()
    }


def show(
    title: str, trials: list[Trial], tables: tuple[str, str], *, n_compared: int | None = None
) -> None:
    """Best of each method beside the printed ones."""
    print(f"{title}: best by the larger of IL and DR")
    heads = ("method", "IL", "DR", "k", "clusters", "printed: German", "Housing")
    print("{:<32}{:>7}{:>7}{:>5}{:>10}{:>18}{:>16}".format(*heads))
    german, housing = (
        PRINTED[f"{table} ({name})"]
        for table, name in zip(tables, ("German", "Housing"), strict=True)
    )
    small = [trial for trial in trials if trial.k in GROUP_SIZES]
    for method, own, other in zip(METHODS, german, housing, strict=True):
        line = best_line(method, [t for t in small if t.method == method], n_compared=n_compared)
        print(f"{line}{own[0]:>11.2f}{own[1]:>7.2f}{other[0]:>9.2f}{other[1]:>7.2f}")
    large = [trial for trial in trials if trial.k in LARGE_SIZES]
    print(best_line(f"{METHODS[0]}, k above 50", large, n_compared=n_compared), "\n")


def best_line(label: str, trials: list[Trial], *, n_compared: int | None) -> str:
    """Figures of the best of some trials."""

    def loss(trial: Trial) -> float:
        return trial.loss if n_compared is None else trial.clustering_losses[n_compared]

    best = min(trials, key=lambda trial: max(loss(trial), trial.risk))
    clusters = "-" if best.n_clusters is None else str(best.n_clusters)
    return f"{label:<32}{loss(best):>7.2f}{best.risk:>7.2f}{best.k:>5}{clusters:>10}"


if __name__ == "__main__":
    sys.exit(main())
