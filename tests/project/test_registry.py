"""One shape of registry for all families."""

from __future__ import annotations

import pytest

import anonopt as ao
from anonopt._registry import FAMILIES, Registry, register
from anonopt.measures.registry import MEASURES


def numbers() -> Registry[int]:
    def make(name: str, thing: object, *, plus: int = 0) -> int:
        if not isinstance(thing, int):
            raise TypeError(f"number {name!r}: expected an int, found {thing!r}")
        return thing + plus

    return Registry("numbers", "number", {"one": 1, "two": 2}, make=make)


def test_own_ones_come_after_those_of_the_library():
    registry = numbers()
    registry.register("ten", 9, plus=1)
    assert list(registry.items()) == [("one", 1), ("two", 2), ("ten", 10)]
    assert registry.is_installed("one")
    assert not registry.is_installed("ten")
    assert not registry.is_installed("three")


@pytest.mark.parametrize(
    ("name", "thing", "facts", "error", "message"),
    [
        ("one", 5, {}, ValueError, "expected a new number, found 'one'"),
        ("", 5, {}, ValueError, "name: expected letters"),
        ("a b", 5, {}, ValueError, "name: expected letters"),
        (7, 5, {}, ValueError, "name: expected letters"),
        ("three", "3", {}, TypeError, "expected an int, found '3'"),
        ("three", 3, {"colour": "red"}, TypeError, "colour"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_changes(name, thing, facts, error, message):
    registry = numbers()
    with pytest.raises(error, match=message):
        registry.register(name, thing, **facts)
    assert list(registry) == ["one", "two"]


def test_unknown_names_are_refused_with_the_nearest():
    with pytest.raises(ValueError, match="unknown number 'tow'; did you mean two"):
        numbers().find("tow")
    with pytest.raises(ValueError, match="family: expected one of 'algorithms'"):
        register("algorithm", "mine", object())


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_refuses_what_is_none_of_it(family):
    with pytest.raises(TypeError, match="found"):
        ao.register(family, "strange-thing", 5)


@pytest.mark.parametrize(
    "plural", ["algorithms", "measures", "problems", "operators", "methods", "datasets"]
)
def test_every_family_has_one_shape_at_the_top_level(plural):
    frame = getattr(ao, f"list_{plural}")()
    assert frame.index.name == "name"
    assert {"summary"} <= set(frame.columns)
    assert frame.index.is_unique
    get = getattr(ao, f"get_{plural.removesuffix('s')}")
    options = {"problem": ao.get_problem("german-k-glm")} if plural == "algorithms" else {}
    with pytest.raises(ValueError, match="unknown"):
        get("no-such-name", **options)


@pytest.mark.parametrize("time", ["first", "second"])
def test_what_a_test_registers_is_forgotten_after_it(time):
    before = list(MEASURES)
    assert "of_this_test" not in before
    own = ao.measures.Measure(
        "of_this_test", maximize=True, unit="rows", range="1..N", from_classes=lambda found: 1.0
    )
    register("measures", "of_this_test", own)
    assert list(MEASURES) == [*before, "of_this_test"]
