"""What is protected: tables with roles, hierarchies, lattices and data sets.

Names are loaded when they are used: what only writes a file starts without pandas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anonopt.data.columns.categories import CategoricalColumns as CategoricalColumns
    from anonopt.data.columns.masked_columns import MaskingSet as MaskingSet
    from anonopt.data.columns.masked_columns import masked_columns as masked_columns
    from anonopt.data.columns.scaled_columns import ScaledColumns as ScaledColumns
    from anonopt.data.datasets.cargo import cargo_columns as cargo_columns
    from anonopt.data.datasets.dataset import Dataset as Dataset
    from anonopt.data.datasets.dataset import MaskedPart as MaskedPart
    from anonopt.data.datasets.loading import DATASETS as DATASETS
    from anonopt.data.datasets.loading import get_dataset as get_dataset
    from anonopt.data.datasets.loading import list_datasets as list_datasets
    from anonopt.data.datasets.loading import load_dataset as load_dataset
    from anonopt.data.datasets.loading import load_frame as load_frame
    from anonopt.data.datasets.masking_sets import continuous_set as continuous_set
    from anonopt.data.datasets.masking_sets import masking_set as masking_set
    from anonopt.data.datasets.synthetic import SyntheticTable as SyntheticTable
    from anonopt.data.hierarchies.hierarchy import Hierarchy as Hierarchy
    from anonopt.data.lattice import Lattice as Lattice
    from anonopt.data.microdata import Microdata as Microdata
    from anonopt.data.row_order import shuffled as shuffled
    from anonopt.data.tables.table_files import read_table as read_table
    from anonopt.data.values import MISSING as MISSING
    from anonopt.data.values import TOP as TOP
else:
    # Hidden from type checkers: a visible __getattr__ would turn every misspelt name into Any.
    from anonopt._lazy import load_late

    _PLACES, __getattr__, __dir__ = load_late(
        __name__,
        {
            "columns.categories": "CategoricalColumns",
            "columns.masked_columns": "MaskingSet masked_columns",
            "columns.scaled_columns": "ScaledColumns",
            "datasets.cargo": "cargo_columns",
            "datasets.dataset": "Dataset MaskedPart",
            "datasets.loading": "DATASETS get_dataset list_datasets load_dataset load_frame",
            "datasets.masking_sets": "continuous_set masking_set",
            "datasets.synthetic": "SyntheticTable",
            "hierarchies.hierarchy": "Hierarchy",
            "lattice": "Lattice",
            "microdata": "Microdata",
            "row_order": "shuffled",
            "tables.table_files": "read_table",
            "values": "MISSING TOP",
        },
    )
    __all__ = sorted(_PLACES)
