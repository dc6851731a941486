"""Loss and risk of masked files, each figure with the means and scores that follow from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from anonopt._checks import unknown
from anonopt._typing import FloatArray
from anonopt.measures.categorical.disclosure_risk import disclosure_risk, score
from anonopt.measures.categorical.information_loss import information_loss
from anonopt.measures.continuous.continuous_risk import continuous_disclosure_risk


class MaskedFigures(NamedTuple):
    """Loss and risk of a masked file of categories, percentages, less is better.

    The fields are the measures of files, see ``ao.list_measures(of="file")``. Those of PRAM
    matrices are the means over the files they were drawn for, scores as well.

    Examples
    --------
    >>> figures = MaskedFigures.of(dbil=10.0, ctbil=20.0, ebil=60.0, id=50.0, dbrl=8.0, prl=10.0)
    >>> figures.IL, figures.DR, figures.score_max, figures.values(["score_mean", "IL"])
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
    score_max: float
    score_mean: float

    @classmethod
    def of(
        cls, *, dbil: float, ctbil: float, ebil: float, id: float, dbrl: float, prl: float
    ) -> MaskedFigures:
        """Add means and scores to the six measures."""
        loss, risk = information_loss(dbil, ctbil, ebil), disclosure_risk(id, dbrl, prl)
        scores = score(loss, risk), score(loss, risk, "mean")
        return cls._make((dbil, ctbil, ebil, loss, id, dbrl, prl, risk, *scores))

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

    def scored_by(self, loss: str) -> MaskedFigures:
        """The same with scores of another loss than IL and of DR.

        Parameters
        ----------
        loss : str
            One of :data:`~anonopt.evaluation.figures.LOSSES`.

        Examples
        --------
        >>> figures = MaskedFigures.of(dbil=10.0, ctbil=20.0, ebil=60.0, id=50.0, dbrl=8, prl=10)
        >>> figures.scored_by("EBIL").score_mean
        45.0
        """
        value = getattr(self, loss)
        scores = score(value, self.DR), score(value, self.DR, "mean")
        return self._replace(score_max=scores[0], score_mean=scores[1])

    def values(self, names: Sequence[str]) -> FloatArray:
        """Figures by name, float array (n,).

        Raises
        ------
        ValueError
            If there is no such figure.
        """
        return _values(self, self._fields, names)


LOSSES = ("IL", "DBIL", "CTBIL", "EBIL")
"""Losses that a score may be made of."""


class ContinuousFigures(NamedTuple):
    """Loss and risk of a masked numeric file, percentages, less is better.

    The fields are the measures of numeric files, see ``ao.list_measures(of="numeric file")``.

    Examples
    --------
    >>> figures = ContinuousFigures.of(pil=20.0, id=40.0, dbrl=10.0, prl=30.0)
    >>> figures.DR, figures.score_mean, figures.values(["score_max", "IL"])
    (30.0, 25.0, array([30., 20.]))
    """

    PIL: float
    IL: float
    ID: float
    DBRL: float
    PRL: float
    DR: float
    score_max: float
    score_mean: float

    @classmethod
    def of(
        cls, *, pil: float, id: float, dbrl: float, prl: float, il: float | None = None
    ) -> ContinuousFigures:
        """Add IL, which is PIL unless another loss is given, DR and the scores."""
        loss = pil if il is None else il
        risk = continuous_disclosure_risk(id, dbrl, prl)
        return cls(pil, loss, id, dbrl, prl, risk, score(loss, risk), score(loss, risk, "mean"))

    def values(self, names: Sequence[str]) -> FloatArray:
        """Figures by name, float array (n,).

        Raises
        ------
        ValueError
            If there is no such figure.
        """
        return _values(self, self._fields, names)


def with_rank_swapping(figures: Mapping[str, float], linkage: float) -> dict[str, float]:
    """Figures together with RSRL, which stands behind the other linkages."""
    items = list(figures.items())
    items.insert(list(figures).index("DR"), ("RSRL", linkage))
    return dict(items)


def _values(figures: tuple[float, ...], known: tuple[str, ...], names: Sequence[str]) -> FloatArray:
    for name in names:
        if name not in known:
            raise ValueError(unknown("figure", name, known))
    return np.array([figures[known.index(name)] for name in names])
