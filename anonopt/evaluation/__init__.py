"""How a candidate is measured fast: class tables, roll-up of the lattice, masking state."""

from anonopt.evaluation.compare import compare
from anonopt.evaluation.continuous_comparison import compare_continuous
from anonopt.evaluation.continuous_evaluator import ContinuousMaskingEvaluator
from anonopt.evaluation.continuous_figures import ContinuousFigures
from anonopt.evaluation.continuous_state import ContinuousMaskingState
from anonopt.evaluation.evaluator import LatticeEvaluator
from anonopt.evaluation.masked_figures import MaskedFigures
from anonopt.evaluation.masking_evaluator import MaskingEvaluator
from anonopt.evaluation.masking_state import MaskingState
from anonopt.evaluation.pram_score import PRAMFigures, PRAMScore
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
