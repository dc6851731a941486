"""Whether an answer to an exercise is right, and what is wrong with it, without the solution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pymoo.core.algorithm import Algorithm
from pymoo.core.mutation import Mutation

from anonopt._typing import IntArray
from anonopt.algorithms import PBGEA, RandomSearch
from anonopt.data import load_dataset
from anonopt.evaluation import LatticeEvaluator
from anonopt.measures import indicators
from anonopt.measures.fronts.boxes import dominates
from anonopt.problems import LatticeProblem
from anonopt.runs import solve
from anonopt.teaching.disclosure import NAMES, class_sizes, exposure
from anonopt.teaching.exercises import (
    ASKED_K,
    BUDGET,
    DIAGONAL,
    NODE,
    PUBLISHED,
    SEEDS,
    WINS,
    get_exercise,
    points_to_compare,
)

TOLERANCE = 1e-9
"""Of sums and frequencies of a matrix."""


@dataclass(frozen=True)
class Verdict:
    """What is to be said about an answer.

    Attributes
    ----------
    number : int
        The exercise.
    is_right : bool
        Also what ``bool()`` and ``assert`` see.
    message : str
    """

    number: int
    is_right: bool
    message: str

    def __bool__(self) -> bool:
        return self.is_right

    def __repr__(self) -> str:
        return f"Exercise {self.number}: {'right' if self.is_right else 'not yet'}. {self.message}"


def check_exercise(number: int, answer: Any) -> Verdict:
    """Tell whether an answer is right; of a wrong one, what is wrong with it.

    Nothing about the right answer is told beyond that, and it is computed each time.

    Parameters
    ----------
    number : int
        1 to 6, see :func:`list_exercises`.
    answer : object
        As the exercise says; None, or ``...``, is none yet.

    Returns
    -------
    Verdict
        True if the answer is right; printed, it says what is to be said.

    Raises
    ------
    TypeError, ValueError
        If there is no such exercise, or the answer cannot be read as one. What code that is
        handed in raises is passed on.

    Examples
    --------
    >>> check_exercise(1, [20])
    Exercise 1: not yet. There are more than 1 class.
    >>> check_exercise(3, None)
    Exercise 3: not yet. There is no answer yet.
    """
    exercise = get_exercise(number)
    if answer is None or answer is ...:
        return Verdict(exercise.number, False, "There is no answer yet.")
    fault = _CHECKS[exercise.number](answer)
    return Verdict(exercise.number, not fault, fault or "Well done.")


def _numbers(answer: Any, what: str) -> list[int]:
    """Whole numbers of an answer."""
    if isinstance(answer, str | Mapping) or not isinstance(answer, Iterable):
        raise TypeError(f"answer: expected {what}, found {type(answer).__name__}")
    given = list(answer)
    if not given:
        return []
    try:
        found = np.asarray(given)
    except ValueError:
        raise TypeError(f"answer: expected {what}, found {answer!r}") from None
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise TypeError(f"answer: expected {what}, found {answer!r}")
    return [int(number) for number in found]


def _classes(answer: Any) -> str:
    sizes = _numbers(answer, "a list of whole numbers")
    right = class_sizes(load_dataset("patients"), NODE)["rows"].tolist()
    if len(sizes) != len(right):
        more = "more" if len(sizes) < len(right) else "fewer"
        return f"There are {more} than {len(sizes)} class{'es' * (len(sizes) != 1)}."
    if sum(sizes) != sum(right):
        return f"The sizes add up to {sum(sizes)}, but there are {sum(right)} patients."
    if sorted(sizes) != sorted(right):
        return "Number of classes and sum are right, but some row is in the wrong class."
    return ""


def _minimal_nodes(answer: Any) -> str:
    patients = load_dataset("patients")
    nodes = _as_nodes(answer, patients.lattice.validate)
    frame = LatticeEvaluator(patients).evaluate_all(measures=["k"])
    names = list(patients.quasi_identifiers)
    enough = {tuple(node) for node in frame.loc[frame["k"] >= ASKED_K, names].to_numpy().tolist()}
    right = {
        node
        for node in enough
        if not any(
            tuple(level - (i == column) for i, level in enumerate(node)) in enough
            for column in range(len(node))
        )
    }
    given = [tuple(node) for node in nodes.tolist()]
    twice = [node for node, times in Counter(given).items() if times > 1]
    faults = {
        "named twice": len(twice),
        f"not {ASKED_K}-anonymous": len({*given} - enough),
        f"{ASKED_K}-anonymous, but above a smaller one that is": len(({*given} & enough) - right),
    }
    told = [
        f"{n} of the nodes {'is' if n == 1 else 'are'} {words}" for words, n in faults.items() if n
    ]
    if told:
        return f"{'; '.join(told)}."
    return "So far so good, but there are more of them." if {*given} != right else ""


def _as_nodes(answer: Any, validate: Callable[[Any], IntArray]) -> IntArray:
    if isinstance(answer, str | Mapping) or not isinstance(answer, Iterable):
        raise TypeError(f"answer: expected a list of nodes, found {type(answer).__name__}")
    nodes = list(answer.to_numpy().tolist() if isinstance(answer, pd.DataFrame) else answer)
    if not nodes:
        return np.empty((0, 3), dtype=np.int64)
    try:
        np.shape(nodes)
    except ValueError:
        raise TypeError(f"answer: expected a list of nodes, found {answer!r}") from None
    return validate(nodes)


def _front(answer: Any) -> str:
    rows = _numbers(answer, "a list of row numbers")
    points = points_to_compare()
    minimized = np.column_stack([-points["k"], points["glm"]])
    is_dominated = np.asarray(dominates(minimized[:, None], minimized).any(axis=0))
    outside = [row for row in rows if not 0 <= row < len(points)]
    if outside:
        raise ValueError(f"answer: expected rows of 0 to {len(points) - 1}, found {outside[0]}")
    if len(set(rows)) < len(rows):
        return "A row is named twice."
    wrong = int(is_dominated[rows].sum()) if rows else 0
    if wrong:
        return f"{wrong} of the rows {'is' if wrong == 1 else 'are'} dominated by another one."
    missing = len(points) - int(is_dominated.sum()) - len(rows)
    return "No row is wrong, but not all are there." if missing else ""


def _search(answer: Any) -> str:
    problem = get_exercise(4).material
    won = sum(
        _hypervolume(problem, _algorithm(answer, problem), seed)
        > _hypervolume(problem, RandomSearch(), seed)
        for seed in SEEDS
    )
    if won < WINS:
        return f"It beats random search with {won} of {len(SEEDS)} seeds, wanted are {WINS}."
    return ""


def _algorithm(answer: Any, problem: LatticeProblem) -> Algorithm:
    made = answer
    if not isinstance(answer, Algorithm | Mutation):
        if not callable(answer):
            raise TypeError(
                f"answer: expected a pymoo Mutation or Algorithm, or a function of the problem "
                f"that makes one, found {type(answer).__name__}"
            )
        made = answer(problem)
    if isinstance(made, Mutation):
        if type(made).__module__.partition(".")[0] == "anonopt":
            raise ValueError(
                f"answer: expected a mutation of your own, found {type(made).__name__} of the "
                f"library"
            )
        return PBGEA(pop_size=12, mutation=made)
    if not isinstance(made, Algorithm):
        raise TypeError(
            f"answer: expected a function that makes a Mutation or an Algorithm, found one that "
            f"makes {type(made).__name__}"
        )
    return made


def _hypervolume(problem: LatticeProblem, algorithm: Algorithm, seed: int) -> float:
    """Of the front, above no privacy and below the largest loss."""
    front = solve(problem, algorithm, budget=BUDGET, seed=seed).front
    largest = problem.table.n_rows * len(problem.space.names)
    return indicators.hypervolume(
        front[list(problem.objective_names)], reference=[0, largest], maximize=problem.maximize
    )


def _matrix(answer: Any) -> str:
    counts = get_exercise(5).material.to_numpy(dtype=np.float64)
    try:
        matrix = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"answer: expected a matrix of numbers, found {answer!r}") from error
    if matrix.shape != (len(counts), len(counts)):
        raise ValueError(
            f"answer: expected a matrix of shape {(len(counts),) * 2}, found shape {matrix.shape}"
        )
    if not np.isfinite(matrix).all():
        found = matrix[~np.isfinite(matrix)][0]
        raise ValueError(f"answer: expected finite numbers, found {found}")
    if (matrix < 0).any():
        return "A probability is below 0."
    if np.abs(matrix.sum(axis=1) - 1).max() > TOLERANCE:
        return "A row does not add up to 1."
    moved = np.abs(counts @ matrix - counts).max()
    if moved > TOLERANCE * counts.sum():
        return f"The expected rows of some diagnosis change by {moved:.3g}; they should not."
    diagonal = np.diag(matrix)
    if diagonal.min() < DIAGONAL[0] - TOLERANCE:
        return "It is invariant, but some diagnosis changes too often."
    if diagonal.max() > DIAGONAL[1] + TOLERANCE:
        return "It is invariant, but some diagnosis stays too often."
    return ""


def _attack(answer: Any) -> str:
    if not isinstance(answer, Mapping):
        raise TypeError(
            f"answer: expected a dict of name to diagnosis, found {type(answer).__name__}"
        )
    strangers = [name for name in answer if name not in NAMES]
    if strangers:
        raise ValueError(f"answer: expected names of the register, found {strangers[0]!r}")
    told = exposure(load_dataset("patients"), PUBLISHED).assign(name=list(NAMES))
    certain = told[told["n_values"] == 1].set_index("name")["values"].to_dict()
    unsure = [name for name in answer if name not in certain]
    wrong = [name for name in answer if name in certain and answer[name] != certain[name]]
    if unsure:
        return f"{len(unsure)} of the persons can still have several diagnoses."
    if wrong:
        return f"{len(wrong)} of the diagnoses {'is' if len(wrong) == 1 else 'are'} another one."
    return "All of these are certain, but there are more." if len(answer) < len(certain) else ""


_CHECKS: dict[int, Callable[[Any], str]] = {
    1: _classes,
    2: _minimal_nodes,
    3: _front,
    4: _search,
    5: _matrix,
    6: _attack,
}
