"""Searches: one file each, by family, listed once in :data:`ALGORITHMS`.

Names are loaded when they are used, so that a search brings no other family along.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anonopt.algorithms.base import Search as Search
    from anonopt.algorithms.entry import AlgorithmEntry as AlgorithmEntry
    from anonopt.algorithms.exact import column_bounds as column_bounds
    from anonopt.algorithms.exact.branch_and_bound import BranchAndBound as BranchAndBound
    from anonopt.algorithms.exact.datafly import Datafly as Datafly
    from anonopt.algorithms.exact.epsilon_constraint import (
        EpsilonConstraint as EpsilonConstraint,
    )
    from anonopt.algorithms.exact.exhaustive import ExhaustiveSearch as ExhaustiveSearch
    from anonopt.algorithms.exact.fixed_k import FixedKSearch as FixedKSearch
    from anonopt.algorithms.exact.incognito import Incognito as Incognito
    from anonopt.algorithms.exact.ola import OLA as OLA
    from anonopt.algorithms.exact.samarati import Samarati as Samarati
    from anonopt.algorithms.local.descent import DescentSearch as DescentSearch
    from anonopt.algorithms.local.lattice_vnd import LatticeVND as LatticeVND
    from anonopt.algorithms.local.level_search import GreedyDescent as GreedyDescent
    from anonopt.algorithms.local.level_search import LevelSearch as LevelSearch
    from anonopt.algorithms.masking.masking_ea import MaskingEA as MaskingEA
    from anonopt.algorithms.masking.masking_ea import without_best as without_best
    from anonopt.algorithms.masking.memetic_masking import MemeticMasking as MemeticMasking
    from anonopt.algorithms.masking.memetic_pram import MemeticPRAM as MemeticPRAM
    from anonopt.algorithms.masking.pramea import PRAMEA as PRAMEA
    from anonopt.algorithms.masking.pramgp import PRAMGP as PRAMGP
    from anonopt.algorithms.population.cmaes import CMAES as CMAES
    from anonopt.algorithms.population.continuous_presets import de as de
    from anonopt.algorithms.population.continuous_presets import pso as pso
    from anonopt.algorithms.population.evolutionary import EvolutionarySearch as EvolutionarySearch
    from anonopt.algorithms.population.kgen import KGEN as KGEN
    from anonopt.algorithms.population.one_plus_one import OnePlusOneES as OnePlusOneES
    from anonopt.algorithms.population.pbgea import PBGEA as PBGEA
    from anonopt.algorithms.population.presets import ga as ga
    from anonopt.algorithms.population.presets import nsga2 as nsga2
    from anonopt.algorithms.population.presets import nsga3 as nsga3
    from anonopt.algorithms.population.presets import smsemoa as smsemoa
    from anonopt.algorithms.population.presets import spea2 as spea2
    from anonopt.algorithms.population.random_search import RandomSearch as RandomSearch
    from anonopt.algorithms.recoding.bottom_up import BottomUpRecoding as BottomUpRecoding
    from anonopt.algorithms.recoding.exact_recoding_search import (
        ExactRecodingSearch as ExactRecodingSearch,
    )
    from anonopt.algorithms.recoding.k_member import KMemberRecoding as KMemberRecoding
    from anonopt.algorithms.recoding.mondrian import MondrianRecoding as MondrianRecoding
    from anonopt.algorithms.recoding.recoding_search import RecodingSearch as RecodingSearch
    from anonopt.algorithms.recoding.relaxed_mondrian import (
        RelaxedMondrianRecoding as RelaxedMondrianRecoding,
    )
    from anonopt.algorithms.recoding.top_down import TopDownRecoding as TopDownRecoding
    from anonopt.algorithms.registry import ALGORITHMS as ALGORITHMS
    from anonopt.algorithms.registry import default_algorithm as default_algorithm
    from anonopt.algorithms.registry import default_algorithms as default_algorithms
    from anonopt.algorithms.registry import get_algorithm as get_algorithm
    from anonopt.algorithms.registry import list_algorithms as list_algorithms
else:
    # Hidden from type checkers: a visible __getattr__ would turn every misspelt name into Any.
    from anonopt._lazy import load_late

    _PLACES, __getattr__, __dir__ = load_late(
        __name__,
        {
            "base": "Search",
            "entry": "AlgorithmEntry",
            "exact.branch_and_bound": "BranchAndBound",
            "exact": "column_bounds",
            "exact.datafly": "Datafly",
            "exact.epsilon_constraint": "EpsilonConstraint",
            "exact.exhaustive": "ExhaustiveSearch",
            "exact.fixed_k": "FixedKSearch",
            "exact.incognito": "Incognito",
            "exact.ola": "OLA",
            "exact.samarati": "Samarati",
            "local.descent": "DescentSearch",
            "local.lattice_vnd": "LatticeVND",
            "local.level_search": "GreedyDescent LevelSearch",
            "masking.masking_ea": "MaskingEA without_best",
            "masking.memetic_masking": "MemeticMasking",
            "masking.memetic_pram": "MemeticPRAM",
            "masking.pramea": "PRAMEA",
            "masking.pramgp": "PRAMGP",
            "population.cmaes": "CMAES",
            "population.continuous_presets": "de pso",
            "population.evolutionary": "EvolutionarySearch",
            "population.kgen": "KGEN",
            "population.one_plus_one": "OnePlusOneES",
            "population.pbgea": "PBGEA",
            "population.presets": "ga nsga2 nsga3 smsemoa spea2",
            "population.random_search": "RandomSearch",
            "recoding.bottom_up": "BottomUpRecoding",
            "recoding.exact_recoding_search": "ExactRecodingSearch",
            "recoding.k_member": "KMemberRecoding",
            "recoding.mondrian": "MondrianRecoding",
            "recoding.recoding_search": "RecodingSearch",
            "recoding.relaxed_mondrian": "RelaxedMondrianRecoding",
            "recoding.top_down": "TopDownRecoding",
            "registry": "ALGORITHMS default_algorithm default_algorithms get_algorithm "
            "list_algorithms",
        },
    )
    __all__ = sorted(_PLACES)
