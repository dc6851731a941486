"""The node that ``anonopt anonymize`` applies: found, proven best or not, or none at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from anonopt.cli.check import wishes
from anonopt.cli.console import exact_front, is_watched, note, show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anonopt.cli.config import SearchSection
    from anonopt.problems import LatticeProblem

EXHAUSTIVE = "exhaustive"
LARGE_LATTICE_SEARCH = "ga"
"""Default where the lattice is too large to be enumerated."""

DEFAULT_BUDGET = 10_000
"""Distinct nodes that a search other than the exhaustive one evaluates."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A node and how it was come by.

    Attributes
    ----------
    node : tuple of int
        Levels; of the nearest node if none is feasible.
    feasible : bool
        Whether it meets k within the budget, and l and t.
    levels : dict
        The same by quasi-identifier.
    figures : dict
        Objective, k, l and t (if there is a sensitive column) and suppressed rows.
    algorithm : str
    is_proven : bool
        Whether no node is better.
    n_best : int
        Nodes found that are as good; this is the first in the order of the lattice.
    message : str
        What was searched and what came of it.
    """

    node: tuple[int, ...]
    feasible: bool
    levels: dict[str, int]
    figures: dict[str, Any]
    algorithm: str
    is_proven: bool
    n_best: int
    message: str


def choose_node(problem: LatticeProblem, search: SearchSection) -> Choice:
    """Find the best feasible node of a problem with one objective.

    Raises
    ------
    ValueError
        If the algorithm is unknown, or does not take the problem.
    """
    name, hint = _algorithm(problem, search)
    top = problem.lattice.top
    failed = _failures(problem, search, top)
    if failed:
        # No class has more distinct sensitive values than the whole table, which is the one
        # class of the top; there t is 0 and nothing is suppressed.
        return _choice(
            problem,
            [top],
            algorithm=name,
            feasible=False,
            is_proven=False,
            message=f"no node is feasible: at the top node, where it is best, {', '.join(failed)}",
        )
    if name == EXHAUSTIVE and (search.budget is None or search.budget >= problem.lattice.size):
        return _best_of_all(problem)
    return _best_found(problem, search, name, hint)


def _algorithm(problem: LatticeProblem, search: SearchSection) -> tuple[str, str]:
    """Name of the algorithm, and a remark if it is not the default one."""
    from anonopt.algorithms import get_algorithm
    from anonopt.problems.lattice import ENUMERATION_LIMIT

    if search.algorithm is not None:
        try:
            get_algorithm(search.algorithm, problem)
        except ValueError as error:
            raise ValueError(f"search.algorithm: {error}") from error
        return search.algorithm, ""
    size = problem.lattice.size
    limit = min(ENUMERATION_LIMIT, size if search.budget is None else search.budget)
    if size <= limit:
        return EXHAUSTIVE, ""
    remark = f"the lattice has {size:,} nodes, of which at most {limit:,} may all be tried; "
    return LARGE_LATTICE_SEARCH, remark


def _failures(problem: LatticeProblem, search: SearchSection, node: tuple[int, ...]) -> list[str]:
    """What a node that suppresses nothing misses, in words."""
    G = problem.evaluate(np.array([node]), return_values_of=["G"])[0]
    found, asked = _figures(problem, node), wishes(k=search.k, l=search.l, t=search.t)
    return [
        f"{name} is {show(found[name])}, asked for {asked[name]}"
        for name, g in zip(problem.constraint_names, G, strict=True)
        if g > 0
    ]


def _best_of_all(problem: LatticeProblem) -> Choice:
    note("Searching ", f"all {problem.lattice.size:,} nodes")
    nodes = exact_front(problem)[list(problem.space.names)]
    return _choice(
        problem,
        nodes.to_numpy().tolist(),
        algorithm=EXHAUSTIVE,
        feasible=True,
        is_proven=True,
        message=f"all {problem.lattice.size:,} nodes were evaluated: no node is better",
    )


def _best_found(problem: LatticeProblem, search: SearchSection, name: str, hint: str) -> Choice:
    from anonopt.algorithms import get_algorithm
    from anonopt.runs import solve

    budget = DEFAULT_BUDGET if search.budget is None else search.budget
    note("Searching ", f"{problem.lattice.size:,} nodes with {name}, {budget:,} at most")
    result = solve(
        problem,
        get_algorithm(name, problem),
        budget=budget,
        seed=search.seed,
        progress=is_watched(),
    )
    is_proven = result.n_unique == problem.space.size
    searched = (
        f"{hint}{name} with seed {result.seed} evaluated {result.n_unique:,} nodes "
        f"({result.message})"
    )
    verdict = "no node is better" if is_proven else "a better node may exist"
    nodes = result.X if result.success else result.least_infeasible[list(problem.space.names)]
    return _choice(
        problem,
        np.asarray(nodes).tolist(),
        algorithm=name,
        feasible=result.success,
        is_proven=is_proven,
        message=f"{searched}: {verdict}" if result.success else searched,
    )


def _choice(
    problem: LatticeProblem, nodes: Sequence[Sequence[int]], *, message: str, **facts: Any
) -> Choice:
    node = tuple(int(level) for level in nodes[0])
    if facts["feasible"] and len(nodes) > 1:
        message += f"; {len(nodes):,} nodes are equally good, the first is taken"
    return Choice(
        node=node,
        levels=dict(zip(problem.space.names, node, strict=True)),
        figures=_figures(problem, node),
        n_best=len(nodes),
        message=message,
        **facts,
    )


def _figures(problem: LatticeProblem, node: tuple[int, ...]) -> dict[str, Any]:
    private = ["k"] if problem.table.sensitive is None else ["k", "l", "t"]
    measures = list(dict.fromkeys([*problem.objective_names, *private, "suppressed"]))
    frame = problem.evaluator.evaluate([node], measures)
    return {name: frame[name].iloc[0] for name in measures}
