"""Random keys of a local recoding: what each of the numbers 0..1 means to the decoder."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonopt._typing import FloatArray, IntArray
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.evaluation.local.cut_scores import BALANCED, RELAXED, STRICT

SPAN = 1.0
"""Weights are 2**-SPAN to 2**SPAN, in the middle 1."""

MIDDLES = {STRICT: (1.0, 1.0), RELAXED: (1.0, 1.0), BALANCED: (0.5, 4.0)}
"""Exponent and price by the kind of cuts, as keys of 0.5 have them.

Where a rest is completed by single rows, information is not scarce, and little is gained by rows
that are suppressed.
"""


@dataclass(frozen=True, eq=False)
class CutGenome:
    """What the keys of one decoding say.

    Attributes
    ----------
    weights : float64 array (n_weights,)
        Of cuts by column and level of the label that is cut.
    exponent : float
        How much the information counts that a cut uses.
    price : float
        How much the loss counts of rows that a cut suppresses.
    """

    weights: FloatArray
    exponent: float
    price: float


class CutKeys:
    """Random keys of the tables with some hierarchies.

    Keys of 0.5 throughout are a good recoding already: all weights are 1 there.

    Parameters
    ----------
    tuples : DistinctTuples
    kind : int
        Of the cuts; see `cut_scores`.
    suppresses : bool
        Whether rows may be suppressed; only then there is a key for their price.

    Attributes
    ----------
    names : tuple of str
        What each key is.
    first_weight : int64 array (n_quasi_identifiers,)
        Where the weights of a column begin: those of level 1, 2, ... of its label.
    suppresses : bool
    """

    def __init__(self, tuples: DistinctTuples, *, kind: int, suppresses: bool) -> None:
        heights, columns = tuples.facts.heights, tuples.facts.names
        weights = [
            f"weight of {column} at level {level}"
            for column, height in zip(columns, heights, strict=True)
            for level in range(1, height + 1)
        ]
        self.names: tuple[str, ...] = (
            *weights,
            "exponent of information",
            *(["price of suppression"] if suppresses else []),
        )
        self.suppresses = suppresses
        self._exponent, self._price = MIDDLES[kind]
        self.first_weight: IntArray = np.concatenate([[0], np.cumsum(heights)[:-1]]).astype(
            np.int64
        )
        self._n_weights = len(weights)

    def read(self, keys: npt.ArrayLike) -> CutGenome:
        """What some keys say.

        Parameters
        ----------
        keys : float array (n_keys,)
            Numbers 0..1 in the order of `names`.

        Raises
        ------
        ValueError
            If there are more or fewer, or one is not in 0..1.
        """
        found = np.asarray(keys, dtype=np.float64)
        if found.shape != (len(self.names),):
            raise ValueError(
                f"keys: expected {len(self.names)} numbers, ({len(self.names)},), "
                f"found shape {found.shape}"
            )
        if not ((found >= 0) & (found <= 1)).all():
            place = int(np.flatnonzero(~((found >= 0) & (found <= 1)))[0])
            raise ValueError(
                f"keys: expected numbers from 0 to 1, found {found[place]} for "
                f"{self.names[place]!r}"
            )
        n = self._n_weights
        weights = np.array([2.0**power for power in (SPAN * (2 * found[:n] - 1)).tolist()])
        exponent = self._exponent * 2.0 ** (2.0 * float(found[n]) - 1.0)
        price = self._price
        if self.suppresses:
            price *= 8.0 ** (2.0 * float(found[n + 1]) - 1.0)
        return CutGenome(weights, exponent, price)
