"""Trees drawn at random, of the heights that Dewri 2010 prints."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data import Hierarchy, load_dataset
from anonopt.experiments.papers.dewri.pbgea_runs import PROBLEMS
from anonopt.experiments.papers.dewri.random_trees import ITEMS, on_random_trees, random_tree
from anonopt.problems import get_problem


def is_in_ranges(groups):
    """Whether the rows of each group follow each other."""
    codes = pd.factorize(groups)[0]
    return bool((np.diff(codes) >= 0).all())


@given(
    height=st.integers(1, 5), extra=st.integers(0, 9), is_ordered=st.booleans(), seed=st.integers(0)
)
def test_a_tree_has_the_leaves_and_the_height(height, extra, is_ordered, seed):
    leaves = [f"{number:02d}" for number in range(height + 1 + extra)]
    levels = dict.fromkeys(range(height), leaves)
    tree = Hierarchy.from_frame(pd.DataFrame({**levels, height: "*"}))
    drawn = random_tree(tree, is_ordered=is_ordered, generator=np.random.default_rng(seed))
    paths = drawn.to_frame()
    paths = paths.sort_values(paths.columns[0])
    assert drawn.height == height
    assert paths.iloc[:, 0].tolist() == leaves
    counts = paths.nunique().tolist()
    assert height == 1 or all(np.diff(counts) < 0)
    assert not is_ordered or all(is_in_ranges(paths[column]) for column in paths)


@pytest.mark.parametrize("name", [PROBLEMS["k, l, GLM"], PROBLEMS["k, GLM, CM"]])
def test_a_problem_on_its_own_trees_is_the_problem(name):
    known = get_problem(name)
    hierarchies = load_dataset("adult").hierarchies
    same = on_random_trees(name, {str(column): tree for column, tree in hierarchies.items()})
    assert same.pareto_front().tolist() == known.pareto_front().tolist()


def test_no_number_is_printed_for_other_trees():
    (item,) = ITEMS
    assert {one.value for one in item.printed} == {None}
    assert set(item.measure(1, True)) == {one.label for one in item.printed}
