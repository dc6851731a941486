"""The algorithm that is taken for a problem if nobody names one."""

from __future__ import annotations

from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.lattice import LatticeProblem


def default_algorithm(problem: AnonymizationProblem) -> str:
    """Name of an algorithm of the registry that takes the problem.

    Parameters
    ----------
    problem : AnonymizationProblem

    Returns
    -------
    str
        ``"pbgea"`` for lattices; for other genomes, such as masked files, matrices, equations
        and graphs, ``"nsga2"``, or ``"ga"`` if there is one objective.

    Examples
    --------
    >>> from anonopt.problems import get_problem
    >>> default_algorithm(get_problem("german-pram-equations"))
    'nsga2'
    """
    if isinstance(problem, LatticeProblem):
        return "pbgea"
    return "nsga2" if problem.n_obj > 1 else "ga"
