"""Equations: one tree a genome."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from deap import gp
from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.sampling import Sampling

from anonopt._checks import check_integer
from anonopt._typing import AnyArray, ObjectArray
from anonopt.masking.equations import PRIMITIVES, Equation
from anonopt.operators.trees.subtree_crossover import SubtreeCrossover
from anonopt.operators.trees.tree_genomes import checked_tree, tree_genomes, tree_key
from anonopt.operators.trees.tree_mutation import SubtreeMutation
from anonopt.operators.trees.tree_sampling import HalfAndHalfSampling
from anonopt.problems.spaces.base import Space

EQUATION = "equation"
"""Name of the one gene."""


class Trees(Space):
    """Object arrays (1,) that hold a DEAP tree.

    Parameters
    ----------
    max_depth : int
        Most levels of a tree, at least 1; a terminal alone has one. Deeper trees are refused.
    primitives : deap.gp.PrimitiveSet
        What trees are made of, untyped; by default that of the equations of PRAM matrices.

    Attributes
    ----------
    terminals, functions : tuple of DEAP nodes

    Raises
    ------
    ValueError
        If max_depth is below 1, or there is no terminal.

    Examples
    --------
    >>> space = Trees(max_depth=3)
    >>> space.text(space.genomes([Equation.parse("N - freq_i")])[0])
    'equation=N - freq_i'
    """

    kind: ClassVar[str] = "trees"
    vtype = object

    def __init__(self, *, max_depth: int, primitives: gp.PrimitiveSet = PRIMITIVES) -> None:
        self.max_depth = check_integer("max_depth", max_depth, least=1)
        self.primitives = primitives
        self.terminals: tuple[Any, ...] = tuple(primitives.terminals[primitives.ret])
        self.functions: tuple[Any, ...] = tuple(primitives.primitives[primitives.ret])
        if not self.terminals:
            raise ValueError("primitives: expected at least one terminal, found none")
        super().__init__(names=[EQUATION])

    def sampling(self, *, extremes: bool = False) -> Sampling:
        """Half-and-half."""
        return HalfAndHalfSampling()

    def crossover(self) -> Crossover:
        """Two parents swap subtrees."""
        return SubtreeCrossover()

    def mutation(self) -> Mutation:
        """A subtree is replaced, in every second tree."""
        return SubtreeMutation(prob=0.5)

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

    def certain_operators(self) -> tuple[Crossover, Mutation]:
        """As :meth:`Space.certain_operators`."""
        return SubtreeCrossover(prob=1.0), SubtreeMutation(prob=1.0)

    def key(self, x: AnyArray) -> bytes:
        """Postfix text of the tree: equal exactly where the trees are equal."""
        return tree_key(x)

    def text(self, x: AnyArray) -> str:
        """One genome as text, such as ``equation=N - freq_i``."""
        return f"{EQUATION}={Equation(x[0]).text}"

    def columns(self, X: AnyArray) -> pd.DataFrame:
        """Text of each equation: DataFrame (n, 1)."""
        texts = [Equation(x[0]).text for x in X]
        return pd.DataFrame({EQUATION: pd.Series(texts, dtype=object)})

    def checked(self, X: AnyArray) -> ObjectArray:
        """Genomes whose trees are whole, and within the depth limit."""
        genomes = np.asarray(X)
        if genomes.dtype != object or genomes.ndim != 2 or genomes.shape[1] != 1:
            raise ValueError(
                f"X: expected an object array (n, 1) of trees, found {genomes.dtype} of shape "
                f"{genomes.shape}"
            )
        for tree in genomes[:, 0]:
            checked_tree(tree, self.max_depth)
        return genomes

    def describe(self) -> list[Any]:
        """What tells this space from others."""
        nodes = sorted(node.name for node in (*self.functions, *self.terminals))
        return [*super().describe(), self.max_depth, nodes]
