"""What is protected: tables with roles, hierarchies, lattices and data sets."""

from __future__ import annotations

from anonopt.data.columns.categories import CategoricalColumns
from anonopt.data.columns.masked_columns import MaskingSet, masked_columns
from anonopt.data.columns.scaled_columns import ScaledColumns
from anonopt.data.csv_files import read_table
from anonopt.data.datasets.cargo import cargo_columns
from anonopt.data.datasets.dataset import Dataset, MaskedPart
from anonopt.data.datasets.loading import (
    DATASETS,
    get_dataset,
    list_datasets,
    load_dataset,
    load_frame,
)
from anonopt.data.datasets.masking_sets import continuous_set, masking_set
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.lattice import Lattice
from anonopt.data.microdata import Microdata
from anonopt.data.values import MISSING, TOP

__all__ = [
    "DATASETS",
    "MISSING",
    "TOP",
    "CategoricalColumns",
    "Dataset",
    "Hierarchy",
    "Lattice",
    "MaskedPart",
    "MaskingSet",
    "Microdata",
    "ScaledColumns",
    "cargo_columns",
    "continuous_set",
    "get_dataset",
    "list_datasets",
    "load_dataset",
    "load_frame",
    "masked_columns",
    "masking_set",
    "read_table",
]
