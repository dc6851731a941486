"""Anonymization tasks as pymoo problems."""

from anonopt.problems.base import AnonymizationProblem as AnonymizationProblem
from anonopt.problems.catalogue import PROBLEMS as PROBLEMS
from anonopt.problems.catalogue import get_problem as get_problem
from anonopt.problems.catalogue import list_problems as list_problems
from anonopt.problems.files.cell_suppression import (
    CellSuppressionProblem as CellSuppressionProblem,
)
from anonopt.problems.files.continuous_masking import (
    ContinuousMaskingProblem as ContinuousMaskingProblem,
)
from anonopt.problems.files.masking import MaskingProblem as MaskingProblem
from anonopt.problems.graph import GraphProblem as GraphProblem
from anonopt.problems.lattice import LatticeProblem as LatticeProblem
from anonopt.problems.local_recoding import LocalRecodingProblem as LocalRecodingProblem
from anonopt.problems.named.entry import ProblemEntry as ProblemEntry
from anonopt.problems.pram.matrix_rules import MatrixRules as MatrixRules
from anonopt.problems.pram.pram import PRAMProblem as PRAMProblem
from anonopt.problems.pram.pram_equations import PRAMEquationProblem as PRAMEquationProblem
