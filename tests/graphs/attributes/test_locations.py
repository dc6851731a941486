"""Locations: the examples of the thesis, the tree, and its tables."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

from anonopt.graphs import LOCATION_LEVELS, LocationHierarchy, location_table, packaged_locations
from anonopt.graphs.attributes.locations import level_of_type
from tests.graphs.random_graphs import PLACES, tree
from tests.oracles import graphs as slow

AMERICA = [("United States", "country"), ("North America", "continent"), ("World", "world")]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Brooklyn", "United States", 5 / 7),  # Mares 2013, Section 6.2.1: 0.714
        ("New York City", "Washington DC", 1.0),
        ("Brooklyn", "Brooklyn", 0.0),
        ("Brooklyn", "World", 1.0),
        ("Central Park", "Manhattan", 0.0),
    ],
)
def test_distances_that_the_thesis_prints(first, second, expected):
    places = packaged_locations()
    assert places.distance(first, second) == pytest.approx(expected)
    assert places.distance(second, first) == places.distance(first, second)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Brooklyn", "Washington DC"], "United States"),  # Mares 2013, Section 6.2.1
        (["Manhattan", "Central Park"], "Manhattan"),
        (["Manhattan", "Brooklyn"], "New York City"),
        (["Brooklyn", "New York City"], "New York City"),
        (["Paris"], "Paris"),
        (["Paris", "Toronto"], "World"),
    ],
)
def test_common_ancestors(names, expected):
    assert packaged_locations().common_ancestor(names) == expected


def test_levels_are_those_of_table_6_1():
    assert LOCATION_LEVELS["locality"] == LOCATION_LEVELS["colloquial area"] == 1
    assert [LOCATION_LEVELS[f"administrative area level {i}"] for i in (3, 2, 1)] == [2, 3, 4]
    assert LOCATION_LEVELS["country"] == LOCATION_LEVELS["political"] == 5
    assert sorted(set(LOCATION_LEVELS.values())) == list(range(8))


def test_distances_equal_the_slow_ones():
    places, twin = packaged_locations(), tree()
    for first, second in product(PLACES, repeat=2):
        expected = slow.location_distance(first, second, twin.parent_of, twin.level_of)
        codes = np.array([[places.code(first)], [places.code(second)]], dtype=np.int32)
        assert places.sevenths(codes[0], codes[1])[0] == 7 * expected
        assert places.sevenths_from(places.code(first))[places.code(second)] == 7 * expected


def test_common_ancestors_of_groups_equal_the_slow_ones():
    places, twin = packaged_locations(), tree()
    groups = [[a, b, c] for a, b, c in product(PLACES, repeat=3)]
    codes = np.array([places.code(name) for group in groups for name in group], dtype=np.int32)
    found = places.common_ancestors(codes, np.arange(0, len(codes), 3))
    assert [places.names[code] for code in found] == [
        slow.common_ancestor(group, twin.parent_of) for group in groups
    ]


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        ([], "at least one path"),
        ([[]], "found none"),
        ([[("Paris", "locality")]], "one root, of type 'world', found .*Paris"),
        (
            [[("A", "locality"), *AMERICA], [("A", "locality"), AMERICA[2]]],
            "location 'A': expected one parent, found 'United States' and 'World'",
        ),
        (
            [[("A", "locality"), *AMERICA], [("A", "route"), *AMERICA]],
            "location 'A': expected one type, found 'locality' and 'route'",
        ),
        ([[("A", "country"), ("B", "locality"), AMERICA[2]]], r"'A' \(country\): .*'B'"),
        ([[("A", "village"), AMERICA[2]]], "expected one of route, .*found 'village'"),
        (
            [[("A", "route"), ("B", "route"), AMERICA[2]], [("B", "route"), ("A", "route")]],
            "'B': expected one parent",
        ),
    ],
)
def test_what_is_no_tree_is_refused(paths, message):
    with pytest.raises(ValueError, match=message):
        LocationHierarchy(paths)


def test_unknown_location_is_named():
    with pytest.raises(ValueError, match="found 'Atlantis'"):
        packaged_locations().code("Atlantis")
    with pytest.raises(ValueError, match="at least one location"):
        packaged_locations().common_ancestor([])


def test_types_may_be_written_as_the_geocoding_service_writes_them():
    assert level_of_type("Administrative_Area_Level_2") == 3


def test_table_in_the_layout_of_arx(tmp_path):
    path = tmp_path / "places.csv"
    path.write_text(
        "sublocality;locality;country;continent;world\n"
        "Brooklyn;New York City;United States;North America;World\n"
        ";Monaco;Monaco;Europe;World\n"
        ";;France;Europe;World\n",
        encoding="utf-8",
    )
    places = location_table(path)
    assert places.path("Brooklyn")[1] == ("New York City", "locality")
    assert places.path("Monaco") == [
        ("Monaco", "locality"),
        ("Europe", "continent"),
        ("World", "world"),
    ]
    assert places.distance("France", "Europe") == pytest.approx(1 / 7)
    renamed = pd.read_csv(path, sep=";").set_axis(["a", "b", "c", "d", "e"], axis=1)
    kinds = ["sublocality", "locality", "country", "continent", "world"]
    assert location_table(renamed, types=kinds) == places
    with pytest.raises(ValueError, match="one for each of the 5 columns, found 2"):
        location_table(renamed, types=kinds[:2])
    with pytest.raises(ValueError, match="found 'a'"):
        location_table(renamed)


def test_an_empty_row_is_refused():
    with pytest.raises(ValueError, match=r"row 1 .*found none"):
        location_table(pd.DataFrame({"country": ["France", ""], "world": ["World", ""]}))


def test_hierarchies_compare_by_content():
    first, second = (LocationHierarchy([AMERICA]) for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)
    assert first != packaged_locations()
    assert "United States" in first
