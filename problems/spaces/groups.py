"""Local recodings as genomes: groups of rows, each with labels of its own."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pandas as pd
from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.sampling import Sampling
from pymoo.operators.crossover.nox import NoCrossover
from pymoo.operators.mutation.nom import NoMutation

from anonopt._typing import AnyArray, ObjectArray
from anonopt.data.microdata import Microdata
from anonopt.data.recoded_groups import RecodedGroups, check_groups_of
from anonopt.local_recoding.group_maker import GroupMaker
from anonopt.operators.groups.decoded_sampling import DecodedSampling
from anonopt.operators.groups.group_genomes import TopSampling, group_genomes
from anonopt.operators.groups.partition_crossover import PartitionCrossover
from anonopt.operators.groups.regroup_mutation import RegroupMutation
from anonopt.operators.groups.regrowth_mutation import RegrowthMutation
from anonopt.problems.spaces.base import Space

RECODING = "recoding"
"""Name of the one gene."""


class Groups(Space):
    """Object arrays (1,) that hold a `RecodedGroups` of a table.

    Recodings that write the same labels into the same rows are one genome, whatever the numbers
    of their groups; rows of equal labels are one class, in however many groups they are.

    Parameters
    ----------
    table : Microdata
    maker : GroupMaker, optional
        Makes recodings under a rule, and improves them. Without it, sampling knows the top alone,
        and crossover and mutation copy.

    Examples
    --------
    >>> import anonopt as ao
    >>> space = Groups(ao.load_dataset("adult"))
    >>> space.text(space.genomes([space.top()])[0])
    'recoding=1 class 725a03af5dbc'
    """

    kind: ClassVar[str] = "groups"
    vtype = object
    # A recoding takes as much memory as a column of the table.
    records_genomes = False

    def __init__(self, table: Microdata, *, maker: GroupMaker | None = None) -> None:
        self.table = table
        self.maker = maker
        super().__init__(names=[RECODING])

    def top(self) -> RecodedGroups:
        """All rows in one group, at the top of every hierarchy."""
        hierarchies = [self.table.hierarchies[column] for column in self.table.quasi_identifiers]
        return RecodedGroups(
            np.zeros(self.table.n_rows, dtype=np.int32),
            lows=[[0] * len(hierarchies)],
            highs=[[len(hierarchy.labels[0]) - 1 for hierarchy in hierarchies]],
        )

    def genomes(self, recodings: list[RecodedGroups]) -> ObjectArray:
        """Genomes of recodings, for a starting population or to evaluate them.

        Parameters
        ----------
        recodings : sequence of RecodedGroups

        Returns
        -------
        object array (n, 1)
        """
        return group_genomes(recodings)

    def sampling(self, *, extremes: bool = False) -> Sampling:
        """Recodings decoded from random keys."""
        return TopSampling() if self.maker is None else DecodedSampling()

    def crossover(self) -> Crossover:
        """Of two parents, wherever the same rows are grouped in two ways, the better one."""
        return NoCrossover() if self.maker is None else PartitionCrossover()

    def mutation(self) -> Mutation:
        """Regions are grouped anew, or, under bounds that forbid it, cut anew."""
        if self.maker is None:
            return NoMutation()
        return RegroupMutation() if self.maker.regroups else RegrowthMutation()

    def key(self, x: AnyArray) -> bytes:
        """Digest of the labels of every row: equal exactly where these are."""
        digest: bytes = x[0].digest
        return digest

    def text(self, x: AnyArray) -> str:
        """One genome as text, such as ``recoding=3 classes 7f1b09a2c4de``."""
        return f"{RECODING}={x[0]}"

    def columns(self, X: AnyArray) -> pd.DataFrame:
        """Number of classes and digest of each recoding: DataFrame (n, 1)."""
        texts = [str(x[0]) for x in X]
        return pd.DataFrame({RECODING: pd.Series(texts, dtype=object)})

    def checked(self, X: AnyArray) -> ObjectArray:
        """Genomes whose groups are of the rows of the table, and whose labels cover them."""
        genomes = np.asarray(X)
        if genomes.dtype != object or genomes.ndim != 2 or genomes.shape[1] != 1:
            raise ValueError(
                f"X: expected an object array (n, 1) of local recodings, found {genomes.dtype} "
                f"of shape {genomes.shape}"
            )
        for groups in genomes[:, 0]:
            if not isinstance(groups, RecodedGroups):
                raise TypeError(f"X: expected a genome that is a RecodedGroups, found {groups!r}")
            check_groups_of(self.table, groups)
        return genomes

    def describe(self) -> list[Any]:
        """What tells this space from others."""
        return [*super().describe(), self.table.fingerprint]
