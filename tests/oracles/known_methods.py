"""Attackers who know how a file was masked, in plain loops over pairs of records."""

from __future__ import annotations

import math

import numpy as np


def matrix_linkage(original, masked, matrices):
    """Posterior of each original by Bayes, one over their number before."""
    linked = 0.0
    for i, y in enumerate(masked):
        likelihoods = [
            math.prod(matrix[a][b] for matrix, a, b in zip(matrices, x, y, strict=True))
            for x in original
        ]
        total = sum(likelihoods)
        if total == 0:
            continue
        posterior = [likelihood / total for likelihood in likelihoods]
        best = [k for k, p in enumerate(posterior) if p >= max(posterior) * (1 - 1e-9)]
        linked += (i in best) / len(best)
    return 100 * linked / len(masked)


def noise_linkage(original, masked, covariance):
    """Density of the noise that turns each original into the masked record."""
    inverse = np.linalg.inv(covariance)
    linked = 0.0
    for i, y in enumerate(masked):
        distances = [math.sqrt(max((y - x) @ inverse @ (y - x), 0.0)) for x in original]
        best = [k for k, d in enumerate(distances) if d <= min(distances) * (1 + 1e-9) + 1e-12]
        linked += (i in best) / len(best)
    return 100 * linked / len(masked)
