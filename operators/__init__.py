"""Operators on integer genomes and on trees, and archives, for any pymoo algorithm.

``OPERATORS`` lists every class by name.
"""

from __future__ import annotations

from anonopt.operators.archives import BoxArchive, ParetoArchive
from anonopt.operators.cells.cell_variation import CellCrossover, CellMutation, GrayCellMutation
from anonopt.operators.cells.crowding import DeterministicCrowding
from anonopt.operators.cells.leader_selection import LeaderSelection
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

__all__ = [
    "OPERATORS",
    "AgePenaltySelection",
    "BoxArchive",
    "CellCrossover",
    "CellMutation",
    "CloneCrossover",
    "CollapseMutation",
    "DeterministicCrowding",
    "ExpansionMutation",
    "ExtremesSampling",
    "GenomeDuplicateElimination",
    "GrayBitFlip",
    "GrayCellMutation",
    "HalfAndHalfSampling",
    "HoistMutation",
    "HorizontalMutation",
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
]

OPERATORS: dict[str, type] = {
    operator.__name__: operator
    for operator in (
        UniformSampling,
        ExtremesSampling,
        SinglePointCrossover,
        CloneCrossover,
        StrategyPathCrossover,
        StepMutation,
        ResetMutation,
        SingleStepMutation,
        HorizontalMutation,
        GrayBitFlip,
        GrayCellMutation,
        RangeSwapCrossover,
        SimplexRepair,
        HalfAndHalfSampling,
        SubtreeCrossover,
        SubtreeMutation,
        PointMutation,
        HoistMutation,
        CollapseMutation,
        ExpansionMutation,
        StartingPopulation,
        CellCrossover,
        CellMutation,
        AgePenaltySelection,
        LeaderSelection,
        DeterministicCrowding,
        GenomeDuplicateElimination,
        BoxArchive,
        ParetoArchive,
    )
}
"""Every operator class by name: what the contract tests, the docs and the command line list."""
