"""The node that ``anonopt anonymize`` applies: found, proven best or not, or none at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from anonopt.cli.anonymizing.asked import asked_of, best_in_one_class
from anonopt.cli.anonymizing.choice import Choice
from anonopt.cli.console import exact_front, note, print_table, show
from anonopt.cli.searching import search_in_turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from anonopt._typing import BoolArray
    from anonopt.cli.configuration.config import SearchSection
    from anonopt.problems import LatticeProblem

GIVEN = "given"
EXHAUSTIVE = "exhaustive"
"""Default where the lattice can be enumerated."""

DEFAULT_BUDGET = 10_000
"""Distinct nodes that a search other than the exhaustive one evaluates."""


@dataclass(frozen=True, kw_only=True)
class NodeChoice(Choice):
    """A node and how it was come by.

    Attributes
    ----------
    problem : LatticeProblem
    node : tuple of int
        Levels; of the nearest node if none is feasible.
    n_best : int
        Nodes found that are as good; this is the first in the order of the lattice.
    """

    problem: LatticeProblem
    node: tuple[int, ...]
    n_best: int

    @property
    def levels(self) -> dict[str, int]:
        """The node by quasi-identifier."""
        return dict(zip(self.problem.space.names, self.node, strict=True))

    @property
    def searched(self) -> str:
        """Size of what was searched."""
        return f"{self.problem.lattice.size:,} nodes"

    @property
    def facts(self) -> dict[str, Any]:
        """What the JSON tells of it beside its figures."""
        return {"n_best": self.n_best, "n_nodes": self.problem.lattice.size, "node": self.levels}

    @property
    def recorded(self) -> dict[str, Any]:
        """What the record tells of it beside its figures."""
        return {"node": self.levels}

    def applied(self) -> tuple[pd.DataFrame, BoolArray]:
        """The protected table and the mask of its suppressed rows."""
        return self.problem.protect(self.node), self.problem.suppressed_rows(self.node)

    def attribute_loss(self) -> pd.DataFrame:
        """What it does to each quasi-identifier, one row each."""
        return self.problem.evaluator.attribute_loss(self.node).reset_index()

    def print_loss(self) -> None:
        """Print level and loss of each quasi-identifier."""
        columns = ["quasi-identifier", "level", "of", "loss in rows", "share of the largest"]
        names = ["quasi_identifier", "level", "height", "glm", "glm_normalized"]
        print_table(
            columns,
            self.attribute_loss()[names].itertuples(index=False, name=None),
            title="Chosen node" if self.feasible else "Nearest node, not applied",
            numeric=columns[1:],
        )


def choose_node(problem: LatticeProblem, search: SearchSection) -> NodeChoice:
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


def _given(problem: LatticeProblem, search: SearchSection) -> NodeChoice:
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
    from anonopt.problems.exact_front import ENUMERATION_LIMIT

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
    best = best_in_one_class(problem.evaluator.rule.budget)
    return [
        f"{name} is {show(found[name])}, asked for {asked[name]}"
        for name, g in zip(problem.constraint_names, G, strict=True)
        if g > 0 and name.partition(":")[0] in best
    ]


def _best_of_all(problem: LatticeProblem) -> NodeChoice:
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
) -> NodeChoice:
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
) -> NodeChoice:
    node = tuple(int(level) for level in nodes[0])
    if facts["feasible"] and len(nodes) > 1:
        message += f"; {len(nodes):,} nodes are equally good, the first is taken"
    return NodeChoice(
        problem=problem,
        node=node,
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
