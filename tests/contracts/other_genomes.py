"""Problems whose genomes are long, or no numbers at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.sampling import Sampling

from anonopt.operators import GenomeDuplicateElimination
from anonopt.operators.duplicates import key_digest
from anonopt.problems.base import AnonymizationProblem


class LongGenomes(AnonymizationProblem):
    """Genes without names, of which a run does not keep all."""

    records_genomes = False

    def __init__(self, n_var: int = 12, *, least: float | None = None, levels: int = 3) -> None:
        super().__init__(
            n_var=n_var,
            objective_names=["low", "high"],
            maximize=[False, True],
            xl=np.zeros(n_var),
            xu=np.full(n_var, levels - 1),
            constraint_names=() if least is None else ("least",),
        )
        self.least = least

    def _values(self, X: npt.NDArray[Any]) -> tuple[Any, Any]:
        half = self.n_var // 2
        values = np.column_stack([X[:, :half].sum(axis=1), (X % 2).sum(axis=1)])
        G = None if self.least is None else self.least - X.sum(axis=1, keepdims=True)
        return values, G

    def genome_key(self, x: npt.NDArray[Any]) -> bytes:
        return key_digest(np.ascontiguousarray(x, dtype=np.int8).tobytes())

    def _content(self) -> str:
        return f"least {self.least}"


class Word(list[str]):
    """A genome that numpy would take for a row of cells."""


class Words(AnonymizationProblem):
    """Short words over two letters: many a, few letters."""

    def __init__(self) -> None:
        super().__init__(
            genome_names=["word"],
            objective_names=["n_a", "length"],
            maximize=[True, False],
            vtype=object,
        )

    def _values(self, X: npt.NDArray[Any]) -> tuple[Any, None]:
        return np.array([[word.count("a"), len(word)] for word in X[:, 0]]), None

    def genome_key(self, x: npt.NDArray[Any]) -> bytes:
        return "".join(x[0]).encode()

    def operators(self) -> Mapping[str, Any]:
        return {
            "sampling": _WordSampling(),
            "crossover": _WordCrossover(),
            "mutation": _WordMutation(),
            "eliminate_duplicates": GenomeDuplicateElimination(key=self.genome_key),
        }


def words(items: list[Word]) -> npt.NDArray[Any]:
    """Object array (n, 1) of words."""
    X = np.empty((len(items), 1), dtype=object)
    for row, item in enumerate(items):
        X[row, 0] = item
    return X


def _drawn(random_state: np.random.Generator) -> Word:
    return Word(random_state.choice(["a", "b"], size=random_state.integers(1, 6)).tolist())


class _WordSampling(Sampling):
    def _do(
        self, problem: Any, n_samples: int, *args: Any, random_state: Any = None, **kwargs: Any
    ) -> Any:
        return words([_drawn(random_state) for _ in range(n_samples)])


class _WordCrossover(Crossover):
    def __init__(self) -> None:
        super().__init__(n_parents=2, n_offsprings=2)

    def _do(self, problem: Any, X: Any, *args: Any, random_state: Any = None, **kwargs: Any) -> Any:
        children = np.empty_like(X)
        for mating in range(X.shape[1]):
            one, other = X[:, mating, 0]
            children[0, mating, 0] = Word([*one[:1], *other[1:]])
            children[1, mating, 0] = Word([*other[:1], *one[1:]])
        return children


class _WordMutation(Mutation):
    def _do(self, problem: Any, X: Any, *args: Any, random_state: Any = None, **kwargs: Any) -> Any:
        return words([_drawn(random_state) for _ in X])
