"""What operators ask of genomes that are local recodings, and of the problem they are of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from anonopt._typing import Generator, ObjectArray
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.local_recoding.group_maker import GroupMaker
from anonopt.operators.base import space_of_kind
from anonopt.operators.drawing import GenomeSampling


def groups_space(problem: Any) -> Any:
    """Space of a problem whose genomes are local recodings.

    Parameters
    ----------
    problem : pymoo Problem

    Returns
    -------
    anonopt.problems.spaces.Groups

    Raises
    ------
    ValueError
        If its genomes are something else.
    """
    return space_of_kind(problem, "groups", "local recodings")


def group_maker(problem: Any) -> GroupMaker:
    """What makes and improves the recodings of a problem.

    Parameters
    ----------
    problem : pymoo Problem

    Returns
    -------
    GroupMaker

    Raises
    ------
    ValueError
        If its genomes are no local recodings, or its space knows of no rule that they follow.
    """
    maker: GroupMaker | None = groups_space(problem).maker
    if maker is None:
        raise ValueError(
            "problem: expected a space of local recodings that knows their rule "
            "(LocalRecodingProblem with genome='groups' makes one), found one of a table alone"
        )
    return maker


def group_genomes(recodings: Sequence[RecodedGroups]) -> ObjectArray:
    """Put local recodings into an array of genomes of one gene.

    Parameters
    ----------
    recodings : sequence of RecodedGroups, (n,)

    Returns
    -------
    object array (n, 1)
    """
    genomes = np.empty((len(recodings), 1), dtype=object)
    for row, groups in enumerate(recodings):
        genomes[row, 0] = groups
    return genomes


class TopSampling(GenomeSampling):
    """Recodings of all rows at the top of every hierarchy: where cutting starts."""

    def _sampled(self, problem: Any, n_samples: int, generator: Generator) -> ObjectArray:
        return group_genomes([groups_space(problem).top()] * n_samples)
