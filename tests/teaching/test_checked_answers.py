"""Right answers, found another way, are right; wrong ones are told what is wrong, and no more."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.operators import StepMutation
from anonopt.operators.variation import IntegerMutation
from anonopt.teaching import check_exercise, get_exercise, list_exercises, patients_register

PATIENTS = ao.load_dataset("patients")
LEVELS = ["age", "postcode", "sex"]


def smallest(node) -> int:
    return int(PATIENTS.apply(node).groupby(LEVELS).size().min())


def generalized_by_hand() -> pd.Series:
    frame = PATIENTS.frame
    return (
        pd.DataFrame(
            {"age": frame["age"] // 30, "zip": frame["postcode"].str[:2], "sex": frame["sex"]}
        )
        .value_counts()
        .reset_index(drop=True)
    )


def certain_persons() -> dict[str, str]:
    register, tables = get_exercise(6).material
    possible = [set(PATIENTS.frame["diagnosis"]) for _ in range(len(register))]
    for table in tables:
        for row, person in register.iterrows():
            fits = pd.Series(True, index=table.index)
            if table["age"].iloc[0] != "*":
                ends = table["age"].str.strip("[)").str.split(",", expand=True).astype(int)
                fits &= (ends[0] <= person["age"]) & (person["age"] < ends[1])
            if table["postcode"].iloc[0] != "*":
                n = 3 - table["postcode"].iloc[0].count("*")
                fits &= table["postcode"].str[:n] == person["postcode"][:n]
            if table["sex"].iloc[0] != "*":
                fits &= table["sex"] == person["sex"]
            possible[row] &= set(table.loc[fits, "diagnosis"])
    return {
        name: values.pop()
        for name, values in zip(register["name"], possible, strict=True)
        if len(values) == 1
    }


def minimal_nodes() -> list[tuple[int, ...]]:
    enough = {
        node
        for node in itertools.product(range(4), range(4), range(2))
        if smallest(list(node)) >= 2
    }
    return [
        node
        for node in enough
        if not any(
            other != node and all(a <= b for a, b in zip(other, node, strict=True))
            for other in enough
        )
    ]


def front() -> list[int]:
    points = get_exercise(3).material
    rows = list(points.itertuples(index=False))
    return [
        i
        for i, one in enumerate(rows)
        if not any(
            other.k >= one.k and other.glm <= one.glm and tuple(other) != tuple(one)
            for other in rows
        )
    ]


class Steps(IntegerMutation):
    """One level moves by a step, inward at an end."""

    def _changed(self, genomes, lower, upper, generator):
        rows = np.arange(len(genomes))
        columns = generator.integers(genomes.shape[1], size=len(genomes))
        levels = genomes[rows, columns]
        steps = generator.choice([-1, 1], size=len(genomes))
        out = (levels + steps < lower[columns]) | (levels + steps > upper[columns])
        genomes[rows, columns] = levels + np.where(out, -steps, steps)
        return genomes


class Nothing(IntegerMutation):
    """Everything becomes the top node."""

    def _changed(self, genomes, lower, upper, generator):
        return np.broadcast_to(upper, genomes.shape).copy()


def invariant(share_kept: float) -> np.ndarray:
    counts = PATIENTS.frame["diagnosis"].value_counts().sort_index()
    share = counts.to_numpy() / counts.sum()
    return (1 - share_kept) * np.tile(share, (5, 1)) + share_kept * np.eye(5)


RIGHT = {
    1: lambda: generalized_by_hand().tolist(),
    2: minimal_nodes,
    3: front,
    4: Steps,
    5: lambda: invariant(0.6),
    6: certain_persons,
}


@pytest.mark.parametrize("number", sorted(RIGHT))
def test_what_is_found_another_way_is_right(number):
    verdict = check_exercise(number, RIGHT[number]())
    assert verdict
    assert verdict.is_right
    assert repr(verdict) == f"Exercise {number}: right. Well done."


def test_the_form_of_an_answer_does_not_matter():
    sizes = generalized_by_hand()
    assert check_exercise(1, sizes)
    assert check_exercise(1, tuple(sizes[::-1]))
    assert check_exercise(2, np.array(minimal_nodes()))
    assert check_exercise(2, pd.DataFrame(minimal_nodes(), columns=LEVELS))
    assert check_exercise(3, pd.Index(front()))
    assert check_exercise(4, lambda problem: Steps())
    assert check_exercise(5, pd.DataFrame(invariant(0.5)))


@pytest.mark.parametrize(
    ("number", "wrong", "message"),
    [
        (1, [20], "There are more than 1 class."),
        (1, [], "There are more than 0 classes."),
        (1, [1] * 20, "There are fewer than 20 classes."),
        (1, [1] * 9, "The sizes add up to 9, but there are 20 patients."),
        (1, [12, 1, 1, 1, 1, 1, 1, 1, 1], "some row is in the wrong class"),
        (2, [(3, 3, 1)], "1 of the nodes is 2-anonymous, but above a smaller one"),
        (2, [(0, 0, 0), (0, 1, 0)], "2 of the nodes are not 2-anonymous."),
        (2, [(3, 0, 1), (3, 0, 1)], "1 of the nodes is named twice."),
        (2, [(3, 0, 1)], "there are more of them"),
        (2, [], "there are more of them"),
        (3, [0], "1 of the rows is dominated by another one."),
        (3, range(14), "of the rows are dominated"),
        (3, [1], "not all are there"),
        (3, [], "not all are there"),
        (3, [1, 1], "A row is named twice."),
        (4, Nothing(), r"It beats random search with \d of 7 seeds, wanted are 6."),
        (4, lambda problem: ao.algorithms.RandomSearch(), "with 0 of 7 seeds"),
        (5, np.eye(5), "some diagnosis stays too often"),
        (5, invariant(0.0), "some diagnosis changes too often"),
        (5, np.full((5, 5), 0.2), "rows of some diagnosis change by 1;"),
        (5, np.eye(5) * 0.6, "A row does not add up to 1."),
        (5, np.eye(5) * 2 - 0.2, "A probability is below 0."),
        (6, {"Ned": "flu"}, "1 of the persons can still have several diagnoses."),
        (6, {"Ada": "flu", "Bea": "flu"}, "2 of the diagnoses are another one."),
        (6, {"Ada": "asthma"}, "All of these are certain, but there are more."),
        (6, {}, "there are more"),
        *[
            (number, nothing, "There is no answer yet.")
            for number in RIGHT
            for nothing in (None, ...)
        ],
    ],
)
def test_a_wrong_answer_is_told_what_is_wrong(number, wrong, message):
    verdict = check_exercise(number, wrong)
    assert not verdict
    assert repr(verdict).startswith(f"Exercise {number}: not yet. ")
    assert re.search(message, verdict.message)


@pytest.mark.parametrize(
    ("number", "unusable", "error", "message"),
    [
        (0, None, ValueError, "number"),
        (7, None, ValueError, "number"),
        (1.5, None, TypeError, "number"),
        (1, "20", TypeError, "a list of whole numbers, found str"),
        (1, 20, TypeError, "found int"),
        (1, [1.5], TypeError, r"found \[1.5\]"),
        (1, [[1, 2]], TypeError, "a list of whole numbers"),
        (2, "abc", TypeError, "a list of nodes, found str"),
        (2, [(9, 9, 9)], ValueError, "9"),
        (2, [(1, 1)], ValueError, "expected"),
        (3, [99], ValueError, "rows of 0 to 13, found 99"),
        (4, "nsga2", TypeError, "found str"),
        (4, lambda problem: 5, TypeError, "one that makes int"),
        (4, StepMutation(), ValueError, "of your own, found StepMutation"),
        (5, "x", TypeError, "a matrix of numbers, found 'x'"),
        (5, np.eye(4), ValueError, r"found shape \(4, 4\)"),
        (5, np.full((5, 5), np.nan), ValueError, "finite numbers, found nan"),
        (6, ["Ada"], TypeError, "a dict of name to diagnosis, found list"),
        (6, {"<script>": "flu"}, ValueError, "names of the register, found '<script>'"),
    ],
)
def test_what_is_no_answer_is_refused(number, unusable, error, message):
    with pytest.raises(error, match=message):
        check_exercise(number, unusable)


def test_errors_of_code_that_is_handed_in_are_passed_on():
    def broken(problem):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        check_exercise(4, broken)


def test_exercises_are_listed_and_made_anew():
    listed = list_exercises()
    assert listed.index.tolist() == [1, 2, 3, 4, 5, 6]
    assert not listed.isna().any(axis=None)
    for number in listed.index:
        exercise = get_exercise(number)
        assert len(exercise.hints) == 2
        assert exercise.title in exercise._repr_html_()
    frame = get_exercise(3).material
    frame["k"] = 0
    assert get_exercise(3).material["k"].max() > 0
    register, tables = get_exercise(6).material
    assert register.equals(patients_register(PATIENTS))
    for table in tables:
        assert table.groupby(LEVELS).size().min() >= 3
        # The order of the rows tells nothing.
        assert table["diagnosis"].tolist() != PATIENTS.frame["diagnosis"].tolist()


@pytest.mark.parametrize("number", [1, 2, 3])
def test_ragged_lists_are_refused_in_the_words_of_the_exercise(number):
    with pytest.raises(TypeError, match=r"answer: expected a list of .*found \[\[1, 2\], \[3\]\]"):
        check_exercise(number, [[1, 2], [3]])
