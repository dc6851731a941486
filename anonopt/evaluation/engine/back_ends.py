"""Which back end evaluates nodes: kernels on the distinct tuples, or the engine that has them."""

from __future__ import annotations

import warnings
from typing import Literal, TypeAlias

from anonopt._checks import check_choice
from anonopt.data import Microdata
from anonopt.evaluation.engine.engine_nodes import EngineNodes
from anonopt.evaluation.engine.parts_of_nodes import check_bounds
from anonopt.evaluation.lattice.nodes import NodeEvaluator
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.sources.large_table import LargeTable

Backend = Literal["auto", "rollup", "direct", "wide", "engine"]

SingleNodes: TypeAlias = NodeEvaluator | EngineNodes
"""What evaluates single nodes."""


def chosen_backend(
    table: Microdata, backend: Backend, rule: SuppressionRule, executor: object = None
) -> str:
    """The back end asked for, or the engine where the distinct tuples are too many.

    Parameters
    ----------
    table : Microdata
    backend : str
    rule : SuppressionRule
    executor : object, optional
        Whose workers are to measure nodes; the engine has workers of its own.

    Raises
    ------
    ValueError
        If it is none, the engine is asked for and has no rows, it and an executor are to
        evaluate nodes, or it cannot tell a bound of the rule.
    """
    chosen = _chosen(table, backend)
    if chosen == "engine":
        check_bounds(rule)
    if chosen == "engine" and executor is not None:
        raise ValueError(
            f"executor: expected none where DuckDB evaluates nodes, found {executor!r}; "
            "workers take tables whose distinct tuples fit into memory (max_tuples)"
        )
    return chosen


def _chosen(table: Microdata, backend: Backend) -> str:
    check_choice("backend", backend, ("auto", "rollup", "direct", "wide", "engine"))
    if not isinstance(table, LargeTable):
        if backend == "engine":
            raise ValueError(
                "backend: expected 'engine' with a table of DuckDB, found one in memory"
            )
        return backend
    if backend == "engine":
        # Refused where the source is another engine.
        table.nodes  # noqa: B018
    elif backend == "auto" and table.is_in_engine:
        warnings.warn(
            f"{table.source!r}: more than {table.max_tuples:,} distinct tuples (max_tuples), so "
            "each node is grouped by DuckDB",
            stacklevel=4,
        )
        return "engine"
    return backend


def engine_nodes(
    backend: str, table: Microdata, tuples: DistinctTuples, rule: SuppressionRule
) -> EngineNodes | None:
    """What evaluates single nodes, if that is the engine."""
    if backend != "engine" or not isinstance(table, LargeTable):
        return None
    return EngineNodes(table, tuples, rule)
