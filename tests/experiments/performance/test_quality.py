"""Indicators against plain loops, and references."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from types import SimpleNamespace

import moocore
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.indicators.hv import HV
from pymoo.indicators.igd_plus import IGDPlus

from anonopt.experiments.performance.anytime import references_of
from anonopt.experiments.performance.quality import (
    INDICATORS,
    N_WEIGHTS,
    list_indicators,
    simplex,
)
from anonopt.experiments.performance.references import (
    OF_ALL_RUNS,
    exact_reference,
    joint_reference,
    reference_of,
)
from anonopt.experiments.store.contents import ProblemFacts
from anonopt.measures.fronts.indicators import representation_ratio
from anonopt.problems import get_problem
from tests.oracles import comparisons as oracle
from tests.oracles import indicators as slow
from tests.repository import ROOT


def points(n_obj: int, most: int = 6) -> st.SearchStrategy[list[list[int]]]:
    point = st.lists(st.integers(0, 6), min_size=n_obj, max_size=n_obj)
    return st.lists(point, min_size=1, max_size=most)


sets = st.integers(1, 3).flatmap(lambda n: st.tuples(points(n), points(n)))


def test_list_of_indicators_is_the_table_of_the_page():
    page = (ROOT / "docs" / "comparing_algorithms.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| .* \| (more|less)\b.* \|$", page, re.MULTILINE)
    table = list_indicators()
    words = {"max": "more", "min": "less"}
    assert rows == list(zip(table.index, table["direction"].map(words), strict=True))
    assert set(table["nothing"][table["direction"] == "max"]) == {0}
    assert set(table["nothing"][table["direction"] == "min"]) == {np.inf}


@given(sets)
def test_indicators_are_those_of_plain_loops(pair):
    reference = reference_of(np.array(pair[0] + pair[1], dtype=float), "both")
    F = np.array(oracle.non_dominated(pair[1]), dtype=float)
    front = reference.front.tolist()
    assert front == [list(point) for point in oracle.non_dominated(pair[0] + pair[1])]
    found, true = reference.scaled(F).tolist(), reference.scaled(reference.front).tolist()
    least = [False] * F.shape[1]
    corner = reference.point.tolist()
    expected = {
        "hypervolume": oracle.hypervolume(F.tolist(), corner) / oracle.hypervolume(front, corner),
        "igd_plus": slow.igd_plus(found, true, least),
        "epsilon": oracle.additive_epsilon(found, true),
        "r2": oracle.tchebycheff_r2(found, simplex(F.shape[1]).tolist()),
        "rr": slow.representation_ratio(F.tolist(), front, [1.0] * F.shape[1], least),
        "ce": float(np.mean(slow.convergence_errors(found, true))),
        "found": sum(point in F.tolist() for point in front) / len(front),
    }
    assert set(expected) == set(INDICATORS)
    for name, value in expected.items():
        assert INDICATORS[name].of(F, reference) == pytest.approx(value, abs=1e-9), name


@given(sets)
def test_a_front_has_the_best_value_of_each_indicator(pair):
    reference = reference_of(np.array(pair[0], dtype=float), "first")
    best = {"hypervolume": 1, "igd_plus": 0, "epsilon": 0, "rr": 1, "ce": 0, "found": 1}
    for name, value in best.items():
        assert INDICATORS[name].of(reference.front, reference) == pytest.approx(value, abs=1e-12)


def test_epsilon_and_distance_are_those_of_moocore_in_extents():
    reference = reference_of(np.array([[0.0, 10.0], [4.0, 0.0]]), "hand")
    F = np.array([[1.0, 12.0], [5.0, 1.0]])
    unit = np.array([4.0, 10.0])
    for name, function in (
        ("epsilon", moocore.epsilon_additive),
        ("igd_plus", moocore.igd_plus),
    ):
        expected = function(F / unit, ref=reference.front / unit)
        assert INDICATORS[name].of(F, reference) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n_obj", [2, 3, 4])
def test_values_do_not_depend_on_the_order_of_points(n_obj):
    # Sums do, in their last digits: equal sets would not be tied, nor a front have the value 1.
    rng = np.random.default_rng(n_obj)
    for _ in range(20):
        reference = reference_of(rng.integers(0, 10, (90, n_obj)) / 10, "random")
        worse = reference.front + rng.random(reference.front.shape) / 9
        worse = worse[moocore.is_nondominated(worse)]
        for name in ("hypervolume", "ce", "r2"):
            for F in (reference.front, worse):
                orders = [rng.permutation(len(F)) for _ in range(6)]
                values = {INDICATORS[name].of(F[order], reference) for order in orders}
                assert len(values) == 1, name
        assert INDICATORS["hypervolume"].of(reference.front, reference) == 1.0


@given(sets, st.lists(st.booleans(), min_size=3, max_size=3))
def test_boxes_are_those_of_natural_units(pair, flags):
    # Halves of maximized objectives lie in another box than their negatives do.
    true, found = (np.array(points, dtype=float) / 2 for points in pair)
    maximize = np.array(flags[: true.shape[1]])
    signs = np.where(maximize, -1.0, 1.0)
    facts = ProblemFacts("p", tuple("abc")[: true.shape[1]], maximize, *[None] * 3, n_var=1)
    made = reference_of(signs * true, "hand")
    held = SimpleNamespace(
        problems={
            "p": replace(
                facts,
                reference_front=made.front,
                reference_point=made.point,
                reference_source="hand",
            )
        }
    )
    expected = representation_ratio(
        found, signs * made.front, eps=1.0, maximize=[bool(flag) for flag in maximize]
    )
    assert INDICATORS["rr"].of(signs * found, references_of(held)["p"]) == expected


def test_hypervolume_and_distance_are_those_of_pymoo():
    reference = reference_of(np.array([[0.0, 1.0], [0.25, 0.25], [1.0, 0.0]]), "hand")
    F = np.array([[0.0, 1.5], [0.5, 0.5], [0.75, 0.25]])
    volume = HV(ref_point=reference.point)
    found = INDICATORS["hypervolume"].of(F, reference)
    assert found == pytest.approx(volume(F) / volume(reference.front), abs=1e-12)
    assert INDICATORS["igd_plus"].of(F, reference) == pytest.approx(
        IGDPlus(reference.front)(F), abs=1e-12
    )


@pytest.mark.parametrize("n_obj", [1, 2, 3, 4, 5])
def test_weights_are_spread_over_the_simplex(n_obj):
    weights = simplex(n_obj)
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    assert len(np.unique(weights, axis=0)) == len(weights)
    assert len(weights) >= N_WEIGHTS or n_obj == 1
    # Grids have every permutation of each weight.
    assert {tuple(w) for w in weights} == {
        p for w in weights[:: max(1, len(weights) // 9)] for p in itertools.permutations(w)
    } | {tuple(w) for w in weights}


def test_reference_of_what_has_no_extent():
    # The unit is the size of the value, or 1 if it is 0.
    reference = reference_of(np.array([[3.0, -5.0, 0.0]]), "one")
    assert reference.extent.tolist() == [3, 5, 1] and reference.point.tolist() == [6, 0, 1]
    assert INDICATORS["hypervolume"].of(np.array([[4.5, -5.0, 0.0]]), reference) == 0.5


@pytest.mark.parametrize(
    ("best", "found", "gap"), [(200.0, 210.0, 0.05), (-40.0, -30.0, 0.25), (0.0, 0.3, 0.3)]
)
def test_of_one_objective_indicators_are_the_relative_gap(best, found, gap):
    reference = reference_of(np.array([[best]]), "one")
    for name in ("epsilon", "igd_plus", "ce", "r2"):
        value = INDICATORS[name].of(np.array([[found]]), reference)
        assert value == pytest.approx(gap, abs=1e-12), name
    share = INDICATORS["hypervolume"].of(np.array([[found]]), reference)
    assert share == pytest.approx(1 - gap, abs=1e-12)
    worse = np.array([[best + 3 * abs(best) + 3]])
    assert INDICATORS["hypervolume"].of(worse, reference) == 0
    assert INDICATORS["found"].of(np.array([[best]]), reference) == 1


@pytest.mark.parametrize(
    "wrong", [np.empty((0, 2)), np.array([[0.0, np.nan]]), np.array([[0.0, 1e30]])]
)
def test_references_are_of_finite_points(wrong):
    with pytest.raises(ValueError, match="front: expected finite points, found"):
        reference_of(wrong, "hand")


def test_joint_reference_leaves_out_what_is_infinite():
    # pymoo sees 1e30 in the place of infinity, and so does the file.
    points = np.array([[0.0, np.inf], [1.0, 2.0], [0.5, 1e30]])
    reference = joint_reference([points, np.empty((0, 2))])
    assert reference.front.tolist() == [[1, 2]] and reference.source == OF_ALL_RUNS
    assert joint_reference([np.array([[0.0, np.inf]])]) is None


def test_exact_reference_is_the_front_of_the_problem():
    problem = get_problem("german-k-glm")
    reference = exact_reference(problem)
    np.testing.assert_array_equal(reference.front, np.unique(problem.pareto_front(), axis=0))
    assert (reference.point > reference.front.max(axis=0)).all()
