"""Searches: one file each, listed once in :data:`ALGORITHMS`, and ``solve`` that runs them."""

from anonopt.algorithms.branch_and_bound import BranchAndBound
from anonopt.algorithms.callbacks import CallbackList
from anonopt.algorithms.column_bounds import column_bounds
from anonopt.algorithms.datafly import Datafly
from anonopt.algorithms.exhaustive import ExhaustiveSearch
from anonopt.algorithms.greedy_descent import GreedyDescent
from anonopt.algorithms.incognito import Incognito
from anonopt.algorithms.kgen import KGEN
from anonopt.algorithms.lattice_vnd import LatticeVND
from anonopt.algorithms.level_search import LevelSearch
from anonopt.algorithms.masking_ea import MaskingEA, without_best
from anonopt.algorithms.memo import BudgetReached, MemoizingEvaluator
from anonopt.algorithms.ola import OLA
from anonopt.algorithms.pbgea import PBGEA
from anonopt.algorithms.pramea import PRAMEA
from anonopt.algorithms.pramgp import PRAMGP
from anonopt.algorithms.presets import ga, nsga2, nsga3, smsemoa, spea2
from anonopt.algorithms.random_search import RandomSearch
from anonopt.algorithms.registry import (
    ALGORITHMS,
    AlgorithmEntry,
    get_algorithm,
    list_algorithms,
)
from anonopt.algorithms.result import Result
from anonopt.algorithms.resume import resume_run, save_run
from anonopt.algorithms.samarati import Samarati
from anonopt.algorithms.solve import solve

__all__ = [
    "ALGORITHMS",
    "KGEN",
    "OLA",
    "PBGEA",
    "PRAMEA",
    "PRAMGP",
    "AlgorithmEntry",
    "BranchAndBound",
    "BudgetReached",
    "CallbackList",
    "Datafly",
    "ExhaustiveSearch",
    "GreedyDescent",
    "Incognito",
    "LatticeVND",
    "LevelSearch",
    "MaskingEA",
    "MemoizingEvaluator",
    "RandomSearch",
    "Result",
    "Samarati",
    "column_bounds",
    "ga",
    "get_algorithm",
    "list_algorithms",
    "nsga2",
    "nsga3",
    "resume_run",
    "save_run",
    "smsemoa",
    "solve",
    "spea2",
    "without_best",
]
