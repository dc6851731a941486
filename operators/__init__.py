"""Operators on integer genomes and archives, for any pymoo algorithm.

``OPERATORS`` lists every class by name.
"""

from __future__ import annotations

from anonopt.operators.archives import BoxArchive, ParetoArchive
from anonopt.operators.crossover import CloneCrossover, SinglePointCrossover
from anonopt.operators.duplicates import GenomeDuplicateElimination, genome_key
from anonopt.operators.mutation import ResetMutation, StepMutation
from anonopt.operators.sampling import ExtremesSampling, UniformSampling

__all__ = [
    "OPERATORS",
    "BoxArchive",
    "CloneCrossover",
    "ExtremesSampling",
    "GenomeDuplicateElimination",
    "ParetoArchive",
    "ResetMutation",
    "SinglePointCrossover",
    "StepMutation",
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
        StepMutation,
        ResetMutation,
        GenomeDuplicateElimination,
        BoxArchive,
        ParetoArchive,
    )
}
"""Every operator class by name: what the contract tests, the docs and the command line list."""
