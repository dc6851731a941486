"""k-member clustering: clusters of k rows, each grown by the row that adds least to its loss.

Idea: take the row farthest from the last one, add the rows that raise the loss of its cluster
least until there are k, and begin the next cluster; the few rows that are left go where they lose
least. Rows are weighed one by one, so that small groups of much alike rows are found.

Paper: J.-W. Byun, A. Kamra, E. Bertino and N. Li, *Efficient k-Anonymization Using Clustering
Techniques*, Proceedings of the 12th International Conference on Database Systems for Advanced
Applications (2007), Section 4.

Decided where the paper is silent, or differently:

- the first cluster starts farthest from the first row of the table; the paper draws that row, as
  `random_state` does; rows that are left are taken in the order of their values, not drawn;
- of equal rows the first in the order of values is taken, of equal clusters the first made;
- the loss of a number is the share of the hierarchy's leaves that its label covers;
- a nominal column loses by height, as in the paper, or by leaves as the general loss metric has it;
- bounds of classes, which the paper has not: clusters have as many rows as distinct sensitive
  values are wanted, and those that miss a bound are joined with those where that loses least;
- nothing is suppressed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anonopt._checks import check_choice, check_integer
from anonopt._typing import Accelerator
from anonopt.algorithms.recoding.constructive import LabelledRecoding
from anonopt.data import Microdata
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.local_recoding.k_member import NOMINAL_LOSSES, NominalLoss, k_member_groups


class KMemberRecoding(LabelledRecoding):
    """k-member clustering over hierarchies; see :func:`anonopt.local_recoding.k_member_groups`.

    Parameters
    ----------
    nominal : {"height", "leaves"}
        What the label of a nominal column loses: the share of the hierarchy's height, or that of
        its leaves, as in the general loss metric.
    random_state : int, optional
        Seed that draws the row from which the first cluster is farthest; by default it is the first
        row of the table. Runs do not depend on the seed of the search.
    accelerator : {"auto", "numpy", "numba"}
        Whether compiled kernels are used; results are the same.
    labels, ordered, n_k, termination
        As in `LabelledRecoding`.

    Raises
    ------
    ValueError
        If an option is out of its range; when the search is set up, if k is above the number of
        rows or the table as a whole misses a bound of classes.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.problems.LocalRecodingProblem(
    ...     ao.load_dataset("patients"), ["glm", "k"], k=3, genome="groups"
    ... )
    >>> ao.solve(problem, KMemberRecoding(nominal="leaves")).front["k"].tolist()
    [3.0]
    """

    def __init__(
        self,
        *,
        nominal: NominalLoss = "height",
        random_state: int | None = None,
        accelerator: Accelerator = "auto",
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.nominal = check_choice("nominal", nominal, NOMINAL_LOSSES)
        self.accelerator = accelerator
        self.start_seed = (
            None if random_state is None else check_integer("random_state", random_state, least=0)
        )

    def _groups(
        self, table: Microdata, k: int, bounds: Mapping[Any, float], budget: int
    ) -> RecodedGroups:
        return k_member_groups(
            table,
            k,
            nominal=self.nominal,
            labels=self.labels,
            ordered=self.ordered,
            class_bounds=bounds,
            random_state=self.start_seed,
            accelerator=self.accelerator,
        )
