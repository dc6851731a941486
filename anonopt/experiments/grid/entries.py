"""Problems and algorithms of an experiment, however they were handed in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from pymoo.core.algorithm import Algorithm

from anonopt._checks import check_distinct
from anonopt.algorithms.entry import AlgorithmEntry as Registration
from anonopt.algorithms.entry import path_of
from anonopt.algorithms.registry import ALGORITHMS, declared_refusal, get_algorithm, refused
from anonopt.experiments.grid.budgets import Budget
from anonopt.experiments.grid.descriptions import own_parts_of, parameters_of, plain_options
from anonopt.experiments.grid.options import check_no_option_of_experiment, made_with
from anonopt.problems import get_problem
from anonopt.problems.base import AnonymizationProblem, check_problem
from anonopt.problems.catalogue import PROBLEMS

ProblemLike: TypeAlias = (
    str | tuple[str, Mapping[str, Any]] | AnonymizationProblem | Callable[[], AnonymizationProblem]
)
AlgorithmLike: TypeAlias = (
    str | tuple[str, Mapping[str, Any]] | Algorithm | Callable[[AnonymizationProblem], Algorithm]
)


@dataclass(frozen=True)
class ProblemEntry:
    """A problem of the grid.

    Attributes
    ----------
    name : str
        In the experiment.
    problem : AnonymizationProblem
    catalogue_name : str or None
        Name by which a worker can make it itself.
    """

    name: str
    problem: AnonymizationProblem = field(repr=False)
    catalogue_name: str | None

    def made_by(self) -> str:
        """Class, name in the catalogue, options, and of a class of one's own its code, as JSON."""
        recipe = self.problem.recipe
        options = plain_options({} if recipe is None else recipe.options)
        name = recipe.name if recipe is not None and recipe.name in PROBLEMS else None
        kind = f"{type(self.problem).__module__}.{type(self.problem).__qualname__}"
        own = own_parts_of(self.problem)
        return json.dumps({"class": kind, "name": name, "options": options} | own)


@dataclass(frozen=True)
class AlgorithmEntry:
    """An algorithm of the grid.

    Attributes
    ----------
    name : str
        In the experiment.
    source : str, tuple, Algorithm or callable
        As it was handed in.
    registration : entry of the registry, or None
        Of a name that was registered in this process, and that no other one knows.
    """

    name: str
    source: AlgorithmLike = field(repr=False)
    registration: Registration | None = field(default=None, repr=False)

    @property
    def registered(self) -> str | None:
        """Name in the registry; None of what was handed in as an object or a function."""
        named = self.source[0] if isinstance(self.source, tuple) else self.source
        return named if isinstance(named, str) else None

    def make(self, problem: AnonymizationProblem) -> Algorithm:
        """A fresh algorithm for a problem.

        Raises
        ------
        ValueError
            If it does not take the problem.
        TypeError
            If a function of one's own makes something else.
        """
        name, registration = self.registered, self.registration
        if name is not None and registration is not None and name not in ALGORITHMS:
            ALGORITHMS.register(name, registration)
        match self.source:
            case str(registered):
                return get_algorithm(registered, problem)
            case (registered, options):
                make = partial(get_algorithm, registered, problem)
                return made_with(f"algorithm {self.name!r}", make, options)
            case Algorithm():
                algorithm = self.source
            case type():
                algorithm = self.source()
            case _:
                algorithm = self.source(problem)
        if not isinstance(algorithm, Algorithm):
            raise TypeError(
                f"algorithm {self.name!r}: expected its function to make an algorithm, "
                f"found {algorithm!r}"
            )
        reason = declared_refusal(type(algorithm).__mro__, problem)
        if reason is not None:
            raise refused(self.name, problem, reason)
        return algorithm

    def made_by(self, problem: AnonymizationProblem) -> str:
        """Class, registered name, options, operators and code of one's own, as JSON."""
        algorithm = self.make(problem)
        options = plain_options(self.source[1]) if isinstance(self.source, tuple) else {}
        return json.dumps(
            {
                "class": path_of(type(algorithm)),
                "name": self.registered,
                "options": options,
                "parameters": parameters_of(algorithm),
            }
        )


class Pair(NamedTuple):
    """A problem and an algorithm that is run on it, with the budgets and seeds it is run with."""

    problem: ProblemEntry
    algorithm: AlgorithmEntry
    budgets: Sequence[Budget]
    seeds: Sequence[int]


