"""How a candidate is measured fast: class tables, roll-up of the lattice, masking state."""

from anonopt.evaluation.categorical.masking_evaluator import MaskingEvaluator as MaskingEvaluator
from anonopt.evaluation.categorical.masking_state import MaskingState as MaskingState
from anonopt.evaluation.comparison.compare import compare as compare
from anonopt.evaluation.comparison.compare_files import compare_files as compare_files
from anonopt.evaluation.comparison.continuous_comparison import (
    compare_continuous as compare_continuous,
)
from anonopt.evaluation.continuous.continuous_evaluator import (
    ContinuousMaskingEvaluator as ContinuousMaskingEvaluator,
)
from anonopt.evaluation.continuous.continuous_state import (
    ContinuousMaskingState as ContinuousMaskingState,
)
from anonopt.evaluation.figures import ContinuousFigures as ContinuousFigures
from anonopt.evaluation.figures import MaskedFigures as MaskedFigures
from anonopt.evaluation.lattice.evaluator import LatticeEvaluator as LatticeEvaluator
from anonopt.evaluation.local.recoding_evaluator import RecodingEvaluator as RecodingEvaluator
from anonopt.evaluation.pram.pram_score import PRAMScore as PRAMScore
