"""Mutation of local recodings: regions of neighbouring groups are grouped anew."""

from __future__ import annotations

from typing import Any

from anonopt._checks import check_share
from anonopt._typing import Generator, ObjectArray
from anonopt.local_recoding.regions.region_search import Regions
from anonopt.operators.groups.group_genomes import group_genomes, group_maker
from anonopt.operators.variation import GenomeMutation


class RegroupMutation(GenomeMutation):
    """Group regions of a recoding anew; it never loses more than before.

    A region is a random group and the groups nearest to it; its rows are grouped anew greedily and
    with noise, and what loses no more takes the place of what was there. Suppression is weighed
    by the general loss metric as well.

    Parameters
    ----------
    share : float
        Rows of all regions together, as a share of those of the table, above 0 and up to 1.
    regions : Regions, optional
        How regions are chosen and grouped anew.
    prob : float
        Probability of each individual to be changed; otherwise it is copied. In 0..1.

    Raises
    ------
    ValueError
        If a share is out of its range; when it is used, if a recoding misses its k, or the problem
        bounds a measure of classes other than ``l``.
    """

    def __init__(
        self, *, share: float = 0.25, regions: Regions | None = None, prob: float = 1.0
    ) -> None:
        super().__init__(prob=check_share("prob", prob))
        self.share = check_share("share", share)
        if self.share == 0:
            raise ValueError(f"share: expected a number above 0, found {share}")
        self.regions = Regions() if regions is None else regions

    def _mutated(self, problem: Any, X: ObjectArray, generator: Generator) -> ObjectArray:
        search = group_maker(problem).regions
        rows = max(int(self.share * search.n_rows), 1)
        recodings = []
        for x in X:
            recoding = search.start(x[0])
            search.sweep(recoding, generator, regions=self.regions, rows=rows)
            recodings.append(search.groups(recoding))
        return group_genomes(recodings)
