"""Anonymization tasks as pymoo problems."""

from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.catalogue import PROBLEMS, ProblemEntry, get_problem, list_problems
from anonopt.problems.graph import GraphProblem
from anonopt.problems.lattice import LatticeProblem
from anonopt.problems.masking import MaskingProblem

__all__ = [
    "PROBLEMS",
    "AnonymizationProblem",
    "GraphProblem",
    "LatticeProblem",
    "MaskingProblem",
    "ProblemEntry",
    "get_problem",
    "list_problems",
]
