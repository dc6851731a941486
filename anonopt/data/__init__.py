"""What is protected: tables with roles, hierarchies, lattices and data sets."""

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
from anonopt.data.hierarchies.hierarchy import Hierarchy as Hierarchy
from anonopt.data.lattice import Lattice as Lattice
from anonopt.data.microdata import Microdata as Microdata
from anonopt.data.row_order import shuffled as shuffled
from anonopt.data.tables.table_files import read_table as read_table
from anonopt.data.values import MISSING as MISSING
from anonopt.data.values import TOP as TOP
