"""Files of numbers and categories, and what masks them, for `masked_files`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from anonopt.data import SyntheticTable
from anonopt.masking import MDAV, PRAM, GlobalRecoding, PreClustered, RankSwapping, mask_file
from anonopt.masking.base import MaskingMethod

NUMBERS = ["x", "y"]
CATEGORIES = list(SyntheticTable(n_rows=1).quasi_identifiers)
RANKS = dict.fromkeys(["age", "income"])
SIZES = {"region": 30, "sex": 2, "grade": 3, "size": 15, "class": 7}
"""Columns of few distinct records: all combinations occur."""
SWAPPED = dict.fromkeys(["grade", "size", "class"])
MANY = 1_000
"""Values of each column of many distinct records."""
MOST_RECORDS = 1_000_000
"""Rows up to which they are linked."""


def numbers(n_rows: int) -> pd.DataFrame:
    """Two columns of numbers, in which few records are equal."""
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "id": np.arange(n_rows),
            "x": rng.normal(size=n_rows).round(3),
            "y": rng.integers(0, 100_000, n_rows),
        }
    )


def few_records(n_rows: int) -> pd.DataFrame:
    """Columns of categories with 18,900 combinations."""
    rng = np.random.default_rng(2)
    return pd.DataFrame(
        {
            name: rng.integers(0, size, n_rows)
            if name in SWAPPED
            else np.array([f"{name} {value}" for value in range(size)])[
                rng.integers(0, size, n_rows)
            ]
            for name, size in SIZES.items()
        }
    )


def many_records(n_rows: int) -> pd.DataFrame:
    """A nominal and two ordinal columns, in which hardly any records are equal."""
    rng = np.random.default_rng(3)
    x, y, zone = rng.integers(0, MANY, (3, n_rows))
    names = np.array([f"{z:03}" for z in range(MANY)])
    return pd.DataFrame({"zone": names[zone], "x": x, "y": y})


def swapping(names: Any, p: float) -> PreClustered:
    """Ranks swapped over all rows, which are one cluster."""
    return PreClustered(
        RankSwapping(p, columns=list(names), ordinal=dict.fromkeys(names), random_state=2),
        n_clusters=1,
        n_starts=1,
        random_state=1,
    )


def methods(n_rows: int, n_clusters: int) -> dict[str, tuple[str, MaskingMethod]]:
    """Kinds of files, and what they are masked by."""
    mdav, swaps = MDAV(k=5, columns=NUMBERS), RankSwapping(1, columns=NUMBERS, random_state=2)
    return {
        "PRAM of 8 columns": (
            "people",
            PRAM("diagonal", theta=0.5, columns=CATEGORIES, random_state=1),
        ),
        "`GlobalRecoding(k=...)` of 4 columns": (
            "people",
            GlobalRecoding(k=max(n_rows // 50, 1), columns=CATEGORIES[:4]),
        ),
        f"`PreClustered(MDAV(k=5), n_clusters={n_clusters})`": (
            "numbers",
            PreClustered(mdav, n_clusters, random_state=1),
        ),
        f"`PreClustered(RankSwapping(p=1), n_clusters={n_clusters})`": (
            "numbers",
            PreClustered(swaps, n_clusters, random_state=1),
        ),
    }


def written(kind: str, n_rows: int, folder: Path) -> Path:
    """A file of a kind, made once."""
    path = folder / f"{kind}-{n_rows}.parquet"
    if path.exists():
        return path
    if kind == "people":
        return SyntheticTable(n_rows=n_rows, seed=1).write(path)
    frame = {"numbers": numbers, "few": few_records, "many": many_records}[kind](n_rows)
    frame.to_parquet(path, index=False)
    return path


def masked_by(method: MaskingMethod, original: Path) -> Path:
    """The masked file beside an original."""
    target = original.with_stem(f"{original.stem}-masked")
    mask_file(method, original, target)
    return target


def values_of(path: Path) -> pd.DataFrame:
    """A file with values in place of its categories, of which some may be in no row."""
    frame = pd.read_parquet(path)
    categories = frame.select_dtypes("category").columns
    return frame.astype({name: frame[name].cat.categories.dtype for name in categories})
