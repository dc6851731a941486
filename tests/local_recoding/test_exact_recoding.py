"""The exact optimum of small tables against all partitions of their rows."""

from __future__ import annotations

import numpy as np
import pytest

import anonopt as ao
from anonopt.data.recoded_groups import check_groups_of
from anonopt.local_recoding import exact_recoding
from tests.local_recoding.few_rows import random_problem

SEEDS = range(12)


def loss_of(table, groups, weights=None):
    problem = ao.problems.LocalRecodingProblem(
        table, ["glm"], k=1, genome="groups", weights=weights, suppression=table.n_rows - 1
    )
    return problem.evaluate(problem.space.genomes([groups]), return_values_of=["F"])[0, 0]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("budget", [0, 2])
@pytest.mark.parametrize("distinct", [0, 2])
def test_it_is_the_best_of_all_partitions(seed, budget, distinct):
    table, plain = random_problem(seed, most_rows=7, budget=budget, distinct=distinct)
    expected = plain.least_loss()
    bounds = {"l": distinct} if distinct else None
    if np.isinf(expected):
        with pytest.raises(ValueError, match="that the table as a whole meets"):
            exact_recoding(table, plain.k, suppression=budget, class_bounds=bounds)
        return
    found = exact_recoding(table, plain.k, suppression=budget, class_bounds=bounds)
    assert found.is_proven
    assert found.value == pytest.approx(expected, abs=1e-6)
    assert found.bound <= expected + 1e-6
    check_groups_of(table, found.groups)
    assert found.groups.sizes[~found.groups.suppressed].min(initial=plain.k) >= plain.k
    assert loss_of(table, found.groups) == pytest.approx(expected, abs=1e-6)


def test_weights_count():
    table, plain = random_problem(3, most_rows=7, weights=[3.0, 0.5, 1.0])
    names = dict(zip(table.quasi_identifiers, plain.weights, strict=False))
    found = exact_recoding(table, plain.k, weights=names)
    assert found.value == pytest.approx(plain.least_loss(), abs=1e-6)
    assert loss_of(table, found.groups, names) == pytest.approx(found.value)


@pytest.mark.parametrize("factor", [1e-8, 1e8])
def test_only_the_ratio_of_weights_decides(factor):
    for seed in range(6):
        table, plain = random_problem(seed, most_rows=7)
        names = dict.fromkeys(table.quasi_identifiers, factor)
        found = exact_recoding(table, plain.k, weights=names)
        assert found.value == pytest.approx(factor * plain.least_loss(), abs=1e-6 * factor)
        assert found.bound <= found.value + 1e-6 * factor


def test_large_tables_are_refused_with_their_size():
    with pytest.raises(ValueError, match="at most 300 distinct tuples, found 690"):
        exact_recoding(ao.load_dataset("german"), 5)


def test_other_bounds_are_refused():
    table, _ = random_problem(0, most_rows=7)
    with pytest.raises(ValueError, match="class bounds of l alone, found t"):
        exact_recoding(table, 2, class_bounds={"t": 0.5})
    with pytest.raises(ValueError, match="k: expected"):
        exact_recoding(table, table.n_rows + 1)
