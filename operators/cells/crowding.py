"""Deterministic crowding: a child competes with its own parent and with nobody else."""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.core.survival import Survival

from anonopt._typing import IntArray
from anonopt.measures.fronts.boxes import dominates


class DeterministicCrowding(Survival):
    """Of each parent and its child the better one survives, the child if they are equal.

    Mahfoud 1992, as in Mares 2013, Section 3.4. A child replaces its parent if it violates the
    constraints less or, of equal violation, dominates it or has the same objectives. The thesis
    does not say who survives among equals; children let a search move along plateaus.

    Examples
    --------
    Two parents and their children, in this order:

    >>> import numpy as np
    >>> from pymoo.core.population import Population
    >>> pop = Population.new("F", np.array([[3.0], [1.0], [2.0], [2.0]]), "CV", np.zeros((4, 1)))
    >>> DeterministicCrowding().do(None, pop, n_survive=2).get("F").tolist()
    [[2.0], [1.0]]
    """

    def __init__(self) -> None:
        super().__init__(filter_infeasible=False)

    def do(
        self,
        problem: Any,
        pop: Any,
        *args: Any,
        n_survive: int | None = None,
        return_indices: bool = False,
        **kwargs: Any,
    ) -> Any:
        """Choose the survivors of parents and children.

        Parameters
        ----------
        problem : pymoo Problem
        pop : pymoo Population (2 * n,)
            Evaluated: n parents, then the child of each, in the same order.
        n_survive : int, optional
            Must be n.
        return_indices : bool
            Return rows instead of individuals.

        Returns
        -------
        pymoo Population (n,), or list of int
            In the order of the parents.

        Raises
        ------
        ValueError
            If not every parent has a child, or n_survive is another number.
        """
        n_parents, rest = divmod(len(pop), 2)
        if rest or n_survive not in (None, n_parents):
            raise ValueError(
                "pop: expected n parents, n children and n_survive = n, "
                f"found {len(pop)} individuals and n_survive = {n_survive}"
            )
        rows = self._survivors(pop, n_parents)
        return rows.tolist() if return_indices else pop[rows]

    def _do(self, problem: Any, pop: Any, *args: Any, **kwargs: Any) -> Any:
        return pop[self._survivors(pop, len(pop) // 2)]

    def _survivors(self, pop: Any, n_parents: int) -> IntArray:
        F, CV = pop.get("F"), np.maximum(pop.get("CV")[:, 0], 0)
        parents, children = np.arange(n_parents), np.arange(n_parents, 2 * n_parents)
        not_worse = dominates(F[children], F[parents]) | np.all(F[children] == F[parents], axis=1)
        replaced = (CV[children] < CV[parents]) | ((CV[children] == CV[parents]) & not_worse)
        return np.where(replaced, children, parents)
