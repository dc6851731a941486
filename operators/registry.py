"""Every operator once: its name, what kind it is, which spaces it fits, where it comes from.

Contract tests, the tables of the documentation and the command line read this registry, so an
operator that is listed here is tested and documented.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from pymoo.core.crossover import Crossover
from pymoo.core.duplicate import DuplicateElimination
from pymoo.core.mutation import Mutation
from pymoo.core.repair import Repair
from pymoo.core.sampling import Sampling
from pymoo.core.selection import Selection
from pymoo.core.survival import Survival

from anonopt._registry import Registry
from anonopt.operators.archives import Archive, BoxArchive, ParetoArchive
from anonopt.operators.cells.cell_variation import CellCrossover, CellMutation, GrayCellMutation
from anonopt.operators.cells.crowding import DeterministicCrowding
from anonopt.operators.cells.leader_selection import LeaderSelection
from anonopt.operators.cells.record_variation import CategoryMutation, RecordCrossover
from anonopt.operators.duplicates import GenomeDuplicateElimination
from anonopt.operators.groups.decoded_sampling import DecodedSampling
from anonopt.operators.groups.group_genomes import TopSampling
from anonopt.operators.groups.partition_crossover import PartitionCrossover
from anonopt.operators.groups.regroup_mutation import RegroupMutation
from anonopt.operators.groups.regrowth_mutation import RegrowthMutation
from anonopt.operators.keys.random_keys import RandomKeys
from anonopt.operators.levels.age_penalty_selection import AgePenaltySelection
from anonopt.operators.levels.crossover import CloneCrossover, SinglePointCrossover
from anonopt.operators.levels.horizontal_mutation import HorizontalMutation, SingleStepMutation
from anonopt.operators.levels.mutation import ResetMutation, StepMutation
from anonopt.operators.levels.sampling import ExtremesSampling, UniformSampling
from anonopt.operators.levels.strategy_path_crossover import StrategyPathCrossover
from anonopt.operators.matrices.gray_bit_flip import GrayBitFlip
from anonopt.operators.matrices.range_swap_crossover import RangeSwapCrossover
from anonopt.operators.matrices.row_variation import RowCrossover, RowMutation
from anonopt.operators.matrices.simplex_repair import SimplexRepair
from anonopt.operators.starting_population import StartingPopulation
from anonopt.operators.trees.constant_mutation import ConstantMutation
from anonopt.operators.trees.simple_equation_sampling import SimpleEquationSampling
from anonopt.operators.trees.subtree_crossover import SubtreeCrossover
from anonopt.operators.trees.tree_mutation import (
    CollapseMutation,
    ExpansionMutation,
    HoistMutation,
    PointMutation,
    SubtreeMutation,
)
from anonopt.operators.trees.tree_sampling import HalfAndHalfSampling

KINDS: dict[str, type] = {
    "sampling": Sampling,
    "selection": Selection,
    "crossover": Crossover,
    "mutation": Mutation,
    "repair": Repair,
    "survival": Survival,
    "duplicates": DuplicateElimination,
    "archive": Archive,
}
"""Kinds of operators, and the class that all of a kind are made from."""


@dataclass(frozen=True)
class OperatorEntry:
    """One operator of the registry.

    Attributes
    ----------
    operator : type, or function with keyword options
        Makes a fresh operator.
    kind : str
        One of :data:`KINDS`.
    spaces : tuple of str
        Kinds of spaces whose genomes it takes; of matrices the Gray-coded ones where its genes
        are whole numbers. Empty: any.
    paper : str
        Where it is from.
    summary : str
        What it does, in a line.
    """

    operator: Callable[..., Any]
    kind: str
    spaces: tuple[str, ...] = ()
    paper: str = ""
    summary: str = ""


def _entry(
    name: str,
    operator: Any,
    *,
    spaces: str | Sequence[str] = (),
    paper: str = "",
    summary: str | None = None,
) -> OperatorEntry:
    """Entry of an operator class; its kind is that of the class it is made from."""
    if isinstance(operator, OperatorEntry):
        return operator
    bases = operator.__mro__ if isinstance(operator, type) else ()
    kinds = [kind for kind, base in KINDS.items() if base in bases]
    if len(kinds) != 1:
        raise TypeError(
            f"operator {name!r}: expected a subclass of pymoo's Sampling, Selection, Crossover, "
            f"Mutation, Repair, Survival or DuplicateElimination, or of Archive; found {operator!r}"
        )
    first_line = (operator.__doc__ or "").partition("\n")[0]
    return OperatorEntry(
        operator,
        kinds[0],
        (spaces,) if isinstance(spaces, str) else tuple(spaces),
        paper,
        first_line if summary is None else summary,
    )


LEVELS = ("levels",)
INTEGERS = ("levels", "visits", "cells", "matrices")
CELLS = ("cells",)
MATRICES = ("matrices",)
TREES = ("trees",)
KEYS = ("keys",)
GROUPS = ("groups",)

_BUILT_IN: tuple[tuple[type, tuple[str, ...], str], ...] = (
    (UniformSampling, INTEGERS, ""),
    (ExtremesSampling, INTEGERS, "Dewri 2010, Section 6"),
    (StartingPopulation, INTEGERS, "Mares 2013, Section 3.1"),
    (RandomKeys, KEYS, "Bean 1994, Section 2"),
    (TopSampling, GROUPS, ""),
    (DecodedSampling, GROUPS, ""),
    (HalfAndHalfSampling, TREES, "Koza 1992; Mares 2013, Section 2.2.1"),
    (SimpleEquationSampling, TREES, ""),
    (AgePenaltySelection, LEVELS, "De Pascale et al. 2022, Section 3.5"),
    (LeaderSelection, (), "Mares 2013, Section 3.4"),
    (SinglePointCrossover, INTEGERS, "Dewri 2010, Section 6"),
    (CloneCrossover, INTEGERS, ""),
    (StrategyPathCrossover, LEVELS, "De Pascale et al. 2022, Section 3.5"),
    (CellCrossover, CELLS, "Mares 2013, Section 3.3"),
    (RecordCrossover, CELLS, "Syswerda 1989"),
    (RangeSwapCrossover, MATRICES, "Mares 2013, Section 4.1.2"),
    (RowCrossover, MATRICES, "Syswerda 1989"),
    (SubtreeCrossover, TREES, "Mares 2013, Sections 2.2.2 and 4.2.2"),
    (PartitionCrossover, GROUPS, "Whitley et al. 2009"),
    (RegrowthMutation, GROUPS, ""),
    (RegroupMutation, GROUPS, "Byun et al. 2007"),
    (StepMutation, INTEGERS, "Dewri 2010, Section 6"),
    (ResetMutation, INTEGERS, ""),
    (SingleStepMutation, LEVELS, "De Pascale et al. 2022, Section 3.5"),
    (HorizontalMutation, LEVELS, "De Pascale et al. 2022, Section 3.5"),
    (CellMutation, CELLS, "Mares 2013, Section 3.3"),
    (GrayCellMutation, CELLS, "Mares 2013, Section 3.3"),
    (CategoryMutation, CELLS, ""),
    (GrayBitFlip, MATRICES, "Mares 2013, Section 4.1.2"),
    (RowMutation, MATRICES, ""),
    (SubtreeMutation, TREES, "Mares 2013, Section 2.2.2"),
    (PointMutation, TREES, "Mares 2013, Section 2.2.2"),
    (HoistMutation, TREES, "Mares 2013, Section 2.2.2"),
    (CollapseMutation, TREES, "Mares 2013, Section 2.2.2"),
    (ExpansionMutation, TREES, "Mares 2013, Section 2.2.2"),
    (ConstantMutation, TREES, ""),
    (SimplexRepair, MATRICES, ""),
    (DeterministicCrowding, (), "Mahfoud 1992; Mares 2013, Section 3.4"),
    (GenomeDuplicateElimination, (), ""),
    (BoxArchive, (), "Dewri 2010, Algorithm 1"),
    (ParetoArchive, (), ""),
)

OPERATORS: Registry[OperatorEntry] = Registry(
    "operators",
    "operator",
    {
        operator.__name__: _entry(operator.__name__, operator, spaces=spaces, paper=paper)
        for operator, spaces, paper in _BUILT_IN
    },
    make=_entry,
)
"""Every operator by the name of its class, or the one it was registered under."""


def get_operator(name: str, **options: Any) -> Any:
    """Make an operator.

    Parameters
    ----------
    name : str
        See :func:`list_operators`.
    **options
        Of the class.

    Raises
    ------
    ValueError
        If no operator has that name (lists the nearest names).
    TypeError
        If an option is missing or is none of the class.

    Examples
    --------
    >>> get_operator("StepMutation", at_bound="stay").at_bound
    'stay'
    """
    return OPERATORS.find(name).operator(**options)


def list_operators() -> pd.DataFrame:
    """Tabulate the operators.

    Returns
    -------
    DataFrame
        Index: name. Columns: kind, spaces, paper, summary.

    Examples
    --------
    >>> list_operators().loc["CellCrossover", ["kind", "spaces"]].tolist()
    ['crossover', 'cells']
    """
    rows = {
        name: (entry.kind, ", ".join(entry.spaces) or "any", entry.paper, entry.summary)
        for name, entry in OPERATORS.items()
    }
    return pd.DataFrame.from_dict(
        rows, orient="index", columns=["kind", "spaces", "paper", "summary"]
    ).rename_axis("name")
