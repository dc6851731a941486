"""Random keys as local recodings: those of the cuts, and one for k where it is chosen."""

from __future__ import annotations

import math

from anonopt._typing import AnyArray
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.evaluation.local.cut_decoder import CutDecoder

K_KEY = "k of the cuts"
"""Name of the key that chooses k, other than that of the measure."""


class KeyedRecodings:
    """Decodes genomes of random keys.

    Parameters
    ----------
    decoder : CutDecoder
    k : tuple of int
        Lowest and highest k; where they differ, the last key chooses one between them.

    Attributes
    ----------
    names : tuple of str, (n_keys,)
    """

    def __init__(self, decoder: CutDecoder, k: tuple[int, int]) -> None:
        self._decoder, self._k = decoder, k
        self._chooses_k = k[0] < k[1]
        self.names = (*decoder.names, *((K_KEY,) if self._chooses_k else ()))

    def k_of(self, x: AnyArray) -> int:
        """The k of a genome: equal steps of its key are equal factors of k, rounded.

        Parameters
        ----------
        x : float array (n_keys,)
        """
        lowest, highest = self._k
        if not self._chooses_k:
            return lowest
        return round(lowest * math.exp(float(x[-1]) * math.log(highest / lowest)))

    def decode(self, x: AnyArray) -> RecodedGroups:
        """The local recoding of a genome.

        Parameters
        ----------
        x : float array (n_keys,)
        """
        return self._decoder.decode(x[: len(self._decoder.names)], k=self.k_of(x))
