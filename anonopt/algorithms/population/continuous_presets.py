"""pymoo's algorithms for genomes of real numbers, such as random keys: one call brings all.

Every preset returns a fresh pymoo algorithm that starts with the genomes of the problem's space.

Decided differently from pymoo, and why:

- Differential evolution keeps its parameters as they are given: where pymoo adapts them, it draws
  from an unseeded generator.
- An unknown option is an error; pymoo accepts any. A population too small to draw the parents from
  is one as well; pymoo draws for ever, or divides by zero.
- Where the space has fewer first genomes than the population is to have, uniform ones fill it;
  pymoo ends in an error there.
- No default termination is set, so that a budget is not cut short by a rule for stalled runs.
- pymoo's operators that sort individuals are handed the generator of the run, see `seeded`.
- What prints a generation belongs to one algorithm; in pymoo all instances share it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from pymoo.core.algorithm import Algorithm
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.repair import NoRepair
from pymoo.core.sampling import Sampling

from anonopt._checks import check_choice, check_integer, check_number
from anonopt._typing import AnyArray, Generator
from anonopt.algorithms.entry import path_of
from anonopt.algorithms.population.preset_options import check_preset_options, require_fit
from anonopt.operators.levels.sampling import UniformSampling
from anonopt.problems.recipes import Recipe
from anonopt.problems.spaces import space_of

# pymoo's algorithm modules are imported where they are used: they load matplotlib, which takes
# longer than most searches.

SELECTIONS = ("rand", "best", "target-to-best")
CROSSOVERS = ("bin", "exp", "hypercube", "line")
"""Parts of the name of a variant of differential evolution, besides the number of differences."""

UNUSED = frozenset(
    {"crossover", "eliminate_duplicates", "mating", "mutation", "selection", "survival"}
)
"""Options that pymoo's classes inherit, and for which these algorithms have no use."""


def de(
    problem: Problem,
    *,
    pop_size: int = 20,
    variant: str = "DE/best/1/bin",
    F: float = 0.5,
    CR: float = 0.5,
    prob_mut: float = 0.1,
    **options: Any,
) -> Algorithm:
    """Differential evolution: steps are differences of individuals.

    Idea: to one individual the difference of two others is added, and some genes of the sum
    replace those of a third; if the outcome is better, it takes the place of the third. So steps
    are as long as the population is wide, and shrink as it gathers.

    Paper: R. Storn, K. Price, *Differential Evolution – A Simple and Efficient Heuristic for Global
    Optimization over Continuous Spaces*, Journal of Global Optimization 11 (1997).

    Parameters
    ----------
    problem : pymoo Problem
        One objective, genomes of real numbers within bounds.
    pop_size : int
        At least 4, with two differences 6.
    variant : str
        ``"DE/<selection>/<differences>/<crossover>"``: what the differences are added to (``rand``,
        ``best`` or ``target-to-best``), 1 or 2 of them, and how the sum and the third individual
        are crossed (``bin``, ``exp``, ``hypercube`` or ``line``).
    F : float
        By what a difference is multiplied, above 0.
    CR : float
        Probability of a gene to come from the sum, 0..1.
    prob_mut : float
        Probability that a child is mutated besides, 0..1: pymoo's addition.
    **options
        Further options of pymoo's ``DE``.

    Returns
    -------
    pymoo DE

    Raises
    ------
    TypeError
        If there is no such option.
    ValueError
        If the problem has several objectives or other genomes, there is no such variant, a number
        is out of its range, or the population is too small.
    """
    from pymoo.algorithms.soo.nonconvex.de import Variant
    from pymoo.util.display.single import SingleObjectiveOutput

    from anonopt.algorithms.population.seeded import SeededDE

    own = {"pop_size": pop_size, "variant": variant, "F": F, "CR": CR, "prob_mut": prob_mut}
    selection, n_differences, crossover = _parts(variant)
    steps = Variant(
        selection=selection,
        n_diffs=n_differences,
        crossover=crossover,
        F=check_number("F", F, above=0),
        CR=check_number("CR", CR, least=0, most=1),
        prob_mut=check_number("prob_mut", prob_mut, least=0, most=1),
        control=FixedParameters,
    )
    return _preset(
        de,
        SeededDE,
        problem,
        options,
        own,
        least_pop_size=2 * n_differences + 2,
        mating=steps,
        output=SingleObjectiveOutput(),
    )


