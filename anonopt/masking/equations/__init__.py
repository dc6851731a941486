"""Equations that build PRAM matrices: trees, their values, and how they read as mathematics."""

from anonopt.masking.equations.equation import Equation
from anonopt.masking.equations.primitives import PRIMITIVES, TERMINALS

__all__ = ["PRIMITIVES", "TERMINALS", "Equation"]
