"""The figures of a masked numeric file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from anonopt.measures.categorical.disclosure_risk import SCORES, score
from anonopt.measures.continuous.continuous_risk import continuous_disclosure_risk


@dataclass(frozen=True)
class ContinuousFigures:
    """Loss and risk of a masked numeric file, percentages, less is better.

    Attributes
    ----------
    PIL, IL : float
        Probabilistic information loss, which is the information loss of numeric files.
    ID, DBRL, PRL, DR : float
        Interval disclosure, linkage by distance, probabilistic linkage, and the disclosure
        risk ``0.5 ID + 0.25 DBRL + 0.25 PRL``.

    Examples
    --------
    >>> figures = ContinuousFigures.of(pil=20.0, id=40.0, dbrl=10.0, prl=30.0)
    >>> figures.DR, figures.score("mean"), figures.values(["score_max", "IL"])
    (30.0, 25.0, array([30., 20.]))
    """

    PIL: float
    IL: float
    ID: float
    DBRL: float
    PRL: float
    DR: float

    @classmethod
    def of(cls, *, pil: float, id: float, dbrl: float, prl: float) -> ContinuousFigures:
        """Add IL and DR to the four measures."""
        risk = continuous_disclosure_risk(id, dbrl, prl)
        return cls(PIL=pil, IL=pil, ID=id, DBRL=dbrl, PRL=prl, DR=risk)

    def score(self, kind: str = "max") -> float:
        """Score of IL and DR, ``"max"`` or ``"mean"``."""
        return score(self.IL, self.DR, kind)

    def values(self, names: Sequence[str]) -> npt.NDArray[np.float64]:
        """Figures by name, float array (n,); scores are ``score_max`` and ``score_mean``.

        Raises
        ------
        ValueError
            If there is no such figure.
        """
        known = {**asdict(self), **{f"score_{kind}": self.score(kind) for kind in SCORES}}
        if unknown := [name for name in names if name not in known]:
            raise ValueError(f"figure: expected one of {', '.join(known)}, found {unknown[0]!r}")
        return np.array([known[name] for name in names])
