"""What ends a run: its termination, as pymoo has it, and what a budget makes of it."""

from __future__ import annotations

import copy
import math
from typing import Any, TypeAlias

from pymoo.core.algorithm import Algorithm
from pymoo.core.termination import NoTermination, Termination
from pymoo.termination import get_termination
from pymoo.termination.default import DefaultTermination
from pymoo.termination.max_eval import MaximumFunctionCallTermination
from pymoo.termination.max_gen import MaximumGenerationTermination

from anonopt._checks import check_integer
from anonopt.problems.recipes import to_plain

GENERATIONS = "n_gen"
"""pymoo's name for a number of generations."""

NO_RULE = "none"
"""Stands for pymoo's ``NoTermination`` in a file."""

COUNTED = ("n_eval", "n_evals", "n_gen", "n_iter")
TERMINATIONS = (*COUNTED, "fmin", "time", "soo", "moo")
"""pymoo's names of terminations; of the first ones the limit is a whole number of at least 1."""

RVEA = "pymoo.algorithms.moo.rvea.RVEA"
"""The one algorithm that must know beforehand how many generations there will be."""

AnyTermination: TypeAlias = Termination | str | tuple[Any, ...] | int | None


def as_termination(value: AnyTermination) -> Termination | None:
    """Termination of what pymoo takes for one, or of a number of generations.

    Parameters
    ----------
    value : pymoo Termination, str, tuple, int or None
        An object is copied, as it remembers the run that it ended.

    Raises
    ------
    TypeError
        If it is anything else.
    ValueError
        If pymoo has no such termination.

    Examples
    --------
    >>> as_termination(50).n_max_gen == as_termination(("n_gen", 50)).n_max_gen
    True
    """
    if value is None or isinstance(value, Termination):
        return copy.deepcopy(value)
    expected = (
        f"termination: expected a Termination, a number of generations, or a tuple of one of "
        f'{TERMINATIONS} and its limit, such as ("n_gen", 50), found {value!r}'
    )
    if isinstance(value, str | tuple | list):
        name, *limits = (value,) if isinstance(value, str) else tuple(value) or (None,)
        if name not in TERMINATIONS or (name in COUNTED and len(limits) != 1):
            raise ValueError(expected)
        if name in COUNTED:
            limits = [check_integer(f"termination: {name}", limits[0], least=1)]
        try:
            return get_termination(name, *limits)
        except (TypeError, ValueError) as error:
            raise ValueError(expected) from error
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(expected)
    return MaximumGenerationTermination(check_integer("termination", value, least=1))


def termination_under(
    budget: int | None, given: AnyTermination, algorithm: Algorithm
) -> Termination | None:
    """Termination that a run is started with; None for the algorithm's own, or pymoo's default.

    Parameters
    ----------
    budget : int or None
        Most distinct evaluations.
    given : as :func:`as_termination`
        What the caller asks for.
    algorithm : pymoo Algorithm
        Not set up yet.

    Raises
    ------
    TypeError, ValueError
        As :func:`as_termination`; also if the algorithm has to know how many generations there
        will be, and neither tells.
    """
    rule = as_termination(given)
    by_default = algorithm.termination is None or isinstance(
        algorithm.termination, DefaultTermination
    )
    if rule is None and not by_default:
        rule = as_termination(algorithm.termination)
    if _plans_generations(algorithm):
        return _planned(rule, budget, algorithm)
    # Many pymoo algorithms carry a default rule that would end them long before the budget.
    return NoTermination() if rule is None and budget is not None else rule


def _plans_generations(algorithm: Algorithm) -> bool:
    # By name: a run of another algorithm need not wait for its import.
    return any(f"{cls.__module__}.{cls.__qualname__}" == RVEA for cls in type(algorithm).__mro__)


def _planned(rule: Termination | None, budget: int | None, algorithm: Algorithm) -> Termination:
    if isinstance(rule, MaximumGenerationTermination | MaximumFunctionCallTermination):
        return rule
    if rule is not None or budget is None:
        raise ValueError(
            f"termination: expected a budget or a number of generations, by which "
            f"{type(algorithm).__name__} plans its search, found {rule or 'none'}"
        )
    n_later = max(budget - algorithm.pop_size, 0)
    return MaximumGenerationTermination(1 + math.ceil(n_later / algorithm.n_offsprings))


def plain_termination(given: Any) -> Any:
    """What a file holds of a termination; its class, if it cannot be saved."""
    if type(given) is MaximumGenerationTermination:
        return (GENERATIONS, given.n_max_gen)
    if type(given) is NoTermination:
        return NO_RULE
    try:
        to_plain(given)
    except TypeError:
        return {"class": f"{type(given).__module__}.{type(given).__qualname__}"}
    return given


def generations(name: str, value: object) -> int | None:
    """Return n of ``("n_gen", n)``; None of what is no sequence.

    Raises
    ------
    TypeError, ValueError
        If it is a sequence of another kind, or n is no whole number of at least 1.
    """
    if not isinstance(value, tuple | list):
        return None
    if len(value) != 2 or value[0] != GENERATIONS:
        raise ValueError(f'{name}: expected a number or ("n_gen", number), found {value!r}')
    return check_integer(name, value[1], least=1)
