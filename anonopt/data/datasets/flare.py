"""Solar Flare: regions of the sun described by ten categorical attributes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from types import MappingProxyType

import pandas as pd

from anonopt.data.datasets.dataset import Dataset, MaskedPart
from anonopt.data.hierarchies.hierarchy import Hierarchy

DOMAINS: Mapping[str, tuple[str, ...]] = {
    "class": ("B", "C", "D", "E", "F", "H"),
    "largest_spot_size": ("X", "R", "S", "A", "H", "K"),
    "spot_distribution": ("X", "O", "I", "C"),
    "activity": ("1", "2"),
    "evolution": ("1", "2", "3"),
    "previous_activity": ("1", "2", "3"),
    "historically_complex": ("1", "2"),
    "became_complex": ("1", "2"),
    "area": ("1", "2"),
    "area_largest_spot": ("1", "2"),
}
"""Values of each categorical attribute, in the order of the code book."""

MASKED: Mapping[str, tuple[str, ...] | None] = {
    "class": None,
    "largest_spot_size": DOMAINS["largest_spot_size"],
    "spot_distribution": DOMAINS["spot_distribution"],
}
"""CLASS, LARGSPOT and SPOTDIST of Mares 2013, with an order of their values."""

COUNTS = ("c_class_flares", "m_class_flares", "x_class_flares")
"""Numbers of flares in the following 24 hours."""


def make_hierarchies(
    frame: pd.DataFrame, columns: Sequence[Hashable], complete: bool
) -> Mapping[Hashable, Hierarchy]:
    """Pairs of neighboring codes, then ``*``; two-valued attributes directly under ``*``."""
    return {
        column: Hierarchy.ordered(domain, fan_outs=[2] if len(domain) > 2 else [])
        for column, domain in DOMAINS.items()
        if column in columns
    }


FLARE = Dataset(
    name="flare",
    summary="Solar Flare",
    n_rows=1389,
    n_columns=14,
    source="https://doi.org/10.24432/C5530G",
    licence="CC BY 4.0",
    files=MappingProxyType({"train": ("flare.csv.gz",), "all": ("flare.csv.gz",)}),
    columns=(*DOMAINS, *COUNTS),
    quasi_identifiers=tuple(DOMAINS),
    sensitive="c_class_flares",
    make_hierarchies=make_hierarchies,
    unused={"class": ("A",)},
    masked=MaskedPart(columns=tuple(MASKED), order=MASKED),
)
