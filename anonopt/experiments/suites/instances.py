"""The instances of a suite: which problem, how many evaluations, how large."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from anonopt.data import cargo_columns, load_dataset
from anonopt.problems import get_problem
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.lattice import LatticeProblem


@dataclass(frozen=True)
class Instance:
    """One instance.

    Attributes
    ----------
    name : str
        Never given to another problem; a changed one makes another suite.
    family : str
        ``nodes``, ``files``, ``matrices``, ``equations`` or ``graphs``.
    source : str
        Name of a problem of the catalogue, or of a data set whose nodes are searched.
    options : mapping
        Of the problem.
    columns : tuple of str
        Quasi-identifiers; then `source` is a data set.
    budget : int
        Distinct evaluations of a run.
    """

    name: str
    family: str
    source: str
    options: Mapping[str, Any] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    budget: int = 1000

    def make(self) -> AnonymizationProblem:
        """Make the problem; all its data come with the library."""
        if not self.columns:
            return get_problem(self.source, **self.options)
        table = load_dataset(self.source, quasi_identifiers=list(self.columns))
        return LatticeProblem(table, **self.options)


def _freight(n_columns: int, budget: int) -> Instance:
    """Class size against general loss, over the first columns of the freight table."""
    return Instance(
        name=f"freight-{n_columns}-k-glm",
        family="nodes",
        source="freight",
        options={"objectives": ["k", "glm"], "suppression": 0.005},
        columns=tuple(cargo_columns(n_columns)),
        budget=budget,
    )


def _fixed_k(n_columns: int, budget: int) -> Instance:
    return Instance(f"freight-{n_columns}", "nodes", f"freight-{n_columns}", budget=budget)


ANONOPT_2026 = (
    Instance(
        name="german-small-k-glm",
        family="nodes",
        source="german",
        options={"objectives": ["k", "glm"], "suppression": 0.01},
        columns=("age", "personal_status_sex", "employment", "housing"),
        budget=60,
    ),
    Instance("german-k-glm", "nodes", "german-k-glm", budget=300),
    Instance("adult-k-glm", "nodes", "adult-k-glm"),
    Instance("adult-k-l-glm", "nodes", "adult-k-l-glm"),
    Instance("adult-sk-glm", "nodes", "adult-sk-glm"),
    Instance("adult-sk-sl-glm", "nodes", "adult-sk-sl-glm"),
    Instance("adult-k-glm-cm", "nodes", "adult-k-glm-cm"),
    _freight(6, 1000),
    _freight(10, 2000),
    _freight(20, 5000),
    _fixed_k(10, 1000),
    _fixed_k(25, 5000),
    _fixed_k(50, 5000),
    Instance("german-masking", "files", "german-masking", budget=2000),
    Instance("flare-masking", "files", "flare-masking", budget=2000),
    Instance(
        name="flare-masking-max",
        family="files",
        source="flare-masking",
        options={"objectives": ["score_max"]},
        budget=2000,
    ),
    Instance(
        name="german-masking-max",
        family="files",
        source="german-masking",
        options={"objectives": ["score_max"]},
        budget=2000,
    ),
    Instance("german-pram", "matrices", "german-pram"),
    Instance("flare-pram", "matrices", "flare-pram"),
    Instance("adult-pram", "matrices", "adult-pram", budget=200),
    Instance("german-pram-equations", "equations", "german-pram-equations"),
    Instance("flare-pram-equations", "equations", "flare-pram-equations"),
    Instance("graph-small", "graphs", "graph-small", budget=300),
    Instance("graph-small-k5", "graphs", "graph-small", {"k": 5}, budget=300),
)
"""Twenty-four instances, small to large, of what comes with the library."""

SUITES: Mapping[str, tuple[Instance, ...]] = {"anonopt-2026": ANONOPT_2026}
"""By the name that results are told with."""
