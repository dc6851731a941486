"""What other processes can be sent: told before anything runs."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Mapping
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor

from anonopt.experiments.execution.job import Job, find_all_of
from anonopt.experiments.execution.processes import check_begins, pool_of
from anonopt.problems.base import AnonymizationProblem


def pickled_problems(problems: Mapping[str, AnonymizationProblem]) -> dict[str, bytes]:
    """Problems as bytes.

    Raises
    ------
    TypeError
        If one cannot be pickled, such as one with a lambda in it.
    """
    return {
        digest: _pickled(f"problem {problem.name()}", problem)
        for digest, problem in problems.items()
    }


def check_sendable(
    jobs: Iterable[Job],
    problems: Mapping[str, AnonymizationProblem],
    executor: Executor | None,
) -> None:
    """Refuse what other processes cannot be sent, such as lambdas, or would not find.

    What the program itself defines, other processes find if they can read it again: no class of a
    notebook, or below ``if __name__ == "__main__":``. One process tries.

    Parameters
    ----------
    jobs : iterable of Job
    problems : mapping of str to AnonymizationProblem
        By digest.
    executor : Executor or None
        None for processes of our own. Executors that are no pool of processes send algorithms in
        ways of their own, as dask does with classes of a notebook.

    Raises
    ------
    TypeError
        If there is something of that kind.
    """
    pickled = {
        f"problem {problems[digest].name()}": content
        for digest, content in pickled_problems(problems).items()
    }
    if executor is None or isinstance(executor, ProcessPoolExecutor):
        pickled |= _pickled_algorithms(jobs)
    own = {what: content for what, content in pickled.items() if b"__main__" in content}
    if not own:
        return
    if executor is not None:
        _check_found(own, executor)
        return
    with pool_of(1, {}) as pool:
        check_begins(pool)
        _check_found(own, pool)


def _pickled_algorithms(jobs: Iterable[Job]) -> dict[str, bytes]:
    entries = {f"algorithm {job.algorithm.name!r}": job.algorithm for job in jobs}
    return {what: _pickled(what, entry) for what, entry in entries.items()}


def _pickled(what: str, content: object) -> bytes:
    try:
        return pickle.dumps(content)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise TypeError(
            f"{what}: expected one that other processes can be sent, found {error} (functions of a "
            "module can be sent; or use workers=0)"
        ) from error


def _check_found(own: Mapping[str, bytes], executor: Executor) -> None:
    """Refuse what a process of the executor cannot unpack."""
    for what, content in own.items():
        error = executor.submit(find_all_of, content).exception()
        if isinstance(error, BrokenExecutor):
            raise error
        if error is not None:
            raise TypeError(
                f"{what}: expected one that other processes find, found {error} (put it into a "
                "file of its own, and import it; or use workers=0)"
            ) from error
