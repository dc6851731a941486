"""What a run hands back: the front of everything it evaluated, in natural units."""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd
from pymoo.core.algorithm import Algorithm

from anonopt._checks import check_integer
from anonopt._notebook import notebook_html
from anonopt._typing import AnyArray, FloatArray, RandomState
from anonopt.algorithms.node_tests import TestingSearch
from anonopt.problems.any_problem import unmet_rule
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.rule_problem import RuleProblem
from anonopt.runs.memory import MemoizingEvaluator
from anonopt.runs.record import EvaluationRecord

NO_FEASIBLE = "; no feasible solution"
"""What follows the reason why a run ended that found nothing feasible."""


@dataclass(frozen=True)
class Result:
    """Outcome of :func:`anonopt.runs.solve`.

    Attributes
    ----------
    X : array (n_front, n_var)
        Genomes of the front: the feasible solutions, among all that were evaluated, that no
        other feasible one dominates. Solutions with equal objectives are all kept; of problems
        that do not record genomes, the first of them. Rows are sorted by objectives, then by
        genome.
    F : float array (n_front, n_obj)
        Their minimized objectives, as pymoo sees them.
    front : DataFrame (n_front, n_var + n_obj)
        The same in natural units: columns of the genome, then of the objectives.
    n_evaluations : int
        Solutions the algorithm asked for, repeated ones included.
    n_unique : int
        Distinct solutions evaluated.
    n_tests : int
        Nodes tested for feasibility by a search that does so, such as OLA; otherwise 0. What
        became of each node tells ``result.algorithm.trace()``, of a search with ``trace=True``.
    seconds : float
        Wall time of the search.
    seed : int
        Seed of the run, also where none was given.
    history : DataFrame (n_unique, n_var + n_obj + 3)
        Every distinct solution in order: its number ``evaluation`` (from 1), genome (unless
        the problem does not record them), objectives in natural units, ``feasible``, and
        ``seconds``: the time from the start of the run until it was evaluated.
    message : str
        Why the run ended, and what is wrong if nothing is feasible.
    success : bool
        Whether at least one feasible solution was found.
    proven : bool
        Whether nothing better can be found: every solution was evaluated, or the algorithm has
        proven it, as `BranchAndBound` does. Solutions that are as good may be missing then.
        False where it is not known, or nothing is feasible.
    least_infeasible : DataFrame
        If nothing is feasible, one row: the solution of least constraint violation (the first
        evaluated among equals), with its ``violation``, the sum over the constraints of what
        exceeds 0. Otherwise no row.
    archive : archive or None
        The archive that was given to ``solve``, filled.
    problem, algorithm
        The problem, and the algorithm in its last state.
    """

    X: AnyArray
    F: FloatArray
    front: pd.DataFrame
    n_evaluations: int
    n_unique: int
    n_tests: int
    seconds: float
    seed: int
    history: pd.DataFrame
    message: str
    success: bool
    proven: bool
    least_infeasible: pd.DataFrame
    archive: Any = field(repr=False)
    problem: AnonymizationProblem = field(repr=False)
    algorithm: Algorithm = field(repr=False)

    def protect(
        self,
        row: int = 0,
        *,
        random_state: RandomState = None,
        to: str | PathLike[str] | None = None,
        flag: str | None = None,
    ) -> Any:
        """Protected data of a solution of the front, with the problem's own rules.

        Parameters
        ----------
        row : int
            Of ``front``, from 0.
        random_state : int or numpy Generator, optional
            Needed where the problem protects by chance, see ``problem.protect``.
        to : path, optional
            Of problems of lattice nodes: Parquet or CSV file that the rows are written to, see
            :meth:`anonopt.Microdata.apply`; it need not fit into memory.
        flag : str, optional
            With `to`, name of a column that is added and says which rows are suppressed.

        Returns
        -------
        DataFrame, or SocialGraph
            With `to`, a Series that reports what was written.

        Raises
        ------
        TypeError
            If the row is no whole number.
        ValueError
            If there is no such row, no feasible solution at all, or no random state where one
            is needed.

        Examples
        --------
        >>> import anonopt as ao
        >>> problem = ao.get_problem("german-k-glm")
        >>> result = ao.solve(problem, ao.algorithms.PBGEA(), budget=50, seed=1)
        >>> len(result.protect(0)) == problem.table.n_rows
        True
        """
        if not self.success:
            raise ValueError(f"row: expected a feasible solution, found none ({self.message})")
        number = check_integer("row", row, least=0, most=len(self.X) - 1)
        if to is None and flag is None:
            return self.problem.protect(self.X[number], random_state=random_state)
        if not isinstance(self.problem, RuleProblem):
            raise ValueError(
                f"to: expected with a problem of lattice nodes, found {self.problem!r}"
            )
        return self.problem.protect(self.X[number], to=to, flag=flag)

    @property
    def archive_front(self) -> pd.DataFrame:
        """Members of the archive, in its order: genome columns, objectives in natural units.

        Raises
        ------
        ValueError
            If ``solve`` was given no archive.
        """
        if self.archive is None:
            raise ValueError("archive: expected a run with solve(..., archive=...), found none")
        X, F = self.archive.population().get("X", "F")
        shape = -1, self.problem.space.n_var
        return self.problem.frame(X.reshape(shape), F.reshape(len(X), self.F.shape[1]))

    def _repr_html_(self) -> str:
        """The front, or the least infeasible solution, and how it was found, for notebooks."""
        best = self.front if self.success else self.least_infeasible
        found = f"{len(best)} solution{'s' * (len(best) != 1)} on the front"
        return notebook_html(
            found if self.success else "No feasible solution; the least infeasible one",
            {
                "problem": type(self.problem).__name__,
                "algorithm": type(self.algorithm).__name__,
                "seed": self.seed,
                "distinct solutions evaluated": f"{self.n_unique:,}",
                "nodes tested": f"{self.n_tests:,}" if self.n_tests else None,
                "proven": self.proven,
                "seconds": f"{self.seconds:.2f}",
                "ended by": self.message,
            },
            [("", best)],
            index=True,
        )


