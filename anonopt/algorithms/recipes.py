"""Algorithms remember the options they were made with, so that a saved run can name them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

from pymoo.core.algorithm import Algorithm
from pymoo.core.problem import Problem

from anonopt.problems.recipes import Recipe

Make = TypeVar("Make", bound=Callable[..., Algorithm])


def remember_options(algorithm_class: type[Algorithm]) -> None:
    """Let the instances of a class, not those of its subclasses, carry a ``recipe``.

    Parameters
    ----------
    algorithm_class : type
        Its constructor takes keyword options only.
    """
    construct = algorithm_class.__init__

    @functools.wraps(construct)
    def remembering(self: Any, **options: Any) -> None:
        construct(self, **options)
        if type(self) is algorithm_class:
            self.recipe = Recipe(_name_of(algorithm_class), options)

    algorithm_class.__init__ = remembering


def preset(make: Make) -> Make:
    """Let the algorithms that a function makes of a problem and options carry a ``recipe``."""

    @functools.wraps(make)
    def made(problem: Problem, **options: Any) -> Algorithm:
        algorithm = make(problem, **options)
        algorithm.recipe = Recipe(_name_of(make), options)
        return algorithm

    return cast(Make, made)


def is_made_by(recipe: Recipe, factory: Callable[..., Algorithm]) -> bool:
    """Whether a factory of the registry makes the algorithm of a recipe."""
    return _name_of(inspect.unwrap(factory)) == recipe.name


def _name_of(maker: Any) -> str:
    return f"{maker.__module__}.{maker.__qualname__}"
