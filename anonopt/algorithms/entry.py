"""What the registry of algorithms says of one: how it is made, where it is from, what it takes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, runtime_checkable

from pymoo.core.algorithm import Algorithm
from pymoo.core.problem import Problem

from anonopt.problems.any_problem import lattice_of, way_to
from anonopt.problems.spaces import space_of


@runtime_checkable
class Particular(Protocol):
    """An algorithm that takes fewer problems than its entry says, such as small lattices only."""

    def particular_refusal(self, problem: Problem) -> str | None:
        """Why it does not take a problem that fits its entry; None if it does."""
        ...


@dataclass(frozen=True)
class AlgorithmEntry:
    """One algorithm of the registry.

    Attributes
    ----------
    maker : str or callable
        A class whose options have defaults, or a function of the problem and options; as text,
        the module and name where it is.
    summary : str
        What it does, in a line.
    paper : str
        Where it is from.
    spaces : frozenset of str, or None
        Kinds of the spaces it searches, see `Space.kind`; None for all.
    single_objective, multi_objective : bool
        Whether it handles problems of one objective, and of several.
    constraints : bool
        Whether it prefers feasible solutions.
    exact : bool
        Whether what it reports, run to its end, is proven to be the true front.
    stochastic : bool
        Whether the seed matters.
    fixed_k : bool
        Whether it takes nothing but lattice problems under the fixed-k rule alone.
    node_measures : bool
        Whether it takes nothing but lattice problems with the values of their own measures.
    whole_numbers : bool
        Whether genes have to be whole numbers within bounds.
    real_numbers : bool
        Whether genes have to be real numbers within bounds.
    """

    maker: str | Callable[..., Algorithm]
    summary: str
    paper: str
    spaces: frozenset[str] | None = None
    single_objective: bool = True
    multi_objective: bool = True
    constraints: bool = True
    exact: bool = False
    stochastic: bool = True
    fixed_k: bool = False
    node_measures: bool = False
    whole_numbers: bool = False
    real_numbers: bool = False

    @property
    def path(self) -> str:
        """Module and name of the maker, which recipes of saved runs hold."""
        return self.maker if isinstance(self.maker, str) else path_of(self.maker)

    def load(self) -> Callable[..., Algorithm]:
        """The class or function; only now is its module imported."""
        if not isinstance(self.maker, str):
            return self.maker
        module, _, name = self.maker.rpartition(".")
        found: Callable[..., Algorithm] = getattr(import_module(module), name)
        return found

    def make(self, problem: Problem, **options: Any) -> Algorithm:
        """Make a fresh algorithm.

        Parameters
        ----------
        problem : pymoo Problem
        **options
            Options of its class or function.
        """
        maker = self.load()
        return maker(**options) if isinstance(maker, type) else maker(problem, **options)

    def refusal(self, problem: Problem) -> str | None:
        """Why the algorithm, with its default options, does not take a problem.

        Parameters
        ----------
        problem : pymoo Problem

        Returns
        -------
        str or None
            What was expected and found; None if it takes the problem.
        """
        reason = self.declared_refusal(problem)
        if reason is not None:
            return reason
        maker = self.load()
        if isinstance(maker, type) and issubclass(maker, Particular):
            return maker().particular_refusal(problem)
        return None

    def declared_refusal(self, problem: Problem) -> str | None:
        """Why a problem does not fit what the entry declares; None if it does."""
        try:
            space = space_of(problem)
        except ValueError as error:
            return str(error)
        if self.spaces is not None and space.kind not in self.spaces:
            kinds = " or ".join(sorted(self.spaces))
            way = way_to(problem, self.spaces)
            return f"expected a space of {kinds}, found {space.kind}{way}"
        if self.whole_numbers and space.vtype is not int:
            return (
                f"expected genomes of whole numbers, found {space.kind} of {space.vtype.__name__}"
            )
        if self.real_numbers and (space.vtype is not float or space.lower is None):
            return f"expected genomes of real numbers, found {space.kind} of {space.vtype.__name__}"
        if problem.n_obj == 1 and not self.single_objective:
            return "expected a problem of 2 objectives or more, found 1"
        if problem.n_obj > 1 and not self.multi_objective:
            return f"expected a problem of 1 objective, found {problem.n_obj}"
        lattice = lattice_of(problem)
        if lattice is None and (self.fixed_k or self.node_measures):
            return (
                "expected a LatticeProblem with the values of its own measures, "
                f"found {type(problem).__name__}"
            )
        return _fixed_k_refusal(lattice) if self.fixed_k else None


def _fixed_k_refusal(lattice: Any) -> str | None:
    if lattice.evaluator.rule.k is None:
        return "expected a problem with a fixed k (option k), found none"
    if lattice.constraints:
        names = ", ".join(measure.name for measure, _ in lattice.constraints)
        return f"expected no constraint but that of the fixed k, found {names}"
    return None


def entry_of(name: str, thing: Any, **facts: Any) -> AlgorithmEntry:
    """Entry of what a user registers.

    Parameters
    ----------
    name : str
    thing : class of pymoo Algorithms, function of the problem and options, or AlgorithmEntry
        The options of a class need defaults.
    **facts
        Attributes of the entry; ``spaces`` may be a single kind, or several.

    Raises
    ------
    TypeError
        If it is nothing of these, or a fact is unknown.
    """
    if isinstance(thing, AlgorithmEntry):
        return dataclasses.replace(thing, **facts)
    if not callable(thing) or (isinstance(thing, type) and not issubclass(thing, Algorithm)):
        raise TypeError(
            f"algorithm {name!r}: expected a class of pymoo Algorithms, or a function of the "
            f"problem that makes one, found {thing!r}"
        )
    if isinstance(facts.get("spaces"), str | list | tuple | set):
        spaces = facts["spaces"]
        facts["spaces"] = frozenset([spaces] if isinstance(spaces, str) else spaces)
    summary = (thing.__doc__ or "").strip().partition("\n")[0]
    return AlgorithmEntry(maker=thing, **{"summary": summary, "paper": "", **facts})


def path_of(maker: Any) -> str:
    """Module and name of a class or function."""
    return f"{maker.__module__}.{maker.__qualname__}"
