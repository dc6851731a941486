"""Constants that operators put into trees: in what range, and of how many digits."""

from __future__ import annotations

from deap import gp

from anonopt.masking.equations.primitives import constant

SMALLEST, LARGEST = 1e-12, 1e12
"""Constants beyond are drawn back."""


def short_constant(value: float) -> gp.Terminal:
    """Terminal of a number of four digits, so that equations stay short when they are printed.

    Parameters
    ----------
    value : float
        Below `SMALLEST` and above `LARGEST` it becomes these.

    Examples
    --------
    >>> short_constant(2 / 3).value, short_constant(0.0).value
    (0.6667, 1e-12)
    """
    return constant(float(f"{min(max(value, SMALLEST), LARGEST):.4g}"))
