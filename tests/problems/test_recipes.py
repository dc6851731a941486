"""Recipes: options as plain data and back."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anonopt as ao
from anonopt.measures import get_measure
from anonopt.problems.recipes import Recipe, from_plain, to_plain
from tests.examples import examples

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
options = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(st.text(), inner)
        | st.dictionaries(st.sampled_from(["tuple", "array", "dtype", "mapping"]), inner)
    ),
    max_leaves=10,
)


@given(options)
@examples(25)
def test_options_come_back_from_json_as_they_were(value):
    assert from_plain(json.loads(json.dumps(to_plain(value)))) == value


@pytest.mark.parametrize("dtype", ["bool", "int32", "int64", "float32", "float64"])
def test_arrays_come_back_with_their_type(dtype):
    array = np.array([[0.1, 1.0], [2.5, 0.0]]).astype(dtype)
    revived = from_plain(json.loads(json.dumps(to_plain({"eps": array}))))["eps"]
    np.testing.assert_array_equal(revived, array)
    assert revived.dtype == array.dtype


def test_numbers_of_numpy_become_numbers_of_python():
    assert to_plain([np.int32(3), np.float64(0.5), np.bool_(True)]) == [3, 0.5, True]


@pytest.mark.parametrize(
    "value", [len, object(), {1: 2}, {"a": {3}}, np.array(["a"]), np.array([None]), b"bytes"]
)
def test_anything_else_is_refused(value):
    with pytest.raises(TypeError, match="expected numbers, text"):
        to_plain([value])


@pytest.mark.parametrize(
    "plain",
    [
        {},
        {"tuple": 3},
        {"array": [1], "dtype": "object"},
        {"array": [1]},
        {"mapping": []},
        {"a": 1},
    ],
)
def test_other_marks_are_refused(plain):
    with pytest.raises(ValueError, match="expected a tuple, an array or a mapping"):
        from_plain([plain])


def test_catalogue_says_how_it_made_a_problem():
    problem = ao.get_problem("german-k-glm", suppression=0.02)
    expected = Recipe("german-k-glm", {"suppression": 0.02})
    for twin in (problem, copy.deepcopy(problem), pickle.loads(pickle.dumps(problem))):
        assert twin.recipe == expected


def test_problem_made_by_hand_has_no_recipe():
    table = ao.load_dataset("german")
    assert ao.problems.LatticeProblem(table, objectives=[get_measure("k")]).recipe is None
