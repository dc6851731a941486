"""How a candidate is measured fast: class tables, roll-up of the lattice, masking state."""

from anonopt.evaluation.categorical.masked_figures import MaskedFigures
from anonopt.evaluation.categorical.masking_evaluator import MaskingEvaluator
from anonopt.evaluation.categorical.masking_state import MaskingState
from anonopt.evaluation.comparison.compare import compare
from anonopt.evaluation.comparison.continuous_comparison import compare_continuous
from anonopt.evaluation.continuous.continuous_evaluator import ContinuousMaskingEvaluator
from anonopt.evaluation.continuous.continuous_figures import ContinuousFigures
from anonopt.evaluation.continuous.continuous_state import ContinuousMaskingState
from anonopt.evaluation.lattice.evaluator import LatticeEvaluator
from anonopt.evaluation.pram.pram_score import PRAMFigures, PRAMScore
from anonopt.evaluation.support_map import SupportMap

__all__ = [
    "ContinuousFigures",
    "ContinuousMaskingEvaluator",
    "ContinuousMaskingState",
    "LatticeEvaluator",
    "MaskedFigures",
    "MaskingEvaluator",
    "MaskingState",
    "PRAMFigures",
    "PRAMScore",
    "SupportMap",
    "compare",
    "compare_continuous",
]
