"""The algorithms that the library brings, one entry each; the registry adds those of users."""

from __future__ import annotations

from collections.abc import Mapping

from anonopt.algorithms.entry import AlgorithmEntry

HERE = __name__.rpartition(".")[0]

LEVELS = frozenset({"levels"})
GROUPS = frozenset({"groups"})


def _for_fixed_k(maker: str, *, summary: str, paper: str, exact: bool) -> AlgorithmEntry:
    """Entry of a class that searches k-anonymous nodes and draws nothing at random."""
    return AlgorithmEntry(
        maker=f"{HERE}.exact.{maker}",
        summary=summary,
        paper=paper,
        spaces=LEVELS,
        multi_objective=False,
        exact=exact,
        stochastic=False,
        fixed_k=True,
    )


def _constructive(maker: str, *, summary: str, paper: str) -> AlgorithmEntry:
    """Entry of a class that builds a recoding, draws nothing and looks at no objective."""
    return AlgorithmEntry(
        maker=f"{HERE}.recoding.{maker}",
        summary=summary,
        paper=paper,
        spaces=GROUPS,
        stochastic=False,
    )


BUILT_IN: Mapping[str, AlgorithmEntry] = {
    "pbgea": AlgorithmEntry(
        maker=f"{HERE}.population.pbgea.PBGEA",
        summary="evolutionary search with an archive of boxes",
        paper="Dewri et al. 2010, Algorithm 2",
    ),
    "lattice-vnd": AlgorithmEntry(
        maker=f"{HERE}.local.lattice_vnd.LatticeVND",
        summary="neighbourhoods of the front, pruned by bounds, ordered by estimates",
        paper="this library",
        spaces=LEVELS,
    ),
    "exhaustive": AlgorithmEntry(
        maker=f"{HERE}.exact.exhaustive.ExhaustiveSearch",
        summary="every genome, such as all nodes in lattice order",
        paper="Dewri et al. 2010, Section 7",
        exact=True,
        stochastic=False,
        whole_numbers=True,
    ),
    "random": AlgorithmEntry(
        maker=f"{HERE}.population.random_search.RandomSearch",
        summary="distinct genomes in a random order",
        paper="baseline",
    ),
    **{
        name: AlgorithmEntry(
            f"{HERE}.population.presets.{name}", summary, paper, single_objective=False
        )
        for name, summary, paper in (
            ("nsga2", "non-dominated ranks and crowding distance", "Deb et al. 2002"),
            ("nsga3", "non-dominated ranks and reference directions", "Deb and Jain 2014"),
            ("spea2", "strength of the dominators and density", "Zitzler et al. 2001"),
            ("smsemoa", "non-dominated ranks and hypervolume contribution", "Beume et al. 2007"),
        )
    },
    "ga": AlgorithmEntry(
        maker=f"{HERE}.population.presets.ga",
        summary="genetic algorithm for one objective",
        paper="Holland 1975",
        multi_objective=False,
    ),
    **{
        name: AlgorithmEntry(
            f"{HERE}.population.{maker}", summary, paper, multi_objective=False, real_numbers=True
        )
        for name, maker, summary, paper in (
            ("de", "continuous_presets.de", "differential evolution", "Storn and Price 1997"),
            (
                "pso",
                "continuous_presets.pso",
                "particle swarm with adaptive parameters",
                "Kennedy and Eberhart 1995",
            ),
            (
                "cmaes",
                "cmaes.CMAES",
                "evolution strategy that learns the covariance of good steps",
                "Hansen and Ostermeier 2001",
            ),
            (
                "es",
                "one_plus_one.OnePlusOneES",
                "one parent, one child, a step size that follows success",
                "Rechenberg 1973",
            ),
        )
    },
    "kgen": AlgorithmEntry(
        maker=f"{HERE}.population.kgen.KGEN",
        summary="genetic algorithm for k-anonymity with many quasi-identifiers",
        paper="De Pascale et al. 2022, Algorithm 1",
        spaces=LEVELS,
        multi_objective=False,
    ),
    "greedy": AlgorithmEntry(
        maker=f"{HERE}.local.level_search.GreedyDescent",
        summary="random-restart descent from the top node",
        paper="baseline",
        spaces=LEVELS,
        multi_objective=False,
    ),
    "level-search": AlgorithmEntry(
        maker=f"{HERE}.local.level_search.LevelSearch",
        summary="iterated local search between feasible and infeasible nodes",
        paper="this library",
        spaces=LEVELS,
        multi_objective=False,
    ),
    "branch-and-bound": _for_fixed_k(
        "branch_and_bound.BranchAndBound",
        summary="proven optimum of a loss under the fixed-k rule",
        paper="this library",
        exact=True,
    ),
    "epsilon-constraint": AlgorithmEntry(
        maker=f"{HERE}.exact.epsilon_constraint.EpsilonConstraint",
        summary="proven front of class size k and a loss, on lattices of any size",
        paper="Haimes et al. 1971, for nodes: this library",
        spaces=LEVELS,
        single_objective=False,
        exact=True,
        stochastic=False,
        node_measures=True,
    ),
    "ola": _for_fixed_k(
        "ola.OLA",
        summary="all k-minimal nodes, by binary search on paths of the lattice",
        paper="El Emam et al. 2009",
        exact=True,
    ),
    "incognito": _for_fixed_k(
        "incognito.Incognito",
        summary="all k-minimal nodes, from small sets of columns up",
        paper="LeFevre et al. 2005",
        exact=True,
    ),
    "samarati": _for_fixed_k(
        "samarati.Samarati",
        summary="a k-anonymous node of least height, by binary search",
        paper="Samarati 2001",
        exact=False,
    ),
    "datafly": _for_fixed_k(
        "datafly.Datafly",
        summary="a k-anonymous node, raising the column with most values",
        paper="Sweeney 2002",
        exact=False,
    ),
    "mondrian": _constructive(
        "mondrian.MondrianRecoding",
        summary="groups of rows, cut at medians for as long as all parts hold k",
        paper="LeFevre et al. 2006, Section 3.1",
    ),
    "mondrian-relaxed": _constructive(
        "relaxed_mondrian.RelaxedMondrianRecoding",
        summary="the same, with rows at a median on either side",
        paper="LeFevre et al. 2006, Section 3.2",
    ),
    "top-down": _constructive(
        "top_down.TopDownRecoding",
        summary="values give way to their children in all rows, as long as k holds",
        paper="Fung et al. 2005",
    ),
    "bottom-up": _constructive(
        "bottom_up.BottomUpRecoding",
        summary="children give way to their parent in all rows, until k holds",
        paper="Wang et al. 2004",
    ),
    "k-member": _constructive(
        "k_member.KMemberRecoding",
        summary="clusters of k rows, grown by the row that loses least",
        paper="Byun et al. 2007",
    ),
    "recoding-search": AlgorithmEntry(
        maker=f"{HERE}.recoding.recoding_search.RecodingSearch",
        summary="memetic search that groups regions of a local recoding anew",
        paper="this library",
        spaces=GROUPS,
    ),
    "exact-recoding": AlgorithmEntry(
        maker=f"{HERE}.recoding.exact_recoding_search.ExactRecodingSearch",
        summary="proven optimum of a small table by integer programming",
        paper="this library",
        spaces=GROUPS,
        multi_objective=False,
        exact=True,
        stochastic=False,
    ),
    "masking-ea": AlgorithmEntry(
        maker=f"{HERE}.masking.masking_ea.MaskingEA",
        summary="evolution of masked files by single cells and stretches of cells",
        paper="Mares 2013, Algorithm 5",
        multi_objective=False,
        whole_numbers=True,
    ),
    "memetic-masking": AlgorithmEntry(
        maker=f"{HERE}.masking.memetic_masking.MemeticMasking",
        summary="crossover by records of masked files, and descent of each record",
        paper="this library",
        spaces=frozenset({"cells"}),
        whole_numbers=True,
    ),
    "pramea": AlgorithmEntry(
        maker=f"{HERE}.masking.pramea.PRAMEA",
        summary="evolution of PRAM matrices by single bits and ranges of numbers",
        paper="Mares 2013, Algorithm 6",
        spaces=frozenset({"matrices"}),
        multi_objective=False,
        whole_numbers=True,
    ),
    "memetic-pram": AlgorithmEntry(
        maker=f"{HERE}.masking.memetic_pram.MemeticPRAM",
        summary="crossover by rows of PRAM matrices, and descent of expected loss and risk",
        paper="this library",
        spaces=frozenset({"matrices"}),
        whole_numbers=True,
    ),
    "pramgp": AlgorithmEntry(
        maker=f"{HERE}.masking.pramgp.PRAMGP",
        summary="steady-state genetic programming for equations of PRAM matrices",
        paper="Mares 2013, Algorithm 7",
        spaces=frozenset({"trees"}),
        multi_objective=False,
    ),
}
"""Name to entry, in the order of the documentation."""
