"""How a candidate is measured fast: class tables, roll-up of the lattice, compiled kernels."""

from anonopt.evaluation.evaluator import LatticeEvaluator
from anonopt.evaluation.support_map import SupportMap

__all__ = ["LatticeEvaluator", "SupportMap"]
