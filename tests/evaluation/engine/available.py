"""Measures that a table has what they need for."""

from __future__ import annotations

from anonopt import LatticeEvaluator, list_measures


def measures_of(evaluator: LatticeEvaluator) -> list[str]:
    """Names of measures of nodes."""
    found = []
    for name in list_measures(of="node").index:
        try:
            evaluator.measure(name)
        except ValueError:
            continue
        found.append(name)
    return found
