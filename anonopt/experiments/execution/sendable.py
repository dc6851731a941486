"""What other processes can be sent: told before anything runs."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Mapping

from anonopt.experiments.execution.job import Job, not_found
from anonopt.experiments.execution.processes import check_begins, pool_of
from anonopt.problems.base import AnonymizationProblem


def pickled_problems(problems: Mapping[str, AnonymizationProblem]) -> dict[str, bytes]:
    """Problems as bytes.

    Raises
    ------
    TypeError
        If one cannot be pickled, such as one with a lambda in it.
    """
    found = {}
    for digest, problem in problems.items():
        try:
            found[digest] = pickle.dumps(problem)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise TypeError(
                f"problem {problem.name()}: expected one that other processes can be sent, found "
                f"{error} (functions of a module can be sent; or use workers=0)"
            ) from error
    return found


def check_sendable(jobs: Iterable[Job], problems: Mapping[str, AnonymizationProblem]) -> None:
    """Refuse what other processes cannot be sent, such as lambdas, or would not find.

    What the program itself defines, other processes find if they can read it again: no class of a
    notebook, or below ``if __name__ == "__main__":``. One process tries.

    Raises
    ------
    TypeError
        If there is something of that kind.
    """
    pickled = {
        f"problem {problems[digest].name()}": content
        for digest, content in pickled_problems(problems).items()
    }
    for entry in {id(job.algorithm): job.algorithm for job in jobs}.values():
        try:
            pickled[f"algorithm {entry.name!r}"] = pickle.dumps(entry)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise TypeError(
                f"algorithm {entry.name!r}: expected one that other processes can be sent, found "
                f"{error} (functions of a module can be sent; or use workers=0)"
            ) from error
    own = {what: content for what, content in pickled.items() if b"__main__" in content}
    if not own:
        return
    with pool_of(1, {}) as pool:
        check_begins(pool)
        for what, why in pool.submit(not_found, own).result().items():
            raise TypeError(
                f"{what}: expected one that other processes find, found {why} (put it into a "
                "file of its own, and import it; or use workers=0)"
            )
