"""What the catalogue knows of a named problem, and how it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.spaces import Space


@dataclass(frozen=True)
class ProblemEntry:
    """One named problem.

    Attributes
    ----------
    factory : callable
        Builds the problem; takes options of its class that replace its own.
    summary : str
        The task in one line.
    paper : str
        Where it is from.
    optimum : str
        What is known about the best solutions, and how.
    space : str
        Kind of its space, such as ``"levels"``.
    objectives : str
        Names of its objectives, divided by commas.
    """

    factory: Callable[..., AnonymizationProblem]
    summary: str
    paper: str
    optimum: str = "not known; best known by search"
    space: str = ""
    objectives: str = ""


def named_problem(
    problem: Callable[..., AnonymizationProblem],
    space: type[Space],
    data: Callable[..., Any],
    objectives: Sequence[str],
    *,
    options: Mapping[str, Any] | None = None,
    data_options: Sequence[str] = (),
    **facts: str,
) -> ProblemEntry:
    """Entry of a problem of a class, on data of a function.

    Parameters
    ----------
    problem : callable
        Class of the problem: takes data, objectives and options.
    space : type of Space
    data : callable
        Loads the data.
    objectives : sequence of str
    options : mapping, optional
        Of the class.
    data_options : sequence of str
        Options that are handed to `data`.
    **facts
        Of the entry.
    """
    named = {"objectives": list(objectives), **(options or {})}

    def make(**others: Any) -> AnonymizationProblem:
        chosen = {name: others.pop(name) for name in data_options if name in others}
        return problem(data(**chosen), **{**named, **others})

    return ProblemEntry(make, space=space.kind, objectives=", ".join(objectives), **facts)