def problem_entries(
    problems: Mapping[str, ProblemLike] | Iterable[ProblemLike],
) -> list[ProblemEntry]:
    """Name the problems of an experiment, and make those that are named only.

    Parameters
    ----------
    problems : mapping of name to problem, or iterable of problems
        Each a name of the catalogue, a pair of name and options, an object, or a function without
        arguments that makes one. Without a mapping, an object is called by its name in the
        catalogue, or by its class.

    Raises
    ------
    ValueError
        If there is none, a name is unknown, or two have one name.
    TypeError
        If something else is handed in.
    """
    _check_many("problems", problems)
    items = (
        [(check_name("problems", name), one) for name, one in problems.items()]
        if isinstance(problems, Mapping)
        else [(None, one) for one in problems]
    )
    entries = [_problem_entry(name, one) for name, one in items]
    _check_names("problems", [entry.name for entry in entries])
    return entries


def _problem_entry(name: str | None, given: ProblemLike) -> ProblemEntry:
    if isinstance(given, str):
        return ProblemEntry(name or given, get_problem(given), given)
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], Mapping):
        chosen, options = given
        PROBLEMS.find(chosen)
        what = f"problem {name or chosen!r}"
        given = made_with(what, partial(get_problem, chosen), options)
    if not isinstance(given, AnonymizationProblem) and not callable(given):
        raise TypeError(
            "problems: expected a name, a pair of name and options, a problem, or a function that "
            f"makes one, found {given!r}"
        )
    problem = given if isinstance(given, AnonymizationProblem) else given()
    check_problem(problem)
    known = problem.recipe.name if problem.recipe is not None else None
    is_named = known in PROBLEMS and problem.recipe is not None and not problem.recipe.options
    catalogue_name = known if is_named else None
    return ProblemEntry(name or known or type(problem).__name__, problem, catalogue_name)


def algorithm_entries(
    algorithms: Mapping[str, AlgorithmLike] | Iterable[AlgorithmLike],
) -> list[AlgorithmEntry]:
    """Name the algorithms of an experiment.

    Parameters
    ----------
    algorithms : mapping of name to algorithm, or iterable of algorithms
        Each a registered name, a name with options, an object (a fresh copy is run), or a
        function of the problem that makes one.

    Raises
    ------
    ValueError
        If there is none, a name is unknown, or two have one name.
    TypeError
        If something else is handed in.
    """
    _check_many("algorithms", algorithms)
    if isinstance(algorithms, Mapping):
        entries = [
            AlgorithmEntry(check_name("algorithms", name), source)
            for name, source in algorithms.items()
        ]
    else:
        entries = [AlgorithmEntry(_algorithm_name(source), source) for source in algorithms]
    for entry in entries:
        _check_source(entry)
    _check_names("algorithms", [entry.name for entry in entries])
    return [_with_registration(entry) for entry in entries]


def _with_registration(entry: AlgorithmEntry) -> AlgorithmEntry:
    if entry.registered is None:
        return entry
    found = ALGORITHMS.find(entry.registered)
    if ALGORITHMS.is_installed(entry.registered):
        return entry
    return replace(entry, registration=found)


def _algorithm_name(source: AlgorithmLike) -> str:
    if isinstance(source, str):
        return source
    if isinstance(source, tuple) and len(source) == 2 and isinstance(source[1], Mapping):
        options = ", ".join(f"{key}={value}" for key, value in source[1].items())
        return f"{source[0]}({options})"
    if isinstance(source, Algorithm):
        return type(source).__name__
    return getattr(source, "__name__", type(source).__name__)


def check_name(what: str, name: object) -> str:
    """Name that tables, files and other programs can show.

    Raises
    ------
    TypeError
        If it is no text.
    ValueError
        If nothing of it can be seen, or a character of it cannot be written in a line.

    Examples
    --------
    >>> check_name("algorithms", "PBG-EA, 40")
    'PBG-EA, 40'
    """
    if not isinstance(name, str):
        raise TypeError(f"{what}: expected a name that is a text, found {name!r}")
    if not name.strip() or not name.isprintable():
        raise ValueError(f"{what}: expected a name of printable characters, found {name!r}")
    return name


def _check_many(what: str, given: object) -> None:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(f"{what}: expected a list, or a mapping of names, found {given!r}")


def _check_source(entry: AlgorithmEntry) -> None:
    match entry.source:
        case (str(), Mapping() as options):
            check_no_option_of_experiment(f"algorithm {entry.name!r}", options)
            return
        case str() | Algorithm():
            return
        case source if callable(source):
            return
    raise TypeError(
        f"algorithm {entry.name!r}: expected a name, a pair of name and options, an algorithm, or "
        f"a function of the problem that makes one, found {entry.source!r}"
    )


def _check_names(what: str, names: list[str]) -> None:
    if not names:
        raise ValueError(f"{what}: expected at least one, found none")
    check_distinct(what, names, hint=" (a mapping names them)")
