"""Rows of an experiment's file: what a run is of, what was asked for, and what it came to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from anonopt._typing import AnyArray, BoolArray, FloatArray
from anonopt.experiments.grid.entries import AlgorithmEntry, ProblemEntry


class Cell(NamedTuple):
    """One run of an experiment.

    Attributes
    ----------
    problem, algorithm : str
        Names in the experiment.
    seed : int
    budget : str
        What bounds the run, as canonical JSON.
    """

    problem: str
    algorithm: str
    seed: int
    budget: str

    @property
    def name(self) -> str:
        """Such as ``adult-k-glm / PBG-EA / seed 3``."""
        return f"{self.problem} / {self.algorithm} / seed {self.seed}"


@dataclass(frozen=True)
class ProblemRow:
    """A problem as the file describes it; fields as in its table."""

    problem: str
    made_by: str
    fingerprint: str
    space: str
    n_var: int
    size: int | None
    objectives: tuple[str, ...]
    maximize: tuple[bool, ...]

    @classmethod
    def of(cls, entry: ProblemEntry) -> ProblemRow:
        """Describe a problem of the grid."""
        problem = entry.problem
        return cls(
            problem=entry.name,
            made_by=entry.made_by(),
            fingerprint=problem.portable_fingerprint,
            space=problem.space.kind,
            n_var=problem.space.n_var,
            size=problem.space.size,
            objectives=tuple(problem.objective_names),
            maximize=tuple(bool(flag) for flag in problem.maximize),
        )


@dataclass(frozen=True)
class AlgorithmRow:
    """An algorithm as the file describes it; fields as in its table."""

    algorithm: str
    problem: str
    made_by: str

    @classmethod
    def of(cls, entry: AlgorithmEntry, problem: ProblemEntry) -> AlgorithmRow:
        """Describe an algorithm of the grid on one of its problems."""
        return cls(entry.name, problem.name, entry.made_by(problem.problem))


@dataclass(frozen=True)
class RunRow:
    """A run that ended, one way or the other.

    Attributes
    ----------
    status : str
        ``done``, ``failed``, ``out of time`` or ``out of memory``.
    message, trace : str
        Why it ended; the trace of a failure, else empty.
    objectives : float array (n, n_obj)
        Minimized objectives of every distinct evaluation, in order.
    feasible : bool array (n,)
    seconds : float array (n,)
    front_objectives : float array (n_front, n_obj)
    front_genomes : array (n_front, n_var)
    n_evaluations, n_unique, n_tests : int
    proven : bool
    wall_seconds, cpu_seconds : float
    machine : str
    versions : mapping of str to str
    """

    status: str
    message: str
    trace: str
    objectives: FloatArray
    feasible: BoolArray
    seconds: FloatArray
    front_objectives: FloatArray
    front_genomes: AnyArray
    n_evaluations: int
    n_unique: int
    n_tests: int
    proven: bool
    wall_seconds: float
    cpu_seconds: float
    machine: str
    versions: dict[str, str]
