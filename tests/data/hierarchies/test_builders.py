"""Text masking, ordered groups and nested dictionaries."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data import Hierarchy

words = st.text(st.characters(codec="ascii", categories=["L", "N"]), max_size=6)


@pytest.mark.parametrize(
    "build",
    [
        lambda values: Hierarchy.intervals(values, width=1, low=0, high=9),
        Hierarchy.text,
        Hierarchy.dates,
        Hierarchy.ordered,
        lambda values: Hierarchy.from_frame(pd.DataFrame({"level0": values})),
    ],
)
def test_domain_without_values_is_refused(build):
    with pytest.raises(ValueError, match="expected at least one leaf, found none"):
        build([])


class TestText:
    @given(
        st.lists(words, min_size=1, max_size=10, unique=True),
        st.sampled_from(["right_to_left", "left_to_right"]),
        st.integers(0, 2),
    )
    def test_labels_match_their_values_but_for_the_masks(self, values, direction, extra):
        length = max(len(value) for value in values) + extra
        length = max(length, 1)
        tree = Hierarchy.text(values, direction=direction, length=length, padding="_")
        assert tree.height == length
        for leaf, text in enumerate(tree.labels[0]):
            padded = text.ljust(length, "_")
            if direction == "left_to_right":
                padded = text.rjust(length, "_")[::-1]
            for level in range(1, length):
                label = tree.labels[level][tree.maps[level, leaf]]
                if direction == "left_to_right":
                    label = label[::-1]
                assert label[: length - level] == padded[: length - level]
                assert label[length - level :] == "*" * level

    def test_right_to_left(self):
        tree = Hierarchy.text(["81667", "81675", "9"])
        assert tree.labels[1] == ("8166*", "8167*", "9   *")
        assert tree.labels[3] == ("81***", "9 ***")
        assert tree.labels[5] == ("*",)

    def test_left_to_right(self):
        tree = Hierarchy.text(["12", "345"], direction="left_to_right", mask="x", padding="0")
        assert tree.labels[1:] == (("x12", "x45"), ("xx2", "xx5"), ("*",))

    def test_empty_text_has_a_height_of_one(self):
        assert Hierarchy.text([""]).labels == (("",), ("*",))

    def test_missing_and_repeated_values(self):
        assert Hierarchy.text(pd.Series(["a", None, "a"])).labels[0] == ("a",)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"direction": "up"}, "direction: .*found 'up'"),
            ({"length": 2}, "at most 2 characters, found 'abc' of 3"),
            (
                {"length": 0},
                "length: expected a whole number of at least 1 and at most 100000, found 0",
            ),
            ({"mask": "**"}, r"mask: expected one character, found '\*\*'"),
            ({"padding": ""}, "padding: expected one character, found ''"),
        ],
    )
    def test_arguments_out_of_range(self, options, message):
        with pytest.raises(ValueError, match=message):
            Hierarchy.text(["abc"], **options)


class TestOrdered:
    @given(
        st.lists(words, min_size=1, max_size=12, unique=True),
        st.lists(st.integers(2, 4), max_size=3),
    )
    def test_labels_list_the_values_they_stand_for(self, values, fan_outs):
        tree = Hierarchy.ordered(values, fan_outs=fan_outs)
        assert tree.labels[0] == tuple(values)
        assert tree.height == len(fan_outs) + 1
        for level in range(1, tree.height):
            for leaf, value in enumerate(values):
                label = tree.labels[level][tree.maps[level, leaf]]
                assert value in label.strip("{}").split(", ")

    def test_groups_are_joined_and_the_last_may_be_smaller(self):
        tree = Hierarchy.ordered([1, 2, 3, 4, 5], fan_outs=[2, 2])
        assert tree.labels[1:] == (
            ("{1, 2}", "{3, 4}", "{5}"),
            ("{1, 2, 3, 4}", "{5}"),
            ("*",),
        )

    def test_value_given_twice_is_refused(self):
        with pytest.raises(ValueError, match="each value once, found 'b' twice"):
            Hierarchy.ordered(["a", "b", "b"])

    def test_groups_of_the_same_label_are_refused(self):
        with pytest.raises(ValueError, match=r"different labels, found '\{a, b, c\}' twice"):
            Hierarchy.ordered(["a, b", "c", "a", "b, c"], fan_outs=[2])

    @pytest.mark.parametrize(
        ("fan_out", "error"),
        [(1, ValueError), (0, ValueError), (2.0, TypeError), (True, TypeError)],
    )
    def test_fan_out_out_of_range(self, fan_out, error):
        with pytest.raises(error, match="fan_outs: expected a whole number of at least 2"):
            Hierarchy.ordered(["a", "b"], fan_outs=[fan_out])


class TestTree:
    def test_branches_of_different_depth(self):
        tree = Hierarchy.from_tree({"*": {"N": {"n1": ["A", "B"], "C": {}}, "D": None}})
        assert tree.to_frame().to_numpy().tolist() == [
            ["A", "n1", "N", "*"],
            ["B", "n1", "N", "*"],
            ["C", "C", "N", "*"],
            ["D", "D", "D", "*"],
        ]

    def test_numbers_are_written_as_text(self):
        assert Hierarchy.from_tree({"*": {"low": [1, 2.0], "high": [3]}}).labels[0] == (
            "1",
            "2",
            "3",
        )

    def test_a_leaf_alone(self):
        assert Hierarchy.from_tree({"A": None}).labels == (("A",),)

    @pytest.mark.parametrize("tree", [{}, {"a": ["x"], "b": ["y"]}])
    def test_other_than_one_top_value(self, tree):
        with pytest.raises(ValueError, match=f"one top value over all others, found {len(tree)}"):
            Hierarchy.from_tree(tree)

    def test_label_under_two_parents(self):
        with pytest.raises(ValueError, match=r"level 2: .*'Other'.*'N' and 'S'"):
            Hierarchy.from_tree({"*": {"N": {"Other": ["A"]}, "S": {"Other": ["B"]}}})

    @pytest.mark.parametrize("tree", [["A"], {"*": {"N": "AB"}}, {"*": 0}])
    def test_neither_dictionary_nor_list(self, tree):
        with pytest.raises(TypeError, match="tree: expected a dictionary"):
            Hierarchy.from_tree(tree)
