"""Local recoding: each group of rows is generalized in its own way.

A genome is a vector of random keys, which top-down cuts along the hierarchies decode, or the
recoding itself. Objectives and constraints are the measures of lattice nodes.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import numpy.typing as npt
import pandas as pd

from anonopt._checks import check_choice, check_integer
from anonopt._typing import Accelerator, AnyArray, BoolArray
from anonopt.data import Microdata
from anonopt.data.hierarchies.leaf_ranges import label_texts
from anonopt.data.recoded_groups import RecodedGroups, recode
from anonopt.evaluation.local.cut_decoder import CutDecoder
from anonopt.evaluation.local.cut_scores import Cuts
from anonopt.evaluation.local.recoding_evaluator import RecodingEvaluator
from anonopt.local_recoding.group_maker import GroupMaker
from anonopt.local_recoding.regions.whole_table import whole_refusal
from anonopt.measures import Measure
from anonopt.problems.keyed_recodings import KeyedRecodings
from anonopt.problems.measured import Columns
from anonopt.problems.rule_problem import SUPPRESSION, RuleProblem
from anonopt.problems.spaces.base import Space
from anonopt.problems.spaces.groups import Groups
from anonopt.problems.spaces.keys import Keys

Genome = Literal["keys", "groups"]
GENOMES: tuple[Genome, ...] = ("keys", "groups")


class LocalRecodingProblem(RuleProblem):
    """Search local recodings of a table that are best in several measures.

    A node of the lattice is one rule for all rows; here a value may stay as it is in one group of
    rows and be generalized in another, so that each group loses only what it has to. A row
    labelled with a parent may stand beside rows labelled with its child; each class of equal
    labels holds k.

    Parameters
    ----------
    table : Microdata
    objectives : list of str or Measure
        Measures to optimize, each in its own direction: those of lattice nodes.
    constraints : mapping of str or Measure to float, optional
        Bounds: the least value of a measure of which more is better, the largest of the others.
    k : int, or pair of int
        Fixed-k rule: every class that is kept has k rows. Of a pair (lowest, highest) one more
        key chooses k, on a logarithmic scale, for fronts of k and a loss. Recodings as groups have
        no such key: they are made for the lowest k, and their fronts reach little beyond it.
    class_bounds : mapping of str or Measure to float, optional
        The worst value of a measure that a single class may have, e.g. ``{"l": 3}``.
        Of ``l`` it is checked by compiled cuts; any other measure is asked at each cut, which takes
        a hundred times as long (about 3 s a decoding of the 30,162 rows of Adult).
    suppression : int or float
        Budget: a number of rows if it is an integer, else a share of the rows in 0..1.
    cuts : ``"balanced"``, ``"relaxed"`` or ``"strict"``
        Which cuts the decoder makes, see
        :class:`~anonopt.evaluation.local.cut_decoder.CutDecoder`.
    genome : ``"keys"`` or ``"groups"``
        ``"keys"``: real numbers 0..1, weights of the cuts that the decoder makes; any algorithm
        for real numbers searches them. ``"groups"``: the recoding itself, an object array (1,)
        that holds a `RecodedGroups`, for searches that change single groups.
    weights : mapping of str to float, optional
        Weight of each quasi-identifier in the measure ``glm`` and in the scores of cuts.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``
        As in :class:`~anonopt.evaluation.LatticeEvaluator`.

    Attributes
    ----------
    table : Microdata
    evaluator : RecodingEvaluator
    decoder : CutDecoder
    k : tuple of int
        Lowest and highest k.

    Raises
    ------
    ValueError
        If a measure is unknown or the table lacks what it needs, a bound is not finite, k is below
        1 or the pair is crossed, an option is out of range, or one label of a hierarchy stands for
        different values on different levels.
    TypeError
        If k is no whole number, and no pair of such.

    Notes
    -----
    Recodings of equal labels have equal objectives, whether they are decoded or given. A
    constraint's entry of G is its violation in units of its bound, at most 0 where it is met;
    that of ``"suppression"`` is ``(suppressed - budget) / N``, where classes that miss k or a
    class bound count as suppressed.

    Examples
    --------
    >>> import numpy as np
    >>> import anonopt as ao
    >>> adult = ao.load_dataset("adult")
    >>> problem = LocalRecodingProblem(adult, ["glm"], k=5)
    >>> middle = np.full((1, problem.n_var), 0.5)
    >>> bool(problem.evaluate(middle, return_values_of=["F"])[0, 0] < 20_000)
    True
    """

    evaluator: RecodingEvaluator

    def __init__(
        self,
        table: Microdata,
        objectives: Sequence[str | Measure],
        constraints: Mapping[Any, float] | None = None,
        *,
        k: int | tuple[int, int],
        class_bounds: Mapping[Any, float] | None = None,
        suppression: float = 0.0,
        cuts: Cuts = "balanced",
        genome: Genome = "keys",
        weights: Mapping[str, float] | None = None,
        accelerator: Accelerator = "auto",
    ) -> None:
        self.k = _lowest_and_highest(k)
        self.cuts = cuts
        self.table = table
        self.evaluator = RecodingEvaluator(
            table,
            k=self.k[0],
            suppression=suppression,
            class_bounds=class_bounds,
            weights=weights,
            accelerator=accelerator,
        )
        for column in table.quasi_identifiers:
            label_texts(table.hierarchies[column], column)
        self.decoder = CutDecoder(
            self.evaluator.tuples,
            self.evaluator.rule,
            cuts=cuts,
            compiled=self.evaluator.compiled,
            weights=self.evaluator.weights,
        )
        self._keyed = KeyedRecodings(self.decoder, self.k)
        super().__init__(
            space=self._space_of(check_choice("genome", genome, GENOMES)),
            objectives=objectives,
            constraints=constraints,
            measure=self.evaluator.measure,
            further_constraints=[SUPPRESSION],
        )

    def _space_of(self, genome: str) -> Space:
        if genome == "groups":
            evaluator = self.evaluator
            maker = GroupMaker(self.decoder, evaluator.tuples, evaluator.rule, evaluator.weights)
            return Groups(self.table, maker=maker)
        return Keys(self._keyed.names)

    @property
    def genome(self) -> str:
        """What genomes are: ``"keys"`` or ``"groups"``."""
        return self.space.kind

    def with_genome(self, genome: Genome) -> LocalRecodingProblem:
        """The same problem with other genomes: the same objectives, constraints and rules.

        Parameters
        ----------
        genome : ``"keys"`` or ``"groups"``

        Returns
        -------
        LocalRecodingProblem
            A twin that shares the table; the problem itself if it has such genomes already.
        """
        if check_choice("genome", genome, GENOMES) == self.genome:
            return self
        twin = copy.copy(self)
        RuleProblem.__init__(
            twin,
            space=self._space_of(genome),
            objectives=self.objectives,
            constraints=dict(self.constraints),
            measure=self.evaluator.measure,
            recorded=self._recorded,
            further_constraints=[SUPPRESSION],
        )
        return twin

    @cached_property
    def refusal(self) -> str | None:
        """Why no group of rows holds to the rule; None if there may be one."""
        return whole_refusal(self.evaluator.tuples, self.evaluator.rule)

    def groups(self, x: npt.ArrayLike) -> RecodedGroups:
        """Groups that a genome stands for, and which of them the rule suppresses.

        Parameters
        ----------
        x : array (n_var,)
            A genome, such as a row of ``result.X``.
        """
        return self._groups(self.space.checked_one(x))

    def k_of(self, x: AnyArray) -> int:
        """The k that a genome is decoded and measured with.

        Parameters
        ----------
        x : array (n_var,)
        """
        return self.k[0] if self.genome == "groups" else self._keyed.k_of(x)

    def _groups(self, x: AnyArray) -> RecodedGroups:
        return self.evaluator.applied(self._decoded(x), k=self.k_of(x))

    def _decoded(self, x: AnyArray) -> RecodedGroups:
        if self.genome == "groups":
            recoding: RecodedGroups = x[0]
            return recoding
        return self._keyed.decode(x)

    def _columns(self, X: AnyArray, measures: Sequence[Measure]) -> Columns:
        return self.evaluator.values(
            [self._decoded(x) for x in X], measures, k=[self.k_of(x) for x in X]
        )

    def _applied(self, x: AnyArray) -> tuple[pd.DataFrame, BoolArray]:
        return recode(self.table, self._groups(x))

    def __repr__(self) -> str:
        rule = self.evaluator.rule
        objectives = [one.name for one in self.objectives]
        constraints = {one.name: bound for one, bound in self.constraints}
        return (
            f"{type(self).__name__}({self.table!r}, {objectives}, {constraints}, "
            f"k={self.k if self.k[0] < self.k[1] else self.k[0]}, suppression={rule.budget}, "
            f"class_bounds={list(rule.bounds)}, cuts={self.cuts!r}, genome={self.genome!r})"
        )

    def _facts(self) -> dict[str, object]:
        lowest, highest = self.k
        k = lowest if lowest == highest else f"{lowest}..{highest}"
        return {**super()._facts(), "k": k, "cuts": self.cuts}

    def _data(self) -> str:
        return repr([super()._data(), self.k, self.cuts])


def _lowest_and_highest(k: Any) -> tuple[int, int]:
    """Lowest and highest k of one number, or of a pair."""
    if not isinstance(k, Sequence) or isinstance(k, str):
        one = check_integer("k", k, least=1)
        return one, one
    if len(k) != 2:
        raise ValueError(f"k: expected a number or a pair (lowest, highest), found {k!r}")
    lowest, highest = (check_integer("k", one, least=1) for one in k)
    if lowest > highest:
        raise ValueError(f"k: expected lowest <= highest, found {k!r}")
    return lowest, highest
