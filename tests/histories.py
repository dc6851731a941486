"""Histories of runs, to be compared."""

from __future__ import annotations

import pandas as pd


def without_seconds(history: pd.DataFrame) -> pd.DataFrame:
    """All columns but the one that differs from run to run."""
    assert history["seconds"].is_monotonic_increasing
    return history.drop(columns="seconds")


def assert_same_history(one: pd.DataFrame, other: pd.DataFrame) -> None:
    """Both histories are equal bit for bit, apart from their seconds."""
    pd.testing.assert_frame_equal(without_seconds(one), without_seconds(other), check_exact=True)
