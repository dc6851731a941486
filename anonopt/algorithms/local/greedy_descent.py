"""Greedy descent with random restarts: the simplest search that uses the lattice.

Idea: start at the top, which is feasible if any node is. Take the columns in a random order and
lower each as far as the node stays feasible; nothing can be lowered any more at the end. Begin
again with another order.

Paper: none; it is multi-start first-improvement descent, and the descent is that of a strategy
path in K. El Emam et al., *A globally optimal k-anonymity method for the de-identification of
health data*, JAMIA 16 (2009), with a random path.

Decided: where raising a level may make a node infeasible or better, the best node passed counts,
and the descent goes on. A node below one known to be infeasible under the fixed-k rule is not
evaluated. After a restart that meets no new node, random ones are drawn, and those that may be
better than the best are evaluated.
"""

from __future__ import annotations

from anonopt.algorithms.local.descent import DescentSearch


class GreedyDescent(DescentSearch):
    """Random-restart greedy descent from the top node, for one objective.

    It ends after 2,000 requests in a row that led to nothing new, or by a budget or termination.

    Parameters
    ----------
    termination : pymoo Termination or tuple, optional

    Raises
    ------
    ValueError
        When the search is set up, if the problem has several objectives, or its genomes are not
        integers with bounds.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.problems.LatticeProblem(
    ...     ao.load_dataset("adult"), ["generalization_level"], k=5, suppression=0.01
    ... )
    >>> result = ao.solve(problem, GreedyDescent(), budget=100, seed=1)
    >>> result.front["generalization_level"].round(4).tolist()
    [0.4792]
    """

    def _round(self) -> None:
        self.descend(self.memory.upper, self.random_columns())
