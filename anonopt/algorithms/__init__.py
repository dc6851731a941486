"""Searches: one file each, listed once in :data:`ALGORITHMS`, and ``solve`` that runs them."""

from anonopt.algorithms.callbacks import CallbackList
from anonopt.algorithms.exhaustive import ExhaustiveSearch
from anonopt.algorithms.memo import BudgetReached, MemoizingEvaluator
from anonopt.algorithms.pbgea import PBGEA
from anonopt.algorithms.presets import ga, nsga2, nsga3, smsemoa, spea2
from anonopt.algorithms.random_search import RandomSearch
from anonopt.algorithms.registry import (
    ALGORITHMS,
    AlgorithmEntry,
    get_algorithm,
    list_algorithms,
)
from anonopt.algorithms.result import Result
from anonopt.algorithms.solve import solve

__all__ = [
    "ALGORITHMS",
    "PBGEA",
    "AlgorithmEntry",
    "BudgetReached",
    "CallbackList",
    "ExhaustiveSearch",
    "MemoizingEvaluator",
    "RandomSearch",
    "Result",
    "ga",
    "get_algorithm",
    "list_algorithms",
    "nsga2",
    "nsga3",
    "smsemoa",
    "solve",
    "spea2",
]
