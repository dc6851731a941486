"""The node that ``anonopt anonymize`` applies: found, proven best or not, or none at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from anonopt.cli.check import wishes
from anonopt.cli.console import exact_front, note, show
from anonopt.cli.searching import search_in_turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anonopt.cli.config import SearchSection
    from anonopt.problems import LatticeProblem

GIVEN = "given"
EXHAUSTIVE = "exhaustive"
"""Default where the lattice can be enumerated."""

BEST_AT_TOP = frozenset(
    {"k", "l", "l_all", "t", "t_ordered", "t_hierarchical", "delta_disclosure", "beta_likeness"}
    | {"highest_risk", "average_risk", "unique_rows", "journalist_risk", "marketer_risk"}
)
BEST_UNSUPPRESSED = frozenset({"entropy_l", "recursive_cl"})
"""Measures of which no node is better than the top, where the table is one class: whatever is
suppressed, and where nothing may be."""

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
    if search.node:
        return _given(problem, search)
    names, hint = _algorithms(problem, search)
    top = problem.lattice.top
    failed = _failures(problem, search, top)
    if failed:
        return _choice(
            problem,
            [top],
            algorithm=names[0],
            feasible=False,
            is_proven=False,
            message=f"no node is feasible: at the top node, where it is best, {', '.join(failed)}",
        )
    if names[0] == EXHAUSTIVE and (search.budget is None or search.budget >= problem.lattice.size):
        return _best_of_all(problem)
    return _best_found(problem, search, names, hint)


def _given(problem: LatticeProblem, search: SearchSection) -> Choice:
    """The node that somebody has chosen already."""
    names = [str(name) for name in problem.table.quasi_identifiers]
    if len(search.node) != len(names):
        raise ValueError(
            f"node: expected {len(names)} levels, of {', '.join(names)}, found {len(search.node)}"
        )
    (node,) = problem.lattice.validate([search.node]).tolist()
    G = problem.evaluate(np.array([node]), return_values_of=["G"])[0]
    missed = [name for name, g in zip(problem.constraint_names, G, strict=True) if g > 0]
    verdict = f"it misses {', '.join(missed)}" if missed else "nothing was searched"
    return _choice(
        problem,
        [node],
        algorithm=GIVEN,
        feasible=not missed,
        is_proven=False,
        message=f"the node {tuple(node)} was given: {verdict}",
    )


def _algorithms(problem: LatticeProblem, search: SearchSection) -> tuple[list[str], str]:
    """Algorithms that are tried until one proves its node, and why it is these."""
    from anonopt.algorithms import default_algorithms, get_algorithm
    from anonopt.algorithms.node_tests import TestingSearch
    from anonopt.problems.lattice import ENUMERATION_LIMIT

    if search.algorithm is not None:
        try:
            algorithm = get_algorithm(search.algorithm, problem)
        except ValueError as error:
            raise ValueError(f"search.algorithm: {error}") from error
        if search.test_budget is not None and not isinstance(algorithm, TestingSearch):
            raise ValueError(
                "search.test_budget: expected an algorithm that tests nodes, such as "
                f"branch-and-bound, found {search.algorithm}"
            )
        return [search.algorithm], ""
    size = problem.lattice.size
    limit = min(ENUMERATION_LIMIT, size if search.budget is None else search.budget)
    if size <= limit:
        return [EXHAUSTIVE], ""
    remark = f"the lattice has {size:,} nodes, of which at most {limit:,} may all be tried; "
    return default_algorithms(problem), remark


def _failures(problem: LatticeProblem, search: SearchSection, top: tuple[int, ...]) -> list[str]:
    """What no node can meet as the top node, which suppresses nothing, does not; in words."""
    if problem.evaluator.suppressed_rows(np.array([top]))[0]:
        # It misses class bounds, and then says nothing of nodes that suppress less.
        return []
    G = problem.evaluate(np.array([top]), return_values_of=["G"])[0]
    found, asked = _figures(problem, top), asked_of(search)
    best = BEST_AT_TOP | (BEST_UNSUPPRESSED if problem.evaluator.rule.budget == 0 else frozenset())
    return [
        f"{name} is {show(found[name])}, asked for {asked[name]}"
        for name, g in zip(problem.constraint_names, G, strict=True)
        if g > 0 and name.partition(":")[0] in best
    ]


def asked_of(search: SearchSection) -> dict[str, str]:
    """What a configuration asks of each figure, as text."""
    return wishes(k=search.k, l=search.l, t=search.t, bounds=_in_all_classes(search))


def _in_all_classes(search: SearchSection) -> dict[str, float]:
    """Bounds besides k, l and t that every class of the protected table meets.

    What misses ``class_bounds`` is suppressed; of two bounds of a measure the stricter holds.
    """
    from anonopt.measures import get_measure

    found = search.further_bounds
    for name, bound in search.class_bounds.items():
        stricter = max if get_measure(name, of="node").maximize else min
        found[name] = stricter(bound, found.get(name, bound))
    return found


def bounds_of_classes(search: SearchSection) -> dict[str, float]:
    """Bounds besides k, l and t that can be looked at in the classes of the protected table."""
    from anonopt.measures import get_measure
    from anonopt.measures.lattice.statistics import POPULATION

    # The register that comes with the table is not generalized like it.
    return {
        name: bound
        for name, bound in _in_all_classes(search).items()
        if (measure := get_measure(name, of="node")).per_class is not None
        and POPULATION not in measure.needs
    }


def _best_of_all(problem: LatticeProblem) -> Choice:
    note("Searching ", f"all {problem.lattice.size:,} nodes")
    nodes = exact_front(problem)[list(problem.space.names)]
    if len(nodes) == 0:
        return _choice(
            problem,
            [problem.lattice.top],
            algorithm=EXHAUSTIVE,
            feasible=False,
            is_proven=False,
            message=f"all {problem.lattice.size:,} nodes were evaluated: none is feasible",
        )
    return _choice(
        problem,
        nodes.to_numpy().tolist(),
        algorithm=EXHAUSTIVE,
        feasible=True,
        is_proven=True,
        message=f"all {problem.lattice.size:,} nodes were evaluated: no node is better",
    )


def _best_found(
    problem: LatticeProblem, search: SearchSection, names: Sequence[str], hint: str
) -> Choice:
    found = search_in_turn(
        problem,
        names,
        title=f"{problem.lattice.size:,} nodes",
        budget=search.budget,
        default_budget=DEFAULT_BUDGET,
        test_budget=search.test_budget,
        seed=search.seed,
    )
    result, searched = found.result, hint + found.text
    verdict = "no node is better" if result.proven else "a better node may exist"
    nodes = result.X if result.success else result.least_infeasible[list(problem.space.names)]
    return _choice(
        problem,
        np.asarray(nodes).tolist(),
        algorithm=found.algorithm,
        feasible=result.success,
        is_proven=result.proven,
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
    bounded = [measure.name for measure, _ in problem.constraints]
    bounded += [bound.measure.name for bound in problem.evaluator.rule.bounds]
    measures = list(dict.fromkeys([*problem.objective_names, *private, *bounded, "suppressed"]))
    frame = problem.evaluator.evaluate([node], measures)
    return {name: frame[name].iloc[0] for name in measures}
