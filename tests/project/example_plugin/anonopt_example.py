"""A package that brings an algorithm, a measure, an operator, a data set, a method, a problem."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from pymoo.core.algorithm import Algorithm
from pymoo.core.population import Population
from pymoo.core.termination import NoTermination

from anonopt.algorithms import AlgorithmEntry
from anonopt.data import Hierarchy, load_dataset
from anonopt.data.datasets.dataset import Dataset
from anonopt.masking import GlobalRecoding
from anonopt.measures import Measure
from anonopt.operators import IntegerMutation
from anonopt.operators.registry import OperatorEntry
from anonopt.problems import LatticeProblem

HERE = Path(__file__).resolve().parent


class Darts(Algorithm):
    """Random genomes, a few at a time, of which the best are kept."""

    def __init__(self, *, n_darts: int = 10) -> None:
        super().__init__(termination=NoTermination())
        self.n_darts = n_darts

    def _initialize_infill(self) -> Population:
        return self._infill()

    def _infill(self) -> Population:
        sampling = self.problem.space.sampling()
        return sampling(self.problem, self.n_darts, random_state=self.random_state)

    def _initialize_advance(self, infills: Any = None, **kwargs: Any) -> None:
        self.pop = infills

    def _advance(self, infills: Any = None, **kwargs: Any) -> None:
        self.pop = Population.merge(self.opt, infills)


DARTS = AlgorithmEntry(
    Darts, summary="random genomes, a few at a time", paper="invented", spaces=frozenset({"levels"})
)

LARGEST_CLASS = Measure(
    "largest_class",
    maximize=True,
    unit="rows",
    range="1..N",
    from_classes=lambda classes: float(classes.sizes.max()),
    summary="size of the largest class that is kept",
)


class ExchangeMutation(IntegerMutation):
    """Two genes change places, as far as their bounds allow it."""

    def _changed(self, genomes: Any, lower: Any, upper: Any, generator: Any) -> Any:
        for genome in genomes:
            places = generator.integers(len(genome), size=2)
            genome[places] = genome[places[::-1]]
        return np.clip(genomes, lower, upper)


EXCHANGE = OperatorEntry(
    ExchangeMutation,
    "mutation",
    spaces=("levels",),
    paper="invented",
    summary="genes change places",
)


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


class PairRecoding(GlobalRecoding):
    """Recoding of the two least frequent categories."""

    summary = "the two least frequent categories become one"
    paper = "invented"

    def __init__(self, p: int = 2, *, columns: Any = None, ordinal: Any = None) -> None:
        super().__init__(p, columns=columns, ordinal=ordinal)


def tiny_problem(**options: Any) -> LatticeProblem:
    """The tiny table: largest class against general loss."""
    chosen = {"objectives": ["largest_class", "glm"], **options}
    return LatticeProblem(load_dataset("tiny"), **chosen)
