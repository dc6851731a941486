"""Options of named problems and algorithms: an unknown one is told with those it is near to."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from anonopt._checks import unknown

Made = TypeVar("Made")

OF_EXPERIMENT = {
    "problem": "the problems are those of the experiment",
    "seed": "the seeds are those of the experiment",
    "termination": "the budget is that of the experiment",
    "save_history": "the file keeps every evaluation",
    "callback": "runs are told by on_done",
    "evaluator": "evaluations are counted by the experiment",
    "verbose": "an experiment has bars of its own",
    "display": "an experiment has bars of its own",
    "output": "an experiment has bars of its own",
}
"""Options of algorithms that an experiment decides, and why."""

_UNEXPECTED = re.compile(r"unexpected keyword argument '(\w+)'")


def check_no_option_of_experiment(what: str, options: Mapping[str, Any]) -> None:
    """Refuse options of an algorithm that the experiment decides.

    Raises
    ------
    ValueError
        If there is one.
    """
    for option, why in OF_EXPERIMENT.items():
        if option in options:
            raise ValueError(
                f"{what}: expected no option {option!r}, as {why}, found {options[option]!r}"
            )


def made_with(what: str, make: Callable[..., Made], options: Mapping[str, Any]) -> Made:
    """Make something with options.

    Parameters
    ----------
    what : str
        It is called in messages, such as ``problem 'adult'``.
    make : callable
        Takes the options.
    options : mapping

    Raises
    ------
    ValueError
        If an option is unknown; and whatever `make` raises.
    """
    try:
        return make(**options)
    except TypeError as error:
        found = _UNEXPECTED.search(str(error))
        if found is None:
            raise
        known = options_of(type(make()))
        raise ValueError(f"{what}: {unknown('option', found[1], known)}") from error


def options_of(cls: type) -> list[str]:
    """Names of the options of a class and of those it is made from.

    Examples
    --------
    >>> from anonopt.algorithms import RandomSearch
    >>> "batch_size" in options_of(RandomSearch)
    True
    """
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    found = (
        parameter.name
        for one in cls.__mro__
        if "__init__" in vars(one) and one is not object
        for parameter in inspect.signature(one).parameters.values()
        if parameter.kind in kinds
    )
    return list(dict.fromkeys(found))
