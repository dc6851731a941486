"""PRAM in plain loops, from the equations of Mares 2013."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anonopt.data.columns.categories import CategoricalColumns


def frequency_matrix(T: Sequence[float], p: float) -> list[list[float]]:
    """Eq. 2.3, for three categories or more of which two have records."""
    n, total = len(T), sum(T)
    return [
        [
            p if k == m else (1 - p) * (total - T[k] - T[m]) / ((n - 2) * (total - T[k]))
            for m in range(n)
        ]
        for k in range(n)
    ]


def diagonal_matrix(T: Sequence[float], theta: float) -> list[list[float]]:
    """Eqs. 2.4 and 2.5; a category without records keeps its value."""
    n, least = len(T), min(count for count in T if count > 0)
    stays = [1 - theta * least / count if count > 0 else 1.0 for count in T]
    return [[stays[k] if k == m else (1 - stays[k]) / (n - 1) for m in range(n)] for k in range(n)]


def two_stage(P: np.ndarray, t: np.ndarray) -> np.ndarray:
    """R = PQ of Section 4.1.4, cell by cell."""
    n = len(t)
    v = [share / sum(t) for share in t]
    R = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(n):
                seen = sum(P[m][k] * v[m] for m in range(n))
                q = P[j][k] * v[j] / seen if seen > 0 else float(j == k)
                R[i, j] += P[i][k] * q
    return R


def ratio(P: np.ndarray, T: np.ndarray, k: int) -> float:
    """Expectation ratio of one category, where others become it."""
    return P[k][k] * T[k] / sum(P[m][k] * T[m] for m in range(len(T)) if m != k)


def drawn(
    matrices: Sequence[np.ndarray], codes: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """One masked file, one ``rng.choice`` a cell."""
    return np.array(
        [
            [rng.choice(len(P), p=P[code]) for P, code in zip(matrices, row, strict=True)]
            for row in codes.tolist()
        ]
    )


def linked_share(
    columns: CategoricalColumns, distances: Sequence[np.ndarray], masked: np.ndarray
) -> float:
    """DBRL by comparing every pair of records."""
    credit = 0.0
    for own, record in enumerate(masked):
        apart = [
            sum(table[a, b] for table, a, b in zip(distances, original, record, strict=True))
            for original in columns.codes
        ]
        nearest = [i for i, distance in enumerate(apart) if np.isclose(distance, min(apart))]
        credit += (own in nearest) / len(nearest)
    return 100 * credit / len(masked)
