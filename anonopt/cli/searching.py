"""Searches in turn: the exact one within a limit first, another where that proves nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anonopt.cli.console import is_watched, note

if TYPE_CHECKING:
    from anonopt.problems import AnonymizationProblem, LatticeProblem
    from anonopt.runs import Result

CHECKPOINT_SECONDS = 60.0

TESTED_TUPLES = 3_000_000_000
FEWEST_TESTS, MOST_TESTS = 1_000, 1_000_000
"""Default of the tests of nodes: so many that about so many distinct tuples are looked at, a
minute or two, but never a time, since the same file has to give the same node on any machine."""


@dataclass(frozen=True, eq=False)
class Searched:
    """What one search, or several in turn, found.

    Attributes
    ----------
    algorithm : str
        The one whose result it is.
    result : Result
        The best of all that were run.
    text : str
        What each of them did.
    n_searches : int
    """

    algorithm: str
    result: Result
    text: str
    n_searches: int


def search_in_turn(
    problem: AnonymizationProblem,
    algorithms: Sequence[str],
    *,
    title: str,
    budget: int | None,
    default_budget: int,
    test_budget: int | None,
    seed: int,
    seconds: float | None = None,
    generations: int | None = None,
    checkpoint: Path | None = None,
    checkpoint_every: float = CHECKPOINT_SECONDS,
) -> Searched:
    """Run searches one after the other until one has proven its result.

    Parameters
    ----------
    problem : AnonymizationProblem
        Of one objective, if there are several algorithms.
    algorithms : sequence of str
        At least one.
    title : str
        Of the problem, for the note on what is searched.
    budget, test_budget : int or None
        Most distinct evaluations and most tests; without the first as many as an exact search
        needs, but `default_budget` for any other, without the second as `default_tests`.
    default_budget, seed : int
    seconds : float, optional
        Most time of each search; two runs then need not find the same.
    generations : int, optional
        Most of them, in place of the algorithm's own.
    checkpoint : path, optional
        File to save the run to while it goes on. If it is there, the run in it goes on.
    checkpoint_every : float
        Seconds.

    Raises
    ------
    ValueError
        If there is a checkpoint and several algorithms, or it is of another run.
    """
    from anonopt.algorithms import ALGORITHMS, get_algorithm
    from anonopt.algorithms.node_tests import TestingSearch
    from anonopt.runs import resume_run, solve

    if checkpoint is not None and len(algorithms) > 1:
        raise ValueError(
            f"--checkpoint: expected one algorithm, found {', then '.join(algorithms)}; "
            f"--algorithm names one"
        )
    run: dict[str, Any] = {
        "termination": _termination(seconds, generations),
        "checkpoint": checkpoint,
        "checkpoint_every": checkpoint_every,
        "progress": is_watched(),
    }
    results: dict[str, Result] = {}
    for name in algorithms:
        algorithm = get_algorithm(name, problem)
        tests, evaluations = None, budget
        if isinstance(algorithm, TestingSearch):
            tests = test_budget
            if tests is None and ALGORITHMS[name].fixed_k:
                tests = default_tests(problem)  # type: ignore[arg-type]
        if budget is None and not ALGORITHMS[name].exact:
            evaluations = default_budget
        limits = ((evaluations, "evaluations"), (tests, "tests"))
        limit = " and ".join(f"{most:,} {what}" for most, what in limits if most is not None)
        note("Searching ", f"{title} with {name}" + (f", {limit} at most" if limit else ""))
        if checkpoint is not None and checkpoint.exists():
            limits_of_run = {"seed": seed, "budget": evaluations, "test_budget": tests}
            _check_checkpoint(checkpoint, name, limits_of_run)
            results[name] = resume_run(checkpoint, problem=problem, algorithm=algorithm, **run)
        else:
            results[name] = solve(
                problem, algorithm, budget=evaluations, test_budget=tests, seed=seed, **run
            )
        if results[name].proven:
            break
    best = min(results, key=lambda name: _rank(results[name]))
    text = ", then ".join(_ran(name, result, seconds) for name, result in results.items())
    return Searched(best, results[best], text, len(results))


def _termination(seconds: float | None, generations: int | None) -> tuple[str, float] | None:
    if seconds is not None:
        return "time", seconds
    return None if generations is None else ("n_gen", generations)


def _check_checkpoint(path: Path, algorithm: str, asked: dict[str, int | None]) -> None:
    """Refuse a saved run that is not the one that is asked for."""
    from anonopt.runs.saving.saved_run import read_run

    saved = read_run(path)
    for name, value in {"algorithm": algorithm, **asked}.items():
        found = saved.algorithm.name if name == "algorithm" else getattr(saved, name)
        if found != value:
            raise ValueError(
                f"{path}: expected a run whose {name.replace('_', ' ')} is {value}, found {found}; "
                f"without the file the run begins anew"
            )


def default_tests(problem: LatticeProblem) -> int:
    """Nodes that a search which tests nodes may test, unless it is told otherwise."""
    tests = TESTED_TUPLES // problem.evaluator.n_tuples
    return max(FEWEST_TESTS, min(MOST_TESTS, tests))


def _rank(result: Result) -> tuple[bool, float]:
    """Feasible results first, the best of them first; of equals the one that was there first."""
    return not result.success, float(result.F.min()) if result.success else 0.0


def _ran(name: str, result: Result, seconds: float | None) -> str:
    from anonopt.algorithms import ALGORITHMS

    seed = f" with seed {result.seed}" if ALGORITHMS[name].stochastic else ""
    tested = f" and tested {result.n_tests:,}" if result.n_tests else ""
    what = "node" if result.problem.space.kind == "levels" else "solution"
    what += "s" * (result.n_unique != 1)
    is_late = seconds is not None and result.seconds >= seconds
    reason = f"{seconds:g} s are over" if is_late else result.message
    return f"{name}{seed} evaluated {result.n_unique:,} {what}{tested} ({reason})"
