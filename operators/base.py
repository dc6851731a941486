"""What all operators ask of integer genomes and of the random generator they are handed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from anonopt._typing import Generator, IntArray

MAX_EXACT = 1 << 53
"""Whole numbers beyond this are not exact as 64-bit floats."""


def required_generator(
    random_state: object, operator: object, *, seed: int | None = None
) -> Generator:
    """Return the generator an operator was handed; there is no other source of randomness.

    pymoo's operators make an unseeded generator when nobody hands one in, and a run that does so
    can never be repeated. Here that is an error.

    Parameters
    ----------
    random_state : numpy.random.Generator
        What the operator was called with.
    operator : object
        The operator, named in the error.
    seed : int, optional
        pymoo's other way to call an operator on its own; used if ``random_state`` is None.

    Raises
    ------
    ValueError
        If neither a generator nor a seed was handed in.
    TypeError
        If something else was handed in as generator.
    """
    if random_state is None and seed is not None:
        return np.random.default_rng(seed)
    name = type(operator).__name__
    if random_state is None:
        raise ValueError(
            f"{name}: expected random_state=<numpy Generator>, found None; "
            "an unseeded generator would make the run unrepeatable"
        )
    if not isinstance(random_state, np.random.Generator):
        raise TypeError(
            f"{name}: expected random_state to be a numpy Generator, "
            f"found {type(random_state).__name__}"
        )
    return random_state


def check_operator(name: str, operator: object, expected: type) -> None:
    """Refuse what is no operator of a kind, such as the class of one.

    Raises
    ------
    TypeError
        If it is not an object of the expected class.

    Examples
    --------
    >>> from pymoo.core.mutation import Mutation
    >>> check_operator("mutation", "bit flip", Mutation)
    Traceback (most recent call last):
        ...
    TypeError: mutation: expected an object that is a pymoo Mutation, found 'bit flip'
    """
    if not isinstance(operator, expected):
        raise TypeError(
            f"{name}: expected an object that is a pymoo {expected.__name__}, found {operator!r}"
        )


def own_space(problem: Any) -> Any:
    """Space of a problem of this library, None of any other pymoo problem.

    Parameters
    ----------
    problem : pymoo Problem

    Returns
    -------
    anonopt.problems.spaces.Space or None
    """
    # Spaces are attributes of the instance, which pymoo's wrappers of problems share.
    return vars(problem).get("space")


def space_of_kind(problem: Any, kind: str, genomes: str) -> Any:
    """Space of a problem whose genomes are of a kind.

    Parameters
    ----------
    problem : pymoo Problem
    kind : str
        See `anonopt.problems.spaces.Space.kind`.
    genomes : str
        What such genomes are, for the message.

    Raises
    ------
    ValueError
        If its genomes are something else, or it has no space.
    """
    space = own_space(problem)
    if space is None or space.kind != kind:
        found = type(problem).__name__ if space is None else space.kind
        raise ValueError(f"problem: expected genomes that are {genomes}, found {found}")
    return space


def integer_bounds(problem: Any) -> tuple[IntArray, IntArray]:
    """Lowest and highest level of each gene.

    Parameters
    ----------
    problem : pymoo Problem
        Its bounds ``xl`` and ``xu`` are whole numbers, kept by pymoo as floats.

    Returns
    -------
    lower, upper : int64 arrays (n_var,)
        Both inclusive.

    Raises
    ------
    ValueError
        If genomes are not of whole numbers, a bound is missing or not a whole number, or a lower
        bound is above the upper one.
    """
    if problem.xl is None or problem.xu is None:
        raise ValueError(
            "problem: expected bounds xl and xu of every gene, whole numbers, "
            f"found {type(problem).__name__} without bounds"
        )
    if problem.vtype is float:
        raise ValueError(
            f"problem: expected genomes of whole numbers, found {type(problem).__name__} "
            "of real numbers"
        )
    lower, upper = integer_genomes(problem.xl), integer_genomes(problem.xu)
    crossed = np.flatnonzero(lower > upper)
    if len(crossed) > 0:
        gene = int(crossed[0])
        raise ValueError(
            f"problem: expected xl <= xu, found xl = {lower[gene]} and xu = {upper[gene]} "
            f"at gene {gene}"
        )
    return lower, upper


def integer_genomes(X: npt.ArrayLike) -> IntArray:
    """Copy of genomes as 64-bit integers.

    Parameters
    ----------
    X : array_like, any shape
        Whole numbers of any numeric type.

    Returns
    -------
    int64 array of the same shape
        Always a copy.

    Raises
    ------
    ValueError
        If a number is not whole, or too large to be exact.
    TypeError
        If these are not numbers.
    """
    genomes = np.asarray(X)
    if genomes.dtype.kind not in "iufb":
        raise TypeError(f"X: expected genomes of whole numbers, found dtype {genomes.dtype}")
    if genomes.dtype.kind in "uf":
        # Written so that NaN fails the comparison as well.
        exact = (np.abs(genomes) <= MAX_EXACT) & (genomes == np.floor(genomes))
        if not np.all(exact):
            raise ValueError(
                f"X: expected genomes of whole numbers up to 2**53, found {genomes[~exact].flat[0]}"
            )
    return genomes.astype(np.int64)


def genomes_in_bounds(problem: Any, X: npt.ArrayLike) -> tuple[IntArray, IntArray, IntArray]:
    """Copy of genomes, with the bounds they were checked against.

    Parameters
    ----------
    problem : pymoo Problem
    X : array_like (n, n_var)

    Returns
    -------
    genomes : int64 array (n, n_var)
    lower, upper : int64 arrays (n_var,)

    Raises
    ------
    ValueError
        If a gene is out of its bounds, or not a whole number.
    """
    lower, upper = integer_bounds(problem)
    genomes = integer_genomes(X)
    outside = (genomes < lower) | (genomes > upper)
    if np.any(outside):
        row, gene = np.argwhere(outside)[0]
        raise ValueError(
            f"X: expected levels {lower[gene]}..{upper[gene]} at gene {gene}, "
            f"found {genomes[row, gene]} in genome {row}"
        )
    return genomes, lower, upper
