"""Operators on levels, cells, matrices, trees, keys, groups and archives, for pymoo algorithms.

``list_operators`` tabulates them; bases for one's own are `GenomeMutation` and its like.
"""

from anonopt.operators.archives import Archive as Archive
from anonopt.operators.archives import BoxArchive as BoxArchive
from anonopt.operators.archives import ParetoArchive as ParetoArchive
from anonopt.operators.cells.cell_variation import CellCrossover as CellCrossover
from anonopt.operators.cells.cell_variation import CellMutation as CellMutation
from anonopt.operators.cells.cell_variation import GrayCellMutation as GrayCellMutation
from anonopt.operators.cells.crowding import DeterministicCrowding as DeterministicCrowding
from anonopt.operators.cells.leader_selection import LeaderSelection as LeaderSelection
from anonopt.operators.cells.record_variation import CategoryMutation as CategoryMutation
from anonopt.operators.cells.record_variation import RecordCrossover as RecordCrossover
from anonopt.operators.drawing import GenomeSampling as GenomeSampling
from anonopt.operators.drawing import GenomeSelection as GenomeSelection
from anonopt.operators.duplicates import GenomeDuplicateElimination as GenomeDuplicateElimination
from anonopt.operators.duplicates import genome_key as genome_key
from anonopt.operators.groups.decoded_sampling import DecodedSampling as DecodedSampling
from anonopt.operators.groups.group_genomes import TopSampling as TopSampling
from anonopt.operators.groups.partition_crossover import PartitionCrossover as PartitionCrossover
from anonopt.operators.groups.regroup_mutation import RegroupMutation as RegroupMutation
from anonopt.operators.groups.regrowth_mutation import RegrowthMutation as RegrowthMutation
from anonopt.operators.keys.random_keys import RandomKeys as RandomKeys
from anonopt.operators.levels.age_penalty_selection import (
    AgePenaltySelection as AgePenaltySelection,
)
from anonopt.operators.levels.crossover import CloneCrossover as CloneCrossover
from anonopt.operators.levels.crossover import SinglePointCrossover as SinglePointCrossover
from anonopt.operators.levels.horizontal_mutation import HorizontalMutation as HorizontalMutation
from anonopt.operators.levels.horizontal_mutation import SingleStepMutation as SingleStepMutation
from anonopt.operators.levels.mutation import ResetMutation as ResetMutation
from anonopt.operators.levels.mutation import StepMutation as StepMutation
from anonopt.operators.levels.sampling import ExtremesSampling as ExtremesSampling
from anonopt.operators.levels.sampling import UniformSampling as UniformSampling
from anonopt.operators.levels.strategy_path_crossover import (
    StrategyPathCrossover as StrategyPathCrossover,
)
from anonopt.operators.matrices.gray_bit_flip import GrayBitFlip as GrayBitFlip
from anonopt.operators.matrices.range_swap_crossover import RangeSwapCrossover as RangeSwapCrossover
from anonopt.operators.matrices.row_variation import RowCrossover as RowCrossover
from anonopt.operators.matrices.row_variation import RowMutation as RowMutation
from anonopt.operators.matrices.simplex_repair import SimplexRepair as SimplexRepair
from anonopt.operators.registry import OPERATORS as OPERATORS
from anonopt.operators.registry import get_operator as get_operator
from anonopt.operators.registry import list_operators as list_operators
from anonopt.operators.starting_population import StartingPopulation as StartingPopulation
from anonopt.operators.trees.constant_mutation import ConstantMutation as ConstantMutation
from anonopt.operators.trees.simple_equation_sampling import (
    SimpleEquationSampling as SimpleEquationSampling,
)
from anonopt.operators.trees.subtree_crossover import SubtreeCrossover as SubtreeCrossover
from anonopt.operators.trees.tree_mutation import CollapseMutation as CollapseMutation
from anonopt.operators.trees.tree_mutation import ExpansionMutation as ExpansionMutation
from anonopt.operators.trees.tree_mutation import HoistMutation as HoistMutation
from anonopt.operators.trees.tree_mutation import PointMutation as PointMutation
from anonopt.operators.trees.tree_mutation import SubtreeMutation as SubtreeMutation
from anonopt.operators.trees.tree_sampling import HalfAndHalfSampling as HalfAndHalfSampling
from anonopt.operators.variation import GenomeCrossover as GenomeCrossover
from anonopt.operators.variation import GenomeMutation as GenomeMutation
from anonopt.operators.variation import IntegerCrossover as IntegerCrossover
from anonopt.operators.variation import IntegerMutation as IntegerMutation
