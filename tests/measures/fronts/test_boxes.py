"""Boxes, dominance and the bound on mutually non-dominated boxes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.measures.fronts.boxes import (
    box_bound,
    boxes,
    directions,
    dominates,
    is_infinite,
)
from anonopt.measures.fronts.non_dominated import front_rows
from tests.oracles import archives as oracle

# Few distinct values, so that ties, shared boxes and equal points all occur.
VALUES = st.one_of(st.integers(-6, 6).map(float), st.floats(-20, 20).map(lambda v: round(v, 1)))
POINT = st.tuples(VALUES, VALUES, VALUES)
EPS = st.tuples(*[st.sampled_from([0.5, 1.0, 2.0, 3.7])] * 3)
MAXIMIZE = st.tuples(st.booleans(), st.booleans(), st.booleans())


def test_coordinates_are_floored_first_and_negated_afterwards():
    values = [[2.5, 2.5], [-2.5, -2.5], [3.0, 3.0], [0.0, 0.0]]
    assert boxes(values, 1, [False, True]).tolist() == [[2, -2], [-3, 3], [3, -3], [0, 0]]


def test_sides_are_in_the_unit_of_each_objective():
    found = boxes([[12, 999.9]], [5, 100], [True, False])
    assert found.tolist() == [[-2, 9]]
    assert found.dtype == np.int64


@given(st.lists(POINT, min_size=1, max_size=8), EPS, MAXIMIZE)
def test_boxes_match_the_plain_definition(points, eps, maximize):
    signs = [-1 if larger else 1 for larger in maximize]
    expected = [[s * c for s, c in zip(signs, oracle.box(p, eps), strict=True)] for p in points]
    assert boxes(points, eps, maximize).tolist() == expected


@given(POINT, POINT)
def test_dominates_is_strict_somewhere(first, second):
    expected = oracle.dominates(first, second, [False] * 3)
    assert bool(dominates(np.array(first), np.array(second))) == expected


def largest_antichain(shape: tuple[int, ...]) -> int:
    """Size of the largest set of mutually non-dominated boxes of a small grid, by search."""
    cells = list(itertools.product(*(range(n) for n in shape)))
    clash = [
        [oracle.dominates(a, b, [False] * 3) or oracle.dominates(b, a, [False] * 3) for b in cells]
        for a in cells
    ]
    best = 0
    chosen: list[int] = []

    def extend(start: int) -> None:
        nonlocal best
        best = max(best, len(chosen))
        for cell in range(start, len(cells)):
            if not any(clash[cell][other] for other in chosen):
                chosen.append(cell)
                extend(cell + 1)
                chosen.pop()

    extend(0)
    return best


@pytest.mark.parametrize("tops", [(0, 0, 0), (1, 2, 0), (1, 1, 1), (2, 1, 1), (3, 0, 1)])
def test_bound_is_never_below_the_largest_antichain_of_the_grid(tops):
    assert box_bound(tops, 1) >= largest_antichain(tuple(top + 1 for top in tops))


def test_bound_of_two_objectives_is_attained():
    # Boxes (0, 1) and (1, 0) of values 0..3 with eps 2; the printed K / eps gives 1.5.
    assert box_bound([3, 3], 2) == 2
    assert largest_antichain((2, 2)) == 2


def test_bound_leaves_out_the_objective_with_the_fewest_boxes():
    assert box_bound([100, 14, 241296], [10, 4, 1000]) == 11 * 242
    assert box_bound([50], [1]) == 1


def test_bound_is_exact_beyond_64_bits():
    assert box_bound([2**40 - 1] * 3, 1) == 2**80


@pytest.mark.parametrize(
    ("values", "eps", "maximize", "message"),
    [
        ([[1, 2, 3]], 1, [True, False], r"2 objectives, found shape \(1, 3\)"),
        ([[1, 2]], [1, 1, 1], [True, False], r"2 objectives, found shape \(3,\)"),
        ([[1, 2]], [1, 0], [True, False], r"positive finite.*0\.0"),
        ([[1, 2]], [1, np.inf], [True, False], "positive finite"),
        ([[1, np.nan]], 1, [True, False], r"finite values"),
        ([[1, -np.inf]], 1, [True, False], r"finite values"),
        ([[np.inf, 1]], 1, [True, False], r"finite values"),
        ([[-1e30, 1]], 1, [False, False], r"finite values"),
        ([[1, 1e300]], 1e-300, [True, False], r"below 2\*\*53"),
        ([[1, 2.0**53]], 1, [True, False], r"below 2\*\*53"),
    ],
)
def test_bad_values_and_sides_are_refused(values, eps, maximize, message):
    with pytest.raises(ValueError, match=message):
        boxes(values, eps, maximize)


@pytest.mark.parametrize("worst", [np.inf, 1e30])
def test_what_is_infinitely_bad_lies_in_the_last_box(worst):
    found = boxes([[-worst, worst], [3, worst], [3, 2.0**52]], 1, [True, False])
    assert found.tolist() == [[2**53, 2**53], [-3, 2**53], [-3, 2**52]]
    assert is_infinite([worst, -worst, 1e29, np.nan]).tolist() == [True, True, False, False]


@pytest.mark.parametrize("worst", [np.inf, 1e30])
def test_dominance_where_a_value_is_infinitely_bad(worst):
    points = np.array([[0.0, worst], [1.0, worst], [1.0, 5.0], [2.0, 0.0]])
    expected = [[0, 1, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
    assert dominates(points[:, np.newaxis], points).astype(int).tolist() == expected
    rows = front_rows(np.arange(4)[:, np.newaxis], points, np.ones(4, dtype=bool))
    assert rows.tolist() == [0, 2, 3]


@pytest.mark.parametrize("maximize", [True, [1, 0], ["max", "min"], [[True]], []])
def test_directions_must_be_booleans(maximize):
    with pytest.raises(TypeError, match="one boolean an objective"):
        directions(maximize)


@pytest.mark.parametrize("tops", [[], [-1, 2], [np.nan, 1], [[1, 2]]])
def test_bad_upper_bounds_are_refused(tops):
    with pytest.raises(ValueError, match="upper_bounds"):
        box_bound(tops, 1)


def test_inputs_are_not_changed():
    values, eps = np.array([[1.0, 2.0]]), np.array([1.0, 2.0])
    for array in (values, eps):
        array.flags.writeable = False
    boxes(values, eps, (True, False))
    assert values.tolist() == [[1.0, 2.0]]
