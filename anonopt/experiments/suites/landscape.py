"""Facts of a problem that tell how hard it is to search.

Ruggedness by the autocorrelation of a random walk: E. Weinberger, *Correlated and uncorrelated
fitness landscapes and how to tell the difference*, Biological Cybernetics 63 (1990). The interval
of a share: E. B. Wilson, Journal of the American Statistical Association 22 (1927).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy
from pymoo.core.population import Population

from anonopt._checks import as_generator, check_integer
from anonopt._typing import AnyArray, BoolArray, FloatArray, Generator, RandomState
from anonopt.algorithms.population.random_search import RandomSearch
from anonopt.experiments.performance.references import exact_reference
from anonopt.problems.base import AnonymizationProblem, check_problem
from anonopt.problems.spaces import Levels
from anonopt.runs.solve import solve

N_SAMPLES = 1000
N_STEPS = 1000


@dataclass(frozen=True)
class Landscape:
    """Facts of a problem.

    Attributes
    ----------
    size : int or None
        Number of genomes; None where they cannot be counted.
    n_samples : int
        Distinct genomes of the sample that `feasible` and `rank_correlations` are of; all of them
        where it is `size`.
    feasible : float
        Share of the sample that is feasible, 0..1.
    feasible_interval : (float, float)
        Wilson's interval of 95 % for the share of all genomes; the share itself where all were
        evaluated.
    n_front : int or None
        Points of the exact front; None where it is not known.
    autocorrelations : Series of float, by objective
        Of neighbouring steps of the random walk, -1..1: near 1 the landscape is smooth, near 0
        rugged. NaN of an objective that is constant or infinite on the walk.
    correlation_lengths : Series of float, by objective
        ``-1 / ln |r|`` of each autocorrelation r, in steps: more is smoother. Infinite for r = 1.
    rank_correlations : DataFrame of float, objectives by objectives
        Spearman's, of the feasible genomes of the sample, in natural units: of two objectives of
        which one is maximized and the other minimized, a positive one tells a conflict. NaN of
        constant objectives, and of fewer than two feasible genomes.
    """

    size: int | None
    n_samples: int
    feasible: float
    feasible_interval: tuple[float, float]
    n_front: int | None
    autocorrelations: pd.Series[float]
    correlation_lengths: pd.Series[float]
    rank_correlations: pd.DataFrame


def landscape(
    problem: AnonymizationProblem,
    *,
    random_state: RandomState,
    n_samples: int = N_SAMPLES,
    n_steps: int = N_STEPS,
) -> Landscape:
    """Facts of a problem: size, feasible genomes, front, ruggedness, correlation of objectives.

    Parameters
    ----------
    problem : AnonymizationProblem
    random_state : numpy Generator or int
        Draws sample and walk.
    n_samples : int
        Distinct genomes drawn at random, at least 2; all are evaluated where there are no more.
        Trees are drawn by the sampling of their space, as they have no uniform distribution.
    n_steps : int
        Steps of the random walk, at least 2. It starts at a random genome; a step goes to a
        neighbour drawn at random in a lattice (one level of one column), else it is a mutation
        by the operator of the space.

    Returns
    -------
    Landscape

    Raises
    ------
    TypeError
        If `problem` is none of the library's, or a number is no whole one.
    ValueError
        If a number is below 2.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.get_problem("german-k-glm")
    >>> facts = landscape(problem, random_state=1, n_samples=200, n_steps=100)
    >>> facts.size, facts.n_samples, facts.n_front
    (648, 200, 20)
    """
    check_problem(problem)
    check_integer("n_samples", n_samples, least=2)
    check_integer("n_steps", n_steps, least=2)
    generator = as_generator(random_state)
    F, is_feasible = _sampled(problem, n_samples, generator)
    values = problem.natural(random_walk(problem, n_steps, generator))
    names = list(problem.objective_names)
    lag_one = pd.Series([autocorrelation(values[:, i]) for i in range(len(names))], index=names)
    exact = exact_reference(problem)
    n_feasible = int(is_feasible.sum())
    return Landscape(
        size=problem.space.size,
        n_samples=len(F),
        feasible=n_feasible / len(F),
        feasible_interval=_interval(n_feasible, len(F), problem.space.size),
        n_front=None if exact is None else len(exact.front),
        autocorrelations=lag_one,
        correlation_lengths=lag_one.map(correlation_length),
        rank_correlations=_rank_correlations(problem.natural(F[is_feasible]), names),
    )


def autocorrelation(values: FloatArray) -> float:
    """Autocorrelation of a series at lag 1.

    ``sum (f_t - m)(f_t+1 - m) / sum (f_t - m)^2`` with the mean m; Weinberger 1990, Eq. 3.

    Parameters
    ----------
    values : float array (n,)

    Returns
    -------
    float
        In -1..1; NaN where it is constant, or not finite.

    Examples
    --------
    >>> autocorrelation(np.array([1.0, 2.0, 3.0, 4.0]))
    0.25
    """
    if not np.isfinite(values).all() or np.ptp(values) == 0:
        return float("nan")
    centred = values - values.mean()
    return float(centred[:-1] @ centred[1:] / (centred @ centred))


def correlation_length(lag_one: float) -> float:
    """Steps after which a walk has forgotten where it was: ``-1 / ln |r|``.

    Parameters
    ----------
    lag_one : float
        Autocorrelation r of neighbouring steps, -1..1.

    Returns
    -------
    float
        0 for r = 0; NaN for NaN.

    Examples
    --------
    >>> round(correlation_length(0.9), 2)
    9.49
    """
    if lag_one == 0:
        return 0.0
    decay = -np.log(abs(lag_one))
    return float("inf") if decay == 0 else float(1 / decay)


def random_walk(problem: AnonymizationProblem, n_steps: int, generator: Generator) -> FloatArray:
    """Minimized objectives along a random walk, that of its start first.

    Parameters
    ----------
    problem : AnonymizationProblem
    n_steps : int
    generator : numpy Generator

    Returns
    -------
    float array (n_steps + 1, n_obj)
    """
    space = problem.space
    place = space.sampling()(problem, 1, random_state=generator).get("X")[0]
    visited = [place]
    for _ in range(n_steps):
        place = _step(problem, place, generator)
        visited.append(place)
    return np.asarray(problem.evaluate(np.array(visited), return_values_of=["F"]))


def _step(problem: AnonymizationProblem, place: AnyArray, generator: Generator) -> AnyArray:
    space = problem.space
    if isinstance(space, Levels):
        near = space.neighbors(place)
        return np.asarray(near[generator.integers(len(near))]) if len(near) else place
    _, mutation = space.certain_operators()
    moved = mutation(problem, Population.new(X=place[np.newaxis]), random_state=generator)
    repair = space.repair()
    return np.asarray((moved if repair is None else repair(problem, moved)).get("X")[0])


def _sampled(
    problem: AnonymizationProblem, n_samples: int, generator: Generator
) -> tuple[FloatArray, BoolArray]:
    seed = int(generator.integers(2**63))
    search = RandomSearch(batch_size=min(n_samples, 1000))
    result = solve(problem, search, budget=n_samples, seed=seed)
    record = result.algorithm.run_evaluator.record
    return np.array(record.F), np.array(record.CV <= 0).reshape(-1)


def _interval(n_feasible: int, n: int, size: int | None) -> tuple[float, float]:
    if n == size:
        return n_feasible / n, n_feasible / n
    found = scipy.stats.binomtest(n_feasible, n).proportion_ci(0.95, method="wilson")
    return float(found.low), float(found.high)


def _rank_correlations(values: FloatArray, names: list[str]) -> pd.DataFrame:
    frame = pd.DataFrame(values, columns=names)
    return frame.corr(method="spearman", min_periods=2)
