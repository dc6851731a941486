"""Equations that build PRAM matrices: trees, their values, and how they read as mathematics."""

from anonopt.masking.equations.equation import Equation as Equation
from anonopt.masking.equations.primitives import PRIMITIVES as PRIMITIVES
from anonopt.masking.equations.primitives import TERMINALS as TERMINALS
