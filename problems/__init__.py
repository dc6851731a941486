"""Anonymization tasks as pymoo problems."""

from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.catalogue import PROBLEMS, ProblemEntry, get_problem, list_problems
from anonopt.problems.files.continuous_masking import ContinuousMaskingProblem
from anonopt.problems.files.masking import MaskingProblem
from anonopt.problems.graph import GraphProblem
from anonopt.problems.lattice import LatticeProblem
from anonopt.problems.pram.matrix_rules import MatrixRules
from anonopt.problems.pram.pram import PRAMProblem
from anonopt.problems.pram.pram_equations import PRAMEquationProblem

__all__ = [
    "PROBLEMS",
    "AnonymizationProblem",
    "ContinuousMaskingProblem",
    "GraphProblem",
    "LatticeProblem",
    "MaskingProblem",
    "MatrixRules",
    "PRAMEquationProblem",
    "PRAMProblem",
    "ProblemEntry",
    "get_problem",
    "list_problems",
]
