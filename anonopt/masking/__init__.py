"""Protection methods: what makes a masked file from an original.

``METHODS`` lists every class by name. All take their parameters in the constructor, and mask a
table with ``fit_transform``.
"""

from __future__ import annotations

from anonopt.data.columns.markov import MarkovMatrix
from anonopt.evaluation.pram.pram_draws import draw, draw_table, expected_table
from anonopt.masking.base import GroupingMethod, MaskingMethod
from anonopt.masking.continuous_starting_files import continuous_starting_population
from anonopt.masking.equations import Equation
from anonopt.masking.global_median import GlobalMedian
from anonopt.masking.groups.clustering import Clustering, c_median, c_median_from
from anonopt.masking.groups.compared_partitions import compared_partitions
from anonopt.masking.groups.mdav import mdav_groups
from anonopt.masking.groups.records import Records
from anonopt.masking.microaggregation import MDAV
from anonopt.masking.mondrian import Mondrian
from anonopt.masking.optimal_microaggregation import OptimalMicroaggregation
from anonopt.masking.pram.estimation import estimate_distribution
from anonopt.masking.pram.invariance import (
    controlled_diagonal,
    controlled_invariant,
    invariant_matrix,
    is_diagonally_dominant,
    mixed_with_identity,
)
from anonopt.masking.pram.pram_matrices import pram_matrix
from anonopt.masking.pram.pram_method import PRAM
from anonopt.masking.pre_clustering import PreClustered
from anonopt.masking.rank_swapping import RankSwapping
from anonopt.masking.recoding import BottomCoding, GlobalRecoding, TopCoding
from anonopt.masking.registry import METHODS, get_method, list_methods
from anonopt.masking.starting_files import FILE_COUNTS, FileCounts, Protection, starting_population
from anonopt.measures.categorical.expectation_ratios import (
    expectation_ratios,
    mean_expectation_ratio,
    posterior_probabilities,
)

__all__ = [
    "FILE_COUNTS",
    "MDAV",
    "METHODS",
    "PRAM",
    "BottomCoding",
    "Clustering",
    "Equation",
    "FileCounts",
    "GlobalMedian",
    "GlobalRecoding",
    "GroupingMethod",
    "MarkovMatrix",
    "MaskingMethod",
    "Mondrian",
    "OptimalMicroaggregation",
    "PreClustered",
    "Protection",
    "RankSwapping",
    "Records",
    "TopCoding",
    "c_median",
    "c_median_from",
    "compared_partitions",
    "continuous_starting_population",
    "controlled_diagonal",
    "controlled_invariant",
    "draw",
    "draw_table",
    "estimate_distribution",
    "expectation_ratios",
    "expected_table",
    "get_method",
    "invariant_matrix",
    "is_diagonally_dominant",
    "list_methods",
    "mdav_groups",
    "mean_expectation_ratio",
    "mixed_with_identity",
    "posterior_probabilities",
    "pram_matrix",
    "starting_population",
]
