"""The tree itself: order of codes, refinement, matching of values, missing cells."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data import MISSING, Hierarchy


@st.composite
def shuffled_trees(draw):
    """Levels of a random tree whose leaves stand in a random order."""
    n_leaves = draw(st.integers(1, 12))
    height = draw(st.integers(1, 4))
    levels = [list(range(n_leaves))]
    for _ in range(height - 1):
        parent_of = {
            value: draw(st.integers(0, 3), label="parent") for value in sorted(set(levels[-1]))
        }
        levels.append([parent_of[value] for value in levels[-1]])
    levels.append([0] * n_leaves)
    order = draw(st.permutations(range(n_leaves)))
    return [[f"v{level[leaf]}" for leaf in order] for level in levels]


@given(shuffled_trees())
def test_codes_run_in_depth_first_order(levels):
    tree = Hierarchy(levels)
    assert tree.maps.dtype == np.int32
    for level in range(tree.height + 1):
        codes = tree.maps[level]
        assert (np.diff(codes) >= 0).all()
        assert codes[0] == 0
        assert (np.diff(codes) <= 1).all()
        assert tree.n_values(level) == codes[-1] + 1


@given(shuffled_trees())
def test_every_leaf_keeps_its_labels(levels):
    tree = Hierarchy(levels)
    given_paths = {path[0]: path for path in zip(*levels, strict=True)}
    for leaf in range(tree.n_leaves):
        path = tuple(tree.labels[level][tree.maps[level, leaf]] for level in range(tree.height + 1))
        assert path == given_paths[path[0]]


@given(shuffled_trees())
def test_parents_and_leaf_counts_follow_the_maps(levels):
    tree = Hierarchy(levels)
    for level in range(tree.height):
        assert (tree.parents(level)[tree.maps[level]] == tree.maps[level + 1]).all()
        counts = tree.leaf_counts(level)
        assert counts.tolist() == [
            int((tree.maps[level] == code).sum()) for code in range(tree.n_values(level))
        ]
    assert tree.leaf_counts(tree.height).tolist() == [tree.n_leaves]


def test_siblings_keep_the_order_in_which_they_were_given():
    tree = Hierarchy([["30", "20", "31"], ["[30,40)", "[20,30)", "[30,40)"], ["*"] * 3])
    assert tree.labels[0] == ("30", "31", "20")
    assert tree.labels[1] == ("[30,40)", "[20,30)")


def test_leaf_with_two_parents_is_refused():
    with pytest.raises(ValueError, match=r"level 1: .*leaf 'A'.*'L' and 'R'"):
        Hierarchy([["A", "A", "B", "C"], ["L", "R", "R", "R"], ["*"] * 4])


def test_leaf_given_twice_with_one_path_counts_once():
    tree = Hierarchy([["A", "A", "B", "C"], ["L", "L", "L", "R"], ["*"] * 4])
    assert tree.n_leaves == 3
    assert tree.leaf_counts(1).tolist() == [2, 1]


def test_label_parted_by_the_next_level_is_refused():
    levels = [["x", "y", "z"], ["G", "G", "H"], ["P", "Q", "Q"], ["*"] * 3]
    with pytest.raises(ValueError, match=r"level 2: .*label of level 1 'G'.*'P' and 'Q'"):
        Hierarchy(levels)


def test_label_parted_into_an_earlier_parent_is_refused():
    levels = [["w", "x", "y"], ["F", "G", "G"], ["P", "Q", "P"], ["*"] * 3]
    with pytest.raises(ValueError, match=r"'G', found two: 'Q' and 'P'"):
        Hierarchy(levels)


def test_several_top_values_are_refused():
    with pytest.raises(
        ValueError, match=r"level 1, the top: expected one value, found 2: 'L', 'R'"
    ):
        Hierarchy([["A", "B"], ["L", "R"]])


@pytest.mark.parametrize("levels", [[], [[]], [[], []]])
def test_hierarchy_without_leaves_is_refused(levels):
    with pytest.raises(ValueError, match="at least one leaf"):
        Hierarchy(levels)


def test_levels_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match=r"as many labels on every level, found \[1, 2\]"):
        Hierarchy([["A", "B"], ["*"]])


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
def test_missing_label_is_refused(missing):
    with pytest.raises(ValueError, match="level 1: expected a label, found a missing value at pos"):
        Hierarchy([["A", "B"], ["*", missing]])


def test_a_single_leaf_may_be_its_own_top():
    tree = Hierarchy([["A"]])
    assert (tree.height, tree.n_leaves) == (0, 1)


@pytest.mark.parametrize("call", ["leaf_counts", "n_values", "parents"])
@pytest.mark.parametrize("level", [-1, 3])
def test_level_outside_the_height_is_refused(call, level):
    tree = Hierarchy([["A", "B"], ["N", "S"], ["*", "*"]])
    with pytest.raises(
        ValueError, match=r"level: expected a whole number of at least 0 and at most [12], found"
    ):
        getattr(tree, call)(level)
    with pytest.raises(ValueError, match="at least 0 and at most 1, found 2"):
        tree.parents(2)


def test_arrays_are_read_only_also_after_pickling():
    tree = Hierarchy([["A", "B"], ["*", "*"]])
    copy = pickle.loads(pickle.dumps(tree))
    for each in (tree, copy):
        with pytest.raises(ValueError, match="read-only"):
            each.maps[0, 0] = 1
    assert copy == tree
    assert hash(copy) == hash(tree)


def test_fingerprint_tells_trees_apart():
    tree = Hierarchy([["A", "B", "C"], ["N", "N", "S"], ["*"] * 3])
    regrouped = Hierarchy([["A", "B", "C"], ["N", "S", "S"], ["*"] * 3])
    renamed = Hierarchy([["A", "B", "C"], ["N", "N", "W"], ["*"] * 3])
    assert len({tree.fingerprint, regrouped.fingerprint, renamed.fingerprint}) == 3
    assert tree != regrouped
    assert tree != "tree"


class TestEncode:
    @pytest.mark.parametrize(
        "values",
        [
            [39, 17],
            [39.0, 17.0],
            ["39", "17"],
            ["39.0", " 17"],
            np.array([39, 17], dtype=np.float32),
            pd.array([39, 17], dtype="Int64"),
            pd.Categorical([39, 17]),
            [39, "17.0"],
        ],
    )
    def test_numbers_match_by_value(self, values):
        tree = Hierarchy([["17", "39"], ["*", "*"]])
        codes = tree.encode(pd.Series(values), "age")
        assert codes.tolist() == [1, 0]
        assert codes.dtype == np.int32

    def test_float_leaves_match_whole_numbers(self):
        tree = Hierarchy([[1.5, 2.0], ["*", "*"]])
        assert tree.labels[0] == ("1.5", "2")
        assert tree.encode(pd.Series([2, 1.5, "2.00"], dtype=object), "n").tolist() == [1, 0, 1]

    def test_integers_beyond_the_precision_of_floats_stay_apart(self):
        big = 2**53
        tree = Hierarchy([[str(big), str(big + 1)], ["*", "*"]])
        assert tree.encode(pd.Series([big + 1, big]), "n").tolist() == [1, 0]

    def test_leaves_with_leading_zeros_are_codes_and_match_by_text(self):
        zip_codes = Hierarchy([["02138", "10115"], ["*", "*"]])
        assert zip_codes.encode(pd.Series(["10115", "02138"]), "zip").tolist() == [1, 0]
        with pytest.raises(ValueError, match=r"'zip'.* found int64 and the leaves .*'02138'"):
            zip_codes.encode(pd.Series([2138, 10115]), "zip")
        both = Hierarchy([["1", "01"], ["*", "*"]])
        assert both.encode(pd.Series(["01", "1"]), "n").tolist() == [1, 0]
        with pytest.raises(ValueError, match=r"'1\.0' in 1 rows"):
            both.encode(pd.Series(["1.0"]), "n")

    def test_leaves_that_are_not_all_numbers_match_by_text(self):
        tree = Hierarchy([["1", "2+"], ["*", "*"]])
        assert tree.encode(pd.Series(["2+", 1.0], dtype=object), "n").tolist() == [1, 0]
        with pytest.raises(ValueError, match=r"column 'n'.*'1\.0' in 1 rows"):
            tree.encode(pd.Series(["1.0"]), "n")

    def test_truth_values_match_by_text(self):
        tree = Hierarchy([[True, False], ["*", "*"]])
        assert tree.encode(pd.Series([False, True, True]), "b").tolist() == [1, 0, 0]

    def test_absent_value_is_named_with_its_column_and_rows(self):
        tree = Hierarchy([["A", "B", "C"], ["*"] * 3])
        zone = pd.Series(["A", "D", "B", "D", "E", "D"])
        with pytest.raises(ValueError, match=r"'zone'.*'D' in 3 rows, and 1 more values"):
            tree.encode(zone, "zone")

    def test_infinity_is_no_leaf(self):
        tree = Hierarchy([["1", "2"], ["*", "*"]])
        with pytest.raises(ValueError, match="'inf' in 1 rows"):
            tree.encode(pd.Series([1, np.inf]), "n")

    @pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
    def test_missing_cells_match_their_leaf(self, missing):
        values = pd.Series(["A", missing, "B"], dtype=object)
        tree = Hierarchy([["A", "B"], ["*", "*"]])
        with pytest.raises(ValueError, match=r"'zone'.*missing values in 1 rows"):
            tree.encode(values, "zone")
        assert tree.with_missing().encode(values, "zone").tolist() == [0, 2, 1]

    def test_text_of_the_missing_leaf_matches_it(self):
        tree = Hierarchy([["1", "2"], ["*", "*"]]).with_missing()
        values = pd.Series([MISSING, None, 2], dtype=object)
        assert tree.encode(values, "n").tolist() == [2, 2, 1]


class TestWithMissing:
    def test_missing_is_its_own_value_on_each_level_below_the_top(self):
        tree = Hierarchy([["A", "B", "C"], ["N", "N", "S"], ["Any"] * 3]).with_missing()
        assert tree.labels == (("A", "B", "C", MISSING), ("N", "S", MISSING), ("Any",))
        assert tree.maps.tolist() == [[0, 1, 2, 3], [0, 0, 1, 2], [0, 0, 0, 0]]

    def test_twice_is_once(self):
        tree = Hierarchy([["A", "B"], ["*", "*"]]).with_missing()
        assert tree.with_missing() is tree

    def test_path_of_the_hierarchy_is_kept(self):
        tree = Hierarchy([["A", "B", MISSING], ["N", "S", "S"], ["*"] * 3])
        assert tree.with_missing() is tree

    def test_hierarchy_without_levels_gets_a_top(self):
        tree = Hierarchy([["A"]]).with_missing()
        assert tree.labels == (("A", MISSING), ("*",))


class TestFrame:
    def test_round_trip(self):
        tree = Hierarchy([["A", "B", "C"], ["N", "N", "S"], ["*"] * 3])
        assert Hierarchy.from_frame(tree.to_frame()) == tree

    def test_named_levels_may_stand_in_any_order(self):
        frame = pd.DataFrame({"level2": ["*"], "level0": ["A"], "level1": ["N"]})
        assert Hierarchy.from_frame(frame).labels == (("A",), ("N",), ("*",))

    def test_more_than_ten_levels_are_ordered_by_number(self):
        frame = pd.DataFrame({f"level{level}": [str(level)] for level in range(12)})
        assert Hierarchy.from_frame(frame[sorted(frame.columns)]).labels[10] == ("10",)

    def test_other_names_are_taken_from_the_left(self):
        frame = pd.DataFrame({"place": [1.0, 2.0], "top": ["*", "*"]})
        assert Hierarchy.from_frame(frame).labels == (("1", "2"), ("*",))

    def test_missing_cell_is_refused(self):
        frame = pd.DataFrame({"level0": ["A", None], "level1": ["*", "*"]})
        with pytest.raises(ValueError, match="level 0: expected a label"):
            Hierarchy.from_frame(frame)
