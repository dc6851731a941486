"""An instance of a suite: which problem, and how many evaluations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from anonopt.data import load_dataset
from anonopt.problems import get_problem
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.lattice import LatticeProblem


@dataclass(frozen=True)
class Instance:
    """One instance.

    Attributes
    ----------
    name : str
        Never given to another problem; a changed one makes another suite.
    family : str
        Kind of the problem's space: ``levels``, ``cells``, ``matrices``, ``trees``,
        ``visits`` or ``keys``.
    source : str
        Name of a problem of the catalogue, or of a data set whose nodes are searched.
    options : mapping
        Of the problem.
    columns : tuple of str
        Quasi-identifiers; then `source` is a data set.
    budget : int
        Distinct evaluations of a run.
    """

    name: str
    family: str
    source: str
    options: Mapping[str, Any] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    budget: int = 1000

    def make(self) -> AnonymizationProblem:
        """Make the problem; all its data come with the library."""
        if not self.columns:
            return get_problem(self.source, **self.options)
        table = load_dataset(self.source, quasi_identifiers=list(self.columns))
        return LatticeProblem(table, **self.options)
