"""pymoo's algorithms for integer genomes: one call brings the right operators.

Every preset returns a fresh pymoo algorithm with uniform sampling of distinct genomes,
single-point crossover and one-level mutation, or with the operators that the problem brings for
other genomes. All can be replaced by option, as can whatever else the pymoo class takes.

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
it found the least of the front and took by far the longest), and algorithms for real-valued
genomes.
"""

from __future__ import annotations

import inspect
from typing import Any

from pymoo.core.algorithm import Algorithm
from pymoo.core.problem import Problem

from anonopt.algorithms.population.directions import reference_directions
from anonopt.algorithms.population.tournaments import less_violated, less_violated_or_dominating
from anonopt.algorithms.recipes import preset
from anonopt.problems.spaces import space_of

# pymoo's algorithm modules are imported where they are used: they load matplotlib, which takes
# longer than most searches.

MATING_ROUNDS = 10
"""Times a generation mates again to replace children that are in the population already."""


@preset
def nsga2(problem: Problem, *, pop_size: int = 50, **options: Any) -> Algorithm:
    """NSGA-II: non-dominated ranks, then crowding distance.

    K. Deb, A. Pratap, S. Agarwal, T. Meyarivan, *A Fast and Elitist Multiobjective Genetic
    Algorithm: NSGA-II*, IEEE Transactions on Evolutionary Computation 6 (2002).

    Parameters
    ----------
    problem : pymoo Problem
        Two objectives or more, integer genomes with bounds.
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
        If the problem has one objective, or no integer bounds.
    """
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.operators.survival.rank_and_crowding import RankAndCrowding

    _require_several_objectives(problem, "nsga2")
    return _preset(NSGA2, problem, options, pop_size=pop_size, survival=RankAndCrowding())


@preset
def nsga3(problem: Problem, *, pop_size: int = 50, **options: Any) -> Algorithm:
    """NSGA-III: non-dominated ranks, then niches along reference directions.

    K. Deb, H. Jain, *An Evolutionary Many-Objective Optimization Algorithm Using
    Reference-Point-Based Nondominated Sorting Approach, Part I*, IEEE Transactions on
    Evolutionary Computation 18 (2014).

    Parameters
    ----------
    problem : pymoo Problem
        Two objectives or more, integer genomes with bounds.
    pop_size : int
        The reference directions are the most that fit into it, see
        :func:`~anonopt.algorithms.population.directions.reference_directions`, unless given as
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
        If the problem has one objective, or no integer bounds, or the population is smaller
        than the number of objectives.
    """
    from pymoo.algorithms.moo.nsga3 import NSGA3
    from pymoo.operators.selection.tournament import TournamentSelection

    _require_several_objectives(problem, "nsga3")
    if "ref_dirs" not in options:
        options["ref_dirs"] = reference_directions(problem.n_obj, pop_size)
    selection = TournamentSelection(func_comp=less_violated)
    return _preset(NSGA3, problem, options, pop_size=pop_size, selection=selection)


@preset
def spea2(problem: Problem, *, pop_size: int = 50, **options: Any) -> Algorithm:
    """SPEA2: strength of the dominators, then density.

    E. Zitzler, M. Laumanns, L. Thiele, *SPEA2: Improving the Strength Pareto Evolutionary
    Algorithm*, TIK-Report 103, ETH Zurich (2001). pymoo's differs from it: one population
    instead of population and archive, and normalized objectives.

    Parameters
    ----------
    problem : pymoo Problem
        Two objectives or more, integer genomes with bounds.
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
        If the problem has one objective, or no integer bounds.
    """
    from pymoo.algorithms.moo.spea2 import SPEA2, SPEA2Survival

    _require_several_objectives(problem, "spea2")
    survival = SPEA2Survival(normalize=True)
    return _preset(SPEA2, problem, options, pop_size=pop_size, survival=survival)


@preset
def smsemoa(problem: Problem, *, pop_size: int = 50, **options: Any) -> Algorithm:
    """SMS-EMOA: non-dominated ranks, then contribution to the hypervolume.

    N. Beume, B. Naujoks, M. Emmerich, *SMS-EMOA: Multiobjective selection based on dominated
    hypervolume*, European Journal of Operational Research 181 (2007).

    Parameters
    ----------
    problem : pymoo Problem
        Two objectives or more, integer genomes with bounds.
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
        If the problem has one objective, or no integer bounds.
    """
    from pymoo.algorithms.moo.sms import SMSEMOA, LeastHypervolumeContributionSurvival
    from pymoo.operators.selection.tournament import TournamentSelection

    _require_several_objectives(problem, "smsemoa")
    return _preset(
        SMSEMOA,
        problem,
        options,
        pop_size=pop_size,
        survival=LeastHypervolumeContributionSurvival(),
        selection=TournamentSelection(func_comp=less_violated_or_dominating),
    )


@preset
def ga(problem: Problem, *, pop_size: int = 50, **options: Any) -> Algorithm:
    """Genetic algorithm for one objective; a smaller constraint violation goes first.

    Parameters
    ----------
    problem : pymoo Problem
        One objective, integer genomes with bounds.
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
        If the problem has several objectives, or no integer bounds.
    """
    from pymoo.algorithms.soo.nonconvex.ga import GA, FitnessSurvival
    from pymoo.operators.selection.tournament import TournamentSelection

    if problem.n_obj != 1:
        raise ValueError(f"ga: expected a problem of 1 objective; found {problem.n_obj}")
    return _preset(
        GA,
        problem,
        options,
        pop_size=pop_size,
        survival=FitnessSurvival(),
        selection=TournamentSelection(func_comp=less_violated_or_dominating),
    )


def _preset(
    algorithm_class: type[Algorithm], problem: Problem, options: dict[str, Any], **settings: Any
) -> Algorithm:
    _check_options(algorithm_class, options)
    # pymoo overwrites a termination given to the constructor by its default rule.
    termination = options.pop("termination", None)
    algorithm = algorithm_class(**{**_fitting_operators(problem), **settings, **options})
    algorithm.termination = termination
    algorithm.mating.n_max_iterations = MATING_ROUNDS
    return algorithm


def _fitting_operators(problem: Problem) -> dict[str, Any]:
    return space_of(problem).operators()


def _require_several_objectives(problem: Problem, name: str) -> None:
    if problem.n_obj < 2:
        raise ValueError(f"{name}: expected a problem of 2 objectives or more; found 1 (see ga)")


def _check_options(algorithm_class: type[Algorithm], options: dict[str, Any]) -> None:
    known: set[str] = set()
    for constructor in (vars(base).get("__init__") for base in algorithm_class.__mro__[:-1]):
        if constructor is not None:
            known |= set(inspect.signature(constructor).parameters) - {"self", "args", "kwargs"}
    unknown = sorted(set(options) - known)
    if unknown:
        raise TypeError(
            f"expected options of pymoo's {algorithm_class.__name__}, "
            f"{sorted(known)}; found {unknown}"
        )
