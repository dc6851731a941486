"""What local steps in loss and risk make less."""

from __future__ import annotations

from typing import NamedTuple


class Aim(NamedTuple):
    """A sum of weighted percentages.

    Attributes
    ----------
    loss, risk, larger : float
        Weights of IL, of DR, and of the larger one of both; at least 0.

    Examples
    --------
    >>> Aim(loss=0.5, risk=0.5).of(20.0, 30.0), Aim(loss=0.0, risk=0.0, larger=1.0).of(20.0, 30.0)
    (25.0, 30.0)
    """

    loss: float
    risk: float
    larger: float = 0.0

    def of(self, loss: float, risk: float) -> float:
        """The sum, of percentages."""
        return self.loss * loss + self.risk * risk + self.larger * max(loss, risk)
