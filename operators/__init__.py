"""Operators on levels, cells, matrices and trees, and archives, for any pymoo algorithm.

``list_operators`` tabulates them; bases for one's own are `GenomeMutation` and its like.
"""

from __future__ import annotations

from anonopt.operators.archives import Archive, BoxArchive, ParetoArchive
from anonopt.operators.cells.cell_variation import CellCrossover, CellMutation, GrayCellMutation
from anonopt.operators.cells.crowding import DeterministicCrowding
from anonopt.operators.cells.leader_selection import LeaderSelection
from anonopt.operators.drawing import GenomeSampling, GenomeSelection
from anonopt.operators.duplicates import GenomeDuplicateElimination, genome_key
from anonopt.operators.levels.age_penalty_selection import AgePenaltySelection
from anonopt.operators.levels.crossover import CloneCrossover, SinglePointCrossover
from anonopt.operators.levels.horizontal_mutation import HorizontalMutation, SingleStepMutation
from anonopt.operators.levels.mutation import ResetMutation, StepMutation
from anonopt.operators.levels.sampling import ExtremesSampling, UniformSampling
from anonopt.operators.levels.strategy_path_crossover import StrategyPathCrossover
from anonopt.operators.matrices.gray_bit_flip import GrayBitFlip
from anonopt.operators.matrices.range_swap_crossover import RangeSwapCrossover
from anonopt.operators.matrices.simplex_repair import SimplexRepair
from anonopt.operators.registry import OPERATORS, get_operator, list_operators
from anonopt.operators.starting_population import StartingPopulation
from anonopt.operators.trees.subtree_crossover import SubtreeCrossover
from anonopt.operators.trees.tree_mutation import (
    CollapseMutation,
    ExpansionMutation,
    HoistMutation,
    PointMutation,
    SubtreeMutation,
)
from anonopt.operators.trees.tree_sampling import HalfAndHalfSampling
from anonopt.operators.variation import (
    GenomeCrossover,
    GenomeMutation,
    IntegerCrossover,
    IntegerMutation,
)

__all__ = [
    "OPERATORS",
    "AgePenaltySelection",
    "Archive",
    "BoxArchive",
    "CellCrossover",
    "CellMutation",
    "CloneCrossover",
    "CollapseMutation",
    "DeterministicCrowding",
    "ExpansionMutation",
    "ExtremesSampling",
    "GenomeCrossover",
    "GenomeDuplicateElimination",
    "GenomeMutation",
    "GenomeSampling",
    "GenomeSelection",
    "GrayBitFlip",
    "GrayCellMutation",
    "HalfAndHalfSampling",
    "HoistMutation",
    "HorizontalMutation",
    "IntegerCrossover",
    "IntegerMutation",
    "LeaderSelection",
    "ParetoArchive",
    "PointMutation",
    "RangeSwapCrossover",
    "ResetMutation",
    "SimplexRepair",
    "SinglePointCrossover",
    "SingleStepMutation",
    "StartingPopulation",
    "StepMutation",
    "StrategyPathCrossover",
    "SubtreeCrossover",
    "SubtreeMutation",
    "UniformSampling",
    "genome_key",
    "get_operator",
    "list_operators",
]
