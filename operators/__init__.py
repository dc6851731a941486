"""Operators on integer genomes and on trees, and archives, for any pymoo algorithm.

``OPERATORS`` lists every class by name.
"""

from __future__ import annotations

from anonopt.operators.age_penalty_selection import AgePenaltySelection
from anonopt.operators.archives import BoxArchive, ParetoArchive
from anonopt.operators.cells import CellCrossover, CellMutation
from anonopt.operators.crossover import CloneCrossover, SinglePointCrossover
from anonopt.operators.crowding import DeterministicCrowding
from anonopt.operators.duplicates import GenomeDuplicateElimination, genome_key
from anonopt.operators.gray_bit_flip import GrayBitFlip
from anonopt.operators.gray_cell_mutation import GrayCellMutation
from anonopt.operators.horizontal_mutation import HorizontalMutation, SingleStepMutation
from anonopt.operators.leader_selection import LeaderSelection
from anonopt.operators.mutation import ResetMutation, StepMutation
from anonopt.operators.range_swap_crossover import RangeSwapCrossover
from anonopt.operators.sampling import ExtremesSampling, UniformSampling
from anonopt.operators.simplex_repair import SimplexRepair
from anonopt.operators.starting_population import StartingPopulation
from anonopt.operators.strategy_path_crossover import StrategyPathCrossover
from anonopt.operators.subtree_crossover import SubtreeCrossover
from anonopt.operators.tree_mutation import (
    CollapseMutation,
    ExpansionMutation,
    HoistMutation,
    PointMutation,
    SubtreeMutation,
)
from anonopt.operators.tree_sampling import HalfAndHalfSampling

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
