"""What follows from the printed frequencies of DEGREE, beside the print."""

from __future__ import annotations

import numpy as np
import pytest
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt.experiments import reproduce
from anonopt.experiments.items.verdicts import AGREES, DIFFERS, NOT_COMPARABLE, SAME, judged
from anonopt.experiments.papers.mares import degree
from anonopt.experiments.papers.mares.chapter_4_matrices import (
    CROSSED,
    GRAY,
    ITEMS,
    MUTATED,
    printed_matrix,
)
from anonopt.masking import invariant_matrix, mixed_with_identity, pram_matrix
from anonopt.measures.categorical.expectation_ratios import expectation_ratios
from anonopt.operators import GrayBitFlip, RangeSwapCrossover

QUICK = [item for item in ITEMS if item.n_quick in (1, 50)]


def verdicts(name: str) -> dict[str, str]:
    found = reproduce("mares2013", name, quick=True)
    return dict(zip(found["number"], found["verdict"], strict=True))


@pytest.mark.parametrize("item", QUICK, ids=[item.name for item in QUICK])
def test_what_is_measured_is_what_is_printed(item):
    measured = set(item.measure(1, True))
    assert measured <= {one.label for one in item.printed}
    comparable = {one.label for one in item.printed if one.comparable and one.value is not None}
    assert comparable <= measured


def test_the_encoding_comes_back_to_the_bit():
    assert set(verdicts("figure-4-1").values()) == {SAME}


def test_all_but_one_cell_of_the_frequency_matrix_come_back():
    found = verdicts("table-4-1")
    assert [label for label, verdict in found.items() if verdict != SAME] == ["'1' -> '5'"]
    assert found["'1' -> '5'"] == AGREES


@pytest.mark.parametrize("name", ["table-4-8", "table-4-9"])
def test_invariance_with_control_comes_back_to_six_digits(name):
    found = verdicts(name)
    for row, others in ((degree.INVARIANT, []), (degree.INITIAL, [f"{degree.INITIAL}, '5'"])):
        numbers = [label for label in found if label.startswith(row)]
        assert len(numbers) == 6
        assert [label for label in numbers if found[label] != SAME] == others
    assert found[f"{degree.INITIAL}, '5'"] == AGREES
    assert sum(verdict == NOT_COMPARABLE for verdict in found.values()) == 18


@pytest.mark.parametrize("alpha", [0.47, 0.48, 0.50, 0.51, 1.0])
def test_other_alphas_are_told(alpha):
    initial = pram_matrix("maximum_entropy", degree.RATED, p=0.6)
    other = mixed_with_identity(invariant_matrix(initial, degree.RATED), alpha)
    ratios = expectation_ratios(other, degree.RATED, as_printed=True)
    (item,) = (one for one in ITEMS if one.name == "table-4-8")
    printed = {one.label: one for one in item.printed}
    for i, ratio in enumerate(ratios, start=1):
        assert judged(printed[f"{degree.INVARIANT}, '{i}'"], [ratio]).verdict == DIFFERS


def test_frequencies_after_the_printed_matrix_lie_among_ours():
    found = verdicts("tables-4-6-4-7")
    assert found.pop("the 64 entries of Table 4.6") == NOT_COMPARABLE
    assert set(found.values()) <= {SAME, AGREES}


def test_those_after_another_matrix_would_not():
    (item,) = (one for one in ITEMS if one.name == "tables-4-6-4-7")
    initial = np.array(degree.FREQUENCIES) @ pram_matrix("frequency", degree.FREQUENCIES, p=0.5)
    numbers = [one for one in item.printed if one.value is not None]
    spread = 3 * np.sqrt(initial)
    told = [
        judged(one, [mean - off, mean + off]).verdict
        for one, mean, off in zip(numbers, initial, spread, strict=True)
    ]
    assert DIFFERS in told


def test_the_printed_matrix_is_one_but_for_its_digits():
    rows = np.array(degree.TABLE_4_6.split(), dtype=float).reshape(8, 8)
    assert np.abs(rows.sum(axis=1) - 1).max() < 0.004
    assert np.abs(printed_matrix() - rows).max() < 0.002


@pytest.mark.parametrize(
    ("operator", "printed"), [(GrayBitFlip(), MUTATED), (RangeSwapCrossover(), CROSSED)]
)
def test_the_printed_children_are_among_ours(operator, printed):
    genome = np.array([int(code, 2) for code in GRAY])
    problem = Problem(n_var=9, n_obj=1, xl=0, xu=1023)
    parents = Population.new("X", np.repeat(genome[np.newaxis], 2000, axis=0))
    matings = parents if isinstance(operator, GrayBitFlip) else [[one] for one in parents]
    children = operator(problem, matings, random_state=np.random.default_rng(1)).get("X")
    assert [int(code, 2) for code in printed] in children.tolist()


def test_what_operators_change_comes_back():
    assert set(verdicts("figures-4-2-4-3").values()) == {SAME, AGREES}
