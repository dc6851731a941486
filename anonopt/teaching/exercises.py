"""Six exercises of rising difficulty: what is asked, what is given, and hints."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from anonopt._checks import check_integer
from anonopt.data import load_dataset
from anonopt.evaluation import LatticeEvaluator
from anonopt.problems import get_problem
from anonopt.teaching.disclosure import patients_register

NODE = (2, 1, 0)
"""Of the first exercise: levels of age, postcode and sex."""
ASKED_K = 2
"""Of the second."""
N_POINTS = 14
"""Of the third."""
SEARCHED = "german-k-glm"
BUDGET = 60
SEEDS = range(1, 8)
WINS = 6
"""Of the fourth: seeds of which so many have to be won."""
DIAGONAL = (0.5, 0.75)
"""Of the fifth."""
PUBLISHED = ((1, 3, 1), (3, 1, 1), (2, 2, 1))
"""Of the sixth: levels of what was published."""


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    Attributes
    ----------
    number : int
        1, the easiest, to 6.
    title, task : str
    answer : str
        What :func:`~anonopt.teaching.check_exercise` takes.
    hints : tuple of str
        The first says least.
    """

    number: int
    title: str
    task: str
    answer: str
    hints: tuple[str, ...]
    _material: Callable[[], Any] = field(repr=False)

    @property
    def material(self) -> Any:
        """What is given, made anew each time."""
        return self._material()

    def _repr_html_(self) -> str:
        """Title, task and form of the answer, for notebooks."""
        return (
            f"<p><b>Exercise {self.number}: {html.escape(self.title)}</b></p>"
            f"<p>{html.escape(self.task)}</p>"
            f"<p><i>Answer:</i> {html.escape(self.answer)}</p>"
        )


def get_exercise(number: int) -> Exercise:
    """One of the exercises.

    Parameters
    ----------
    number : int
        1 to 6.

    Raises
    ------
    TypeError, ValueError
        If it is no whole number, or there is no such exercise.

    Examples
    --------
    >>> get_exercise(2).title
    'the k-minimal nodes'
    """
    return EXERCISES[check_integer("number", number, least=1, most=len(EXERCISES))]


def list_exercises() -> pd.DataFrame:
    """The exercises, the easiest first.

    Returns
    -------
    DataFrame (6, 3)
        ``title``, ``task`` and ``answer`` by number.

    Examples
    --------
    >>> list_exercises()["title"].tolist()[:2]
    ['classes, counted by hand', 'the k-minimal nodes']
    """
    rows = [(one.number, one.title, one.task, one.answer) for one in EXERCISES.values()]
    return pd.DataFrame(rows, columns=["number", "title", "task", "answer"]).set_index("number")


def points_to_compare() -> pd.DataFrame:
    """Points of the third exercise: k and loss of some nodes of the patients' lattice."""
    nodes = LatticeEvaluator(load_dataset("patients")).evaluate_all(measures=["k", "glm"])
    chosen = np.random.default_rng(7).permutation(len(nodes))[:N_POINTS]
    return nodes.iloc[chosen][["k", "glm"]].reset_index(drop=True)


def published_tables() -> list[pd.DataFrame]:
    """Releases of the sixth exercise, their rows in an order that tells nothing."""
    patients = load_dataset("patients")
    rng = np.random.default_rng(5)
    return [
        patients.apply(node).sample(frac=1, random_state=rng).reset_index(drop=True)
        for node in PUBLISHED
    ]


def _of_pram() -> pd.Series[Any]:
    return load_dataset("patients").frame["diagnosis"].value_counts().sort_index()


def _of_attack() -> tuple[pd.DataFrame, list[pd.DataFrame]]:
    return patients_register(load_dataset("patients")), published_tables()


_LIST = (
    Exercise(
        number=1,
        title="classes, counted by hand",
        task=(
            "Generalize the twenty patients to the node (2, 1, 0): ages in intervals of 30 years "
            "from 0 on, postcodes to their first two letters (S12 becomes S1*), sex as it is. "
            "How many rows has each equivalence class? Paper is enough."
        ),
        answer="a list with the number of rows of each class, in any order",
        hints=(
            "All rows of a class are equal in all three generalized columns.",
            "Part the rows by sex first, then by age, then by postcode; the sizes add up to 20.",
        ),
        _material=lambda: load_dataset("patients"),
    ),
    Exercise(
        number=2,
        title="the k-minimal nodes",
        task=(
            "Find all nodes of the patients' lattice that are 2-anonymous without suppression "
            "while no node below them is."
        ),
        answer="a list of nodes, each a tuple of the levels of age, postcode and sex",
        hints=(
            "If a node is k-anonymous, so is every node above it: start at the bottom.",
            "LatticeEvaluator(patients).evaluate_all(measures=['k']) measures all 32 nodes; a "
            "node below one has a single level less by one.",
        ),
        _material=lambda: load_dataset("patients"),
    ),
    Exercise(
        number=3,
        title="the front, by dominance",
        task=(
            "The material is a table of fourteen generalizations with their k (more is better) "
            "and their loss glm (less is better). Which of them does no other dominate? Write "
            "the comparison yourself."
        ),
        answer="a list of row numbers of the table, in any order",
        hints=(
            "One row dominates another if it is nowhere worse and somewhere better.",
            "Equal rows do not dominate each other: both stay, or both go.",
        ),
        _material=points_to_compare,
    ),
    Exercise(
        number=4,
        title="an algorithm that beats chance",
        task=(
            f"Write a mutation, or a whole algorithm, for the levels of {SEARCHED} that finds a "
            f"front of more hypervolume than random search does, both with {BUDGET} distinct "
            f"nodes, with at least {WINS} of {len(SEEDS)} seeds. A mutation is tried inside "
            f"PBG-EA with a population of 12."
        ),
        answer="a pymoo Mutation or Algorithm, or a function of the problem that makes one",
        hints=(
            "docs/extending.md has a mutation of eight lines; change levels by small steps.",
            "The front reaches from the bottom node to the top node: begin with both of them.",
        ),
        _material=lambda: get_problem(SEARCHED),
    ),
    Exercise(
        number=5,
        title="an invariant PRAM matrix",
        task=(
            "The material counts the patients by diagnosis. Make a PRAM matrix that leaves these "
            f"frequencies as they are in expectation, and with which every diagnosis stays with a "
            f"probability of {DIAGONAL[0]} to {DIAGONAL[1]}."
        ),
        answer="an array (5, 5), rows and columns in the order of the diagnoses",
        hints=(
            "Any Markov matrix P has an invariant relative, masking.invariant_matrix(P, counts).",
            "Mixed with the identity an invariant matrix stays invariant, and its diagonal grows.",
        ),
        _material=_of_pram,
    ),
    Exercise(
        number=6,
        title="an attack on 3-anonymous tables",
        task=(
            "The material is a register of all patients with their names, and three published "
            "tables, each of them 3-anonymous, whose rows are shuffled. Of which persons is the "
            "diagnosis certain to somebody who has all of this? Exact ages, postcodes and sexes "
            "of the register fit the generalized cells by the hierarchies of the data set."
        ),
        answer="a dict of name to diagnosis, of the persons whose diagnosis is certain",
        hints=(
            "A person has one of the diagnoses of her class: in each table.",
            "Microdata(register, quasi_identifiers=..., hierarchies=patients.hierarchies) can be "
            "generalized in the same way as the tables were.",
        ),
        _material=_of_attack,
    ),
)

EXERCISES = {one.number: one for one in _LIST}
"""The exercises by number."""
