"""pymoo's search for options: its hyperparameter problem with its GA for mixed variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pymoo.algorithms.hyperparameters import HyperparameterProblem
from pymoo.core.mixed import MixedVariableGA
from pymoo.core.result import Result
from pymoo.core.variable import Variable
from pymoo.optimize import minimize

from anonopt.experiments.tuning.option_spaces import plain

POP_SIZE = 10
"""Few, as a tuning has few trials."""


def searched_by_pymoo(
    variables: Mapping[str, Variable],
    objective: Callable[[Mapping[str, Any]], float],
    *,
    maximize: bool,
    n_trials: int,
    seed: int,
) -> Result:
    """Search for the options of the best objective.

    pymoo's own ``SingleObjectiveSingleRun`` and ``MultiRun`` are not what evaluates: they know no
    fronts, which have no single value, count repeated solutions, and cannot take a run that finds
    nothing feasible.

    Parameters
    ----------
    variables : mapping of name to pymoo Variable
    objective : callable
        Of options.
    maximize : bool
    n_trials : int
        Options that are evaluated; fewer, if no others are left.
    seed : int

    Returns
    -------
    pymoo.core.result.Result
        ``X`` are plain options; ``F`` is minimized.

    Examples
    --------
    >>> from pymoo.core.variable import Integer
    >>> size = {"pop_size": Integer(bounds=(1, 100))}
    >>> found = searched_by_pymoo(
    ...     size, lambda options: options["pop_size"], maximize=True, n_trials=30, seed=1
    ... )
    >>> found.X["pop_size"] > 90, bool(found.F[0] == -found.X["pop_size"])
    (True, True)
    """
    sign = -1 if maximize else 1
    problem = HyperparameterProblem(
        None,
        performance=lambda options: {"F": sign * objective(options)},
        func_create=lambda _, options: plain(options),
        vars=dict(variables),
    )
    # One child at a time: a generation of more would exceed the number of trials.
    search = MixedVariableGA(pop_size=min(n_trials, POP_SIZE), n_offsprings=1)
    found = minimize(problem, search, ("n_evals", n_trials), seed=seed)
    found.X = plain(found.X)
    return found
