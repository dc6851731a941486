"""What is protected: tables with roles, hierarchies, lattices and data sets."""

from __future__ import annotations

from anonopt.data.columns.categories import CategoricalColumns
from anonopt.data.columns.scaled_columns import ScaledColumns
from anonopt.data.csv_files import read_table
from anonopt.data.datasets.cargo import cargo_columns
from anonopt.data.datasets.continuous_sets import continuous_set
from anonopt.data.datasets.loading import list_datasets, load_dataset, load_frame
from anonopt.data.datasets.masking_sets import MaskingSet, masking_set
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.lattice import Lattice
from anonopt.data.microdata import Microdata
from anonopt.data.values import MISSING, TOP

__all__ = [
    "MISSING",
    "TOP",
    "CategoricalColumns",
    "Hierarchy",
    "Lattice",
    "MaskingSet",
    "Microdata",
    "ScaledColumns",
    "cargo_columns",
    "continuous_set",
    "list_datasets",
    "load_dataset",
    "load_frame",
    "masking_set",
    "read_table",
]
