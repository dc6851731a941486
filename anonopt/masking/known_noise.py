"""Added noise as an attacker sees it who knows its size, and perhaps the seed."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeAlias

import numpy as np
import pandas as pd

from anonopt._typing import BoolArray
from anonopt.evaluation.categorical.masking_wide import shared_linkage
from anonopt.evaluation.comparison.compared_files import paired_numbers
from anonopt.evaluation.comparison.known_method import nearest_by_noise
from anonopt.masking.groups.records import Records
from anonopt.masking.noise import AdditiveNoise, CorrelatedNoise, correlation_root, deviation

Noise: TypeAlias = AdditiveNoise | CorrelatedNoise

ROUNDS = 50
"""Rounds of the search for the numbers that the noise was added to; a few suffice."""
CHANGE = 1e-13
"""Relative change of the guesses below which the search ends."""
TOLERANCE = 1e-6
"""Share of the range of a column within which a number is found."""
RIDGE = 1e-9
"""Share of the variances that keeps covariances of perfectly correlated columns invertible."""


def linked_by_noise(
    method: Noise, original: pd.DataFrame, masked: pd.DataFrame, names: Sequence[Hashable]
) -> float:
    """Records linked by an attacker who knows the method and the spread of the original.

    Each masked record is linked to the originals of the largest likelihood: the nearest ones in
    units of the noise, among those with the same cells missing. Noise that keeps the moments is
    first stretched back. Columns without spread have no noise and tell nothing.

    Returns
    -------
    float
        Percent of the rows, 0..100, less is better.

    Raises
    ------
    ValueError
        If a column is not numeric, or other cells are missing in the masked file.
    """
    columns = Records.of(original, names, method.ordinal).columns
    x, y = paired_numbers(original, masked, names)
    absent = np.isnan(x)
    if (absent != np.isnan(y)).any():
        row, column = np.argwhere(absent != np.isnan(y))[0]
        raise ValueError(
            f"column {names[column]!r}: expected the same cells missing in both files, found row "
            f"{row} missing in one"
        )
    spread = np.array([deviation(values) for values in x.T])
    if getattr(method, "keep_moments", False):
        present = [values[~np.isnan(values)] for values in x.T]
        means = np.array([values.mean() if len(values) else 0.0 for values in present])
        y = np.where(spread > 0, means + (y - means) * np.sqrt(1 + method.share**2), y)
    is_correlated = isinstance(method, CorrelatedNoise)
    root = correlation_root(columns) if is_correlated else np.eye(len(columns))
    covariance = (root @ root.T + RIDGE * np.eye(len(columns))) * np.outer(spread, spread)
    is_linked, ties = np.zeros(len(x), dtype=bool), np.zeros(len(x), dtype=np.int64)
    patterns, pattern = np.unique(absent, axis=0, return_inverse=True)
    for place, is_absent in enumerate(patterns):
        rows = np.flatnonzero(pattern.ravel() == place)
        used = ~is_absent & (spread > 0)
        is_linked[rows], ties[rows] = nearest_by_noise(
            x[np.ix_(rows, used)], y[np.ix_(rows, used)], covariance[np.ix_(used, used)]
        )
    return shared_linkage(is_linked, ties)


def undone_noise(
    method: Noise, original: pd.DataFrame, masked: pd.DataFrame, names: Sequence[Hashable]
) -> BoolArray:
    """Which numbers an attacker finds who knows the seed, from the masked file alone.

    The noise is the same for all files but for its size, which is a share of the deviation of the
    original. So the original solves ``masked = x + noise(x)``, and adding the noise to a guess
    tells how far that is off: a few rounds from the masked file itself lead there.

    Returns
    -------
    bool array (n_rows, n_columns)
        Whether whole numbers are found exactly, others within a millionth of the range.
    """
    # Less a whole number that all have in common: beyond 2**53 floats would round them.
    truths, seen = paired_numbers(original, masked, names)
    wanted = pd.DataFrame({name: seen[:, j] for j, name in enumerate(names)})
    found = wanted.copy()
    # Whole numbers were rounded after the noise was added, so they are whole before, too.
    is_whole = ((wanted % 1 == 0) | wanted.isna()).all().to_numpy()
    for _ in range(ROUNDS):
        before = found
        found = before + (wanted - method.fit_transform(before))
        found = found.mask(np.broadcast_to(is_whole, found.shape), found.round())
        change = np.abs((found - before).to_numpy())
        if (change <= CHANGE * np.abs(found.to_numpy()))[~np.isnan(change)].all():
            break
    is_found = np.empty(found.shape, dtype=bool)
    for j, name in enumerate(names):
        truth = truths[:, j]
        guess = found[name].to_numpy()
        is_missing = np.isnan(truth)
        reach = 0.0
        if not is_whole[j] and not is_missing.all():
            reach = TOLERANCE * float(np.ptp(truth[~is_missing]))
        is_found[:, j] = (is_missing & np.isnan(guess)) | (np.abs(truth - guess) <= reach)
    return is_found
