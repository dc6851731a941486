"""Protection methods: what makes a masked file from an original.

``METHODS`` lists every class by name. All take their parameters in the constructor, and mask a
table with ``fit_transform``.
"""

from anonopt.data.columns.markov import MarkovMatrix as MarkovMatrix
from anonopt.evaluation.pram.pram_draws import draw as draw
from anonopt.evaluation.pram.pram_draws import draw_table as draw_table
from anonopt.evaluation.pram.pram_draws import expected_table as expected_table
from anonopt.masking.base import GroupingMethod as GroupingMethod
from anonopt.masking.base import JointGroupingMethod as JointGroupingMethod
from anonopt.masking.base import MaskingMethod as MaskingMethod
from anonopt.masking.cell_suppression import CellSuppression as CellSuppression
from anonopt.masking.cells.coded_cells import CodedCells as CodedCells
from anonopt.masking.cells.matching_rows import matching_rows as matching_rows
from anonopt.masking.cells.suppressed_cells import SuppressedCells as SuppressedCells
from anonopt.masking.continuous_starting_files import (
    continuous_starting_population as continuous_starting_population,
)
from anonopt.masking.equations import Equation as Equation
from anonopt.masking.global_median import GlobalMedian as GlobalMedian
from anonopt.masking.groups.clustering import Clustering as Clustering
from anonopt.masking.groups.clustering import c_median as c_median
from anonopt.masking.groups.clustering import c_median_from as c_median_from
from anonopt.masking.groups.compared_partitions import compared_partitions as compared_partitions
from anonopt.masking.groups.mdav import MDAVGroup as MDAVGroup
from anonopt.masking.groups.mdav import mdav_groups as mdav_groups
from anonopt.masking.groups.mdav import mdav_steps as mdav_steps
from anonopt.masking.groups.records import Records as Records
from anonopt.masking.groups.regions import MondrianCut as MondrianCut
from anonopt.masking.groups.regions import mondrian_cuts as mondrian_cuts
from anonopt.masking.large_files.mask_file import mask_file as mask_file
from anonopt.masking.microaggregation import MDAV as MDAV
from anonopt.masking.mondrian import Mondrian as Mondrian
from anonopt.masking.noise import AdditiveNoise as AdditiveNoise
from anonopt.masking.noise import CorrelatedNoise as CorrelatedNoise
from anonopt.masking.optimal_microaggregation import (
    OptimalMicroaggregation as OptimalMicroaggregation,
)
from anonopt.masking.pram.estimation import estimate_distribution as estimate_distribution
from anonopt.masking.pram.invariance import controlled_diagonal as controlled_diagonal
from anonopt.masking.pram.invariance import controlled_invariant as controlled_invariant
from anonopt.masking.pram.invariance import invariant_matrix as invariant_matrix
from anonopt.masking.pram.invariance import is_diagonally_dominant as is_diagonally_dominant
from anonopt.masking.pram.invariance import mixed_with_identity as mixed_with_identity
from anonopt.masking.pram.pram_matrices import pram_matrix as pram_matrix
from anonopt.masking.pram.pram_method import PRAM as PRAM
from anonopt.masking.pre_clustering import PreClustered as PreClustered
from anonopt.masking.rank_swapping import RankSwapping as RankSwapping
from anonopt.masking.recoding import BottomCoding as BottomCoding
from anonopt.masking.recoding import GlobalRecoding as GlobalRecoding
from anonopt.masking.recoding import TopCoding as TopCoding
from anonopt.masking.registry import METHODS as METHODS
from anonopt.masking.registry import get_method as get_method
from anonopt.masking.registry import list_methods as list_methods
from anonopt.masking.starting_files import FILE_COUNTS as FILE_COUNTS
from anonopt.masking.starting_files import FileCounts as FileCounts
from anonopt.masking.starting_files import Protection as Protection
from anonopt.masking.starting_files import starting_population as starting_population
from anonopt.measures.categorical.expectation_ratios import expectation_ratios as expectation_ratios
from anonopt.measures.categorical.expectation_ratios import (
    mean_expectation_ratio as mean_expectation_ratio,
)
from anonopt.measures.categorical.expectation_ratios import (
    posterior_probabilities as posterior_probabilities,
)
