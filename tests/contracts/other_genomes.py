"""Problems whose genomes are long, or no numbers at all."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.sampling import Sampling

from anonopt.operators.duplicates import key_digest
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.spaces import Levels, Space


class ManyGenes(Levels):
    """Genes without names, whose keys are digests."""

    def key(self, x: npt.NDArray[Any]) -> bytes:
        return key_digest(np.ascontiguousarray(x, dtype=np.int8).tobytes())


class LongGenomes(AnonymizationProblem):
    """Genes without names, of which a run does not keep all."""

    def __init__(self, n_var: int = 12, *, least: float | None = None, levels: int = 3) -> None:
        super().__init__(
            space=ManyGenes(upper=np.full(n_var, levels - 1), records_genomes=False),
            objective_names=["low", "high"],
            maximize=[False, True],
            constraint_names=() if least is None else ("least",),
        )
        self.least = least

    def _values(self, X: npt.NDArray[Any]) -> tuple[Any, Any]:
        half = self.n_var // 2
        values = np.column_stack([X[:, :half].sum(axis=1), (X % 2).sum(axis=1)])
        G = None if self.least is None else self.least - X.sum(axis=1, keepdims=True)
        return values, G

    def _content(self) -> str:
        return f"least {self.least}"


class Word(list[str]):
    """A genome that numpy would take for a row of cells."""


class WordSpace(Space):
    """Short words over two letters."""

    kind = "words"
    vtype = object

    def __init__(self) -> None:
        super().__init__(names=["word"])

    def key(self, x: npt.NDArray[Any]) -> bytes:
        return "".join(x[0]).encode()

    def sampling(self, *, extremes: bool = False) -> Sampling:
        return _WordSampling()

    def crossover(self) -> Crossover:
        return _WordCrossover()

    def mutation(self) -> Mutation:
        return _WordMutation()


class Words(AnonymizationProblem):
    """Many a, few letters."""

    def __init__(self) -> None:
        super().__init__(
            space=WordSpace(), objective_names=["n_a", "length"], maximize=[True, False]
        )

    def _values(self, X: npt.NDArray[Any]) -> tuple[Any, None]:
        return np.array([[word.count("a"), len(word)] for word in X[:, 0]]), None


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
