"""Save a run while it goes on, so that what kills it takes one interval at most."""

from __future__ import annotations

import time
from os import PathLike
from pathlib import Path

from pymoo.core.algorithm import Algorithm

from anonopt._checks import check_number
from anonopt.algorithms.registry import name_of
from anonopt.runs.saving.saved_run import SavedRun, installed_versions, origin, write_run
from anonopt.runs.termination import generations, plain_termination


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
        self._seconds = (
            check_number("checkpoint_every", every, least=0) if self._n_generations is None else 0.0
        )
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
        if len(algorithm.run_evaluator.record) >= max(self._n_held, 1):
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
    problem, evaluator = algorithm.problem, algorithm.run_evaluator
    record = evaluator.record
    # An interruption may leave the last rows of the record without their answers.
    n_unique = evaluator.n_unique
    digested = record.X is None or record.X.dtype.kind not in "biuf"
    # pymoo's wrappers share all that the problem holds, and are not made by its name.
    recipe = None if "__object__" in vars(problem) else problem.recipe
    made_as = getattr(algorithm, "recipe", None)
    return SavedRun(
        problem=origin(problem, recipe and recipe.name, recipe),
        algorithm=origin(algorithm, made_as and name_of(made_as.name), made_as),
        fingerprint=problem.fingerprint,
        portable_fingerprint=problem.portable_fingerprint,
        seed=algorithm.seed,
        budget=evaluator.budget,
        test_budget=algorithm.given_test_budget,
        termination=plain_termination(algorithm.given_termination),
        # pymoo counts the generation that comes next.
        n_generations=algorithm.n_iter - 1,
        n_evaluations=evaluator.n_evaluations,
        message=message,
        digested=digested,
        X=evaluator.digests() if digested else record.X[:n_unique],
        answers=evaluator.answers(),
        seconds=record.seconds[:n_unique],
        versions=installed_versions(),
    )
