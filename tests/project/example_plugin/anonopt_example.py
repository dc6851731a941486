"""A package that brings an algorithm, a measure, an operator, a data set, a method, a problem."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from pymoo.core.algorithm import Algorithm
from pymoo.core.population import Population

from anonopt.data import Hierarchy, load_dataset
from anonopt.data.datasets.dataset import Dataset
from anonopt.masking import GlobalRecoding
from anonopt.measures import Measure
from anonopt.operators.variation import IntegerMutation
from anonopt.problems import LatticeProblem

HERE = Path(__file__).resolve().parent


class Walk(Algorithm):
    """One random node after the other, each a mutation of the last."""

    def __init__(self, *, n_steps: int = 30) -> None:
        super().__init__(termination=("n_gen", n_steps))

    def _initialize_infill(self) -> Population:
        sampling = self.problem.space.sampling()
        return sampling(self.problem, 1, random_state=self.random_state)

    def _infill(self) -> Population:
        mutation = self.problem.space.mutation()
        return mutation(self.problem, self.pop, random_state=self.random_state)

    def _advance(self, infills: Any = None, **kwargs: Any) -> None:
        self.pop = infills


LARGEST_CLASS = Measure(
    "largest_class",
    maximize=True,
    unit="rows",
    range="1..N",
    from_classes=lambda classes: float(classes.sizes.max()),
    summary="size of the largest class that is kept",
)


class ReverseMutation(IntegerMutation):
    """The genes in reverse order, as far as their bounds allow it."""

    summary = "genes in reverse order"

    def _changed(self, genomes: Any, lower: Any, upper: Any, generator: Any) -> Any:
        return np.clip(genomes[:, ::-1], lower, upper)


def _hierarchies(frame: Any, columns: Any, complete: bool) -> dict[Any, Hierarchy]:
    return {
        column: Hierarchy.from_tree({"*": sorted(set(map(str, frame[column])))})
        for column in columns
    }


TINY = Dataset(
    name="tiny",
    summary="eight invented people",
    n_rows=8,
    n_columns=2,
    source="invented",
    licence="none needed",
    files={"train": [str(HERE / "tiny.csv")]},
    columns=("town", "job"),
    quasi_identifiers=("town", "job"),
    make_hierarchies=_hierarchies,
)


class FirstRecoding(GlobalRecoding):
    """Recoding of the least frequent category only."""

    def __init__(self, *, columns: Any = None) -> None:
        super().__init__(p=1, columns=columns)


def tiny_problem(**options: Any) -> LatticeProblem:
    """The tiny table: largest class against general loss."""
    chosen = {"objectives": ["largest_class", "glm"], **options}
    return LatticeProblem(load_dataset("tiny"), **chosen)
