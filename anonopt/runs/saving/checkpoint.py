"""Save a run while it goes on, so that what kills it takes one interval at most."""

from __future__ import annotations

import operator
import time
from os import PathLike
from pathlib import Path
from typing import Any

from pymoo.core.algorithm import Algorithm
from pymoo.core.termination import NoTermination
from pymoo.termination.max_gen import MaximumGenerationTermination

from anonopt.algorithms.recipes import is_made_by
from anonopt.algorithms.registry import ALGORITHMS
from anonopt.problems.recipes import to_plain
from anonopt.runs.memory import MemoizingEvaluator
from anonopt.runs.saving.saved_run import SavedRun, installed_versions, origin, write_run

GENERATIONS = "n_gen"
"""pymoo's name for a number of generations."""

NO_RULE = "none"
"""Stands for pymoo's ``NoTermination`` in a file."""


class CheckpointWriter:
    """Write the file of a run every so many seconds or generations, and at its end.

    The file is written after the first generation, so that a mistake shows at once. It is never
    replaced by that of a run that is less far.

    Parameters
    ----------
    path : path
        Its folder exists.
    every : float or ("n_gen", int)
        Interval: seconds, at least 0, or generations, at least 1. It is looked at after each
        generation.
    n_held : int
        Evaluations that the file at this path holds already and that the run will repeat.

    Raises
    ------
    TypeError, ValueError
        If the interval is not of that form.
    FileNotFoundError, IsADirectoryError
        If the path has no folder, or is one.
    """

    def __init__(
        self, path: str | PathLike[str], *, every: float | tuple[str, int], n_held: int = 0
    ) -> None:
        self.path = Path(path)
        if not self.path.parent.is_dir():
            raise FileNotFoundError(
                f"checkpoint: expected an existing folder, found none at {self.path.parent}"
            )
        if self.path.is_dir():
            raise IsADirectoryError(f"checkpoint: expected a file, found a folder at {self.path}")
        self._n_generations = generations("checkpoint_every", every)
        self._seconds = _seconds(every) if self._n_generations is None else 0.0
        self._n_held = n_held
        self._n_since = 0
        self._written_at: float | None = None

    def after_generation(self, algorithm: Algorithm) -> None:
        """Write the file if the interval is over."""
        self._n_since += 1
        if self._is_due():
            self.write(algorithm, message=None)

    def _is_due(self) -> bool:
        if self._written_at is None:
            return True
        if self._n_generations is not None:
            return self._n_since >= self._n_generations
        return time.monotonic() - self._written_at >= self._seconds

    def write(self, algorithm: Algorithm, *, message: str | None) -> None:
        """Write the file now, unless the run is less far than the file.

        Parameters
        ----------
        algorithm : pymoo Algorithm
        message : str or None
            Why the run ended, if it did.
        """
        if len(algorithm.evaluator.record) >= max(self._n_held, 1):
            write_run(describe_run(algorithm, message), self.path)
            self._n_since = 0
            self._written_at = time.monotonic()


def describe_run(algorithm: Algorithm, message: str | None) -> SavedRun:
    """Everything a file has to hold of a run, at the end of a generation or of the run.

    Parameters
    ----------
    algorithm : pymoo Algorithm
        As ``solve`` advanced it.
    message : str or None
        Why the run ended, if it did.
    """
    problem, evaluator = algorithm.problem, algorithm.evaluator
    X = evaluator.record.X
    digested = X is None or X.dtype.kind not in "biuf"
    recipe = problem.recipe
    return SavedRun(
        problem=origin(problem, recipe and recipe.name, recipe),
        algorithm=origin(algorithm, _registered_name(algorithm), _recipe_of(algorithm)),
        fingerprint=problem.fingerprint,
        portable_fingerprint=problem.portable_fingerprint,
        seed=algorithm.seed,
        budget=evaluator.budget,
        termination=_plain_termination(algorithm.given_termination),
        # pymoo counts the generation that comes next.
        n_generations=algorithm.n_iter - 1,
        n_evaluations=evaluator.n_evaluations,
        message=message,
        digested=digested,
        # An interruption may leave the last rows of the record without their answers.
        X=evaluator.digests() if digested else X[: evaluator.n_unique],
        answers=evaluator.answers(),
        versions=installed_versions(),
    )


def can_be_described(algorithm: Algorithm) -> bool:
    """Whether ``solve`` advanced this algorithm."""
    made_by_solve = hasattr(algorithm, "given_termination")
    return made_by_solve and isinstance(algorithm.evaluator, MemoizingEvaluator)


def generations(name: str, value: object) -> int | None:
    """Return n of ``("n_gen", n)``; None for a single number.

    Raises
    ------
    TypeError, ValueError
        If it is a sequence of another kind, or n is below 1.
    """
    if not isinstance(value, tuple | list):
        return None
    if len(value) != 2 or value[0] != GENERATIONS:
        raise ValueError(f'{name}: expected a number or ("n_gen", number); found {value!r}')
    n_generations = operator.index(value[1])
    if n_generations < 1:
        raise ValueError(f"{name}: expected at least 1 generation; found {n_generations}")
    return n_generations


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f'checkpoint_every: expected seconds or ("n_gen", number); found {value!r}')
    if not value >= 0:
        raise ValueError(f"checkpoint_every: expected at least 0 seconds; found {value}")
    return float(value)


def _recipe_of(algorithm: Algorithm) -> Any:
    return getattr(algorithm, "recipe", None)


def _registered_name(algorithm: Algorithm) -> str | None:
    recipe = _recipe_of(algorithm)
    if recipe is None:
        return None
    names = (name for name, entry in ALGORITHMS.items() if is_made_by(recipe, entry.factory))
    return next(names, None)


def _plain_termination(termination: Any) -> Any:
    if type(termination) is MaximumGenerationTermination:
        return (GENERATIONS, termination.n_max_gen)
    if type(termination) is NoTermination:
        return NO_RULE
    try:
        to_plain(termination)
    except TypeError:
        return {"class": f"{type(termination).__module__}.{type(termination).__qualname__}"}
    return termination
