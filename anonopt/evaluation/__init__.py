"""How a candidate is measured fast: class tables, roll-up of the lattice, masking state."""

from anonopt.evaluation.categorical.masking_evaluator import MaskingEvaluator
from anonopt.evaluation.categorical.masking_state import MaskingState
from anonopt.evaluation.comparison.compare import compare
from anonopt.evaluation.comparison.continuous_comparison import compare_continuous
from anonopt.evaluation.continuous.continuous_evaluator import ContinuousMaskingEvaluator
from anonopt.evaluation.continuous.continuous_state import ContinuousMaskingState
from anonopt.evaluation.figures import ContinuousFigures, MaskedFigures
from anonopt.evaluation.lattice.evaluator import LatticeEvaluator
from anonopt.evaluation.pram.pram_score import PRAMScore

__all__ = [
    "ContinuousFigures",
    "ContinuousMaskingEvaluator",
    "ContinuousMaskingState",
    "LatticeEvaluator",
    "MaskedFigures",
    "MaskingEvaluator",
    "MaskingState",
    "PRAMScore",
    "compare",
    "compare_continuous",
]