def make_result(
    problem: AnonymizationProblem,
    algorithm: Algorithm,
    evaluator: MemoizingEvaluator,
    *,
    seconds: float,
    message: str,
) -> Result:
    """Build the result of a run from the record of its evaluations.

    Parameters
    ----------
    problem, algorithm
        What was run.
    evaluator : MemoizingEvaluator
        Has evaluated at least one solution.
    seconds, message
        As in :class:`Result`; the message is completed if nothing is feasible.
    """
    record = evaluator.record
    best, genomes = record.best()
    success = bool(record.CV[best[0]] <= 0)
    if not success:
        message += _infeasibility(problem, record, int(best[0]), genomes[0])
    n_front = len(best) if success else 0
    X, F = genomes[:n_front], record.F[best[:n_front]]
    problem.confirm(X, F)
    front, least = problem.frame(X, F), best[n_front:]
    infeasible = front[:0] if success else problem.frame(genomes, record.F[least])
    return Result(
        X=X,
        F=F,
        front=front,
        n_evaluations=evaluator.n_evaluations,
        n_unique=len(record),
        n_tests=algorithm.n_tests if isinstance(algorithm, TestingSearch) else 0,
        seconds=seconds,
        seed=algorithm.seed,
        history=_history(problem, record),
        message=message,
        success=success,
        proven=success and _is_proven(problem, algorithm, len(record)),
        least_infeasible=infeasible.assign(violation=record.CV[least]),
        archive=evaluator.archive,
        problem=problem,
        algorithm=algorithm,
    )


def _is_proven(problem: AnonymizationProblem, algorithm: Algorithm, n_unique: int) -> bool:
    return problem.space.is_exhausted(n_unique) or getattr(algorithm, "is_proven", False) is True


def _history(problem: AnonymizationProblem, record: EvaluationRecord) -> pd.DataFrame:
    if record.X is None:
        history = problem.objectives_frame(record.F)
    else:
        history = problem.frame(record.X, record.F)
    history.insert(0, "evaluation", np.arange(1, len(record) + 1))
    history["feasible"], history["seconds"] = record.CV <= 0, record.seconds
    return history


def _infeasibility(
    problem: AnonymizationProblem, record: EvaluationRecord, least: int, x: AnyArray
) -> str:
    unmet = ", ".join(
        f"{name} by {amount:g}"
        for name, amount in zip(problem.constraint_names, record.G[least], strict=True)
        if amount > 0
    )
    found = f"{NO_FEASIBLE} among {len(record)} evaluated"
    if (rule := unmet_rule(problem)) is not None:
        return f"{found}: {rule}"
    # Random keys tell nothing of what they are decoded to.
    genome = "" if problem.space.kind == "keys" else f", {problem.space.text(x)},"
    return f"{found}; the least infeasible{genome} fails {unmet}"
