"""Operators on integer genomes and archives, for any pymoo algorithm.

``OPERATORS`` lists every class by name.
"""

from __future__ import annotations

from anonopt.operators.age_penalty_selection import AgePenaltySelection
from anonopt.operators.archives import BoxArchive, ParetoArchive
from anonopt.operators.crossover import CloneCrossover, SinglePointCrossover
from anonopt.operators.duplicates import GenomeDuplicateElimination, genome_key
from anonopt.operators.horizontal_mutation import HorizontalMutation, SingleStepMutation
from anonopt.operators.mutation import ResetMutation, StepMutation
from anonopt.operators.sampling import ExtremesSampling, UniformSampling
from anonopt.operators.strategy_path_crossover import StrategyPathCrossover

__all__ = [
    "OPERATORS",
    "AgePenaltySelection",
    "BoxArchive",
    "CloneCrossover",
    "ExtremesSampling",
    "GenomeDuplicateElimination",
    "HorizontalMutation",
    "ParetoArchive",
    "ResetMutation",
    "SinglePointCrossover",
    "SingleStepMutation",
    "StepMutation",
    "StrategyPathCrossover",
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
        AgePenaltySelection,
        GenomeDuplicateElimination,
        BoxArchive,
        ParetoArchive,
    )
}
"""Every operator class by name: what the contract tests, the docs and the command line list."""
