"""One small problem of each kind of protected thing, and a measure of one's own for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

import anonopt as ao
from anonopt._typing import AnyArray
from anonopt.graphs import karate_club
from anonopt.masking.equations import Equation
from anonopt.measures import Measure
from anonopt.problems import (
    CellSuppressionProblem,
    ContinuousMaskingProblem,
    GraphProblem,
    LatticeProblem,
    LocalRecodingProblem,
    MaskingProblem,
    PRAMEquationProblem,
    PRAMProblem,
)

UNIT = {"maximize": False, "unit": "share", "range": "0..1"}


def top_share(classes: Any) -> float:
    return float(classes.sizes.max() / classes.all.sizes.sum())


def changed_share(original: pd.DataFrame, masked: pd.DataFrame) -> float:
    return float((original != masked).to_numpy().mean())


def moved_share(matrices: Sequence[AnyArray], frequencies: Sequence[AnyArray]) -> float:
    pairs = zip(matrices, frequencies, strict=True)
    return float(np.mean([1 - matrix.diagonal() @ n / n.sum() for matrix, n in pairs]))


def whole_columns(original: pd.DataFrame, protected: Any) -> float:
    return float((~protected.mask.any(axis=0)).mean())


def merged_share(original: Any, protected: Any) -> float:
    return len(protected.frame().drop_duplicates()) / original.n_nodes


FILE_MEASURE = Measure("changed_share", from_files=changed_share, **UNIT)
MATRIX_MEASURE = Measure("moved_share", from_matrices=moved_share, **UNIT)


@cache
def small_table() -> ao.Microdata:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 40, 60),
            "zip": rng.choice(["8166", "8167", "8266", "8300"], 60),
            "sex": rng.choice(["F", "M"], 60),
            "illness": rng.choice(["flu", "cold", "ache"], 60, p=[0.7, 0.2, 0.1]),
        }
    )
    return ao.Microdata(
        frame,
        quasi_identifiers=["age", "zip", "sex"],
        hierarchies={
            "age": ao.Hierarchy.intervals(range(20, 40), width=5, fan_outs=[2]),
            "zip": ao.Hierarchy.text(["8166", "8167", "8266", "8300"]),
            "sex": "flat",
        },
        sensitive="illness",
    )


def small_file() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    return pd.DataFrame({"zone": rng.choice(list("abc"), 60), "size": rng.choice(list("SML"), 60)})


def numeric_file() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    income = rng.integers(10, 200, 50)
    return pd.DataFrame({"income": income, "debt": income // 2 + rng.integers(0, 40, 50)})


@dataclass(frozen=True)
class ProblemKind:
    """A class of problems, small data for it, and what can be asked of it.

    ``bound`` is a built-in constraint that some genomes meet and others do not, ``own`` a measure
    of one's own.
    """

    problem: type[Any]
    data: Any
    options: Mapping[str, Any]
    objectives: tuple[str, ...]
    bound: tuple[str, float]
    own: Measure

    def make(self, cls: type[Any] | None = None, **options: Any) -> Any:
        arguments = {"objectives": list(self.objectives), **self.options, **options}
        return (cls or self.problem)(self.data(), **arguments)


KINDS = {
    "node": ProblemKind(
        LatticeProblem,
        small_table,
        {"suppression": 0.05},
        ("k", "glm"),
        ("k", 4),
        Measure("top_share", from_classes=top_share, **UNIT),
    ),
    "random keys": ProblemKind(
        LocalRecodingProblem,
        small_table,
        {"k": (3, 9), "suppression": 0.05},
        ("k", "glm"),
        ("k", 4),
        Measure("top_share", from_classes=top_share, **UNIT),
    ),
    "local recoding": ProblemKind(
        LocalRecodingProblem,
        small_table,
        {"k": (3, 9), "suppression": 0.05, "genome": "groups"},
        ("k", "glm"),
        ("glm", 31),
        Measure("top_share", from_classes=top_share, **UNIT),
    ),
    "file": ProblemKind(MaskingProblem, small_file, {}, ("IL", "DR"), ("DR", 45), FILE_MEASURE),
    "numeric file": ProblemKind(
        ContinuousMaskingProblem, numeric_file, {}, ("IL", "DR"), ("DR", 26), FILE_MEASURE
    ),
    "matrix": ProblemKind(
        PRAMProblem, small_file, {"expected": True}, ("IL", "DR"), ("DR", 30), MATRIX_MEASURE
    ),
    "equation": ProblemKind(
        PRAMEquationProblem,
        small_file,
        {"expected": True},
        ("IL", "DR", "size"),
        ("size", 3),
        MATRIX_MEASURE,
    ),
    "graph": ProblemKind(
        GraphProblem,
        karate_club,
        {"k": 3, "objectives": ["AAMIL", "CDIL"]},
        ("AAMIL", "CDIL"),
        ("AAMIL", 13),
        Measure("merged_share", from_graphs=merged_share, **UNIT),
    ),
    "suppressed cells": ProblemKind(
        CellSuppressionProblem,
        small_table,
        {"k": 3, "matching": "wildcard"},
        ("suppressed_cells", "match_risk"),
        ("affected_rows", 37),
        Measure("whole_columns", of="suppressed cells", from_protected=whole_columns, **UNIT),
    ),
}


def some_genomes(problem: Any, n: int = 12, seed: int = 5) -> AnyArray:
    """First genomes of a search; equations of different sizes, and recodings of random
    keys."""
    if problem.space.kind == "trees":
        texts = ("freq_j", "freq_i / freq_j", "N - N", "freq_max - freq_i - freq_j", "N")
        return problem.space.genomes([Equation.parse(text) for text in texts])
    rng = np.random.default_rng(seed)
    if problem.space.kind == "groups":
        keys = problem.with_genome("keys")
        decoded = keys.space.sampling()(keys, n, random_state=rng).get("X")
        return problem.space.genomes([keys.groups(x) for x in decoded])
    X: AnyArray = problem.space.sampling()(problem, n, random_state=rng).get("X")
    return X
