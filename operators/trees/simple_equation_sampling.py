"""Equations to start with that are simple, and known to be good with the right constant."""

from __future__ import annotations

from typing import Any

import numpy as np
from deap import gp

from anonopt._typing import Generator, ObjectArray
from anonopt.masking.equations import Equation
from anonopt.masking.equations.primitives import is_constant
from anonopt.masking.equations.trees import tree_shape
from anonopt.operators.trees.tree_constants import short_constant
from anonopt.operators.trees.tree_genomes import tree_genomes, tree_space
from anonopt.operators.trees.tree_sampling import HalfAndHalfSampling

SIMPLE = (
    "1 * (freq_i - freq_j) / (freq_i - freq_j)",
    "1 * freq_j * (freq_i - freq_j) / (freq_i - freq_j)",
    "1 / (freq_i - freq_j)",
    "1 * freq_j / (freq_i - freq_j)",
    "1 * freq_i / (freq_i - freq_j)",
    "freq_j / (freq_i - 1 * freq_j)",
    "freq_j / (freq_i - 1)",
)
"""Equations of one constant, shown as 1. In the first five the diagonal, where the divisor is 0, is
1: the constant says how large it is beside the other cells, which are equal or follow from
frequencies. In the last two it says which other category stands out."""

EXPONENTS = -3.0, 1.5
"""Range of the logarithm to base 10 of the first constants."""


class SimpleEquationSampling(HalfAndHalfSampling):
    """Simple equations with one constant each, and as many trees of half-and-half.

    Seven simple forms take turns, and constants are drawn log-uniformly. Where a category keeps its
    value the difference of frequencies is 0 and a quotient by it 1, so the constant of ``c /
    (freq_i - freq_j)`` sets how many cells change. Forms that need other nodes than the problem's,
    or more depth than its limit, are left out; without any, all trees are of half-and-half.

    Examples
    --------
    >>> import numpy as np
    >>> import anonopt as ao
    >>> problem = ao.get_problem("german-pram-equations", expected=True)
    >>> pop = SimpleEquationSampling()(problem, 14, random_state=np.random.default_rng(1))
    >>> [problem.space.text(individual.X) for individual in pop[2:4]]
    ['equation=0.004454 / (freq_i - freq_j)', 'equation=18.57 * freq_j / (freq_i - freq_j)']
    """

    def _sampled(self, problem: Any, n_samples: int, generator: Generator) -> ObjectArray:
        forms = _forms(tree_space(problem))
        simple = [
            _with_constant(forms[place % len(forms)], 10 ** generator.uniform(*EXPONENTS))
            for place in range(n_samples // 2 if forms else 0)
        ]
        others = super()._sampled(problem, n_samples - len(simple), generator)
        return np.concatenate([tree_genomes(simple), others])


def _forms(space: Any) -> list[gp.PrimitiveTree]:
    """Simple equations that the space allows."""
    known = {node.name for node in (*space.functions, *space.terminals)}
    trees = [Equation.parse(text).tree for text in SIMPLE]
    return [
        tree
        for tree in trees
        if tree_shape(tree).depth <= space.max_depth
        and all(is_constant(node) or node.name in known for node in tree)
    ]


def _with_constant(form: gp.PrimitiveTree, value: float) -> gp.PrimitiveTree:
    return gp.PrimitiveTree([short_constant(value) if is_constant(node) else node for node in form])
