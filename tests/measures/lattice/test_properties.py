"""Property vectors and binary quality indices (Dewri 2010, Section 4)."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt import LatticeEvaluator, Microdata
from anonopt.measures import PROPERTIES, spread
from tests.evaluation.lattice.small_tables import small_tables
from tests.examples import examples

numbers = st.integers(-50, 50)
pairs = st.integers(0, 12).flatmap(
    lambda n: st.tuples(*[st.lists(numbers, min_size=n, max_size=n)] * 2)
)


@given(pairs)
def test_spread_sums_what_is_better_row_by_row(pair):
    first, second = pair
    assert spread(first, second) == sum(max(a - b, 0) for a, b in zip(first, second, strict=True))


@given(pairs)
def test_the_better_vector_is_the_one_with_the_larger_sum(pair):
    """Dewri 2010, Section 4.1, Observation."""
    first, second = pair
    difference = spread(first, second) - spread(second, first)
    assert difference == sum(first) - sum(second)
    assert (difference > 0) == (sum(first) > sum(second))


@pytest.mark.parametrize("pair", [([1, 2], [1]), ([[1], [2]], [[1], [2]]), (1.0, 2.0)])
def test_vectors_of_different_rows(pair):
    with pytest.raises(ValueError, match="expected two of the same length, found shapes"):
        spread(*pair)


@given(small_tables(max_rows=25), st.data())
@examples(30)
def test_vectors_row_by_row(small, data):
    """Each row's class size and count of its own value; their sums are S_k and S_l."""
    node = [data.draw(st.integers(0, height)) for height in small.table.lattice.heights]
    evaluator = LatticeEvaluator(small.table, suppression=len(small.plain.rows) - 1)
    values = small.plain.generalized(node)
    sizes = evaluator.property_vector(node, "class_size")
    assert sizes.tolist() == [values.count(value) for value in values]
    assert sizes.sum() == evaluator.evaluate([node], ["S_k"])["S_k"].item()
    if small.plain.sensitive is not None:
        pairs = list(zip(values, small.plain.sensitive, strict=True))
        counts = evaluator.property_vector(node, "sensitive_count")
        assert counts.tolist() == [pairs.count(pair) for pair in pairs]
        assert counts.sum() == evaluator.evaluate([node], ["S_l"])["S_l"].item()


@pytest.fixture
def evaluator() -> LatticeEvaluator:
    frame = pd.DataFrame({"zip": list("xxxyz"), "illness": list("aabba")})
    table = Microdata(
        frame, quasi_identifiers=["zip"], hierarchies={"zip": "flat"}, sensitive="illness"
    )
    return LatticeEvaluator(table)


def test_a_vector_of_ones_own(evaluator):
    """Risk of each row, from whatever the classes hold."""
    risk = evaluator.property_vector([0], lambda rows: 1 / rows.classes.sizes[rows.class_of_row])
    assert risk.tolist() == [1 / 3, 1 / 3, 1 / 3, 1, 1]
    own_share = evaluator.property_vector(
        [0], lambda rows: PROPERTIES["sensitive_count"](rows) / PROPERTIES["class_size"](rows)
    )
    assert own_share.tolist() == [2 / 3, 2 / 3, 1 / 3, 1, 1]


def test_an_index_of_ones_own(evaluator):
    def coverage(first: np.ndarray, second: np.ndarray) -> float:
        """Share of the rows that are at least as well off (Dewri's coverage index)."""
        return float((first >= second).mean())

    assert evaluator.compare([0], [1], "class_size") == (0.0, 5 * 5 - (9 + 1 + 1))
    assert evaluator.compare([0], [1], "class_size", index=coverage) == (0.0, 1.0)
    assert evaluator.compare([0], [0], "sensitive_count", index=coverage) == (1.0, 1.0)
