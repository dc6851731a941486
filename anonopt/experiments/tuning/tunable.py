"""An algorithm whose options are tuned, however it was handed in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pymoo.algorithms.hyperparameters import create
from pymoo.core.algorithm import Algorithm
from pymoo.core.parameters import flatten, get_params

from anonopt._checks import unknown
from anonopt.experiments.grid.entries import AlgorithmLike
from anonopt.problems.base import AnonymizationProblem

TunableLike: TypeAlias = (
    str | tuple[str, Mapping[str, Any]] | Algorithm | type[Algorithm] | Callable[..., Algorithm]
)
"""A registered name, a pair of name and options of the default, a class, a function of the problem
that takes options by keyword, or an object with parameters of pymoo."""


@dataclass(frozen=True)
class WithOptions:
    """A function of the problem that makes an algorithm with some options.

    Other processes can be sent it, if they can be sent what makes the algorithm.
    """

    make: Callable[..., Algorithm]
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, problem: AnonymizationProblem) -> Algorithm:
        """Make the algorithm; a class is not told the problem."""
        told = () if isinstance(self.make, type) else (problem,)
        return self.make(*told, **self.options)


def with_options(algorithm: TunableLike, options: Mapping[str, Any]) -> AlgorithmLike:
    """The algorithm with some options, as an experiment takes it.

    Parameters
    ----------
    algorithm : as `TunableLike`
    options : mapping of name to value
        Of an algorithm that is an object: parameters that pymoo finds in it, by their path.

    Raises
    ------
    ValueError
        If an object has no such parameter.

    Examples
    --------
    >>> with_options(("nsga2", {"pop_size": 20}), {"n_offsprings": 5})
    ('nsga2', {'pop_size': 20, 'n_offsprings': 5})
    >>> from pymoo.algorithms.soo.nonconvex.ga import GA
    >>> with_options(GA(), {"mating.crossover.prob": 0.7}).mating.crossover.prob.value
    0.7
    >>> with_options(GA(), {"mating.crossover.probability": 0.7})
    Traceback (most recent call last):
        ...
    ValueError: GA: unknown parameter 'mating.crossover.probability'; did you mean ...?
    """
    match algorithm:
        case str():
            return (algorithm, dict(options)) if options else algorithm
        case (str(name), Mapping() as fixed):
            return name, {**fixed, **options}
        case Algorithm():
            known = parameters(algorithm)
            for parameter in options:
                if parameter not in known:
                    kind = type(algorithm).__name__
                    raise ValueError(f"{kind}: {unknown('parameter', parameter, known)}")
            made: Algorithm = create(algorithm, options)
            return made
        case make if callable(make):
            return WithOptions(make, dict(options))
    # Told by the experiment that is made with it, as of any other algorithm.
    return algorithm


def parameters(algorithm: Algorithm) -> dict[str, Any]:
    """Parameters that pymoo finds in an algorithm and its operators, by their path.

    Parameters
    ----------
    algorithm : pymoo Algorithm

    Returns
    -------
    dict of str to pymoo Variable
        Options of a tuning with ``run_pymoo``, as pymoo proposes them. Options that are no
        variables of pymoo, such as ``pop_size``, are not among them.

    Examples
    --------
    >>> from pymoo.algorithms.soo.nonconvex.ga import GA
    >>> found = parameters(GA())
    >>> found["mating.crossover.prob"].bounds
    (0.5, 1.0)
    """
    return dict(flatten(get_params(algorithm)))
