"""Problems whose solutions are equations: one tree a genome."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from deap import gp

from anonopt._typing import ObjectArray
from anonopt.masking.equations import PRIMITIVES, Equation
from anonopt.operators.duplicates import GenomeDuplicateElimination
from anonopt.operators.trees.subtree_crossover import SubtreeCrossover
from anonopt.operators.trees.tree_mutation import SubtreeMutation
from anonopt.operators.trees.tree_sampling import HalfAndHalfSampling
from anonopt.operators.trees.trees import checked_tree, tree_genomes, tree_key
from anonopt.problems.base import AnonymizationProblem

EQUATION = "equation"
"""Name of the one gene."""

MAX_DEPTH = 5
"""Most levels of a tree in the experiments of Mares 2013, Section 4.2.4."""


class EquationProblem(AnonymizationProblem):
    """Base of the problems whose genomes are object arrays (1,) that hold a DEAP tree.

    Result tables show equations as text; :meth:`equation` makes an
    :class:`~anonopt.masking.equations.Equation` of a genome.

    Parameters
    ----------
    objective_names : sequence of str, (n_obj,)
        All minimized.
    max_depth : int
        Most levels of a tree, at least 1; a terminal alone has one. Deeper trees are refused.
    constraint_names : sequence of str, (n_constr,)

    Attributes
    ----------
    primitives : deap.gp.PrimitiveSet
        What trees are made of.
    max_depth : int

    Raises
    ------
    ValueError
        If max_depth is below 1, or a name is given twice or reserved.
    """

    def __init__(
        self,
        *,
        objective_names: Sequence[str],
        max_depth: int = MAX_DEPTH,
        constraint_names: Sequence[str] = (),
    ) -> None:
        self.max_depth = operator.index(max_depth)
        if self.max_depth < 1:
            raise ValueError(f"max_depth: expected at least 1, found {max_depth}")
        super().__init__(
            genome_names=[EQUATION],
            objective_names=objective_names,
            maximize=[False] * len(objective_names),
            constraint_names=constraint_names,
            vtype=object,
        )

    @property
    def primitives(self) -> gp.PrimitiveSet:
        """Terminals and functions of the trees."""
        return PRIMITIVES

    def equation(self, x: ObjectArray) -> Equation:
        """Equation of a genome.

        Parameters
        ----------
        x : object array (1,)
            Such as a row of ``result.X``.
        """
        return Equation(x[0])

    def genomes(self, equations: Sequence[Equation]) -> ObjectArray:
        """Genomes of equations, for a starting population or to evaluate them.

        Parameters
        ----------
        equations : sequence of Equation

        Returns
        -------
        object array (n, 1)
        """
        return tree_genomes([equation.tree for equation in equations])

    def genome_key(self, x: npt.NDArray[Any]) -> bytes:
        """Postfix text of the tree: equal exactly where the trees are equal."""
        return tree_key(x)

    def operators(self) -> Mapping[str, Any]:
        """Half-and-half sampling, subtree crossover and mutation, duplicates by tree."""
        return {
            "sampling": HalfAndHalfSampling(),
            "crossover": SubtreeCrossover(),
            "mutation": SubtreeMutation(prob=0.5),
            "eliminate_duplicates": GenomeDuplicateElimination(key=tree_key),
        }

    def frame(self, X: npt.NDArray[Any], F: npt.ArrayLike) -> pd.DataFrame:
        """Solutions as a table: the text of each equation, then natural objectives.

        Parameters
        ----------
        X : object array (n, 1)
            Trees.
        F : array (n, n_obj)
            Minimized objectives.

        Returns
        -------
        DataFrame (n, 1 + n_obj)
        """
        texts = [self.equation(x).text for x in X]
        genes = pd.DataFrame({EQUATION: pd.Series(texts, dtype=object)})
        return pd.concat([genes, self.objectives_frame(F)], axis=1)

    def describe_genome(self, x: npt.NDArray[Any]) -> str:
        """One genome as text, such as ``equation=N - freq_i``."""
        return f"{EQUATION}={self.equation(x).text}"

    def _checked_genomes(self, X: npt.NDArray[Any]) -> npt.NDArray[np.object_]:
        genomes = np.asarray(X)
        if genomes.dtype != object or genomes.ndim != 2 or genomes.shape[1] != 1:
            raise ValueError(
                f"expected genomes as an object array (n, 1) of trees; "
                f"found {genomes.dtype} of shape {genomes.shape}"
            )
        for tree in genomes[:, 0]:
            checked_tree(tree, self.max_depth)
        return genomes
