"""One check of whole numbers, numbers, choices and generators, with one form of message."""

from __future__ import annotations

import re

import numpy as np
import pytest

from anonopt._checks import (
    as_generator,
    check_choice,
    check_distinct,
    check_integer,
    check_integers,
    check_number,
    check_share,
    suggestion,
)


@pytest.mark.parametrize("value", [1, 3, np.int8(2), np.uint64(3)])
def test_whole_numbers_within_bounds(value):
    found = check_integer("k", value, least=1, most=3)
    assert (found, type(found)) == (int(value), int)
    assert check_integer("k", 10**30) == 10**30


@pytest.mark.parametrize("value", [2.0, True, np.bool_(1), "2", None, np.array([1, 2])])
def test_what_is_no_whole_number(value):
    with pytest.raises(TypeError, match="k: expected a whole number of at least 1, found "):
        check_integer("k", value, least=1)
    with pytest.raises(TypeError, match="k: expected a whole number, found "):
        check_integer("k", value)


@pytest.mark.parametrize("value", [0, 4])
def test_whole_numbers_out_of_bounds(value):
    message = f"k: expected a whole number of at least 1 and at most 3, found {value}"
    with pytest.raises(ValueError, match=message):
        check_integer("k", value, least=1, most=3)


def test_arrays_of_whole_numbers_are_new_ones():
    given = np.array([[1, 2], [3, 4]])
    found = check_integers("edges", given)
    assert found.tolist() == given.tolist() and not np.shares_memory(found, given)
    assert check_integers("edges", [1.0, -2.0], dtype=np.int32).dtype == np.int32
    assert check_integers("edges", []).shape == (0,)


@pytest.mark.parametrize(
    ("values", "dtype", "wrong"),
    [
        ([1, 0.5], np.int64, "0.5"),
        ([np.nan], np.int64, "nan"),
        ([np.inf], np.int64, "inf"),
        ([2**40], np.int32, "1099511627776"),
        ([False, True], np.int64, "False"),
        (1e300, np.int64, "1e+300"),
    ],
)
def test_arrays_of_others_are_neither_rounded_nor_wrapped(values, dtype, wrong):
    with pytest.raises(
        ValueError, match=re.escape(f"edges: expected whole numbers, found {wrong}")
    ):
        check_integers("edges", values, dtype=dtype)


@pytest.mark.parametrize("value", [0, 1, 0.5, np.float32(0.25), np.int64(1)])
def test_shares(value):
    assert check_share("p", value) == float(value)


@pytest.mark.parametrize("value", [-0.1, 1.1, np.nan, np.inf])
def test_what_is_no_share(value):
    with pytest.raises(ValueError, match=f"p: expected a number in 0..1, found .*{value}"):
        check_share("p", value)


@pytest.mark.parametrize("value", [True, "0.5", None, [0.5]])
def test_what_is_no_number(value):
    with pytest.raises(TypeError, match="p: expected a number, found "):
        check_number("p", value)


def test_bounds_of_numbers_are_inclusive_and_named():
    assert check_number("p", 2, least=2) == check_number("p", 2, most=2) == 2
    with pytest.raises(ValueError, match="p: expected a number of at least 2, found 1"):
        check_number("p", 1, least=2)
    with pytest.raises(ValueError, match="p: expected a number of at most 2, found 3"):
        check_number("p", 3, most=2)
    with pytest.raises(ValueError, match="p: expected a number, found inf"):
        check_number("p", float("inf"))


def test_bounds_of_numbers_may_be_exclusive():
    assert check_number("p", 0.5, above=0, below=1) == 0.5
    for wrong in (0, 1, -2, 3, float("nan")):
        with pytest.raises(ValueError, match="p: expected a number above 0 and below 1, found"):
            check_number("p", wrong, above=0, below=1)
    with pytest.raises(ValueError, match="p: expected a number above 0, found 0"):
        check_number("p", 0, above=0)
    with pytest.raises(ValueError, match="p: expected a number below 1, found 1"):
        check_number("p", 1, below=1)


def test_distinct_values():
    check_distinct("names", ["a", "b", "A"])
    check_distinct("names", [])
    with pytest.raises(ValueError, match=r"^names: expected each once, found 'b' twice \(so\)$"):
        check_distinct("names", iter(["a", "b", "b", "a"]), hint=" (so)")


def test_choices():
    assert check_choice("kind", "a", ("a", "b")) == "a"
    with pytest.raises(ValueError, match="kind: expected one of 'a', 'b', found 'c'"):
        check_choice("kind", "c", iter(("a", "b")))


def test_generators_move_on_and_seeds_start_anew():
    generator = np.random.default_rng(1)
    assert as_generator(generator) is generator
    assert as_generator(5).random() == np.random.default_rng(5).random()
    for wrong, error in ((None, ValueError), (-1, ValueError), (1.5, TypeError), (True, TypeError)):
        with pytest.raises(error, match="seed: expected "):
            as_generator(wrong, "seed")


def test_the_nearest_names_are_suggested():
    assert suggestion("gml", ["k", "glm", "cm"]) == "did you mean glm?"
    assert suggestion("zzz", ["k", "glm"]) == "known ones: glm, k"
