"""Clusters of a file and of its masked version from the same centroids."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.masking import compared_partitions
from anonopt.measures import clustering_loss

FRAME = pd.DataFrame({"zone": list("aabbcc"), "x": [1.0, 1.5, 5.0, 5.5, 9.0, 9.5]})
ORDER = {"zone": ["a", "b", "c"]}


@pytest.mark.parametrize("ordinal", [None, ORDER])
def test_an_unmasked_file_has_the_same_clusters(ordinal):
    first, second = compared_partitions(FRAME, FRAME, 3, random_state=1, ordinal=ordinal)
    assert clustering_loss(first, second) == 0
    assert len(np.unique(first)) == 3


def test_a_category_that_vanishes_does_not_move_the_others():
    # Coded on its own, the masked file would call "b" what the original calls "a".
    original = pd.DataFrame({"zone": list("aabbbccc")})
    masked = original.assign(zone=list("bbbbbccc"))
    first, second = compared_partitions(original, masked, 2, random_state=0, columns=["zone"])
    same = first[:, np.newaxis] == first, second[:, np.newaxis] == second
    assert same[0][2, 4]
    assert same[1][0, 4]
    assert not same[1][0, 7]


def test_categories_keep_their_cluster_where_one_vanishes():
    original = pd.DataFrame({"zone": list("aabbcc")})
    masked = original.assign(zone=list("bbbbcc"))
    first, second = compared_partitions(original, masked, 3, random_state=1)
    assert len(set(first)) == 3
    assert second.tolist() == first[[2, 2, 2, 3, 4, 5]].tolist()


def test_numbers_and_ordinal_categories_are_near_each_other():
    near = FRAME.assign(x=FRAME["x"] + 0.1)
    assert clustering_loss(*compared_partitions(FRAME, near, 3, random_state=1, columns=["x"])) == 0
    original = pd.DataFrame({"size": list("aabbyyzz")})
    masked = original.assign(size=list("bbaazzyy"))
    order = {"size": list("abcdefghijyz")}
    pair = compared_partitions(original, masked, 2, random_state=1, ordinal=order)
    assert clustering_loss(*pair) == 0
    # Nominal, they are all as far apart.
    assert clustering_loss(*compared_partitions(original, masked, 2, random_state=1)) > 0


def test_compare_shows_the_figures_of_partitions():
    masked = FRAME.assign(zone=list("abbbcc"))
    columns = ["zone"]
    pair = compared_partitions(FRAME, masked, 2, random_state=1, columns=columns)
    figures = ao.compare(FRAME, masked, columns=columns, partitions=pair)
    expected = 100 * (3 - figures[["rand", "jaccard", "wallace"]].sum()) / 3
    assert figures["clustering_loss"] == pytest.approx(expected)


def test_continuous_files_have_them_too():
    figures = ao.compare(FRAME, FRAME, columns=["x"], partitions=([0, 0, 1, 1, 2, 2],) * 2)
    assert figures[["rand", "jaccard", "wallace", "clustering_loss"]].tolist() == [1, 1, 1, 0]


@pytest.mark.parametrize(
    ("masked", "options", "message"),
    [
        (FRAME.iloc[:3], {}, "masked: expected 6 rows, found 3"),
        (FRAME, {"n_clusters": 0}, "at least 1, found 0"),
        (FRAME[["x"]], {}, "column 'zone'"),
        (FRAME, {"random_state": None}, "random_state"),
    ],
)
def test_wrong_input_is_named(masked, options, message):
    with pytest.raises(ValueError, match=message):
        compared_partitions(FRAME, masked, **{"n_clusters": 2, "random_state": 1, **options})
