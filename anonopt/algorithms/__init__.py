"""Searches: one file each, listed once in :data:`ALGORITHMS`, and ``solve`` that runs them."""

from anonopt.algorithms.exact.branch_and_bound import BranchAndBound
from anonopt.algorithms.exact.column_bounds import column_bounds
from anonopt.algorithms.exact.datafly import Datafly
from anonopt.algorithms.exact.exhaustive import ExhaustiveSearch
from anonopt.algorithms.exact.incognito import Incognito
from anonopt.algorithms.exact.ola import OLA
from anonopt.algorithms.exact.samarati import Samarati
from anonopt.algorithms.local.greedy_descent import GreedyDescent
from anonopt.algorithms.local.lattice_vnd import LatticeVND
from anonopt.algorithms.local.level_search import LevelSearch
from anonopt.algorithms.masking.masking_ea import MaskingEA, without_best
from anonopt.algorithms.masking.pramea import PRAMEA
from anonopt.algorithms.masking.pramgp import PRAMGP
from anonopt.algorithms.population.kgen import KGEN
from anonopt.algorithms.population.pbgea import PBGEA
from anonopt.algorithms.population.presets import ga, nsga2, nsga3, smsemoa, spea2
from anonopt.algorithms.population.random_search import RandomSearch
from anonopt.algorithms.registry import (
    ALGORITHMS,
    AlgorithmEntry,
    get_algorithm,
    list_algorithms,
)

__all__ = [
    "ALGORITHMS",
    "KGEN",
    "OLA",
    "PBGEA",
    "PRAMEA",
    "PRAMGP",
    "AlgorithmEntry",
    "BranchAndBound",
    "Datafly",
    "ExhaustiveSearch",
    "GreedyDescent",
    "Incognito",
    "LatticeVND",
    "LevelSearch",
    "MaskingEA",
    "RandomSearch",
    "Samarati",
    "column_bounds",
    "ga",
    "get_algorithm",
    "list_algorithms",
    "nsga2",
    "nsga3",
    "smsemoa",
    "spea2",
    "without_best",
]
