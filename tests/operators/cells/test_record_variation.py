"""Crossover by whole records, mutation by category: what changes, and what is said of it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt.operators import CategoryMutation, RecordCrossover
from anonopt.problems import MaskingProblem


def file_problem(n_rows=40, seed=1):
    generator = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "zone": generator.choice(list("abcd"), n_rows),
            "size": generator.choice(["S", "M", "L"], n_rows),
            "one": ["x"] * n_rows,
        }
    )
    return MaskingProblem(frame, ["IL", "DR"])


def files_of(problem, n=2, seed=7):
    generator = np.random.default_rng(seed)
    X = generator.integers(0, problem.xu.astype(int), endpoint=True, size=(n, problem.n_var))
    return X.astype(problem.space.dtype)


def test_records_come_whole_from_either_parent():
    problem = file_problem()
    X = files_of(problem)
    one, other = (x.reshape(problem.space.shape) for x in X)
    shares = []
    for seed in range(20):
        children = RecordCrossover()(
            problem, [Population.new("X", X)], random_state=np.random.default_rng(seed)
        )
        first, second = (child.X.reshape(problem.space.shape) for child in children)
        swapped = (first != one).any(axis=1)
        np.testing.assert_array_equal(first, np.where(swapped[:, np.newaxis], other, one))
        np.testing.assert_array_equal(second, np.where(swapped[:, np.newaxis], one, other))
        assert first.dtype == problem.space.dtype
        shares.append(swapped.mean())
    assert min(shares) < 0.2 and max(shares) > 0.7


def test_without_a_crossing_children_are_copies():
    problem = file_problem()
    X = files_of(problem)
    children = RecordCrossover(prob=0.0)(
        problem, [Population.new("X", X)], random_state=np.random.default_rng(1)
    )
    np.testing.assert_array_equal(children.get("X"), X)
    assert not any(np.shares_memory(child.X, x) for child, x in zip(children, X, strict=True))


def test_a_mutation_gives_cells_of_one_category_another_one():
    problem = file_problem()
    X = files_of(problem, n=30)
    mutants = CategoryMutation()(
        problem, Population.new("X", X), random_state=np.random.default_rng(2)
    )
    numbers = set()
    for x, mutant in zip(X, mutants, strict=True):
        rows, columns = np.nonzero((mutant.X != x).reshape(problem.space.shape))
        if len(rows) == 0:
            continue  # the column of one category
        assert len(set(columns.tolist())) == 1
        cells = rows * problem.space.shape[1] + columns
        assert len(set(x[cells].tolist())) == len(set(mutant.X[cells].tolist())) == 1
        numbers.add(len(rows))
    assert len(numbers) > 5


@pytest.mark.parametrize("operator", [RecordCrossover(), CategoryMutation()])
def test_children_measure_what_they_measure_from_scratch(operator):
    problem = file_problem()
    X = files_of(problem, n=6)
    problem.evaluate(X)
    generator = np.random.default_rng(4)
    pop = Population.new("X", X)
    matings = np.arange(6).reshape(3, 2)
    parts = (matings,) if isinstance(operator, RecordCrossover) else ()
    children = operator(problem, pop, *parts, random_state=generator).get("X")
    np.testing.assert_array_equal(problem.evaluate(children), file_problem().evaluate(children))


def test_of_other_problems_each_gene_is_a_record_and_one_is_mutated():
    problem = Problem(n_var=6, n_obj=1, xl=0, xu=9)
    X = np.array([[0, 1, 2, 3, 4, 5], [9, 8, 7, 6, 5, 4]])
    generator = np.random.default_rng(3)
    first, second = RecordCrossover()(
        problem, [Population.new("X", X)], random_state=generator
    ).get("X")
    np.testing.assert_array_equal(first + second, [9] * 6)
    mutants = CategoryMutation()(problem, Population.new("X", X), random_state=generator)
    assert ((mutants.get("X") != X).sum(axis=1) == 1).all()
    with pytest.raises(ValueError, match="expected levels 0"):
        CategoryMutation()(problem, Population.new("X", X + 5), random_state=generator)
