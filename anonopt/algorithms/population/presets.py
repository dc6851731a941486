"""pymoo's algorithms: one call brings the right operators.

Every preset returns a fresh pymoo algorithm with the operators of the problem's space. All can be
replaced by option, as can whatever else the pymoo class takes.

Decided differently from pymoo, and why:

- Duplicates of genomes are recognized by key and kept out of populations. A generation mates at
  most 10 times to make enough others, not 100 times, which on a small lattice is nearly all of
  the time. Where mating makes nothing else, pymoo ends the run without a word; ``solve`` says so.
- Populations have 50 individuals: at budgets of about 1000 evaluations, pymoo's usual 100 leaves
  too few generations.
- An unknown option is an error; pymoo accepts any.
- No default termination is set, so that a budget is not cut short by a rule for stalled fronts.
- Every algorithm gets a survival object of its own: pymoo shares one between all instances, and
  what SPEA2's remembers of one problem breaks the next.
- The tournaments of NSGA-III, SMS-EMOA and the GA are ours: in pymoo 0.6.2 the first draws ties
  from an unseeded generator, and the others cannot be pickled.

Left out: MOEA/D (refuses constraints), AGE-MOEA and U-NSGA-III (draw from unseeded generators
inside), RVEA (must know its number of generations beforehand, so it cannot follow a budget of
distinct evaluations), C-TAEA (on the Adult lattice its archives fill with copies of few genomes:
it found the least of the front and took by far the longest). Those for real-valued genomes alone
are in `continuous_presets`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from pymoo.core.algorithm import Algorithm
from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.problem import Problem

from anonopt._checks import check_integer
from anonopt._typing import FloatArray
from anonopt.algorithms.entry import path_of
from anonopt.algorithms.population.preset_options import (
    check_preset_options,
    checked_directions,
    require_fit,
)
from anonopt.algorithms.population.tournaments import less_violated, less_violated_or_dominating
from anonopt.operators.base import check_operator
from anonopt.problems.recipes import Recipe
from anonopt.problems.spaces import space_of

# pymoo's algorithm modules are imported where they are used: they load matplotlib, which takes
# longer than most searches.

MATING_ROUNDS = 10
"""Times a generation mates again to replace children that are in the population already."""


def nsga2(problem: Problem, *, pop_size: int = 50, **options: Any) -> Algorithm:
    """NSGA-II: non-dominated ranks, then crowding distance.

    Idea: of parents and children together the better ranks of non-dominated sorting survive, and
    of the rank that does not fit whole those individuals that lie farthest from their neighbours
    in objective space. Parents win tournaments by the same two criteria.

    Paper: K. Deb, A. Pratap, S. Agarwal, T. Meyarivan, *A Fast and Elitist Multiobjective Genetic
    Algorithm: NSGA-II*, IEEE Transactions on Evolutionary Computation 6 (2002).

    Parameters
    ----------
    problem : pymoo Problem
        Two objectives or more.
    pop_size : int
    **options
        Options of pymoo's ``NSGA2``.

    Returns
    -------
    pymoo NSGA2

    Raises
    ------
    TypeError
        If there is no such option.
    ValueError
        If the problem has one objective.
    """
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.operators.survival.rank_and_crowding import RankAndCrowding

    return _preset(nsga2, NSGA2, problem, options, pop_size=pop_size, survival=RankAndCrowding())


def nsga3(problem: Problem, *, pop_size: int = 50, **options: Any) -> Algorithm:
    """NSGA-III: non-dominated ranks, then niches along reference directions.

    Idea: as NSGA-II, but the rank that does not fit whole gives way evenly: directions are spread
    over objective space, each individual belongs to the nearest, and the directions with the
    fewest individuals are filled first.

    Paper: K. Deb, H. Jain, *An Evolutionary Many-Objective Optimization Algorithm Using
    Reference-Point-Based Nondominated Sorting Approach, Part I*, IEEE Transactions on
    Evolutionary Computation 18 (2014).

    Parameters
    ----------
    problem : pymoo Problem
        Two objectives or more.
    pop_size : int
        The reference directions are the most that fit into it, see
        `reference_directions`, unless given as
        ``ref_dirs``.
    **options
        Options of pymoo's ``NSGA3``.

    Returns
    -------
    pymoo NSGA3

    Raises
    ------
    TypeError
        If there is no such option.
    ValueError
        If the problem has one objective, or the population is smaller than the number of
        objectives.
    """
    from pymoo.algorithms.moo.nsga3 import NSGA3
    from pymoo.operators.selection.tournament import TournamentSelection

    require_fit("nsga3", problem)
    selection = TournamentSelection(func_comp=less_violated)
    settings = {"pop_size": pop_size, "selection": selection}
    if "ref_dirs" not in options:
        settings["ref_dirs"] = reference_directions(problem.n_obj, pop_size)
    return _preset(nsga3, NSGA3, problem, options, **settings)


def spea2(problem: Problem, *, pop_size: int = 50, **options: Any) -> Algorithm:
    """SPEA2: strength of the dominators, then density.

    Idea: an individual is as strong as the number of those it dominates, and as bad as the
    strengths of all that dominate it together; of equal ones the one in the emptier part of
    objective space is better. Too many non-dominated ones are thinned where they are densest.

    Paper: E. Zitzler, M. Laumanns, L. Thiele, *SPEA2: Improving the Strength Pareto Evolutionary
    Algorithm*, TIK-Report 103, ETH Zurich (2001). pymoo's differs from it: one population
    instead of population and archive, and normalized objectives.

    Parameters
    ----------
    problem : pymoo Problem
        Two objectives or more.
    pop_size : int
    **options
        Options of pymoo's ``SPEA2``.

    Returns
    -------
    pymoo SPEA2

    Raises
    ------
    TypeError
        If there is no such option.
    ValueError
        If the problem has one objective.
    """
    from pymoo.algorithms.moo.spea2 import SPEA2, SPEA2Survival

    survival = SPEA2Survival(normalize=True)
    return _preset(spea2, SPEA2, problem, options, pop_size=pop_size, survival=survival)


def smsemoa(problem: Problem, *, pop_size: int = 50, **options: Any) -> Algorithm:
    """SMS-EMOA: non-dominated ranks, then contribution to the hypervolume.

    Idea: of the last rank the individual goes whose loss costs the least hypervolume, the volume
    that the front dominates, so that the population approaches the one of largest hypervolume.

    Paper: N. Beume, B. Naujoks, M. Emmerich, *SMS-EMOA: Multiobjective selection based on dominated
    hypervolume*, European Journal of Operational Research 181 (2007).

    Parameters
    ----------
    problem : pymoo Problem
        Two objectives or more.
    pop_size : int
    **options
        Options of pymoo's ``SMSEMOA``.

    Returns
    -------
    pymoo SMSEMOA

    Raises
    ------
    TypeError
        If there is no such option.
    ValueError
        If the problem has one objective.
    """
    from pymoo.algorithms.moo.sms import SMSEMOA, LeastHypervolumeContributionSurvival
    from pymoo.operators.selection.tournament import TournamentSelection

    return _preset(
        smsemoa,
        SMSEMOA,
        problem,
        options,
        pop_size=pop_size,
        survival=LeastHypervolumeContributionSurvival(),
        selection=TournamentSelection(func_comp=less_violated_or_dominating),
    )


def ga(problem: Problem, *, pop_size: int = 50, **options: Any) -> Algorithm:
    """Genetic algorithm for one objective; a smaller constraint violation goes first.

    Idea: parents win binary tournaments, are crossed and mutated, and the best of parents and
    children together survive.

    Paper: J. H. Holland, *Adaptation in Natural and Artificial Systems*, University of Michigan
    Press (1975); in the elitist form of pymoo's ``GA``.

    Parameters
    ----------
    problem : pymoo Problem
        One objective.
    pop_size : int
    **options
        Options of pymoo's ``GA``.

    Returns
    -------
    pymoo GA

    Raises
    ------
    TypeError
        If there is no such option.
    ValueError
        If the problem has several objectives.
    """
    from pymoo.algorithms.soo.nonconvex.ga import GA, FitnessSurvival
    from pymoo.operators.selection.tournament import TournamentSelection

    return _preset(
        ga,
        GA,
        problem,
        options,
        pop_size=pop_size,
        survival=FitnessSurvival(),
        selection=TournamentSelection(func_comp=less_violated_or_dominating),
    )


def _preset(
    preset: Callable[..., Algorithm],
    algorithm_class: type[Algorithm],
    problem: Problem,
    options: dict[str, Any],
    **settings: Any,
) -> Algorithm:
    require_fit(preset.__name__, problem)
    check_preset_options(algorithm_class, options)
    check_integer("pop_size", settings["pop_size"], least=1)
    made = {**space_of(problem).operators(), **settings, **options}
    if "ref_dirs" in options:
        made["ref_dirs"] = checked_directions(options["ref_dirs"], problem.n_obj)
    check_operator("crossover", made["crossover"], Crossover)
    check_operator("mutation", made["mutation"], Mutation)
    # pymoo overwrites a termination given to the constructor by its default rule.
    termination = made.pop("termination", None)
    algorithm = algorithm_class(**made)
    algorithm.termination = termination
    algorithm.mating.n_max_iterations = MATING_ROUNDS
    algorithm.recipe = Recipe(path_of(preset), {"pop_size": settings["pop_size"], **options})
    return algorithm


def reference_directions(n_obj: int, pop_size: int) -> FloatArray:
    """Evenly spread directions in objective space, at most one for each individual.

    I. Das, J. E. Dennis, *Normal-Boundary Intersection*, SIAM Journal on Optimization 8 (1998):
    all points of the unit simplex on a grid of p steps; p is the largest that fits.

    Parameters
    ----------
    n_obj : int
        Number of objectives, at least 2.
    pop_size : int
        Most directions, at least ``n_obj``.

    Returns
    -------
    float array (n_directions, n_obj)
        Rows sum to 1.

    Raises
    ------
    ValueError
        If the population is smaller than the number of objectives.

    Examples
    --------
    >>> [len(reference_directions(n_obj, 100)) for n_obj in (2, 3, 4)]
    [100, 91, 84]
    """
    from pymoo.util.ref_dirs import get_reference_directions

    if check_integer("pop_size", pop_size) < n_obj:
        raise ValueError(
            f"pop_size: expected at least one individual for each of {n_obj} objectives, "
            f"found {pop_size}"
        )
    n_steps = 1
    while math.comb(n_steps + n_obj, n_obj - 1) <= pop_size:
        n_steps += 1
    directions = get_reference_directions("das-dennis", n_obj, n_partitions=n_steps)
    return np.asarray(directions)
