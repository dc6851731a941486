"""Anonymization tasks as pymoo problems."""

from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.catalogue import PROBLEMS, ProblemEntry, get_problem, list_problems
from anonopt.problems.lattice import LatticeProblem

__all__ = [
    "PROBLEMS",
    "AnonymizationProblem",
    "LatticeProblem",
    "ProblemEntry",
    "get_problem",
    "list_problems",
]
