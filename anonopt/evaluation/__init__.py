"""How a candidate is measured fast: class tables, roll-up of the lattice, compiled kernels."""

from anonopt.evaluation.evaluator import LatticeEvaluator

__all__ = ["LatticeEvaluator"]
