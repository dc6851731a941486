"""Named problems: the same task under the same name for everybody who compares searches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd

from anonopt._registry import Registry
from anonopt.graphs import generate_graph
from anonopt.problems.base import AnonymizationProblem, check_problem
from anonopt.problems.graph import GraphProblem
from anonopt.problems.named.entry import ProblemEntry, named_problem
from anonopt.problems.named.lattices import CARGO_LATTICES, LATTICES
from anonopt.problems.named.local_recodings import LOCAL_RECODINGS
from anonopt.problems.named.masked_files import LOSS_AND_RISK, MASKED_FILES
from anonopt.problems.named.suppressed_cells import SUPPRESSED_CELLS
from anonopt.problems.recipes import Recipe
from anonopt.problems.spaces import Visits


def _entry(
    name: str, factory: ProblemEntry | Callable[..., AnonymizationProblem], **facts: str
) -> ProblemEntry:
    """Entry of a problem that is registered."""
    if isinstance(factory, ProblemEntry):
        return factory
    if not callable(factory):
        raise TypeError(f"problem {name!r}: expected a function that makes it, found {factory!r}")
    return ProblemEntry(factory, **{"summary": "", "paper": "", "optimum": "not known", **facts})


_NAMED: dict[str, ProblemEntry] = {
    **LATTICES,
    **LOCAL_RECODINGS,
    **SUPPRESSED_CELLS,
    "graph-small": named_problem(
        GraphProblem,
        Visits,
        partial(generate_graph, "small", seed=1),
        LOSS_AND_RISK,
        options={"k": 3},
        summary="generated social graph, 306 nodes: information loss against disclosure risk at "
        "k = 3",
        paper="Mares 2013, Section 6.5, with a search of its Algorithm 14",
        optimum="not known",
    ),
    **MASKED_FILES,
    **CARGO_LATTICES,
}
PROBLEMS: Registry[ProblemEntry] = Registry("problems", "problem", _NAMED, make=_entry)
"""Name to entry, in the order of the documentation."""


def get_problem(name: str, **options: Any) -> AnonymizationProblem:
    """Build a named problem.

    Parameters
    ----------
    name : str
        See `list_problems`.
    **options
        Options of the problem's class that replace those of the name, e.g. ``suppression=0``.
        Problems that mask German, Flare or Adult take ``empty_categories=True`` as well, see
        :func:`~anonopt.data.masking_set`: the domains of Mares 2013.

    Raises
    ------
    ValueError
        If no problem has that name (lists the nearest names).
    TypeError
        If what is registered under it makes something else.

    Examples
    --------
    >>> get_problem("adult-k-glm").objective_names
    ('k', 'glm')
    >>> get_problem("german-pram", empty_categories=True).columns.n_categories
    (5, 6, 6)
    """
    problem = PROBLEMS.find(name).factory(**options)
    check_problem(problem)
    problem.recipe = Recipe(name, options)
    return problem


def list_problems() -> pd.DataFrame:
    """Tabulate the named problems.

    Returns
    -------
    DataFrame
        Index: name. Columns: space, objectives, summary, paper, optimum.

    Examples
    --------
    >>> list_problems().loc["adult-k-glm", ["space", "objectives"]].tolist()
    ['levels', 'k, glm']
    """
    columns = ["space", "objectives", "summary", "paper", "optimum"]
    rows = {name: [getattr(entry, fact) for fact in columns] for name, entry in PROBLEMS.items()}
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("name")
