"""Named problems of local recoding: each group of rows is generalized in its own way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from anonopt.data import load_dataset
from anonopt.problems.local_recoding import LocalRecodingProblem
from anonopt.problems.named.entry import ProblemEntry, named_problem
from anonopt.problems.spaces import Groups, Keys

KEYS, GROUPS = "local", "groups"
"""What stands in a name for random keys that cuts decode, and for the recodings themselves."""

TASKS: Mapping[str, tuple[str, str, Sequence[str], dict[str, Any]]] = {
    "adult-{}-glm": (
        "adult",
        "Adult: least general loss at k = 5, nothing suppressed",
        ["glm"],
        {"k": 5},
    ),
    "adult-{}-l-glm": (
        "adult",
        "Adult: least general loss at k = 5 with 3 occupations in every class",
        ["glm"],
        {"k": 5, "class_bounds": {"l": 3}},
    ),
    "german-{}-glm": (
        "german",
        "German credit: least general loss at k = 5, nothing suppressed",
        ["glm"],
        {"k": 5},
    ),
    "german-{}-l-glm": (
        "german",
        "German credit: least general loss at k = 5 with 3 purposes in every class",
        ["glm"],
        {"k": 5, "class_bounds": {"l": 3}},
    ),
    "patients-{}-glm": (
        "patients",
        "Patients, 20 rows: least general loss at k = 3, nothing suppressed",
        ["glm"],
        {"k": 3},
    ),
}
"""Tasks of one objective by their names: data set, summary, objectives, options."""

FRONTS: Mapping[str, tuple[str, str, Sequence[str], dict[str, Any]]] = {
    "adult-local-k-glm": (
        "adult",
        "Adult: class size against general loss, k = 2..100 chosen by a key",
        ["k", "glm"],
        {"k": (2, 100)},
    ),
    "german-local-k-glm": (
        "german",
        "German credit: class size against general loss, k = 2..100 chosen by a key",
        ["k", "glm"],
        {"k": (2, 100)},
    ),
}
"""Tasks of which a key chooses k."""

BEST_AND_BOUND: Mapping[str, tuple[str, str]] = {
    "adult-{}-glm": ("6,866", "5,856"),
    "german-{}-glm": ("457.37", "407.58"),
    "german-{}-l-glm": ("479.35", "419.58"),
}
"""Least loss that `RecodingSearch` found in 100 sweeps of Adult or 1,000 of German credit, rounded
up, and what `recoding_bound` proves in 8 rounds of every local recoding by values of the
hierarchies, rounded down; by the names of tasks."""

LEAST: Mapping[str, str] = {"patients-{}-glm": "15.511"}
"""What `ExactRecodingSearch` proves to be the least loss; by the names of tasks."""


def _known(task: str) -> dict[str, str]:
    """What is known of the optimum of a task."""
    if task in LEAST:
        return {"optimum": f"no local recoding is below glm {LEAST[task]}, by exact-recoding"}
    if task not in BEST_AND_BOUND:
        return {}
    best, bound = BEST_AND_BOUND[task]
    text = f"not known; best known glm {best}, by recoding-search; at least {bound}"
    return {"optimum": f"{text}, by recoding_bound"}


def _local(
    data: str, summary: str, objectives: Sequence[str], options: Mapping[str, Any], **facts: Any
) -> ProblemEntry:
    of_keys = options.get("genome", "keys") == "keys"
    kind = "random keys" if of_keys else "the recodings themselves"
    return named_problem(
        LocalRecodingProblem,
        Keys if of_keys else Groups,
        partial(load_dataset, data),
        objectives,
        options=options,
        summary=f"{summary}; genomes are {kind}",
        paper="this library",
        **facts,
    )


LOCAL_RECODINGS: Mapping[str, ProblemEntry] = {
    **{
        name.format(genome): _local(
            data,
            summary,
            objectives,
            options if genome == KEYS else {**options, "genome": "groups"},
            **_known(name),
        )
        for genome in (KEYS, GROUPS)
        for name, (data, summary, objectives, options) in TASKS.items()
    },
    **{name: _local(*task) for name, task in FRONTS.items()},
}
"""By name."""
