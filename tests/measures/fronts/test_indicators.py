"""Front indicators against figures worked by hand and plain loops."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.measures.fronts.indicators import (
    convergence_error,
    hypervolume,
    igd_plus,
    representation_ratio,
)
from tests.oracles import indicators as oracle

COORDINATE = st.integers(0, 7)
FRONT = st.lists(st.tuples(COORDINATE, COORDINATE, COORDINATE), min_size=1, max_size=6)
MAXIMIZE = st.tuples(st.booleans(), st.booleans(), st.booleans())


class TestRepresentationRatio:
    true_front = ((2, 10.0), (5, 25.0), (5, 27.0), (8, 85.0), (9, 80.0))

    def test_only_non_dominated_boxes_count_and_each_once(self):
        # Boxes (2, 1), (5, 2) twice, (9, 8); (8, 8) is dominated by (9, 8).
        eps, maximize = (1, 10), (True, False)
        found = [(5, 29.9), (8, 85.0)]
        assert representation_ratio(
            found, self.true_front, eps=eps, maximize=maximize
        ) == pytest.approx(1 / 3)

    def test_wider_boxes_are_easier_to_hold(self):
        found = [(4, 45.0), (9, 99.0)]
        values = [
            representation_ratio(found, self.true_front, eps=eps, maximize=(True, False))
            for eps in [(1, 1), (1, 20), (5, 50)]
        ]
        # (5, 50): boxes (0, 0), (1, 0), (1, 1) of which (1, 0) alone is non-dominated.
        assert values == [0, pytest.approx(1 / 3), 0]

    def test_true_front_covers_itself_and_nothing_covers_nothing(self):
        options = {"eps": (1, 10), "maximize": (True, False)}
        assert representation_ratio(self.true_front, self.true_front, **options) == 1
        assert representation_ratio(np.empty((0, 2)), self.true_front, **options) == 0

    @given(FRONT, FRONT, st.tuples(*[st.sampled_from([0.7, 1.0, 3.0])] * 3), MAXIMIZE)
    def test_matches_plain_loops(self, front, true_front, eps, maximize):
        found = representation_ratio(front, true_front, eps=eps, maximize=maximize)
        assert found == oracle.representation_ratio(front, true_front, eps, maximize)


class TestConvergenceError:
    def test_sum_and_mean_worked_by_hand(self):
        true_front = [(4, 10), (2, 100)]
        # Divided by (4, 100): true (1, .1), (.5, 1); found (1, .4) is .3 away, (.25, 1) is .25.
        found = [(4, 40), (1, 100), (4, 10)]
        assert convergence_error(found, true_front) == pytest.approx(0.55)
        assert convergence_error(found, true_front, reduction="mean") == pytest.approx(0.55 / 3)

    def test_objective_that_is_zero_on_the_true_front_is_not_divided(self):
        assert convergence_error([(2, 3)], [(2, 0)]) == 3

    @given(FRONT, FRONT)
    def test_matches_plain_loops(self, front, true_front):
        expected = oracle.convergence_errors(front, true_front)
        assert convergence_error(front, true_front) == pytest.approx(sum(expected))
        mean = convergence_error(front, true_front, reduction="mean")
        assert mean == pytest.approx(sum(expected) / len(expected))

    def test_negative_objectives_cannot_be_divided(self):
        with pytest.raises(ValueError, match=r"largest value is 0 or more.*-2"):
            convergence_error([(1, 1)], [(1, -2)])

    def test_unknown_reduction_is_refused(self):
        with pytest.raises(ValueError, match="'max'"):
            convergence_error([(1, 1)], [(1, 1)], reduction="max")


class TestHypervolume:
    def test_worked_by_hand(self):
        # Two rectangles to (10, 10): 5 x 5 for (5, 5) and 3 more columns of height 4 for (2, 6).
        assert hypervolume([(5, 5), (2, 6)], reference=(10, 10), maximize=(False, False)) == 37
        assert hypervolume([(5, 5), (8, 4)], reference=(0, 0), maximize=(True, True)) == 37

    def test_points_beyond_the_reference_add_nothing(self):
        front = [(1, 11), (5, 5)]
        assert hypervolume(front, reference=(10, 10), maximize=(False, False)) == 25
        assert hypervolume(np.empty((0, 2)), reference=(1, 1), maximize=(False, False)) == 0

    @given(FRONT, MAXIMIZE)
    def test_matches_counted_cells(self, front, maximize):
        reference = [0 if larger else 7 for larger in maximize]
        found = hypervolume(front, reference=reference, maximize=maximize)
        assert found == oracle.integer_hypervolume(front, reference, maximize)

    @pytest.mark.parametrize("reference", [(1,), 1, (1, np.nan), (1, 2, 3)])
    def test_reference_must_fit(self, reference):
        with pytest.raises(ValueError, match="reference: expected 2 finite numbers"):
            hypervolume([(1, 2)], reference=reference, maximize=(False, False))


class TestIGDPlus:
    def test_only_what_is_worse_counts(self):
        # (3, 4) of the true front: the found (0, 7) is worse by 3 in the second objective only.
        assert igd_plus([(0, 7)], [(3, 4)], maximize=(False, False)) == 3
        # Larger is better in both: worse by 3 in the first objective only.
        assert igd_plus([(0, 7)], [(3, 4)], maximize=(True, True)) == 3
        assert igd_plus([(0, 8)], [(3, 4)], maximize=(True, False)) == 5

    @given(FRONT, FRONT, MAXIMIZE)
    def test_matches_plain_loops(self, front, true_front, maximize):
        expected = oracle.igd_plus(front, true_front, maximize)
        assert igd_plus(front, true_front, maximize=maximize) == pytest.approx(expected)


class TestFrames:
    true_front = pd.DataFrame({"k": [2, 5], "glm": [10.0, 25.0]})

    def test_directions_come_from_the_measures(self):
        found = pd.DataFrame({"k": [5], "glm": [22.0]}, index=["any"])
        assert representation_ratio(found, self.true_front, eps=(1, 10)) == 0.5
        assert hypervolume(self.true_front, reference=(0, 30)) == 2 * 20 + 3 * 5
        assert igd_plus(found, self.true_front) == 6
        assert representation_ratio([(5, 22.0)], self.true_front, eps=(1, 10)) == 0.5

    def test_given_directions_win(self):
        value = hypervolume(self.true_front, reference=(9, 30), maximize=(False, False))
        assert value == 7 * 20

    def test_columns_are_matched_by_name(self):
        found = pd.DataFrame({"glm": [10.0], "k": [5]})
        assert convergence_error(found, self.true_front) == pytest.approx(0.6)

    def test_other_columns_are_refused(self):
        found = pd.DataFrame({"k": [5], "cm": [22.0]})
        with pytest.raises(ValueError, match=r"\['k', 'glm'\], found \['k', 'cm'\]"):
            convergence_error(found, self.true_front)


@pytest.mark.parametrize("worst", [np.inf, 1e30])
class TestInfiniteValues:
    """A point that is infinitely bad in one objective and the best in another."""

    def test_it_adds_no_volume_and_no_distance(self, worst):
        front, both = [(2, 10), (5, 20)], (False, False)
        with_it = [(worst, 0), *front]
        options = {"reference": (9, 30), "maximize": both}
        assert hypervolume(with_it, **options) == hypervolume(front, **options) > 0
        assert hypervolume([(worst, 0)], **options) == 0
        assert igd_plus(with_it, front, maximize=both) == 0
        assert igd_plus(front, [*front, (worst, 0)], maximize=both) == 0
        assert convergence_error(with_it, front) == convergence_error(front, with_it) == 0

    def test_it_holds_the_last_box(self, worst):
        true_front = [(worst, 0), (2, 10)]
        for front, ratio in (([(worst, 0)], 0.5), ([(2, 10)], 0.5), (true_front, 1.0)):
            found = representation_ratio(front, true_front, eps=1, maximize=(False, False))
            assert found == ratio

    def test_the_worst_of_what_is_maximized(self, worst):
        front, options = [(-worst, 0), (5, 20)], {"maximize": (True, False)}
        assert hypervolume(front, reference=(0, 30), **options) == 50
        assert igd_plus(front, [(5, 20)], **options) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: igd_plus([(1, 2)], [(1, 2)]), "maximize: expected one boolean"),
        (lambda: igd_plus([(1, 2)], [(1, 2)], maximize=[True]), "2 objectives, found 1"),
        (lambda: convergence_error([(1, 2, 3)], [(1, 2)]), "expected 2 objectives"),
        (lambda: convergence_error([1, 2], [(1, 2)]), r"front: expected shape"),
        (lambda: convergence_error([(1, 2)], [(1, np.nan)]), "found nan in row 0, column 1"),
        (lambda: convergence_error([(np.inf, 2)], [(1, 2)]), "front: expected .* none among 1"),
        (
            lambda: igd_plus([(1, 2)], [(np.inf, 2)], maximize=[True, False]),
            "true_front: expected at least one point of finite values",
        ),
        (
            lambda: representation_ratio([(-np.inf, 2)], [(1, 2)], eps=1, maximize=[False, False]),
            r"below 2\*\*53",
        ),
        (lambda: convergence_error(np.empty((0, 2)), [(1, 2)]), "front: expected at least one"),
        (lambda: convergence_error([(1, 2)], np.empty((0, 2))), "true_front: expected at least"),
        (
            lambda: igd_plus(np.empty((0, 2)), [(1, 2)], maximize=[True, False]),
            "front: expected at least one",
        ),
    ],
)
def test_unfit_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_inputs_are_not_changed():
    front, true_front = np.array([[1.0, 5.0]]), np.array([[2.0, 0.0]])
    for array in (front, true_front):
        array.flags.writeable = False
    representation_ratio(front, true_front, eps=1, maximize=[True, False])
    convergence_error(front, true_front)
    hypervolume(front, reference=[0, 9], maximize=[True, False])
    igd_plus(front, true_front, maximize=[True, False])
    assert (front.tolist(), true_front.tolist()) == ([[1.0, 5.0]], [[2.0, 0.0]])
