"""The figures of a masked file, from its integer tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from anonopt.measures.categorical.disclosure_risk import SCORES, disclosure_risk, score
from anonopt.measures.categorical.information_loss import information_loss


class MaskedFigures(NamedTuple):
    """Loss and risk of a masked file, percentages, less is better.

    Attributes
    ----------
    DBIL, CTBIL, EBIL, IL : float
        Information loss by distances, contingency tables and entropy, and its mean.
    ID, DBRL, PRL, DR : float
        Interval disclosure, linkage by distance, probabilistic linkage, and the disclosure
        risk made of them.

    Examples
    --------
    >>> figures = MaskedFigures.of(dbil=10.0, ctbil=20.0, ebil=60.0, id=50.0, dbrl=8.0, prl=10.0)
    >>> figures.IL, figures.DR, figures.score("max"), figures.values(["score_mean", "IL"])
    (30.0, 30.0, 30.0, array([30., 30.]))
    """

    DBIL: float
    CTBIL: float
    EBIL: float
    IL: float
    ID: float
    DBRL: float
    PRL: float
    DR: float

    @classmethod
    def of(
        cls, *, dbil: float, ctbil: float, ebil: float, id: float, dbrl: float, prl: float
    ) -> MaskedFigures:
        """Add the means to the six measures."""
        return cls(
            DBIL=dbil,
            CTBIL=ctbil,
            EBIL=ebil,
            IL=information_loss(dbil, ctbil, ebil),
            ID=id,
            DBRL=dbrl,
            PRL=prl,
            DR=disclosure_risk(id, dbrl, prl),
        )

    def replaced(self, *, ebil: float | None = None, prl: float | None = None) -> MaskedFigures:
        """The same with another EBIL or PRL, and the means that follow from it."""
        return MaskedFigures.of(
            dbil=self.DBIL,
            ctbil=self.CTBIL,
            ebil=self.EBIL if ebil is None else ebil,
            id=self.ID,
            dbrl=self.DBRL,
            prl=self.PRL if prl is None else prl,
        )

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
        known = {**self._asdict(), **{f"score_{kind}": self.score(kind) for kind in SCORES}}
        if unknown := [name for name in names if name not in known]:
            raise ValueError(f"figure: expected one of {', '.join(known)}, found {unknown[0]!r}")
        return np.array([known[name] for name in names])
