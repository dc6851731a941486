"""One equation of a PRAM matrix, as people use it: print it, read it, apply it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy.typing as npt
from deap import gp

from anonopt._typing import FloatArray
from anonopt.masking.equations.interpreter import cell_values, equation_matrix
from anonopt.masking.equations.parser import parse_tree
from anonopt.masking.equations.primitives import FUNCTIONS, TERMINALS, is_constant
from anonopt.masking.equations.simplification import simplified_tree
from anonopt.masking.equations.text import tree_latex, tree_mathml, tree_text
from anonopt.masking.equations.trees import postfix_text, tree_shape


class Equation:
    r"""An equation that builds the PRAM matrix of a column from its frequencies.

    Mares 2013, Section 4.2: the equation is evaluated for every original category i and new
    category j; the absolute values, divided by the sum of their row, are the probabilities.

    Equations are immutable; equal trees are equal equations.

    Parameters
    ----------
    tree : sequence of nodes in prefix order
        Such as a genome of a search, a DEAP ``PrimitiveTree`` of
        :data:`~anonopt.masking.equations.PRIMITIVES`.

    Raises
    ------
    ValueError
        If these are not the nodes of one tree, or a node is no primitive of equations.

    Examples
    --------
    >>> equation = Equation.parse("(N - freq_i) * freq_j")
    >>> print(equation)
    (N - freq_i) * freq_j
    >>> print(equation.latex())
    \left(N - f_i\right) \cdot f_j
    >>> equation.depth, equation.size
    (3, 5)
    >>> equation.matrix([30, 10])
    array([[0.75, 0.25],
           [0.75, 0.25]])
    """

    def __init__(self, tree: Sequence[Any]) -> None:
        self._depth = tree_shape(tree).depth
        for node in tree:
            known = FUNCTIONS if node.arity else TERMINALS
            if node.name not in known and not is_constant(node):
                raise ValueError(
                    f"tree: expected the primitives {[*TERMINALS, *FUNCTIONS]}, found {node.name!r}"
                )
        self._tree = gp.PrimitiveTree(tree)
        self._postfix = postfix_text(tree)

    @classmethod
    def parse(cls, text: str) -> Equation:
        """Read an equation from text, such as that of another one; nothing is ever run.

        Parameters
        ----------
        text : str
            The terminals ``N`` (number of records), ``freq_max``, ``freq_min`` (largest and
            smallest frequency), ``freq_i``, ``freq_j`` (frequency of the original and of the
            new category); numbers; ``+ - * /``, parentheses, ``**`` with a whole exponent.

        Raises
        ------
        ValueError
            If the text holds anything else.
        """
        return cls(parse_tree(text))

    @property
    def tree(self) -> gp.PrimitiveTree:
        """A copy of the tree."""
        return gp.PrimitiveTree(self._tree)

    @property
    def size(self) -> int:
        """Number of nodes."""
        return len(self._tree)

    @property
    def depth(self) -> int:
        """Number of levels; a terminal alone has depth 1."""
        return self._depth

    @property
    def postfix(self) -> str:
        """Names of the nodes in postfix order, separated by spaces."""
        return self._postfix

    @property
    def text(self) -> str:
        """Infix text; :meth:`parse` reads the same equation back."""
        return tree_text(self._tree)

    def latex(self) -> str:
        """LaTeX for math mode."""
        return tree_latex(self._tree)

    def mathml(self) -> str:
        """MathML, for pages: browsers show it as a formula."""
        return tree_mathml(self._tree)

    def simplified(self) -> Equation:
        """Shorter form by the rules of algebra; needs sympy (extra ``math``).

        Its matrix is the same, up to rounding, wherever neither form divides by zero: there,
        protected division follows the form at hand. Repeated factors count as nodes, so the
        size may be larger than the text looks.

        Raises
        ------
        ImportError
            If sympy is not installed.
        """
        return Equation(simplified_tree(self._tree))

    def values(self, frequencies: npt.ArrayLike) -> FloatArray:
        """Value of the equation in every cell, before it becomes a probability.

        Parameters
        ----------
        frequencies : array_like (n_categories,)
            Number of records of each category, at least 0.

        Returns
        -------
        float array (n_categories, n_categories)
            May hold infinite values and NaN.
        """
        return cell_values(self._tree, frequencies)

    def matrix(self, frequencies: npt.ArrayLike) -> FloatArray:
        """PRAM matrix of a column with these frequencies, of this data set or another.

        Parameters
        ----------
        frequencies : array_like (n_categories,)
            Number of records of each category, at least 0.

        Returns
        -------
        float array (n_categories, n_categories)
            Probability that the category of the row becomes that of the column. Rows sum to 1
            within 1e-12; a row whose values are all 0 or not finite is that of the identity.

        Raises
        ------
        ValueError
            If a frequency is negative or not finite, or there is none.
        """
        return equation_matrix(self._tree, frequencies)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Equation):
            return NotImplemented
        return self._postfix == other._postfix

    def __hash__(self) -> int:
        return hash(self._postfix)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Equation.parse({self.text!r})"