def pso(problem: Problem, *, pop_size: int = 20, **options: Any) -> Algorithm:
    """Particle swarm optimization, whose parameters follow how far the swarm is spread.

    Idea: each particle flies on, drawn towards the best place it has seen itself and the best that
    anyone has seen; where the swarm has gathered, the pull of the own memory and of the others is
    weighted anew.

    Paper: J. Kennedy, R. Eberhart, *Particle Swarm Optimization*, International Conference on
    Neural Networks (1995); adaptive as Z.-H. Zhan, J. Zhang, Y. Li, H. S.-H. Chung, *Adaptive
    Particle Swarm Optimization*, IEEE Transactions on Systems, Man, and Cybernetics B 39 (2009).

    Parameters
    ----------
    problem : pymoo Problem
        One objective, genomes of real numbers within bounds.
    pop_size : int
        Particles, at least 2.
    **options
        Options of pymoo's ``PSO``.

    Returns
    -------
    pymoo PSO

    Raises
    ------
    TypeError
        If there is no such option.
    ValueError
        If the problem has several objectives or other genomes, or the swarm is too small.
    """
    from pymoo.algorithms.soo.nonconvex.pso import PSOFuzzyOutput

    from anonopt.algorithms.population.seeded import SeededPSO

    own, output = {"pop_size": pop_size}, PSOFuzzyOutput()
    return _preset(pso, SeededPSO, problem, options, own, least_pop_size=2, output=output)


def _preset(
    preset: Callable[..., Algorithm],
    algorithm_class: type[Algorithm],
    problem: Problem,
    options: dict[str, Any],
    own: dict[str, Any],
    *,
    least_pop_size: int,
    mating: Any = None,
    **settings: Any,
) -> Algorithm:
    """An algorithm whose recipe holds the preset's own options and those of the class."""
    require_fit(preset.__name__, problem)
    check_preset_options(algorithm_class, options, unused=UNUSED)
    pop_size = check_integer("pop_size", own["pop_size"], least=least_pop_size)
    space = space_of(problem)
    made = {"sampling": FilledSampling(space.sampling()), **settings, **options}
    _check_first(made["sampling"], pop_size)
    repair = made["repair"] = made.get("repair") or space.repair() or NoRepair()
    if mating is not None:
        mating.repair = repair
        made["variant"] = mating
    # pymoo overwrites a termination given to the constructor by its default rule.
    termination = made.pop("termination", None)
    algorithm = algorithm_class(pop_size=pop_size, **made)
    algorithm.termination = termination
    algorithm.recipe = Recipe(path_of(preset), {**own, **options})
    return algorithm


def _parts(variant: str) -> tuple[str, int, str]:
    """Selection, number of differences and crossover of a variant's name."""
    parts = variant.split("/") if isinstance(variant, str) else []
    if len(parts) != 4 or parts[0] != "DE" or parts[2] not in ("1", "2"):
        raise ValueError(
            'variant: expected "DE/<selection>/<1 or 2>/<crossover>", such as "DE/rand/1/bin", '
            f"found {variant!r}"
        )
    selection = check_choice("selection of the variant", parts[1], SELECTIONS)
    return selection, int(parts[2]), check_choice("crossover of the variant", parts[3], CROSSOVERS)


def _check_first(sampling: object, pop_size: int) -> None:
    if isinstance(sampling, Population | np.ndarray) and len(sampling) != pop_size:
        raise ValueError(f"sampling: expected pop_size = {pop_size} genomes, found {len(sampling)}")


class FilledSampling(UniformSampling):
    """The first genomes of a space; uniform ones where there are fewer than are asked for.

    Parameters
    ----------
    sampling : pymoo Sampling

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.get_problem("german-pram", encoding="simplex")
    >>> first = FilledSampling(problem.space.sampling())
    >>> len(first(problem, 100, random_state=np.random.default_rng(1)))
    100
    """

    def __init__(self, sampling: Sampling) -> None:
        super().__init__()
        self.sampling = sampling

    def _sampled(self, problem: Any, n_samples: int, generator: Generator) -> AnyArray:
        first = self.sampling(problem, n_samples, random_state=generator).get("X")
        rest = super()._sampled(problem, n_samples - len(first), generator)
        return np.concatenate([first, rest])


class FixedParameters:
    """Control of pymoo's that changes no parameter, and needs no generator for it.

    Parameters
    ----------
    controlled : object
        Whose parameters stay as they are.
    """

    def __init__(self, controlled: object) -> None:
        pass

    def tell(self, **known: Any) -> None:
        """Nothing to learn."""

    def do(self, N: int) -> None:
        """Nothing to set for the next N children."""

    def advance(self, infills: Population) -> None:
        """Nothing to note of the children."""
